//! The games that one network plays against itself before it learns from them.

use std::ops::Range;

use outplay_core::{Outcome, Referee, Rng, Seat};
use outplay_players::{ZeroGame, ZeroSelfPlay, ZeroSelfPlayConfig};
use outplay_runtime::{Watch, WorkError};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::network::ZeroNetwork;
use crate::learning::SelfPlayGame;

/// Plays the games of these numbers on the present threads; they are the same on any number of them.
pub(super) fn play_games<P: SelfPlayGame>(
    game: &Referee<P>,
    network: &ZeroNetwork<P>,
    config: ZeroSelfPlayConfig,
    seed: u64,
    numbers: Range<u64>,
    watch: Watch<'_>,
) -> Result<Vec<ZeroGame>, WorkError> {
    let make = || ZeroSelfPlay::new(config, network.policy_value(), network.encoder());
    // Games are long and of different lengths: each is a task of its own.
    let numbers: Vec<u64> = numbers.collect();
    let games = numbers.into_par_iter().with_max_len(1).map_init(make, |player, number| {
        player.play(game, &mut Rng::stream(seed, number), watch.stop_flag())
    });
    games.collect::<Option<_>>().ok_or(WorkError::Stopped)
}

/// The numbers of some games.
pub(super) fn record(games: &[ZeroGame]) -> Value {
    let count = |wanted: &dyn Fn(&ZeroGame) -> bool| games.iter().filter(|game| wanted(game)).count();
    let ended = |outcome| count(&|game| game.outcome == outcome);
    let positions: usize = games.iter().map(|game| game.positions.len()).sum();
    let is_mistaken =
        |game: &ZeroGame| game.would_resign.is_some_and(|seat| game.outcome != Outcome::Win(!seat));
    json!({
        "games": games.len(),
        "first_wins": ended(Outcome::Win(Seat::First)),
        "second_wins": ended(Outcome::Win(Seat::Second)),
        "draws": ended(Outcome::Draw),
        "plies_a_game": positions as f64 / games.len().max(1) as f64,
        "given_up": count(&|game| game.is_resigned),
        "given_up_wrongly": count(&is_mistaken),
    })
}

/// The mean entropy of the policies that searches improved to, in nats: how undecided they are.
pub(super) fn policy_entropy(games: &[ZeroGame]) -> f64 {
    let full = || games.iter().flat_map(|game| &game.positions).filter(|position| position.is_full);
    let entropy = |policy: &[f32]| -> f64 {
        policy
            .iter()
            .filter(|share| **share > 0.0)
            .map(|&share| -f64::from(share) * f64::from(share).ln())
            .sum()
    };
    full().map(|position| entropy(&position.policy)).sum::<f64>() / full().count().max(1) as f64
}
