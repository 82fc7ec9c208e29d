//! Growing one tree or several side by side, and keeping what is still of use between the moves of a game.

use outplay_core::{Position, Turn};
use rayon::prelude::*;

use super::root_stats::{self, RootMoveStats};
use super::{ROOT, Tree};
use crate::budget::Clock;

/// Simulations per tree before the first thought is shown; every further round is twice as long.
const FIRST_ROUND: u64 = 256;

/// A search that grows one tree.
pub(crate) trait GrowingTree<M>: Send {
    /// Runs up to this many simulations, fewer if the budget is spent or the root is proven.
    fn simulate_up_to(&mut self, simulations: u64);

    fn tree(&self) -> &Tree<M>;

    /// Its count of simulations and its limits.
    fn clock(&self) -> &Clock<'_>;

    /// Whether the result at the root is proven.
    fn is_proven(&self) -> bool
    where
        M: Copy + PartialEq,
    {
        self.tree().node(ROOT).is_proven()
    }
}

/// Grows all trees until their budget is spent or one has proven the result, showing what they think; the root moves, best
/// first.
pub(crate) fn grow_to_the_end<P: Position, S: GrowingTree<P::Move>>(
    view: &P,
    searches: &mut [S],
    turn: &mut Turn<'_, P::Move>,
    clock: &Clock<'_>,
) -> Vec<RootMoveStats<P::Move>> {
    let mut round = FIRST_ROUND;
    loop {
        if let [only] = searches {
            only.simulate_up_to(round);
        } else {
            searches.par_iter_mut().for_each(|search| search.simulate_up_to(round));
        }
        let trees: Vec<&Tree<P::Move>> = searches.iter().map(S::tree).collect();
        let simulations = searches.iter().map(|search| search.clock().nodes()).sum();
        turn.show(|| root_stats::thought(view, &trees, simulations, clock.elapsed()));
        let is_over = |search: &S| search.clock().is_over() || search.is_proven();
        if searches.iter().all(is_over) || searches.iter().any(S::is_proven) {
            return root_stats::best_first(view, &trees);
        }
        round *= 2;
    }
}

/// Where a search stood when it last chose a move.
#[derive(Clone, Debug)]
pub(crate) struct LastChoice<P: Position> {
    root: P,
    mv: P::Move,
    plies_left: Option<u32>,
}

impl<P: Position> LastChoice<P> {
    pub(crate) fn new(root: &P, mv: P::Move, plies_left: Option<u32>) -> Self {
        Self { root: root.clone(), mv, plies_left }
    }

    /// The move and its answer that lead from there to `view`, if one answer does.
    pub(crate) fn way_to(self, view: &P, plies_left: Option<u32>) -> Option<[P::Move; 2]> {
        let next = self.root.after(self.mv);
        let answer = next.moves().into_iter().find(|&answer| next.after(answer) == *view)?;
        (self.plies_left.map(|left| left.saturating_sub(2)) == plies_left).then_some([self.mv, answer])
    }
}
