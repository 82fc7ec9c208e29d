//! The reports in papers/ follow from the runs that are kept beside them.
//!
//! Where this fails, `cargo xtask reports` writes the reports anew. As long as a run is missing, the report is an earlier one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use outplay_lab::Store;
use outplay_papers::PAPERS;
use outplay_papers::artefact::{Paper, Scale, records_file, reproduce};
use outplay_report::Badge;
use outplay_runtime::Watch;

/// The folder of a paper.
fn folder(paper: &Paper) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers").join(paper.slug)
}

/// All files below a folder, as paths from it.
fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            files.extend(files_below(&path).into_iter().map(|below| name.join(below)));
        } else {
            files.insert(name);
        }
    }
    files
}

fn copy_folder(from: &Path, to: &Path) {
    for file in files_below(from) {
        let copy = to.join(&file);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(from.join(file), copy).unwrap();
    }
}

fn assert_same(made: &Path, kept: &Path) {
    let [made_text, kept_text] = [made, kept].map(|path| fs::read_to_string(path).unwrap_or_default());
    let line = made_text.lines().zip(kept_text.lines()).position(|(made, kept)| made != kept);
    assert!(made_text == kept_text, "{} is not what its runs give, from line {line:?} on", kept.display());
}

fn check(paper: &'static Paper) {
    let (data, kept) = (tempfile::tempdir().unwrap(), folder(paper));
    let (store, seed) = (Store::at(data.path()), 0);
    let runs = data.path().join("runs").join(paper.slug);
    copy_folder(&kept.join("runs"), &runs);
    let report = reproduce(paper, &[], Scale::Full, seed, &store, Some(1), Watch::nobody()).unwrap();
    check_runs(paper, &runs, &store, seed);
    if report.artefacts.iter().any(|artefact| artefact.badge == Badge::NotRun) {
        return;
    }

    assert_same(&report.markdown, &kept.join("report.md"));
    for page in report.essay.iter().flatten() {
        assert_same(page, &kept.join(page.file_name().unwrap()));
    }
    for figure in &report.figures {
        assert_same(figure, &kept.join("figures").join(figure.file_name().unwrap()));
    }
    let figures = report.figures.iter().map(|path| PathBuf::from(path.file_name().unwrap())).collect();
    assert_eq!(files_below(&kept.join("figures")), figures, "{}: other figures", paper.slug);
}

/// All runs that are kept are those of today's configurations.
fn check_runs(paper: &'static Paper, runs: &Path, store: &Store, seed: u64) {
    let used = paper.artefacts.iter().filter_map(|it| records_file(paper, it, Scale::Full, seed, store));
    let used: BTreeSet<PathBuf> = used.map(|path| path.strip_prefix(runs).unwrap().to_owned()).collect();
    let records = files_below(runs).into_iter().filter(|path| path.ends_with("records.jsonl"));
    assert_eq!(records.collect::<BTreeSet<_>>(), used, "{}: runs of former configurations", paper.slug);
}

#[test]
fn reports_follow_from_the_runs_that_are_kept() {
    let kept: Vec<&Paper> = PAPERS.iter().filter(|paper| folder(paper).join("runs").exists()).collect();
    assert!(!kept.is_empty());
    kept.into_iter().for_each(check);
}
