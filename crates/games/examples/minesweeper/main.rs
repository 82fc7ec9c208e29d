//! Win rate and speed of Minesweeper's `solver` with any parameters, on the same fields for every setting: the benchmark
//! for ideas before they go into the player. With `mode=chances` guesses contribute their probabilities, which has far less
//! variance, and settings after `versus` define another player to compare with the first. `mode=headroom` measures how much
//! better the player's guesses could be.
//!
//! `cargo run --release -p outplay-games --example minesweeper -- 16x30/99 games=4000 seed=1 first=zero margin=0.9`
//! `cargo run --release -p outplay-games --example minesweeper -- 10x10/20 mode=chances games=4000 versus effort=fast`
//! `cargo run --release -p outplay-games --example minesweeper -- 10x10/20 mode=headroom games=200 share=0.5`

mod chances;
mod headroom;

use std::error::Error;
use std::time::Instant;

use headroom::Headroom;
use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Action, BoardCell, FirstClick, Minesweeper};
use rayon::prelude::*;

/// The kind of measurement.
#[derive(Clone, Copy)]
enum Mode {
    /// Games, won or lost.
    Games,
    /// Games whose guesses contribute their probabilities.
    Chances,
    /// The gain of better guesses.
    Headroom,
}

/// What to play, and how.
struct Trial {
    games: u64,
    seed: u64,
    first: FirstClick,
    effort: Effort,
    /// Another player to compare with.
    other: Option<Effort>,
    mode: Mode,
    /// The first cell, and the second where the first shows a number, instead of the player's own.
    begin: Option<BoardCell>,
    second: Option<BoardCell>,
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
            other: None,
            mode: Mode::Games,
            begin: None,
            second: None,
            headroom: Headroom::new(),
            threads: 1,
        }
    }

    /// Applies one setting, such as `games=4000`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
        match (key, value) {
            ("games", _) => self.games = value.parse()?,
            ("seed", _) => self.seed = value.parse()?,
            ("threads", _) => self.threads = value.parse()?,
            ("begin", _) => self.begin = Some(place(value)?),
            ("second", _) => self.second = Some(place(value)?),
            ("first", "zero") => self.first = FirstClick::Zero,
            ("first", "safe") => self.first = FirstClick::Safe,
            ("mode", "games") => self.mode = Mode::Games,
            ("mode", "chances") => self.mode = Mode::Chances,
            ("mode", "headroom") => self.mode = Mode::Headroom,
            _ if set_effort(self.other.as_mut().unwrap_or(&mut self.effort), key, value)? => {}
            _ if self.headroom.set(key, value)? => {}
            _ => return Err(format!("'{key}={value}' is not a setting of a trial").into()),
        }
        Ok(())
    }

    /// How many games are won.
    fn count(&self, game: &Minesweeper) -> String {
        let make = || Strategist::new(self.first, self.effort);
        let games = (0..self.games).into_par_iter();
        let won: u64 = games.map_init(make, |player, number| self.play(game, player, number)).sum();
        let (games, share) = (self.games as f64, won as f64 / self.games as f64);
        let error = 196.0 * (share * (1.0 - share) / games).sqrt();
        format!("{won} of {games} games won, {:.2} ± {error:.2} %", 100.0 * share)
    }

    /// The value of games to the player, and how much more than to the other.
    fn weigh(&self, game: &Minesweeper) -> String {
        let own = chances::of_games(self, game, self.effort);
        let found = format!("{} % of {} games", chances::summary(&own), self.games);
        let Some(other) = self.other else { return found };
        let others = chances::of_games(self, game, other);
        let gains: Vec<f64> = own.iter().zip(&others).map(|(own, other)| own - other).collect();
        let (others, gain) = (chances::summary(&others), chances::summary(&gains));
        format!("{found}, the other {others}; gain {gain}")
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

/// Applies a setting of the player; returns whether it was one.
fn set_effort(effort: &mut Effort, key: &str, value: &str) -> Result<bool, Box<dyn Error>> {
    let (guessing, playout) = (&mut effort.guessing, &mut effort.playout);
    match key {
        "effort" => {
            *effort = match value {
                "fast" => Effort::FAST,
                "strong" => Effort::STRONG,
                "deep" => Effort::DEEP,
                _ => return Ok(false),
            }
        }
        "placements" => effort.placements = value.parse()?,
        "nodes" => effort.nodes = value.parse()?,
        "margin" => guessing.margin = value.parse()?,
        "most" => guessing.most = value.parse()?,
        "far" => guessing.far = value.parse()?,
        "progress" => guessing.progress = value.parse()?,
        "within" => playout.within = value.parse()?,
        "draws" => playout.draws = value.parse()?,
        "cells" => playout.cells = value.parse()?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The cell that a text such as `d3` names.
fn place(text: &str) -> Result<BoardCell, String> {
    BoardCell::parse(text).ok_or_else(|| format!("'{text}' is not a cell: expected one such as d3"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let board = args.next().ok_or("expected a board such as 16x30/99")?;
    let sizes = board.split(['x', '/']).map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let [rows, cols, mines] = sizes[..] else { return Err("expected a board such as 16x30/99".into()) };
    let mut trial = Trial::new();
    for arg in args {
        if arg == "versus" {
            trial.other = Some(trial.effort);
            continue;
        }
        let (key, value) = arg.split_once('=').ok_or("expected settings such as games=4000")?;
        trial.set(key, value)?;
    }
    let game = Minesweeper::new(rows, cols, mines, trial.first)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(trial.threads).build()?;
    let begun = Instant::now();
    let found = pool.install(|| match trial.mode {
        Mode::Games => trial.count(&game),
        Mode::Chances => trial.weigh(&game),
        Mode::Headroom => trial.headroom.run(&game, &trial),
    });
    println!("{board}: {found} ({:.0} s)", begun.elapsed().as_secs_f64());
    Ok(())
}
