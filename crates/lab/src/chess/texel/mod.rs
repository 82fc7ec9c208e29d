//! `texel`: the weights of the classic evaluation, fitted to games.
//!
//! The evaluation is a log-odds and linear in its weights, so this is a logistic regression: it looks for the weights
//! under which the games' results, mixed with the scores of searches, are most likely. The games are those of a set of
//! positions that an engine judged, or the engine's own. The fit starts from the weights set by hand, and a prior holds
//! every weight near them unless the games say otherwise.
//!
//! Each step is one step of Adam over all examples except those of every tenth game, which only measure a second loss.
//! Sums are made in the same order on any number of threads.
//!
//! References: P. Österlund, Texel's tuning method (2014); D. P. Kingma, J. Ba, Adam (2015).

mod games;
mod set;

use outplay_runtime::WorkError;
use std::path::PathBuf;

use outplay_core::{Referee, Text, errors};
use outplay_games::chess::Chess;
use outplay_games::chess::classic::{ClassicWeights, EvalTrace, FEATURES, TaperedScore};
use rayon::prelude::*;

use crate::params;
use crate::registry::{Measure, MethodDef};
use games::FastGames;
use outplay_runtime::Watch;
use outplay_training::{Training, TrainingStep};

params! {
    /// What the weights are fitted to, and how.
    struct TexelParams {
        data: Option<PathBuf> = None,
            "a set that 'outplay data chess' made, to be fitted to instead of games of the engine against itself"
            | "un ensemble fait par « outplay data chess », auquel ajuster au lieu des parties du moteur contre lui-même";
        games: u64 = 10_000, in 1..=10_000_000,
            "games of the engine against itself, unless a set is given"
            | "parties du moteur contre lui-même, sauf si un ensemble est donné";
        nodes: u64 = 1500, in 1..=1_000_000_000, "positions per move" | "positions par coup";
        opening: u32 = 8, in 0..=100,
            "random plies at the start of each game, or one more"
            | "demi-coups au hasard au début de chaque partie, ou un de plus";
        iterations: u64 = 400, in 1..=1_000_000, "steps of the fit" | "pas de l’ajustement";
        rate: f64 = 1.0, in 0.0..=100.0,
            "the length of a step, in hundredths of a pawn"
            | "la longueur d’un pas, en centièmes de pion";
        results: f64 = 0.7, in 0.0..=1.0,
            "the share of the games' results in what is fitted, the rest being what the searches expected"
            | "la part du résultat des parties dans ce qui est ajusté, le reste étant ce que les recherches attendaient";
        prior: f64 = 30.0, in 0.1..=1_000_000.0,
            "how far weights are expected from those set by hand, in hundredths of a pawn"
            | "à quelle distance des poids réglés à la main on attend les nouveaux, en centièmes de pion";
    }
}

errors! {
    /// Why weights cannot be fitted.
    pub enum TexelError {
        NothingToFit =
            "no quiet position to fit to: expected more games"
            | "aucune position calme à laquelle ajuster : attendu plus de parties",
        NothingHeldBack { every: u64 } =
            "no quiet position to test the fit by, every {every}th game being held back for it: expected more games"
            | "aucune position calme pour vérifier l’ajustement, une partie sur {every} étant mise de côté pour cela : attendu plus de parties",
        IllegalPosition { game: u64 } =
            "game {game} of the set holds a position against the laws"
            | "la partie {game} de l’ensemble contient une position contraire aux règles",
        OtherCheckpoint = "the checkpoint is not one of this training" | "le point de reprise n’est pas de cet entraînement",
    }
}

/// A fit is judged by games that it was not fitted to.
const MEASURES: &[Measure] = &[Measure::lower("held_back", "/held_back"), Measure::LOSS];

/// Log-odds in a hundredth of a pawn: four pawns make ten to one.
const LOG_ODDS: f32 = 0.00576;
/// Examples whose gradients are summed in one piece.
const PIECE: usize = 4096;
/// Of Adam.
const DECAYS: (f32, f32) = (0.9, 0.999);

/// The method on the list.
pub(super) fn method() -> MethodDef<Referee<Chess>> {
    MethodDef::new(
        "texel",
        Text::new(
            "the weights of the classic evaluation, fitted to games of the engine or to a set of judged positions",
            "les poids de l’évaluation classique, ajustés à des parties du moteur ou à un ensemble de positions jugées",
        ),
        TexelParams::default(),
        MEASURES,
        |_, params, seed, _, watch| begin(params, seed, watch),
    )
}

