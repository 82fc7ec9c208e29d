//! A child process that is read and written line by line.
//!
//! Every wait has a time limit. Dropping the value ends the process and all that it started.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use outplay_core::{Text, errors};

use super::engine_option::ExpectedValue;

/// A longer line is cut into several.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// Lines that may wait to be read; a program that writes more is blocked.
const MAX_WAITING_LINES: usize = 1024;
/// How long a program may take to exit after `quit` before it is killed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);
/// How often a wait checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Where Debian installs games; it is not on every user's path.
const GAMES_FOLDER: &str = "/usr/games";

errors! {
    /// What went wrong with an engine. `command` is how it was called, `asked` the last question.
    #[derive(Clone, PartialEq)]
    pub enum EngineError {
        NoStart { command: String, reason: Text } =
            "the engine '{command}' cannot be started: {reason}" | "le moteur « {command} » ne peut être lancé : {reason}",
        Ended { command: String, asked: String } =
            "the engine '{command}' ended before it answered '{asked}'"
            | "le moteur « {command} » s’est arrêté avant de répondre à « {asked} »",
        Silent { command: String, asked: String, seconds: f64 } =
            "the engine '{command}' did not answer '{asked}' within {seconds} s"
            | "le moteur « {command} » n’a pas répondu à « {asked} » en {seconds} s",
        Nonsense { command: String, asked: String, answer: String } =
            "the engine '{command}' answered '{answer}' to '{asked}': expected a legal move"
            | "le moteur « {command} » a répondu « {answer} » à « {asked} » : attendu un coup légal",
        NoOption { command: String, name: String, known: Vec<String> } =
            "the engine '{command}' has no option '{name}': expected one of {known}"
            | "le moteur « {command} » n’a pas d’option « {name} » : attendu une de {known}",
        BadValue { command: String, name: String, value: String, expected: ExpectedValue } =
            "the engine '{command}' does not take {name}={value}: expected {expected}"
            | "le moteur « {command} » n’accepte pas {name}={value} : attendu {expected}",
    }
}

/// What reading a line led to.
pub(super) enum ReadResult {
    /// A line, without its newline.
    Line(String),
    /// The time limit was reached.
    TimedOut,
    /// The process closed its output.
    Ended,
    /// The stop flag was raised.
    Cancelled,
}

/// A running engine process.
pub(super) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Splits a command at blanks; quotes keep blanks together.
pub(super) fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut in_quotes, mut begun) = (String::new(), false, false);
    for char in command.chars() {
        match char {
            '"' => (in_quotes, begun) = (!in_quotes, true),
            char if char.is_whitespace() && !in_quotes => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            char => {
                word.push(char);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// Starts a process in a group of its own, so that it can be killed with all its children.
fn spawn(name: &str, arguments: &[String]) -> io::Result<Child> {
    let mut call = Command::new(name);
    call.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut call, 0);
    call.spawn()
}

impl EngineProcess {
    pub(super) fn start(command: &str) -> Result<Self, EngineError> {
        let no_start = |reason| EngineError::NoStart { command: command.to_owned(), reason };
        let no_name = || no_start(Text::new("it has no name", "il n’a pas de nom"));
        let words = split_command(command);
        let (name, arguments) = words.split_first().ok_or_else(no_name)?;
        let spawned = spawn(name, arguments).or_else(|error| match GAMES_FOLDER {
            folder if error.kind() == io::ErrorKind::NotFound && !name.contains('/') => {
                spawn(&format!("{folder}/{name}"), arguments).map_err(|_| error)
            }
            _ => Err(error),
        });
        let mut child = spawned.map_err(|error| no_start(Text::of(&error)))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output is a pipe");
        let (send, lines) = sync_channel(MAX_WAITING_LINES);
        thread::spawn(move || forward_lines(output, &send));
        Ok(Self { child, input, lines })
    }

    /// Sends a line. Errors are ignored: a dead process shows when its answer is read.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// Waits for the next line, at most until `until` and until `stop` is raised.
    pub(super) fn receive(&self, until: Instant, stop: Option<&AtomicBool>) -> ReadResult {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return ReadResult::TimedOut;
            }
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return ReadResult::Line(line),
                Err(RecvTimeoutError::Disconnected) => return ReadResult::Ended,
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => {
                    return ReadResult::Cancelled;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn forward_lines(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        if lines.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
            return;
        }
    }
}

impl Drop for EngineProcess {
    /// Sends `quit`, then kills the process group. The process id stays reserved until `wait`, so no other process can be hit.
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        let until = Instant::now() + EXIT_TIMEOUT;
        while let ReadResult::Line(_) = self.receive(until, None) {}
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::split_command;

    #[test]
    fn commands_are_split_at_blanks_outside_of_quotes() {
        assert_eq!(split_command("  a  \"b c\"d \"\" "), ["a", "b cd", ""]);
        assert!(split_command("  ").is_empty());
    }
}
