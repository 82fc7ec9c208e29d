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

const METHODS: [&str; 7] =
    ["td-lambda", "q-learning", "q-lambda", "monte-carlo", "td0", "q-table", "win-rate"];

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

/// §2.6: learning against random moves, a file, and somebody at a keyboard.
#[test]
fn opponents_are_met_and_nobody_else_learns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [net, table, one, two, parts] = ["net", "table", "one", "two", "parts"].map(path);
    train("td-lambda:games=40,every=40,check=0", &net, 1, false, Watch::nobody()).unwrap();
    train("q-table:games=40,every=40,check=0", &table, 1, false, Watch::nobody()).unwrap();
    for (opponent, head) in [
        ("second=random".to_owned(), "second=random"),
        (format!("first={},swap=yes,opponent-eps=0.2", net.display()), "first="),
        (format!("second={}", table.display()), "second="),
    ] {
        let method = format!("td-lambda:games=200,every=50,check=4,{opponent}");
        train(&method, &one, 1, false, Watch::nobody()).unwrap();
        train(&method, &two, 2, false, Watch::nobody()).unwrap();
        assert_eq!(bytes_of(&one), bytes_of(&two), "{method}");
        let history = NpzNetwork::read(&fs::read(&one).unwrap()).unwrap().history.unwrap();
        assert!(history.contains(head), "{history}");
    }
    let lines = |path: &Path, seat: &str| {
        fs::read_to_string(path).unwrap().lines().filter(|line| line.starts_with(seat)).count()
    };
    for (method, seats) in [
        ("monte-carlo:games=30,every=30,check=0,second=random", [true, false]),
        ("win-rate:games=30,every=30,check=0,first=random,second=td0", [false, true]),
        ("td0:games=30,every=30,check=0,second=random,swap=yes,second-eps=0.2", [true, true]),
    ] {
        train(method, &parts, 1, false, Watch::nobody()).unwrap();
        let learnt = ["first ", "second "].map(|seat| lines(&parts, seat) > 0);
        assert_eq!(learnt, seats, "{method}");
        fs::remove_dir_all(parts.with_extension("run")).unwrap();
    }
    for (method, expected) in [
        ("td-lambda:first=random,second=random", "first= and second= leave no seat"),
        ("td-lambda:swap=yes", "swap= has no effect without an opponent"),
        ("td-lambda:second=human", "there is nobody at a keyboard"),
        ("td0:second=random,second-eps=0.1", "second-eps= has no effect with an opponent"),
        ("td0:second=random,opponent-eps=0.1", "opponent-eps= has no effect with random"),
        ("win-rate:alpha=0.1", "alpha= has no effect with win-rate"),
        ("td-lambda:notes=no,depth=3", "depth=3 cannot be told from a file without notes"),
        ("td-lambda:notes=no,activation=relu", "activation=relu cannot be told"),
        ("td-lambda:second=/nonexistent", "/nonexistent"),
    ] {
        let refusal = train(method, &path("refused"), 1, false, Watch::nobody()).unwrap_err().to_string();
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{refusal}");
    }
}

/// Types the same move again and again, and leaves after some.
#[derive(Debug)]
struct Typist(std::sync::Mutex<u32>);

impl crate::keyboard::Keyboard for Typist {
    fn ask(&self, question: &crate::keyboard::MoveQuestion) -> Option<String> {
        let mut left = self.0.lock().unwrap();
        *left = left.checked_sub(1)?;
        assert!(question.picture.contains('\n'));
        // Every second answer is nonsense, and is asked for again.
        assert_eq!(question.refusal.is_some(), left.is_multiple_of(2), "{question:?}");
        Some(if left.is_multiple_of(2) { "c4".into() } else { "nonsense".into() })
    }
}

#[test]
fn a_person_teaches_until_they_leave() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net.npz");
    let store = Store::at(folder.path()).with_keyboard(Arc::new(Typist(2.into())));
    let board = open_game("quoridor:size=5,walls=0", &Arc::new(store)).unwrap();
    let method = "td-lambda:games=3,check=0,second=human";
    let plan = TrainPlan { method, seed: 5, out: &out, resume: false, threads: None };
    // One legal move, c4, is typed; then the person leaves, and the training stops as if it had been asked to.
    assert!(!board.train(&plan, Watch::nobody()).unwrap().finished);
}

/// The files that the course's programs read: the board, W1, W2, and nothing else.
#[test]
fn a_file_without_notes_has_the_courses_four_fields() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net.npz");
    let board = board("quoridor:size=5,walls=3", folder.path());
    let method = "td-lambda:games=5,check=0,hidden=7,notes=no";
    let plan = TrainPlan { method, seed: 5, out: &out, resume: false, threads: None };
    board.train(&plan, Watch::nobody()).unwrap();
    let bytes = fs::read(&out).unwrap();
    let file = NpzNetwork::read(&bytes).unwrap();
    assert_eq!((file.encoding, file.history), (None, None));
    assert_eq!(file.numbers, [("N".to_owned(), 5), ("WALLS".to_owned(), 3)]);
    assert_eq!(file.network.architecture().inputs, 90);
    // The names of all entries of the archive.
    let names: Vec<&str> = ["N", "WALLS", "W1", "W2", "ACTIVATION", "ENCODING", "HISTORY", "DEPTH"]
        .into_iter()
        .filter(|name| {
            let entry = format!("{name}.npy");
            bytes.windows(entry.len()).any(|window| window == entry.as_bytes())
        })
        .collect();
    assert_eq!(names, ["N", "WALLS", "W1", "W2"]);
    board.entrants(&[format!("net:file={}", out.display())], Watch::nobody()).unwrap();
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

/// Chess is learnt by every method, and its networks and tables are played with.
#[test]
fn chess_is_learnt_by_every_method() {
    let folder = tempfile::tempdir().unwrap();
    let chess = board("chess:plies=60", folder.path());
    for method in METHODS {
        let out = folder.path().join(method);
        let asked = format!("{method}:games=6,every=3,check=2");
        let plan = TrainPlan { method: &asked, seed: 5, out: &out, resume: false, threads: Some(1) };
        assert!(chess.train(&plan, Watch::nobody()).unwrap().finished, "{method}");
        let player = if METHODS[..3].contains(&method) { "net" } else { "table" };
        let player = format!("{player}:file={}", out.display());
        chess.entrants(&[player], Watch::nobody()).unwrap();
    }
    let refusal = board("othello:size=8", folder.path())
        .entrants(&[format!("net:file={}", folder.path().join("td-lambda").display())], Watch::nobody())
        .err()
        .unwrap()
        .to_string();
    assert!(refusal.contains("its encoding is 'pieces'"), "{refusal}");
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
    let played = training.learn(20, Watch::nobody()).unwrap();
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
    again.learn(3, Watch::nobody()).unwrap();
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
