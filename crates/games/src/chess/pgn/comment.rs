//! What engines write in comments: the evaluation after the move, the depth, the time taken, the clock.
//!
//! Two forms are read: commands such as `[%eval 0.25] [%clk 0:03:00]` (evaluations are white's), and the short form
//! `+0.57/13 0.30s` of match programs (evaluations are the mover's), with `M` for mates and `book` for book moves. Blanks
//! inside the braces do not matter. The evaluation kept is always white's.

use std::time::Duration;

use outplay_core::Seat;

/// The data that an engine wrote in a comment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineComment {
    /// The evaluation, from white's point of view.
    pub white_score: Option<CommentScore>,
    /// The search depth, in plies.
    pub depth: Option<u32>,
    /// The time taken for the move.
    pub elapsed: Option<Duration>,
    /// The time left on the clock.
    pub clock: Option<Duration>,
    /// The move is from an opening book.
    pub is_book: bool,
}

/// An evaluation for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommentScore {
    /// In centipawns.
    Centipawns(i32),
    /// Moves to mate; negative if the side is mated.
    Mate(i32),
}

impl CommentScore {
    const fn negated(self) -> Self {
        match self {
            Self::Centipawns(score) => Self::Centipawns(-score),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

impl EngineComment {
    /// Reads the comment on a move of `mover`.
    pub fn read(comment: &str, mover: Seat) -> Self {
        let mut read = Self::default();
        read.read_commands(comment);
        let plain = comment.trim();
        if plain.eq_ignore_ascii_case("book") {
            read.is_book = true;
        } else if read.white_score.is_none() {
            read.read_short(plain, mover);
        }
        read
    }

    fn read_commands(&mut self, comment: &str) {
        for part in comment.split("[%").skip(1) {
            let Some((command, _)) = part.split_once(']') else { continue };
            let Some((name, value)) = command.split_once(|char: char| char.is_whitespace()) else { continue };
            match name {
                "eval" => self.read_eval(value.trim()),
                "clk" => self.clock = clock(value.trim()),
                "emt" => self.elapsed = clock(value.trim()),
                _ => {}
            }
        }
    }

    fn read_eval(&mut self, value: &str) {
        let (score, depth) =
            value.split_once(',').map_or((value, None), |(score, depth)| (score, Some(depth)));
        self.white_score = match score.trim().strip_prefix('#') {
            Some(mate) => mate.parse().ok().map(CommentScore::Mate),
            None => pawns(score.trim()),
        };
        self.depth = depth.and_then(|depth| depth.trim().parse().ok());
    }

    /// `+0.57/13 0.30s`: evaluation, depth, time. Without a depth it is prose.
    fn read_short(&mut self, plain: &str, mover: Seat) {
        let mut words = plain.split(|char: char| char.is_whitespace() || char == ',');
        let Some((score, depth)) = words.next().and_then(|word| word.split_once('/')) else { return };
        let Ok(depth) = depth.parse() else { return };
        let Some(score) = mate(score).or_else(|| pawns(score)) else { return };
        self.white_score = Some(if mover == Seat::First { score } else { score.negated() });
        self.depth = Some(depth);
        self.elapsed = words.find(|word| !word.is_empty()).and_then(seconds);
    }
}

/// `+M5`, `-M3`. Some programs write plies, some moves, without saying which; the number is taken as moves.
fn mate(text: &str) -> Option<CommentScore> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let moves: i32 = rest.strip_prefix(['M', '#'])?.parse().ok()?;
    (0..=10_000).contains(&moves).then_some(CommentScore::Mate(sign * moves))
}

fn pawns(text: &str) -> Option<CommentScore> {
    let score: f64 = text.parse().ok()?;
    (score.abs() < 1e6).then(|| CommentScore::Centipawns((score * 100.0).round() as i32))
}

fn seconds(text: &str) -> Option<Duration> {
    let text = text.strip_suffix('s')?;
    match text.strip_suffix('m') {
        Some(thousandths) => Some(Duration::from_millis(thousandths.parse().ok()?)),
        None => Duration::try_from_secs_f64(text.parse().ok()?).ok(),
    }
}

/// `1:02:03.5`, `02:03` or `3`.
fn clock(text: &str) -> Option<Duration> {
    let mut total = 0.0;
    for part in text.split(':') {
        total = total * 60.0 + part.parse::<f64>().ok()?;
    }
    Duration::try_from_secs_f64(total).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_whites() {
        let read = |text, mover| EngineComment::read(text, mover);
        let white = read("+0.57/13 0.30s", Seat::First);
        assert_eq!(white.white_score, Some(CommentScore::Centipawns(57)));
        assert_eq!((white.depth, white.elapsed), (Some(13), Some(Duration::from_millis(300))));
        assert_eq!(read(" +0.57/13 0.30s ", Seat::Second).white_score, Some(CommentScore::Centipawns(-57)));
        assert_eq!(read("-M4/20 12ms", Seat::Second).white_score, Some(CommentScore::Mate(4)));
        assert_eq!(read("-M4/20 12ms", Seat::Second).elapsed, Some(Duration::from_millis(12)));
        assert_eq!(read("+M1/5 0.1s, White mates", Seat::First).white_score, Some(CommentScore::Mate(1)));
        assert_eq!(
            read("[%eval -1.5] [%clk 0:02:30.5]", Seat::Second).white_score,
            Some(CommentScore::Centipawns(-150))
        );
        assert_eq!(read("[%clk 0:02:30.5]", Seat::First).clock, Some(Duration::from_millis(150_500)));
        assert_eq!(read("[%eval #-3,22]", Seat::First).white_score, Some(CommentScore::Mate(-3)));
        assert_eq!(read("[%eval #-3,22]", Seat::First).depth, Some(22));
    }

    #[test]
    fn prose_says_nothing() {
        for text in
            ["", "A fine move", "12/3 of them", "better is 3.5/x", "[%eval]", "[%eval nothing]", "1e9/3 1s"]
        {
            let read = EngineComment::read(text, Seat::First);
            assert!(read.white_score.is_none() || text.starts_with("12"), "{text}: {read:?}");
            assert!(!read.is_book);
        }
        assert!(EngineComment::read(" book ", Seat::First).is_book);
    }
}
