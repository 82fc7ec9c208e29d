//! The project of INFO-F-106 at the terminal: its console, its tournament.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use crate::lab::Lab;

/// Runs the console with a script on its standard input.
fn script(lab: &Lab, more: &[&str], lines: &str) -> Output {
    let mut command = lab.command(&[&["console", "quoridor"], more].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// §2.9, with fewer games.
#[test]
fn the_documents_script_makes_a_file() {
    let lab = Lab::new();
    let file = lab.path("IA.npz");
    let lines =
        format!("new 5 3 100\neps 0.2\nTD-lambda\nalpha 0.5\nlambda 0.8\ntrain 200\nsave {file}\nquit\n");
    let output = script(&lab, &[], &lines);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let first = fs::read(&file).unwrap();
    assert!(script(&lab, &[], &lines).status.success());
    assert_eq!(fs::read(&file).unwrap(), first);
    let game = "quoridor:size=5,walls=3";
    assert_eq!(lab.json(&["match", game, &file, "random", "--games", "4"])["games"], 4);
    let search = format!("alphabeta:depth=2,eval=net,file={file}");
    assert_eq!(lab.json(&["match", game, &search, &file, "--games", "2"])["games"], 2);
    assert!(lab.refusal(&["match", "quoridor:size=5,walls=1", &file, "random"]).contains("its WALLS is 3"));

    let talk = format!("load {file}\ncompare {file} 10 0.05\nplay\nc2\nquit\nshow\n");
    let output = script(&lab, &["--json"], &talk);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[1]["result"]["games"], 10);
    assert_eq!(answers.last().unwrap()["learning"], "TD-lambda");
}

#[test]
fn a_bad_line_is_answered_and_the_script_goes_on() {
    let lab = Lab::new();
    let output = script(&lab, &[], "new 5 1 4\nfrain 10\neps 3\nplay human 3 0\nhint\nz9\nquit\ntrain 5\n");
    assert_eq!(output.status.code(), Some(2));
    let [answers, refusals] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(answers.contains("trained by 5 games"), "{answers}");
    assert_eq!(refusals.lines().count(), 3, "{refusals}");
    assert!(
        refusals.contains("'frain' is not a command") && refusals.contains("eps 3: expected"),
        "{refusals}"
    );
    assert!(answers.contains("z9"), "{answers}");
    assert!(refusals.contains("3 lines were refused"), "{refusals}");
    assert!(lab.refusal(&["console", "quoridor:size=5"]).contains("'size=5': expected quoridor alone"));
    assert!(lab.refusal(&["console", "pushover"]).contains("no console"));
}

/// §4.3: the file holds what the course's programs read and nothing else, unless the strongest AI is asked for.
#[test]
fn tournoi_writes_the_courses_form() {
    let lab = Lab::new();
    let [course, strongest] = ["course.npz", "strongest.npz"].map(|name| lab.path(name));
    lab.json(&["tournoi", "20", &course]);
    lab.json(&["tournoi", "20", &strongest, "--strongest"]);
    let has = |file: &str, entry: &str| {
        let bytes = fs::read(file).unwrap();
        bytes.windows(entry.len()).any(|window| window == entry.as_bytes())
    };
    for entry in ["N.npy", "WALLS.npy", "W1.npy", "W2.npy"] {
        assert!(has(&course, entry) && has(&strongest, entry), "{entry}");
    }
    for entry in ["ACTIVATION.npy", "ENCODING.npy", "HISTORY.npy", "DEPTH.npy"] {
        assert!(!has(&course, entry) && has(&strongest, entry), "{entry}");
    }
    // W1 has 90 columns: the document's inputs.
    assert!(has(&course, ", 90)"));
}

/// §2.6: a person teaches, at the console and in a training; the moves are lines of the input.
#[test]
fn a_person_teaches_from_the_keyboard() {
    let lab = Lab::new();
    let file = lab.path("IA.npz");
    // Without walls, black walks straight down and wins or loses; whatever the AI does, five moves are enough.
    let moves = "c4\nc3\nc2\nc1\nb1\nd1\nb2\nd2\nb3\nd3\n";
    let lines = format!("new 5 0 4\ntrain 1 human\n{}save {file}\nquit\n", moves.repeat(3));
    let output = script(&lab, &[], &lines);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("trained by "), "{text}");
    assert!(fs::exists(&file).unwrap());

    let mut command = lab.command(&[
        "train",
        "quoridor:size=5,walls=0",
        "td-lambda",
        "games=3",
        "check=0",
        "second=human",
        "--out",
        &lab.path("t.npz"),
    ]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"z9\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("z9") && told.contains('B'), "{told}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("stopped") && !shown.contains("null"), "nothing was measured: {shown}");
}

#[test]
fn files_meet_in_a_knockout() {
    let lab = Lab::new();
    let game = "quoridor:size=5,walls=3";
    let files: Vec<String> = (0..3).map(|number| lab.path(&format!("{number}.npz"))).collect();
    for (number, file) in files.iter().enumerate() {
        let games = ["50", "400", "2000"][number];
        lab.json(&["tournoi", games, file, "--seed", "3"]);
    }
    let players =
        [&["tournament", game][..], &[&files[0], &files[1], &files[2], "greedy", "random"]].concat();
    let result = lab.json(&[&players[..], &["--knockout", "16"]].concat());
    assert_eq!(result["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(result["rounds"][1][0]["winner"], result["champion"]);
    let people = lab.run(&[&players[..], &["--knockout", "4"]].concat()).stdout;
    let people = String::from_utf8(people).unwrap();
    assert!(people.contains("wins the tournament") && people.contains('├'), "{people}");
    assert!(lab.refusal(&[&players[..], &["--knockout", "6"]].concat()).contains("power of two"));
    assert!(lab.refusal(&[&players[..], &["--knockout", "4", "--games", "10"]].concat()).contains("--games"));
}
