//! `sweep`: stopped, killed, resumed, and what it shows.

use std::fs;
use std::path::Path;

use crate::lab::Lab;

const SWEEP: [&str; 6] = [
    "sweep",
    "pushover",
    "bfgs:games=150,positions=600",
    "hidden=4,6,8",
    "encoding=cells,features",
    "iterations=150",
];

fn sweep<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&SWEEP[..], &["--out", out], more].concat()
}

/// Ctrl-C, a kill and any number of threads leave the bytes of a sweep that was never stopped, and no point is made twice.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_resumes_to_the_same_bytes() {
    let lab = Lab::new();
    let (whole, parts, killed) = (lab.path("whole"), lab.path("parts"), lab.path("killed"));
    let report = lab.json(&sweep(&whole, &["--threads", "1"]));
    let points = report["points"].as_array().unwrap();
    assert_eq!(
        (points.len(), report["planned"].as_u64(), report["finished"].as_bool()),
        (6, Some(6), Some(true))
    );
    let losses: Vec<f64> = points.iter().map(|point| point["value"].as_f64().unwrap()).collect();
    assert!(losses.is_sorted(), "the best is shown first: {losses:?}");
    assert_eq!(report["measure"], "loss");
    assert_eq!(points[0]["parameters"].as_object().unwrap().len(), 2);

    let begun = |out: &str| format!("{out}/points/0001.run/records.jsonl");
    let code = lab.start(&sweep(&parts, &["--threads", "2"]), &begun(&parts), 5).interrupt();
    assert_eq!(code, Some(130));
    lab.start(&sweep(&killed, &["--threads", "2"]), &format!("{killed}/records.jsonl"), 1).kill();
    for out in [&parts, &killed] {
        assert!(lab.refusal(&sweep(out, &[])).contains("--resume"));
        lab.json(&sweep(out, &["--resume", "--threads", "2"]));
        for name in ["config.json", "records.jsonl", "report.md", "figures/sweep.svg", "points/0003"] {
            let [ours, theirs] = [&whole, out].map(|out| fs::read(Path::new(out).join(name)).unwrap());
            assert_eq!(ours, theirs, "{name}");
        }
    }
    let shown = lab.run(&sweep(&whole, &["--resume"]));
    let table = String::from_utf8(shown.stdout).unwrap();
    assert!(table.contains("hidden") && table.contains("6 of 6 points"), "{table}");
    let other = [&sweep(&whole, &["--resume"])[..], &["--seed", "1"]].concat();
    assert!(lab.refusal(&other).contains("other parameters"));
}
