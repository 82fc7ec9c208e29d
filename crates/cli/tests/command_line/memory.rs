//! The memory that `--memory` allows: what needs more is refused at once, and nothing waits for itself.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::lab::Lab;

/// The least that can be allowed.
const LEAST: [&str; 2] = ["--memory", "1024"];

#[test]
fn a_small_game_is_solved_in_little_memory() {
    let lab = Lab::new();
    let result =
        lab.json(&[&LEAST[..], &["match", "tictactoe", "perfect", "random", "--games", "2"]].concat());
    assert_eq!(result["losses"], 0);
}

#[test]
fn players_that_leave_no_room_for_their_own_solution_are_refused() {
    let contest = ["match", "pushover", "perfect", "alphabeta:table=1000", "--games", "2", "--threads", "1"];
    let sentence = Lab::new().refusal(&[&LEAST[..], &contest].concat());
    assert!(
        sentence.contains("are free: expected other work to end first, or more of --memory"),
        "{sentence}"
    );
}

#[test]
fn what_is_larger_than_the_memory_is_refused_everywhere() {
    let lab = Lab::new();
    let games = lab.path("games");
    lab.json(&["match", "chess", "random", "random", "--games", "1", "--record", &games]);
    for arguments in [
        &["analyse", "chess", "--player", "engine:hash=2048,nodes=100"][..],
        &["analyse", "chess", "--player", "mcts:time=1s,threads=8"],
        &["analyse", "chess", "--game", &games, "--player", "engine:hash=2048,nodes=100"],
        &["play", "chess", "--first", "random", "--second", "alphabeta:table=2048"],
        &["match", "chess", "random", "engine:hash=2048"],
        &["data", "minesweeper", "samples=1000000000", "--out", &lab.path("set")],
        &["data", "pushover", "games=10000000", "--out", &lab.path("set")],
        &["data", "chess", "engine=own", "games=100000000", "--out", &lab.path("set")],
    ] {
        let sentence = lab.refusal(&[&LEAST[..], arguments].concat());
        assert!(
            sentence.contains("MiB of memory, expected at most 1024 (--memory)"),
            "{arguments:?}: {sentence}"
        );
    }
}

/// One step of this training would take days.
#[cfg(unix)]
#[test]
fn a_training_stops_within_a_step_and_can_be_resumed() {
    let lab = Lab::new();
    let out = lab.path("out.npz");
    let method = ["train", "pushover", "td-lambda", "games=1000000000", "every=1000000000", "check=0"];
    let arguments = [&method[..], &["--threads", "1", "--out", &out]].concat();
    let running = lab.start(&arguments, &format!("{out}.run/config.json"), 1);
    let begun = Instant::now();
    assert_eq!(running.interrupt(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
    assert!(Path::new(&format!("{out}.run/checkpoint.bin")).exists(), "it can be resumed");
}
