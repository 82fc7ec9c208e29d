//! Win rate and speed of the player `solver` with any tuning, on the same fields for every tuning.
//!
//! `cargo run --release --example minesweeper -- 16x30/99 games=4000 seed=1 first=zero margin=0.9`

use std::time::Instant;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{FirstClick, Minesweeper, Seen, groups::Groups};
use rayon::prelude::*;

fn main() {
    let mut args = std::env::args().skip(1);
    let board = args.next().expect("a board such as 16x30/99");
    let sizes: Vec<usize> = board.split(['x', '/']).map(|size| size.parse().unwrap()).collect();
    let (mut games, mut seed, mut first, mut threads) = (1000u64, 1u64, FirstClick::Safe, 1);
    let mut effort = Effort::STRONG;
    let mut groups = false;
    for arg in args {
        let (key, value) = arg.split_once('=').expect("key=value");
        match key {
            "effort" if value == "fast" => effort = Effort::FAST,
            "player" => groups = value == "groups",
            "games" => games = value.parse().unwrap(),
            "seed" => seed = value.parse().unwrap(),
            "threads" => threads = value.parse().unwrap(),
            "first" => first = if value == "zero" { FirstClick::Zero } else { FirstClick::Safe },
            "placements" => effort.placements = value.parse().unwrap(),
            "nodes" => effort.nodes = value.parse().unwrap(),
            "margin" => effort.taste.margin = value.parse().unwrap(),
            "most" => effort.taste.most = value.parse().unwrap(),
            "progress" => effort.taste.progress = value.parse().unwrap(),
            "far" => effort.taste.far = value.parse().unwrap(),
            "doubling" => effort.taste.doubling = value.parse().unwrap(),
            "dread" => effort.taste.dread = value.parse().unwrap(),
            "deep" => effort.taste.deep = value.parse().unwrap(),
            _ => panic!("{key}?"),
        }
    }
    let game = Minesweeper::new(sizes[0], sizes[1], sizes[2], first).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let begun = Instant::now();
    let make = || -> Box<dyn Player<Seen>> {
        if groups { Box::new(Groups::new()) } else { Box::new(Strategist::new(first, effort)) }
    };
    let won: u64 = pool.install(|| {
        (0..games)
            .into_par_iter()
            .map_init(make, |player, number| play(&game, player.as_mut(), seed, number))
            .sum()
    });
    let rate = won as f64 / games as f64;
    let error = 1.96 * (rate * (1.0 - rate) / games as f64).sqrt();
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{board} won {won} of {games}: {:.2} ± {:.2} %, {:.0} games/s",
        100.0 * rate,
        100.0 * error,
        games as f64 / seconds
    );
}

fn play(game: &Minesweeper, player: &mut dyn Player<Seen>, seed: u64, number: u64) -> u64 {
    let mut rng = Rng::stream(seed, number);
    let mut state = game.start(&mut rng);
    player.new_game(Seat::First);
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return u64::from(outcome == Outcome::Win(Seat::First));
        }
        let action = player.choose(game.view(&state), &mut Turn::new(&mut rng));
        game.play(&mut state, action);
    }
}
