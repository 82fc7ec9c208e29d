//! Speeds and reports: what is measured and written at full scale.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::cargo;

pub(crate) fn bench() -> Result<(), String> {
    cargo("bench --workspace --locked")?;
    cargo("run --release --locked --package outplay -- bench")
}

/// Makes all artefacts at the documents' own size, going on where an earlier call stopped, and keeps their reports.
pub(crate) fn remake() -> Result<(), String> {
    let data = Path::new("target").join("reports");
    cargo(&format!(
        "run --release --locked --package outplay -- reproduce --scale full --data {}",
        data.display()
    ))?;
    for paper in list(&data.join("reports"))? {
        let slug = paper.file_name().unwrap_or_default();
        let (from, to) = (paper.join("full"), Path::new("papers").join(slug));
        copy(&from.join("report.md"), &to.join("report.md"))?;
        for page in ["essay.md", "essay.html"].into_iter().filter(|page| from.join(page).exists()) {
            copy(&from.join(page), &to.join(page))?;
        }
        for figure in list(&from.join("figures"))? {
            copy(&figure, &to.join("figures").join(figure.file_name().unwrap_or_default()))?;
        }
    }
    copy(
        &data.join("reports/outplay-pushover/full/figures/keepers.svg"),
        Path::new("docs/pictures/pushover.svg"),
    )
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
