//! Self-play of a learner. What it learns depends only on the learner, the game and the generator.

use outplay_core::{Game, Learner, Outcome, Player, Rng, Seat, Step, Turn};

/// The result of a game of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlayResult {
    /// Who won.
    pub outcome: Outcome,
    /// How many moves it took.
    pub plies: u32,
}

/// Plays one game with the learner in both seats; the learner learns from it.
pub fn self_play<G: Game, L: Learner<G::View>>(game: &G, learner: &mut L, rng: &mut Rng) -> SelfPlayResult {
    let mut state = game.start(rng);
    let mut plies = 0;
    learner.new_game(Seat::First);
    loop {
        if let Some(outcome) = game.outcome(&state) {
            learner.learn(Step::Ended(game.view(&state), outcome));
            return SelfPlayResult { outcome, plies };
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
