//! The binary as a user meets it: results, refusals, interruptions.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A data directory of its own for each test.
struct Lab(TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outplay"));
        command.args(arguments).env("OUTPLAY_DATA", self.0.path().join("data")).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// One sentence on standard error, exit code 2, nothing on standard output.
    fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {sentence}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(sentence.trim_end().lines().count(), 1, "{arguments:?}: {sentence}");
        assert!(!sentence.contains("panicked"), "{sentence}");
        sentence
    }

    /// Plays with these words typed.
    fn typed(&self, arguments: &[&str], words: &str) -> String {
        let mut child = self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn bad_input_gets_one_sentence() {
    let lab = Lab::new();
    let out = lab.path("out");
    for (arguments, expected) in [
        (&["play", "ches"][..], "unknown game 'ches': expected one of"),
        (&["perft", "pushover:size=6", "2"], "size=6: expected a whole number from 4 to 5"),
        (&["perft", "pushover:sise=4", "2"], "no parameter 'sise'"),
        (&["perft", "pushover", "x"], "'x'"),
        (&["perft", "pushover", "2", "--position", "xyz"], "'xyz' is not a position"),
        (&["match", "pushover", "random", "expertt"], "unknown player 'expertt': expected one of random"),
        (&["match", "pushover", "random", "mcts:sim=3"], "no parameter 'sim'"),
        (&["match", "pushover", "random", "mcts:sims=0"], "sims=0: expected a whole number from 1"),
        (&["match", "pushover", "random", "mcts:time=3"], "time=3: expected a time such as"),
        (&["match", "pushover", "random", "expert:eval=net"], "no parameter 'eval'"),
        (&["match", "pushover", "random", "minimax:eval=foo"], "unknown evaluator 'foo'"),
        (&["match", "pushover", "random", "net:file=/nonexistent"], "/nonexistent"),
        (&["match", "pushover", "random"], "1 players were named, but the game expects 2"),
        (&["match", "pushover", "random", "random", "--games", "0"], "'0'"),
        (&["match", "pushover", "random", "random", "--threads", "0"], "expected 1 to 1024"),
        (&["match", "pushover", "random", "random", "--sprt", "5"], "--sprt 5: expected two Elo"),
        (&["match", "pushover", "random", "random", "--sprt", "5,1"], "--sprt 5,1"),
        (&["match", "pushover", "random", "human"], "unknown player 'human'"),
        (&["tournament", "pushover", "random", "random"], "named twice"),
        (&["solve", "pushover:size=5"], "not solved"),
        (&["solve", "pushover", "--position", "oooo"], "'oooo' is not a position"),
        (&["analyse", "pushover", "--position", "oooo............Ao"], "the game is over"),
        (&["train", "pushover", "adam", "--out", &out], "unknown method 'adam': expected one of bfgs"),
        (&["train", "pushover", "bfgs", "hidden=0", "--out", &out], "hidden=0"),
        (&["train", "pushover", "bfgs", "--out", &out, "--resume"], "config.json"),
        (&["data", "pushover"], "--out"),
        (&["data", "pushover", "--describe", "/nonexistent"], "/nonexistent"),
        (&["reproduce", "newton-1687"], "unknown paper 'newton-1687'"),
        (&["reproduce", "mueller-1992/table-9"], "table-9"),
        (&["reproduce", "--scale", "huge"], "'huge'"),
        (&["frobnicate"], "'frobnicate'"),
        (&["games", "--frob"], "'--frob'"),
        (&["replay", "/nonexistent"], "/nonexistent"),
    ] {
        let sentence = lab.refusal(arguments);
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
    }
    assert!(!Path::new(&out).exists(), "a refused command writes nothing");
}

#[test]
fn damaged_files_are_refused_by_name_and_line() {
    let lab = Lab::new();
    let (network, database, games) = (lab.path("net"), lab.path("db"), lab.path("games"));
    fs::write(&network, b"not a network").unwrap();
    assert!(lab.refusal(&["match", "pushover", "random", &format!("net:file={network}")]).contains(&network));
    fs::write(&database, "o...............Ao  0.142\nrubbish here\n").unwrap();
    let sentence =
        lab.refusal(&["train", "pushover", "bfgs", &format!("db={database}"), "--out", &lab.path("out")]);
    assert!(sentence.contains("line 2") && sentence.contains("rubbish"), "{sentence}");
    assert!(lab.refusal(&["data", "pushover", "--describe", &database]).contains("line 2"));
    fs::write(&games, "{\"format\":1}\n{}\n").unwrap();
    assert!(lab.refusal(&["ratings", &games]).contains("line 1"));
}

#[test]
fn a_full_disk_loses_nothing() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let lab = Lab::new();
    for arguments in [
        &["data", "pushover", "games=5", "--out", "/dev/full"][..],
        &["match", "pushover", "random", "random", "--games", "2", "--record", "/dev/full"],
    ] {
        let sentence = lab.refusal(arguments);
        assert!(sentence.contains("/dev/full") && sentence.contains("space"), "{sentence}");
    }
}