fn begin(params: &TexelParams, seed: u64, watch: Watch<'_>) -> Result<Box<dyn Training>, WorkError> {
    let TexelParams { games, nodes, opening, .. } = *params;
    let examples = match &params.data {
        Some(path) => set::read(path)?,
        None => games::play(FastGames { games, nodes, opening, seed }, watch)?,
    };
    if examples.iter().all(TexelExample::is_held_back) {
        return Err(TexelError::NothingToFit.into());
    }
    if !examples.iter().any(TexelExample::is_held_back) {
        return Err(TexelError::NothingHeldBack { every: HELD_BACK }.into());
    }
    let config = TexelConfig {
        iterations: params.iterations,
        rate: params.rate as f32,
        results: params.results as f32,
        prior: params.prior as f32,
    };
    Ok(Box::new(Fit::new(&examples, config)))
}

/// One of this many games is held back, to test the weights on games that they were not fitted to.
const HELD_BACK: u64 = 10;

/// A quiet position, with the number of its game, white's points there, and what a search thought white would get.
struct TexelExample {
    game: u64,
    position: Chess,
    points: f32,
    expected: f32,
}

impl TexelExample {
    fn is_held_back(&self) -> bool {
        self.game % HELD_BACK == HELD_BACK - 1
    }
}

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
struct TexelConfig {
    iterations: u64,
    rate: f32,
    results: f32,
    prior: f32,
}

/// Both halves of every weight: first all of the middle, then all of the end.
type Vector = Vec<f32>;

/// What a position has and what white gets there.
type Sample = (EvalTrace, f32);

/// Weights being fitted.
struct Fit {
    config: TexelConfig,
    samples: Vec<Sample>,
    held_back: Vec<Sample>,
    /// Games that samples are from.
    games: u64,
    begun: Vector,
    weights: Vector,
    moments: [Vector; 2],
    done: u64,
}

impl Fit {
    fn new(examples: &[TexelExample], config: TexelConfig) -> Self {
        let by_hand = ClassicWeights::default();
        let target = |example: &TexelExample| {
            config.results * example.points + (1.0 - config.results) * example.expected
        };
        let sample = |example: &TexelExample| (EvalTrace::of(&example.position, &by_hand), target(example));
        let samples = |held_back: bool| -> Vec<Sample> {
            examples.par_iter().filter(|example| example.is_held_back() == held_back).map(sample).collect()
        };
        let mut games: Vec<u64> = examples.iter().filter(|it| !it.is_held_back()).map(|it| it.game).collect();
        games.dedup();
        let middles = (0..FEATURES).map(|feature| by_hand.of(feature).middlegame() as f32);
        let ends = (0..FEATURES).map(|feature| by_hand.of(feature).endgame() as f32);
        let begun: Vector = middles.chain(ends).collect();
        Self {
            config,
            samples: samples(false),
            held_back: samples(true),
            games: games.len() as u64,
            weights: begun.clone(),
            moments: [vec![0.0; begun.len()], vec![0.0; begun.len()]],
            begun,
            done: 0,
        }
    }

    /// White's chance under the weights.
    fn chance(&self, trace: &EvalTrace) -> f32 {
        let worth =
            trace.white_score_with(|feature| (self.weights[feature], self.weights[FEATURES + feature]));
        1.0 / (1.0 + (-LOG_ODDS * worth).exp())
    }

    /// The mean loss over what was held back.
    fn loss_held_back(&self) -> f64 {
        let loss = |(trace, target): &Sample| cross_entropy(self.chance(trace), *target);
        let losses: Vec<f64> = self.held_back.par_iter().map(loss).collect();
        losses.iter().sum::<f64>() / losses.len().max(1) as f64
    }

    /// The mean loss (the prior left out) and its gradient (the prior included).
    fn gradient(&self) -> (f64, Vector) {
        let piece = |samples: &[Sample]| {
            let (mut loss, mut gradient) = (0.0, vec![0.0; self.weights.len()]);
            for (trace, target) in samples {
                let chance = self.chance(trace);
                loss += cross_entropy(chance, *target);
                let error = LOG_ODDS * (chance - target);
                for &(feature, count) in &trace.counts {
                    let pull = error * f32::from(count);
                    gradient[usize::from(feature)] += pull * trace.middlegame;
                    gradient[FEATURES + usize::from(feature)] += pull * trace.endgame;
                }
            }
            (loss, gradient)
        };
        let pieces: Vec<(f64, Vector)> = self.samples.par_chunks(PIECE).map(piece).collect();
        let count = self.samples.len() as f32;
        let (mut loss, mut gradient) = (0.0, vec![0.0; self.weights.len()]);
        for (part, pull) in pieces {
            loss += part;
            for (sum, pull) in gradient.iter_mut().zip(pull) {
                *sum += pull / count;
            }
        }
        // Positions of one game share its result: what speaks against the prior is the number of games.
        let stiffness = 1.0 / (self.config.prior * self.config.prior * self.games as f32);
        for ((sum, weight), begun) in gradient.iter_mut().zip(&self.weights).zip(&self.begun) {
            *sum += (weight - begun) * stiffness;
        }
        (loss / f64::from(count), gradient)
    }

