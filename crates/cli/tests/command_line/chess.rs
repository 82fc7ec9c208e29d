//! Chess at the terminal: what is refused and how, what is passed over, what is shown.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::lab::Lab;

/// A file that comes with the program.
fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn what_is_no_position_is_refused() {
    let lab = Lab::new();
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a8"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "black is in check and not to move"),
    ] {
        for command in [&["analyse", "chess"][..], &["perft", "chess", "2"], &["play", "chess"]] {
            let sentence = lab.refusal(&[command, &["--position", fen]].concat());
            assert!(sentence.contains(expected), "{command:?} {fen}: {sentence}");
        }
    }
}

#[test]
fn a_game_with_an_illegal_move_is_passed_over_and_named() {
    let lab = Lab::new();
    let (games, set) = (lab.path("games.pgn"), lab.path("set"));
    let game = |moves: &str| format!("[Event \"x\"]\n\n{moves} *\n\n");
    let good = "1. e4 {+0.30/8 0.01s} e5 {-0.30/8 0.01s}";
    let bad = "1. e4 {+0.30/8 0.01s} e5 {-0.30/8 0.01s} 2. Ke4 {+0.10/8 0.01s}";
    fs::write(&games, [game(good), game(bad), game(good)].concat()).unwrap();
    let report = lab.json(&["data", "chess", &format!("pgn={games}"), "--out", &set]);
    assert_eq!((report["games"].as_u64(), report["damaged_games"].as_u64()), (Some(2), Some(1)));
    let damage = report["first_damage"].as_str().unwrap();
    assert!(damage.contains("Ke4") && damage.contains("line 7"), "{damage}");

    let whole = fs::read(&set).unwrap();
    fs::write(&set, &whole[..whole.len() - 9]).unwrap();
    for command in [&["data", "chess", "--describe", &set][..], &["evaluate", "chess", &set]] {
        assert!(lab.refusal(command).contains("cut short"), "{command:?}");
    }
    let trained = lab.path("net");
    let training = ["train", "chess", "net", &format!("data={set}"), "--out", &trained];
    assert!(lab.refusal(&training).contains("cut short"));
    assert!(!fs::exists(&trained).unwrap());
}

/// A network is examined by the games that its own seed kept apart, and no line is wider than a terminal.
#[test]
fn a_network_is_examined_by_what_it_has_not_seen() {
    let lab = Lab::new();
    let net = model("chess-net.safetensors");
    let own = lab.json(&["evaluate", "chess", &net]);
    assert_eq!(own["seed"], 1, "models/README.md says so");
    for (more, expected) in [
        (&["--seed", "2"][..], "seed=2: the network was taught with seed=1"),
        (&["split=position"], "split=position: the network was taught with split=game"),
        (&["fresh=yes"], "the network was taught with this set"),
        (&["sees=document"], "sees= is for neighbours"),
    ] {
        let sentence = lab.refusal(&[&["evaluate", "chess", &net], more].concat());
        assert!(sentence.contains(expected), "{sentence}");
    }
    let shown = String::from_utf8(lab.run(&["evaluate", "chess", &net]).stdout).unwrap();
    assert!(shown.contains("class_6: precision") && shown.contains("confusion"), "{shown}");
    assert!(!shown.contains('['), "lists are for programs: {shown}");
}

/// Needs a machine with too little memory for the table; the test reads the free memory where the program does.
#[test]
fn a_table_larger_than_memory_is_refused() {
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    if free.is_none_or(|free| free.parse::<u64>().unwrap() > 60 << 20) {
        outplay_testing::skip("this machine has more than 60 GiB of free memory, or does not say how much");
        return;
    }
    for (player, expected) in
        [("engine:hash=65536", "hash=65536: "), ("alphabeta:table=65536", "table=65536: ")]
    {
        let sentence = Lab::new().refusal(&["match", "chess", "random", player]);
        assert!(
            sentence.contains(&format!("{expected}this machine has no room for so many MiB")),
            "{sentence}"
        );
    }
}

