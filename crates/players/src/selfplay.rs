//! A learner that plays against itself.
//!
//! Law: what is learnt from a game depends on the learner, the referee and the generator alone.

use outplay_core::{Game, Learner, Outcome, Player, Rng, Seat, Step, Turn};

/// A game that was played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlayed {
    /// Who won.
    pub outcome: Outcome,
    /// How many moves it took.
    pub plies: u32,
}

/// Plays one game in which the learner has both seats, and learns from it.
pub fn self_play<G: Game, L: Learner<G::View>>(game: &G, learner: &mut L, rng: &mut Rng) -> SelfPlayed {
    let mut state = game.start(rng);
    let mut plies = 0;
    learner.new_game(Seat::First);
    loop {
        if let Some(outcome) = game.outcome(&state) {
            learner.learn(Step::Ended(game.view(&state), outcome));
            return SelfPlayed { outcome, plies };
        }
        let view = game.view(&state);
        let mut turn = Turn::new(rng);
        turn.past = game.past(&state);
        let mv = Player::choose(learner, view, &mut turn);
        learner.learn(Step::Moved(view, mv));
        game.play(&mut state, mv);
        plies += 1;
    }
}
