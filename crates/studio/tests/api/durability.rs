//! What is removed stays removed, and what could not be saved has not happened.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::client::{Reply, Studio};

/// Makes every change of the studio's data fail, as on a full disk, or lets them succeed again.
fn set_full(data: &Path, is_full: bool) {
    let database = Connection::open(data.join("studio/studio.sqlite")).unwrap();
    for table in ["tables", "jobs"] {
        for act in ["INSERT", "UPDATE", "DELETE"] {
            let sql = if is_full {
                format!(
                    "CREATE TRIGGER full_{table}_{act} BEFORE {act} ON {table}
                     BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
                )
            } else {
                format!("DROP TRIGGER full_{table}_{act}")
            };
            database.execute_batch(&sql).unwrap();
        }
    }
}

fn at(kind: &str, document: &Value, act: &str) -> String {
    let id = document["id"].as_str().unwrap();
    format!("/api/{kind}/{id}{}{act}", if act.is_empty() { "" } else { "/" })
}

fn assert_unsaved(reply: &Reply) {
    assert_eq!((reply.status, reply.code().as_str()), (500, "failed"), "{reply:?}");
    let message = reply.message();
    assert!(message.contains("nothing was saved") && message.contains("disk is full"), "{message}");
}

const LONG: &str = "td-lambda:games=100000000,hidden=4,every=100,check=0";

fn training(method: &str) -> Value {
    json!({ "kind": "training", "game": "quoridor:size=3,walls=1", "method": method })
}

#[test]
fn a_removed_table_stays_removed_while_its_players_move() {
    let studio = Studio::new();
    for delay in 0..120 {
        let table = studio.table("pushover", &["random", "random"]);
        thread::sleep(Duration::from_micros(200 * delay));
        assert_eq!(studio.delete(&at("tables", &table, "")).status, 204);
        assert_eq!(studio.get(&at("tables", &table, "")).status, 404);
    }
    thread::sleep(Duration::from_millis(300));
    assert_eq!(studio.get("/api/tables").json()["tables"], json!([]));
}

#[test]
fn a_removed_job_does_not_begin() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let jobs: Vec<Value> = (0..3).map(|_| studio.done("/api/jobs", &training(LONG))).collect();
    studio.wait(&at("jobs", &jobs[1], ""), |job| job["state"] == "running");
    assert_eq!(studio.get(&at("jobs", &jobs[2], "")).json()["state"], "queued");
    // The queued one first: the place of the others is free then.
    for job in jobs.iter().rev() {
        assert_eq!(studio.delete(&at("jobs", job, "")).status, 204);
    }
    thread::sleep(Duration::from_secs(1));
    assert_eq!(studio.get("/api/jobs").json()["jobs"], json!([]));
    let mut files = std::fs::read_dir(data.path().join("studio/jobs")).unwrap();
    assert!(files.next().is_none(), "a file is left");
    drop(studio);
    assert_eq!(Studio::at(data.path(), None).get("/api/jobs").json()["jobs"], json!([]));
}

#[test]
fn a_move_that_cannot_be_saved_is_not_played() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let table = studio.table("chess", &["human", "human"]);
    let play =
        |mv: &str, ply: usize| studio.post(&at("tables", &table, "move"), &json!({ "move": mv, "ply": ply }));
    assert_eq!(play("e4", 0).status, 200);
    let before = studio.get(&at("tables", &table, "")).json();
    set_full(data.path(), true);
    assert_unsaved(&play("e5", 1));
    assert_unsaved(&studio.post(&at("tables", &table, "undo"), &json!({})));
    assert_unsaved(&studio.post(&at("tables", &table, "resign"), &json!({})));
    assert_unsaved(&studio.post(&at("tables", &table, "seats"), &json!({ "seats": ["human", "random"] })));
    assert_unsaved(&studio.delete(&at("tables", &table, "")));
    assert_unsaved(&studio.post("/api/tables", &json!({ "game": "chess", "seats": ["human", "human"] })));
    assert_eq!(studio.get(&at("tables", &table, "")).json(), before);
    assert_eq!(studio.get("/api/tables").json()["tables"].as_array().unwrap().len(), 1);
    set_full(data.path(), false);
    assert_eq!(play("e5", 1).status, 200);
    assert_eq!(play("Nf3", 2).status, 200);
    drop(studio);
    let moves = Studio::at(data.path(), None).get(&at("tables", &table, "")).json()["moves"].clone();
    assert_eq!(moves, json!(["e4", "e5", "Nf3"]));
}

