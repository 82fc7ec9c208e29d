//! `/api/live`: a WebSocket on which a page is sent every change to the topics that it follows.
//!
//! A slow page costs no memory: only the newest state of a topic waits, serialised once for all followers, and records that a page has
//! missed are read from disk when they can be sent. No record of a job is left out or sent twice. The server also sends its time, so
//! that pages need not trust their own clocks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use outplay_core::ForeignWords;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{StreamExt, StreamMap};
use tokio_tungstenite::tungstenite::Error as Fault;

use crate::bounds::BoundError;
use crate::jobs::{RecordBatch, RecordTail};
use crate::refusal::{Refusal, RequestError, Resource, run_blocking};
use crate::studio::Studio;
use crate::{bounds, clock};

const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);

/// A message, serialised once for all followers of the topic.
#[derive(Clone, Debug, Default)]
pub(crate) struct TopicMessage {
    text: Utf8Bytes,
    /// The length of the part with the state, before the records.
    head: usize,
    /// The records in it: it can be sent as it is to followers that have all records before them.
    span: Option<Arc<RecordSpan>>,
}

/// The records of a message.
#[derive(Debug)]
struct RecordSpan {
    from: usize,
    to: RecordTail,
}

impl TopicMessage {
    /// The state of a topic, under this field name.
    pub(crate) fn of(topic: &str, name: &str, state: &impl Serialize) -> Self {
        let state = serde_json::to_string(state).expect("a state is plain data");
        let head = format!("{{\"topic\":{},\"{name}\":{state}", json!(topic));
        Self { head: head.len(), text: (head + "}").into(), span: None }
    }

    /// The same with a batch of records, after which `to` stands.
    pub(crate) fn with_records(&self, batch: &RecordBatch, to: &RecordTail) -> Self {
        let span = RecordSpan { from: batch.from, to: to.clone() };
        Self { text: self.with_batch(batch).into(), head: self.head, span: Some(Arc::new(span)) }
    }

    fn with_batch(&self, RecordBatch { from, lines, .. }: &RecordBatch) -> String {
        format!("{},\"from\":{from},\"records\":[{}]}}", &self.text.as_str()[..self.head], lines.join(","))
    }

    /// The message that the table or job of a topic was removed.
    pub(crate) fn gone(topic: &str, what: Resource, id: &str) -> Self {
        Self::of(topic, "error", &Refusal::unknown(what, id))
    }
}

/// A message of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum SocketRequest {
    Subscribe(Vec<String>),
    Unsubscribe(Vec<String>),
}

/// The topics that a socket follows.
struct Subscriptions {
    topics: StreamMap<String, WatchStream<TopicMessage>>,
    /// How far the records of each job were sent.
    tails: HashMap<String, RecordTail>,
}

/// Live updates.
#[utoipa::path(get, path = "/api/live", responses((status = 101, description = "a WebSocket")))]
pub(crate) async fn live(
    State(studio): State<Arc<Studio>>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let full = |_| BoundError::Sockets { most: bounds::SOCKETS };
    let permit = Arc::clone(&studio.sockets).try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(bounds::MESSAGE_BYTES).max_frame_size(bounds::MESSAGE_BYTES);
    // Pages send little: small buffers keep a thousand sockets cheap.
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
    let mut subscriptions = Subscriptions { topics: StreamMap::new(), tails: HashMap::new() };
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        let went_well = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => handle(&studio, &mut socket, &mut subscriptions, &text).await,
                    Some(Ok(Message::Close(_))) | None => false,
                    Some(Ok(_)) => true,
                    Some(Err(error)) => {
                        close(&mut socket, error).await;
                        false
                    }
                }
            }
            Some((topic, payload)) = subscriptions.topics.next() => {
                send_update(&mut socket, &mut subscriptions, &topic, &payload).await
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

/// The message with the server's time.
fn time() -> String {
    json!({ "topic": "time", "now": clock::now() }).to_string()
}

/// Sends a message; false if the client has gone or does not read.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    socket.send(message).await.is_ok()
}

