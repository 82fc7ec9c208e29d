//! What every reproduction guarantees, checked on every artefact at the smallest scale.

use outplay_runtime::WorkError;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_lab::Store;
use outplay_papers::artefact::{PaperReport, Published, Scale, reproduce};
use outplay_papers::{PAPERS, select};
use outplay_report::Badge;
use outplay_runtime::{Progress, Watch};

/// Reproduces everything that a text names, at the smoke scale.
fn smoke(data: &Path, what: &str, threads: usize, watch: Watch<'_>) -> Result<PaperReport, WorkError> {
    let [(paper, artefacts)] = &select(Some(what))?[..] else { panic!("{what} is one paper") };
    reproduce(paper, artefacts, Scale::Smoke, 7, &Store::at(data), Some(threads), watch)
}

/// The content of all files below a folder whose names pass, by path.
fn files_below(folder: &Path, passes: impl Fn(&str) -> bool + Copy) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let below = files_below(&path, passes);
            files.extend(below.into_iter().map(|(rest, bytes)| (format!("{name}/{rest}"), bytes)));
        } else if passes(&name) {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    files
}

fn records(data: &Path) -> BTreeMap<String, Vec<u8>> {
    files_below(&data.join("runs"), |name| name == "records.jsonl")
}

/// Whether every element of an SVG that is opened is closed, in order, and its quotes are paired.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let Some((tag, _)) = piece.split_once('>') else { return false };
        if tag.matches('"').count() % 2 == 1 {
            return false;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
    }
    open.is_empty()
}

fn check_report(report: &PaperReport) {
    let markdown = fs::read_to_string(&report.markdown).unwrap();
    let html = fs::read_to_string(&report.html).unwrap();
    for artefact in &report.artefacts {
        assert_ne!(artefact.badge, Badge::NotRun, "{}", artefact.id);
        assert!(!artefact.numbers.is_empty(), "{}", artefact.id);
        assert!(artefact.command.starts_with(&format!("outplay reproduce {}", artefact.id)));
        for text in [&markdown, &html] {
            assert!(text.contains(&artefact.command), "{}", artefact.id);
        }
    }
    for reference in ["src=", "href=", "@import", "url("] {
        assert!(!html.contains(reference), "{reference}");
    }
    assert!(html.contains("Deviations") && html.contains("<ol>"));
    assert!(!report.figures.is_empty());
    for figure in &report.figures {
        let svg = fs::read_to_string(figure).unwrap();
        assert!(is_well_formed(&svg) && !svg.contains("NaN"), "{}", figure.display());
        assert!(html.contains(&svg), "{}", figure.display());
        let name = figure.file_name().unwrap().to_str().unwrap();
        assert!(markdown.contains(&format!("(figures/{name})")), "{name}");
    }
    assert!(serde_json::to_string(report).unwrap().contains("\"badge\""));
}

/// Runs a whole paper on one thread and on three; then makes the report once more from the records alone.
fn check_paper(paper: &str) -> PaperReport {
    check_paper_and(paper, |_| {})
}

/// The same, and looks at the files of the report.
fn check_paper_and(paper: &str, look: impl FnOnce(&PaperReport)) -> PaperReport {
    let [one, three] = [1, 3].map(|threads| {
        let data = tempfile::tempdir().unwrap();
        let report = smoke(data.path(), paper, threads, Watch::nobody()).unwrap();
        (data, report)
    });
    check_report(&one.1);
    assert_eq!(records(one.0.path()), records(three.0.path()));
    let reports = || files_below(&one.0.path().join("reports"), |_| true);
    let before = reports();
    assert_eq!(before, files_below(&three.0.path().join("reports"), |_| true));
    // Networks and tables are gone, and no work may begin: only the records are left to report from.
    for made in ["networks", "tables"] {
        let _ = fs::remove_dir_all(one.0.path().join(made));
    }
    let stop = AtomicBool::new(true);
    smoke(one.0.path(), paper, 1, Watch::new(&stop, &|_| panic!("work has begun"))).unwrap();
    assert_eq!(before, reports());
    look(&one.1);
    one.1
}

