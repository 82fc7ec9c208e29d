//! `train`: what it refuses, and what it leaves when it is stopped or killed.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::lab::Lab;

const TRAININGS: [[&str; 6]; 2] = [
    ["train", "pushover", "bfgs:encoding=features", "games=200", "positions=800", "iterations=400"],
    ["train", "minesweeper", "subgrids:batch=20", "samples=100000", "epochs=12", "layers=16-8"],
];

/// Training that writes there.
fn training<'a>(which: usize, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&TRAININGS[which][..], &["--out", out], more].concat()
}

fn records(out: &str) -> String {
    format!("{out}.run/records.jsonl")
}

#[test]
fn a_bad_place_is_refused_at_once() {
    let lab = Lab::new();
    // So many games would take hours: a refusal that came after them would not be seen.
    let endless = ["train", "pushover", "bfgs", "games=1000000", "depth=4"];
    let (folder, missing, file) = (lab.path("folder"), lab.path("missing/net"), lab.path("file"));
    fs::create_dir(&folder).unwrap();
    fs::write(&file, "x").unwrap();
    for out in [&folder, &missing, &format!("{file}/net")] {
        let sentence = lab.refusal(&[&endless[..], &["--out", out]].concat());
        assert!(sentence.contains(&format!("cannot write {out}: ")), "{sentence}");
        assert!(!Path::new(&format!("{out}.run")).exists());
    }
    assert!(!Path::new(&lab.path("missing")).exists());
}

/// Several trainings that start at once on one output: one of them makes it, the others are refused and touch nothing.
#[test]
fn an_output_has_one_training_at_a_time() {
    let lab = Lab::new();
    let whole = lab.path("whole");
    lab.json(&training(0, &whole, &[]));
    let out = lab.path("out");
    let begun: Vec<_> = (0..3)
        .map(|_| {
            lab.command(&training(0, &out, &[])).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut ended = Vec::new();
    for process in begun {
        let output = process.wait_with_output().unwrap();
        if !output.status.success() {
            let sentence = String::from_utf8(output.stderr).unwrap();
            assert_eq!(sentence, format!("outplay: cannot write {out}: another process is writing to it\n"));
        }
        ended.push(output.status.code());
    }
    ended.sort_unstable();
    assert_eq!(ended, [Some(0), Some(2), Some(2)]);
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read(records(&out)).unwrap(), fs::read(records(&whole)).unwrap());
    let database = lab.path("database");
    let _running = lab.start(&training(1, &database, &[]), &records(&database), 1);
    let sentence = lab.refusal(&["data", "pushover", "games=5", "--out", &database]);
    assert!(sentence.contains(&format!("cannot write {database}: another process")), "{sentence}");
}

/// Ctrl-C in the middle of a training leaves a checkpoint; going on gives the same bytes as never stopping.
#[cfg(unix)]
#[test]
fn an_interrupted_training_resumes_to_the_same_bytes() {
    for which in 0..TRAININGS.len() {
        let lab = Lab::new();
        let training = |out, more| training(which, out, more);
        let (whole, parts, killed) = (lab.path("whole"), lab.path("parts"), lab.path("killed"));
        lab.json(&training(&whole, &[]));
        assert!(lab.refusal(&training(&whole, &["--resume"])).contains("holds a finished run"));

        let code = lab.start(&training(&parts, &[]), &records(&parts), 5).interrupt();
        assert_eq!(code, Some(130));
        lab.start(&training(&killed, &[]), &records(&killed), 1).kill();
        for out in [&parts, &killed] {
            assert!(lab.refusal(&training(out, &[])).contains("--resume"));
            lab.json(&training(out, &["--resume"]));
            assert_eq!(fs::read(out).unwrap(), fs::read(&whole).unwrap());
            assert_eq!(fs::read(records(out)).unwrap(), fs::read(records(&whole)).unwrap());
        }
    }
}
