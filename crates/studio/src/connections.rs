//! Connections: how they are accepted, and what ends them.
//!
//! Laws of this room:
//! - whoever does not say in time what he wants is sent away, and so is whoever says nothing more;
//! - there are no more connections at a time than are allowed: others wait until one ends, and each ends at last, whether its
//!   answers are read or not;
//! - a socket is a connection until it has become one; what it may cost then is said elsewhere;
//! - once the studio closes, nobody new is served, and what is being answered is answered to its end.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::bounds;

/// How long nobody is accepted after the system refused to, as it does when no file can be opened any more.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a connection may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Until the head of a request is there, and between requests.
    pub(crate) head: Duration,
    /// In all, and then once more for what is being answered.
    pub(crate) whole: Duration,
}

/// Serves whoever connects until `closing` is raised, then returns when the last answer is given.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    closing: watch::Receiver<bool>,
) {
    // Routes are made once, not for every connection.
    let service = TowerToHyperService::new(router.with_state::<()>(()));
    let free = Arc::new(Semaphore::new(bounds::CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let mut end = closing.clone();
        tokio::select! {
            (stream, permit) = accept(&listener, &free) => {
                let answering = answer(stream, service.clone(), patience, closing.clone());
                connections.spawn(async move {
                    answering.await;
                    drop(permit);
                });
            }
            Some(_) = connections.join_next() => {}
            _ = end.wait_for(|closing| *closing) => break,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// The next connection, as soon as there may be one more.
async fn accept(listener: &TcpListener, free: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    let Ok(permit) = Arc::clone(free).acquire_owned().await else { unreachable!("it is never closed") };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, permit),
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers one connection's requests.
async fn answer(
    stream: TcpStream,
    service: TowerToHyperService<Router>,
    patience: Patience,
    mut closing: watch::Receiver<bool>,
) {
    // A small message that waits for the receipt of the one before it would come up to 40 ms late.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience.head);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // Those who break off are no fault of ours.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => {}
        () = sleep(patience.whole) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(patience.whole, connection).await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// What a client hears that says this much and then nothing, and whether the studio went away from it.
    async fn heard(patience: Patience, said: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (close, closing) = watch::channel(false);
        let router = Router::new().route("/", get(|| async { "here" }));
        let serving = tokio::spawn(serve(listener, router, patience, closing));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(said.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let read = timeout(Duration::from_secs(20), client.read_to_end(&mut answer)).await;
        read.expect("the studio ends the connection").unwrap();
        close.send_replace(true);
        timeout(Duration::from_secs(20), serving).await.expect("nobody is left").unwrap();
        String::from_utf8(answer).unwrap()
    }

    const HOUR: Duration = Duration::from_hours(1);
    const WHOLE: &str = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";

    #[tokio::test]
    async fn whoever_says_nothing_or_half_of_it_is_sent_away() {
        let patience = Patience { head: Duration::from_millis(200), whole: HOUR };
        for said in ["", "GET / HTTP/1.1\r\nHo"] {
            let begun = Instant::now();
            let answer = heard(patience, said).await;
            assert!(!answer.contains("200 OK"), "{answer}");
            assert!(begun.elapsed() >= patience.head);
        }
    }

    #[tokio::test]
    async fn a_connection_ends_after_its_answer_when_its_time_is_over() {
        for patience in [
            Patience { head: Duration::from_millis(200), whole: HOUR },
            Patience { head: HOUR, whole: Duration::from_millis(200) },
        ] {
            let answer = heard(patience, WHOLE).await;
            assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("here"), "{answer}");
        }
    }
}