/// A player that lost every game is infinitely weaker, not stronger.
#[test]
fn an_elo_without_end_has_its_sign() {
    let match_of = |first: &str, second: &str| {
        let arguments = ["match", "chess", first, second, "--games", "2", "--seed", "1"];
        String::from_utf8(Lab::new().run(&arguments).stdout).unwrap()
    };
    let (strong, weak) = ("alphabeta:depth=2", "random");
    assert!(match_of(weak, strong).contains("Elo −∞ (95%: −∞ to +"), "{}", match_of(weak, strong));
    assert!(match_of(strong, weak).contains("Elo ∞ (95%: ") && match_of(strong, weak).contains(" to ∞)"));
}

/// A game in PGN is judged move by move; what cannot be read says where.
#[test]
fn games_in_pgn_are_judged() {
    let lab = Lab::new();
    let file = lab.path("games.pgn");
    let mate = "[White \"Fool\"]\n[Black \"Scholar\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    std::fs::write(&file, format!("{mate}\n[White \"A\"]\n\n1. e4 e5 1/2-1/2\n\n[White \"B\"]\n\n1. e5 *\n"))
        .unwrap();
    let analyse = |more: &[&str]| {
        let player = ["--player", "engine:nodes=2000"];
        [&["analyse", "chess", "--game", &file][..], &player, more]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let said = |more: &[&str]| {
        let arguments = analyse(more);
        lab.json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let review = said(&[]);
    assert_eq!(
        (&review["games"], &review["players"][0], &review["verdict"]),
        (&3.into(), &"Fool".into(), &"second".into())
    );
    assert_eq!(
        (&review["moves"][2]["verdict"], &review["moves"][3]["verdict"]),
        (&"blunder".into(), &"best".into())
    );
    assert_eq!(said(&["--number", "2"])["verdict"], "unfinished");
    for (arguments, expected) in [
        (analyse(&["--number", "3"]), "games.pgn: line 12, column 4: "),
        (analyse(&["--number", "4"]), "--number 4"),
        (
            ["analyse", "quoridor", "--game", &file].map(String::from).to_vec(),
            "quoridor has no file format of its own: expected lines of JSON",
        ),
    ] {
        let sentence = lab.refusal(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
    }
}

/// An interface that is gone leaves no process behind that thinks on.
#[test]
fn the_engine_ends_with_its_input() {
    for go in ["go depth 60", "go infinite", "go movetime 100000"] {
        let begun = Instant::now();
        let mut engine = Command::new(env!("CARGO_BIN_EXE_outplay"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        engine.stdin.take().unwrap().write_all(format!("{go}\n").as_bytes()).unwrap();
        let output = engine.wait_with_output().unwrap();
        assert!(output.status.success(), "{go}: {}", output.status);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.lines().last().unwrap_or_default().starts_with("bestmove "), "{go}: {said}");
        assert!(begun.elapsed().as_secs() < 10, "{go}: {:?}", begun.elapsed());
    }
}

/// A board on which captures go on for ever is analysed within its budget.
#[test]
fn a_crowded_board_is_analysed_within_its_budget() {
    let position = "Nn1nnbk1/1NnNb1B1/5n2/2B3B1/n1nbN1B1/n1N1n3/nnNN4/K2NnB2 b - - 98 1";
    let begun = Instant::now();
    let answer =
        Lab::new().json(&["analyse", "chess", "--position", position, "--player", "engine:nodes=100"]);
    assert!(answer["best"].is_string(), "{answer}");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

/// python-chess, where there is one, referees: no illegal move, nobody dies or falls silent. Whether time was overstepped is
/// not asked here, where the processors are shared with other tests.
#[test]
fn an_independent_referee_sees_whole_games() {
    let Some(python) = outplay_testing::python_with("chess.engine") else { return };
    let referee = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci_match.py");
    let ours = concat!("'", env!("CARGO_BIN_EXE_outplay"), "' uci");
    for (games, limit) in [("8", "nodes=1000"), ("2", "clock=3+0.05"), ("2", "movetime=20")] {
        let output = Command::new(&python).args([referee, games, limit, ours, ours]).output().unwrap();
        let [said, complaint] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{limit}: {complaint}");
        let last = said.lines().last().unwrap_or_default();
        assert!(
            last.starts_with(&format!("{games} games")) && last.ends_with(", 0 and 0 failures"),
            "{last}"
        );
    }
}
