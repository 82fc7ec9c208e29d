//! How games end, seen from inside a search.
//!
//! Law: what stands on the board decides first; then the referee's draws, by length and by repetition.

use outplay_core::{Outcome, Position, Score, Turn};

/// What a finished position is worth to the side to move there.
#[inline]
pub(crate) fn verdict<P: Position>(position: &P) -> Option<Score> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win(winner) if winner == position.seat() => Score::win_in(0),
        Outcome::Win(_) => Score::loss_in(0),
        Outcome::Draw => Score::EVEN,
    })
}

/// The ends of the game that lie before a search, and the path it is on.
///
/// A position that already stands on the path, the root included, is a draw wherever the referee counts
/// repetitions: who could gain by the cycle would gain without it. A position of the game's past is a draw
/// once its occurrence would complete the referee's number.
#[derive(Clone, Debug)]
pub(crate) struct Verdicts {
    plies_left: u32,
    counting: bool,
    /// Keys of past positions that may not occur once more; sorted.
    exhausted: Vec<u64>,
    /// Keys of the positions from the root to the one whose moves are being tried.
    path: Vec<u64>,
}

impl Verdicts {
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

    /// The worth of the position to the side to move there, if the game ends with it, `ply` plies after the
    /// root.
    #[inline]
    pub(crate) fn at<P: Position>(&self, position: &P, ply: u32) -> Option<Score> {
        verdict(position).or_else(|| {
            let drawn = ply >= self.plies_left || (self.counting && self.repeats(position.key()));
            drawn.then_some(Score::EVEN)
        })
    }

    /// Only every second position of the path has the same side to move.
    fn repeats(&self, key: u64) -> bool {
        self.path.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key)
            || self.exhausted.binary_search(&key).is_ok()
    }

    /// The position's moves are going to be tried.
    #[inline]
    pub(crate) fn enter<P: Position>(&mut self, position: &P) {
        if self.counting {
            self.path.push(position.key());
        }
    }

    /// The position entered last has no more moves to try.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Back to before the root.
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
        assert_eq!(verdict(&TicTacToe::read("XXX OO. ... O")), Some(Score::loss_in(0)));
        assert_eq!(verdict(&TicTacToe::read("XOX XOO OXX O")), Some(Score::EVEN));
        assert_eq!(verdict(&TicTacToe::START), None);
    }

    #[test]
    fn a_win_at_the_last_ply_is_a_win() {
        let mut rng = Rng::new(0);
        let mut turn = Turn::<u8>::new(&mut rng);
        turn.plies_left = Some(2);
        let verdicts = Verdicts::new(&turn);
        assert_eq!(verdicts.at(&TicTacToe::START, 1), None);
        assert_eq!(verdicts.at(&TicTacToe::START, 2), Some(Score::EVEN));
        assert_eq!(verdicts.at(&TicTacToe::read("XXX OO. ... O"), 2), Some(Score::loss_in(0)));
    }

    #[test]
    fn the_past_counts_up_to_the_referees_number() {
        let seen = Tug::at(2);
        let verdict_after = |past: &[u64], repetitions| {
            let mut rng = Rng::new(0);
            let mut turn = Turn::<i8>::new(&mut rng);
            (turn.past, turn.repetitions) = (past, repetitions);
            Verdicts::new(&turn).at(&seen, 1)
        };
        let key = seen.key();
        assert_eq!(verdict_after(&[key, 5, key], None), None);
        assert_eq!(verdict_after(&[key, 5], Some(3)), None);
        assert_eq!(verdict_after(&[key, 5, key], Some(3)), Some(Score::EVEN));
        assert_eq!(verdict_after(&[key], Some(2)), Some(Score::EVEN));
    }

    #[test]
    fn the_path_counts_at_once() {
        let mut rng = Rng::new(0);
        let mut turn = Turn::<i8>::new(&mut rng);
        turn.repetitions = Some(3);
        let mut verdicts = Verdicts::new(&turn);
        let root = Tug::at(2);
        let next = root.after(1);
        verdicts.enter(&root);
        verdicts.enter(&next);
        assert_eq!(verdicts.at(&next.after(-1), 2), Some(Score::EVEN));
        assert_eq!(verdicts.at(&next.after(1), 2), None);
        verdicts.rewind();
        assert_eq!(verdicts.at(&next.after(-1), 2), None);
    }
}
