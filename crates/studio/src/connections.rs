//! Accepting connections and serving HTTP/1 on them.
//!
//! hyper reads requests, gives up on slow heads and closes connections in good order; axum's listener survives a system that has no
//! more files; tokio-io-timeout ends connections whose client does not read. What is added here is the number of connections. Where all
//! are in use, the one that has waited for a complete request for longest is closed for the next client; where all are at work, the next
//! client waits. A WebSocket leaves this count when it is opened; [`crate::socket`] counts those.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

use crate::bounds;
use crate::head_refusal::HeadRefusals;

/// How many connections there may be, and how long a client may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Connections at a time.
    pub(crate) connections: usize,
    /// Until the head of a request is there, also between requests.
    pub(crate) head: Duration,
    /// Until the client reads some of what was written.
    pub(crate) write: Duration,
}

/// How often a client that waits looks for a connection that can be closed for it.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// All connections, by number.
#[derive(Default)]
struct ConnectionTable(Mutex<HashMap<u64, ConnectionEntry>>);

struct ConnectionEntry {
    /// Since when it waits for a complete request; `None` while one is answered.
    waits_since: Option<Instant>,
    /// Dropped to close it.
    _open: oneshot::Sender<()>,
}

impl ConnectionTable {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, ConnectionEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection that has waited for a complete request for longest, if one waits.
    fn close_longest_waiting(&self) {
        let mut entries = self.lock();
        let waiting = entries.iter().filter_map(|(number, entry)| Some((entry.waits_since?, *number)));
        if let Some((_, number)) = waiting.min() {
            entries.remove(&number);
        }
    }

    fn set_waiting(&self, number: u64, waits_since: Option<Instant>) {
        if let Some(entry) = self.lock().get_mut(&number) {
            entry.waits_since = waits_since;
        }
    }
}

/// A connection, as its requests know it.
#[derive(Clone)]
pub(crate) struct ConnectionHandle {
    table: Arc<ConnectionTable>,
    number: u64,
    peer: IpAddr,
}

impl ConnectionHandle {
    /// The address of the client.
    pub(crate) fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Notes that a complete request has arrived, until the guard is dropped: the connection is not closed for another client.
    pub(crate) fn begin_work(&self) -> WorkGuard {
        self.table.set_waiting(self.number, None);
        WorkGuard(self.clone())
    }
}

/// Held while a request is answered.
pub(crate) struct WorkGuard(ConnectionHandle);

impl Drop for WorkGuard {
    fn drop(&mut self) {
        self.0.table.set_waiting(self.0.number, Some(Instant::now()));
    }
}

/// An open connection; it leaves the table when it is dropped.
struct OpenConnection {
    handle: ConnectionHandle,
    /// Ends when the connection is to be closed.
    closed: oneshot::Receiver<()>,
    _permit: OwnedSemaphorePermit,
}

impl OpenConnection {
    fn new(table: &Arc<ConnectionTable>, number: u64, peer: IpAddr, permit: OwnedSemaphorePermit) -> Self {
        let (open, closed) = oneshot::channel();
        let entry = ConnectionEntry { waits_since: Some(Instant::now()), _open: open };
        table.lock().insert(number, entry);
        let handle = ConnectionHandle { table: Arc::clone(table), number, peer };
        Self { handle, closed, _permit: permit }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.handle.table.lock().remove(&self.handle.number);
    }
}

/// A permit for a connection: at once if there is one, else when another connection has ended or was closed.
async fn permit(unused: &Arc<Semaphore>, table: &ConnectionTable) -> OwnedSemaphorePermit {
    loop {
        if unused.available_permits() == 0 {
            table.close_longest_waiting();
        }
        if let Ok(permit) = timeout(LOOK_AGAIN, Arc::clone(unused).acquire_owned()).await {
            return permit.unwrap_or_else(|_| unreachable!("it is never closed"));
        }
    }
}

