//! Trainings whole and in pieces, on one thread and on several; files that fit and files that do not.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::Referee;
use outplay_games::pushover::Pushover;
use serde_json::Value;

use super::*;
use crate::registry::{AnyGame, TrainPlan, open_game};
use crate::store::Store;
use outplay_runtime::{Progress, Watch};
use outplay_training::TrainingReport;

const METHODS: [&str; 6] = ["td-lambda", "q-learning", "q-lambda", "monte-carlo", "td0", "q-table"];

fn board(game: &str, folder: &Path) -> Box<dyn AnyGame> {
    open_game(game, &Arc::new(Store::at(folder))).unwrap()
}

fn train(
    method: &str,
    out: &Path,
    threads: usize,
    resume: bool,
    watch: Watch<'_>,
) -> Result<TrainingReport, WorkError> {
    let folder = out.parent().unwrap();
    let plan = TrainPlan { method, seed: 5, out, resume, threads: Some(threads) };
    board("pushover", folder).train(&plan, watch)
}

fn bytes_of(out: &Path) -> [Vec<u8>; 2] {
    [out.to_owned(), out.with_extension("run").join("records.jsonl")].map(|path| fs::read(path).unwrap())
}

fn training_method(method: &str) -> String {
    format!("{method}:games=600,every=100,check=6,eps-end=0.1,softmax=150")
}

#[test]
fn every_method_gives_the_same_bytes_on_any_threads_and_after_any_stop() {
    let folder = tempfile::tempdir().unwrap();
    for method in METHODS {
        let method = training_method(method);
        let [one, two, parts] = ["one", "two", "parts"].map(|name| folder.path().join(name));
        train(&method, &one, 1, false, Watch::nobody()).unwrap();
        train(&method, &two, 2, false, Watch::nobody()).unwrap();
        assert_eq!(bytes_of(&one), bytes_of(&two), "{method}");
        let mut resume = false;
        loop {
            let stop = AtomicBool::new(false);
            let show = |progress: Progress<'_>| {
                stop.fetch_or(progress.done.is_multiple_of(200), Ordering::Relaxed);
            };
            if train(&method, &parts, 1, resume, Watch::new(&stop, &show)).unwrap().finished {
                break;
            }
            resume = true;
        }
        assert_eq!(bytes_of(&one), bytes_of(&parts), "{method}");
    }
}

#[test]
fn what_was_learnt_beats_random_moves_and_goes_on_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let [net, table, more] = ["net", "table", "more"].map(|name| folder.path().join(name));
    let score = |report: &TrainingReport| report.last["check"]["score"].as_f64().unwrap();
    let taught = train("td-lambda:games=8000,every=8000,check=200", &net, 1, false, Watch::nobody()).unwrap();
    assert!(score(&taught) > 0.65, "{}", taught.last);
    assert_eq!(taught.size["games"], 8000);
    let against = format!("td-lambda:games=10,every=10,check=20,from={0},against={0}", net.display());
    train(&against, &more, 1, false, Watch::nobody()).unwrap();
    let tabled =
        train("q-table:games=2000,every=2000,check=20,second=td0", &table, 1, false, Watch::nobody());
    assert!(tabled.unwrap().last["states"][1].as_u64().unwrap() > 1000);
    for player in [
        format!("selftaught:file={},eps=0.05", net.display()),
        format!("alphabeta:depth=2,eval=net,file={}", net.display()),
        format!("net:depth=1,file={}", net.display()),
        format!("table:file={}", table.display()),
    ] {
        board("pushover", folder.path()).entrants(&[player], Watch::nobody()).unwrap();
    }
}

#[test]
fn files_of_other_boards_and_other_things_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [net, text, other_text] = ["net.npz", "text", "other"].map(|name| folder.path().join(name));
    train("td-lambda:games=5,every=5,check=0", &net, 1, false, Watch::nobody()).unwrap();
    let start = Pushover::<4>::START.write();
    fs::write(&text, format!("start {start}\nfirst 0.5 ................A+\nthird 2 ....\n")).unwrap();
    let refusal = |game: &str, player: String| {
        board(game, folder.path()).entrants(&[player], Watch::nobody()).err().unwrap().to_string()
    };
    let other = refusal("pushover:size=5", format!("selftaught:file={}", net.display()));
    assert!(other.ends_with("is not a network to play with: its N is 4, expected 5"), "{other}");
    let nonsense = refusal("pushover", format!("selftaught:file={}", text.display()));
    assert!(
        nonsense.ends_with(&format!("it is a table, expected table:file={}", text.display())),
        "{nonsense}"
    );
    fs::write(&other_text, "nonsense").unwrap();
    let nonsense = refusal("pushover", format!("selftaught:file={}", other_text.display()));
    assert!(nonsense.contains("it is not an .npz file"), "{nonsense}");
    let table = refusal("pushover", format!("table:file={}", text.display()));
    assert!(table.contains("is not a table of this game: line "), "{table}");
    fs::write(&text, "start elsewhere\n").unwrap();
    let table = refusal("pushover", format!("table:file={}", text.display()));
    assert!(table.ends_with(&format!("line 1: 'start elsewhere', expected 'start {start}'")), "{table}");
    let both = train(
        &format!("td-lambda:from={},hidden=10", net.display()),
        &folder.path().join("both"),
        1,
        false,
        Watch::nobody(),
    );
    assert!(both.unwrap_err().to_string().contains("hidden= has no effect with from="));
}

