//! `--record`, `ratings` and `replay`: what is written, what is kept, what is believed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::lab::Lab;

/// A match of two players that records to this file.
fn recorded<'a>(games: &'a str, file: &'a str) -> Vec<&'a str> {
    let players = ["match", "pushover", "random", "expert:depth=1", "--random-plies", "2"];
    [&players[..], &["--games", games, "--record", file]].concat()
}

fn lines(file: &str) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_that_holds_something_else_is_not_touched() {
    let lab = Lab::new();
    let file = lab.path("diary");
    for diary in ["Dear diary,\n\ntoday I", "no line end", "{\n  \"a\": 1\n}\n", "{\"a\":1}"] {
        fs::write(&file, diary).unwrap();
        let play = ["play", "pushover", "--first", "random", "--second", "random", "--record", &file];
        let tournament = ["tournament", "pushover", "random", "expert", "--games", "2", "--record", &file];
        for arguments in [&recorded("4", &file)[..], &tournament, &play] {
            let sentence = lab.refusal(arguments);
            assert!(sentence.contains(&format!("line 1 of {file}")), "{sentence}");
            assert_eq!(fs::read_to_string(&file).unwrap(), diary);
        }
    }
}

#[test]
fn a_refused_command_changes_nothing() {
    let lab = Lab::new();
    let (new, old) = (lab.path("new"), lab.path("old"));
    lab.json(&recorded("4", &old));
    let torn = fs::read_to_string(&old).unwrap() + "{\"format\":1,\"ga";
    fs::write(&old, &torn).unwrap();
    for file in [&new, &old] {
        for arguments in [
            &["match", "pushover", "random", "nobody", "--record", file][..],
            &["match", "pushover", "random", "--record", file],
            &["match", "pushover", "random", "random", "--random-plies", "60", "--record", file],
            &["match", "pushover", "random", "random", "--sprt", "1", "--record", file],
            &["tournament", "pushover", "random", "random", "--record", file],
            &["play", "pushover", "--second", "nobody", "--record", file],
        ] {
            lab.refusal(arguments);
        }
    }
    assert!(!Path::new(&new).exists());
    assert_eq!(fs::read_to_string(&old).unwrap(), torn);
    lab.json(&[&recorded("4", &old)[..], &["--seed", "1"]].concat());
    assert_eq!(lines(&old).len(), 8);
}

#[test]
fn two_processes_do_not_write_to_one_file() {
    let lab = Lab::new();
    let file = lab.path("games");
    let _running = lab.start(&recorded("100000000", &file), &file, 1);
    let sentence = lab.refusal(&recorded("4", &file));
    assert!(sentence.contains(&file) && sentence.contains("another process"), "{sentence}");
}

#[test]
fn a_killed_match_keeps_what_was_played() {
    let lab = Lab::new();
    let file = lab.path("games");
    let players = ["match", "pushover", "random", "mcts:sims=200", "--games", "1000000", "--record", &file];
    lab.start(&players, &file, 6).kill();
    let ratings = lab.json(&["ratings", &file]);
    assert!(ratings["games"].as_u64().unwrap() >= 6);
    let played = lines(&file);
    let again =
        ["match", "pushover", "random", "mcts:sims=200", "--games", "8", "--record", &file, "--resume"];
    assert_eq!(lab.json(&again)["games"], 8);
    assert_eq!(lines(&file)[..played.len()], played);
    assert_eq!(lab.json(&["ratings", &file])["games"].as_u64().unwrap(), lines(&file).len() as u64);
}

