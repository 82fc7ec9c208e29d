//! Programs from outside the project that some tests need, and how a test reports that it could not try something.
//!
//! A test that lacks what it needs calls one of these functions and returns. It prints the reason, and adds it to the
//! file that `OUTPLAY_SKIPPED` names, which `cargo xtask test` lists at its end.
#![warn(missing_docs)]

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::process::Command;

/// Reports that the calling test could not try what it is there for.
#[track_caller]
pub fn skip(reason: impl Display) {
    let line = format!("{}: {reason}\n", Location::caller());
    eprint!("skipped: {line}");
    if let Some(path) = env::var_os("OUTPLAY_SKIPPED") {
        // One write, so that the lines of tests that run at the same time do not mix.
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(written.is_ok(), "{} cannot be written: {written:?}", path.display());
    }
}

/// Whether Stockfish is here, on the path or where Debian puts games. Where it is not, the calling test is reported as
/// skipped.
#[track_caller]
pub fn has_stockfish() -> bool {
    let is_here = ["stockfish", "/usr/games/stockfish"].iter().any(|program| {
        Command::new(program).arg("quit").output().is_ok_and(|output| output.status.success())
    });
    if !is_here {
        skip("Stockfish is not installed");
    }
    is_here
}

/// A Python that can import a module: the one that `PYTHON` names, else `python3`. Where it cannot, the calling test is
/// reported as skipped.
#[track_caller]
pub fn python_with(module: &str) -> Option<OsString> {
    let python = env::var_os("PYTHON").unwrap_or_else(|| OsString::from("python3"));
    match Command::new(&python).args(["-c", &format!("import {module}")]).output() {
        Ok(output) if output.status.success() => return Some(python),
        Ok(_) => skip(format!("{} has no module {module}", python.display())),
        Err(error) => skip(format!("{} cannot be started: {error}", python.display())),
    }
    None
}
