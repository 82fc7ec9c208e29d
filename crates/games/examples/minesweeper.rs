//! Win rate and speed of Minesweeper's `solver` with any tuning, on the same fields for every tuning: the bench on
//! which ideas are tried before they go into the player.
//!
//! `cargo run --release -p outplay-games --example minesweeper -- 16x30/99 games=4000 seed=1 first=zero margin=0.9`

use std::error::Error;
use std::time::Instant;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{FirstClick, Minesweeper};
use rayon::prelude::*;

/// What to play, and how.
struct Trial {
    games: u64,
    seed: u64,
    threads: usize,
    first: FirstClick,
    effort: Effort,
}

impl Trial {
    /// Takes one setting, such as `games=4000`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
        let taste = &mut self.effort.taste;
        match key {
            "games" => self.games = value.parse()?,
            "seed" => self.seed = value.parse()?,
            "threads" => self.threads = value.parse()?,
            "placements" => self.effort.placements = value.parse()?,
            "nodes" => self.effort.nodes = value.parse()?,
            "margin" => taste.margin = value.parse()?,
            "most" => taste.most = value.parse()?,
            "far" => taste.far = value.parse()?,
            "progress" => taste.progress = value.parse()?,
            "effort" if value == "fast" => self.effort = Effort::FAST,
            "effort" if value == "strong" => self.effort = Effort::STRONG,
            "first" if value == "zero" => self.first = FirstClick::Zero,
            "first" if value == "safe" => self.first = FirstClick::Safe,
            _ => return Err(format!("'{key}={value}' is not a setting of a trial").into()),
        }
        Ok(())
    }

    /// How many games are won.
    fn run(&self, game: &Minesweeper) -> Result<u64, Box<dyn Error>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let make = || Strategist::new(self.first, self.effort);
        let games = (0..self.games).into_par_iter();
        Ok(pool.install(|| games.map_init(make, |player, number| self.play(game, player, number)).sum()))
    }

    fn play(&self, game: &Minesweeper, player: &mut Strategist, number: u64) -> u64 {
        let mut rng = Rng::stream(self.seed, number);
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
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let board = args.next().ok_or("expected a board such as 16x30/99")?;
    let sizes = board.split(['x', '/']).map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let [rows, cols, mines] = sizes[..] else { return Err("expected a board such as 16x30/99".into()) };
    let mut trial =
        Trial { games: 1000, seed: 1, threads: 1, first: FirstClick::Safe, effort: Effort::STRONG };
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or("expected settings such as games=4000")?;
        trial.set(key, value)?;
    }
    let game = Minesweeper::new(rows, cols, mines, trial.first)?;
    let begun = Instant::now();
    let won = trial.run(&game)?;
    let (games, share) = (trial.games as f64, won as f64 / trial.games as f64);
    println!(
        "{board}: {won} of {} games won, {:.2} ± {:.2} %, {:.0} games/s",
        trial.games,
        100.0 * share,
        196.0 * (share * (1.0 - share) / games).sqrt(),
        games / begun.elapsed().as_secs_f64(),
    );
    Ok(())
}