/// Cut off anywhere and resumed, a contest leaves the same file and says the same; what is there is not played twice.
#[test]
fn a_contest_goes_on_from_its_records() {
    let lab = Lab::new();
    let tournament = ["tournament", "pushover", "random", "expert:depth=1", "greedy", "--games", "4"];
    let knockout = ["tournament", "pushover", "random", "expert:depth=1", "--knockout", "2"];
    let of_match = ["match", "pushover", "random", "expert:depth=1", "--games", "6", "--random-plies", "2"];
    let commands = [&tournament[..], &knockout, &of_match];
    for (number, command) in commands.into_iter().enumerate() {
        let (whole, cut) = (lab.path(&format!("whole{number}")), lab.path(&format!("cut{number}")));
        let into = |file, more: &[&'static str]| [command, &["--record", file], more].concat();
        assert!(
            lab.refusal(&into(&cut, &["--resume"])).contains(&format!("{cut} holds no game of this contest"))
        );
        assert!(!Path::new(&cut).exists());
        let report = lab.json(&into(&whole, &[]));
        let text = fs::read_to_string(&whole).unwrap();
        assert!(
            lab.refusal(&into(&whole, &[]))
                .contains(&format!("{whole} holds games of this contest: add --resume"))
        );
        for length in [text.find('\n').unwrap() + 1, text.len() / 2, text.len()] {
            fs::write(&cut, &text[..length]).unwrap();
            assert_eq!(lab.json(&into(&cut, &["--resume"])), report);
            assert_eq!(fs::read_to_string(&cut).unwrap(), text);
        }
    }
    let whole = lab.path("whole2");
    let sentence = lab.refusal(&[&of_match[..5], &["4", "--record", &whole, "--resume"]].concat());
    assert!(sentence.contains("the recorded game 1 of random, expert:depth=1 began otherwise"), "{sentence}");
    assert!(lab.refusal(&[&of_match[..], &["--resume"]].concat()).contains("--record"));
}

#[test]
fn the_result_survives_a_full_disk() {
    if !Path::new("/dev/full").exists() {
        outplay_testing::skip("there is no /dev/full");
        return;
    }
    let lab = Lab::new();
    let tournament = ["tournament", "pushover", "random", "expert", "--games", "4", "--record", "/dev/full"];
    for arguments in [&recorded("4", "/dev/full")[..], &tournament] {
        let output = lab.run(&[arguments, &["--json"]].concat());
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(sentence.contains("/dev/full") && sentence.contains("space"), "{sentence}");
        assert_eq!(sentence.trim_end().lines().count(), 1, "{sentence}");
        assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["game"], "pushover");
    }
}

#[test]
fn a_finished_game_of_one_s_own_is_recorded() {
    let lab = Lab::new();
    let file = lab.path("games");
    let play = ["play", "pushover", "--second", "random", "--record", &file];
    lab.typed(&play, "a\nquit\n");
    assert!(!Path::new(&file).exists(), "an unfinished game is no game");
    let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"].join("\n");
    lab.typed(&play, format!("{}\n", [all.as_str(); 8].join("\n")));
    let position = "o...............Ao";
    let from = ["--first", "random", "--second", "random", "--position", position, "--record", &file];
    assert!(lab.run(&[&["play", "pushover"][..], &from].concat()).status.success());
    let games = lines(&file);
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["players"][0], &games[1]["position"]), (&"human".into(), &position.into()));
    for number in ["1", "2"] {
        assert!(lab.run(&["replay", &file, "--game", number]).status.success());
    }
}

#[test]
fn ratings_believe_nothing() {
    let lab = Lab::new();
    let (good, bad, empty) = (lab.path("good"), lab.path("bad"), lab.path("empty"));
    lab.json(&recorded("4", &good));
    fs::write(&empty, "").unwrap();
    let records = lines(&good);
    let other = if records[0]["outcome"] == "first" { "second" } else { "first" };
    let no_move = [("moves", vec!["Z"].into()), ("plies", 1.into()), ("random_plies", 0.into())];
    for (changes, expected) in [
        (&[("format", Value::from(2))][..], "format 2"),
        (&[("outcome", other.into())], "but its moves lead to"),
        (&[("plies", 1.into())], "1 plies"),
        (&[("players", vec!["random"].into())], "1 players"),
        (&no_move, "\"Z\""),
        (&[("game", "pushover:size=5".into())], "is a game of pushover:size=5"),
    ] {
        let mut record = records[0].clone();
        for (key, value) in changes {
            record[key] = value.clone();
        }
        fs::write(&bad, format!("{}\n{record}\n", records[1])).unwrap();
        let sentence = lab.refusal(&["ratings", &bad]);
        assert!(sentence.contains(&format!("line 2 of {bad} ")), "{sentence}");
        assert!(sentence.contains(expected), "{expected}: {sentence}");
    }
    assert!(lab.refusal(&["ratings", &empty]).contains(&format!("{empty} holds no games")));
    lab.json(&["match", "pushover", "random", "random", "--games", "4", "--record", &empty]);
    assert!(lab.refusal(&["ratings", &empty]).contains("random played only against itself"));
    let both = lab.json(&["ratings", &good, &empty]);
    assert_eq!(both["games"], 8);
    let twice = lab.json(&["ratings", &good, &good]);
    assert_eq!((&twice["games"], &twice["distinct_games"]), (&8.into(), &4.into()));
}
