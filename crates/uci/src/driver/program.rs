//! A process that is spoken to line by line.
//!
//! Laws: every wait has an end; when the owner lets go, the process and all that it started are gone.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A longer line is cut into several.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines that may wait to be read; a program that floods us is held up.
const WAITING_LINES: usize = 1024;
/// How long a program may take to leave by itself.
const FAREWELL: Duration = Duration::from_millis(300);
/// How often a wait looks whether it is called off.
const GLANCE: Duration = Duration::from_millis(20);

/// Where some systems keep games, though not everybody's path leads there.
const GAMES_FOLDER: &str = "/usr/games";

/// What went wrong with a program, in one sentence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// There is no such program.
    #[error("the engine '{command}' cannot be started: {reason}")]
    NoStart {
        /// How it was called.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// It has ended.
    #[error("the engine '{command}' ended before it answered '{asked}'")]
    Ended {
        /// How it was called.
        command: String,
        /// The last question.
        asked: String,
    },
    /// It takes too long.
    #[error("the engine '{command}' did not answer '{asked}' within {seconds} s")]
    Silent {
        /// How it was called.
        command: String,
        /// The last question.
        asked: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// It said something that cannot be.
    #[error("the engine '{command}' answered '{answer}' to '{asked}': expected a legal move")]
    Nonsense {
        /// How it was called.
        command: String,
        /// The last question.
        asked: String,
        /// What it said.
        answer: String,
    },
    /// It was given an option that it does not have.
    #[error("the engine '{command}' has no option '{name}': expected one of {known}")]
    NoOption {
        /// How it was called.
        command: String,
        /// The option.
        name: String,
        /// Those that it has.
        known: String,
    },
    /// An option was given a value that it does not take.
    #[error("the engine '{command}' does not take {name}={value}: expected {expected}")]
    BadValue {
        /// How it was called.
        command: String,
        /// The option.
        name: String,
        /// What it was given.
        value: String,
        /// What it takes.
        expected: String,
    },
}

/// What a wait came to.
pub(super) enum Heard {
    /// A line without its end.
    Line(String),
    /// The time is over.
    Late,
    /// Nothing will come any more.
    End,
    /// The wait was called off.
    Called,
}

/// A running program.
pub(super) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// The words of a command; quotes keep blanks together.
pub(super) fn words(command: &str) -> Vec<String> {
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

/// In a group of its own, so that it can be ended with all that it starts.
fn spawn(name: &str, arguments: &[String]) -> io::Result<Child> {
    let mut call = Command::new(name);
    call.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut call, 0);
    call.spawn()
}

impl Program {
    pub(super) fn start(command: &str) -> Result<Self, Fault> {
        let no_start = |reason: String| Fault::NoStart { command: command.to_owned(), reason };
        let words = words(command);
        let (name, arguments) = words.split_first().ok_or_else(|| no_start("it has no name".to_owned()))?;
        let spawned = spawn(name, arguments).or_else(|error| match GAMES_FOLDER {
            folder if error.kind() == io::ErrorKind::NotFound && !name.contains('/') => {
                spawn(&format!("{folder}/{name}"), arguments).map_err(|_| error)
            }
            _ => Err(error),
        });
        let mut child = spawned.map_err(|error| no_start(error.to_string()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output is a pipe");
        let (send, lines) = sync_channel(WAITING_LINES);
        thread::spawn(move || listen(output, &send));
        Ok(Self { child, input, lines })
    }

    /// Says a line. Whether anyone hears it shows in the answers.
    pub(super) fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// The next line, unless it comes after `until` or the wait is called off.
    pub(super) fn hear(&self, until: Instant, stop: Option<&AtomicBool>) -> Heard {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Late;
            }
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Heard::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => {
                    return Heard::Called;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn listen(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        if lines.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
            return;
        }
    }
}

impl Drop for Program {
    /// Asks it to leave, and makes it leave. Its number stays its own until it is waited for, so nobody else is ended.
    fn drop(&mut self) {
        self.say("quit");
        self.input = None;
        let until = Instant::now() + FAREWELL;
        while let Heard::Line(_) = self.hear(until, None) {}
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
    use super::words;

    #[test]
    fn words_are_cut_at_blanks_outside_of_quotes() {
        assert_eq!(words("  a  \"b c\"d \"\" "), ["a", "b cd", ""]);
        assert!(words("  ").is_empty());
    }
}
