//! Lines of the input, none of which takes more memory than the longest that is accepted.

use std::io::{self, BufRead, Read};

/// The longest line that is accepted, in bytes: room for a game of two hundred thousand plies.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// A line as far as it was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// A whole line.
    Whole(String),
    /// The beginning of a line that is too long; its end was skipped.
    Cut(String),
}

/// The next line; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let is_whole = bytes.ends_with(b"\n") || bytes.len() <= MAX_LINE_BYTES;
    if !is_whole {
        input.skip_until(b'\n')?;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Some(if is_whole { InputLine::Whole(text) } else { InputLine::Cut(text) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_up_to_the_limit() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        let text = format!("first\n\n{longest}\n{longest}y\nlast");
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(InputLine::Whole("first\n".to_owned())));
        assert_eq!(next(), Some(InputLine::Whole("\n".to_owned())));
        assert_eq!(next(), Some(InputLine::Whole(format!("{longest}\n"))));
        assert_eq!(next(), Some(InputLine::Cut(format!("{longest}y"))));
        assert_eq!(next(), Some(InputLine::Whole("last".to_owned())));
        assert_eq!(next(), None);
    }

    /// A line without end, of which no more is kept than the limit.
    #[test]
    fn an_endless_line_is_skipped() {
        let mut input = io::BufReader::new(io::repeat(b'a').take(1 << 25));
        let Some(InputLine::Cut(kept)) = read_line(&mut input).unwrap() else { panic!("it is too long") };
        assert_eq!(kept.len(), MAX_LINE_BYTES + 1);
        assert_eq!(read_line(&mut input).unwrap(), None);
    }
}