/// Serves connections until `closing` is true, then returns when the last answer is sent.
pub(crate) async fn serve(
    mut listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    mut closing: watch::Receiver<bool>,
) {
    // Routes are made once, not for every connection.
    let routes = TowerToHyperService::new(router.with_state::<()>(()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(bounds::HEAD_BUFFER)
        .max_headers(bounds::HEAD_FIELDS);
    let (unused, table) =
        (Arc::new(Semaphore::new(limits.connections)), Arc::new(ConnectionTable::default()));
    for number in 0.. {
        let accept = async {
            let (stream, address) = Listener::accept(&mut listener).await;
            (stream, address.ip(), permit(&unused, &table).await)
        };
        let (stream, peer, permit) = tokio::select! {
            accepted = accept => accepted,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        // A small message that waits for the receipt of the one before it would come up to 40 ms late.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.write));
        let mut open = OpenConnection::new(&table, number, peer, permit);
        let (routes, handle) = (routes.clone(), open.handle.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(handle.clone());
            routes.call(request)
        });
        let connection = http.serve_connection(TokioIo::new(HeadRefusals::new(Box::pin(stream))), service);
        let mut closing = closing.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            // A client that breaks off is no error of the server.
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = &mut open.closed => return,
                _ = closing.wait_for(|closing| *closing) => {}
            }
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        });
    }
    drop(listener);
    // All permits are back when the last connection has ended.
    let _ = unused.acquire_many(limits.connections as u32).await;
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;
    use tokio::time::{sleep, timeout};

    use super::*;

    const HOUR: Duration = Duration::from_hours(1);
    const SOON: Duration = Duration::from_millis(200);
    const PATIENT: ConnectionLimits = ConnectionLimits { connections: 8, head: HOUR, write: HOUR };
    const WHOLE: &str = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    /// More than the system keeps of what nobody reads.
    const MUCH: usize = 64 << 20;

    /// A server of a word at `/`, of much at `/much`, of a word when it is time at `/later`, and of the length of a body at `/length`.
    struct Served {
        address: SocketAddr,
        time: Arc<Notify>,
        close: watch::Sender<bool>,
        serving: JoinHandle<()>,
    }

    impl Served {
        async fn within(limits: ConnectionLimits) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (close, closing) = watch::channel(false);
            let time = Arc::new(Notify::new());
            let later = Arc::clone(&time);
            let router = Router::new()
                .route("/", get(|| async { "here" }))
                .route("/much", get(|| async { vec![0; MUCH] }))
                .route("/later", get(async move || later.notified().await))
                .route("/length", post(async |body: String| body.len().to_string()))
                .layer(axum::middleware::from_fn(crate::arrival::receive));
            let serving = tokio::spawn(serve(listener, router, limits, closing));
            Self { address, time, close, serving }
        }

        async fn says(&self, said: &str) -> TcpStream {
            let mut client = TcpStream::connect(self.address).await.unwrap();
            client.write_all(said.as_bytes()).await.unwrap();
            client
        }

        async fn close(self) {
            self.close.send_replace(true);
            timeout(Duration::from_secs(20), self.serving).await.expect("nobody is left").unwrap();
        }
    }

    /// All that the server sends until it ends the connection.
    async fn rest(mut client: TcpStream) -> Vec<u8> {
        let mut answer = Vec::new();
        let read = timeout(Duration::from_secs(20), client.read_to_end(&mut answer)).await;
        // One that is cut off in the middle of an answer sees an error in the place of an end.
        let _ = read.expect("the studio ends the connection");
        answer
    }

    async fn heard(limits: ConnectionLimits, said: &str) -> String {
        let served = Served::within(limits).await;
        let answer = rest(served.says(said).await).await;
        served.close().await;
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn a_head_that_does_not_come_in_time_ends_the_connection() {
        for said in ["", "GET / HTTP/1.1\r\nHo"] {
            let begun = Instant::now();
            let answer = heard(ConnectionLimits { head: SOON, ..PATIENT }, said).await;
            assert!(!answer.contains("200 OK"), "{answer}");
            assert!(begun.elapsed() >= SOON);
        }
    }

    #[tokio::test]
    async fn a_connection_ends_when_no_further_request_comes() {
        let answer = heard(ConnectionLimits { head: SOON, ..PATIENT }, WHOLE).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("here"), "{answer}");
    }

    #[tokio::test]
    async fn an_answer_that_is_not_read_ends_and_one_that_is_read_does_not() {
        let served = Served::within(ConnectionLimits { write: SOON, ..PATIENT }).await;
        let much = "GET /much HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
        let forgotten = served.says(&much.replace("close", "keep-alive").repeat(9)).await;
        assert!(rest(served.says(much).await).await.len() > MUCH);
        sleep(5 * SOON).await;
        assert!(rest(forgotten).await.len() < MUCH);
        served.close().await;
    }

    /// Clients that say nothing or do not read leave in time; one that waits for its answer keeps its connection.
    #[tokio::test]
    async fn a_client_is_served_when_silent_ones_have_left() {
        let limits = ConnectionLimits { connections: 3, head: 2 * SOON, write: 2 * SOON };
        let served = Served::within(limits).await;
        let waits = served.says("GET /later HTTP/1.1\r\nHost: here\r\n\r\n").await;
        sleep(SOON).await;
        let (silent, forgetful) =
            (served.says("").await, served.says("GET /much HTTP/1.1\r\nHost: here\r\n\r\n").await);
        sleep(SOON).await;
        let mut last = None;
        for _ in 0..5 {
            let mut client = served.says(WHOLE).await;
            let mut word = [0; 15];
            let read = timeout(Duration::from_secs(20), client.read_exact(&mut word)).await;
            read.expect("a connection is free").unwrap();
            assert_eq!(&word, b"HTTP/1.1 200 OK");
            last = Some(client);
        }
        assert!(rest(silent).await.is_empty() && rest(forgetful).await.len() < MUCH);
        served.time.notify_one();
        served.close.send_replace(true);
        assert!(rest(waits).await.starts_with(b"HTTP/1.1 200 OK"));
        drop(last);
        served.close().await;
    }

    /// Also where no route was asked, a refusal is a sentence.
    #[tokio::test]
    async fn a_head_that_cannot_be_read_is_refused_in_words() {
        let long_address = format!("GET /{} HTTP/1.1\r\nHost: here\r\n\r\n", "a".repeat(70_000));
        let large_head =
            format!("GET / HTTP/1.1\r\n{}\r\n", "Host: here\r\n".repeat(bounds::HEAD_FIELDS + 1));
        for (said, status, part) in [
            ("GARBAGE\r\n\r\n", "400 Bad Request", "expected HTTP/1.1"),
            ("GET / HTTP/1.1\r\nContent-Length: many\r\n\r\n", "400 Bad Request", "expected HTTP/1.1"),
            (&large_head, "431 Request Header Fields Too Large", "is too large"),
            (&long_address, "414 URI Too Long", "is too long"),
        ] {
            let answer = heard(PATIENT, said).await;
            let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
            assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
            let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
            assert_eq!(body["error"]["code"], "malformed");
            assert!(
                body["error"]["message"]["en"].as_str().is_some_and(|text| text.contains(part)),
                "{answer}"
            );
        }
    }

    /// Bodies and heads that are half sent hold their connections only until another client comes.
    #[tokio::test]
    async fn a_client_does_not_wait_for_half_sent_requests() {
        let served = Served::within(ConnectionLimits { connections: 4, ..PATIENT }).await;
        let working = served.says("GET /later HTTP/1.1\r\nHost: here\r\n\r\n").await;
        sleep(SOON).await;
        let half = "POST /length HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf";
        let mut held = Vec::new();
        for said in [half, half, "GET / HT", half, "", half] {
            held.push(served.says(said).await);
        }
        sleep(SOON).await;
        let begun = Instant::now();
        let whole =
            "POST /length HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody";
        for _ in 0..5 {
            let answer = String::from_utf8(rest(served.says(whole).await).await).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with('4'), "{answer}");
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "waited for {:?}", begun.elapsed());
        served.time.notify_one();
        served.close.send_replace(true);
        assert!(rest(working).await.starts_with(b"HTTP/1.1 200 OK"), "one at work is not closed");
        drop(held);
        served.close().await;
    }
}
