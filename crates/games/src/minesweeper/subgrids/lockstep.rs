//! Many games in lockstep: at each turn one call of the predictor serves them all.
//!
//! Invariant: game number n under a seed has its own generator, which lays its mines and draws its first cell; so
//! players given the same seed play the same boards from the same first clicks.

use outplay_core::{Game, Rng};

use super::super::{Action, BoardCell, Minesweeper, MinesweeperState, VisibleBoard};
use super::agent::{AgentAction, FlagPolicy, SubgridAgent};
use super::ai::MinePredictor;
use super::subgrid::CELLS;

/// Game `number` under `seed` after its first cell, which is drawn among all cells; and the generator that the rest
/// of the game uses.
pub fn begin_at_random(game: &Minesweeper, seed: u64, number: u64) -> (MinesweeperState, Rng) {
    let mut rng = Rng::stream(seed, number);
    let mut state = game.start(&mut rng);
    let first = rng.below(game.rows() * game.cols());
    game.play(&mut state, Action::Unmask(BoardCell::new(first / game.cols(), first % game.cols())));
    (state, rng)
}

/// A game in progress.
struct LockstepGame {
    state: MinesweeperState,
    rng: Rng,
    agent: SubgridAgent,
    /// How many of the sub-grids to be predicted are this game's.
    asked: usize,
}

/// Plays these games to their ends and returns the final visible boards. If the game has flags, those of the AI lie on
/// the board, where a cascade stops at them; otherwise the AI keeps them to itself.
pub fn play_lockstep(
    game: &Minesweeper,
    policy: FlagPolicy,
    predictor: &mut impl MinePredictor,
    seed: u64,
    numbers: std::ops::Range<u64>,
) -> Vec<VisibleBoard> {
    let begin = |number| {
        let (state, rng) = begin_at_random(game, seed, number);
        LockstepGame { state, rng, agent: SubgridAgent::new(policy), asked: 0 }
    };
    let mut games: Vec<LockstepGame> = numbers.map(begin).collect();
    let mut going: Vec<usize> = (0..games.len()).collect();
    let (mut inputs, mut predictions) = (Vec::new(), Vec::new());
    loop {
        going.retain(|&place| game.outcome(&games[place].state).is_none());
        if going.is_empty() {
            return games.into_iter().map(|entry| entry.state.seen().clone()).collect();
        }
        inputs.clear();
        for &place in &going {
            let entry = &mut games[place];
            let before = inputs.len();
            entry.agent.look(entry.state.seen(), &mut inputs);
            entry.asked = (inputs.len() - before) / CELLS;
        }
        predictions.resize(inputs.len() / CELLS, 0.0);
        predictor.predict(&inputs, &mut predictions);
        let mut answers = predictions.as_slice();
        for &place in &going {
            let LockstepGame { state, rng, agent, asked } = &mut games[place];
            let (own, others) = answers.split_at(*asked);
            answers = others;
            agent.learn(own);
            match agent.decide(state.seen(), rng) {
                AgentAction::Unmask(cell) => game.play(state, Action::Unmask(cell)),
                AgentAction::Flag(cell) if game.has_flags() => game.play(state, Action::Flag(cell)),
                AgentAction::TakeFlagsAway if game.has_flags() => {
                    let flags: Vec<BoardCell> = state.seen().flagged().iter().collect();
                    for cell in flags {
                        game.play(state, Action::Unflag(cell));
                    }
                }
                AgentAction::Flag(_) | AgentAction::TakeFlagsAway => {}
            }
        }
    }
}
