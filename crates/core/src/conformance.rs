//! One suite that every game passes.
//!
//! Law: a game is ready when [`check_game`] (and, if nothing is hidden, [`check_position`]) finds nothing in
//! thousands of random games.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::{Notation, Position, Rng, View};

/// Plays `games` random games and checks the laws of [`View`], [`Game`] and [`Notation`] at every turn.
/// A game still running after `max_plies` is left there.
pub fn check_game<G: Notation>(game: &G, games: u64, max_plies: usize, seed: u64) {
    for number in 0..games {
        let mut rng = Rng::stream(seed, number);
        let mut state = game.start(&mut rng);
        let (mut scratch, mut plies) = (Vec::new(), 0);
        while game.outcome(&state).is_none() && plies < max_plies {
            check_turn(game, &state);
            let mv = game.view(&state).random_move(&mut rng, &mut scratch);
            assert!(game.view(&state).is_legal(mv), "random_move gave the illegal {mv:?}");
            assert_eq!(game.past(&state).len(), plies, "past holds one key per ply");
            game.play(&mut state, mv);
            plies += 1;
        }
        check_position_text(game, &state);
    }
}

fn check_turn<G: Notation>(game: &G, state: &G::State) {
    let view = game.view(state);
    let moves = view.moves();
    assert!(!moves.is_empty(), "an unfinished game has a move: {view:?}");
    let distinct: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "no move is listed twice: {moves:?}");
    for &mv in &moves {
        assert!(G::View::slot(mv) < G::View::SLOTS, "{mv:?} has slot {}", G::View::slot(mv));
        let text = game.write_move(state, mv);
        assert_eq!(game.read_move(state, &text), Ok(mv), "{text:?} reads back");
    }
    assert_eq!(view.moves(), moves, "the order of moves is fixed");
    check_position_text(game, state);
    assert!(game.picture(state).lines().count() > 1, "a picture has several lines");
}

fn check_position_text<G: Notation>(game: &G, state: &G::State) {
    let text = game.write_position(state);
    let read = game.read_position(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(game.view(&read), game.view(state), "{text:?} reads back as the same view");
    assert_eq!(game.write_position(&read), text, "a position has one text");
}

/// Plays `games` random games and checks the laws of [`Position`] at every turn.
pub fn check_position<P: Position>(start: &P, games: u64, max_plies: usize, seed: u64) {
    for number in 0..games {
        let (mut rng, mut position, mut scratch) = (Rng::stream(seed, number), start.clone(), Vec::new());
        for _ in 0..max_plies {
            assert_eq!(position.key(), position.clone().key(), "a key depends on the position alone");
            if position.outcome().is_some() {
                assert_eq!(position.moves(), vec![], "a finished position has no moves: {position:?}");
                break;
            }
            check_successors(&position);
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }
}

fn check_successors<P: Position>(position: &P) {
    let untouched = position.clone();
    for mv in position.moves() {
        let next = position.after(mv);
        assert_eq!(*position, untouched, "playing on a copy leaves the original alone");
        assert_eq!(next, position.after(mv), "a move has one result");
        assert_eq!(hash(&next), hash(&position.after(mv)), "equal positions hash alike");
        assert_ne!(next.key(), position.key(), "a move changes the key: {mv:?} in {position:?}");
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
