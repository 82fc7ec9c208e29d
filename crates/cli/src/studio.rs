//! `studio`, and what a bare `outplay` does: the studio in the browser.

use outplay_runtime::WorkError;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::thread::available_parallelism;

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

pub(crate) fn run(terminal: &Terminal, options: StudioArgs) -> Result<(), WorkError> {
    let StudioArgs { port, host, threads, token, token_file } = options;
    let token = find_token(token, token_file.as_deref())?;
    let (port, host) = (port.unwrap_or(PORT), host.unwrap_or(HOST));
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(|| cores.saturating_sub(1).max(1));
    let config = ServerConfig { host, port, store: Arc::clone(terminal.store()), threads, token };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| CommandError::Threads { source })?;
    let served = runtime.block_on(serve(terminal, config));
    // A player that is still thinking is not waited for: its table is saved.
    runtime.shutdown_background();
    Ok(served?)
}

/// The token: as it was given, from the file, or from the environment.
fn find_token(given: Option<String>, file: Option<&Path>) -> Result<Option<String>, CommandError> {
    match (given, file) {
        (Some(token), _) => Ok(Some(token)),
        (None, Some(path)) => read_token(path).map(Some),
        (None, None) => Ok(env::var_os(TOKEN_VARIABLE).map(|token| token.to_string_lossy().into_owned())),
    }
}

/// The token in a file, which nobody else should be able to read.
fn read_token(path: &Path) -> Result<String, CommandError> {
    let unreadable = |source| CommandError::UnreadableToken { path: path.to_owned(), source };
    let token = fs::read_to_string(path).map_err(unreadable)?.trim().to_owned();
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

async fn serve(terminal: &Terminal, config: ServerConfig) -> Result<(), StartError> {
    let server = Server::start(config).await?;
    let url = server.url();
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
