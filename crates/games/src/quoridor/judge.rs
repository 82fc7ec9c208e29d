//! The evaluation by shortest ways: who is nearer, and who has more walls left; and the race that nobody can hinder any
//! more.
//!
//! Law: the judgement is the same for both sides, up to the half step that the move is worth. What it calls certain is
//! certain.

use std::ops::ControlFlow;

use outplay_core::{Evaluator, Rng, Score, Seat, View};

use super::cells::Cells;
use super::prospects;
use super::rules::{Move, Quoridor};

/// What a step and a wall are worth, in thousandths of log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathWeights {
    /// A step that the other side is farther from its goal.
    pub step: i32,
    /// A wall more in hand.
    pub wall: i32,
}

impl Default for PathWeights {
    fn default() -> Self {
        Self { step: 400, wall: 800 }
    }
}

/// Which moves a search is told to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outlook {
    /// Steps, and walls near pawns, ways and other walls.
    #[default]
    Near,
    /// All.
    All,
}

/// Judges by path lengths and walls in hand.
#[derive(Clone, Copy, Debug)]
pub struct PathJudge {
    weights: PathWeights,
    outlook: Outlook,
}

impl PathJudge {
    /// A judge with these weights.
    pub const fn new(weights: PathWeights) -> Self {
        Self { weights, outlook: Outlook::Near }
    }

    /// The same with another opinion of which moves deserve a look.
    #[must_use]
    pub const fn looking_at(self, outlook: Outlook) -> Self {
        Self { outlook, ..self }
    }
}

/// The certain end of a race: the nearer side wins if the other has no wall left and his pawn cannot hinder it. The
/// distance of the result is the winner's shortest way; only a jump over the other might be quicker.
#[inline]
fn race<C: Cells>(position: &Quoridor<C>, mine: u32, theirs: u32) -> Option<Score> {
    let (me, other) = (position.seat(), !position.seat());
    let (runner, chaser, steps) = if mine <= theirs { (me, other, mine) } else { (other, me, theirs) };
    if position.in_hand(chaser) > 0 {
        return None;
    }
    let [from, against] = [runner, chaser].map(|seat| C::only(position.pawn(seat)));
    let free = position.passages().runs_free(from, against, position.goal(runner), steps, runner == me);
    free.then(|| if runner == me { Score::win_in(2 * mine - 1) } else { Score::loss_in(2 * theirs) })
}

impl<C: Cells> Evaluator<Quoridor<C>> for PathJudge {
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
        mut visit: impl FnMut(Move, i32),
    ) -> usize {
        match self.outlook {
            Outlook::Near => prospects::consider(position, depth, visit),
            Outlook::All => {
                let _ = position.each_move(|mv| {
                    visit(mv, 0);
                    ControlFlow::<()>::Continue(())
                });
                usize::MAX
            }
        }
    }

    #[inline]
    fn playout_move(&mut self, position: &Quoridor<C>, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        prospects::expect(position, rng)
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{ForcedResult, Outcome, Position};

    use super::*;
    use crate::quoridor::{Setup, Small, Walls};

    /// Some board of 4×4 with random walls, pawns anywhere and none in hand.
    fn endgame(rng: &mut Rng) -> Option<Small> {
        let (mut position, mut scratch) = (Small::start(4, 3).unwrap(), Vec::new());
        for _ in 0..rng.below(14) {
            if position.outcome().is_none() {
                position.play(position.random_move(rng, &mut scratch));
            }
        }
        let walls: Walls<u64> = position.walls();
        let mut tile = || <u64 as Cells>::cell(rng.below(4) as u8, rng.below(4) as u8);
        let pawns = [tile(), tile()];
        let setup = Setup { size: 4, pawns, in_hand: [0; 2], seat: position.seat(), walls };
        Small::set_up(setup).ok().filter(|position| position.outcome().is_none())
    }

    /// Whether the seat can force its arrival within so many plies: every step tried.
    fn forces(seat: Seat, position: &Small, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome == Outcome::Win(seat);
        }
        let goes_on = |mv: &Move| forces(seat, &position.after(*mv), plies - 1);
        let moves = position.moves();
        plies > 0
            && if position.seat() == seat { moves.iter().any(goes_on) } else { moves.iter().all(goes_on) }
    }

    #[test]
    fn a_race_that_is_called_decided_can_be_forced_in_time() {
        let (mut rng, mut decided) = (Rng::new(5), 0);
        let mut judge = PathJudge::new(PathWeights::default());
        for position in (0..3000).filter_map(|_| endgame(&mut rng)) {
            let (winner, plies) = match judge.score(&position).forced_result() {
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
        let mut judge = PathJudge::new(PathWeights::default());
        let mut score = |in_hand| {
            let pawns = [<u64 as Cells>::cell(0, 3), <u64 as Cells>::cell(4, 4)];
            let setup = Setup { size: 5, pawns, in_hand, seat: Seat::First, walls: Walls::NONE };
            judge.score(&Small::set_up(setup).unwrap())
        };
        assert_eq!(score([0, 0]), Score::win_in(1));
        assert_eq!(score([2, 0]), Score::win_in(1));
        assert_eq!(score([0, 1]), Score::eval(400 * 7 / 2 - 800));
    }
}
