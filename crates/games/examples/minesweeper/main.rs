//! Win rate and speed of Minesweeper's `solver` with any tuning, on the same fields for every tuning: the bench on
//! which ideas are tried before they go into the player. With `mode=headroom` it is measured instead how much better
//! the player's guesses could be.
//!
//! `cargo run --release -p outplay-games --example minesweeper -- 16x30/99 games=4000 seed=1 first=zero margin=0.9`
//! `cargo run --release -p outplay-games --example minesweeper -- 10x10/20 mode=headroom games=200 share=0.5`

mod headroom;

use std::error::Error;
use std::time::Instant;

use headroom::Headroom;
use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Action, Cell, FirstClick, Minesweeper};
use rayon::prelude::*;

/// What to play, and how.
struct Trial {
    games: u64,
    seed: u64,
    first: FirstClick,
    effort: Effort,
    /// The first cell, and the second where the first shows a number, instead of the player's own.
    begin: Option<Cell>,
    second: Option<Cell>,
    /// Whether better guesses are looked for.
    is_headroom: bool,
    headroom: Headroom,
    threads: usize,
}

impl Trial {
    fn new() -> Self {
        Self {
            games: 1000,
            seed: 1,
            first: FirstClick::Safe,
            effort: Effort::STRONG,
            begin: None,
            second: None,
            is_headroom: false,
            headroom: Headroom::new(),
            threads: 1,
        }
    }

    /// Takes one setting, such as `games=4000`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
        match (key, value) {
            ("games", _) => self.games = value.parse()?,
            ("seed", _) => self.seed = value.parse()?,
            ("threads", _) => self.threads = value.parse()?,
            ("begin", _) => self.begin = Some(place(value)?),
            ("second", _) => self.second = Some(place(value)?),
            ("first", "zero") => self.first = FirstClick::Zero,
            ("first", "safe") => self.first = FirstClick::Safe,
            ("mode", "headroom") => self.is_headroom = true,
            ("mode", "games") => self.is_headroom = false,
            ("effort", "fast") => self.effort = Effort::FAST,
            ("effort", "strong") => self.effort = Effort::STRONG,
            ("effort", "deep") => self.effort = Effort::DEEP,
            _ if set_effort(&mut self.effort, key, value)? => {}
            _ if self.headroom.set(key, value)? => {}
            _ => return Err(format!("'{key}={value}' is not a setting of a trial").into()),
        }
        Ok(())
    }

    /// How many games are won.
    fn run(&self, game: &Minesweeper) -> u64 {
        let make = || Strategist::new(self.first, self.effort);
        let games = (0..self.games).into_par_iter();
        games.map_init(make, |player, number| self.play(game, player, number)).sum()
    }

    fn play(&self, game: &Minesweeper, player: &mut Strategist, number: u64) -> u64 {
        let mut rng = Rng::stream(self.seed, number);
        let mut state = game.start(&mut rng);
        player.new_game(Seat::First);
        loop {
            if let Some(outcome) = game.outcome(&state) {
                return u64::from(outcome == Outcome::Win(Seat::First));
            }
            let told = match game.view(&state).score() {
                0 => self.begin,
                1 => self.second,
                _ => None,
            };
            let own = || player.choose(game.view(&state), &mut Turn::new(&mut rng));
            let action = told.map_or_else(own, Action::Unmask);
            game.play(&mut state, action);
        }
    }
}

/// Takes a setting of the player; whether it was one.
fn set_effort(effort: &mut Effort, key: &str, value: &str) -> Result<bool, Box<dyn Error>> {
    let (taste, playing_on) = (&mut effort.taste, &mut effort.playing_on);
    match key {
        "placements" => effort.placements = value.parse()?,
        "nodes" => effort.nodes = value.parse()?,
        "margin" => taste.margin = value.parse()?,
        "most" => taste.most = value.parse()?,
        "far" => taste.far = value.parse()?,
        "progress" => taste.progress = value.parse()?,
        "within" => playing_on.within = value.parse()?,
        "draws" => playing_on.draws = value.parse()?,
        "cells" => playing_on.cells = value.parse()?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The cell that a text such as `d3` names.
fn place(text: &str) -> Result<Cell, String> {
    Cell::parse(text).ok_or_else(|| format!("'{text}' is not a cell: expected one such as d3"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let board = args.next().ok_or("expected a board such as 16x30/99")?;
    let sizes = board.split(['x', '/']).map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let [rows, cols, mines] = sizes[..] else { return Err("expected a board such as 16x30/99".into()) };
    let mut trial = Trial::new();
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or("expected settings such as games=4000")?;
        trial.set(key, value)?;
    }
    let game = Minesweeper::new(rows, cols, mines, trial.first)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(trial.threads).build()?;
    if trial.is_headroom {
        println!("{board}: {}", pool.install(|| trial.headroom.run(&game, &trial)));
        return Ok(());
    }
    let begun = Instant::now();
    let won = pool.install(|| trial.run(&game));
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
