//! Tables, in every game.

use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::Studio;

fn path(table: &Value, action: &str) -> String {
    let id = table["id"].as_str().unwrap();
    if action.is_empty() { format!("/api/tables/{id}") } else { format!("/api/tables/{id}/{action}") }
}

fn play(studio: &Studio, table: &Value, mv: &str, ply: usize) -> Value {
    studio.done(&path(table, "move"), &json!({ "move": mv, "ply": ply }))
}

#[test]
fn a_game_is_played_taken_back_and_given_up() {
    let studio = Studio::new();
    let table = studio.table("chess", &["human", "random"]);
    assert_eq!(table["scene"]["gestures"].as_array().unwrap().len(), 20);
    assert_eq!(table["scene"]["pieces"].as_array().unwrap().len(), 32);
    assert_eq!(
        (&table["to_move"], &table["ply"], &table["outcome"]),
        (&json!("first"), &json!(0), &Value::Null)
    );

    // Either notation will do, and the answer of `random` follows.
    play(&studio, &table, "e2e4", 0);
    let answered = studio.wait(&path(&table, ""), |now| now["ply"] == 2);
    assert_eq!(answered["moves"][0], "e4");
    let last = |mark: &&Value| mark["meaning"] == "last_move";
    assert_eq!(answered["scene"]["marks"].as_array().unwrap().iter().filter(last).count(), 2);
    assert_eq!(answered["opinion"]["ply"], 1);
    assert_eq!(answered["to_move"], "first");

    let stale = studio.post(&path(&table, "move"), &json!({ "move": "d4", "ply": 0 }));
    assert_eq!((stale.status, stale.code().as_str()), (409, "stale"));
    let illegal = studio.post(&path(&table, "move"), &json!({ "move": "e2e4", "ply": 2 }));
    assert_eq!((illegal.status, illegal.code().as_str()), (422, "refused"));

    // Back to where the human moves, forward again, then another way.
    let back = studio.done(&path(&table, "undo"), &json!({}));
    assert_eq!((&back["ply"], back["redo"].as_array().unwrap().len()), (&json!(0), 2));
    let forth = studio.done(&path(&table, "redo"), &json!({}));
    assert_eq!((&forth["ply"], &forth["moves"]), (&json!(2), &answered["moves"]));
    studio.done(&path(&table, "undo"), &json!({}));
    let other = play(&studio, &table, "d4", 0);
    assert_eq!(other["redo"], json!([]));
    let answered = studio.wait(&path(&table, ""), |now| now["ply"] == 2);

    let swapped = studio.done(&path(&table, "seats"), &json!({ "seats": ["random", "human"] }));
    assert_eq!(swapped["seats"], json!(["random", "human"]));
    let moved = studio.wait(&path(&table, ""), |now| now["ply"] == 3);
    assert!(moved["rev"].as_u64() > answered["rev"].as_u64());

    let given_up = studio.done(&path(&table, "resign"), &json!({}));
    assert_eq!(given_up["outcome"]["winner"], "first");
    assert_eq!(given_up["outcome"]["reason"], "resigned");
    assert_eq!(given_up["scene"]["gestures"], json!([]));

    let listed = studio.get("/api/tables?limit=5").json();
    assert_eq!(listed["tables"][0]["outcome"]["reason"], "resigned");
    assert_eq!(studio.delete(&path(&table, "")).status, 204);
    assert_eq!(studio.get(&path(&table, "")).status, 404);
}

