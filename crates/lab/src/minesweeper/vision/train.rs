//! Training: `outplay train minesweeper net`.
//!
//! Every batch is a fresh set of positions on one size of board, labelled exactly; none is seen twice, so the loss
//! that is recorded, measured before each step, is that of boards the network has never seen.
//!
//! Batch number and seed determine a batch; threads and interruptions do not matter.

use outplay_core::{Player, Rng};
use outplay_games::minesweeper::labelled::{LabelledBoard, PositionSampler};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{FirstClick, Minesweeper, VisibleBoard, planes};
use outplay_nn::{Batch, Extent, Loss, Network, Optimiser, Predictor, Trainer};
use outplay_runtime::{Watch, WorkError};
use rayon::prelude::*;
use serde_json::json;

use super::sight::{ANSWERS, KIND, plan};
use crate::training_memory::{TrainingMemory, padded};
use crate::{params, words};
use outplay_training::CountedTrainer;
use outplay_training::{Training, TrainingStep};

params! {
    /// How the network is trained.
    pub struct VisionTrainingParams {
        channels: usize = 48, in 1..=512, "channels of each convolution" | "canaux de chaque convolution";
        blocks: usize = 5, in 0..=40, "pairs of convolutions" | "paires de convolutions";
        batches: u64 = 40_000, in 1..=10_000_000, "batches, each of fresh positions" | "lots, chacun de positions nouvelles";
        cells: usize = 12_800, in 64..=1_000_000,
            "cells in a batch: 128 boards of 10×10" | "cases par lot : 128 plateaux de 10×10";
        rate: f64 = 0.001, in 1e-7..=1.0, "the highest learning rate" | "le plus haut taux d’apprentissage";
        boards: BoardChoice = BoardChoice::Mixed,
            "many sizes and densities, or those of the game that is named"
            | "beaucoup de tailles et de densités, ou celles du jeu nommé";
    }
    memory |training| training.memory_of_parts().mebibytes()
}

/// Which boards the network is to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardChoice {
    /// Many sizes and densities.
    Mixed,
    /// Those of the game that is named.
    Own,
}

words!(BoardChoice {
    "mixed" => BoardChoice::Mixed,
    "own" => BoardChoice::Own,
});

impl VisionTrainingParams {
    /// A thread works on one board at a time, or on 256 cells of smaller ones. A batch has for each cell its planes, targets,
    /// weights, answers and exact probabilities, about 100 bytes.
    fn memory_of_parts(&self) -> TrainingMemory {
        let (rows, columns) = match self.boards {
            BoardChoice::Mixed => (24, 30),
            BoardChoice::Own => (64, 64),
        };
        let channels = padded(self.channels);
        let outputs_of_cell = channels * (1 + 2 * self.blocks) + padded(ANSWERS);
        TrainingMemory {
            parameters: plan(channels, self.blocks).parameters() as u64,
            // There is a column of zeros beside every board.
            outputs: (rows * (columns + 1) * outputs_of_cell) as u64,
            examples: 100 * self.cells.max(rows * columns * FROM_A_GAME) as u64,
        }
    }
}

/// Positions taken from one game.
const FROM_A_GAME: usize = 8;
/// Batches between two records.
const STEP: u64 = 10;
/// The first batches, over which the rate rises to its highest.
const WARM_UP: u64 = 300;
/// A cell that no number touches counts this much: all of them ask the same question.
const OFF_FRONTIER: f32 = 0.25;
/// What a guess counts, and how near to the least likely mined a cell is that might be one.
const GUESS: f32 = 0.5;
const NEAR: f64 = 0.15;

/// The boards to train on.
#[derive(Clone)]
enum Boards {
    Mixed,
    Own(Minesweeper),
}

