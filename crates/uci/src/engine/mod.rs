//! `outplay uci`: our engine for any chess interface.
//!
//! Lines come from any reader and go to any writer. A line that cannot be obeyed is answered by one sentence as `info string`.
//! Every `go` is answered by exactly one `bestmove`, at once after `stop` and at the end of the input. An answer repeats
//! only a few words of the input, and a line of any length takes no more memory than the longest that is accepted.

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

/// Serves an interface until `quit` or the end of the input. A search that still runs then is stopped and answered.
pub fn serve(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Mutex::new(output);
    thread::scope(|scope| {
        let mut session = UciSession::new(scope, &output);
        let end = serve_lines(&mut input, &mut session);
        session.stop_search();
        end
    })
}

fn serve_lines<W: Write + Send>(
    input: &mut impl BufRead,
    session: &mut UciSession<'_, '_, W>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let read = read_line(input, &mut line, MAX_LINE_BYTES)?;
        let text = String::from_utf8_lossy(&line);
        let goes_on = match read {
            LineRead::End => false,
            LineRead::Line => session.handle_line(&text),
            LineRead::TooLong => {
                if !line.ends_with(b"\n") {
                    input.skip_until(b'\n')?;
                }
                session.refuse_long_line(&text);
                true
            }
        };
        if !goes_on {
            return Ok(());
        }
    }
}
