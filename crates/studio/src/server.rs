//! Starting, serving and shutting down the studio.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use outplay_core::{Text, errors};
use outplay_lab::Store;
use outplay_runtime::files::FileError;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::access::AccessPolicy;
use crate::bounds;
use crate::connections::{self, ConnectionLimits};
use crate::routes;
use crate::studio::Studio;

/// The configuration of the server.
pub struct ServerConfig {
    /// The address to listen at; other machines can be served only with a token.
    pub host: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// The data directory.
    pub store: Arc<Store>,
    /// How many cores jobs and solvers may use.
    pub threads: usize,
    /// The token that every request has to carry, if any.
    pub token: Option<String>,
}

errors! {
    /// Why the studio could not be opened.
    pub enum StartError {
        /// Other machines would be served without a token.
        NeedsToken { host: String } =
            "--host {host} serves other machines: expected a token with it, by --token-file, --token or OUTPLAY_TOKEN (or 127.0.0.1)"
            | "--host {host} sert d’autres machines : attendu un jeton avec lui, par --token-file, --token ou OUTPLAY_TOKEN (ou 127.0.0.1)",
        InvalidToken =
            "the token has letters that an address cannot carry: expected 8 to 200 letters, digits, '-' or '_'"
            | "le jeton a des signes qu’une adresse ne peut porter : attendu de 8 à 200 lettres, chiffres, « - » ou « _ »",
        Listen { address: String, reason: io::Error } =
            "cannot listen at {address}: {reason}" | "impossible d’écouter à {address} : {reason}",
        InUse { folder: PathBuf } =
            "{folder} is in use by another studio: expected one at a time, or another --data"
            | "{folder} sert à un autre studio : attendu un seul à la fois, ou un autre --data",
        Data { reason: Text } =
            "the studio's data cannot be used: {reason}" | "les données du studio ne peuvent servir : {reason}",
        File { reason: FileError } = "{reason}" | "{reason}",
    }
}

impl From<FileError> for StartError {
    fn from(reason: FileError) -> Self {
        Self::File { reason }
    }
}

/// A studio that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
    studio: Arc<Studio>,
}

/// How long open requests have when the studio closes.
const GRACE: Duration = Duration::from_secs(3);

impl Server {
    /// Opens the studio and listens. Needs a tokio runtime.
    pub async fn start(config: ServerConfig) -> Result<Self, StartError> {
        let ServerConfig { host, port, store, threads, token } = config;
        if !host.is_loopback() && token.is_none() {
            return Err(StartError::NeedsToken { host: host.to_string() });
        }
        let is_plain = |token: &String| {
            (8..=200).contains(&token.len())
                && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if token.as_ref().is_some_and(|token| !is_plain(token)) {
            return Err(StartError::InvalidToken);
        }
        let address = SocketAddr::new(host, port);
        let refused = |reason: io::Error| StartError::Listen { address: address.to_string(), reason };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        // Parallel algorithms use the global pool. A second studio of one process shares the pool of the first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        let runtime = Handle::current();
        let opened = tokio::task::spawn_blocking(move || Studio::open(store, threads, &runtime)).await;
        let studio = opened.map_err(|error| StartError::Data { reason: Text::same(error.to_string()) })??;
        Ok(Self { listener, address, token, studio })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        let token = self.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{token}", self.address)
    }

    /// The address that the studio listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end`, then finishes open requests and stops jobs at a checkpoint.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), StartError> {
        let Self { listener, address, token, studio } = self;
        let policy = Arc::new(AccessPolicy::new(address.port(), token));
        let router = routes::all(Arc::clone(&studio), policy);
        let closing = studio.closing.clone();
        let mut closed = closing.subscribe();
        let limits = ConnectionLimits {
            connections: bounds::CONNECTIONS,
            head: bounds::HEAD_TIMEOUT,
            write: bounds::WRITE_TIMEOUT,
        };
        let serving = tokio::spawn(connections::serve(listener, router, limits, closing.subscribe()));
        tokio::spawn(async move {
            end.await;
            closing.send_replace(true);
        });
        let _ = closed.wait_for(|closing| *closing).await;
        studio.tables.close();
        studio.jobs.close().await;
        // Requests that are still open after this are cut off.
        let _ = timeout(GRACE, serving).await;
        Ok(())
    }
}
