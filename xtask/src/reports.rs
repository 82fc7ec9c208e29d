//! Speeds and reports: what is measured and written at full scale.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::cargo;

/// Where runs at full scale are made and reports written before they are put into papers/.
const DATA: &str = "target/reports";

pub(crate) fn bench() -> Result<(), String> {
    cargo("bench --workspace --locked")?;
    cargo("run --release --locked --package outplay -- bench")
}

/// Writes the reports in papers/ from the runs that are kept there. What is named is run at the document's own size before,
/// from where it stopped. As long as a run of a paper is missing, its report stays as it is.
pub(crate) fn remake(named: Option<&str>) -> Result<(), String> {
    let (data, papers) = (Path::new(DATA), Path::new("papers"));
    for paper in list(papers)? {
        let slug = paper.file_name().unwrap_or_default();
        copy_missing(&paper.join("runs"), &data.join("runs").join(slug))?;
    }
    if let Some(named) = named {
        reproduce(named, "")?;
    }
    for runs in list(&data.join("runs"))? {
        let slug = runs.file_name().unwrap_or_default();
        let paper = papers.join(slug);
        copy_all(&runs, &paper.join("runs"))?;
        let report = data.join("reports").join(slug).join("full");
        // Figures of an earlier report would be kept with the new one.
        remove(&report)?;
        reproduce(&slug.to_string_lossy(), "--report-only")?;
        if is_complete(&report)? {
            put_report(&report, &paper)?;
        }
    }
    let picture = papers.join("outplay-pushover/figures/keepers.svg");
    copy(&picture, Path::new("docs/pictures/pushover.svg"))
}

fn reproduce(what: &str, option: &str) -> Result<(), String> {
    cargo(&format!(
        "run --release --locked --package outplay -- reproduce {what} --scale full --data {DATA} {option}"
    ))
}

/// Whether every artefact of a report was run.
fn is_complete(report: &Path) -> Result<bool, String> {
    let path = report.join("report.md");
    let text =
        fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text.lines().all(|line| line != "> not run"))
}

/// Puts a report in the place of the former one.
fn put_report(from: &Path, to: &Path) -> Result<(), String> {
    copy(&from.join("report.md"), &to.join("report.md"))?;
    for page in ["essay.md", "essay.html"].into_iter().filter(|page| from.join(page).exists()) {
        copy(&from.join(page), &to.join(page))?;
    }
    let figures = to.join("figures");
    remove(&figures)?;
    copy_all(&from.join("figures"), &figures)
}

/// Removes a folder, if there is one.
fn remove(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| format!("cannot remove {}: {error}", folder.display()))
}

/// Copies the files below a folder; nothing if there is no such folder.
fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    copy_files(from, to, |_| true)
}

/// The same, but files that are there stay as they are: a run that went on has more records than the one that is kept.
fn copy_missing(from: &Path, to: &Path) -> Result<(), String> {
    copy_files(from, to, |path| !path.exists())
}

fn copy_files(from: &Path, to: &Path, wanted: fn(&Path) -> bool) -> Result<(), String> {
    if !from.exists() {
        return Ok(());
    }
    for source in list(from)? {
        let target = to.join(source.file_name().unwrap_or_default());
        if source.is_dir() {
            copy_files(&source, &target, wanted)?;
        } else if wanted(&target) {
            copy(&source, &target)?;
        }
    }
    Ok(())
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    Ok(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot copy {} to {}: {error}", from.display(), to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(failed)?;
    fs::copy(from, to).map(drop).map_err(failed)
}