#[test]
fn listings_name_every_parameter() {
    let lab = Lab::new();
    let games = lab.json(&["games"]);
    assert_eq!(games[0]["name"], "pushover");
    assert_eq!(games[0]["parameters"][0]["default"], "4");
    let offer = lab.json(&["players", "pushover"]);
    let names: Vec<&str> =
        offer["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random", "greedy", "minimax", "alphabeta", "mcts", "expert", "net", "perfect"]);
    assert_eq!(offer["methods"][0]["name"], "bfgs");
}

#[test]
fn questions_have_the_promised_fields() {
    let lab = Lab::new();
    assert_eq!(lab.json(&["perft", "pushover", "4"])["nodes"], 65536);
    let divided = lab.json(&["perft", "pushover", "3", "--divide"]);
    assert_eq!(divided["divide"].as_array().unwrap().len(), 16);

    let analysis = lab.json(&["analyse", "pushover", "--player", "alphabeta:depth=4,candidates=16"]);
    assert_eq!(analysis["candidates"].as_array().unwrap().len(), 16);
    assert!(analysis["value"].as_f64().is_some());
    assert_eq!(analysis["best"], analysis["candidates"][0]["move"]);

    let solution = lab.json(&["solve", "pushover"]);
    assert_eq!((&solution["value"], &solution["distance"]), (&"win".into(), &17.into()));
    assert_eq!(solution["moves"].as_array().unwrap().len(), 16);
    assert_eq!(solution["line"].as_array().unwrap().len(), 17);
    assert!(solution["counts"]["boards"]["wins"].as_u64().unwrap() > 0);
    let without = lab.json(&["solve", "pushover", "--no-ko"]);
    assert_eq!((&without["value"], &without["distance"]), (&"draw".into(), &Value::Null));
}

/// The table of the exact solution is checked on load and rebuilt when it is damaged.
#[test]
fn a_damaged_table_is_rebuilt() {
    let lab = Lab::new();
    let before = lab.json(&["solve", "pushover"]);
    let path = lab.0.path().join("data/tables/pushover-4x4.bin");
    let good = fs::read(&path).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(lab.json(&["solve", "pushover"]), before);
    assert!(fs::read(&path).unwrap() == good);
}

#[test]
fn matches_repeat_on_any_number_of_threads_and_can_be_replayed_and_rated() {
    let lab = Lab::new();
    let (one, two) = (lab.path("one"), lab.path("two"));
    let play = |threads, record: &str| {
        let arguments =
            ["match", "pushover", "mcts:sims=40", "expert:depth=1", "--games", "20", "--seed", "9"];
        let options = ["--random-plies", "4", "--threads", threads, "--record", record];
        lab.json(&[&arguments[..], &options[..]].concat())
    };
    let result = play("1", &one);
    assert_eq!(result, play("3", &two));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let count = |name| result[name].as_u64().unwrap();
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (20, 20));
    assert!(["elo", "elo_low", "elo_high"].iter().all(|name| result.get(name).is_some()));

    let replay = lab.run(&["replay", &one, "--game", "7"]);
    assert!(replay.status.success());
    assert!(String::from_utf8_lossy(&replay.stdout).contains("wins"));
    let ratings = lab.json(&["ratings", &one, &two]);
    assert_eq!(ratings["players"].as_array().unwrap().len(), 2);
    assert!(lab.refusal(&["replay", &one, "--game", "21"]).contains("has 20 games"));
}

