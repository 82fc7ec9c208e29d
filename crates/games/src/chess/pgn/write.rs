//! Writes games. The seven standard tags come first and in order; move text is wrapped at 80 characters, unless one word
//! is wider.

use std::fmt;

use outplay_core::{Position, Seat, View};

use super::{PgnGame, PgnLine};
use crate::chess::rules::Chess;

const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];
const WIDTH: usize = 80;

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut words = WrappedText::default();
        words.line(&self.start, &self.line);
        words.push(self.result.mark());
        writeln!(f, "{}", words.text)
    }
}

impl PgnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, usual) in ROSTER {
            let value = if name == "Result" { self.result.mark() } else { self.tag(name).unwrap_or(usual) };
            write_tag(f, name, value)?;
        }
        if self.start != Chess::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.fen())?;
        }
        let is_other =
            |name: &str| !ROSTER.iter().any(|(known, _)| *known == name) && !["SetUp", "FEN"].contains(&name);
        for (name, value) in self.tags.iter().filter(|(name, _)| is_other(name)) {
            write_tag(f, name, value)?;
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text wrapped at word boundaries.
#[derive(Default)]
struct WrappedText {
    text: String,
    column: usize,
}

impl WrappedText {
    fn push(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// Writes a comment unwrapped. One with a closing brace goes to the end of its line instead.
    fn comment(&mut self, comment: &str) {
        if comment.contains('}') {
            self.push(&format!(";{comment}"));
            self.text.push('\n');
            self.column = 0;
        } else {
            self.push(&format!("{{{comment}}}"));
        }
    }

    /// Writes the moves of a line. Black's moves have a number only where the line begins or was interrupted.
    fn line(&mut self, start: &Chess, line: &PgnLine) {
        line.comments.iter().for_each(|comment| self.comment(comment));
        let (mut position, mut is_interrupted) = (*start, true);
        for ply in &line.plies {
            let number = position.move_number();
            match position.seat() {
                Seat::First => self.push(&format!("{number}.")),
                Seat::Second if is_interrupted => self.push(&format!("{number}...")),
                Seat::Second => {}
            }
            self.push(&position.san(ply.mv));
            ply.nags.iter().for_each(|glyph| self.push(&format!("${glyph}")));
            ply.comments.iter().for_each(|comment| self.comment(comment));
            for variation in &ply.variations {
                self.push("(");
                self.line(&position, variation);
                self.push(")");
            }
            is_interrupted = !ply.comments.is_empty() || !ply.variations.is_empty();
            position.play(ply.mv);
        }
    }
}