impl Boards {
    /// The size of a batch's boards.
    fn size(&self, rng: &mut Rng) -> (usize, usize) {
        let between = |rng: &mut Rng, least: usize, most: usize| least + rng.below(most - least + 1);
        match self {
            Self::Own(game) => (game.rows(), game.cols()),
            Self::Mixed => match rng.below(5) {
                0 | 1 => {
                    let side = between(rng, 6, 12);
                    (side, side)
                }
                2 | 3 => (between(rng, 7, 16), between(rng, 7, 16)),
                _ => (between(rng, 14, 24), between(rng, 14, 30)),
            },
        }
    }

    /// One game on boards of this size.
    fn game(&self, rows: usize, cols: usize, rng: &mut Rng) -> Minesweeper {
        match self {
            Self::Own(game) => game.clone(),
            Self::Mixed => {
                let density = 0.04 + 0.19 * rng.unit();
                let mines = ((rows * cols) as f64 * density).round().max(1.0) as usize;
                Minesweeper::new(rows, cols, mines, FirstClick::Safe).expect("such boards can be played")
            }
        }
    }
}

/// A batch's positions, laid out for the trainer.
struct PositionBatch {
    extent: Extent,
    inputs: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
    examples: Vec<LabelledBoard>,
}

impl PositionBatch {
    fn batch(&self) -> Batch<'_> {
        Batch {
            extent: self.extent,
            inputs: &self.inputs,
            targets: &self.targets,
            weights: Some(&self.weights),
        }
    }
}

/// A network in training.
struct VisionTraining {
    boards: Boards,
    seed: u64,
    batches: u64,
    cells: usize,
    rate: f64,
    learnt: CountedTrainer,
}

/// The player whose guesses the network learns.
fn teacher() -> Box<dyn Player<VisibleBoard>> {
    Box::new(Strategist::new(FirstClick::Safe, Effort::FAST))
}

impl VisionTraining {
    fn positions(&self, number: u64) -> PositionBatch {
        let mut rng = Rng::stream(self.seed, number);
        let (rows, cols) = self.boards.size(&mut rng);
        let games = (self.cells / (rows * cols * FROM_A_GAME)).max(1);
        let seed = rng.seed();
        let examples: Vec<LabelledBoard> = (0..games as u64)
            .into_par_iter()
            .map_init(teacher, |teacher, game| {
                let mut rng = Rng::stream(seed, game);
                let board = self.boards.game(rows, cols, &mut rng);
                PositionSampler::new(teacher.as_mut()).positions(&board, FROM_A_GAME, &mut rng)
            })
            .flatten_iter()
            .collect();
        lay_out(examples, rows, cols)
    }

    /// Rises, then falls to nothing along half a cosine.
    fn rate_at(&self, batch: u64) -> f64 {
        let rise = ((batch + 1) as f64 / WARM_UP as f64).min(1.0);
        let fall = 0.5 + 0.5 * (std::f64::consts::PI * batch as f64 / self.batches as f64).cos();
        self.rate * rise * fall
    }
}

fn lay_out(examples: Vec<LabelledBoard>, rows: usize, cols: usize) -> PositionBatch {
    let cells = rows * cols;
    let mut positions = PositionBatch {
        extent: Extent { samples: examples.len(), rows, cols },
        inputs: vec![0.0; examples.len() * cells * planes::PLANES],
        targets: vec![0.0; examples.len() * cells * ANSWERS],
        weights: vec![0.0; examples.len() * cells * ANSWERS],
        examples,
    };
    let inputs = positions.inputs.chunks_exact_mut(cells * planes::PLANES);
    let targets = positions.targets.chunks_exact_mut(cells * ANSWERS);
    let weights = positions.weights.chunks_exact_mut(cells * ANSWERS);
    for (((example, inputs), targets), weights) in
        positions.examples.iter().zip(inputs).zip(targets).zip(weights)
    {
        planes::write(&example.seen, inputs);
        label(example, targets.as_chunks_mut().0, weights.as_chunks_mut().0);
    }
    positions
}

