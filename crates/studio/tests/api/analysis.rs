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
    let cell = |column: u8, row: u8| json!({ "cell": { "column": column, "row": row } });
    assert_eq!(opinion["candidates"][0]["touches"], json!([cell(3, 0), cell(7, 4)]));
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
    let survey = studio.done("/api/survey", &board);
    let chances = |mark: &&Value| mark["meaning"]["mine_probability"].is_number();
    assert_eq!(survey["marks"].as_array().unwrap().iter().filter(chances).count(), 3, "{survey}");
    let facts = &survey["facts"];
    assert_eq!(
        facts["safe"].as_array().unwrap().len() + facts["mined"].as_array().unwrap().len(),
        3,
        "{facts}"
    );
    let none = studio.post("/api/survey", &json!({ "game": "tictactoe" }));
    assert_eq!(
        (none.status, none.message().as_str()),
        (422, "tictactoe has no survey: expected minesweeper")
    );
    let solved = studio.done("/api/solve", &json!({ "game": "quoridor:size=3,walls=1" }));
    assert_eq!((&solved["value"], &solved["distance"]), (&json!("loss"), &json!(8)));
    assert!(solved["moves"].as_array().unwrap().iter().all(|one| one["touches"][0].is_object()), "{solved}");
    let chess = studio.post("/api/solve", &json!({ "game": "chess" }));
    assert_eq!(chess.status, 422);
}

/// A table comes with a game of its own: what was sent beside it would be ignored.
#[test]
fn a_table_is_looked_at_as_it_is() {
    let studio = Studio::new();
    let table = studio.table("tictactoe", &["human", "human"])["id"].clone();
    assert_eq!(studio.post("/api/look", &json!({ "table": table, "ply": 0 })).status, 200);
    for (name, value) in
        [("moves", json!(["b2"])), ("setup", json!(1)), ("position", json!("...")), ("game", json!("chess"))]
    {
        let refused = studio.post("/api/look", &json!({ "table": table, name: value }));
        assert_eq!((refused.status, refused.code().as_str()), (400, "malformed"), "{name}");
    }
}

#[test]
fn a_game_has_a_graph_and_a_review() {
    let studio = Studio::new();
    let table = studio.table("minesweeper:rows=4,cols=4,mines=2", &["solver"]);
    let id = table["id"].as_str().unwrap();
    let ended = studio.wait(&format!("/api/tables/{id}"), |now| !now["outcome"].is_null());
    let review = studio.done("/api/review", &json!({ "table": id, "samples": 10 }));
    assert_eq!(review["moves"].as_array().unwrap().len() as u64, ended["ply"].as_u64().unwrap());
    assert!(review["moves"].as_array().unwrap().iter().all(|one| one["touches"][0].is_object()), "{review}");
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
    let gestures = look["scene"]["gestures"].as_array().unwrap().len();
    assert_eq!((&look["to_move"], gestures), (&json!("first"), 16));
    let back = studio.done("/api/look", &json!({ "game": "pushover", "moves": ["A", "E"], "ply": 0 }));
    assert_eq!(back["position"], "................-+");
    assert_eq!(
        studio.post("/api/look", &json!({ "game": "pushover", "moves": ["A"], "ply": 2 })).status,
        422
    );
}

#[test]
fn a_draft_becomes_a_position_or_is_refused() {
    let studio = Studio::new();
    for game in
        ["pushover", "minesweeper:rows=4,cols=4,mines=2", "quoridor:size=5", "chess", "loderunner:level=trap"]
    {
        let look = studio.done("/api/look", &json!({ "game": game }));
        let back = studio.done("/api/draft", &json!({ "game": game, "draft": look["draft"] }));
        assert_eq!(back["position"], look["position"], "{game}");
        assert_eq!(back["scene"]["pieces"], look["scene"]["pieces"], "{game}");
        assert!(look["palette"]["pieces"].is_array(), "{game}");
    }
    let mut empty = studio.done("/api/look", &json!({ "game": "chess" }))["draft"].clone();
    empty["pieces"] = json!([]);
    let refused = studio.post("/api/draft", &json!({ "game": "chess", "draft": empty }));
    assert!(refused.status == 422 && refused.message().contains("king"), "{refused:?}");
}

/// What works on a board is offered on it, and nothing else.
#[test]
fn every_board_offers_what_works_on_it() {
    let studio = Studio::new();
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let board = |game: &str| studio.get(&format!("/api/board?game={game}")).json();
    for (game, has_perfect, has_net) in [
        ("quoridor", false, true),
        ("quoridor:size=3,walls=1", true, false),
        ("quoridor:size=7", false, false),
        ("quoridor:size=5", true, true),
        ("pushover", true, true),
        ("pushover:size=5", false, false),
    ] {
        let info = board(game);
        let players = names(&info["players"]);
        let has = |name: &str| players.iter().any(|player| player == name);
        assert_eq!((has("perfect"), has("net")), (has_perfect, has_net), "{game}: {players:?}");
        assert_eq!(names(&info["evaluators"]).contains(&"net".to_owned()), has_net, "{game}");
        let look = studio.done("/api/look", &json!({ "game": game }));
        assert_eq!(look["solvable"], has_perfect, "{game}");
    }
    assert_eq!(studio.get("/api/board?game=quoridor:size=99").status, 422);
    let catalogue = studio.get("/api/catalogue").json();
    for game in catalogue["games"].as_array().unwrap() {
        assert!(game["title"].is_object() && game["palette"].is_object(), "{game}");
        // A game without a picture is shown by its start.
        if game["picture"].is_object() {
            studio.done("/api/look", &game["picture"]);
        }
        for preset in game["presets"].as_array().unwrap() {
            assert_eq!(board(preset["game"].as_str().unwrap())["name"], game["name"]);
        }
    }
}
