//! Long work: tournaments, trainings, papers.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::Studio;

fn path(job: &Value, action: &str) -> String {
    let id = job["id"].as_str().unwrap();
    if action.is_empty() { format!("/api/jobs/{id}") } else { format!("/api/jobs/{id}/{action}") }
}

fn in_state(state: &'static str) -> impl Fn(&Value) -> bool {
    move |job| {
        assert_ne!((job["state"].as_str(), state == "failed"), (Some("failed"), false), "{job}");
        job["state"] == state
    }
}

/// The records of a job as the socket sends them, until there are so many.
fn records_sent(studio: &Studio, job: &Value, least: usize) -> Vec<Value> {
    let url = format!("ws://{}/api/live", studio.address);
    let topic = format!("job:{}", job["id"].as_str().unwrap());
    studio.runtime.block_on(async {
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        socket.send(Message::text(json!({ "subscribe": [topic] }).to_string())).await.unwrap();
        let mut records = Vec::new();
        while records.len() < least {
            let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["topic"] != "time" {
                assert_eq!(message["from"], records.len());
                records.extend(message["records"].as_array().unwrap().iter().cloned());
            }
        }
        records
    })
}

#[test]
fn a_tournament_ends_in_a_cross_table() {
    let studio = Studio::new();
    let players = json!(["random", "greedy", "expert:depth=1"]);
    let request =
        json!({ "kind": "tournament", "game": "pushover", "players": players, "games": 4, "seed": 1 });
    let job = studio.done("/api/jobs", &request);
    let ended = studio.wait(&path(&job, ""), in_state("finished"));
    assert_eq!((&ended["records"], &ended["progress"]["done"]), (&json!(12), &json!(12)));
    assert_eq!(ended["result"]["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(ended["result"]["ratings"].as_array().unwrap().len(), 3);
    let records = studio.get(&path(&job, "records?from=10")).json();
    assert_eq!((&records["from"], records["records"].as_array().unwrap().len()), (&json!(10), 2));
    let game = &records["records"][0];
    let look = json!({ "game": game["game"], "setup": game["setup"], "moves": game["moves"] });
    assert!(!studio.done("/api/look", &look)["outcome"].is_null());
    for (body, part) in [
        (json!({ "kind": "tournament", "game": "pushover", "players": ["random"], "games": 2 }), "1 players"),
        (
            json!({ "kind": "tournament", "game": "pushover", "players": ["random", "random"], "games": 2 }),
            "twice",
        ),
        (
            json!({ "kind": "tournament", "game": "pushover", "players": ["random", "greedy"], "games": 0 }),
            "0 games",
        ),
        (json!({ "kind": "training", "game": "chess", "method": "x" }), "unknown method 'x'"),
        (json!({ "kind": "paper", "artefact": "nothing", "scale": "smoke" }), "unknown paper"),
        (json!({ "kind": "paper", "artefact": "mueller-1992", "scale": "huge" }), "unknown scale"),
    ] {
        let refused = studio.post("/api/jobs", &body);
        assert_eq!(refused.status, 422, "{body}");
        assert!(refused.message().contains(part), "{}", refused.message());
    }
    assert_eq!(studio.delete(&path(&job, "")).status, 204);
    assert_eq!(studio.get(&path(&job, "")).status, 404);
}

/// What a tournament leaves: its result and its games.
fn left_by(studio: &Studio, job: &Value) -> (Value, Value) {
    let ended = studio.wait(&path(job, ""), in_state("finished"));
    let games = studio.get(&path(job, "export?format=json")).json()["games"].clone();
    assert_eq!(ended["records"].as_u64(), games.as_array().map(|games| games.len() as u64));
    (ended["result"].clone(), games)
}

/// Paused, resumed, interrupted by a restart: no game is played twice, and the result is that of an uninterrupted one.
#[test]
fn a_tournament_goes_on_where_it_was_cut_off() {
    let rounds = json!({ "kind": "tournament", "game": "pushover", "players": ["random", "alphabeta:depth=4", "expert:depth=3"],
        "games": 100, "random_plies": 2, "seed": 5 });
    let final_too = json!({ "kind": "tournament", "game": "quoridor:size=5,walls=3",
        "players": ["random", "greedy", "alphabeta:depth=5", "minimax:depth=3"], "knockout": 4, "seed": 5 });
    for request in [rounds, final_too] {
        let mut studio = Studio::new();
        let whole = left_by(&studio, &studio.done("/api/jobs", &request));
        let job = studio.done("/api/jobs", &request);
        studio.wait(&path(&job, ""), |now| now["records"].as_u64() > Some(3));
        studio.done(&path(&job, "pause"), &json!({}));
        let paused = studio.wait(&path(&job, ""), in_state("paused"));
        assert_eq!(paused["can"], json!(["resume"]));
        studio.done(&path(&job, "resume"), &json!({}));
        studio.wait(&path(&job, ""), |now| now["records"].as_u64() > paused["records"].as_u64());
        studio = studio.reopened();
        assert!(left_by(&studio, &job) == whole, "{request}");
    }
}

/// Every follower is sent every record once: late ones from disk, the others together.
#[test]
fn no_follower_misses_a_record() {
    const RECORDS: u64 = 1500;
    let studio = Studio::new();
    let method = format!("td-lambda:games={},hidden=4,every=100,check=0", 100 * RECORDS);
    let request = json!({ "kind": "training", "game": "quoridor:size=3,walls=1", "method": method });
    let job = studio.done("/api/jobs", &request);
    let (url, topic) =
        (format!("ws://{}/api/live", studio.address), format!("job:{}", job["id"].as_str().unwrap()));
    studio.runtime.block_on(async {
        let follow = |after: u64| {
            let (url, topic) = (url.clone(), topic.clone());
            async move {
                tokio::time::sleep(std::time::Duration::from_millis(after)).await;
                let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
                socket.send(Message::text(json!({ "subscribe": [topic] }).to_string())).await.unwrap();
                let mut heard = 0;
                while heard < RECORDS {
                    let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
                    assert!(text.len() < 40_000, "a message of {} bytes", text.len());
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if message["topic"] != "time" {
                        assert_eq!(message["from"], heard);
                        heard += message["records"].as_array().unwrap().len() as u64;
                    }
                }
            }
        };
        let all = futures_util::future::join_all((0..12).map(|number| follow(120 * number)));
        tokio::time::timeout(std::time::Duration::from_mins(1), all).await.unwrap();
    });
}

#[test]
fn players_of_a_one_player_game_play_the_same_boards() {
    let studio = Studio::new();
    let game = "minesweeper:rows=4,cols=4,mines=2";
    let request = json!({ "kind": "tournament", "game": game, "players": ["random", "solver"], "games": 6 });
    let job = studio.done("/api/jobs", &request);
    let ended = studio.wait(&path(&job, ""), in_state("finished"));
    assert_eq!(ended["result"]["ratings"][0]["player"], 1);
    assert_eq!(ended["records"], 12);
}

/// Paused, the studio closed and opened again, resumed: nothing is lost, every record is heard once.
#[test]
fn a_training_survives_and_its_network_plays() {
    let mut studio = Studio::new();
    let method = "td-lambda:games=20000,hidden=4,every=100,check=2";
    let request =
        json!({ "kind": "training", "game": "quoridor:size=3,walls=1", "method": method, "seed": 1 });
    let job = studio.done("/api/jobs", &request);
    studio.wait(&path(&job, ""), |now| now["records"].as_u64() > Some(0));
    studio.done(&path(&job, "pause"), &json!({}));
    let paused = studio.wait(&path(&job, ""), in_state("paused"));
    assert_eq!((&paused["can"], &paused["model"]), (&json!(["resume"]), &job["id"]));
    assert!(paused["records"].as_u64() < Some(200));
    assert_eq!((&paused["progress"]["unit"], &paused["progress"]["total"]), (&json!("games"), &json!(20000)));
    studio = studio.reopened();
    studio.done(&path(&job, "resume"), &json!({}));
    studio.wait(&path(&job, ""), |now| now["records"].as_u64() > paused["records"].as_u64());
    // Closed in the middle, it goes on by itself.
    studio = studio.reopened();
    let ended = studio.wait(&path(&job, ""), in_state("finished"));
    assert_eq!(ended["model"], job["id"]);
    assert_eq!(ended["records"], 200);
    assert_eq!(records_sent(&studio, &job, 200).len(), 200);

    let models = studio.get("/api/models?game=quoridor").json();
    let player = models["models"][0]["players"][0].as_str().unwrap().to_owned();
    assert!(player.contains(job["id"].as_str().unwrap()), "{player}");
    let table = studio.table("quoridor:size=3,walls=1", &[&player, "human"]);
    studio.wait(&format!("/api/tables/{}", table["id"].as_str().unwrap()), |now| now["ply"] == 1);
    let product = studio.get(&path(&job, "product"));
    assert_eq!(product.status, 200);
    assert!(product.head.contains("attachment; filename=\"outplay-"), "{}", product.head);
}

/// One step of this training would take days.
#[test]
fn a_removed_training_stops_within_its_step_and_leaves_nothing() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let method = "td-lambda:games=1000000000,every=1000000000,check=0";
    let request = json!({ "kind": "training", "game": "pushover", "method": method, "seed": 1 });
    let job = studio.done("/api/jobs", &request);
    studio.wait(&path(&job, ""), in_state("running"));
    assert_eq!(studio.delete(&path(&job, "")).status, 204);
    let left = || std::fs::read_dir(data.path().join("studio/jobs")).map_or(0, Iterator::count);
    let begun = std::time::Instant::now();
    while left() > 0 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{} files are left", left());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_paper_is_made_and_reported() {
    let studio = Studio::new();
    let papers = studio.get("/api/papers?scale=smoke").json();
    let all: Vec<&Value> = papers["papers"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|paper| paper["artefacts"].as_array().unwrap())
        .collect();
    assert!(all.len() > 20 && all.iter().all(|artefact| artefact["badge"] == "not-run"));
    let id = "bourdet-abadie-2025/example";
    let job = studio.done("/api/jobs", &json!({ "kind": "paper", "artefact": id, "scale": "smoke" }));
    let ended = studio.wait(&path(&job, ""), in_state("finished"));
    assert_eq!(ended["result"]["artefacts"][0]["id"], id);
    let report = studio.get("/api/papers/bourdet-abadie-2025/report?scale=smoke");
    assert!(report.status == 200 && report.body.contains("<html"), "{}", report.head);
    assert!(report.head.contains("frame-ancestors 'self'"));
    assert_eq!(studio.get("/api/papers/..%2f..%2fetc/report").status, 404);
    assert_eq!(studio.get("/api/papers?scale=huge").status, 422);
}

/// A preselection, then a final whose bracket is published; the games are exported in every format.
#[test]
fn a_knockout_is_played_to_its_winner() {
    let studio = Studio::new();
    let players =
        json!(["random", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=1,eval=material"]);
    let request =
        json!({ "kind": "tournament", "game": "chess", "players": players, "knockout": 4, "seed": "1" });
    let job = studio.done("/api/jobs", &request);
    assert_eq!(job["request"]["seed"], "1");
    let ended = studio.wait(&path(&job, ""), in_state("finished"));
    let rounds = ended["result"]["bracket"]["rounds"].as_array().unwrap();
    assert_eq!(rounds.iter().map(|round| round.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 1]);
    assert!(rounds[1][0]["winner"].is_u64(), "{rounds:?}");
    let counted: u64 = ended["result"]["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pair| ["wins", "draws", "losses"].map(|name| pair[name].as_u64().unwrap()))
        .sum();
    assert_eq!(counted, 12, "the cross-table is that of the preselection");
    assert!(ended["records"].as_u64() > Some(12));

    let game = &studio.get(&path(&job, "records?limit=1")).json()["records"][0];
    assert!(game["setup"].is_string() && game["seed"].is_string(), "{game}");
    let all = ended["records"].as_u64().unwrap() as usize;
    let csv = studio.get(&path(&job, "export?format=csv"));
    assert!(csv.head.contains("filename=\"outplay-"), "{}", csv.head);
    assert_eq!(csv.body.lines().count(), all + 1);
    assert_eq!(studio.get(&path(&job, "export?format=pgn")).body.matches("[White \"").count(), all);
    let whole = studio.get(&path(&job, "export?format=json")).json();
    assert_eq!(whole["games"].as_array().unwrap().len(), all);
    assert_eq!(studio.get(&path(&job, "export?format=xml")).status, 422);
    for (knockout, game, part) in [(3, "chess", "power of two"), (2, "minesweeper", "game for one")] {
        let players = json!(["random", if game == "chess" { "mcts" } else { "solver" }]);
        let body = json!({ "kind": "tournament", "game": game, "players": players, "knockout": knockout });
        let refused = studio.post("/api/jobs", &body);
        assert!(refused.status == 422 && refused.message().contains(part), "{refused:?}");
    }
}

/// The model can be played against while the training runs, and plays a sample game.
#[test]
fn a_training_is_played_against_while_it_runs() {
    let studio = Studio::new();
    let game = "quoridor:size=3,walls=1";
    let method = "td-lambda:games=100000000,hidden=4,every=1000,check=2";
    let job = studio.done("/api/jobs", &json!({ "kind": "training", "game": game, "method": method }));
    let now = studio.wait(&path(&job, ""), |now| !now["model"].is_null());
    assert_eq!(now["state"], "running");
    let models = studio.get("/api/models?game=quoridor").json();
    let player = models["models"][0]["players"][0].as_str().unwrap().to_owned();
    let table = studio.table(game, &[&player, "human"]);
    studio.wait(&format!("/api/tables/{}", table["id"].as_str().unwrap()), |now| now["ply"] == 1);
    let sample = studio.done(&path(&job, "sample"), &json!({ "seed": "18446744073709551615" }));
    let record = &sample["record"];
    assert!(sample["player"] == player && record["setup"].is_string(), "{sample}");
    let look = json!({ "game": record["game"], "setup": record["setup"], "moves": record["moves"] });
    assert!(!studio.done("/api/look", &look)["outcome"].is_null());
    assert_eq!(studio.get(&path(&job, "")).json()["state"], "running");
    studio.done(&path(&job, "stop"), &json!({}));
    studio.wait(&path(&job, ""), in_state("stopped"));
}

/// A network is downloaded and uploaded again; a file that is no network is refused.
#[test]
fn an_uploaded_network_is_checked() {
    let studio = Studio::new();
    let game = "quoridor:size=3,walls=1";
    let method = "td-lambda:games=100,hidden=4,every=100,check=0";
    let job = studio.done("/api/jobs", &json!({ "kind": "training", "game": game, "method": method }));
    studio.wait(&path(&job, ""), in_state("finished"));
    let file = studio.bytes(&path(&job, "product"));
    let at = |name: &str| format!("/api/models?game=quoridor:size=3,walls=1&name={name}");
    let brought = studio.bring(&at("..%2f..%2fmine.npz"), &file);
    assert_eq!(brought.status, 201, "{brought:?}");
    let brought = brought.json();
    assert_eq!((&brought["kind"], &brought["title"]["en"]), (&json!("network"), &json!("../../mine.npz")));
    assert_eq!(studio.bytes(&path(&brought, "product")), file);
    let models = studio.get("/api/models?game=quoridor").json();
    assert_eq!(models["models"].as_array().unwrap().len(), 2);
    let player = models["models"][0]["players"][0].as_str().unwrap();
    assert!(player.contains(brought["id"].as_str().unwrap()), "{player}");
    let table = studio.table(game, &[player, "human"]);
    studio.wait(&format!("/api/tables/{}", table["id"].as_str().unwrap()), |now| now["ply"] == 1);

    let refused = studio.bring(&at("nonsense.npz"), b"nonsense");
    assert_eq!(refused.status, 422);
    assert!(refused.message().starts_with("nonsense.npz is not a network"), "{}", refused.message());
    let endless = studio.bring(&at("endless.npz"), &b"x".repeat(300_000));
    assert!(endless.status == 422 && endless.message().len() < 1000, "{}", endless.message());
    let other = studio.bring("/api/models?game=quoridor:size=5,walls=1&name=x", &file);
    assert_eq!(other.status, 422, "a network of another board: {other:?}");
    assert_eq!(studio.bring(&at(""), &file).status, 422);
    assert_eq!(
        studio.post("/api/jobs", &json!({ "kind": "network", "game": game, "name": "x" })).status,
        422
    );
    assert_eq!(studio.get("/api/models?game=quoridor").json()["models"].as_array().unwrap().len(), 2);
}

/// Not every product is a network: players that read such a file are offered with it.
#[test]
fn fitted_weights_play() {
    let studio = Studio::new();
    let method = "texel:games=20,nodes=50,iterations=2";
    let job = studio.done("/api/jobs", &json!({ "kind": "training", "game": "chess", "method": method }));
    studio.wait(&path(&job, ""), in_state("finished"));
    let models = studio.get("/api/models?game=chess").json();
    let player = format!("engine:weights={}", job["id"].as_str().unwrap());
    assert_eq!(models["models"][0]["players"][0], player);
    let table = studio.table("chess", &[&format!("{player},nodes=100"), "human"]);
    studio.wait(&format!("/api/tables/{}", table["id"].as_str().unwrap()), |now| now["ply"] == 1);
    let refused = studio.bring("/api/models?game=chess&name=nonsense", b"nonsense");
    assert_eq!(refused.status, 422);
    assert!(refused.message().starts_with("nonsense holds no weights"), "{}", refused.message());
}

#[test]
fn a_paper_shows_its_numbers_and_records() {
    let studio = Studio::new();
    let job = json!({ "kind": "paper", "artefact": "bourdet-abadie-2025/example", "scale": "smoke" });
    let job = studio.done("/api/jobs", &job);
    studio.wait(&path(&job, ""), in_state("finished"));
    let paper = studio.get("/api/papers/bourdet-abadie-2025?scale=smoke").json();
    let example =
        paper["artefacts"].as_array().unwrap().iter().find(|artefact| artefact["recorded"] == true).unwrap();
    assert!(example["numbers"].as_array().unwrap().iter().any(|number| number["published"].is_number()));
    let records = studio.get("/api/papers/bourdet-abadie-2025/example/records?scale=smoke");
    assert!(records.body.lines().all(|line| line.starts_with("{\"key\":")), "{records:?}");
    assert_eq!(studio.get("/api/papers/bourdet-abadie-2025/strategy/records?scale=smoke").status, 404);
    assert_eq!(studio.get("/api/papers/bourdet-abadie-2025/nothing/records").status, 404);
    let catalogue = studio.get("/api/catalogue").json();
    let games = catalogue["games"].as_array().unwrap();
    let methods = games.iter().flat_map(|game| game["methods"].as_array().unwrap());
    assert!(methods.filter_map(|method| method["ghosts"].as_array()).flatten().count() >= 5);
}
