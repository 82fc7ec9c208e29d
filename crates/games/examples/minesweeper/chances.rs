//! The win rate with less variance: a guess contributes the probability that its cell is empty and the game continues
//! over mines for which it is, as in the player's own playouts.
//!
//! The mean over many games converges to the win rate. Two settings that choose alike have the same value in a game,
//! so their difference varies only by the games in which they choose differently.

use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{Effort, Playouts, Strategist};
use outplay_games::minesweeper::{Action, Minesweeper};
use rayon::prelude::*;

use super::Trial;

/// The value of every game to a player with this effort, in points.
pub(super) fn of_games(trial: &Trial, game: &Minesweeper, effort: Effort) -> Vec<f64> {
    let make = || (Strategist::new(trial.first, effort), Playouts::new(effort));
    let games = (0..trial.games).into_par_iter();
    games
        .map_init(make, |(player, playouts), number| of_game(trial, game, player, playouts, number))
        .collect()
}

fn of_game(
    trial: &Trial,
    game: &Minesweeper,
    player: &mut Strategist,
    playouts: &mut Playouts,
    number: u64,
) -> f64 {
    let mut rng = Rng::stream(trial.seed, number);
    let mut state = game.start(&mut rng);
    player.new_game(Seat::First);
    let own = player.choose(game.view(&state), &mut Turn::new(&mut rng));
    game.play(&mut state, trial.begin.map_or(own, Action::Unmask));
    if let Some(outcome) = game.outcome(&state) {
        return if outcome == Outcome::Win(Seat::First) { 100.0 } else { 0.0 };
    }
    let view = game.view(&state);
    let cell = player.choose(view, &mut Turn::new(&mut rng)).cell();
    let never = AtomicBool::new(false);
    100.0 * playouts.draw(view, cell, &mut rng, &never).expect("the board of a game has a solution")
}

/// A mean with its 95% interval.
pub(super) fn summary(values: &[f64]) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    format!("{mean:.2} ± {:.2}", 1.96 * (variance / count).sqrt())
}