/// What rides along in a file says how it was made, for a reader of the file.
#[test]
fn a_file_tells_its_history() {
    let game = Referee { start: Pushover::<4>::START, repetitions: None, max_plies: Some(50) };
    let config = TrainingConfig {
        hidden: 7,
        activation: outplay_nn::Activation::Swish,
        ..TrainingConfig::of_document("colours", 20)
    };
    let mut training = NetworkTraining::new(&game, config, 11);
    let played = training.learn(20);
    assert_eq!(played.first + played.second + played.draws, 20);
    let file = NpzNetwork::read(&outplay_training::Training::product(&training)).unwrap();
    assert_eq!(file.network, training.network());
    assert_eq!(file.encoding.as_deref(), Some("colours"));
    let history = file.history.unwrap();
    assert_eq!(
        history,
        "td-lambda games=20 hidden=7 activation=swish deviation=0.0001 encoding=colours alpha=0.4 eps=0.3 noise=0 lambda=0.9 \
         ends=judged, seed 11"
    );
    let bytes = outplay_training::Training::product(&training);
    let told = |training: &NetworkTraining<Pushover<4>>| {
        NpzNetwork::read(&outplay_training::Training::product(training)).unwrap().history.unwrap()
    };
    let config = TrainingConfig::of_document("colours", 20);
    let mut again = NetworkTraining::new(&game, config, 12).continued_from(&bytes, "it").unwrap();
    assert_eq!(told(&again), history);
    again.learn(3);
    let then = "td-lambda games=20 alpha=0.4 eps=0.3 noise=0 lambda=0.9 ends=judged, seed 12, after 3 games";
    assert_eq!(told(&again), format!("{history}; then {then}"));
    let record: Value = played.record(20, check::Checked::default());
    assert_eq!(record["games"], 20);
}

/// The exact solution is one more measure of a learner, and what a file says of looking ahead is done.
#[test]
fn a_learner_takes_an_exam_and_looks_ahead_as_its_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net.npz");
    let board = board("quoridor:size=3,walls=1", folder.path());
    let method = "td-lambda:games=3000,every=1000,check=0,exam=80,depth=3";
    let plan = TrainPlan { method, seed: 5, out: &out, resume: false, threads: None };
    let last = board.train(&plan, Watch::nobody()).unwrap().last;
    assert_eq!(last["exam"]["problems"], 80);
    assert!(last["exam"]["share"].as_f64().unwrap() > 0.5, "{last}");
    assert!(last.get("check").is_none(), "{last}");

    let file = NpzNetwork::read(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(file.number(DEPTH_FIELD), Some(3));
    let player = |more: &str| format!("net:file={}{more}", out.display());
    let check = |player: String| board.entrants(&[player], Watch::nobody()).map(drop);
    check(player(",eps=0.1")).unwrap();
    check(player(",depth=1,noise=0.1,ends=known")).unwrap();
    let refused = check(player(",noise=0.1")).unwrap_err().to_string();
    assert_eq!(refused, "noise= has no effect on a search of 3 plies: expected depth=1 beside it");

    let damaged =
        NpzNetwork { numbers: vec![("N".into(), 3), ("WALLS".into(), 1), ("DEPTH".into(), 0)], ..file };
    fs::write(&out, damaged.write().unwrap()).unwrap();
    let refused = check(player("")).unwrap_err().to_string();
    assert!(refused.ends_with("its DEPTH is 0, expected a whole number from 1 to 64"), "{refused}");
    let alone = TrainPlan { method: "td-lambda:over=5", ..plan };
    let refused = board.train(&TrainPlan { out: &folder.path().join("alone"), ..alone }, Watch::nobody());
    assert!(refused.unwrap_err().to_string().starts_with("over= has no effect alone"));
    let unsolved = TrainPlan { method: "td0:exam=5", ..plan };
    let refused = crate::registry::open_game("quoridor", &Arc::new(Store::at(folder.path())))
        .unwrap()
        .train(&TrainPlan { out: &folder.path().join("large"), ..unsolved }, Watch::nobody());
    assert!(refused.unwrap_err().to_string().contains("too large to be solved"));
}
