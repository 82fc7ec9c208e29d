//! `outplay uci`: our engine for any chess interface.
//!
//! Lines come from any reader and go to any writer. A line that cannot be obeyed is answered by one sentence as `info string`.
//! Every `go` is answered by exactly one `bestmove`, at once after `stop` and at the end of the input. An answer repeats
//! only a few words of the input, and a line of any length takes no more memory than the longest that is accepted.

mod command;
mod error;
mod lines;
mod options;
mod session;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::thread;

use lines::read_line;
use session::UciSession;

/// Serves an interface until `quit` or the end of the input. A search that still runs then is stopped and answered.
pub fn serve(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Mutex::new(output);
    thread::scope(|scope| {
        let mut session = UciSession::new(scope, &output);
        let end = loop {
            match read_line(&mut input) {
                Ok(Some(line)) if session.handle_line(&line) => {}
                Ok(_) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        session.stop_search();
        end
    })
}
