//! What the checks need from outside: found where it is, installed where it is missing and may be.
//!
//! Packages of the system come from `apt-get`, those of Python from `tests/requirements.txt`. An error is the reason why
//! something is not here.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::run::{has_cargo_command, has_version, run_quietly, succeeds};

/// Package lists older than this may name versions that are no longer served.
const OLDEST_LISTS: Duration = Duration::from_hours(24);

/// A component of the Rust toolchain that `cargo SUBCOMMAND` needs.
pub(crate) fn rust_component(subcommand: &str, component: &str) -> Result<(), String> {
    if has_cargo_command(subcommand) {
        return Ok(());
    }
    run_quietly(Command::new("rustup").args(["component", "add", component]))
        .map_err(|reason| format!("'cargo {subcommand}' is missing: {reason}"))
}

/// Stockfish, which tests drive through UCI.
pub(crate) fn stockfish() -> Result<(), String> {
    let is_here =
        || ["stockfish", "/usr/games/stockfish"].iter().any(|path| succeeds(Command::new(path).arg("quit")));
    if is_here() { Ok(()) } else { apt_install(&["stockfish"]) }
}

/// strace, which kills processes at their file-system calls.
pub(crate) fn strace() -> Result<(), String> {
    if has_version(Path::new("strace")) { Ok(()) } else { apt_install(&["strace"]) }
}

/// A compiler of C++, for libFuzzer.
pub(crate) fn cpp_compiler() -> Result<(), String> {
    let is_here = || has_version(&env::var_os("CXX").map_or_else(|| PathBuf::from("c++"), PathBuf::from));
    if is_here() { Ok(()) } else { apt_install(&["g++"]) }
}

/// The browser in which the page is tried: what `CHROMIUM` names, or what the system has.
pub(crate) fn chromium() -> Result<PathBuf, String> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let usual =
        ["chromium", "chromium-browser", "google-chrome"].map(|name| Path::new("/usr/bin").join(name));
    let find = || named.iter().chain(&usual).find(|program| has_version(program)).cloned();
    if let Some(program) = find() {
        return Ok(program);
    }
    apt_install(&["chromium"])?;
    find().ok_or_else(|| "Chromium was installed but does not start".to_owned())
}

/// A Python in the build's folder with exactly the packages of `tests/requirements.txt`.
pub(crate) fn python() -> Result<PathBuf, String> {
    let list = Path::new("tests/requirements.txt");
    let folder = Path::new("target/python");
    let installed = folder.join("installed.txt");
    let wanted = fs::read(list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    if fs::read(&installed).is_ok_and(|found| found == wanted) {
        return program_of(folder);
    }
    make_environment(folder)?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    run_quietly(Command::new(program_of(folder)?).args(pip).arg(list))?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))?;
    program_of(folder)
}

/// Makes an empty virtual environment. Debian has that part of Python in a package of its own.
fn make_environment(folder: &Path) -> Result<(), String> {
    let usual = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let make = || run_quietly(Command::new(&usual).args(["-m", "venv", "--clear"]).arg(folder));
    make().or_else(|_| apt_install(&["python3", "python3-venv"]).and_then(|()| make()))
}

/// The Python of a virtual environment, as tests in other folders can call it.
fn program_of(environment: &Path) -> Result<PathBuf, String> {
    let program = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let absolute = std::path::absolute(&program);
    absolute.map_err(|error| format!("{} has no absolute path: {error}", program.display()))
}

/// Installs packages of the system, after reading the package lists anew where they are missing or old.
fn apt_install(packages: &[&str]) -> Result<(), String> {
    if !has_version(Path::new("apt-get")) {
        return Err(format!("{} is not installed, and there is no apt-get", packages.join(" ")));
    }
    if !has_fresh_lists(Path::new("/var/lib/apt/lists")) {
        run_quietly(Command::new("apt-get").arg("update"))?;
    }
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "--yes"]).args(packages);
    run_quietly(&mut install)
}

/// Whether the package lists are there and were read lately. Every `apt-get update` works in the folder `partial`; the
/// lists themselves bear the server's dates.
fn has_fresh_lists(folder: &Path) -> bool {
    let has_lists = fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains("_Packages"))
    });
    let read = fs::metadata(folder.join("partial")).and_then(|partial| partial.modified()).ok();
    let age = read.and_then(|read| read.elapsed().ok());
    has_lists && age.is_some_and(|age| age < OLDEST_LISTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn lists_are_fresh_only_if_they_are_there_and_young() {
        let folder = env::temp_dir().join(format!("outplay-xtask-lists-{}", std::process::id()));
        let partial = folder.join("partial");
        assert!(!has_fresh_lists(&folder), "there is no folder");
        fs::create_dir_all(&partial).unwrap();
        assert!(!has_fresh_lists(&folder), "there are no lists");
        fs::write(folder.join("deb.example.org_dists_stable_main_binary-amd64_Packages.lz4"), "").unwrap();
        assert!(has_fresh_lists(&folder));
        let two_days_ago = SystemTime::now() - 2 * OLDEST_LISTS;
        fs::File::open(&partial).unwrap().set_modified(two_days_ago).unwrap();
        assert!(!has_fresh_lists(&folder), "the lists are old");
        fs::remove_dir_all(&folder).unwrap();
    }
}
