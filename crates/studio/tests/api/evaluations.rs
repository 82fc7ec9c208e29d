//! Evaluations of models: a job like others, with numbers and figures at its end.

use serde_json::{Value, json};

use crate::client::Studio;

const SMALL: &str = "subgrids:samples=200,masks=2,layers=4,flags=yes";

fn trained(studio: &Studio, game: &str, method: &str) -> String {
    let job = studio.done("/api/jobs", &json!({ "kind": "training", "game": game, "method": method }));
    let id = job["id"].as_str().unwrap().to_owned();
    studio.wait(&format!("/api/jobs/{id}"), |job| job["state"] == "finished");
    id
}

fn wish(model: &str, evaluation: &str) -> Value {
    json!({ "kind": "evaluation", "game": "minesweeper", "model": model, "evaluation": evaluation })
}

#[test]
fn a_model_is_evaluated_and_what_was_found_stays() {
    let studio = Studio::new();
    let model = trained(&studio, "minesweeper", SMALL);
    let catalogue = studio.get("/api/catalogue").json();
    let minesweeper =
        catalogue["games"].as_array().unwrap().iter().find(|game| game["name"] == "minesweeper");
    assert_eq!(minesweeper.unwrap()["evaluation"]["name"], "evaluate");
    let models = studio.get("/api/models?game=minesweeper").json();
    assert_eq!(models["models"][0]["evaluable"], true, "{models}");
    let job = studio.done("/api/jobs", &wish(&model, "evaluate:samples=100,games=5,heat=2"));
    let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let ended = studio.wait(&path, |job| job["state"] == "finished");
    let result = &ended["result"];
    assert_eq!(result["numbers"]["scores"]["games"], 5, "{result}");
    let names: Vec<&str> =
        result["figures"].as_array().unwrap().iter().map(|figure| figure["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["network-errors", "network-scatter", "scores", "heat-map"]);
    for figure in result["figures"].as_array().unwrap() {
        for language in ["en", "fr"] {
            assert!(figure["svg"][language].as_str().unwrap().starts_with("<svg"), "{figure}");
        }
        assert_ne!(figure["caption"]["en"], figure["caption"]["fr"]);
    }
    let list = studio.get("/api/jobs?kind=evaluation").json();
    assert_eq!((list["jobs"].as_array().unwrap().len(), &list["jobs"][0]["result"]), (1, &Value::Null));
    assert_eq!(&studio.reopened().get(&path).json()["result"], result);
}

#[test]
fn an_evaluation_is_stopped_and_cannot_be_paused() {
    let studio = Studio::new();
    let model = trained(&studio, "minesweeper", SMALL);
    let job = studio.done("/api/jobs", &wish(&model, "evaluate:samples=100,games=10000000"));
    let path = |act: &str| format!("/api/jobs/{}{act}", job["id"].as_str().unwrap());
    let running = studio.wait(&path(""), |job| job["progress"]["unit"] == "games");
    assert_eq!(running["can"], json!(["stop"]));
    assert_eq!(studio.post(&path("/pause"), &json!({})).status, 422);
    studio.done(&path("/stop"), &json!({}));
    studio.wait(&path(""), |job| job["state"] == "stopped" && job["result"].is_null());
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let studio = Studio::new();
    let model = trained(&studio, "minesweeper", SMALL);
    let quoridor = trained(&studio, "quoridor:size=3,walls=1", "td-lambda:games=50,hidden=4");
    let models = studio.get("/api/models?game=quoridor").json();
    assert_eq!(models["models"][0]["evaluable"], false, "{models}");
    let refused = |request: &Value| {
        let answer = studio.post("/api/jobs", request);
        (answer.status, answer.message())
    };
    let (status, message) = refused(&wish("aaaaaaaa", "evaluate"));
    assert!(status == 422 && message.starts_with("there is no model 'aaaaaaaa'"), "{message}");
    let (status, message) = refused(&wish(&quoridor, "evaluate"));
    assert!(status == 422 && message.starts_with(&format!("the model '{quoridor}' cannot")), "{message}");
    assert!(!message.contains(".model"), "no path is told: {message}");
    let (status, message) = refused(&wish(&model, "evaluate:samples=1"));
    assert!(status == 422 && message.contains("samples=1"), "{message}");
    let other = json!({ "kind": "evaluation", "game": "tictactoe", "model": model });
    let (status, message) = refused(&other);
    assert!(status == 422 && message.contains("tictactoe"), "{message}");
}
