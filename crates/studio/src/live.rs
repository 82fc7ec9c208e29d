//! `/api/live`: one socket a page, over which it hears of every change to what it follows.
//!
//! Laws of this room:
//! - a socket costs the same whether its page is quick or slow: of what changes, only the newest state waits; records are read from
//!   disk when they can be sent;
//! - no record of a job is left out or sent twice.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{StreamExt, StreamMap};

use crate::bounds;
use crate::jobs::Tail;
use crate::refusal::{Code, Refusal, off};
use crate::studio::Studio;

const PING_EVERY: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);
const SLOWEST: Duration = Duration::from_secs(30);

/// A field of a message, written once for all who follow the topic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Payload(Arc<str>);

impl Payload {
    /// The state of something under this name.
    pub(crate) fn of(name: &str, state: &impl Serialize) -> Self {
        let state = serde_json::to_string(state).expect("a state is plain data");
        Self(format!("\"{name}\":{state}").into())
    }

    /// That there is nothing any more.
    pub(crate) fn gone(what: &str, id: &str) -> Self {
        Self::of("error", &Refusal::unknown(what, id))
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
    let upgrade = upgrade.max_message_size(bounds::MESSAGE).max_frame_size(bounds::MESSAGE);
    // Pages say little: a thousand of them should not cost memory for what they do not say.
    Ok(upgrade.read_buffer_size(bounds::MESSAGE / 4).on_upgrade(move |socket| async move {
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
            _ = pings.tick() => heard.elapsed() < SILENCE && send(&mut socket, Message::Ping(Bytes::new())).await,
        };
        if !went_well {
            return;
        }
    }
}

/// Sends a message to whoever takes it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SLOWEST, socket.send(message)).await, Ok(Ok(())))
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
    let head = format!("{{\"topic\":{},{}", json!(topic), payload.0);
    let Some(mut tail) = followed.tails.remove(topic) else {
        return send(socket, Message::Text(format!("{head}}}").into())).await;
    };
    loop {
        let Ok((read, from, lines)) = off(move || Ok(tail.read(bounds::RECORDS))).await else { return false };
        tail = read;
        let text = format!("{head},\"from\":{from},\"records\":[{}]}}", lines.join(","));
        if !send(socket, Message::Text(text.into())).await {
            return false;
        }
        if lines.len() < bounds::RECORDS {
            followed.tails.insert(topic.to_owned(), tail);
            return true;
        }
    }
}
