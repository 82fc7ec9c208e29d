//! Games of a learner against itself or against an opponent who does not learn. What it learns depends only on the
//! learner, the opponent, the game and the generator.

use outplay_core::{Game, Learner, Outcome, Player, Rng, Seat, Step, Turn, View};

/// The result of a game of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlayResult {
    /// Who won.
    pub outcome: Outcome,
    /// How many moves it took.
    pub plies: u32,
}

/// Who plays a seat instead of the learner.
pub struct Opponent<'a, V: View> {
    /// The player, who learns nothing.
    pub player: &'a mut dyn Player<V>,
    /// The seat.
    pub seat: Seat,
}

/// Plays one game with the learner in both seats; the learner learns from it.
pub fn self_play<G: Game, L: Learner<G::View>>(game: &G, learner: &mut L, rng: &mut Rng) -> SelfPlayResult {
    learning_game(game, learner, None, rng).expect("a learner does not forfeit")
}

/// Plays one game of the learner, against itself or against an opponent. None if the opponent forfeits: the learner keeps
/// what it learnt from the moves until then.
pub fn learning_game<G: Game, L: Learner<G::View>>(
    game: &G,
    learner: &mut L,
    mut opponent: Option<Opponent<'_, G::View>>,
    rng: &mut Rng,
) -> Option<SelfPlayResult> {
    let mut state = game.start(rng);
    let mut plies = 0;
    learner.new_game(opponent.as_ref().map_or(Seat::First, |opponent| !opponent.seat));
    if let Some(opponent) = &mut opponent {
        opponent.player.new_game(opponent.seat);
    }
    loop {
        if let Some(outcome) = game.outcome(&state) {
            learner.learn(Step::Ended(game.view(&state), outcome));
            return Some(SelfPlayResult { outcome, plies });
        }
        let view = game.view(&state);
        let mut turn = Turn::new(rng);
        turn.past = game.past(&state);
        let mv = match &mut opponent {
            Some(opponent) if opponent.seat == view.seat() => {
                let mv = opponent.player.choose(view, &mut turn);
                if turn.forfeited().is_some() {
                    return None;
                }
                learner.learn(Step::OpponentMoved(view, mv));
                mv
            }
            _ => {
                let mv = Player::choose(learner, view, &mut turn);
                learner.learn(Step::Moved(view, mv));
                mv
            }
        };
        game.play(&mut state, mv);
        plies += 1;
    }
}
