//! A studio in a process of its own, and a client that asks it over loopback.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A studio that listens.
pub(crate) struct StudioProcess {
    process: Child,
    address: String,
}

impl StudioProcess {
    /// Starts it in a folder; `None` if it was killed before it listened.
    pub(crate) fn start(mut command: Command, folder: &Path) -> Result<Option<Self>, String> {
        let said =
            File::create(folder.with_extension("said")).map_err(|error| format!("cannot write: {error}"))?;
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(said);
        let mut process = command.spawn().map_err(|error| format!("the studio does not start: {error}"))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            let _ = BufReader::new(output).read_line(&mut line);
        }
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once(['/', '"']));
        if let Some((address, _)) = address {
            let address = address.to_owned();
            return Ok(Some(Self { process, address }));
        }
        let status = process.wait().map_err(|error| format!("the studio cannot be waited for: {error}"))?;
        let said = fs::read_to_string(folder.with_extension("said")).unwrap_or_default();
        if status.code().is_none() {
            Ok(None)
        } else {
            Err(format!("the studio does not open: {}", said.trim()))
        }
    }

    /// The body of the answer, if all of it came and it is no refusal.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Result<String, String> {
        let failed = |error: std::io::Error| format!("{method} {path}: {error}");
        let mut stream = TcpStream::connect(&self.address).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        let (host, length) = (&self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).map_err(failed)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(failed)?;
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 2") => Ok(body.to_owned()),
            _ => Err(format!("{method} {path}: {answer}")),
        }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Kills it. A tracer that stands before it ends with it: one that is killed would let it go on.
    pub(crate) fn kill(&mut self) {
        let children = format!("/proc/{0}/task/{0}/children", self.process.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        for child in children.split_whitespace() {
            let _ = Command::new("kill").args(["-KILL", child]).stderr(Stdio::null()).status();
        }
        if children.is_empty() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

impl Drop for StudioProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The word between this text and the next quotation mark.
pub(crate) fn word_after(text: &str, before: &str) -> Option<String> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once('"').map(|(word, _)| word.to_owned())
}
