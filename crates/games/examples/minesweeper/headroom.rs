//! How much better the player's guesses could be: one step of policy improvement on the boards on which it guesses by
//! look-ahead. Candidates are compared by playouts; the best of them and the player's own choice are then evaluated
//! by further playouts.
//!
//! The gain is not biased by the selection, since the playouts that evaluate a cell did not select it. It is less
//! than what a perfect choice would gain.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::strategy::{ChoiceReason, Effort, GuessConfig, Playouts, Strategist};
use outplay_games::minesweeper::{BoardCell, FirstClick, Minesweeper, Probabilities, Solver, VisibleBoard};
use rayon::prelude::*;

use super::Trial;

/// Which boards are used and how much is spent on each.
pub(super) struct Headroom {
    /// The share of the guesses that is evaluated.
    share: f64,
    /// Only boards with this many placements left, from and to, as decimal logarithms.
    from: f64,
    to: f64,
    /// Playouts of each of the last candidates that are compared.
    compared: u32,
    /// Further playouts that evaluate the best of them, and as many for the player's own.
    valued: u32,
    /// Whether each board's result is printed.
    is_shown: bool,
}

/// The number of cells compared: more than the player evaluates itself.
const CANDIDATES: Effort = Effort {
    placements: 0,
    guessing: GuessConfig { margin: 0.8, most: 30, far: 6, progress: 0.1 },
    ..Effort::STRONG
};
const MOST_CANDIDATES: usize = 12;

/// The result of one game: its guesses, and the boards evaluated with the gain of a better guess on them.
#[derive(Default)]
struct Found {
    guesses: u64,
    gains: Vec<(u64, f64)>,
}

/// Gains on boards met before: the first guesses of many games are the same.
type Known = Mutex<HashMap<u64, f64>>;

impl Headroom {
    pub(super) const fn new() -> Self {
        Self { share: 1.0, from: 0.0, to: f64::INFINITY, compared: 600, valued: 600, is_shown: false }
    }

    /// Applies a setting of the measurement; returns whether it was one.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<bool, Box<dyn Error>> {
        match key {
            "share" => self.share = value.parse()?,
            "from" => self.from = value.parse()?,
            "to" => self.to = value.parse()?,
            "compared" => self.compared = value.parse()?,
            "valued" => self.valued = value.parse()?,
            "show" => self.is_shown = value.parse()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Plays the games; the gain of one step of policy improvement, with its interval, in points of win rate.
    pub(super) fn run(&self, game: &Minesweeper, trial: &Trial) -> String {
        let known = Known::default();
        let games = (0..trial.games).into_par_iter();
        let found: Vec<Found> = games.map(|number| self.play(game, trial, number, &known)).collect();
        let guesses = found.iter().map(|found| found.guesses).sum::<u64>() as f64 / trial.games as f64;
        let gains: Vec<(u64, f64)> = found.into_iter().flat_map(|found| found.gains).collect();
        let count = gains.len() as f64;
        let mean = gains.iter().map(|(_, gain)| gain).sum::<f64>() / count;
        // Boards that were met several times were evaluated once: their errors add up.
        let mut boards: HashMap<u64, f64> = HashMap::new();
        for (board, gain) in &gains {
            *boards.entry(*board).or_default() += gain - mean;
        }
        let error = boards.values().map(|sum| sum * sum).sum::<f64>().sqrt() / count;
        let points = 100.0 * guesses;
        format!(
            "{} guesses looked at on {} boards, of {guesses:.3} a game: {:.3} points to gain on each, \
             {:.2} ± {:.2} in a game",
            gains.len(),
            boards.len(),
            100.0 * mean,
            points * mean,
            1.96 * points * error,
        )
    }

    fn play(&self, game: &Minesweeper, trial: &Trial, number: u64, known: &Known) -> Found {
        let mut rng = Rng::stream(trial.seed, number);
        let mut lot = Rng::stream(!trial.seed, number);
        let mut state = game.start(&mut rng);
        let mut player = Strategist::new(trial.first, trial.effort);
        let mut found = Found::default();
        player.new_game(Seat::First);
        while game.outcome(&state).is_none() {
            let view = game.view(&state);
            let action = player.choose(view, &mut Turn::new(&mut rng));
            if player.reason() == ChoiceReason::LookAhead && self.is_meant(view) {
                found.guesses += 1;
                if lot.unit() < self.share {
                    let met = known.lock().expect("no thread fails").get(&view.key()).copied();
                    let gain = met.unwrap_or_else(|| self.gain(view, action.cell(), trial.seed));
                    known.lock().expect("no thread fails").insert(view.key(), gain);
                    found.gains.push((view.key(), gain));
                }
            }
            game.play(&mut state, action);
        }
        found
    }

    /// Whether a board has as many placements left as are asked for.
    fn is_meant(&self, view: &VisibleBoard) -> bool {
        let log = Solver::new().solve(view).map_or(f64::INFINITY, Probabilities::log10_solutions);
        (self.from..self.to).contains(&log)
    }

    /// The gain of the best candidate over the player's own choice.
    fn gain(&self, view: &VisibleBoard, own: BoardCell, seed: u64) -> f64 {
        let (mut playouts, mut rng) = (Playouts::new(Effort::FAST), Rng::stream(seed, view.key()));
        let candidates = candidates(view, own);
        let never = AtomicBool::new(false);
        let compared = playouts.compare(view, &candidates, self.compared, &mut rng, &never);
        let Ok(compared) = compared else { return 0.0 };
        let (best, chance) = compared[0];
        let mut value = |cell: BoardCell| -> f64 {
            let draws = (0..self.valued).map(|_| playouts.draw(view, cell, &mut rng, &never).unwrap_or(0.0));
            draws.sum::<f64>() / f64::from(self.valued)
        };
        let gain = if best == own { 0.0 } else { value(best) - value(own) };
        if self.is_shown {
            show(view, [best, own], chance, gain);
        }
        gain
    }
}

/// The cells that are compared, the player's own first.
fn candidates(view: &VisibleBoard, own: BoardCell) -> Vec<BoardCell> {
    let mut player = Strategist::new(FirstClick::Any, CANDIDATES);
    player.choose(view, &mut Turn::new(&mut Rng::new(0)));
    let others = player.compared().iter().map(|&(cell, _)| cell).filter(|&cell| cell != own);
    std::iter::once(own).chain(others).take(MOST_CANDIDATES).collect()
}

/// Prints the result of one board.
fn show(view: &VisibleBoard, [best, own]: [BoardCell; 2], chance: f64, gain: f64) {
    let mut solver = Solver::new();
    let Ok(known) = solver.solve(view) else { return };
    let tell = |cell: BoardCell| {
        let place = if Solver::why(view, cell).is_empty() { "off" } else { "on" };
        format!("{cell} ({:.3} safe, {place} the frontier)", 1.0 - known.of(cell).unwrap_or(1.0))
    };
    let (score, placements) = (view.score(), known.log10_solutions());
    let (best, own) = (tell(best), tell(own));
    println!(
        "{score} unmasked, 10^{placements:.1} placements: {best}, own {own}; about {chance:.3}, gain {gain:.4}"
    );
}
