//! Terminal positions as a search sees them: ends by position first, then the referee's draws by length and repetition.

use outplay_core::{Outcome, Position, Score, Turn};

/// The score of a finished position for the side to move there.
#[inline]
pub(crate) fn terminal_score<P: Position>(position: &P) -> Option<Score> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win(winner) if winner == position.seat() => Score::win_in(0),
        Outcome::Win(_) => Score::loss_in(0),
        Outcome::Draw => Score::EVEN,
    })
}

/// Recognises the ends of the game during a search, and keeps the path of the search for repetitions.
///
/// If the referee counts repetitions, a position that is already on the path, root included, is a draw: a side that could
/// gain by the cycle could gain without it. A position of the game so far is a draw once one more occurrence reaches the
/// referee's limit.
#[derive(Clone, Debug)]
pub(crate) struct TerminalRules {
    plies_left: u32,
    counting: bool,
    /// Keys of past positions that may not occur once more; sorted.
    exhausted: Vec<u64>,
    /// Keys of the positions from the root to the one whose moves are being tried.
    path: Vec<u64>,
}

impl TerminalRules {
    pub(crate) fn new<M>(turn: &Turn<'_, M>) -> Self {
        let exhausted = turn.repetitions.map(|limit| occurring(turn.past, limit.saturating_sub(1)));
        Self {
            plies_left: turn.plies_left.unwrap_or(u32::MAX),
            counting: exhausted.is_some(),
            exhausted: exhausted.unwrap_or_default(),
            path: Vec::new(),
        }
    }

    /// Plies from the root to the referee's draw; [`u32::MAX`] if there is none.
    pub(crate) fn plies_left(&self) -> u32 {
        self.plies_left
    }

    /// The score of the position for the side to move there, if the game ends with it, `ply` plies after the root.
    #[inline]
    pub(crate) fn at<P: Position>(&self, position: &P, ply: u32) -> Option<Score> {
        terminal_score(position).or_else(|| {
            let drawn = ply >= self.plies_left || (self.counting && self.repeats(position.key()));
            drawn.then_some(Score::EVEN)
        })
    }

    /// Checks only every second position of the path: the others have the other side to move.
    fn repeats(&self, key: u64) -> bool {
        self.path.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key)
            || self.exhausted.binary_search(&key).is_ok()
    }

    /// Call before trying the position's moves.
    #[inline]
    pub(crate) fn enter<P: Position>(&mut self, position: &P) {
        if self.counting {
            self.path.push(position.key());
        }
    }

    /// Call after trying the moves of the position entered last.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Clears the path.
    pub(crate) fn rewind(&mut self) {
        self.path.clear();
    }
}

/// The keys that occur at least `times` times, sorted.
fn occurring(past: &[u64], times: u32) -> Vec<u64> {
    let mut keys = past.to_vec();
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).filter(|same| same.len() >= times as usize).map(|same| same[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TicTacToe, Tug};
    use outplay_core::Rng;

    #[test]
    fn a_finished_position_is_the_side_to_moves() {
        assert_eq!(terminal_score(&TicTacToe::read("XXX OO. ... O")), Some(Score::loss_in(0)));
        assert_eq!(terminal_score(&TicTacToe::read("XOX XOO OXX O")), Some(Score::EVEN));
        assert_eq!(terminal_score(&TicTacToe::START), None);
    }

    #[test]
    fn a_win_at_the_last_ply_is_a_win() {
        let mut rng = Rng::new(0);
        let mut turn = Turn::<u8>::new(&mut rng);
        turn.plies_left = Some(2);
        let terminal_rules = TerminalRules::new(&turn);
        assert_eq!(terminal_rules.at(&TicTacToe::START, 1), None);
        assert_eq!(terminal_rules.at(&TicTacToe::START, 2), Some(Score::EVEN));
        assert_eq!(terminal_rules.at(&TicTacToe::read("XXX OO. ... O"), 2), Some(Score::loss_in(0)));
    }

    #[test]
    fn the_past_counts_up_to_the_referees_number() {
        let seen = Tug::at(2);
        let score_after = |past: &[u64], repetitions| {
            let mut rng = Rng::new(0);
            let mut turn = Turn::<i8>::new(&mut rng);
            (turn.past, turn.repetitions) = (past, repetitions);
            TerminalRules::new(&turn).at(&seen, 1)
        };
        let key = seen.key();
        assert_eq!(score_after(&[key, 5, key], None), None);
        assert_eq!(score_after(&[key, 5], Some(3)), None);
        assert_eq!(score_after(&[key, 5, key], Some(3)), Some(Score::EVEN));
        assert_eq!(score_after(&[key], Some(2)), Some(Score::EVEN));
    }

    #[test]
    fn the_path_counts_at_once() {
        let mut rng = Rng::new(0);
        let mut turn = Turn::<i8>::new(&mut rng);
        turn.repetitions = Some(3);
        let mut terminal_rules = TerminalRules::new(&turn);
        let root = Tug::at(2);
        let next = root.after(1);
        terminal_rules.enter(&root);
        terminal_rules.enter(&next);
        assert_eq!(terminal_rules.at(&next.after(-1), 2), Some(Score::EVEN));
        assert_eq!(terminal_rules.at(&next.after(1), 2), None);
        terminal_rules.rewind();
        assert_eq!(terminal_rules.at(&next.after(-1), 2), None);
    }
}
