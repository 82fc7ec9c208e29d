//! `outplay uci`: our engine for any chess interface.
//!
//! Lines come from any reader and go to any writer. A line that cannot be obeyed is answered by one sentence as `info string`.
//! Every `go` is answered by exactly one `bestmove`, at once after `stop`.

mod command;
mod error;
mod options;
mod session;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::thread;

use outplay_runtime::files::{LineRead, MAX_LINE_BYTES, read_line};
use session::UciSession;

/// Serves an interface until `quit` or the end of the input. A search with limits is then still finished, any other is stopped.
pub fn serve(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Mutex::new(output);
    thread::scope(|scope| {
        let mut session = UciSession::new(scope, &output);
        let mut line = Vec::new();
        let outcome = loop {
            match read_line(&mut input, &mut line, MAX_LINE_BYTES) {
                Ok(LineRead::Line) if session.handle_line(&String::from_utf8_lossy(&line)) => {}
                Ok(LineRead::Line | LineRead::End) => break Ok(()),
                Ok(LineRead::TooLong) => break Err(io::Error::other("a line is longer than 1 MiB")),
                Err(error) => break Err(error),
            }
        };
        session.finish();
        outcome
    })
}