#[test]
fn every_game_is_played_to_its_end_by_players() {
    let studio = Studio::new();
    for (game, seats) in [
        ("pushover", &["random", "greedy"][..]),
        ("quoridor:size=3,walls=1", &["random", "random"]),
        ("chess:plies=30", &["random", "random"]),
        ("minesweeper:rows=5,cols=5,mines=3,flags=yes", &["solver"]),
    ] {
        let table = studio.table(game, seats);
        let ended = studio.wait(&path(&table, ""), |now| !now["outcome"].is_null());
        assert_eq!(ended["scene"]["gestures"], json!([]), "{game}");
        let plies = studio.get(&path(&table, "plies")).json();
        let plies = plies["plies"].as_array().unwrap();
        assert_eq!(plies.len() as u64, ended["ply"].as_u64().unwrap() + 1, "{game}");
        assert_eq!(plies.last().unwrap()["position"], ended["position"], "{game}");
        assert_eq!(plies.last().unwrap()["scene"], ended["scene"], "{game}");
        if game.starts_with("minesweeper") {
            assert_eq!(ended["facts"]["laid"].as_array().unwrap().len(), 3);
            assert!(plies[0]["facts"].get("laid").is_none());
        }
    }
}

#[test]
fn refusals_say_why() {
    let studio = Studio::new();
    let table = studio.table("quoridor", &["human", "human"]);
    play(&studio, &table, "e3h", 0);
    // Touches are JSON in the address: a wall of two cells along the line above the row that is so far from the top.
    let wall = |column: u8, row: u8| json!([{ "edge": { "cell": { "column": column, "row": row }, "direction": "right", "length": 2 } }]);
    let escaped = |text: String| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let why = |touches: Value| {
        studio.get(&format!("{}?touches={}", path(&table, "why"), escaped(touches.to_string()))).json()
    };
    assert_eq!(why(wall(4, 4)), json!({ "legal": true, "reason": null }));
    assert_eq!(
        why(wall(5, 6))["reason"],
        json!({
            "en": "the move 'f3h' cannot be played: it would overlap or cross another wall",
            "fr": "le coup « f3h » ne peut être joué : il chevaucherait ou croiserait un autre mur",
        })
    );
    assert!(why(json!([]))["reason"]["en"].as_str().unwrap().contains("no move"));
    assert_eq!(studio.get(&format!("{}?touches=x", path(&table, "why"))).status, 400);
    assert_eq!(studio.get(&path(&table, "")).json()["ply"], 1);
    for (body, part) in [
        (json!({ "game": "ches", "seats": ["human"] }), "unknown game 'ches'"),
        (json!({ "game": "chess", "seats": ["human"] }), "1 players were named"),
        (json!({ "game": "chess", "seats": ["human", "randomm"] }), "unknown player 'randomm'"),
        (json!({ "game": "chess", "seats": ["human", "alphabeta:depth=0"] }), "depth=0"),
        (json!({ "game": "chess", "seats": ["human", "human"], "position": "x" }), "FEN"),
        (json!({ "game": "chess", "seats": ["human", "human"], "moves": ["e4", "e4"] }), "move 2"),
        (json!({ "game": "pushover", "seats": ["human", "net:file=/etc/passwd"] }), "a model"),
        (json!({ "game": "minesweeper:mines=100", "seats": ["human"] }), "mines"),
    ] {
        let reply = studio.post("/api/tables", &body);
        assert_eq!(reply.status, 422, "{body}: {reply:?}");
        assert!(reply.message().contains(part), "{body}: {}", reply.message());
    }
    for body in
        [json!({ "game": "chess" }), json!([]), json!({ "game": 3, "seats": [] }), json!({ "sets": 1 })]
    {
        let reply = studio.post("/api/tables", &body);
        assert_eq!((reply.status, reply.code().as_str()), (400, "malformed"), "{body}");
    }
}

/// Touches that the scene does not list are a move where the game knows another way to make it: the king is put on the rook.
#[test]
fn a_move_is_made_by_touches() {
    let studio = Studio::new();
    let body = json!({
        "game": "chess", "seats": ["human", "human"], "position": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    });
    let table = studio.post("/api/tables", &body).json();
    let cell = |column: u8, row: u8| json!({ "cell": { "column": column, "row": row } });
    let send = |body: Value| studio.post(&path(&table, "move"), &body);
    assert_eq!(send(json!({ "touches": [cell(4, 7), cell(4, 4)], "ply": 0 })).status, 422);
    assert_eq!(send(json!({ "touches": [], "move": "Ke2", "ply": 0 })).status, 400);
    let castled = send(json!({ "touches": [cell(4, 7), cell(7, 7)], "ply": 0 })).json();
    assert_eq!(castled["moves"], json!(["O-O"]));
}

