//! `studio`, and what a bare `outplay` does: the studio in the browser.

use outplay_runtime::WorkError;
use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use outplay_lab::Store;
use outplay_runtime::files::write_atomically;
use outplay_studio::{Server, ServerConfig, StartError};
use serde_json::json;

use crate::INTERRUPTED;
use crate::args::StudioArgs;
use crate::error::CommandError;
use crate::terminal::Terminal;

/// The default port of the studio.
const PORT: u16 = 7878;
const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// The environment variable that may hold the token.
const TOKEN_VARIABLE: &str = "OUTPLAY_TOKEN";
/// How long a check waits for each step of an answer.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) fn run(terminal: &Terminal, options: StudioArgs) -> Result<(), WorkError> {
    let StudioArgs { port, host, threads, token, token_file, check } = options;
    let token = find_token(token, token_file.as_deref())?;
    let running = || if port.is_none() && host.is_none() { running_at(terminal.store()) } else { None };
    let address = SocketAddr::new(host.unwrap_or(HOST), port.unwrap_or(PORT));
    if check {
        check_answer(terminal, running().unwrap_or(address));
        return Ok(());
    }
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(|| cores.saturating_sub(1).max(1));
    let (host, port) = (address.ip(), address.port());
    let config = ServerConfig { host, port, store: Arc::clone(terminal.store()), threads, token };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| CommandError::Threads { source })?;
    let served = runtime.block_on(serve(terminal, config));
    // A player that is still thinking is not waited for: its table is saved.
    runtime.shutdown_background();
    Ok(served?)
}

/// The file in the data directory that says where its studio listens.
const ADDRESS_FILE: &str = "studio-address";

/// Where the studio of this data directory was last opened, as this machine reaches it.
fn running_at(store: &Store) -> Option<SocketAddr> {
    let mut address: SocketAddr = fs::read_to_string(store.path(ADDRESS_FILE)).ok()?.trim().parse().ok()?;
    if address.ip().is_unspecified() {
        address.set_ip(HOST);
    }
    Some(address)
}

/// The token: as it was given, from the file, or from the environment.
fn find_token(given: Option<String>, file: Option<&Path>) -> Result<Option<String>, CommandError> {
    match (given, file) {
        (Some(token), _) => Ok(Some(token)),
        (None, Some(path)) => read_token(path).map(Some),
        (None, None) => {
            let token = env::var_os(TOKEN_VARIABLE).filter(|token| !token.is_empty());
            Ok(token.map(|token| token.to_string_lossy().into_owned()))
        }
    }
}

/// More than any token has; of an endless file no more is read.
const MOST_TOKEN_BYTES: u64 = 4096;

/// The token in a file, which nobody else should be able to read.
fn read_token(path: &Path) -> Result<String, CommandError> {
    let unreadable = |source| CommandError::UnreadableToken { path: path.to_owned(), source };
    let mut token = String::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(MOST_TOKEN_BYTES).read_to_string(&mut token).map_err(unreadable)?;
    let token = token.trim().to_owned();
    if token.is_empty() {
        return Err(CommandError::EmptyToken { path: path.to_owned() });
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_open = fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0);
        if is_open {
            let path = path.display();
            let _ = writeln!(
                io::stderr(),
                "outplay: other users of this machine may use {path}: expected 'chmod 600'"
            );
        }
    }
    Ok(token)
}

/// Asks a studio for its page, for monitors such as a container's. An answer that asks for the token is one, too. Without an answer
/// the program ends with 1: that is not the user's mistake.
fn check_answer(terminal: &Terminal, address: SocketAddr) {
    match status(address) {
        Ok(status) => {
            let result = json!({ "address": address.to_string(), "status": status });
            terminal.print_result(&result, || format!("the studio at {address} answers"));
        }
        Err(reason) => {
            eprintln!("outplay: {}", CommandError::NotServing { address: address.to_string(), reason });
            process::exit(1);
        }
    }
}

/// The status of the answer to a request; that of a server which fails is an error.
fn status(address: SocketAddr) -> io::Result<u16> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "HEAD / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut start = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut start)?;
    let status =
        start.strip_prefix(b"HTTP/1.1 ").and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    let is_answer = |status: &u16| (200..500).contains(status);
    status.filter(is_answer).ok_or_else(|| io::Error::other(String::from_utf8_lossy(&start).into_owned()))
}

async fn serve(terminal: &Terminal, config: ServerConfig) -> Result<(), StartError> {
    let server = Server::start(config).await?;
    let (url, address) = (server.url(), server.address());
    // For `--check`, which asks at the usual address where there is no such file.
    let _ = write_atomically(&terminal.store().path(ADDRESS_FILE), |file| writeln!(file, "{address}"));
    terminal.print_result(&json!({ "url": url }), || format!("the studio is at {url} (Ctrl-C ends it)"));
    server.serve(asked_to_end()).await
}

/// Waits for Ctrl-C or a termination signal; a second Ctrl-C ends the program at once.
async fn asked_to_end() {
    interrupted().await;
    // The process that started the server may be gone and nobody may read this; the server ends all the same.
    let _ = writeln!(io::stderr(), "closing; press Ctrl-C again to leave at once");
    tokio::spawn(async {
        interrupted().await;
        process::exit(i32::from(INTERRUPTED));
    });
}

#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}

#[cfg(not(unix))]
async fn interrupted() {
    let _ = tokio::signal::ctrl_c().await;
}
