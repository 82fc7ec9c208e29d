//! Positions judged by those that look most alike (ChessMate §2.6).
//!
//! A judgement is the mean of what the classes are worth for which the neighbours vote.

use outplay_runtime::WorkError;
use std::sync::{Arc, OnceLock};

use outplay_games::chess::Chess;
use outplay_games::chess::dataset::encode::{ORIENTED, PIECE_LIST, SQUARES, document, oriented, piece_list};
use outplay_games::chess::dataset::{CLASSES, ClassBounds};
use outplay_players::ConfusionMatrix;
use outplay_players::knn::{NearestNeighbours, votes};
use rayon::prelude::*;

use super::division::{ClassValues, DividedSet, Division, Labels, Part, shipped};
use super::foresight::BatchJudge;
use super::{ExampleSetParams, LabelParams};
use crate::{params, words};
use outplay_runtime::{Progress, Watch};

params! {
    /// How neighbours are found.
    pub struct NeighbourParams {
        k: usize = 9, in 1..=1000, "how many neighbours vote" | "combien de voisins votent";
        sees: Sees = Sees::Oriented,
            "the board as the side that has moved sees it, with the balance of men, the document's 64 numbers, or the list of pieces that it wishes for"
            | "le plateau vu par le camp qui vient de jouer, avec le bilan des pièces, les 64 nombres du document, ou la liste de pièces qu’il souhaite";
    }
}

/// The evaluator `knn`.
pub type KnnParams = (ExampleSetParams, (NeighbourParams, LabelParams));

/// Queries that are asked together.
const BATCH: usize = 64;

/// The encoding of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// The board as the side to move sees it.
    Oriented,
    /// The document's 64 numbers.
    Document,
    /// For each piece whether it is there, its value and its coordinates, as the document wishes (§3.3.2).
    List,
}

words!(Sees { "oriented" => Sees::Oriented, "document" => Sees::Document, "list" => Sees::List });

impl Sees {
    fn encode(self, positions: &[Chess], numbers: &mut Vec<i8>) {
        match self {
            Self::Oriented => positions.iter().for_each(|position| numbers.extend(oriented(position))),
            Self::Document => positions.iter().for_each(|position| numbers.extend(document(position))),
            Self::List => positions.iter().for_each(|position| numbers.extend(piece_list(position))),
        }
    }

    const fn dims(self) -> usize {
        match self {
            Self::Oriented => ORIENTED,
            Self::Document => SQUARES,
            Self::List => PIECE_LIST,
        }
    }
}

/// Examples that can be searched for the nearest.
#[derive(Clone)]
pub struct KnownExamples {
    points: Arc<NearestNeighbours>,
    classes: Arc<[u8]>,
    worths: ClassValues,
    sees: Sees,
    k: usize,
    numbers: Vec<i8>,
}

impl KnownExamples {
    /// The classifier over a part of a set.
    pub fn new(part: &Part, sees: Sees, k: usize) -> Self {
        let mut numbers = Vec::with_capacity(part.len() * sees.dims());
        sees.encode(&part.positions, &mut numbers);
        let points = Arc::new(NearestNeighbours::new(sees.dims(), &numbers));
        let classes = part.classes.clone().into();
        Self { points, classes, worths: part.worths(), sees, k, numbers: Vec::new() }
    }

    /// The evaluator that the user asked for: it knows the whole set.
    pub fn of((set, (neighbours, labelling)): &KnnParams) -> Result<Self, WorkError> {
        let NeighbourParams { k, sees } = *neighbours;
        let division = Division::nothing_kept(*labelling.bounds, *labelling.labels);
        if set.data.is_none() && division.bounds == ClassBounds::default() {
            return Ok(Self { k, ..Self::shared(sees, division.labels).clone() });
        }
        let divided = DividedSet::divide(&set.read()?, &division, 0)?;
        Ok(Self::new(&divided.training, sees, k))
    }

    /// The whole set of the program with the usual classes, made once for all players that use it.
    fn shared(sees: Sees, labels: Labels) -> &'static Self {
        static SHARED: [[OnceLock<KnownExamples>; 2]; 3] = [const { [const { OnceLock::new() }; 2] }; 3];
        SHARED[sees as usize][labels as usize].get_or_init(|| {
            let division = Division::nothing_kept(ClassBounds::default(), labels);
            let set = shipped().expect("the set of the program is whole");
            let divided = DividedSet::divide(&set, &division, 0).expect("the set of the program is legal");
            Self::new(&divided.training, sees, 1)
        })
    }

    /// For every k up to the greatest, how often which class was answered where which was true.
    pub fn confusions(
        &self,
        part: &Part,
        most: usize,
        watch: Watch<'_>,
    ) -> Result<Vec<ConfusionMatrix>, WorkError> {
        let shares: Vec<usize> = (0..part.len()).step_by(BATCH).collect();
        let answered: Option<Vec<Vec<Vec<usize>>>> = shares
            .par_iter()
            .map(|&first| {
                if watch.is_stopped() {
                    return None;
                }
                let positions = &part.positions[first..(first + BATCH).min(part.len())];
                let mut numbers = Vec::new();
                self.sees.encode(positions, &mut numbers);
                let near = self.points.nearest_of_each(&numbers, most);
                let winners = |near: &Vec<_>| -> Vec<usize> {
                    let votes = votes(near, CLASSES, |point| usize::from(self.classes[point as usize]));
                    votes.iter().map(|vote| vote.winner).collect()
                };
                let answers: Vec<Vec<usize>> = near.iter().map(winners).collect();
                let done = (first + positions.len()) as u64;
                watch.show(Progress {
                    task: "asking neighbours",
                    done,
                    total: part.len() as u64,
                    unit: "positions",
                });
                Some(answers)
            })
            .collect();
        let mut confusions = vec![ConfusionMatrix::new(CLASSES); most];
        for (winners, &truth) in answered.ok_or(WorkError::Stopped)?.iter().flatten().zip(&part.classes) {
            for (confusion, &winner) in confusions.iter_mut().zip(winners) {
                confusion.count(usize::from(truth), winner);
            }
        }
        Ok(confusions)
    }
}

/// The number of neighbours, from `least` to `most`, that does best; the least of equals.
pub fn best_k(confusions: &[ConfusionMatrix], least: usize, most: usize) -> usize {
    let accuracy = |k: usize| confusions[k - 1].accuracy();
    (least..=most).fold(least, |best, k| if accuracy(k) > accuracy(best) { k } else { best })
}

impl BatchJudge for KnownExamples {
    fn judge(&mut self, positions: &[Chess], worths: &mut Vec<i32>) {
        self.numbers.clear();
        self.sees.encode(positions, &mut self.numbers);
        let near = self.points.nearest_of_each(&self.numbers, self.k);
        for (position, near) in positions.iter().zip(near) {
            let worth = |point: u32| self.worths.values[usize::from(self.classes[point as usize])];
            let sum: f64 = near.iter().map(|near| worth(near.point)).sum();
            worths.push(self.worths.of_mover(position, sum / near.len().max(1) as f64));
        }
    }
}
