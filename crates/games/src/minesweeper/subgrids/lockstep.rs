//! Many games at once: at each turn one call of the judge serves them all.
//!
//! Law: game number n under a seed has its own generator, which lays its mines and draws its first cell; so players
//! who are given the same seed play the same boards from the same first clicks.

use outplay_core::{Game, Rng};

use super::super::{Action, Cell, Minesweeper, Seen, State};
use super::ai::Judge;
use super::mind::{Deed, Mind, Temper};
use super::subgrid::CELLS;

/// Game `number` under `seed` after its first cell, which is drawn among all cells; and the generator that goes on
/// serving the game.
pub fn begin_at_random(game: &Minesweeper, seed: u64, number: u64) -> (State, Rng) {
    let mut rng = Rng::stream(seed, number);
    let mut state = game.start(&mut rng);
    let first = rng.below(game.rows() * game.cols());
    game.play(&mut state, Action::Unmask(Cell::new(first / game.cols(), first % game.cols())));
    (state, rng)
}

/// A game in progress.
struct Sitting {
    state: State,
    rng: Rng,
    mind: Mind,
    /// How many of the sub-grids to be judged are this game's.
    asked: usize,
}

/// Plays these games to their ends, flags in the AI's head, and returns what is seen at the end of each.
pub fn play_in_step(
    game: &Minesweeper,
    temper: Temper,
    judge: &mut impl Judge,
    seed: u64,
    numbers: std::ops::Range<u64>,
) -> Vec<Seen> {
    let sit_down = |number| {
        let (state, rng) = begin_at_random(game, seed, number);
        Sitting { state, rng, mind: Mind::new(temper), asked: 0 }
    };
    let mut sittings: Vec<Sitting> = numbers.map(sit_down).collect();
    let mut going: Vec<usize> = (0..sittings.len()).collect();
    let (mut inputs, mut predictions) = (Vec::new(), Vec::new());
    loop {
        going.retain(|&place| game.outcome(&sittings[place].state).is_none());
        if going.is_empty() {
            return sittings.into_iter().map(|sitting| sitting.state.seen().clone()).collect();
        }
        inputs.clear();
        for &place in &going {
            let sitting = &mut sittings[place];
            let before = inputs.len();
            sitting.mind.look(sitting.state.seen(), &mut inputs);
            sitting.asked = (inputs.len() - before) / CELLS;
        }
        predictions.resize(inputs.len() / CELLS, 0.0);
        judge.judge(&inputs, &mut predictions);
        let mut answers = predictions.as_slice();
        for &place in &going {
            let Sitting { state, rng, mind, asked } = &mut sittings[place];
            let (own, others) = answers.split_at(*asked);
            answers = others;
            mind.learn(own);
            if let Deed::Unmask(cell) = mind.decide(state.seen(), rng) {
                game.play(state, Action::Unmask(cell));
            }
        }
    }
}
