//! A studio for one test, and a client that sends exactly what it is given.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use outplay_lab::Store;
use outplay_studio::{Server, ServerConfig};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_else(|| panic!("no refusal: {self:?}")).to_owned()
    }

    /// The sentence of a refusal, in English. There has to be one in French too.
    pub(crate) fn message(&self) -> String {
        let message = &self.json()["error"]["message"];
        assert_bilingual(message);
        assert_ne!(message["en"], message["fr"], "a sentence that is not in French");
        message["en"].as_str().unwrap_or_default().to_owned()
    }
}

/// Fails unless this is a text in both languages, whole and well typeset.
pub(crate) fn assert_bilingual(text: &Value) {
    let [en, fr] = ["en", "fr"].map(|language| text[language].as_str().unwrap_or_default());
    assert!(!en.is_empty() && !fr.is_empty(), "no text in both languages: {text}");
    assert!(![en, fr].iter().any(|text| text.contains(['{', '}'])), "a place was not filled: {text}");
    let is_straight = |(place, _)| {
        let around = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
        around(fr[..place].chars().next_back()) && around(fr[place + 1..].chars().next())
    };
    assert!(!fr.match_indices('\'').any(is_straight), "a straight apostrophe: {fr}");
}

/// A studio that is open.
pub(crate) struct Studio {
    pub(crate) address: SocketAddr,
    pub(crate) url: String,
    end: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
    pub(crate) runtime: Runtime,
    data: Option<TempDir>,
}

impl Studio {
    /// A studio in an empty folder.
    pub(crate) fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut studio = Self::at(data.path(), None);
        studio.data = Some(data);
        studio
    }

    pub(crate) fn at(data: &Path, token: Option<&str>) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let settings = ServerConfig {
            host: "127.0.0.1".parse().unwrap(),
            port: 0,
            store: Arc::new(Store::at(data)),
            threads: 2,
            token: token.map(str::to_owned),
        };
        let server = runtime.block_on(Server::start(settings)).unwrap();
        let (address, url) = (server.address(), server.url());
        let (end, ended) = oneshot::channel::<()>();
        let serving = runtime.spawn(async move {
            server.serve(async move { ended.await.unwrap_or_default() }).await.unwrap();
        });
        Self { address, url, end: Some(end), serving: Some(serving), runtime, data: None }
    }

    /// Closes the studio and opens it again in the same folder.
    pub(crate) fn reopened(mut self) -> Self {
        self.close();
        let data = self.data.take().unwrap();
        drop(self);
        let mut studio = Self::at(data.path(), None);
        studio.data = Some(data);
        studio
    }

    pub(crate) fn close(&mut self) {
        if let (Some(end), Some(serving)) = (self.end.take(), self.serving.take()) {
            let _ = end.send(());
            self.runtime.block_on(serving).unwrap();
        }
    }

    /// Sends a request with these headers, the host included.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        read_reply(self.open(method, path, headers, body.as_bytes()))
    }

    /// Sends a text as it is.
    pub(crate) fn send_raw(&self, text: &str) -> Reply {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let _ = stream.write_all(text.as_bytes());
        read_reply(stream)
    }

    fn open(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let fields: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        let head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}");
        // A server that refuses at once may close before all is written.
        let _ = stream.write_all(&[format!("{head}\r\n").as_bytes(), body].concat());
        stream
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        self.send(method, path, &[("Host", &self.address.to_string())], body)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, "")
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.ask("DELETE", path, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &body.to_string())
    }

    /// Posts a file.
    pub(crate) fn bring(&self, path: &str, file: &[u8]) -> Reply {
        read_reply(self.open("POST", path, &[("Host", &self.address.to_string())], file))
    }

    /// The bytes of a download.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        read_bytes(self.open("GET", path, &[("Host", &self.address.to_string())], b"")).1
    }

    /// Posts what must succeed.
    pub(crate) fn done(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body);
        assert!(reply.status < 300, "{path} {body}: {reply:?}");
        reply.json()
    }

    /// A table for these players.
    pub(crate) fn table(&self, game: &str, seats: &[&str]) -> Value {
        self.done("/api/tables", &json!({ "game": game, "seats": seats, "seed": 7 }))
    }

    /// Asks for something until it is as expected.
    pub(crate) fn wait(&self, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let now = self.get(path).json();
            if is_there(&now) {
                return now;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "{path} stays {now}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.close();
        }
    }
}

fn read_reply(stream: TcpStream) -> Reply {
    let (head, raw) = read_bytes(stream);
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    Reply { status, head, body: String::from_utf8_lossy(&raw).into_owned() }
}

fn read_bytes(stream: TcpStream) -> (String, Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "the server hung up after {head:?}");
    }
    let mut raw = Vec::new();
    // A server that refuses what it has not read may cut the connection after its answer.
    let _ = reader.read_to_end(&mut raw);
    let head = head.to_ascii_lowercase();
    let raw = if head.contains("transfer-encoding: chunked") { unchunked(&raw) } else { raw };
    (head, raw)
}

fn unchunked(mut raw: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = raw.windows(2).position(|pair| pair == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&raw[..end]).unwrap(), 16).unwrap();
        body.extend_from_slice(&raw[end + 2..end + 2 + length]);
        raw = &raw[end + 4 + length..];
    }
    body
}
