//! `/api/live`: one socket a page, over which it hears of every change to what it follows.
//!
//! Laws of this room:
//! - a socket costs the same whether its page is quick or slow: of what changes, only the newest state waits, written once for all
//!   who follow it; records that a page has missed are read from disk when they can be sent;
//! - no record of a job is left out or sent twice;
//! - a page is told the server's time, so that the moments in what it hears mean something by any clock of its own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{StreamExt, StreamMap};

use crate::jobs::{Stretch, Tail};
use crate::refusal::{Code, Refusal, off};
use crate::studio::Studio;
use crate::{bounds, clock};

const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);

/// A message, written once for all who follow the topic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Payload {
    text: Utf8Bytes,
    /// How much of it says the state.
    head: usize,
    /// Where those stood who can be sent it as it is, and where they stand after it, if it has records.
    span: Option<Arc<Span>>,
}

/// The records of a message.
#[derive(Debug)]
struct Span {
    from: usize,
    to: Tail,
}

impl Payload {
    /// The state of something under this name.
    pub(crate) fn of(topic: &str, name: &str, state: &impl Serialize) -> Self {
        let state = serde_json::to_string(state).expect("a state is plain data");
        let head = format!("{{\"topic\":{},\"{name}\":{state}", json!(topic));
        Self { head: head.len(), text: (head + "}").into(), span: None }
    }

    /// The same with the records that were read last, up to where `to` has read.
    pub(crate) fn with_records(&self, stretch: &Stretch, to: &Tail) -> Self {
        let span = Span { from: stretch.from, to: to.clone() };
        Self { text: self.followed_by(stretch).into(), head: self.head, span: Some(Arc::new(span)) }
    }

    fn followed_by(&self, Stretch { from, lines, .. }: &Stretch) -> String {
        format!("{},\"from\":{from},\"records\":[{}]}}", &self.text.as_str()[..self.head], lines.join(","))
    }

    /// That there is nothing any more.
    pub(crate) fn gone(what: &str, id: &str) -> Self {
        Self::of(&format!("{what}:{id}"), "error", &Refusal::unknown(what, id))
    }
}

/// What a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Wish {
    Subscribe(Vec<String>),
    Unsubscribe(Vec<String>),
}

/// What a socket follows.
struct Followed {
    topics: StreamMap<String, WatchStream<Payload>>,
    /// How far the records of jobs were sent.
    tails: HashMap<String, Tail>,
}

/// Live updates.
#[utoipa::path(get, path = "/api/live", responses((status = 101, description = "a WebSocket")))]
pub(crate) async fn live(
    State(studio): State<Arc<Studio>>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let full = |_| Refusal::new(Code::Busy, format!("there are {} sockets already", bounds::SOCKETS));
    let permit = Arc::clone(&studio.sockets).try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(bounds::MESSAGE_BYTES).max_frame_size(bounds::MESSAGE_BYTES);
    // Pages say little: a thousand of them should not cost memory for what they do not say.
    Ok(upgrade.read_buffer_size(bounds::MESSAGE_BYTES / 4).on_upgrade(move |socket| async move {
        let mut closing = studio.closing.subscribe();
        tokio::select! {
            () = serve(studio, socket) => {}
            _ = closing.wait_for(|closing| *closing) => {}
        }
        drop(permit);
    }))
}

async fn serve(studio: Arc<Studio>, mut socket: WebSocket) {
    let mut followed = Followed { topics: StreamMap::new(), tails: HashMap::new() };
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        let went_well = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => obey(&studio, &mut socket, &mut followed, &text).await,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => false,
                    Some(Ok(_)) => true,
                }
            }
            Some((topic, payload)) = followed.topics.next() => {
                report(&mut socket, &mut followed, &topic, &payload).await
            }
            _ = pings.tick() => {
                heard.elapsed() < SILENCE
                    && send(&mut socket, Message::Ping(Bytes::new())).await
                    && send(&mut socket, Message::Text(time().into())).await
            }
        };
        if !went_well {
            return;
        }
    }
}

/// What time it is here.
fn time() -> String {
    json!({ "topic": "time", "now": clock::now() }).to_string()
}

/// Sends a message; false if the client has gone or does not read.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    socket.send(message).await.is_ok()
}

async fn send_error(socket: &mut WebSocket, topic: &str, refusal: &Refusal) -> bool {
    send(socket, Message::Text(json!({ "topic": topic, "error": refusal }).to_string().into())).await
}

async fn obey(studio: &Arc<Studio>, socket: &mut WebSocket, followed: &mut Followed, text: &str) -> bool {
    match serde_json::from_str(text) {
        Ok(Wish::Subscribe(topics)) => {
            for topic in topics {
                if let Err(refusal) = subscribe(studio, followed, &topic).await
                    && !send_error(socket, &topic, &refusal).await
                {
                    return false;
                }
            }
            true
        }
        Ok(Wish::Unsubscribe(topics)) => {
            for topic in topics {
                followed.topics.remove(&topic);
                followed.tails.remove(&topic);
            }
            true
        }
        Err(error) => {
            let refusal = Refusal::malformed(format!("the message was not understood: {error}"));
            send_error(socket, "", &refusal).await
        }
    }
}

