//! What happens at the limits: the number of jobs, and of the topics of a socket.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::Studio;

#[test]
fn there_are_so_many_jobs_at_a_time_and_no_more() {
    let studio = Studio::new();
    let request = json!({
        "kind": "training", "game": "quoridor:size=3,walls=1",
        "method": "td-lambda:games=100000000,hidden=4,every=100,check=0",
    });
    let jobs: Vec<Value> = (0..32).map(|_| studio.done("/api/jobs", &request)).collect();
    let refused = studio.post("/api/jobs", &request);
    assert_eq!((refused.status, refused.code().as_str()), (409, "busy"));
    let last = format!("/api/jobs/{}", jobs[31]["id"].as_str().unwrap());
    assert_eq!(studio.get(&last).json()["state"], "queued");
    assert_eq!(studio.delete(&last).status, 204);
    assert_eq!(studio.post("/api/jobs", &request).status, 201);
}

#[test]
fn a_socket_follows_so_many_topics_and_no_more() {
    let studio = Studio::new();
    let topic =
        |_| format!("table:{}", studio.table("pushover", &["human", "human"])["id"].as_str().unwrap());
    let topics: Vec<String> = (0..65).map(topic).collect();
    studio.runtime.block_on(async {
        let url = format!("ws://{}/api/live", studio.address);
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let mut ask = async |message: Value| socket.send(Message::text(message.to_string())).await.unwrap();
        ask(json!({ "subscribe": topics })).await;
        // Following a topic twice does not count twice, and leaving one frees its place.
        ask(json!({ "subscribe": [topics[0]] })).await;
        ask(json!({ "unsubscribe": [topics[1]] })).await;
        ask(json!({ "subscribe": [topics[64]] })).await;
        let (mut refused, mut last) = (0, Value::Null);
        while last.is_null() {
            let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["error"]["code"] == "busy" {
                assert_eq!(message["topic"], topics[64]);
                refused += 1;
            } else if message["topic"] == topics[64] {
                last = message;
            }
        }
        assert_eq!((refused, &last["table"]["ply"]), (1, &json!(0)));
    });
}