fn label(example: &LabelledBoard, targets: &mut [[f32; ANSWERS]], weights: &mut [[f32; ANSWERS]]) {
    let seen = &example.seen;
    let open = || seen.masked().iter();
    let least = open().map(|cell| example.mined[seen.index(cell)]).fold(1.0, f64::min);
    for cell in open() {
        let index = seen.index(cell);
        let touched = seen.neighbours(cell).any(|near| !seen.masked().contains(near));
        targets[index][0] = example.mined[index] as f32;
        weights[index][0] = if touched { 1.0 } else { OFF_FRONTIER };
        if let Some(guess) = example.guess
            && (guess == cell || example.mined[index] <= least + NEAR)
        {
            targets[index][1] = f32::from(u8::from(guess == cell));
            weights[index][1] = GUESS;
        }
    }
}

/// How well a network does on positions that it has not learnt from yet.
fn examine(network: &Network, positions: &PositionBatch) -> serde_json::Value {
    let mut answers = vec![0.0; positions.targets.len()];
    Predictor::new(network).predict(positions.extent, &positions.inputs, &mut answers);
    let cells = positions.extent.rows * positions.extent.cols;
    let (mut error, mut frontier, mut missed, mut provable) = (0.0, 0u32, 0u32, 0u32);
    for (example, answers) in positions.examples.iter().zip(answers.chunks_exact(cells * ANSWERS)) {
        let answers: &[[f32; ANSWERS]] = answers.as_chunks().0;
        let seen = &example.seen;
        let index = |cell| seen.index(cell);
        for cell in seen.masked().iter() {
            if seen.neighbours(cell).any(|near| !seen.masked().contains(near)) {
                error += (f64::from(answers[index(cell)][0]) - example.mined[index(cell)]).abs();
                frontier += 1;
            }
        }
        if example.guess.is_none() {
            let least =
                seen.masked().iter().min_by(|&a, &b| answers[index(a)][0].total_cmp(&answers[index(b)][0]));
            provable += 1;
            missed += u32::from(least.is_some_and(|cell| example.mined[index(cell)] > 0.0));
        }
    }
    json!({
        "error_on_frontier": error / f64::from(frontier.max(1)),
        "safe_cell_missed": f64::from(missed) / f64::from(provable.max(1)),
    })
}

impl Training for VisionTraining {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.batches * (self.cells as u64 / 100)
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let end = (self.learnt.done + STEP).min(self.batches);
        let mut record = json!({});
        let (mut loss, steps) = (0.0, end - self.learnt.done);
        for batch in self.learnt.done..end {
            watch.check()?;
            let positions = self.positions(batch);
            if batch + 1 == end {
                record = examine(&self.learnt.trainer.network(), &positions);
            }
            self.learnt.trainer.set_rate(self.rate_at(batch) as f32);
            loss += self.learnt.trainer.step(&positions.batch());
        }
        self.learnt.done = end;
        record["batch"] = end.into();
        record["loss"] = (loss / steps as f64).into();
        Ok(TrainingStep { done: end, total: self.batches, finished: end == self.batches, record })
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.learnt.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        self.learnt.restore(checkpoint)
    }

    fn product(&self) -> Vec<u8> {
        let batches = self.learnt.done.to_string();
        self.learnt.trainer.network().to_safetensors(&[
            KIND,
            ("batches", &batches),
            ("seed", &self.seed.to_string()),
        ])
    }
}

/// The method `net` as the command line calls it.
pub(super) fn begin(
    game: &Minesweeper,
    params: &VisionTrainingParams,
    seed: u64,
) -> Result<Box<dyn Training>, WorkError> {
    let VisionTrainingParams { channels, blocks, batches, cells, rate, boards } = *params;
    // The weights come from a stream that no batch uses.
    let network = Network::new(plan(channels, blocks), &mut Rng::stream(seed, u64::MAX))?;
    let boards = match boards {
        BoardChoice::Mixed => Boards::Mixed,
        BoardChoice::Own => Boards::Own(game.clone()),
    };
    let learnt = CountedTrainer::new(Trainer::new(&network, Optimiser::adam(), Loss::CrossEntropy));
    Ok(Box::new(VisionTraining { boards, seed, batches, cells, rate, learnt }))
}