    fn table(&self) -> ClassicWeights {
        let half = |place: usize| self.weights[place].round() as i32;
        ClassicWeights::from_fn(|feature| TaperedScore::new(half(feature), half(FEATURES + feature)))
    }
}

/// The cross-entropy of a predicted chance.
fn cross_entropy(said: f32, truth: f32) -> f64 {
    let (said, truth) = (f64::from(said).clamp(1e-9, 1.0 - 1e-9), f64::from(truth));
    -truth * said.ln() - (1.0 - truth) * (1.0 - said).ln()
}

impl Training for Fit {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.samples.len() as u64
    }

    fn step(&mut self, _watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let (loss, gradient) = self.gradient();
        let held_back = self.loss_held_back();
        self.done += 1;
        let (slow, fast) = DECAYS;
        let correct = |decay: f32| 1.0 - decay.powi(self.done.min(100_000) as i32);
        let (first, second) = (correct(slow), correct(fast));
        // Steps grow shorter towards the end, so that the weights come to rest.
        let left = 1.0 - (self.done - 1) as f32 / self.config.iterations as f32;
        let [means, squares] = &mut self.moments;
        for (place, pull) in gradient.into_iter().enumerate() {
            means[place] = slow * means[place] + (1.0 - slow) * pull;
            squares[place] = fast * squares[place] + (1.0 - fast) * pull * pull;
            let (mean, square) = (means[place] / first, squares[place] / second);
            self.weights[place] -= self.config.rate * left * mean / (square.sqrt() + 1e-9);
        }
        let record = serde_json::json!({ "iteration": self.done, "loss": loss, "held_back": held_back });
        let finished = self.done >= self.config.iterations;
        Ok(TrainingStep { done: self.done, total: self.config.iterations, finished, record })
    }

    fn checkpoint(&self) -> Vec<u8> {
        let numbers = self.weights.iter().chain(self.moments.iter().flatten());
        let numbers = numbers.flat_map(|number| number.to_le_bytes());
        self.done.to_le_bytes().into_iter().chain(numbers).collect()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let (done, numbers) = checkpoint
            .split_at_checked(8)
            .filter(|(_, numbers)| numbers.len() == 12 * self.weights.len())
            .ok_or(TexelError::OtherCheckpoint)?;
        self.done = done.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let mut numbers = numbers.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for place in self.weights.iter_mut().chain(self.moments.iter_mut().flatten()) {
            *place = numbers.next().unwrap_or_default();
        }
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        self.table().write().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<TexelExample> {
        let plan = FastGames { games: 12, nodes: 60, opening: 8, seed: 1 };
        games::play(plan, Watch::nobody()).unwrap()
    }

    fn config() -> TexelConfig {
        TexelConfig { iterations: 20, rate: 1.0, results: 0.7, prior: 30.0 }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut fit = Fit::new(&examples(), TexelConfig { prior: 1e6, ..config() });
        let (_, gradient) = fit.gradient();
        // The worth of a pawn in the end, and of the move in the middle of the game.
        for place in [FEATURES, FEATURES - 1] {
            let mut loss_at = |shift: f32| {
                fit.weights[place] += shift;
                let loss = fit.gradient().0;
                fit.weights[place] -= shift;
                loss
            };
            let slope = (loss_at(4.0) - loss_at(-4.0)) / 8.0;
            let expected = f64::from(gradient[place]);
            assert!((slope - expected).abs() < 0.02 * expected.abs() + 1e-6, "{slope} and {expected}");
        }
    }

    #[test]
    fn the_loss_falls_and_a_resumed_run_ends_alike() {
        let examples = examples();
        let mut fit = Fit::new(&examples, config());
        let first = fit.step(Watch::nobody()).unwrap().record["loss"].as_f64().unwrap();
        for _ in 0..9 {
            fit.step(Watch::nobody()).unwrap();
        }
        let checkpoint = fit.checkpoint();
        let mut resumed = Fit::new(&examples, config());
        resumed.restore(&checkpoint).unwrap();
        let mut last = first;
        for _ in 0..10 {
            last = fit.step(Watch::nobody()).unwrap().record["loss"].as_f64().unwrap();
            resumed.step(Watch::nobody()).unwrap();
        }
        assert!(last < first);
        assert_eq!(fit.product(), resumed.product());
        ClassicWeights::read(&String::from_utf8(fit.product()).unwrap()).unwrap();
        assert!(resumed.restore(b"nonsense").is_err());
    }
}