/// Tells the client why what it sent ends the connection, if it is still there.
async fn close(socket: &mut WebSocket, error: axum::Error) {
    let error = error.into_inner();
    let code = match error.downcast_ref() {
        Some(Fault::Protocol(_)) => close_code::PROTOCOL,
        Some(Fault::Utf8(_)) => close_code::INVALID,
        Some(Fault::Capacity(_)) => close_code::SIZE,
        _ => return,
    };
    let reason = error.to_string().into();
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason }))).await;
}

async fn send_error(socket: &mut WebSocket, topic: &str, refusal: &Refusal) -> bool {
    send(socket, Message::Text(json!({ "topic": topic, "error": refusal }).to_string().into())).await
}

async fn handle(
    studio: &Arc<Studio>,
    socket: &mut WebSocket,
    subscriptions: &mut Subscriptions,
    text: &str,
) -> bool {
    match serde_json::from_str(text) {
        Ok(SocketRequest::Subscribe(topics)) => {
            for topic in topics {
                if let Err(refusal) = subscribe(studio, subscriptions, &topic).await
                    && !send_error(socket, &topic, &refusal).await
                {
                    return false;
                }
            }
            true
        }
        Ok(SocketRequest::Unsubscribe(topics)) => {
            for topic in topics {
                subscriptions.topics.remove(&topic);
                subscriptions.tails.remove(&topic);
            }
            true
        }
        Err(error) => {
            send_error(socket, "", &RequestError::Message { reason: ForeignWords::of(&error) }.into()).await
        }
    }
}

async fn subscribe(
    studio: &Arc<Studio>,
    subscriptions: &mut Subscriptions,
    topic: &str,
) -> Result<(), Refusal> {
    if !subscriptions.topics.contains_key(topic) && subscriptions.topics.len() >= bounds::TOPICS {
        return Err(BoundError::Topics { most: bounds::TOPICS }.into());
    }
    let name = topic.to_owned();
    let changes = match topic.split_once(':') {
        Some(("table", id)) => {
            let (studio, id) = (Arc::clone(studio), id.to_owned());
            run_blocking(move || studio.tables.follow(&id)).await?
        }
        Some(("job", id)) => {
            let (changes, records) = studio.jobs.follow(id)?;
            subscriptions.tails.extend(records.map(|tail| (name.clone(), tail)));
            changes
        }
        None if topic == "jobs" => studio.jobs.follow_all(),
        _ => return Err(Refusal::unknown(Resource::Topic, topic)),
    };
    subscriptions.topics.insert(name, WatchStream::new(changes));
    Ok(())
}

/// Sends the newest state of a topic, with the records that this socket has not sent yet.
async fn send_update(
    socket: &mut WebSocket,
    subscriptions: &mut Subscriptions,
    topic: &str,
    payload: &TopicMessage,
) -> bool {
    let Some(tail) = subscriptions.tails.get_mut(topic) else {
        return send(socket, Message::Text(payload.text.clone())).await;
    };
    if let Some(span) = payload.span.as_deref().filter(|span| span.from == tail.count()) {
        tail.clone_from(&span.to);
        return send(socket, Message::Text(payload.text.clone())).await;
    }
    // Up to where the message ends, so that the next one can be sent as it is.
    let goal = payload.span.as_deref().map(|span| span.to.count());
    loop {
        let mut reading = tail.clone();
        let records = goal.map_or(bounds::BATCH_RECORDS, |goal| goal.saturating_sub(tail.count()));
        let read = move || {
            let batch = reading.read(records.min(bounds::BATCH_RECORDS), bounds::BATCH_BYTES);
            Ok((reading, batch))
        };
        let Ok((read, batch)) = run_blocking(read).await else { return false };
        *tail = read;
        if !send(socket, Message::Text(payload.with_batch(&batch).into())).await {
            return false;
        }
        if batch.is_last || goal.is_some_and(|goal| goal <= tail.count()) {
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

    /// A studio with this write timeout, and the address of its sockets.
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

    /// Waits until exactly so many sockets can be opened.
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
        // Every request is refused at length, and the client reads nothing.
        let wish = Sent::text(json!({ "subscribe": vec!["x"; 3000] }).to_string());
        let ask = async { while socket.send(wish.clone()).await.is_ok() {} };
        timeout(Duration::from_secs(20), ask).await.expect("the studio goes away");
        free(&studio, bounds::SOCKETS).await;
    }
}