#[test]
fn muellers_tables_are_made() {
    let report = check_paper("mueller-1992");
    let totals: Vec<(&str, usize)> =
        report.artefacts.iter().map(|artefact| (artefact.id.as_str(), artefact.total)).collect();
    assert_eq!(
        totals,
        [
            ("mueller-1992/database", 5),
            ("mueller-1992/experts", 4),
            ("mueller-1992/all-positions", 0),
            ("mueller-1992/table-4.1", 16),
            ("mueller-1992/table-4.2", 16),
            ("mueller-1992/table-4.3", 16),
            ("mueller-1992/table-4.4", 16),
            ("mueller-1992/table-4.5", 16),
            ("mueller-1992/random-moves", 0),
            ("mueller-1992/second-approach", 0),
        ]
    );
}

#[test]
fn bourdet_and_abadies_method_is_measured() {
    let report = check_paper("bourdet-abadie-2025");
    let [example, cases, formula, strategy, methods] = &report.artefacts[..] else { panic!("{report:?}") };
    assert_eq!((example.badge, example.total), (Badge::Reproduced, 4));
    for measured in [cases, formula, strategy, methods] {
        assert_eq!(measured.badge, Badge::Measured, "{}", measured.id);
    }
    assert_eq!((strategy.numbers.len(), methods.numbers.len()), (9, 10));
}

#[test]
fn our_own_study_is_made() {
    let report = check_paper("outplay-pushover");
    let numbers = &report.artefacts[0].numbers;
    let of = |name: &str| numbers.iter().find(|number| number.name == name).unwrap().ours;
    assert_eq!(of("perfect: values kept"), 100.0);
    assert_eq!(of("perfect: points against perfect"), 50.0);
    assert!(of("random: values kept") < of("e2: values kept"));
    let [pupil, master] = ["r*2: values kept", "e2: values kept"].map(of);
    assert!((of("r*2 minus e2: values kept") - (pupil - master)).abs() < 1e-9);
    assert!(numbers.iter().any(|number| number.name == "r*1 minus e1: values kept"));
}

#[test]
fn the_students_project_is_measured() {
    let report = check_paper_and("info-f-106-2019", |report| {
        let [essay, page] =
            report.essay.as_ref().unwrap().each_ref().map(|path| fs::read_to_string(path).unwrap());
        assert!(!essay.contains("(not run)") && !essay.contains('{'), "{essay}");
        assert!(essay.starts_with("# ") && page.contains("@media print"));
    });
    assert!(report.artefacts.iter().all(|artefact| artefact.badge == Badge::Measured));
    let sizes: Vec<usize> = report.artefacts.iter().map(|artefact| artefact.numbers.len()).collect();
    assert_eq!(sizes, [2 * 3, 2 * 8, 2 * 2 * 10, 3 * 4, 2 * 4, 3 * 2, 2 * 7, 2 * 11, 2 * 15, 2 + 3, 2 * 8]);
}

#[test]
fn the_players_of_quoridor_are_compared() {
    let report = check_paper("outplay-quoridor");
    let sizes: Vec<usize> = report.artefacts.iter().map(|artefact| artefact.numbers.len()).collect();
    assert_eq!(sizes, [3, 7, 2, 2 * 3, 3 * 10, 4]);
    assert!(report.artefacts.iter().all(|artefact| artefact.badge == Badge::Measured));
}

#[test]
fn salamones_ladder_is_made() {
    let report = check_paper("salamone-2018");
    let totals: Vec<(&str, usize)> = report
        .artefacts
        .iter()
        .filter(|artefact| artefact.total > 0)
        .map(|artefact| (artefact.id.as_str(), artefact.total))
        .collect();
    assert_eq!(
        totals,
        [
            ("salamone-2018/data-sets", 3),
            ("salamone-2018/random", 5),
            ("salamone-2018/first-ai", 12),
            ("salamone-2018/more-samples", 6),
            ("salamone-2018/longer-training", 9),
            ("salamone-2018/structure", 7),
            ("salamone-2018/duplicates", 9),
            ("salamone-2018/flags", 5),
            ("salamone-2018/temper", 2),
            ("salamone-2018/table-3", 20),
            ("salamone-2018/table-4", 22),
            ("salamone-2018/readings", 5),
        ]
    );
    // What involves no network is the document's even at the smallest scale.
    assert!(report.artefacts[..1].iter().all(|artefact| artefact.badge == Badge::Reproduced));
}

#[test]
fn the_players_of_minesweeper_are_compared() {
    let report = check_paper("outplay-minesweeper");
    let sizes: Vec<usize> = report.artefacts.iter().map(|artefact| artefact.numbers.len()).collect();
    assert_eq!(sizes, [10 * 5, 11 * 5, 6 * 3, 3 * 2, 2 * 4]);
    assert!(report.artefacts.iter().all(|artefact| artefact.badge == Badge::Measured));
}

