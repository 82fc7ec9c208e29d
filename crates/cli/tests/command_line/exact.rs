//! Exact answers for small boards and late positions.

use std::fs;

use serde_json::{Value, json};

use crate::lab::Lab;

#[test]
fn small_boards_are_solved() {
    let lab = Lab::new();
    let solution = lab.json(&["solve", "quoridor:size=5,walls=1"]);
    assert_eq!((&solution["value"], &solution["distance"]), (&json!("loss"), &json!(12)));
    let moves = solution["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 35, "the value of every first move");
    assert!(moves.iter().all(|mv| mv["value"].is_string() && mv["move"].is_string()));
    let positions = &solution["counts"]["positions"];
    let count = |name: &str| positions[name].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), count("all"));

    let longest = positions["longest_win_position"].as_str().unwrap();
    let there = lab.json(&["solve", "quoridor:size=5,walls=1", "--position", longest]);
    assert_eq!((&there["value"], &there["distance"]), (&json!("win"), &positions["longest_win"]));
    assert_eq!(there["line"].as_array().unwrap().len() as u64, count("longest_win"));

    let path = lab.path("data/tables/quoridor-5-1-1.bin");
    let mut damaged = fs::read(&path).unwrap();
    let good = damaged.clone();
    damaged[good.len() / 2] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(lab.json(&["solve", "quoridor:size=5,walls=1"]), solution);
    assert!(fs::read(&path).unwrap() == good, "a damaged table is built again");
}

/// The next greater board: black wins it too, later.
#[test]
fn two_walls_each_take_longer() {
    let lab = Lab::new();
    let solution = lab.json(&["solve", "quoridor:size=5,walls=2"]);
    assert_eq!((&solution["value"], &solution["distance"]), (&json!("loss"), &json!(18)));
    let cut = lab.json(&["solve", "quoridor:size=5,walls=2,plies=5"]);
    assert_eq!(cut["value"], "draw");
    assert_eq!(cut["line"].as_array().unwrap().len(), 5, "no line is longer than the game");
}

/// A win that comes too late is none.
#[test]
fn the_limit_of_length_counts() {
    let lab = Lab::new();
    let answer = |plies: &str| {
        let solution = lab.json(&["solve", &format!("quoridor:size=3,walls=0{plies}")]);
        (solution["value"].clone(), solution["distance"].clone())
    };
    let (value, distance) = answer("");
    assert_ne!(value, "draw");
    let distance = distance.as_u64().unwrap();
    assert_eq!(answer(&format!(",plies={distance}")), (value, distance.into()));
    assert_eq!(answer(&format!(",plies={}", distance - 1)), ("draw".into(), Value::Null));
}

#[test]
fn what_is_left_of_a_large_game_can_be_solved() {
    let lab = Lab::new();
    let sentence = lab.refusal(&["solve", "quoridor"]);
    assert!(sentence.contains("9×9 with 10 and 10 walls in hand is too large to be solved"), "{sentence}");
    for game in ["quoridor:size=3,walls=0", "minesweeper:rows=2,cols=2,mines=1"] {
        let sentence = lab.refusal(&["solve", game, "--no-ko"]);
        assert!(sentence.contains(" has no rule against repetition to leave out"), "{sentence}");
    }
    let sentence = lab.refusal(&["solve", "chess"]);
    assert!(sentence.contains("chess has no exact solver: expected 'analyse'"), "{sentence}");
    let sentence = lab.refusal(&["match", "quoridor:size=6,walls=6", "random", "perfect"]);
    assert!(sentence.contains("unknown player 'perfect': expected one of random, "), "{sentence}");
    let race = lab.json(&["solve", "quoridor", "--position", "9 e7:0 e3:0 white a1h"]);
    assert_eq!((&race["value"], &race["distance"]), (&json!("win"), &json!(3)));
}

/// In games in which no position comes back: the second player of Othello wins 4×4.
#[test]
fn what_is_near_its_end_is_searched() {
    let lab = Lab::new();
    let small = lab.json(&["solve", "othello:size=4"]);
    assert_eq!((&small["value"], &small["distance"]), (&json!("loss"), &json!(12)));
    let late =
        lab.json(&["solve", "connectfour", "--position", "......./rr...../rr...y./yryy.yr/ryyryyr/rryyyrr"]);
    assert_eq!((&late["value"], &late["line"]), (&json!("win"), &json!(["3"])));
    let sentence = lab.refusal(&["solve", "connectfour"]);
    assert!(sentence.contains("is too far from its end to be solved"), "{sentence}");
}

#[test]
fn perfect_play_holds_what_it_has() {
    let lab = Lab::new();
    let report = lab.json(&[
        "match",
        "quoridor:size=4,walls=1",
        "perfect",
        "alphabeta:depth=2",
        "--games",
        "20",
        "--seed",
        "1",
    ]);
    assert!(
        report["wins"].as_u64().unwrap() >= 10,
        "the side that wins by force wins from its seat: {report}"
    );
    // A position of another game: more walls than the game has.
    let position = "4 b1:2 c4:0 white";
    let opinion =
        lab.json(&["analyse", "quoridor:size=4,walls=1", "--position", position, "--player", "perfect"]);
    let answer = lab.json(&["solve", "quoridor:size=4,walls=1", "--position", position]);
    assert_eq!(opinion["candidates"].as_array().unwrap().len(), answer["moves"].as_array().unwrap().len());
}
