//! Requests that are generated from the description: valid ones, and ones that are wrong on purpose.
//!
//! schemathesis sends them and compares the answers with the description. `tests/schemathesis_hooks.py` gives it names that the
//! studio knows and keeps the work small.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Studio;

const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/schemathesis.toml");
const HOOKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/schemathesis_hooks.py");

/// How many requests there have to be.
const LEAST_REQUESTS: u64 = 2000;
/// How many operations have to succeed at least once. Some would need a WebSocket, a finished run of a paper, or a player that thinks
/// or a job that runs at that moment.
const LEAST_DONE: usize = 34;
/// It takes about a minute.
const LONGEST: Duration = Duration::from_mins(5);

#[test]
fn generated_requests_are_answered_as_described() {
    let Some(python) = outplay_testing::python_with("schemathesis") else { return };
    let studio = Studio::new();
    let folder = tempfile::tempdir().unwrap();
    let [known, counts, output] =
        ["known.json", "counts.json", "output.txt"].map(|name| folder.path().join(name));
    fs::write(&known, known_names(&studio).to_string()).unwrap();
    let written = File::create(&output).unwrap();
    let client = Command::new(python)
        .args(["-m", "schemathesis.cli", "--config-file", CONFIG, "run"])
        .arg(format!("http://{}/api/openapi.json", studio.address))
        .envs([
            ("SCHEMATHESIS_HOOKS", Path::new(HOOKS)),
            ("OUTPLAY_KNOWN", &known),
            ("OUTPLAY_COUNTS", &counts),
        ])
        .current_dir(folder.path())
        .stdout(written.try_clone().unwrap())
        .stderr(written)
        .spawn()
        .unwrap();
    let status = wait(client);
    let said = fs::read_to_string(&output).unwrap();
    assert!(status.success(), "{said}");
    let counts: Value = serde_json::from_str(&fs::read_to_string(&counts).unwrap()).unwrap();
    let requests = counts["requests"].as_u64().unwrap();
    assert!(requests >= LEAST_REQUESTS, "{requests} requests\n{said}");
    assert!(counts["lines"].as_u64() > Some(0), "no answer had JSON lines");
    let answers = counts["answers"].as_object().unwrap();
    let is_done = |of: &&Value| of.as_object().unwrap().keys().any(|status| status.starts_with('2'));
    let done = answers.values().filter(is_done).count();
    assert!(done >= LEAST_DONE, "only {done} operations succeeded: {answers:?}");
    eprintln!(
        "{requests} requests, {done} of {} operations succeeded, {} lines",
        answers.len(),
        counts["lines"]
    );
}

/// Waits for the client, and ends it if it takes too long.
fn wait(mut client: Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = client.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > LONGEST {
            client.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Tables, jobs and names that are there, for the hooks. What is removed is taken from the spare ones.
fn known_names(studio: &Studio) -> Value {
    let id = |made: Value| made["id"].as_str().unwrap().to_owned();
    let mine = "minesweeper:rows=4,cols=4,mines=3";
    let boards = [("tictactoe", 2), ("chess", 2), ("pushover", 2), ("quoridor:size=3,walls=1", 2), (mine, 1)];
    let table = |&(game, seats): &(&str, usize)| id(studio.table(game, &["human", "human"][..seats]));
    let tables: Vec<String> = boards.iter().chain(&boards[..1]).map(table).collect();
    studio.done(&format!("/api/tables/{}/move", tables[4]), &json!({ "move": "a1", "ply": 0 }));
    let spare_tables: Vec<String> = (0..8).map(|_| table(&boards[0])).collect();

    let train = |games: u64| {
        let method = format!("td-lambda:games={games},hidden=4,every=10,check=0");
        json!({ "kind": "training", "game": "quoridor:size=3,walls=1", "method": method })
    };
    let meet = json!({ "kind": "tournament", "game": "tictactoe", "players": ["random", "alphabeta:depth=1"], "games": 2 });
    let job = |request: &Value| id(studio.done("/api/jobs", request));
    let (trained, played) = (job(&train(20)), job(&meet));
    let spare_jobs: Vec<String> = (0..8).map(|_| job(&meet)).collect();
    for finished in spare_jobs.iter().chain([&trained, &played]) {
        studio.wait(&format!("/api/jobs/{finished}"), |job| job["state"] == "finished");
    }
    let halted = job(&train(2000));
    studio.post(&format!("/api/jobs/{halted}/pause"), &json!({}));

    let papers = studio.get("/api/papers").json()["papers"].clone();
    let slugs: Vec<&str> =
        papers.as_array().unwrap().iter().filter_map(|paper| paper["slug"].as_str()).collect();
    let artefacts: Vec<&str> = papers
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|paper| paper["artefacts"][0]["id"].as_str()?.split_once('/').map(|(_, name)| name))
        .collect();
    let network: String = studio
        .bytes(&format!("/api/jobs/{trained}/product"))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    json!({
        "network": network,
        "games": boards.iter().copied().collect::<std::collections::BTreeMap<_, _>>(),
        "tables": tables,
        "spare_tables": spare_tables,
        "jobs": [trained, played, halted],
        "spare_jobs": spare_jobs,
        "papers": slugs,
        "artefacts": artefacts,
        "texts": ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1. e4 e5 2. Nf3", "{\"game\": \"tictactoe\", \"moves\": [\"b2\"]}"],
    })
}
