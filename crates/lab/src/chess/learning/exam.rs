//! Nearest neighbours tested as if they had been trained: `outplay sweep chess knn`.
//!
//! A step asks for a number of positions, first those of the validation set, then those of the test set; the size of a
//! step changes no answer.

use outplay_runtime::WorkError;
use std::ops::Range;

use outplay_core::{Referee, Text, errors};
use outplay_games::chess::Chess;
use serde_json::json;

use super::division::{DividedSet, Division, Part};
use super::neighbours::{KnnParams, KnownExamples, NeighbourParams};
use super::{MEASURES, SplitParams};
use crate::registry::MethodDef;
use outplay_runtime::Watch;
use outplay_training::{Training, TrainingStep};

/// Positions of one step.
const STEP: usize = 2048;

errors! {
    /// Why an exam cannot go on.
    pub enum ExaminationError {
        OtherCheckpoint =
            "the checkpoint cannot be used: it is not one of this exam"
            | "le point de reprise ne peut servir : il n’est pas de cet examen",
    }
}

/// The exam `knn` on chess's list. It takes what the evaluator `knn` does, and how the set is divided.
pub(in crate::chess) fn exam() -> MethodDef<Referee<Chess>> {
    MethodDef::new(
        "knn",
        Text::new(
            "nearest neighbours that tell six classes of positions apart (ChessMate 2018)",
            "les plus proches voisins, qui distinguent six classes de positions (ChessMate 2018)",
        ),
        (KnnParams::default(), SplitParams::default()),
        MEASURES,
        |_, (neighbours, split), seed, _, _| begin(neighbours, split, seed),
    )
}

/// An exam on its way.
struct Examination {
    known: KnownExamples,
    k: usize,
    divided: DividedSet,
    /// Positions asked so far.
    done: usize,
    /// Right answers, of those that choose and of the test.
    right: [u64; 2],
}

fn begin(
    (set, (neighbours, labelling)): &KnnParams,
    split: &SplitParams,
    seed: u64,
) -> Result<Box<dyn Training>, WorkError> {
    let NeighbourParams { k, sees } = *neighbours;
    let divided = DividedSet::for_exam(&set.read()?, &Division::of(split, labelling), seed)?;
    let known = KnownExamples::new(&divided.training, sees, k);
    Ok(Box::new(Examination { known, k, divided, done: 0, right: [0; 2] }))
}

impl Examination {
    fn parts(&self) -> [&Part; 2] {
        [&self.divided.validation, &self.divided.test]
    }

    fn questions(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }

    /// Right answers among these positions of a part.
    fn ask(&self, part: &Part, range: Range<usize>, watch: Watch<'_>) -> Result<u64, WorkError> {
        let confusions = self.known.confusions(&part.stretch(range), self.k, watch)?;
        Ok(confusions[self.k - 1].right())
    }
}

impl Training for Examination {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.divided.training.len() as u64
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let [choosing, test] = self.parts().map(Part::len);
        let (which, first) = if self.done < choosing { (0, self.done) } else { (1, self.done - choosing) };
        let end = (first + STEP).min([choosing, test][which]);
        self.right[which] += self.ask(self.parts()[which], first..end, watch)?;
        self.done += end - first;
        let finished = self.done == self.questions();
        let share = |which: usize, asked: usize| self.right[which] as f64 / asked as f64;
        let record = if finished {
            json!({ "validation_accuracy": share(0, choosing), "test_accuracy": share(1, test) })
        } else {
            json!({ "asked": self.done })
        };
        Ok(TrainingStep { done: self.done as u64, total: self.questions() as u64, finished, record })
    }

    fn checkpoint(&self) -> Vec<u8> {
        let [choosing, test] = self.right;
        [self.done as u64, choosing, test].map(u64::to_le_bytes).concat()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let (numbers, rest) = checkpoint.as_chunks();
        let numbers: Vec<u64> = numbers.iter().copied().map(u64::from_le_bytes).collect();
        match numbers[..] {
            [done, choosing, test] if rest.is_empty() && done <= self.questions() as u64 => {
                self.done = done as usize;
                self.right = [choosing, test];
                Ok(())
            }
            _ => Err(ExaminationError::OtherCheckpoint.into()),
        }
    }

    fn product(&self) -> Vec<u8> {
        let [choosing, test] = self.right;
        let [of_choosing, of_test] = self.parts().map(Part::len);
        let marks = json!({
            "validation": { "right": choosing, "of": of_choosing },
            "test": { "right": test, "of": of_test },
        });
        format!("{marks}\n").into_bytes()
    }
}
