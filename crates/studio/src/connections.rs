//! Connections: how they are accepted, and what ends them.
//!
//! Laws of this room:
//! - whoever does not say in time what he wants is sent away, and so is whoever says nothing more or does not take what he is sent;
//! - there are no more connections at a time than there are places: where all are taken, a newcomer has the place of whoever has
//!   been still for the longest, and waits only if all of them wait for us;
//! - a socket is a connection until it has become one; from then on it is bounded by [`crate::live`], but it is no less ended
//!   when it does not take what it is sent;
//! - once the studio closes, nobody new is served, and what is being answered is answered to its end.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::bounds;
use crate::pulse::{Pulse, Pulsing};

/// How long nobody is accepted after the system refused to, as it does when no file can be opened any more.
const PAUSE: Duration = Duration::from_secs(1);
/// How often a newcomer looks for a place while everyone waits for us.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How many connections there may be, and how long each may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// At a time.
    pub(crate) places: usize,
    /// Until the head of a request is there, and between requests.
    pub(crate) head: Duration,
    /// Until some of what was written is taken.
    pub(crate) unread: Duration,
    /// In all, and then once more for what is being answered.
    pub(crate) whole: Duration,
}

/// Someone who is being answered.
struct Guest {
    pulse: Arc<Pulse>,
    answering: JoinHandle<()>,
}

/// Serves whoever connects until `closing` is raised, then returns when the last answer is given.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut closing: watch::Receiver<bool>,
) {
    // Routes are made once, not for every connection.
    let service = TowerToHyperService::new(router.with_state::<()>(()));
    let mut guests = Vec::new();
    loop {
        let mut end = closing.clone();
        let stream = tokio::select! {
            stream = accept(&listener, &mut guests, limits.places) => stream,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        let pulse = Pulse::new();
        let stream = Pulsing::new(stream, Arc::clone(&pulse), limits.unread);
        let (service, heard) = (service.clone(), Arc::clone(&pulse));
        let answering = tokio::spawn(async move { answer(stream, service, &heard, limits, &mut end).await });
        guests.push(Guest { pulse, answering });
    }
    drop(listener);
    for guest in guests {
        let _ = guest.answering.await;
    }
}

/// The next connection, with a place for it.
async fn accept(listener: &TcpListener, guests: &mut Vec<Guest>, places: usize) -> TcpStream {
    let stream = loop {
        match listener.accept().await {
            Ok((stream, _)) => break stream,
            Err(_) => sleep(PAUSE).await,
        }
    };
    // A small message that waits for the receipt of the one before it would come up to 40 ms late.
    let _ = stream.set_nodelay(true);
    while !has_place(guests, places) {
        sleep(LOOK_EVERY).await;
    }
    stream
}

/// Whether there is a place, after sending away whoever does not need his, if nobody else can go.
fn has_place(guests: &mut Vec<Guest>, places: usize) -> bool {
    guests.retain(|guest| !guest.answering.is_finished());
    if guests.len() < places {
        return true;
    }
    let still =
        guests.iter().enumerate().filter_map(|(place, guest)| Some((guest.pulse.still_since()?, place)));
    let Some((_, place)) = still.min() else { return false };
    guests.swap_remove(place).answering.abort();
    true
}

/// Answers one connection's requests.
async fn answer(
    stream: Pulsing<TcpStream>,
    service: TowerToHyperService<Router>,
    pulse: &Pulse,
    limits: Limits,
    closing: &mut watch::Receiver<bool>,
) {
    let service = service_fn(|request: Request<Incoming>| {
        pulse.set_awaiting(true);
        let answer = service.call(request);
        async move {
            let answer = answer.await;
            pulse.set_awaiting(false);
            answer
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(bounds::HEADS);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // Those who break off are no fault of ours.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => {}
        () = sleep(limits.whole) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits.whole, connection).await;
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::Notify;

    use super::*;

    const HOUR: Duration = Duration::from_hours(1);
    const SOON: Duration = Duration::from_millis(200);
    const PATIENT: Limits = Limits { places: 8, head: HOUR, unread: HOUR, whole: HOUR };
    const WHOLE: &str = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    /// More than the system keeps of what nobody reads.
    const MUCH: usize = 64 << 20;

    /// A server of a word at `/`, of much at `/much`, and of a word when it is time at `/later`.
    struct Served {
        address: SocketAddr,
        time: Arc<Notify>,
        close: watch::Sender<bool>,
        serving: JoinHandle<()>,
    }

    impl Served {
        async fn within(limits: Limits) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (close, closing) = watch::channel(false);
            let time = Arc::new(Notify::new());
            let later = Arc::clone(&time);
            let router = Router::new()
                .route("/", get(|| async { "here" }))
                .route("/much", get(|| async { vec![0; MUCH] }))
                .route("/later", get(async move || later.notified().await));
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

    async fn heard(limits: Limits, said: &str) -> String {
        let served = Served::within(limits).await;
        let answer = rest(served.says(said).await).await;
        served.close().await;
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn whoever_says_nothing_or_half_of_it_is_sent_away() {
        for said in ["", "GET / HTTP/1.1\r\nHo"] {
            let begun = Instant::now();
            let answer = heard(Limits { head: SOON, ..PATIENT }, said).await;
            assert!(!answer.contains("200 OK"), "{answer}");
            assert!(begun.elapsed() >= SOON);
        }
    }

    #[tokio::test]
    async fn a_connection_ends_after_its_answer_when_its_time_is_over() {
        for limits in [Limits { head: SOON, ..PATIENT }, Limits { whole: SOON, ..PATIENT }] {
            let answer = heard(limits, WHOLE).await;
            assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("here"), "{answer}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_is_not_read_ends_and_one_that_is_read_does_not() {
        let served = Served::within(Limits { unread: SOON, ..PATIENT }).await;
        let much = "GET /much HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
        let forgotten = served.says(&much.replace("close", "keep-alive").repeat(9)).await;
        assert!(rest(served.says(much).await).await.len() > MUCH);
        sleep(5 * SOON).await;
        assert!(rest(forgotten).await.len() < MUCH);
        served.close().await;
    }

    #[tokio::test]
    async fn a_newcomer_has_the_place_of_whoever_is_still_but_not_of_whoever_waits_for_us() {
        let served = Served::within(Limits { places: 3, ..PATIENT }).await;
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
            read.expect("there is a place").unwrap();
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
}