#[test]
fn the_players_of_lode_runner_are_compared() {
    let report = check_paper("outplay-loderunner");
    let sizes: Vec<usize> = report.artefacts.iter().map(|artefact| artefact.numbers.len()).collect();
    assert_eq!(sizes, [4 * 5, 5 * 5]);
    assert!(report.artefacts.iter().all(|artefact| artefact.badge == Badge::Measured));
}

/// Times are never the same twice; all other artefacts of the document are checked.
#[test]
fn chessmate_is_measured() {
    let [one, three] = [1, 3].map(|threads| {
        let data = tempfile::tempdir().unwrap();
        let report = smoke(data.path(), "chessmate-2018", threads, Watch::nobody()).unwrap();
        (data, report)
    });
    check_report(&one.1);
    let untimed = |data: &Path| {
        let mut records = records(data);
        records.retain(|path, _| !path.starts_with("chessmate-2018/times/"));
        records
    };
    assert_eq!(untimed(one.0.path()), untimed(three.0.path()));
    assert_eq!(untimed(one.0.path()).len(), 7);
    let totals: Vec<usize> = one.1.artefacts.iter().map(|artefact| artefact.total).collect();
    assert_eq!(totals, [0, 8, 4, 8, 0, 2, 0, 0]);
    let sizes: Vec<usize> = one.1.artefacts.iter().map(|artefact| artefact.numbers.len()).collect();
    assert_eq!(sizes, [5 + 5 * 3 + 2, 8 * 2, 12 * 2, 4 * 2, 3 * 2, 4 * 3, 2 * 2, 8]);
}

/// The networks of ChessMate's sizes go on from what is kept of them.
#[test]
fn networks_of_several_sizes_are_stopped_and_go_on() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    smoke(whole.path(), "chessmate-2018/sizes", 2, Watch::nobody()).unwrap();
    let attempts = with_stops(parts.path(), "chessmate-2018/sizes", 3);
    assert!(attempts > 2, "stopped {attempts} times only");
    assert_eq!(records(whole.path()), records(parts.path()));
}

#[test]
fn what_was_not_asked_for_is_shown_as_not_run() {
    let data = tempfile::tempdir().unwrap();
    let report = smoke(data.path(), "mueller-1992/database", 2, Watch::nobody()).unwrap();
    let badges: Vec<Badge> = report.artefacts.iter().map(|artefact| artefact.badge).collect();
    assert_ne!(badges[0], Badge::NotRun);
    assert!(badges[1..].iter().all(|&badge| badge == Badge::NotRun));
    let markdown = fs::read_to_string(&report.markdown).unwrap();
    assert_eq!(markdown.matches("> not run").count(), 9);
}

/// Runs to the end with many stops: after `stride` steps of work, then after twice as many, and so on.
fn with_stops(data: &Path, what: &str, stride: u64) -> u64 {
    for attempt in 1.. {
        let (stop, shown) = (AtomicBool::new(false), AtomicU64::new(0));
        let show = |progress: Progress<'_>| {
            // The solution of the game is no part of the run.
            if progress.unit != "boards" && shown.fetch_add(1, Ordering::Relaxed) >= stride * attempt {
                stop.store(true, Ordering::Relaxed);
            }
        };
        match smoke(data, what, 2, Watch::new(&stop, &show)) {
            Ok(_) => return attempt,
            Err(WorkError::Stopped) => {}
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!()
}

#[test]
fn a_run_that_was_stopped_again_and_again_leaves_the_same_bytes() {
    for (what, stride) in
        [("mueller-1992/second-approach", 60), ("outplay-pushover/keepers", 60), ("salamone-2018/temper", 8)]
    {
        let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        smoke(whole.path(), what, 2, Watch::nobody()).unwrap();
        let attempts = with_stops(parts.path(), what, stride);
        assert!(attempts > 2, "{what} was stopped {attempts} times only");
        assert_eq!(records(whole.path()), records(parts.path()), "{what}");
    }
}

#[test]
fn every_paper_has_readable_numbers_and_deviations() {
    for paper in PAPERS {
        Published::read(paper.published).unwrap();
        assert!(paper.deviations.lines().any(|line| line.starts_with("1. ")), "{}", paper.slug);
    }
}
