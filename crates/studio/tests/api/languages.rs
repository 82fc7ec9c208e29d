//! What the studio says to people is there in English and in French.

use serde_json::{Value, json};

use crate::client::{Studio, assert_bilingual};

/// The fields that are for people, wherever they occur.
const FOR_PEOPLE: [&str; 5] = ["title", "summary", "help", "expected", "reference"];

/// Texts that are the same in French: names, and words that both languages have.
const SAME: [&str; 6] = ["Quoridor", "Push-over", "Othello", "Lode Runner", "Expert", "Mines"];

/// Boards that offer what the usual ones do not.
const SMALL: [&str; 3] = ["minesweeper:rows=3,cols=3,mines=2", "quoridor:size=3,walls=1", "quoridor:size=5"];

/// Checks every text for people in a document; returns how many there are.
fn check(document: &Value) -> usize {
    match document {
        Value::Array(items) => items.iter().map(check).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| {
                if !FOR_PEOPLE.contains(&name.as_str()) {
                    return check(value);
                }
                assert_bilingual(value);
                let en = value["en"].as_str().unwrap();
                // A document that was written in French has a French reference in both languages.
                let may_be_same = name == "reference" || SAME.contains(&en);
                assert!(value["en"] != value["fr"] || may_be_same, "{name}: {en:?} is not in French");
                1
            })
            .sum(),
        _ => 0,
    }
}

#[test]
fn every_text_of_every_game_is_in_both_languages() {
    let studio = Studio::new();
    let catalogue = studio.get("/api/catalogue").json();
    let mut texts = check(&catalogue);
    let games = catalogue["games"].as_array().unwrap();
    let boards = games.iter().flat_map(|game| game["presets"].as_array().unwrap());
    let boards = boards.map(|preset| preset["game"].as_str().unwrap()).chain(SMALL);
    for board in boards {
        texts += check(&studio.get(&format!("/api/board?game={board}")).json());
    }
    assert!(texts > 500, "only {texts} texts");
}

#[test]
fn every_document_and_artefact_is_in_both_languages() {
    let studio = Studio::new();
    let papers = studio.get("/api/papers?scale=smoke").json();
    assert!(check(&papers) > 50, "{papers}");
}

/// A refusal has the French of its own words and of the words that it is made of.
#[test]
fn refusals_are_in_both_languages() {
    let studio = Studio::new();
    let table = studio.table("chess", &["human", "human"]);
    let act = |act: &str| format!("/api/tables/{}/{act}", table["id"].as_str().unwrap());
    for (path, body, fr) in [
        ("/api/tables", json!({ "game": "go", "seats": [] }), "le jeu « go » n’existe pas"),
        (
            "/api/tables",
            json!({ "game": "chess", "seats": ["human"] }),
            "1 joueurs sont nommés, mais le jeu en a 2",
        ),
        (
            "/api/tables",
            json!({ "game": "quoridor:size=99", "seats": ["human", "human"] }),
            "size=99 : attendu un nombre entier de 3 à 9",
        ),
        (
            "/api/tables",
            json!({ "game": "chess", "seats": ["human", "alphabeta:time=2m"] }),
            "time=2m : attendu au plus 60 s",
        ),
        (
            "/api/tables",
            json!({ "game": "chess", "seats": ["human", "human"], "moves": ["e4", "e4"] }),
            "coup 2 : le coup « e4 » ne peut être joué",
        ),
        (
            "/api/tables",
            json!({ "game": "chess", "seats": ["human", "human"], "clock": { "seconds": 0.5 } }),
            "seconds=0,5 : attendu une pendule de 1 à 10800",
        ),
        ("/api/tables", json!({ "game": 3 }), "la demande n’a pas été comprise : "),
        (&act("undo"), json!({}), "il n’y a aucun coup à reprendre"),
        (&act("hurry"), json!({}), "personne ne réfléchit"),
        (&act("move"), json!({ "move": "e9", "ply": 0 }), "le coup « e9 » ne peut être joué : "),
        (&act("move"), json!({ "move": "e4", "ply": 7 }), "la partie en est au coup 0, non au coup 7"),
        ("/api/look", json!({}), "rien à regarder : attendu une partie ou un jeu"),
        ("/api/look", json!({ "table": "nothing" }), "il n’y a pas de partie « nothing »"),
        (
            "/api/import",
            json!({ "text": "what?" }),
            "le texte n’est ni une partie ni une position : attendu PGN",
        ),
        (
            "/api/jobs",
            json!({ "kind": "tournament", "game": "chess", "players": ["random"], "games": 2 }),
            "1 joueurs ne font pas un tournoi : attendu de 2 à 32",
        ),
        ("/api/nothing", json!({}), "il n’y a pas d’adresse « /api/nothing »"),
    ] {
        let reply = studio.post(path, &body);
        let said = reply.message();
        let found = reply.json()["error"]["message"]["fr"].as_str().unwrap().to_owned();
        assert!(found.starts_with(fr), "{said}: {found}");
    }
}
