//! Which moves deserve a look, and which are likely.
//!
//! Steps always do; walls where they stand across the other's shortest way, beside a pawn, or where they join others. Of
//! more than a hundred walls a dozen or two are left.
//!
//! Law: only legal moves, every step among them, and none twice.

use outplay_core::{Rng, Seat, View};

use super::cells::Cells;
use super::rules::{MOST_STEPS, Move, Quoridor};
use super::walls::Walls;

/// The promise of a step nearer to the goal.
const NEARER: i32 = 6000;
/// The promise of any other step.
const ASIDE: i32 = -2000;
/// The promise of a wall for every step by which it lengthens the other's way more than one's own.
const GAIN: i32 = 4000;
/// So many moves deserve the whole depth of a search.
const IN_FULL: usize = 8;

/// As [`Evaluator::plausible_moves`](outplay_core::Evaluator::plausible_moves) has it. With one ply left, only walls that lengthen the
/// other's way can matter, and the search will find out by itself which do.
#[inline]
pub(super) fn consider<C: Cells>(
    position: &Quoridor<C>,
    depth: u32,
    mut visit: impl FnMut(Move, i32),
) -> usize {
    let (me, other) = (position.seat(), !position.seat());
    let (nearer, mine) = position.passages().nearer(C::only(position.pawn(me)), position.goal(me));
    for cell in position.steps().each() {
        visit(Move::To(cell), if nearer.has(cell) { NEARER } else { ASIDE });
    }
    if position.in_hand(me) == 0 {
        return usize::MAX;
    }
    let (before, across) = (position.guards(me), position.guards(other));
    let places = if depth > 1 { across.or(beside_pawns(position)).or(joining(position)) } else { across };
    let guards = |seat| if seat == me { before } else { across };
    let legal = position.legal_among(places.and(position.free_walls()), guards);
    if depth == 1 {
        legal.each().for_each(|(mv, _)| visit(mv, 0));
        return IN_FULL;
    }
    let theirs = position.distance(other).unwrap_or(0);
    let (touching, lead) = (before.or(across), theirs as i32 - mine as i32);
    for (mv, wall) in legal.each() {
        let promise = if wall.and(touching).is_empty() {
            0
        } else {
            let behind = position.distances_behind(wall);
            GAIN * (behind[other.index()] as i32 - behind[me.index()] as i32 - lead)
        };
        visit(mv, promise);
    }
    IN_FULL
}

/// The places of walls whose middle is a corner of a pawn's tile.
#[inline]
fn beside_pawns<C: Cells>(position: &Quoridor<C>) -> Walls<C> {
    let pawns = C::only(position.pawn(Seat::First)) | C::only(position.pawn(Seat::Second));
    let row = pawns | pawns >> 1;
    let corners = row | row >> C::STRIDE;
    Walls { horizontal: corners, vertical: corners }
}

/// The places where a wall would prolong another, or touch two things.
#[inline]
fn joining<C: Cells>(position: &Quoridor<C>) -> Walls<C> {
    let walls = position.walls();
    let Walls { horizontal: h, vertical: v } = walls;
    let [west, east, ..] = position.outline().rims;
    let prolonging = Walls {
        horizontal: (h & !east) << 2 | (h & !west) >> 2,
        vertical: v << (2 * C::STRIDE) | v >> (2 * C::STRIDE),
    };
    prolonging.or(walls.joints(position.outline()))
}

/// A likely move: three times in four a step nearer to the goal, else a wall across the other's way, if there is one.
#[inline]
pub(super) fn expect<C: Cells>(position: &Quoridor<C>, rng: &mut Rng) -> Move {
    let me = position.seat();
    if position.in_hand(me) > 0 && rng.below(4) == 0 {
        let across = position.guards(!me).and(position.free_walls());
        let count = across.count() as usize;
        let drawn = if count == 0 { None } else { across.each().nth(rng.below(count)) };
        if let Some((mv, _)) = drawn.filter(|&(_, wall)| position.admits(wall)) {
            return mv;
        }
    }
    let (nearer, _) = position.passages().nearer(C::only(position.pawn(me)), position.goal(me));
    let steps = position.steps();
    let choice = if (steps & nearer).is_empty() { steps } else { steps & nearer };
    Move::To(choice.nth::<MOST_STEPS>(rng.below(choice.count() as usize)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use outplay_core::Position;

    use super::*;

    /// Asks at every position of random games; likely moves keep them going.
    fn check_games<C: Cells>(size: u8, walls: u8) {
        for seed in 0..40 {
            let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
            let mut position = Quoridor::<C>::start(size, walls).unwrap();
            while position.outcome().is_none() {
                let legal: HashSet<Move> = position.moves().into_iter().collect();
                for depth in [1, 2, u32::MAX] {
                    let mut seen = HashSet::new();
                    consider(&position, depth, |mv, _| assert!(seen.insert(mv), "{mv:?} twice"));
                    assert!(seen.is_subset(&legal), "{position:?}");
                    let steps =
                        |moves: &HashSet<Move>| moves.iter().filter(|mv| matches!(mv, Move::To(_))).count();
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
            for mv in position.moves().into_iter().filter(|mv| !matches!(mv, Move::To(_))) {
                let lengthens = position.after(mv).distance(other) > position.distance(other);
                assert!(!lengthens || seen.contains(&mv), "{mv:?} in {position:?}");
            }
        }
    }
}