#[test]
fn tournaments_have_a_cross_table() {
    let lab = Lab::new();
    let players = ["tournament", "pushover", "random", "expert:depth=1", "expert:depth=2"];
    let result = lab.json(&[&players[..], &["--games", "10", "--random-plies", "4"]].concat());
    assert_eq!(result["standings"].as_array().unwrap().len(), 3);
    assert_eq!(result["ratings"]["players"][2]["name"], "random");
}

#[test]
fn sprt_ends_a_match_early() {
    let lab = Lab::new();
    let players = ["match", "pushover", "expert:depth=2", "random", "--games", "100000"];
    let result = lab.json(&[&players[..], &["--sprt", "0,50", "--random-plies", "2"]].concat());
    assert!(result["games"].as_u64().unwrap() < 1000);
    assert_eq!(result["sprt"]["verdict"], "accept_h1");
}

#[test]
fn a_game_can_be_played_at_the_keyboard() {
    let lab = Lab::new();
    let screen =
        lab.typed(&["play", "pushover", "--second", "human"], "a\nundo\nhint\nmoves\nz\nb\nb\nquit\n");
    assert!(screen.contains("would play"), "{screen}");
    assert!(screen.contains("A B C D E F G H I J K L M N O P"), "{screen}");
    assert!(screen.contains("'z' is not a move: expected a letter from A to P"), "{screen}");
    let forbidden = lab.typed(
        &["play", "pushover", "--first", "human", "--second", "human", "--position", "+ooo...+...o...Eo"],
        "a\ne\nquit\n",
    );
    assert!(forbidden.contains("'E' is forbidden by the rule against repetition"), "{forbidden}");
    let against = lab.typed(&["play", "pushover", "--second", "random"], "undo\na\nundo\nb\nquit\n");
    assert!(against.contains("there is no move to take back") && against.contains("+ plays"), "{against}");
}

#[test]
fn the_tour_plays_a_game_to_its_end() {
    let lab = Lab::new();
    let output = lab.run(&[]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("wins after"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("What to try next"));
}

#[test]
fn data_bases_are_written_read_and_taught() {
    let lab = Lab::new();
    let (database, network) = (lab.path("games.txt"), lab.path("net"));
    let made = lab.json(&["data", "pushover", "games=60", "--out", &database, "--seed", "3"]);
    let told = lab.json(&["data", "pushover", "--describe", &database]);
    assert_eq!(made["positions"], told["positions"]);
    let lesson = ["train", "pushover", "bfgs", "positions=300", "iterations=20"];
    let taught = lab.json(&[&lesson[..], &[&format!("db={database}"), "--out", &network]].concat());
    assert_eq!(taught["samples"], 300);
    assert_eq!(taught["out"], network);
    let net = format!("net:file={network},depth=1");
    assert_eq!(lab.json(&["match", "pushover", &net, "random", "--games", "4"])["games"], 4);
}

/// Ctrl-C in the middle of a training leaves a checkpoint; going on gives the same bytes as never stopping.
#[cfg(unix)]
#[test]
fn an_interrupted_training_resumes_to_the_same_bytes() {
    let lab = Lab::new();
    let (whole, parts) = (lab.path("whole"), lab.path("parts"));
    let lesson =
        ["train", "pushover", "bfgs:encoding=features", "games=200", "positions=800", "iterations=400"];
    lab.json(&[&lesson[..], &["--out", &whole]].concat());

    let mut child =
        lab.command(&[&lesson[..], &["--out", &parts]].concat()).stderr(Stdio::null()).spawn().unwrap();
    let records = format!("{parts}.run/records.jsonl");
    let patience = Instant::now();
    while fs::metadata(&records).map_or(0, |file| file.len()) < 500
        && patience.elapsed() < Duration::from_secs(30)
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    let interrupted =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success();
    let code = child.wait().unwrap().code();
    assert!(interrupted && code == Some(130), "the training ended with {code:?}");
    assert!(lab.refusal(&[&lesson[..], &["--out", &parts]].concat()).contains("--resume"));
    lab.json(&[&lesson[..], &["--out", &parts, "--resume"]].concat());
    assert_eq!(fs::read(&parts).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read(&records).unwrap(), fs::read(format!("{whole}.run/records.jsonl")).unwrap());
}
