//! Input that is meant to do harm: control characters, endless lines, texts without measure.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::lab::Lab;

/// Clears the screen, renames the window, turns the writing round.
const HARMFUL: &str = "a\u{1b}[2J\u{1b}]0;b\u{7}\u{9b}31m\u{202e}c";

fn has_control(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes)
        .chars()
        .any(|char| (char.is_control() && char != '\n') || char == '\u{202e}')
}

#[test]
fn names_in_files_do_not_control_the_terminal() {
    let lab = Lab::new();
    let file = lab.path("games");
    lab.json(&["match", "pushover", "random", "expert:depth=1", "--games", "4", "--record", &file]);
    let text = fs::read_to_string(&file).unwrap();
    let harmful = serde_json::to_string(HARMFUL).unwrap();
    fs::write(&file, text.replace("\"random\"", &harmful)).unwrap();
    for arguments in [
        &["ratings", &file][..],
        &["replay", &file],
        &["analyse", "pushover", "--game", &file, "--samples", "2"],
    ] {
        let output = lab.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!has_control(&output.stdout) && !has_control(&output.stderr), "{arguments:?}");
    }
    let shown = lab.run(&["ratings", &file]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("a\\u{1b}[2J"));
    let rated = lab.json(&["ratings", &file]);
    let names: Vec<&str> =
        rated["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert!(names.contains(&HARMFUL), "programs get the name as it is");
}

#[test]
fn what_a_refusal_quotes_is_short_and_on_one_line() {
    let lab = Lab::new();
    let (long, lines) = ("x".repeat(100_000), format!("y\n\n{HARMFUL}\nz"));
    for text in [&long, &lines] {
        let path = format!("/nonexistent/{text}");
        for arguments in [
            &["play", text][..],
            &["players", text],
            &["perft", "pushover", text],
            &["perft", "pushover", "2", "--position", text],
            &["analyse", "chess", "--position", text],
            &["match", "pushover", "random", text],
            &["match", "pushover", "random", &format!("mcts:sims={text}")],
            &["match", "pushover", "random", "random", "--sprt", text],
            &["reproduce", text],
            &["reproduce", "--scale", text],
            &["train", "pushover", "bfgs", text, "--out", "/nonexistent/out"],
            &["replay", &path],
            &[text],
            &[&format!("--{text}")],
        ] {
            let sentence = lab.refusal(arguments);
            assert!(sentence.len() < 2000, "{} bytes: {sentence:.300}", sentence.len());
            assert!(!has_control(sentence.as_bytes()), "{sentence}");
        }
    }
}

#[test]
fn lines_without_end_are_refused() {
    let lab = Lab::new();
    let file = lab.path("sparse");
    fs::File::create(&file).unwrap().set_len(1 << 36).unwrap();
    for arguments in [
        &["ratings", &file][..],
        &["replay", &file],
        &["data", "minesweeper", "--describe", &file],
        &["perft", "pushover", "1", "--position", &file],
        &["match", "pushover", "random", "random", "--games", "2", "--record", &file],
    ] {
        let sentence = lab.refusal(arguments);
        assert!(sentence.contains("too long: expected at most"), "{arguments:?}: {sentence}");
    }
    for command in [["play", "pushover"], ["console", "quoridor"]] {
        let mut child = lab
            .command(&command)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // The program leaves before all is written.
        let _ = input.write_all(&vec![b'x'; 1 << 22]);
        drop(input);
        let output = child.wait_with_output().unwrap();
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), sentence.lines().count()), (Some(2), 1), "{command:?}: {sentence}");
    }
}