#[test]
fn a_program_whose_move_cannot_be_saved_says_so_and_goes_on_later() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let table = studio.table("chess", &["human", "alphabeta:time=500ms"]);
    let document = at("tables", &table, "");
    let thinks = studio.done(&at("tables", &table, "move"), &json!({ "move": "e4", "ply": 0 }));
    assert!(!thinks["thinking"].is_null());
    set_full(data.path(), true);
    // A change that is not saved does not disturb the player.
    assert_unsaved(&studio.post(&at("tables", &table, "undo"), &json!({})));
    assert_eq!(studio.get(&document).json()["thinking"]["began"], thinks["thinking"]["began"]);
    let failed = studio.wait(&document, |table| !table["trouble"].is_null());
    assert_eq!((&failed["ply"], &failed["thinking"]), (&json!(1), &Value::Null));
    assert!(failed["trouble"]["en"].as_str().unwrap().contains("nothing was saved"), "{failed}");
    assert_unsaved(&studio.post(&at("tables", &table, "go"), &json!({})));
    assert_eq!(studio.get(&document).json()["trouble"], failed["trouble"]);
    set_full(data.path(), false);
    let goes_on = studio.done(&at("tables", &table, "go"), &json!({}));
    assert!(goes_on["trouble"].is_null() && !goes_on["thinking"].is_null(), "{goes_on}");
    studio.wait(&document, |table| table["ply"] == 2);
}

#[test]
fn a_game_lost_on_time_is_over_as_soon_as_it_can_be_saved() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let request = json!({ "game": "chess", "seats": ["human", "human"], "clock": { "seconds": 1 } });
    let table = studio.done("/api/tables", &request);
    let document = at("tables", &table, "");
    set_full(data.path(), true);
    studio.wait(&document, |table| !table["trouble"].is_null());
    assert_unsaved(&studio.post(&at("tables", &table, "move"), &json!({ "move": "e4", "ply": 0 })));
    assert_eq!(studio.get(&document).json()["outcome"], Value::Null);
    set_full(data.path(), false);
    let ended = studio.wait(&document, |table| !table["outcome"].is_null());
    assert_eq!((&ended["outcome"]["reason"], &ended["trouble"]), (&json!("time"), &Value::Null));
}

#[test]
fn a_job_that_cannot_be_saved_stays_as_it_is() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), None);
    let (runs, pauses) =
        (studio.done("/api/jobs", &training(LONG)), studio.done("/api/jobs", &training(LONG)));
    studio.wait(&at("jobs", &pauses, ""), |job| job["state"] == "running");
    studio.done(&at("jobs", &pauses, "pause"), &json!({}));
    studio.wait(&at("jobs", &pauses, ""), |job| job["state"] == "paused");
    let short = studio.done("/api/jobs", &training("td-lambda:games=1000,hidden=4,every=100,check=0"));
    set_full(data.path(), true);
    assert_unsaved(&studio.post("/api/jobs", &training(LONG)));
    assert_unsaved(&studio.post(&at("jobs", &runs, "stop"), &json!({})));
    assert_unsaved(&studio.post(&at("jobs", &pauses, "resume"), &json!({})));
    assert_unsaved(&studio.delete(&at("jobs", &pauses, "")));
    assert_eq!(studio.get("/api/jobs").json()["jobs"].as_array().unwrap().len(), 3);
    let state = |job: &Value| studio.get(&at("jobs", job, "")).json()["state"].clone();
    thread::sleep(Duration::from_millis(300));
    assert_eq!((state(&runs), state(&pauses)), (json!("running"), json!("paused")));
    let waits = studio.wait(&at("jobs", &short, ""), |job| !job["error"].is_null());
    assert_eq!(waits["state"], "running", "shown as finished before that is saved");
    set_full(data.path(), false);
    let ended = studio.wait(&at("jobs", &short, ""), |job| job["state"] == "finished");
    assert_eq!(ended["error"], Value::Null);
    assert_eq!(studio.post(&at("jobs", &runs, "stop"), &json!({})).status, 200);
}
