//! A small sweep from end to end, whole, in parts and on several threads.

use std::sync::Arc;

use super::*;
use crate::registry::Better;
use crate::{Store, open_game};

const METHOD: &str = "td-lambda:games=60,every=20,check=6,hidden=4";

fn parameters() -> Vec<String> {
    ["alpha=0.1,0.4", "eps=0.1,0.3,0.5"].map(str::to_owned).to_vec()
}

fn game(folder: &Path) -> Box<dyn AnyGame> {
    open_game("quoridor:size=4,walls=1", &Arc::new(Store::at(folder))).unwrap()
}

fn plan<'a>(parameters: &'a [String], out: &'a Path) -> SweepPlan<'a> {
    SweepPlan { method: METHOD, parameters, measure: None, seed: 3, out, resume: false, threads: Some(2) }
}

/// All that a sweep leaves, but for the runs of its points.
fn left(out: &Path) -> Vec<Vec<u8>> {
    let names =
        ["config.json", "records.jsonl", "report.md", "figures/sweep.svg", "points/0001", "points/0006"];
    names.iter().map(|name| fs::read(out.join(name)).unwrap()).collect()
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_after_any_number_of_stops() {
    let folder = tempfile::tempdir().unwrap();
    let (game, parameters) = (game(folder.path()), parameters());
    let [whole, alone, parts] = ["whole", "alone", "parts"].map(|name| folder.path().join(name));
    let report = run(&*game, &plan(&parameters, &whole), Watch::nobody()).unwrap();
    assert_eq!((report.points.len(), report.finished, report.measure), (6, true, "check"));
    assert!(report.points.is_sorted_by(|a, b| a.value >= b.value));
    run(&*game, &SweepPlan { threads: Some(1), ..plan(&parameters, &alone) }, Watch::nobody()).unwrap();
    assert_eq!(left(&whole), left(&alone));

    let (mut stops, mut resume) = (0, false);
    loop {
        let (stop, steps) = (AtomicBool::new(false), AtomicUsize::new(0));
        let show = |_: Progress<'_>| {
            stop.fetch_or(steps.fetch_add(1, Ordering::Relaxed) >= 3, Ordering::Relaxed);
        };
        let plan = SweepPlan { resume, ..plan(&parameters, &parts) };
        if run(&*game, &plan, Watch::new(&stop, &show)).unwrap().finished {
            break;
        }
        (stops, resume) = (stops + 1, true);
    }
    assert!(stops > 1, "it was stopped {stops} times");
    assert_eq!(left(&whole), left(&parts));
}

/// A sweep of which only the records were lost makes nothing again.
#[test]
fn what_has_ended_is_only_read() {
    let folder = tempfile::tempdir().unwrap();
    let (game, parameters) = (game(folder.path()), parameters());
    let out = folder.path().join("out");
    run(&*game, &plan(&parameters, &out), Watch::nobody()).unwrap();
    let before = left(&out);
    fs::remove_file(out.join("records.jsonl")).unwrap();
    let again = SweepPlan { resume: true, ..plan(&parameters, &out) };
    run(&*game, &again, Watch::new(&AtomicBool::new(false), &|_| panic!("work has begun"))).unwrap();
    assert_eq!(before, left(&out));
    // Another measure is another view of the same records.
    let refused = run(&*game, &SweepPlan { measure: Some("exam"), ..again }, Watch::nobody()).unwrap_err();
    assert!(refused.to_string().starts_with("no point of td-lambda was measured by exam"), "{refused}");
}

/// Damaged records are read again from the runs of the points, and a run with damaged records is made again.
#[test]
fn what_is_damaged_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (game, parameters) = (game(folder.path()), parameters());
    let out = folder.path().join("out");
    run(&*game, &plan(&parameters, &out), Watch::nobody()).unwrap();
    let before = left(&out);
    for name in ["records.jsonl", "points/0003.run/records.jsonl"] {
        let text = fs::read_to_string(out.join(name)).unwrap();
        fs::write(out.join(name), text.replacen("\n{", "\n?", 1)).unwrap();
    }
    run(&*game, &SweepPlan { resume: true, ..plan(&parameters, &out) }, Watch::nobody()).unwrap();
    assert_eq!(before, left(&out));
}

/// Two sweeps of one folder, and one that was killed before it wrote its configuration.
#[test]
fn a_folder_has_one_sweep_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (game, parameters) = (game(folder.path()), parameters());
    let out = folder.path().join("out");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join(".unfinished-x1y2z3"), "{").unwrap();
    let refusals = Mutex::new(Vec::new());
    let show = |_: Progress<'_>| {
        for resume in [false, true] {
            let second = run(&*game, &SweepPlan { resume, ..plan(&parameters, &out) }, Watch::nobody());
            lock(&refusals).push(second.unwrap_err().to_string());
        }
    };
    run(&*game, &plan(&parameters, &out), Watch::new(&AtomicBool::new(false), &show)).unwrap();
    let refusals = refusals.into_inner().unwrap();
    assert!(refusals.len() > 1);
    assert!(refusals.iter().all(|refusal| refusal.contains("another process")), "{refusals:?}");
    let names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn refusals_leave_the_disk_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (game, parameters) = (game(folder.path()), parameters());
    let [out, full] = ["out", "full"].map(|name| folder.path().join(name));
    make_folder(&full).unwrap();
    fs::write(full.join("letter"), "x").unwrap();
    let refused = |plan: SweepPlan<'_>| run(&*game, &plan, Watch::nobody()).unwrap_err().to_string();
    let good = plan(&parameters, &out);
    assert!(refused(SweepPlan { resume: true, ..good }).ends_with("leave out --resume to begin one"));
    assert!(refused(SweepPlan { out: &full, ..good }).ends_with("expected an empty folder"));
    assert!(refused(SweepPlan { measure: Some("beauty"), ..good }).contains("unknown measure 'beauty'"));
    assert!(refused(SweepPlan { method: "magic", ..good }).contains("unknown method 'magic'"));
    assert!(refused(SweepPlan { parameters: &[], ..good }).contains("nothing is swept"));
    // What only the method can refuse is refused before any of its points begins.
    let missing = ["against=/nonexistent".to_owned(), "alpha=0.1,0.2".to_owned()];
    assert!(refused(SweepPlan { parameters: &missing, ..good }).contains("/nonexistent"));
    assert!(!out.exists());
    run(&*game, &good, Watch::nobody()).unwrap();
    assert!(refused(good).contains("add --resume"));
    let other = SweepPlan { seed: 4, resume: true, ..good };
    assert!(refused(other).contains("holds a sweep of other parameters"));
}

#[test]
fn neighbours_of_chess_are_swept_by_k() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(folder.path()));
    let game = open_game("chess", &store).unwrap();
    let trial = game.info().trials().find(|trial| trial.listing.name == "knn").unwrap();
    assert_eq!(trial.measures[0].better, Better::Higher);
    assert!(game.info().methods.iter().all(|method| method.listing.name != "knn"), "nothing is taught");
}
