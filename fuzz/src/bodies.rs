//! Bodies of requests, sent to a studio in this process over loopback.
//!
//! Only routes that start no work and keep nothing are asked, so that an input leaves nothing for the next one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use outplay_lab::Store;
use outplay_studio::{Server, ServerConfig};
use serde_json::Value;

/// The routes. There is no table and no job with the name in the address.
const ROUTES: [&str; 11] = [
    "/api/look",
    "/api/draft",
    "/api/import",
    "/api/survey",
    "/api/review",
    "/api/tables/0/move",
    "/api/tables/0/go",
    "/api/tables/0/hint",
    "/api/tables/0/resign",
    "/api/tables/0/seats",
    "/api/jobs/0/sample",
];
/// Longer than any answer to these routes should take, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

static STUDIO: LazyLock<Mutex<BufReader<TcpStream>>> = LazyLock::new(|| {
    let address = start_studio();
    let stream = TcpStream::connect(address).expect("the studio listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    stream.set_nodelay(true).expect("no delay");
    Mutex::new(BufReader::new(stream))
});

/// Starts a studio in a thread that lives as long as the process.
fn start_studio() -> SocketAddr {
    let (started, address) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let config = ServerConfig {
                host: Ipv4Addr::LOCALHOST.into(),
                port: 0,
                store: Arc::new(Store::at("target/fuzz/studio")),
                threads: 1,
                token: None,
            };
            let server = Server::start(config).await.expect("the studio opens");
            started.send(server.address()).expect("somebody waits");
            server.serve(std::future::pending()).await.expect("the studio serves");
        });
    });
    address.recv().expect("the studio starts")
}

/// A line that names a route, and a body. Where there is no such route, the first byte chooses one.
pub fn bodies(input: &[u8]) {
    let Some(end) = input.iter().position(|&byte| byte == b'\n') else { return };
    let (name, body) = (&input[..end], &input[end + 1..]);
    // Laying out a board without guesses may take longer than the patience of this test.
    if body.windows(5).any(|word| word == b"guess") {
        return;
    }
    let named = ROUTES.iter().find(|route| route.as_bytes() == name);
    let route = named.unwrap_or_else(|| &ROUTES[usize::from(input[0]) % ROUTES.len()]);
    let (status, answer) = ask(route, body);
    assert!((200..500).contains(&status), "{route}: {status} {answer}");
    let message = &answer["error"]["message"]["en"];
    assert_eq!(message.is_string(), status >= 400, "{route}: {status} {answer}");
}

/// The status and the body of an answer. The connection stays open for the next request.
fn ask(route: &str, body: &[u8]) -> (u16, Value) {
    let mut studio = STUDIO.lock().unwrap_or_else(PoisonError::into_inner);
    let address = studio.get_ref().peer_addr().expect("a connection");
    let length = body.len();
    let head = format!("POST {route} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n");
    studio.get_mut().write_all(&[head.as_bytes(), body].concat()).expect("the studio reads");
    let mut length = None;
    let mut status = None;
    for line in studio.by_ref().lines() {
        let line = line.expect("an answer in time");
        match line.split_once(": ") {
            _ if line.is_empty() => break,
            None => status = line.split(' ').nth(1).and_then(|word| word.parse().ok()),
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok(),
            Some(_) => {}
        }
    }
    let mut answer = vec![0; length.expect("a length")];
    studio.read_exact(&mut answer).expect("a whole answer");
    (status.expect("a status"), serde_json::from_slice(&answer).expect("JSON"))
}
