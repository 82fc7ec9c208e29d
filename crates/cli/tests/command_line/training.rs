//! `train`: what it refuses, and what it leaves when it is stopped or killed.

use std::fs;
use std::path::Path;

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
