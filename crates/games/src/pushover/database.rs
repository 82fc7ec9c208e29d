//! The document's database of labelled positions (§3.1): one position per line, `+ooo...+...o....Eo -0.400`.
//!
//! The estimate is ±j/t, the share of the game played so far, positive if the side that just moved went on to win. The last
//! position of a decided game has ±1, and drawn games have no lines. So the winner of a position's game, and the number of
//! games, can be read off the lines.

use std::collections::HashSet;

use outplay_core::{MalformedPosition, Position, PositionNotation, Seat, View, errors};

use super::{Pushover, PushoverMove};

/// A position with the document's estimate of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledPosition<const N: usize> {
    /// The position, without its past.
    pub position: Pushover<N>,
    /// ±j/t, for the side that just moved.
    pub estimate: f64,
}

errors! {
    /// Why a line is not a labelled position.
    #[derive(Clone)]
    pub enum LabelledPositionError {
        Words { line: String } =
            "'{line}' is not a position and an estimate" | "« {line} » n’est pas une position et une estimation",
        Position { reason: MalformedPosition } = "{reason}" | "{reason}",
        NotANumber { text: String } =
            "the estimate '{text}' is not a number, expected one from -1 to 1"
            | "l’estimation « {text} » n’est pas un nombre, attendu un nombre de -1 à 1",
        OutOfRange { text: String } =
            "the estimate {text} is not from -1 to 1, zero excluded" | "l’estimation {text} n’est pas de -1 à 1, zéro exclu",
    }
}

impl<const N: usize> LabelledPosition<N> {
    /// All positions of a decided game after each of its moves.
    pub fn of_game(start: &Pushover<N>, moves: &[PushoverMove], winner: Seat) -> Vec<Self> {
        let mut position = *start;
        let mut label = |(played, &mv): (usize, &PushoverMove)| {
            position.play(mv);
            let share = (played + 1) as f64 / moves.len() as f64;
            let just_moved = !position.seat();
            let estimate = if just_moved == winner { share } else { -share };
            let position = Pushover::set_up(position.board(), None, position.seat(), position.last());
            Self { position, estimate }
        };
        moves.iter().enumerate().map(&mut label).collect()
    }

    /// Who won the game that the position comes from.
    pub fn winner(&self) -> Seat {
        let just_moved = !self.position.seat();
        if self.estimate > 0.0 { just_moved } else { !just_moved }
    }

    /// The line, its estimate cut to three digits as the document does (7/15 is 0.466).
    pub fn write_line(&self) -> String {
        format!(
            "{} {:>6.3}",
            self.position.write(),
            (self.estimate * 1000.0 + 1e-9 * self.estimate).trunc() / 1000.0
        )
    }

    /// The labelled position in a line.
    pub fn read_line(line: &str) -> Result<Self, LabelledPositionError> {
        let mut words = line.split_whitespace();
        let (Some(text), Some(number), None) = (words.next(), words.next(), words.next()) else {
            return Err(LabelledPositionError::Words { line: line.to_owned() });
        };
        let bad_position = |reason| LabelledPositionError::Position { reason };
        let position = Pushover::START.read_like(text).map_err(bad_position)?;
        let not_a_number = |_| LabelledPositionError::NotANumber { text: number.to_owned() };
        let estimate: f64 = number.parse().map_err(not_a_number)?;
        if !(-1.0..=1.0).contains(&estimate) || estimate == 0.0 {
            return Err(LabelledPositionError::OutOfRange { text: number.to_owned() });
        }
        Ok(Self { position, estimate })
    }
}

/// Counts over a database: those that the document gives, and a few more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DatabaseSummary {
    /// All lines.
    pub positions: usize,
    /// Positions with different boards, colours or sides to move.
    pub distinct: usize,
    /// Games that somebody won.
    pub decided_games: usize,
    /// Of these, games won by o.
    pub won_by_o: usize,
    /// Positions past the middle of their game (|estimate| > ½): those a network is trained on.
    pub late: usize,
}

/// Counts positions and games.
pub fn summarise<const N: usize>(positions: &[LabelledPosition<N>]) -> DatabaseSummary {
    let last = || positions.iter().filter(|labelled| labelled.estimate.abs() >= 1.0);
    let distinct: HashSet<_> = positions.iter().map(|labelled| labelled.position).collect();
    DatabaseSummary {
        positions: positions.len(),
        distinct: distinct.len(),
        decided_games: last().count(),
        won_by_o: last().filter(|labelled| labelled.winner() == Seat::First).count(),
        late: positions.iter().filter(|labelled| labelled.estimate.abs() > 0.5).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_documents_lines_are_read() {
        let first = LabelledPosition::<4>::read_line("+ooo...+...o...Eo -0.400").unwrap();
        assert_eq!(first.estimate, -0.4);
        assert_eq!(first.winner(), Seat::Second);
        let second = LabelledPosition::<4>::read_line("++oo...+...o...A+  0.466").unwrap();
        assert_eq!(second.winner(), Seat::Second);
        assert_eq!(second.write_line(), "++oo...+...o....A+  0.466");
    }

    #[test]
    fn a_game_is_labelled_from_start_to_end() {
        let moves: Vec<PushoverMove> = b"AEBFCGD".iter().map(|letter| PushoverMove(letter - b'A')).collect();
        let lines = LabelledPosition::of_game(&Pushover::<4>::START, &moves, Seat::First);
        let texts: Vec<String> = lines.iter().map(LabelledPosition::write_line).collect();
        assert_eq!(texts[0], "o...............Ao  0.142");
        assert_eq!(texts[1], "o..+............E+ -0.285");
        assert_eq!(texts[6], "o..+o..+o..+o...Do  1.000");
        let description = summarise(&lines);
        assert_eq!((description.decided_games, description.won_by_o, description.late), (1, 1, 4));
    }

    #[test]
    fn refusals_name_the_value() {
        let refusal = |line| LabelledPosition::<4>::read_line(line).unwrap_err().to_string();
        assert!(refusal("o...............Ao").contains("not a position and an estimate"));
        assert!(refusal("o...............Ao 1.5").contains("1.5"));
        assert!(refusal("o...............Ao nan").contains("nan"));
        assert!(refusal("o...............Ao x").contains("'x' is not a number"));
        assert!(refusal("z...............Ao 0.5").contains("'z' is not a cell"));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "[-o+.A-P0-9> ]{0,30}") {
            let _ = LabelledPosition::<4>::read_line(&line);
        }
    }
}
