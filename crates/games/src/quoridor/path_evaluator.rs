//! The evaluation by shortest paths and walls in hand, and the decision of races that cannot be hindered any more.
//!
//! The evaluation is symmetric between the sides, except for half a step for the side to move. Races that it calls decided
//! are proven.

use std::ops::ControlFlow;

use outplay_core::{Evaluator, Rng, Score, Seat, View};

use super::cells::Cells;
use super::move_selection;
use super::rules::{Quoridor, QuoridorMove};

/// The values of a step and of a wall, in thousandths of log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathWeights {
    /// Per step that the opponent is farther from its goal.
    pub step: i32,
    /// Per extra wall in hand.
    pub wall: i32,
}

impl Default for PathWeights {
    fn default() -> Self {
        Self { step: 400, wall: 800 }
    }
}

/// Which moves a search considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MoveSelection {
    /// Pawn moves, and walls near pawns, shortest paths and other walls.
    #[default]
    Relevant,
    /// All legal moves.
    All,
}

/// The evaluation by path lengths and walls in hand.
#[derive(Clone, Copy, Debug)]
pub struct PathEvaluator {
    weights: PathWeights,
    selection: MoveSelection,
}

impl PathEvaluator {
    /// The evaluation with these weights.
    pub const fn new(weights: PathWeights) -> Self {
        Self { weights, selection: MoveSelection::Relevant }
    }

    /// The same with another selection of moves.
    #[must_use]
    pub const fn with_selection(self, outlook: MoveSelection) -> Self {
        Self { selection: outlook, ..self }
    }
}

/// The proven winner of a race: the nearer side wins if the other has no wall left and its pawn cannot hinder it. The distances
/// are those of the side to move and of the other.
#[inline]
pub(super) fn race_winner<C: Cells>(position: &Quoridor<C>, mine: u32, theirs: u32) -> Option<Seat> {
    let (me, other) = (position.seat(), !position.seat());
    let (runner, chaser, steps) = if mine <= theirs { (me, other, mine) } else { (other, me, theirs) };
    if position.in_hand(chaser) > 0 {
        return None;
    }
    let [from, against] = [runner, chaser].map(|seat| C::single(position.pawn(seat)));
    let free = position.passages().wins_race(from, against, position.goal(runner), steps, runner == me);
    free.then_some(runner)
}

/// The proven end of a race. The distance to the win is that of the winner's shortest path; only a jump over the other pawn
/// might be quicker.
#[inline]
fn race<C: Cells>(position: &Quoridor<C>, mine: u32, theirs: u32) -> Option<Score> {
    let winner = race_winner(position, mine, theirs)?;
    let is_mine = winner == position.seat();
    Some(if is_mine { Score::win_in(2 * mine - 1) } else { Score::loss_in(2 * theirs) })
}

impl<C: Cells> Evaluator<Quoridor<C>> for PathEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Quoridor<C>) -> Score {
        let (me, other) = (position.seat(), !position.seat());
        let distances = position.distances();
        let [mine, theirs] = [me, other].map(|seat| distances[seat.index()]);
        race(position, mine, theirs).unwrap_or_else(|| {
            let walls = i32::from(position.in_hand(me)) - i32::from(position.in_hand(other));
            let half_steps = 2 * (theirs as i32 - mine as i32) + 1;
            Score::eval(self.weights.step * half_steps / 2 + self.weights.wall * walls)
        })
    }

    #[inline]
    fn plausible_moves(
        &mut self,
        position: &Quoridor<C>,
        depth: u32,
        mut visit: impl FnMut(QuoridorMove, i32),
    ) -> usize {
        match self.selection {
            MoveSelection::Relevant => move_selection::consider(position, depth, visit),
            MoveSelection::All => {
                let _ = position.each_move(|mv| {
                    visit(mv, 0);
                    ControlFlow::<()>::Continue(())
                });
                usize::MAX
            }
        }
    }

    #[inline]
    fn playout_move(
        &mut self,
        position: &Quoridor<C>,
        rng: &mut Rng,
        _scratch: &mut Vec<QuoridorMove>,
    ) -> QuoridorMove {
        move_selection::expect(position, rng)
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{ForcedResult, Outcome, Position};

    use super::*;
    use crate::quoridor::{QuoridorSetup, SmallQuoridor, Walls};

    /// Some board of 4×4 with random walls, pawns anywhere and none in hand.
    fn endgame(rng: &mut Rng) -> Option<SmallQuoridor> {
        let (mut position, mut scratch) = (SmallQuoridor::start(4, 3).unwrap(), Vec::new());
        for _ in 0..rng.below(14) {
            if position.outcome().is_none() {
                position.play(position.random_move(rng, &mut scratch));
            }
        }
        let walls: Walls<u64> = position.walls();
        let mut tile = || <u64 as Cells>::cell(rng.below(4) as u8, rng.below(4) as u8);
        let pawns = [tile(), tile()];
        let setup = QuoridorSetup { size: 4, pawns, in_hand: [0; 2], seat: position.seat(), walls };
        SmallQuoridor::set_up(setup).ok().filter(|position| position.outcome().is_none())
    }

    /// Whether the seat can force its arrival within this many plies, by exhaustive search.
    fn forces(seat: Seat, position: &SmallQuoridor, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome == Outcome::Win(seat);
        }
        let goes_on = |mv: &QuoridorMove| forces(seat, &position.after(*mv), plies - 1);
        let moves = position.moves();
        plies > 0
            && if position.seat() == seat { moves.iter().any(goes_on) } else { moves.iter().all(goes_on) }
    }

    #[test]
    fn a_race_that_is_called_decided_can_be_forced_in_time() {
        let (mut rng, mut decided) = (Rng::new(5), 0);
        let mut evaluator = PathEvaluator::new(PathWeights::default());
        for position in (0..3000).filter_map(|_| endgame(&mut rng)) {
            let (winner, plies) = match evaluator.score(&position).forced_result() {
                Some(ForcedResult::Win(plies)) => (position.seat(), plies),
                Some(ForcedResult::Loss(plies)) => (!position.seat(), plies),
                None => continue,
            };
            if plies <= 9 {
                decided += 1;
                assert!(forces(winner, &position, plies), "{winner:?} in {plies}: {position:?}");
            }
        }
        assert!(decided > 500, "{decided}");
    }

    #[test]
    fn a_race_is_open_while_the_loser_has_a_wall() {
        let mut evaluator = PathEvaluator::new(PathWeights::default());
        let mut score = |in_hand| {
            let pawns = [<u64 as Cells>::cell(0, 3), <u64 as Cells>::cell(4, 4)];
            let setup = QuoridorSetup { size: 5, pawns, in_hand, seat: Seat::First, walls: Walls::EMPTY };
            evaluator.score(&SmallQuoridor::set_up(setup).unwrap())
        };
        assert_eq!(score([0, 0]), Score::win_in(1));
        assert_eq!(score([2, 0]), Score::win_in(1));
        assert_eq!(score([0, 1]), Score::eval(400 * 7 / 2 - 800));
    }
}
