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

use session::UciSession;

/// Serves an interface until `quit` or the end of the input. A search with limits is then still finished, any other is stopped.
pub fn serve(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Mutex::new(output);
    thread::scope(|scope| {
        let mut session = UciSession::new(scope, &output);
        let mut failure = Ok(());
        for line in input.split(b'\n') {
            match line {
                Ok(line) if session.handle_line(&String::from_utf8_lossy(&line)) => {}
                Ok(_) => break,
                Err(error) => {
                    failure = Err(error);
                    break;
                }
            }
        }
        session.finish();
        failure
    })
}
