//! Latency and memory of the studio: moves answered while other games or a training run, many watchers of one training, and the memory
//! that is left after many games.
//!
//! The targets: 20 ms at the 99th percentile, no update lost, no growth of memory, less than 100 MB when idle. Bounded in count and
//! time, on loopback. It prints what it measured and asserts only that no update is lost.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use outplay_lab::Store;
use outplay_studio::{Server, ServerConfig};
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::{JoinSet, block_in_place};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const OTHERS: usize = 100;
const MOVES: usize = 300;
const WATCHERS: usize = 500;
/// Games begun at once, every tenth of them against a player with a large table.
const GAMES: usize = 56;
const OPPONENT: &str = "alphabeta:time=500ms";
const LARGE_OPPONENT: &str = "engine:hash=256,time=500ms";
/// A player is unloaded a minute after its move; the studio looks for idle players every 15 seconds.
const UNTIL_UNLOADED: Duration = Duration::from_secs(90);
/// The allocator gives freed memory back after a second.
const UNTIL_RETURNED: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_mins(2);

#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Tells the process of the watchers which server and topic to watch.
const WATCHED: &str = "OUTPLAY_BENCH_WATCHED";

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
    match std::env::var(WATCHED) {
        Ok(watched) => runtime.block_on(watch(&watched)),
        Err(_) => runtime.block_on(run()),
    }
    runtime.shutdown_background();
}

async fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(ServerConfig {
        host: "127.0.0.1".parse().expect("an address"),
        port: 0,
        store: Arc::new(Store::at(folder.path())),
        threads: 1,
        token: None,
    });
    let server = server.await.expect("the studio opens");
    let address = server.address();
    tokio::spawn(server.serve(std::future::pending()));
    println!("idle: {} MB resident", resident());
    let others = json!({ "game": "chess", "seats": ["alphabeta:nodes=5000", "alphabeta:nodes=5000"] });
    let others: Vec<Value> = (0..OTHERS).map(|_| post(address, "/api/tables", &others)).collect();
    answers(address, &format!("{OTHERS} other games are played")).await;
    let is_unfinished = |table: &&Value| {
        get(address, &format!("/api/tables/{}", table["id"].as_str().expect("a name")))["outcome"].is_null()
    };
    println!("  of these {} were still being played at the end", others.iter().filter(is_unfinished).count());
    for table in others {
        ask(address, "DELETE", &format!("/api/tables/{}", table["id"].as_str().expect("a name")), "");
    }
    let job = train(address, "td-lambda:games=100000000,every=1000,check=10");
    answers(address, "a training runs").await;
    ask(address, "DELETE", &format!("/api/jobs/{job}"), "");
    tokio::time::sleep(UNTIL_RETURNED).await;
    watchers(address);
    many_games(address).await;
    // Until the last watchers have gone.
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("after all: {} MB resident", resident());
}

/// Starts a training and returns its identifier.
fn train(address: SocketAddr, method: &str) -> String {
    let game = "quoridor:size=3,walls=1";
    let request = json!({ "kind": "training", "game": game, "method": method, "seed": 1 });
    post(address, "/api/jobs", &request)["id"].as_str().expect("a name").to_owned()
}