#[test]
fn thinking_can_be_stopped_and_hurried() {
    let studio = Studio::new();
    let table = studio.table("chess", &["alphabeta:time=50s", "human"]);
    assert_eq!(table["thinking"]["player"], "alphabeta:time=50s");
    let stopped = studio.done(&path(&table, "stop"), &json!({}));
    assert_eq!(
        (&stopped["thinking"], &stopped["paused"], &stopped["ply"]),
        (&Value::Null, &json!(true), &json!(0))
    );
    let again = studio.done(&path(&table, "go"), &json!({}));
    assert_eq!(again["paused"], false);
    assert!(!again["thinking"].is_null());
    studio.done(&path(&table, "hurry"), &json!({}));
    studio.wait(&path(&table, ""), |now| now["ply"] == 1);
    assert_eq!(studio.post(&path(&table, "hurry"), &json!({})).status, 422);
}

#[test]
fn a_clock_runs_adds_and_ends_the_game() {
    let studio = Studio::new();
    let new = |game: &str, seats: &[&str], clock: Value| {
        studio.post("/api/tables", &json!({ "game": game, "seats": seats, "clock": clock }))
    };
    for clock in
        [json!({ "seconds": 0 }), json!({ "seconds": 60, "increment": -1 }), json!({ "seconds": 1e9 })]
    {
        assert_eq!(new("chess", &["human", "human"], clock).status, 422);
    }
    assert_eq!(new("minesweeper", &["human"], json!({ "seconds": 60 })).status, 422);

    let table = new("chess", &["human", "human"], json!({ "seconds": 60, "increment": 2 })).json();
    assert!(!table["ticking"].is_null());
    let moved = play(&studio, &table, "e4", 0);
    let left = |table: &Value, seat: usize| table["left"][seat].as_f64().unwrap();
    assert!(left(&moved, 0) > 60.0 && left(&moved, 0) <= 62.0 && left(&moved, 1) <= 60.0, "{moved}");
    let stopped = studio.done(&path(&table, "stop"), &json!({}));
    assert!(stopped["ticking"].is_null());

    let short = new("chess", &["human", "human"], json!({ "seconds": 1 })).json();
    let fallen = studio.wait(&path(&short, ""), |now| !now["outcome"].is_null());
    assert_eq!(
        (&fallen["outcome"]["winner"], &fallen["outcome"]["reason"]),
        (&json!("second"), &json!("time"))
    );
    assert_eq!((left(&fallen, 0), &fallen["scene"]["gestures"]), (0.0, &json!([])));
    assert_eq!(studio.post(&path(&short, "move"), &json!({ "move": "e4", "ply": 0 })).status, 422);
    assert_eq!(studio.get("/api/tables?limit=1").json()["tables"][0]["outcome"]["reason"], "time");
}

#[test]
fn nobody_wins_on_time_with_a_king_alone() {
    let studio = Studio::new();
    let body = json!({
        "game": "chess", "seats": ["human", "human"], "clock": { "seconds": 1 },
        "position": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    });
    let table = studio.post("/api/tables", &body).json();
    let fallen = studio.wait(&path(&table, ""), |now| !now["outcome"].is_null());
    assert_eq!((&fallen["outcome"]["winner"], &fallen["outcome"]["reason"]), (&Value::Null, &json!("time")));
    let pgn = studio.get(&format!("{}?format=pgn", path(&table, "export"))).body;
    assert!(pgn.contains("1/2-1/2"), "{pgn}");
}

#[test]
fn a_program_is_asked_in_time_and_thinks_aloud() {
    let studio = Studio::new();
    let body =
        json!({ "game": "chess", "seats": ["alphabeta:time=50s", "human"], "clock": { "seconds": 20 } });
    let table = studio.post("/api/tables", &body).json();
    let aloud = studio.wait(&path(&table, ""), |now| !now["thinking"]["so_far"].is_null());
    assert!(aloud["thinking"]["so_far"]["depth"].as_u64() > Some(0));
    let moved = studio.wait(&path(&table, ""), |now| now["ply"] == 1);
    assert_eq!(moved["outcome"], Value::Null);
}

