//! Which moves a search considers, and which ones a playout is likely to play.
//!
//! All pawn moves are considered, and walls that block the opponent's shortest path, stand beside a pawn, or join other
//! walls: a dozen or two of more than a hundred. Only legal moves are visited, all pawn moves among them, and none twice.

use outplay_core::{Rng, Seat, View};

use super::cells::Cells;
use super::rules::{MAX_PAWN_TARGETS, Quoridor, QuoridorMove};
use super::walls::Walls;

/// Ordering score of a pawn move nearer to the goal.
const STEP_NEARER: i32 = 6000;
/// Ordering score of any other pawn move.
const STEP_ASIDE: i32 = -2000;
/// Ordering score of a wall, per step by which it lengthens the opponent's path more than the own one.
const WALL_GAIN: i32 = 4000;
/// How many moves are searched to full depth.
const FULL_DEPTH_MOVES: usize = 8;

/// Implements [`Evaluator::plausible_moves`](outplay_core::Evaluator::plausible_moves). With one ply left, only walls that lengthen the
/// opponent's path can matter, and the search itself finds out which do.
#[inline]
pub(super) fn consider<C: Cells>(
    position: &Quoridor<C>,
    depth: u32,
    mut visit: impl FnMut(QuoridorMove, i32),
) -> usize {
    let (me, other) = (position.seat(), !position.seat());
    let (nearer, mine) = position.passages().nearer_tiles(C::single(position.pawn(me)), position.goal(me));
    for cell in position.pawn_targets().iter() {
        visit(QuoridorMove::Pawn(cell), if nearer.contains(cell) { STEP_NEARER } else { STEP_ASIDE });
    }
    if position.in_hand(me) == 0 {
        return usize::MAX;
    }
    let (before, across) = (position.blocking_walls(me), position.blocking_walls(other));
    let places = if depth > 1 {
        across.union(slots_beside_pawns(position)).union(joining_slots(position))
    } else {
        across
    };
    let guards = |seat| if seat == me { before } else { across };
    let legal = position.filter_legal_walls(places.intersection(position.free_walls()), guards);
    if depth == 1 {
        legal.iter().for_each(|(mv, _)| visit(mv, 0));
        return FULL_DEPTH_MOVES;
    }
    let theirs = position.distance(other).unwrap_or(0);
    let (touching, lead) = (before.union(across), theirs as i32 - mine as i32);
    for (mv, wall) in legal.iter() {
        let promise = if wall.intersection(touching).is_empty() {
            0
        } else {
            let behind = position.distances_with_wall(wall);
            WALL_GAIN * (behind[other.index()] as i32 - behind[me.index()] as i32 - lead)
        };
        visit(mv, promise);
    }
    FULL_DEPTH_MOVES
}

/// The slots whose middle is a corner of a pawn's tile.
#[inline]
fn slots_beside_pawns<C: Cells>(position: &Quoridor<C>) -> Walls<C> {
    let pawns = C::single(position.pawn(Seat::First)) | C::single(position.pawn(Seat::Second));
    let row = pawns | pawns >> 1;
    let corners = row | row >> C::STRIDE;
    Walls { horizontal: corners, vertical: corners }
}

/// The slots where a wall would extend another, or touch two walls or the rim.
#[inline]
fn joining_slots<C: Cells>(position: &Quoridor<C>) -> Walls<C> {
    let walls = position.walls();
    let Walls { horizontal: h, vertical: v } = walls;
    let [west, east, ..] = position.masks().rims;
    let prolonging = Walls {
        horizontal: (h & !east) << 2 | (h & !west) >> 2,
        vertical: v << (2 * C::STRIDE) | v >> (2 * C::STRIDE),
    };
    prolonging.union(walls.joints(position.masks()))
}

/// A likely move: with probability 3/4 a step nearer to the goal, otherwise a wall across the opponent's shortest path, if
/// there is one.
#[inline]
pub(super) fn expect<C: Cells>(position: &Quoridor<C>, rng: &mut Rng) -> QuoridorMove {
    let me = position.seat();
    if position.in_hand(me) > 0 && rng.below(4) == 0 {
        let across = position.blocking_walls(!me).intersection(position.free_walls());
        let count = across.count() as usize;
        let drawn = if count == 0 { None } else { across.iter().nth(rng.below(count)) };
        if let Some((mv, _)) = drawn.filter(|&(_, wall)| position.is_wall_legal(wall)) {
            return mv;
        }
    }
    let (nearer, _) = position.passages().nearer_tiles(C::single(position.pawn(me)), position.goal(me));
    let steps = position.pawn_targets();
    let choice = if (steps & nearer).is_empty() { steps } else { steps & nearer };
    QuoridorMove::Pawn(choice.nth::<MAX_PAWN_TARGETS>(rng.below(choice.count() as usize)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use outplay_core::Position;

    use super::*;

    /// Checks every position of random games, half of whose moves are likely ones.
    fn check_games<C: Cells>(size: u8, walls: u8) {
        for seed in 0..40 {
            let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
            let mut position = Quoridor::<C>::start(size, walls).unwrap();
            while position.outcome().is_none() {
                let legal: HashSet<QuoridorMove> = position.moves().into_iter().collect();
                for depth in [1, 2, u32::MAX] {
                    let mut seen = HashSet::new();
                    consider(&position, depth, |mv, _| assert!(seen.insert(mv), "{mv:?} twice"));
                    assert!(seen.is_subset(&legal), "{position:?}");
                    let steps = |moves: &HashSet<QuoridorMove>| {
                        moves.iter().filter(|mv| matches!(mv, QuoridorMove::Pawn(_))).count()
                    };
                    assert_eq!(steps(&seen), steps(&legal));
                }
                let likely = expect(&position, &mut rng);
                assert!(legal.contains(&likely));
                let mv =
                    if rng.below(2) == 0 { likely } else { position.random_move(&mut rng, &mut scratch) };
                position.play(mv);
            }
        }
    }

    #[test]
    fn what_is_considered_or_expected_is_legal_and_holds_every_step() {
        check_games::<u64>(5, 3);
        check_games::<u64>(6, 4);
        check_games::<u128>(9, 10);
    }

    #[test]
    fn with_one_ply_left_every_wall_that_lengthens_the_way_is_considered() {
        for seed in 0..60 {
            let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
            let mut position = Quoridor::<u64>::start(5, 3).unwrap();
            for _ in 0..rng.below(8) {
                if position.outcome().is_none() {
                    position.play(position.random_move(&mut rng, &mut scratch));
                }
            }
            let mut seen = HashSet::new();
            if position.outcome().is_none() {
                consider(&position, 1, |mv, _| _ = seen.insert(mv));
            }
            let other = !position.seat();
            for mv in position.moves().into_iter().filter(|mv| !matches!(mv, QuoridorMove::Pawn(_))) {
                let lengthens = position.after(mv).distance(other) > position.distance(other);
                assert!(!lengthens || seen.contains(&mv), "{mv:?} in {position:?}");
            }
        }
    }
}
