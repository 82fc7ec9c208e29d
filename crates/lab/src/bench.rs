//! Speeds of this build on this machine: `outplay bench`.
//!
//! Each figure is the median of several runs of a fixed workload on one thread, so that two builds can be
//! compared as a ratio; workloads never depend on the clock but for their number of repetitions.

use std::time::{Duration, Instant};

use outplay_core::{Evaluator, Player, Position, Rng, Seat, Turn, perft};
use outplay_players::{AlphaBeta, Budget, EvenEvaluator, Mcts};
use serde::Serialize;

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
}

impl Measurement {
    /// A figure.
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit }
    }
}

/// Runs of each workload.
const RUNS: usize = 5;

/// The median, over several runs, of what `work` does in a second; it returns how much it did.
pub fn rate(mut work: impl FnMut(usize) -> u64) -> f64 {
    let mut rates: Vec<f64> = (0..RUNS)
        .map(|run| {
            let begun = Instant::now();
            let mut done = 0;
            while begun.elapsed() < Duration::from_millis(200) {
                done += work(run);
            }
            done as f64 / begun.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[RUNS / 2]
}

/// The median time of `work` in seconds.
pub fn seconds(work: impl FnMut(usize)) -> f64 {
    times(RUNS, work)[RUNS / 2]
}

/// The times of several runs of `work` in seconds, the shortest first.
pub fn times(runs: usize, mut work: impl FnMut(usize)) -> Vec<f64> {
    let mut times: Vec<f64> = (0..runs)
        .map(|run| {
            let begun = Instant::now();
            work(run);
            begun.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Moves of random games a second.
pub fn random_playouts<P: Position>(start: &P, max_plies: u32) -> f64 {
    rate(|run| play_randomly(start, max_plies, 1000, run as u64))
}

/// Random games a second.
pub fn random_games<P: Position>(start: &P, max_plies: u32) -> f64 {
    const GAMES: u64 = 1000;
    rate(|run| {
        play_randomly(start, max_plies, GAMES, run as u64);
        GAMES
    })
}

/// The moves of this many random games.
fn play_randomly<P: Position>(start: &P, max_plies: u32, games: u64, seed: u64) -> u64 {
    let (mut rng, mut scratch, mut moves) = (Rng::new(seed), Vec::new(), 0);
    for _ in 0..games {
        let mut position = start.clone();
        let mut plies = 0;
        while plies < max_plies && position.outcome().is_none() {
            position.play(position.random_move(&mut rng, &mut scratch));
            plies += 1;
        }
        moves += u64::from(plies);
    }
    moves
}

/// Leaves of perft a second.
pub fn perft_leaves<P: Position>(start: &P, depth: u32) -> f64 {
    rate(|_| perft(start, depth))
}

/// Simulations of tree search with random games a second, from a fresh tree each time.
pub fn simulations<P: Position>(start: &P, plies_left: Option<u32>) -> f64 {
    const BUDGET: u64 = 20_000;
    let mut player = Mcts::new(EvenEvaluator, Budget::nodes(BUDGET));
    rate(|run| {
        let mut rng = Rng::new(run as u64);
        let mut turn = Turn::new(&mut rng);
        turn.plies_left = plies_left;
        player.new_game(Seat::First);
        player.choose(start, &mut turn);
        BUDGET
    })
}

/// Nodes of alpha-beta a second, and the number of nodes that a search of this depth visits from all the
/// positions: the signature by which a change of play is noticed.
pub fn alphabeta_nodes<P: Position, E: Evaluator<P>>(
    positions: &[P],
    evaluator: E,
    depth: u32,
) -> (f64, u64) {
    let mut player = AlphaBeta::new(evaluator, Budget::depth(depth));
    let mut signature = 0;
    let rate = rate(|_| {
        signature = alphabeta_signature(&mut player, positions);
        signature
    });
    (rate, signature)
}

/// The nodes that a player visits from all the positions.
pub fn alphabeta_signature<P: Position, E: Evaluator<P>>(
    player: &mut AlphaBeta<P, E>,
    positions: &[P],
) -> u64 {
    let nodes = |position: &P| {
        player.new_game(position.seat());
        player.choose(position, &mut Turn::new(&mut Rng::new(0)));
        player.nodes()
    };
    positions.iter().map(nodes).sum()
}

/// Positions after a few random moves, the same for every build: the ground of a signature.
pub fn sample_positions<P: Position>(start: &P, count: u64, plies: u32) -> Vec<P> {
    let mut scratch = Vec::new();
    let sample = |number: u64| {
        let mut rng = Rng::stream(1992, number);
        let mut position = start.clone();
        for _ in 0..plies {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng, &mut scratch));
            }
        }
        position
    };
    (0..count).map(sample).filter(|position| position.outcome().is_none()).collect()
}