#[test]
fn a_restart_loses_nothing() {
    let mut studio = Studio::new();
    let chess = studio.table("chess", &["human", "random"]);
    play(&studio, &chess, "Nf3", 0);
    let before = studio.wait(&path(&chess, ""), |now| now["ply"] == 2);
    let mines = studio.table("minesweeper:flags=yes", &["human"]);
    play(&studio, &mines, "a1", 0);
    play(&studio, &mines, "j10", 1);
    let board = studio.get(&path(&mines, "")).json();
    let slow = studio.table("chess", &["alphabeta:time=40s", "human"]);

    studio = studio.reopened();
    let after = studio.get(&path(&chess, "")).json();
    for field in ["moves", "position", "scene", "seats", "rev", "opinion"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(studio.get(&path(&mines, "")).json()["position"], board["position"]);
    // A player that was cut off thinks again.
    assert_eq!(studio.get(&path(&slow, "")).json()["thinking"]["seat"], "first");
    assert_eq!(studio.get("/api/tables").json()["tables"].as_array().unwrap().len(), 3);
}

#[test]
fn games_go_out_and_come_in() {
    let studio = Studio::new();
    let table = studio.table("chess", &["human", "human"]);
    for (ply, mv) in ["f3", "e5", "g4", "Qh4"].into_iter().enumerate() {
        play(&studio, &table, mv, ply);
    }
    let mated = studio.get(&path(&table, "")).json();
    assert_eq!(mated["outcome"]["winner"], "second");
    let marks = mated["scene"]["marks"].as_array().unwrap();
    assert!(marks.iter().any(|mark| mark["meaning"] == "check"), "{marks:?}");
    let pgn = studio.get(&format!("{}?format=pgn", path(&table, "export"))).body;
    assert!(pgn.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{pgn}");
    let back = studio.done("/api/import", &json!({ "text": pgn }));
    assert_eq!((&back["game"], &back["moves"]), (&json!("chess"), &mated["moves"]));
    let record = studio.get(&format!("{}?format=json", path(&table, "export"))).body;
    assert_eq!(studio.done("/api/import", &json!({ "text": record }))["moves"], mated["moves"]);
    let position = studio
        .done("/api/import", &json!({ "text": "5 b2:3 c5:2 black c3h d1v", "game": "quoridor:size=5" }));
    assert_eq!(position["position"], "5 b2:3 c5:2 black c3h d1v");
    let unread = studio.post("/api/import", &json!({ "text": "what?" }));
    assert!(unread.status == 422 && unread.message().contains("PGN, FEN, a record"), "{unread:?}");
    assert_eq!(studio.get(&format!("{}?format=exe", path(&table, "export"))).status, 422);
    for (format, kind) in
        [("pgn", "application/x-chess-pgn"), ("fen", "text/plain"), ("json", "application/json")]
    {
        let head = studio.get(&format!("{}?format={format}", path(&table, "export"))).head;
        assert!(head.contains(&format!("content-type: {kind}\r\n")), "{head}");
    }
}

/// Neither the game nor the board size is given.
#[test]
fn positions_are_recognised() {
    let studio = Studio::new();
    let read = |text: &str| studio.done("/api/import", &json!({ "text": text }));
    for (text, name) in [
        ("9 e1:10 e9:10 white c3h d1v", "quoridor"),
        ("5 b2:3 c5:2 black c3h d1v", "quoridor"),
        ("+ooo...+...o....Eo", "pushover"),
        ("mines 3\n..1..\n111..\n000..", "minesweeper"),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "chess"),
    ] {
        let found = read(text);
        assert_eq!(
            (found["game"].as_str().unwrap().split(':').next(), &found["position"]),
            (Some(name), &json!(text))
        );
        let set = json!({ "game": found["game"], "position": text, "seats": vec!["human"; if name == "minesweeper" { 1 } else { 2 }] });
        assert_eq!(studio.done("/api/tables", &set)["position"], text);
    }
    let refused = studio.post("/api/import", &json!({ "text": "1. e4 e5 2. Ke3" }));
    assert!(refused.message().contains("Ke3"), "{}", refused.message());
}

/// The export of an unfinished game has only the visible position; that of a finished one has the whole game.
#[test]
fn an_unfinished_board_comes_back_as_it_was_seen() {
    let studio = Studio::new();
    let table = studio.table("minesweeper", &["human"]);
    let begun = play(&studio, &table, "a1", 0);
    assert!(begun["outcome"].is_null(), "{begun}");
    let json_of = || studio.get(&format!("{}?format=json", path(&table, "export"))).body;
    let back = studio.done("/api/import", &json!({ "text": json_of() }));
    assert_eq!(
        (&back["position"], &back["moves"], &back["seed"]),
        (&begun["position"], &json!([]), &Value::Null)
    );
    assert!(json_of().contains("as it is seen") && !json_of().contains("setup"));
    let again = json!({ "game": back["game"], "position": back["position"], "seats": ["human"] });
    assert_eq!(studio.done("/api/tables", &again)["position"], begun["position"]);

    studio.done(&path(&table, "resign"), &json!({}));
    let listed = studio.get("/api/tables").json();
    let is_ours = |listed: &&Value| listed["id"] == table["id"];
    let listed = listed["tables"].as_array().unwrap().iter().find(is_ours).unwrap().clone();
    assert_eq!(
        (&listed["outcome"]["winner"], &listed["outcome"]["reason"]),
        (&json!("second"), &json!("resigned"))
    );
    let back = studio.done("/api/import", &json!({ "text": json_of() }));
    assert_eq!((&back["moves"], &back["seed"]), (&json!(["a1"]), &json!("7")));
    let again =
        json!({ "game": back["game"], "moves": back["moves"], "seed": back["seed"], "seats": ["human"] });
    assert_eq!(studio.done("/api/tables", &again)["position"], begun["position"]);
}

#[test]
fn a_socket_is_sent_every_change() {
    let studio = Studio::new();
    let table = studio.table("pushover", &["human", "random"]);
    let topic = format!("table:{}", table["id"].as_str().unwrap());
    let url = format!("ws://{}/api/live", studio.address);
    studio.runtime.block_on(async {
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let wish = json!({ "subscribe": [topic, "table:nothing", "jobs"] });
        socket.send(Message::text(wish.to_string())).await.unwrap();
        let mut heard = Vec::new();
        while heard.len() < 4 {
            if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
                heard.push(serde_json::from_str::<Value>(&text).unwrap());
            }
        }
        let here = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
        let told = heard.iter().find_map(|message| message["now"].as_u64()).unwrap();
        assert!(told.abs_diff(here) < 60_000, "the server's time: {heard:?}");
        assert!(heard.iter().any(|message| message["table"]["ply"] == 0));
        assert!(heard.iter().any(|message| message["error"]["code"] == "unknown"));
        assert!(heard.iter().any(|message| message["jobs"] == json!([])));

        let move_path = path(&table, "move");
        tokio::task::block_in_place(|| studio.done(&move_path, &json!({ "move": "A", "ply": 0 })));
        loop {
            let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            assert!(message["topic"] == topic || message["topic"] == "time");
            if message["table"]["ply"] == 2 {
                break;
            }
        }
    });
}

#[test]
fn a_player_that_has_to_solve_the_game_first_says_how_far_it_is() {
    let studio = Studio::new();
    let table = studio.table("pushover", &["perfect", "human"]);
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    let now = studio.wait(&path, |now| now["thinking"]["preparation"].is_object());
    let preparation = &now["thinking"]["preparation"];
    assert!(preparation["total"].as_u64() >= preparation["done"].as_u64(), "{preparation}");
    assert_eq!(now["thinking"]["so_far"], serde_json::Value::Null);
    assert_eq!(studio.delete(&path).status, 204);
}
