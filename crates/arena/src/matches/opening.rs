//! Where games begin: the drawn set-up and the random plies after it.
//!
//! An opening follows from one small number, its set-up, so that a record of the game can name it.

use outplay_core::{Game, MoveOf, Rng, View};

use super::MatchError;

/// How often an opening that ends the game is drawn again before the match gives up.
pub const OPENING_TRIES: u64 = 1000;

/// A game about to be handed to its players.
pub(super) struct DrawnOpening<S, M> {
    /// The number from which [`set_up`] draws the beginning.
    pub(super) setup: u64,
    pub(super) state: S,
    pub(super) moves: Vec<M>,
}

/// The start of the game with this set-up number, which decides everything hidden.
pub fn set_up<G: Game>(game: &G, setup: u64) -> G::State {
    game.start(&mut Rng::new(setup))
}

/// The opening of the pair (or single game) whose generators are the streams of `seed`: the first stream whose
/// opening leaves something to play.
pub(super) fn draw_opening<G: Game>(
    game: &G,
    plies: u32,
    seed: u64,
) -> Result<DrawnOpening<G::State, MoveOf<G>>, MatchError> {
    (0..OPENING_TRIES)
        .find_map(|attempt| try_opening(game, plies, &mut Rng::stream(seed, attempt)))
        .ok_or(MatchError::NoOpening { plies, tries: OPENING_TRIES })
}

fn try_opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Option<DrawnOpening<G::State, MoveOf<G>>> {
    // 53 bits: the number passes through JSON into any language unchanged.
    let setup = rng.seed() >> 11;
    let mut state = set_up(game, setup);
    let (mut moves, mut scratch) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        if game.outcome(&state).is_some() {
            return None;
        }
        let mv = game.view(&state).random_move(rng, &mut scratch);
        game.play(&mut state, mv);
        moves.push(mv);
    }
    let nothing_left = plies > 0 && game.outcome(&state).is_some();
    (!nothing_left).then_some(DrawnOpening { setup, state, moves })
}
