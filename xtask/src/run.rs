//! Starting other programs: cargo, npm, and the program that the tests have built.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables that a program gets beside those of this process.
pub(crate) type Environment<'a> = [(&'a str, &'a OsStr)];

pub(crate) fn cargo(arguments: &str) -> Result<(), String> {
    cargo_with(arguments, &[])
}

pub(crate) fn cargo_with(arguments: &str, environment: &Environment<'_>) -> Result<(), String> {
    eprintln!("+ cargo {arguments}");
    let mut command = cargo_command();
    command.args(arguments.split_whitespace()).envs(environment.iter().copied());
    if is_ci() {
        // What an incremental build writes down is of use to a second build only.
        command.env("CARGO_INCREMENTAL", "0");
    }
    wait_for(&mut command, &format!("cargo {arguments}"))
}

/// Whether this run is a judgement on a machine of its own rather than a contributor's work.
pub(crate) fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}

/// Whether `cargo NAME` is there.
pub(crate) fn has_cargo_command(name: &str) -> bool {
    succeeds(cargo_command().args([name, "--version"]))
}

fn cargo_command() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a script of the page's package.
pub(crate) fn npm(script: &str, environment: &Environment<'_>) -> Result<(), String> {
    npm_with(script, &[], environment)
}

/// Runs a script of the page's package with arguments.
pub(crate) fn npm_with(
    script: &str,
    arguments: &[&str],
    environment: &Environment<'_>,
) -> Result<(), String> {
    eprintln!("+ npm run {script} (in web)");
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command
        .args(["run", "--silent", script, "--"])
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir("web");
    wait_for(&mut command, &format!("npm run {script}"))
}

/// Runs the program that the Rust tests have built: `cargo run` would build most of it once more, with other features.
pub(crate) fn outplay(arguments: &[&str]) -> Result<(), String> {
    let text = format!("outplay {}", arguments.join(" "));
    eprintln!("+ {text}");
    wait_for(Command::new(built_program()?).args(arguments), &text)
}

/// Where that program is.
pub(crate) fn built_program() -> Result<PathBuf, String> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let program = target.join("debug").join(if cfg!(windows) { "outplay.exe" } else { "outplay" });
    fs::canonicalize(&program)
        .map_err(|error| format!("the program is not at {}: {error}", program.display()))
}

/// Whether a program can be started and ends well. What it says is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Whether a program answers to `--version`.
pub(crate) fn has_version(program: &Path) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

/// What a program says on standard output.
pub(crate) fn output_of(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("'{name}' could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("'{name}' failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("'{name}' said what is no text"))
}

/// Runs a program to its end without showing what it says, except the last line in the error if it fails.
pub(crate) fn run_quietly(command: &mut Command) -> Result<(), String> {
    let arguments = command.get_args().map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    let name = format!("{} {arguments}", command.get_program().display());
    eprintln!("+ {name}");
    let output = command.output().map_err(|error| format!("'{name}' could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    Err(format!("'{name}' failed: {}", last.trim()))
}

fn wait_for(command: &mut Command, name: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("'{name}' could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("'{name}' failed: {status}")) }
}
