//! Processes of the program that run to their end, or are killed at a moment or at a file-system call.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Dice;
use crate::run::run_quietly;

/// What changes files, or makes sure that they have changed.
const CALLS: &str = "openat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,ftruncate,mkdir,rmdir,flock";
/// A process that runs longer hangs.
const PATIENCE: Duration = Duration::from_mins(3);
/// How often a process is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Whether file-system calls can be counted and made deadly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    Traced,
    Unknown,
}

/// When a process is killed.
#[derive(Clone)]
pub(super) enum Death {
    After(Duration),
    /// At this call of this name on any of its threads.
    AtCall(String, u64),
}

/// How a process ended.
#[derive(Debug)]
pub(super) enum Ending {
    Done,
    Killed,
    /// By exit code 2 and one sentence.
    Refused(String),
    /// In any other way, in words.
    Failed(String),
}

/// The program under test.
pub(super) struct TestedProgram(PathBuf);

/// Whether strace may follow processes here.
pub(super) fn check_strace() -> Result<(), String> {
    run_quietly(Command::new("strace").args([
        "--follow-forks",
        "--seccomp-bpf",
        "--output=/dev/null",
        "true",
    ]))
}

impl TestedProgram {
    pub(super) const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The command, under strace where a call is to be deadly.
    pub(super) fn command(&self, arguments: &[String], death: Option<&Death>) -> Command {
        let Some(Death::AtCall(call, number)) = death else {
            let mut command = Command::new(&self.0);
            command.args(arguments);
            return command;
        };
        let mut command = strace(call);
        command.arg("--output=/dev/null").arg(format!("--inject={call}:signal=KILL:when={number}"));
        command.arg(&self.0).args(arguments);
        command
    }

    /// Runs the program in a folder.
    pub(super) fn run(
        &self,
        folder: &Path,
        arguments: &[String],
        death: Option<&Death>,
    ) -> Result<Ending, String> {
        let mut command = self.command(arguments, death);
        let moment = match death {
            Some(Death::After(moment)) => Some(*moment),
            _ => None,
        };
        run_in(folder, &mut command, moment)
    }

    /// The calls that the program makes with these arguments: by name, the most on one thread.
    pub(super) fn calls(&self, folder: &Path, arguments: &[String]) -> Result<BTreeMap<String, u64>, String> {
        let list = beside(folder, "calls");
        let mut command = strace(CALLS);
        command.arg("--output").arg(&list).arg(&self.0).args(arguments);
        match run_in(folder, &mut command, None)? {
            Ending::Done => read_calls(&list),
            other => Err(format!("'{}' failed under strace: {other:?}", arguments.join(" "))),
        }
    }
}

/// A file for notes about a folder, outside of it.
pub(super) fn beside(folder: &Path, extension: &str) -> PathBuf {
    folder.with_extension(extension)
}

pub(super) fn strace(calls: &str) -> Command {
    let mut command = Command::new("strace");
    command.args(["--follow-forks", "--seccomp-bpf", "--quiet=all"]).arg(format!("--trace={calls}"));
    command
}

/// All calls that are worth a kill, as strace lists them.
pub(super) fn traced(list: &Path) -> Command {
    let mut command = strace(CALLS);
    command.arg("--output").arg(list);
    command
}

pub(super) fn read_calls(list: &Path) -> Result<BTreeMap<String, u64>, String> {
    let text = fs::read(list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    let mut by_thread: BTreeMap<(String, String), u64> = BTreeMap::new();
    for line in String::from_utf8_lossy(&text).lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        if call.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            *by_thread.entry((call.to_owned(), thread.to_owned())).or_default() += 1;
        }
    }
    let mut calls = BTreeMap::new();
    for ((call, _), number) in by_thread {
        let most = calls.entry(call).or_default();
        *most = number.max(*most);
    }
    Ok(calls)
}

/// A death at any of these calls, each as likely as the others.
pub(super) fn random_call(calls: &BTreeMap<String, u64>, dice: &mut Dice) -> Death {
    let mut place = dice.below(calls.values().sum());
    for (call, number) in calls {
        if place < *number {
            return Death::AtCall(call.clone(), place + 1);
        }
        place -= number;
    }
    Death::After(Duration::ZERO)
}

/// Runs a command in a folder, and kills it at this moment of its life.
pub(super) fn run_in(
    folder: &Path,
    command: &mut Command,
    moment: Option<Duration>,
) -> Result<Ending, String> {
    let said = beside(folder, "said");
    let stderr = File::create(&said).map_err(|error| format!("cannot write {}: {error}", said.display()))?;
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    let mut child = command.spawn().map_err(|error| format!("the program does not start: {error}"))?;
    let status = wait(&mut child, moment)?;
    let said = fs::read(&said).unwrap_or_default();
    Ok(judge(status, String::from_utf8_lossy(&said).trim()))
}

fn wait(child: &mut Child, moment: Option<Duration>) -> Result<ExitStatus, String> {
    let (begun, mut is_killed) = (Instant::now(), false);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(error) => return Err(format!("the program cannot be waited for: {error}")),
        }
        if !is_killed && moment.is_some_and(|moment| begun.elapsed() >= moment) {
            let _ = child.kill();
            is_killed = true;
        }
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err("the program hangs".to_owned());
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn judge(status: ExitStatus, said: &str) -> Ending {
    let is_one_sentence = said.lines().count() == 1 && said.starts_with("outplay: ");
    match status.code() {
        Some(0) => Ending::Done,
        Some(2) if is_one_sentence => Ending::Refused(said.to_owned()),
        _ if is_killed(status) => Ending::Killed,
        _ => Ending::Failed(format!("{status}: {said}")),
    }
}

#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    const SIGKILL: i32 = 9;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGKILL)
}

#[cfg(not(unix))]
fn is_killed(status: ExitStatus) -> bool {
    status.code().is_none()
}
