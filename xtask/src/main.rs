//! `cargo xtask …`: the project's own chores.
//!
//! Belongs here: what a contributor runs on the project. Does not belong here: anything a user of Outplay
//! runs, which is the `outplay` binary's. Law: `cargo xtask test` is every check there is, and it needs
//! nothing but a Rust toolchain and Node.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str =
    "usage: cargo xtask test     every check: format, lints, tests, doctests, the page's own, smoke of all artefacts
       cargo xtask bench    the speeds of this build, by criterion and by `outplay bench`
       cargo xtask reports  every artefact at full scale, its report put into papers/";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(),
        ["bench"] => bench(),
        ["reports"] => reports(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let begun = Instant::now();
    need_component("fmt", "rustfmt")?;
    need_component("clippy", "clippy")?;
    cargo("fmt --all --check")?;
    cargo("clippy --workspace --all-targets --locked -- -D warnings")?;
    if has("nextest") {
        cargo("nextest run --workspace --locked --no-fail-fast")?;
    } else {
        cargo("test --workspace --locked --lib --bins --tests")?;
    }
    cargo("test --workspace --locked --doc")?;
    page()?;
    smoke()?;
    eprintln!("every check passed in {} s", begun.elapsed().as_secs());
    Ok(())
}

/// Checks the page: its types and its unit tests. The build before this has installed what it needs.
fn page() -> Result<(), String> {
    for script in ["check", "test"] {
        eprintln!("+ npm run {script} (in web)");
        let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let status = Command::new(name)
            .args(["run", "--silent", script])
            .current_dir("web")
            .status()
            .map_err(|error| format!("npm could not be started: {error}"))?;
        if !status.success() {
            return Err(format!("'npm run {script}' failed in web"));
        }
    }
    Ok(())
}

/// Runs every artefact at its smallest scale in an empty data directory.
fn smoke() -> Result<(), String> {
    let data = Path::new("target").join("smoke");
    if data.exists() {
        fs::remove_dir_all(&data).map_err(|error| format!("cannot empty {}: {error}", data.display()))?;
    }
    cargo(&format!(
        "run --quiet --locked --package outplay -- reproduce --scale smoke --data {}",
        data.display()
    ))
}

fn bench() -> Result<(), String> {
    cargo("bench --workspace --locked")?;
    cargo("run --release --locked --package outplay -- bench")
}

/// Makes all artefacts at the documents' own size, going on where an earlier call stopped, and keeps their reports.
fn reports() -> Result<(), String> {
    let data = Path::new("target").join("reports");
    cargo(&format!(
        "run --release --locked --package outplay -- reproduce --scale full --data {}",
        data.display()
    ))?;
    for paper in list(&data.join("reports"))? {
        let slug = paper.file_name().unwrap_or_default();
        let (from, to) = (paper.join("full"), Path::new("papers").join(slug));
        copy(&from.join("report.md"), &to.join("report.md"))?;
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

/// Whether `cargo NAME` is there.
fn has(name: &str) -> bool {
    Command::new(cargo_path()).args([name, "--version"]).output().is_ok_and(|output| output.status.success())
}

fn need_component(subcommand: &str, component: &str) -> Result<(), String> {
    if has(subcommand) {
        return Ok(());
    }
    eprintln!("+ rustup component add {component}");
    let added = Command::new("rustup").args(["component", "add", component]).status();
    if added.is_ok_and(|status| status.success()) {
        Ok(())
    } else {
        Err(format!(
            "'cargo {subcommand}' is missing: install the {component} component of the Rust toolchain"
        ))
    }
}

fn cargo(arguments: &str) -> Result<(), String> {
    eprintln!("+ cargo {arguments}");
    let status = Command::new(cargo_path())
        .args(arguments.split_whitespace())
        .status()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("'cargo {arguments}' failed")) }
}

fn cargo_path() -> String {
    env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
