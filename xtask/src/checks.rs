//! `cargo xtask test`: every check there is, in the order in which a mistake shows soonest.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::container;
use crate::deny;
use crate::fuzz::{self, FuzzPlan};
use crate::install;
use crate::ordeal::{self, OrdealPlan};
use crate::run::{built_program, cargo, cargo_with, has_cargo_command, is_ci, npm, outplay};
use crate::skipped::SkipList;
use crate::soak;
use crate::words;

pub(crate) fn test() -> Result<(), String> {
    let begun = Instant::now();
    let skipped = SkipList::create(Path::new("target/skipped.txt"))?;
    let outcome = try_all(&skipped);
    if outcome.is_ok() {
        eprintln!("every check passed in {} s", begun.elapsed().as_secs());
    }
    let closed = skipped.close(is_ci());
    outcome.and(closed)
}

fn try_all(skipped: &SkipList) -> Result<(), String> {
    words::check()?;
    install::rust_component("fmt", "rustfmt")?;
    install::rust_component("clippy", "clippy")?;
    cargo("fmt --all --check")?;
    cargo("clippy --workspace --all-targets --locked -- -D warnings")?;
    deny::check()?;
    rust_tests(skipped)?;
    page(skipped)?;
    ordeal::run(&OrdealPlan { kills: 30, seed: 0 }, skipped)?;
    short_soak(skipped)?;
    smoke()?;
    fuzz(skipped)
}

/// `cargo xtask ordeal`, with the options that follow.
pub(crate) fn ordeal(options: &[&str]) -> Result<(), String> {
    let plan = OrdealPlan::read(options)?;
    let skipped = SkipList::create(Path::new("target/skipped-ordeal.txt"))?;
    let outcome = ordeal::run(&plan, &skipped);
    outcome.and(skipped.close(is_ci()))
}

/// The variable by which proptest draws its cases. It is fixed, so that a run can be repeated, unless the user sets another.
const RANDOM_CASES: &str = "PROPTEST_RNG_SEED";

/// All tests of the crates. Those that need Stockfish or Python report by themselves what they cannot try.
fn rust_tests(skipped: &SkipList) -> Result<(), String> {
    let without = |program: &str, reason: &str| eprintln!("the tests go on without {program}: {reason}");
    install::stockfish().unwrap_or_else(|reason| without("Stockfish", &reason));
    let python = install::python().map_err(|reason| without("its own Python", &reason)).ok();
    let tests = if has_cargo_command("nextest") {
        "nextest run --workspace --locked --no-fail-fast"
    } else {
        "test --workspace --locked --lib --bins --tests"
    };
    let mut environment = vec![("OUTPLAY_SKIPPED", skipped.file().as_os_str())];
    environment.extend(python.as_ref().map(|python| ("PYTHON", python.as_os_str())));
    if env::var_os(RANDOM_CASES).is_none() {
        environment.push((RANDOM_CASES, OsStr::new("0")));
    }
    cargo_with(tests, &environment)?;
    match &python {
        Some(python) => container::lint(python)?,
        None => skipped.add("the linter of the container file", "Python is missing")?,
    }
    cargo("test --workspace --locked --doc")
}

/// Checks the page: its types, its unit tests, and what a person does with it in a real browser. The build before this
/// has installed what it needs.
fn page(skipped: &SkipList) -> Result<(), String> {
    npm("check", &[])?;
    npm("test", &[])?;
    let program = built_program()?;
    match install::chromium() {
        Ok(chromium) => npm("e2e", &[("OUTPLAY", program.as_os_str()), ("CHROMIUM", chromium.as_os_str())]),
        Err(reason) => skipped.add("the page in a browser (web/e2e)", &reason),
    }
}

/// Half a minute of use of the studio. What it measures is told by Linux.
fn short_soak(skipped: &SkipList) -> Result<(), String> {
    if cfg!(target_os = "linux") {
        return soak::run("0.5");
    }
    skipped.add("the memory of a studio in use (cargo xtask soak)", "there is no /proc")
}

/// A minute of fuzzing. libFuzzer is C++.
fn fuzz(skipped: &SkipList) -> Result<(), String> {
    match install::cpp_compiler() {
        Ok(()) => fuzz::run(&FuzzPlan::CHECK),
        Err(reason) => skipped.add("coverage-guided fuzzing (fuzz)", &reason),
    }
}

/// Runs every artefact at its smallest scale in an empty data directory.
fn smoke() -> Result<(), String> {
    let data = Path::new("target/smoke");
    if data.exists() {
        fs::remove_dir_all(data).map_err(|error| format!("cannot empty {}: {error}", data.display()))?;
    }
    outplay(&["reproduce", "--scale", "smoke", "--data", "target/smoke"])
}

/// Writes the description of the studio's API, from which the page's types are made.
pub(crate) fn write_openapi() -> Result<(), String> {
    cargo_with(
        "test --package outplay-studio --test api --locked openapi",
        &[("OUTPLAY_WRITE_OPENAPI", OsStr::new("yes"))],
    )
}
