//! A user at the terminal.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A data directory of its own for each test.
pub(crate) struct Lab(TempDir);

impl Lab {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outplay"));
        command.args(arguments).env("OUTPLAY_DATA", self.0.path().join("data")).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// One sentence on standard error, exit code 2, nothing on standard output.
    pub(crate) fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {sentence}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(sentence.trim_end().lines().count(), 1, "{arguments:?}: {sentence}");
        assert!(!sentence.contains("panicked"), "{sentence}");
        sentence
    }

    /// Plays with these words typed.
    pub(crate) fn typed(&self, arguments: &[&str], words: impl AsRef<[u8]>) -> String {
        let mut child = self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(words.as_ref()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts the command and lets it run until the file holds so many lines; whatever happens, it does not outlive
    /// the test.
    pub(crate) fn start(&self, arguments: &[&str], file: &str, lines: usize) -> Running {
        let child = self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let running = Running(child);
        let patience = Instant::now();
        while fs::read(file).map_or(0, |text| text.split(|&byte| byte == b'\n').count() - 1) < lines {
            assert!(patience.elapsed() < Duration::from_mins(1), "{arguments:?} writes nothing");
            std::thread::sleep(Duration::from_millis(2));
        }
        running
    }
}

/// A command at work.
pub(crate) struct Running(Child);

impl Running {
    /// Ends it at once, as a power failure would.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Presses Ctrl-C and gives the exit code.
    #[cfg(unix)]
    pub(crate) fn interrupt(mut self) -> Option<i32> {
        let sent = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.0.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
