//! `cargo xtask …`: the project's own chores.
//!
//! Belongs here: what a contributor runs on the project. Does not belong here: anything a user of Outplay
//! runs, which is the `outplay` binary's. Law: `cargo xtask test` is every check there is, and it needs
//! nothing but a Rust toolchain and Node; a chess engine, Python's NumPy and chess, and Chromium add to it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str =
    "usage: cargo xtask test     every check: format, lints, tests, doctests, the page's own, also in Chromium, smoke of all artefacts
       cargo xtask bench    the speeds of this build, by criterion and by `outplay bench`
       cargo xtask openapi  writes web/openapi.json, of which the page's types are made, as the studio describes itself
       cargo xtask reports  every artefact at full scale, its report put into papers/";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(),
        ["bench"] => bench(),
        ["openapi"] => openapi(),
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
    offer_stockfish();
    cargo("fmt --all --check")?;
    cargo("clippy --workspace --all-targets --locked -- -D warnings")?;
    let python = offer_python();
    let tests = if has("nextest") {
        "nextest run --workspace --locked --no-fail-fast"
    } else {
        "test --workspace --locked --lib --bins --tests"
    };
    cargo_beside(tests, python.as_deref())?;
    cargo("test --workspace --locked --doc")?;
    page()?;
    browser()?;
    smoke()?;
    eprintln!("every check passed in {} s", begun.elapsed().as_secs());
    Ok(())
}

/// Some tests drive a real chess engine, and pass over what they would try where there is none. Where it is missing and may
/// be installed, it is.
fn offer_stockfish() {
    let is_there = |path: &str| Command::new(path).arg("quit").output().is_ok();
    if is_there("stockfish") || is_there("/usr/games/stockfish") {
        return;
    }
    eprintln!("+ apt-get install --yes stockfish");
    let installed = Command::new("apt-get").args(["install", "--yes", "stockfish"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        eprintln!("stockfish is missing and cannot be installed here: the tests that drive it try nothing");
    }
}

/// A Python with what judges us independently: NumPy reads our networks, python-chess referees our engine. Where one is
/// missing, both are put into a folder of the build, if they may.
fn offer_python() -> Option<PathBuf> {
    let runs = |program: &Path, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let has_both = |program: &PathBuf| runs(program, &["-c", "import numpy, chess.engine"]);
    let folder = env::current_dir().unwrap_or_default().join("target").join("python");
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let usual = env::var_os("PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    if let Some(python) = [&usual, &own].into_iter().find(|python| has_both(python)) {
        return Some(python.clone());
    }
    eprintln!("+ python3 -m venv target/python, pip install numpy chess");
    let made = runs(&usual, &["-m", "venv", &folder.display().to_string()])
        && runs(&own, &["-m", "pip", "install", "--quiet", "numpy", "chess"]);
    if !made {
        eprintln!(
            "NumPy or python-chess is missing and cannot be installed here: the tests that ask them may try nothing"
        );
    }
    made.then_some(own)
}

/// Writes the description of the studio's API that the page's types are made from.
fn openapi() -> Result<(), String> {
    let run = Command::new(cargo_path())
        .args(["test", "--package", "outplay-studio", "--test", "api", "openapi", "--locked"])
        .env("OUTPLAY_WRITE_OPENAPI", "yes")
        .status();
    match run {
        Ok(status) if status.success() => Ok(()),
        _ => Err("web/openapi.json could not be written".to_owned()),
    }
}

/// Checks the page: its types and its unit tests. The build before this has installed what it needs.
fn page() -> Result<(), String> {
    npm("check", &[])?;
    npm("test", &[])
}

/// Drives the built program in a real browser, as a person would.
fn browser() -> Result<(), String> {
    let Some(chromium) = offer_chromium() else {
        eprintln!(
            "Chromium is missing and cannot be installed here: what a person does in the browser is not tried"
        );
        return Ok(());
    };
    npm("e2e", &[("OUTPLAY", &built_program()?), ("CHROMIUM", &chromium)])
}

/// The program that the Rust tests have built: `cargo run` would build most of it once more, with other features.
fn built_program() -> Result<PathBuf, String> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let program = target.join("debug").join(if cfg!(windows) { "outplay.exe" } else { "outplay" });
    fs::canonicalize(&program)
        .map_err(|error| format!("the program is not at {}: {error}", program.display()))
}

/// Where Chromium is: what `CHROMIUM` names, or what the system has. Where it is missing and may be installed, it is.
fn offer_chromium() -> Option<PathBuf> {
    let is_there = |program: &PathBuf| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let usual =
        ["chromium", "chromium-browser", "google-chrome"].map(|name| Path::new("/usr/bin").join(name));
    let find = || named.iter().chain(&usual).find(|program| is_there(program)).cloned();
    find().or_else(|| {
        eprintln!("+ apt-get install --yes chromium");
        let install = || Command::new("apt-get").args(["install", "--yes", "chromium"]).output();
        if !install().is_ok_and(|output| output.status.success()) {
            // The list of packages may be old.
            let _ = Command::new("apt-get").arg("update").output();
            let _ = install();
        }
        find()
    })
}

fn npm(script: &str, environment: &[(&str, &Path)]) -> Result<(), String> {
    eprintln!("+ npm run {script} (in web)");
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let status = Command::new(name)
        .args(["run", "--silent", script])
        .envs(environment.iter().copied())
        .current_dir("web")
        .status()
        .map_err(|error| format!("npm could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("'npm run {script}' failed in web")) }
}

/// Runs every artefact at its smallest scale in an empty data directory.
fn smoke() -> Result<(), String> {
    let data = Path::new("target").join("smoke");
    if data.exists() {
        fs::remove_dir_all(&data).map_err(|error| format!("cannot empty {}: {error}", data.display()))?;
    }
    eprintln!("+ outplay reproduce --scale smoke --data {}", data.display());
    let run =
        Command::new(built_program()?).args(["reproduce", "--scale", "smoke", "--data"]).arg(&data).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the smoke of the artefacts ended with {status}")),
        Err(error) => Err(format!("the smoke of the artefacts cannot be run: {error}")),
    }
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
    cargo_beside(arguments, None)
}

/// Cargo, with the Python that tests are to use.
fn cargo_beside(arguments: &str, python: Option<&Path>) -> Result<(), String> {
    eprintln!("+ cargo {arguments}");
    let status = Command::new(cargo_path())
        .args(arguments.split_whitespace())
        .envs(python.map(|python| ("PYTHON", python)))
        .status()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("'cargo {arguments}' failed")) }
}

fn cargo_path() -> String {
    env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