async fn subscribe(studio: &Arc<Studio>, followed: &mut Followed, topic: &str) -> Result<(), Refusal> {
    if !followed.topics.contains_key(topic) && followed.topics.len() >= bounds::TOPICS {
        let refusal = format!("a socket follows at most {} topics", bounds::TOPICS);
        return Err(Refusal::new(Code::Busy, refusal));
    }
    let name = topic.to_owned();
    let changes = match topic.split_once(':') {
        Some(("table", id)) => {
            let (studio, id) = (Arc::clone(studio), id.to_owned());
            off(move || studio.hall.follow(&id)).await?
        }
        Some(("job", id)) => {
            let (changes, records) = studio.bureau.follow(id)?;
            followed.tails.extend(records.map(|tail| (name.clone(), tail)));
            changes
        }
        None if topic == "jobs" => studio.bureau.follow_all(),
        _ => return Err(Refusal::unknown("topic", topic)),
    };
    followed.topics.insert(name, WatchStream::new(changes));
    Ok(())
}

/// Sends the newest state of a topic, with the records that came with it.
async fn report(socket: &mut WebSocket, followed: &mut Followed, topic: &str, payload: &Payload) -> bool {
    let Some(tail) = followed.tails.get_mut(topic) else {
        return send(socket, Message::Text(payload.text.clone())).await;
    };
    if let Some(span) = payload.span.as_deref().filter(|span| span.from == tail.count()) {
        tail.clone_from(&span.to);
        return send(socket, Message::Text(payload.text.clone())).await;
    }
    // Whoever reads on to where the others are can be sent what they are sent from then on.
    let goal = payload.span.as_deref().map(|span| span.to.count());
    loop {
        let mut reading = tail.clone();
        let records = goal.map_or(bounds::BATCH_RECORDS, |goal| goal.saturating_sub(tail.count()));
        let read = move || {
            let stretch = reading.read(records.min(bounds::BATCH_RECORDS), bounds::BATCH_BYTES);
            Ok((reading, stretch))
        };
        let Ok((read, stretch)) = off(read).await else { return false };
        *tail = read;
        if !send(socket, Message::Text(payload.followed_by(&stretch).into())).await {
            return false;
        }
        if stretch.is_last || goal.is_some_and(|goal| goal <= tail.count()) {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::SinkExt;
    use outplay_lab::Store;
    use tokio::net::TcpListener;
    use tokio::runtime::Handle;
    use tokio::time::timeout;
    use tokio_tungstenite::connect_async;
    use tokio_tungstenite::tungstenite::{Error, Message as Sent};

    use super::*;
    use crate::access::AccessPolicy;
    use crate::connections::{self, ConnectionLimits};
    use crate::routes;

    /// A studio whose connections end when nothing is read of them for this long, and where its sockets are.
    async fn served(unread: Duration) -> (Arc<Studio>, String, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let studio = Studio::open(Arc::new(Store::at(folder.path())), 1, &Handle::current()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = routes::all(Arc::clone(&studio), Arc::new(AccessPolicy::new(address.port(), None)));
        let hour = Duration::from_hours(1);
        let limits = ConnectionLimits { connections: 8, head: hour, write: unread };
        tokio::spawn(connections::serve(listener, router, limits, studio.closing.subscribe()));
        (studio, format!("ws://{address}/api/live"), folder)
    }

    /// Waits until so many sockets can be opened.
    async fn free(studio: &Studio, sockets: usize) {
        let freed = async {
            while studio.sockets.available_permits() != sockets {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(20), freed).await.expect("sockets end");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn there_are_so_many_sockets_and_no_more() {
        let (studio, url, _folder) = served(Duration::from_hours(1)).await;
        let others = studio.sockets.try_acquire_many(bounds::SOCKETS as u32 - 1).unwrap();
        let (only, _) = connect_async(&url).await.unwrap();
        let Err(Error::Http(refused)) = connect_async(&url).await else { panic!("one too many") };
        assert_eq!(refused.status(), 409);
        drop(only);
        free(&studio, 1).await;
        connect_async(&url).await.unwrap();
        drop(others);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_socket_that_is_not_read_ends() {
        let (studio, url, _folder) = served(Duration::from_millis(200)).await;
        let (mut socket, _) = connect_async(&url).await.unwrap();
        free(&studio, bounds::SOCKETS - 1).await;
        // Every wish is refused at length, and nobody reads it.
        let wish = Sent::text(json!({ "subscribe": vec!["x"; 3000] }).to_string());
        let ask = async { while socket.send(wish.clone()).await.is_ok() {} };
        timeout(Duration::from_secs(20), ask).await.expect("the studio goes away");
        free(&studio, bounds::SOCKETS).await;
    }
}
