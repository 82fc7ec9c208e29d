//! Analysis of positions.

use serde_json::{Value, json};

use crate::client::Studio;

/// A player's final opinion of a position.
fn conclusion(studio: &Studio, subject: &Value) -> Value {
    let answer = studio.post("/api/thoughts", subject).body;
    let last: Value = serde_json::from_str(answer.lines().last().unwrap()).unwrap();
    assert_eq!(last["final"], true, "{answer}");
    last["opinion"].clone()
}

#[test]
fn players_give_their_opinions() {
    let studio = Studio::new();
    let subject =
        json!({ "game": "chess", "moves": ["f3", "e5", "g4"], "player": "alphabeta:depth=2,candidates=5" });
    let opinion = conclusion(&studio, &subject);
    assert_eq!((&opinion["best"], &opinion["ply"]), (&json!("Qh4#"), &json!(3)));
    assert_eq!(opinion["candidates"][0]["squares"], "d8h4");
    assert_eq!(opinion["candidates"][0]["certain"], "win in 1");
    let table = studio.table("pushover", &["human", "human"]);
    let hint = studio.done(&format!("/api/tables/{}/hint", table["id"].as_str().unwrap()), &json!({}));
    assert!(hint["candidates"].as_array().unwrap().len() > 3);
    let both = json!({ "game": "chess", "table": "abcdefgh" });
    assert_eq!(studio.post("/api/thoughts", &both).status, 400);
}

#[test]
fn thoughts_come_as_they_grow() {
    let studio = Studio::new();
    let subject = json!({ "game": "chess", "player": "alphabeta:time=1500ms" });
    let answer = studio.post("/api/thoughts", &subject).body;
    let lines: Vec<Value> = answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 2, "{answer}");
    let (last, before) = lines.split_last().unwrap();
    assert!(last["final"] == true && before.iter().all(|line| line["final"] == false));
    let depths: Vec<u64> = lines.iter().map(|line| line["opinion"]["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted(), "{depths:?}");
    let over = studio.post("/api/thoughts", &json!({ "game": "chess", "player": "nobody" }));
    assert_eq!(over.status, 422);
}

#[test]
fn a_board_is_surveyed_and_small_games_are_solved() {
    let studio = Studio::new();
    let board = json!({ "game": "minesweeper", "position": "mines 1\n01.\n01.\n01." });
    let facts = &studio.done("/api/survey", &board)["facts"];
    assert_eq!(
        facts["safe"].as_array().unwrap().len() + facts["mined"].as_array().unwrap().len(),
        3,
        "{facts}"
    );
    let solved = studio.done("/api/solve", &json!({ "game": "quoridor:size=3,walls=1" }));
    assert_eq!((&solved["value"], &solved["distance"]), (&json!("loss"), &json!(8)));
    let chess = studio.post("/api/solve", &json!({ "game": "chess" }));
    assert_eq!(chess.status, 422);
}

#[test]
fn a_game_has_a_graph_and_a_review() {
    let studio = Studio::new();
    let table = studio.table("minesweeper:rows=4,cols=4,mines=2", &["solver"]);
    let id = table["id"].as_str().unwrap();
    let ended = studio.wait(&format!("/api/tables/{id}"), |now| !now["outcome"].is_null());
    let review = studio.done("/api/review", &json!({ "table": id, "samples": 10 }));
    assert_eq!(review["moves"].as_array().unwrap().len() as u64, ended["ply"].as_u64().unwrap());
    let graph = studio.post("/api/graph", &json!({ "table": id, "player": "solver:effort=fast" }));
    let lines: Vec<Value> = graph.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len() as u64, ended["ply"].as_u64().unwrap() + 1);
    let won = f64::from(u8::from(ended["outcome"]["winner"] == "first"));
    assert_eq!(lines.last().unwrap()["first_value"], won);
}

/// A mine that was not hit is not mentioned.
#[test]
fn a_game_that_was_given_up_is_reviewed_as_far_as_it_went() {
    let studio = Studio::new();
    let mines = studio.table("minesweeper:rows=4,cols=4,mines=14", &["human"]);
    let id = mines["id"].as_str().unwrap();
    studio.done(&format!("/api/tables/{id}/move"), &json!({ "move": "a1", "ply": 0 }));
    studio.done(&format!("/api/tables/{id}/resign"), &json!({}));
    let review = studio.done("/api/review", &json!({ "table": id, "samples": 10 }));
    assert_eq!((&review["verdict"], review["moves"].as_array().unwrap().len()), (&json!("unfinished"), 1));
}

#[test]
fn positions_can_be_looked_at_without_a_table() {
    let studio = Studio::new();
    let look = studio.done("/api/look", &json!({ "game": "pushover", "moves": ["A", "E"] }));
    assert_eq!((&look["to_move"], look["legal"].as_array().unwrap().len()), (&json!("first"), 16));
    let back = studio.done("/api/look", &json!({ "game": "pushover", "moves": ["A", "E"], "ply": 0 }));
    assert_eq!(back["position"], "................-+");
    assert_eq!(
        studio.post("/api/look", &json!({ "game": "pushover", "moves": ["A"], "ply": 2 })).status,
        422
    );
}
