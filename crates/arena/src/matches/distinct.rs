//! Which games of a match are distinct.
//!
//! Two games are the same if no player could tell them apart: the same seats, moves, outcome and final view. The set-up
//! number does not count, because in a game without hidden information it changes nothing.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use outplay_core::{Game, MoveOf, Outcome};

use super::GameOutcome;

/// A number that equal games share and different ones very likely do not. It means nothing outside of this process.
pub fn fingerprint<G: Game>(game: &G, end: &G::State, moves: &[MoveOf<G>], outcome: Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    (moves, game.view(end), outcome).hash(&mut hasher);
    hasher.finish()
}

/// The games of a match that were seen so far.
#[derive(Default)]
pub(super) struct SeenGames {
    games: [HashSet<u64>; 2],
    pairs: HashSet<[u64; 2]>,
}

impl SeenGames {
    /// Whether this game of the first-named player in this seat is a new one.
    pub(super) fn is_new_game<M>(&mut self, game: &GameOutcome<M>) -> bool {
        self.games[game.first_named.index()].insert(game.fingerprint)
    }

    /// Whether this pair is a new one.
    pub(super) fn is_new_pair<M>(&mut self, pair: [&GameOutcome<M>; 2]) -> bool {
        self.pairs.insert(pair.map(|game| game.fingerprint))
    }
}