/// Moves of a human against `random` while something else goes on.
async fn answers(address: SocketAddr, meanwhile: &str) {
    let (mut socket, _) = connect_async(format!("ws://{address}/api/live")).await.expect("a socket");
    let (mut times, begun) = (Vec::new(), Instant::now());
    while times.len() < MOVES && begun.elapsed() < LONGEST {
        let table =
            post(address, "/api/tables", &json!({ "game": "pushover", "seats": ["human", "random"] }));
        let id = table["id"].as_str().expect("a name").to_owned();
        let message = json!({ "subscribe": [format!("table:{id}")] });
        socket.send(Message::text(message.to_string())).await.expect("a message");
        let mut now = heard(&mut socket).await;
        while now["table"]["outcome"].is_null() && times.len() < MOVES {
            let table = &now["table"];
            let mv = table["scene"]["gestures"][0]["move"].clone();
            let ply = table["ply"].as_u64().unwrap_or_default();
            let asked = Instant::now();
            block_in_place(|| {
                post(address, &format!("/api/tables/{id}/move"), &json!({ "move": mv, "ply": ply }))
            });
            loop {
                now = heard(&mut socket).await;
                let table = &now["table"];
                if table["ply"].as_u64() == Some(ply + 2) || !table["outcome"].is_null() {
                    break;
                }
            }
            times.push(asked.elapsed().as_secs_f64() * 1e3);
        }
        let message = json!({ "unsubscribe": [format!("table:{id}")] });
        socket.send(Message::text(message.to_string())).await.expect("a message");
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{} moves answered by random while {meanwhile}: median {:.1} ms, 99th percentile {:.1} ms, worst {:.1} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Begins many games of chess at once and waits until their players are unloaded: how much of the memory goes back to the system.
async fn many_games(address: SocketAddr) {
    let before = resident();
    let opponents = (0..GAMES).map(|game| if game % 10 == 0 { LARGE_OPPONENT } else { OPPONENT });
    let begin = |opponent: &str| {
        let table = post(address, "/api/tables", &json!({ "game": "chess", "seats": ["human", opponent] }));
        let id = table["id"].as_str().expect("a name").to_owned();
        post(address, &format!("/api/tables/{id}/move"), &json!({ "move": "e4", "ply": 0 }));
        id
    };
    let begun = Instant::now();
    let tables: Vec<String> = block_in_place(|| opponents.map(begin).collect());
    let is_answered = |id: &String| get(address, &format!("/api/tables/{id}"))["ply"] == 2;
    let mut most = resident();
    while !block_in_place(|| tables.iter().all(is_answered)) && begun.elapsed() < LONGEST {
        most = most.max(resident());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let answered = begun.elapsed().as_secs_f64();
    tokio::time::sleep(UNTIL_UNLOADED).await;
    println!(
        "{GAMES} games of chess (all answered after {answered:.1} s): {before} MB resident before, {most} MB at most, \
         {} MB when the players were unloaded",
        resident()
    );
}

/// All watchers follow one training from its first record to its last; then as many come when it is over.
fn watchers(address: SocketAddr) {
    let job = train(address, "td-lambda:games=400000,hidden=4,every=200,check=2");
    for when in ["from the first record on", "after the end"] {
        let (before, begun) = (resident(), Instant::now());
        let mut clients = Command::new(std::env::current_exe().expect("this program"))
            .env(WATCHED, format!("{address} job:{job}"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("another process");
        let said = BufReader::new(clients.stdout.take().expect("what it says"));
        let mut said = said.lines().map(|line| line.expect("a line"));
        let mut next = || block_in_place(|| said.next().expect("everyone listens in time and loses nothing"));
        next();
        let (listening, there) = (begun.elapsed().as_secs_f64(), resident());
        println!(
            "{WATCHERS} watchers {when} (all there after {listening:.1} s) heard {} in {:.1} s, none lost; \
             the server: {before} MB resident before, {there} MB when all were there, {} MB at the end",
            next(),
            begun.elapsed().as_secs_f64(),
            resident()
        );
        clients.wait().expect("the other process ends");
    }
}

/// The watchers, in a process of their own, so that the memory of the server is measured alone.
async fn watch(watched: &str) {
    let (address, topic) = watched.split_once(' ').expect("an address and a topic");
    let mut all = JoinSet::new();
    let listening = Arc::new(Barrier::new(WATCHERS + 1));
    for _ in 0..WATCHERS {
        let (url, topic) = (format!("ws://{address}/api/live"), topic.to_owned());
        let listening = Arc::clone(&listening);
        all.spawn(async move {
            let (mut socket, _) = connect_async(url).await.expect("a socket");
            socket.send(Message::text(json!({ "subscribe": [topic] }).to_string())).await.expect("a message");
            let (mut records, mut messages) = (0, 0);
            loop {
                let now = heard(&mut socket).await;
                assert_eq!(now["from"], records, "an update was lost");
                records += now["records"].as_array().map_or(0, Vec::len);
                messages += 1;
                if messages == 1 {
                    listening.wait().await;
                }
                if now["job"]["state"] == "finished" && now["job"]["records"] == records {
                    return (socket, records, messages);
                }
            }
        });
    }
    timeout(LONGEST, listening.wait()).await.expect("everyone listens in time");
    println!("listening");
    let heard = timeout(LONGEST, all.join_all()).await.expect("the training ends in time");
    let messages: usize = heard.iter().map(|(.., messages)| messages).sum();
    println!("{} records each, {messages} messages in all,", heard[0].1);
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// The next message that is not about the time.
async fn heard(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.expect("the studio is open").expect("a message") {
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["topic"] != "time" {
                return message;
            }
        }
    }
}

fn post(address: SocketAddr, path: &str, body: &Value) -> Value {
    serde_json::from_str(&ask(address, "POST", path, &body.to_string())).expect("JSON")
}

fn get(address: SocketAddr, path: &str) -> Value {
    serde_json::from_str(&ask(address, "GET", path, "")).expect("JSON")
}

fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the studio listens");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("an answer");
    reply.split_once("\r\n\r\n").expect("a head").1.to_owned()
}

/// The memory of this process.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1024
}
