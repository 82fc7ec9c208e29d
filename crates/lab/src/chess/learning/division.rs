//! Examples for training, for validation, and for the test.
//!
//! What an example is used for follows from the seed and the number of its game, so that no test position is close to
//! one that was learnt; or from the seed and its own number, as the document divides for its neighbours; or from its
//! place in the set alone, as the document seems to divide for its network.

use outplay_runtime::WorkError;
use std::ops::Range;

use outplay_core::{Rng, Seat, Text, View, errors};
use outplay_games::chess::dataset::{CLASSES, ClassBounds, GameExamples, PackedExample};
use outplay_games::chess::{Chess, MaterialEvaluator};

use super::{ExampleSetParams, LabelParams, SplitParams};
use crate::chess::data;
use crate::words;

/// The set that comes with the program: `models/README.md` says how it was made.
const SHIPPED: &[u8] = include_bytes!("../../../../../models/chess-positions.set.gz");
/// The share of the examples outside the test that is used for validation.
const VALIDATION: f64 = 0.1;
/// Beyond this a score says no more: hundredths of a pawn.
const CLEAR: i16 = 1000;

errors! {
    /// Why a set cannot be divided as asked. `share` is written as on the command line.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DivisionError {
        NoTest =
            "test=0: nothing is left to ask, expected a greater share"
            | "test=0 : il ne reste rien à demander, attendu une part plus grande",
        NothingToLearn =
            "the set leaves nothing to learn from: expected more positions"
            | "l’ensemble ne laisse rien à apprendre : attendu plus de positions",
        TooSmall { share: String, games: usize } =
            "test={share} leaves nothing to ask of {games} games: expected a larger set"
            | "test={share} ne laisse rien à demander de {games} parties : attendu un ensemble plus grand",
        IllegalPosition { number: u64 } =
            "the set holds no position as number {number}: expected legal ones"
            | "le numéro {number} de l’ensemble n’est pas une position : attendu des positions légales",
    }
}

/// What is kept for the test: games, positions, or the end of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Whole games, drawn at random.
    Game,
    /// Positions, drawn at random: how the document divides for its neighbours. Most test positions have a neighbour of
    /// their own game.
    Position,
    /// The last positions of the set: the document's "3 million and 1 million" for its network, taken at its word. At most
    /// one game lies on both sides of a border.
    Sequential,
}

words!(Split { "game" => Split::Game, "position" => Split::Position, "sequential" => Split::Sequential });

impl Split {
    /// All splits, the one with the leak of single positions first.
    pub const ALL: [Self; 3] = [Self::Position, Self::Sequential, Self::Game];
}

/// Whose evaluation is learnt. The labels that the document prints agree with both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// That of the side that has moved, as engines write it beside their moves.
    #[default]
    Mover,
    /// White's.
    White,
}

words!(Labels { "mover" => Labels::Mover, "white" => Labels::White });

impl Labels {
    /// Whether what is good for whom labels speak of is bad for the side that has moved.
    fn is_against_mover(self, position: &Chess) -> bool {
        self == Self::White && position.seat() == Seat::First
    }
}

/// How a set is divided and labelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Division {
    /// What is kept apart.
    pub split: Split,
    /// The share that is kept for the test.
    pub test: f64,
    /// The bounds between the classes.
    pub bounds: ClassBounds,
    /// The side whose labels they are.
    pub labels: Labels,
}

/// A part of a set.
#[derive(Clone, Debug, Default)]
pub struct Part {
    labels: Labels,
    /// The positions.
    pub positions: Vec<Chess>,
    /// Their classes.
    pub classes: Vec<u8>,
    /// Their scores.
    pub scores: Vec<i16>,
}

/// What the classes are worth, in hundredths of a pawn, and to whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassValues {
    /// The mean value of each class.
    pub values: [f64; CLASSES],
    /// The side whose labels they are.
    pub labels: Labels,
}

/// A set, divided.
#[derive(Clone, Debug)]
pub struct DividedSet {
    /// The examples to learn from.
    pub training: Part,
    /// The examples that stop the training.
    pub validation: Part,
    /// The examples of the final measure.
    pub test: Part,
}

impl Division {
    /// Everything is learnt from.
    pub fn nothing_kept(bounds: ClassBounds, labels: Labels) -> Self {
        Self { split: Split::Game, test: 0.0, bounds, labels }
    }

    /// The division with these parameters.
    pub fn of(split: &SplitParams, labelling: &LabelParams) -> Self {
        Self { split: *split.split, test: *split.test, bounds: *labelling.bounds, labels: *labelling.labels }
    }

    /// An exam needs examples that were kept for it.
    pub fn refuse_no_test(&self) -> Result<(), DivisionError> {
        if self.test > 0.0 { Ok(()) } else { Err(DivisionError::NoTest) }
    }

    /// The refusal of a set that leaves a part empty.
    fn too_small(&self, set: &[GameExamples]) -> DivisionError {
        DivisionError::TooSmall { share: self.test.to_string(), games: set.len() }
    }
}

impl ExampleSetParams {
    /// The set that was named, or the one that comes with the program.
    pub fn read(&self) -> Result<Vec<GameExamples>, WorkError> {
        self.data.as_ref().map_or_else(shipped, |path| data::open(path))
    }
}

/// What a set is known by: the number of its positions, and the CRC-32 of what its games hold.
pub fn fingerprint(set: &[GameExamples]) -> String {
    let (mut positions, mut hasher) = (0, crc32fast::Hasher::new());
    for lesson in set {
        positions += lesson.examples.len();
        hasher.update(&(lesson.examples.len() as u64).to_le_bytes());
        lesson.examples.iter().for_each(|example| hasher.update(example.bytes()));
    }
    format!("{positions}-{:08x}", hasher.finalize())
}

/// The first games of the set that comes with the program.
pub fn first_shipped(games: usize) -> Result<Vec<GameExamples>, WorkError> {
    let mut set = shipped()?;
    set.truncate(games);
    Ok(set)
}

/// The set that comes with the program.
pub fn shipped() -> Result<Vec<GameExamples>, WorkError> {
    data::read(SHIPPED, &Text::new("the set of the program", "l’ensemble du programme"))
}

fn position_of(example: &PackedExample, number: u64) -> Result<Chess, DivisionError> {
    example.position().ok_or(DivisionError::IllegalPosition { number })
}

impl Part {
    /// A whole set.
    pub fn whole(set: &[GameExamples], division: &Division) -> Result<Self, DivisionError> {
        let mut part = Self::labelled(division.labels);
        for (number, example) in (1..).zip(set.iter().flat_map(|lesson| &lesson.examples)) {
            part.add(position_of(example, number)?, example.score(), &division.bounds);
        }
        Ok(part)
    }

    fn labelled(labels: Labels) -> Self {
        Self { labels, ..Self::default() }
    }

    /// `score` is the mover's.
    fn add(&mut self, position: Chess, score: i16, bounds: &ClassBounds) {
        let score = if self.labels.is_against_mover(&position) { score.saturating_neg() } else { score };
        self.positions.push(position);
        self.classes.push(bounds.class(score) as u8);
        self.scores.push(score);
    }

    /// How many positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Some of them, in their order.
    #[must_use]
    pub fn stretch(&self, range: Range<usize>) -> Self {
        Self {
            labels: self.labels,
            positions: self.positions[range.clone()].to_vec(),
            classes: self.classes[range.clone()].to_vec(),
            scores: self.scores[range].to_vec(),
        }
    }

    /// Up to so many of them, spread evenly over all.
    #[must_use]
    pub fn spread(&self, count: usize) -> Self {
        let count = count.min(self.len());
        let mut part = Self::labelled(self.labels);
        for place in (0..count).map(|number| number * self.len() / count) {
            part.positions.push(self.positions[place]);
            part.classes.push(self.classes[place]);
            part.scores.push(self.scores[place]);
        }
        part
    }

    /// What the examples of each class are worth on average, in hundredths of a pawn; certain wins count as ten pawns.
    pub fn worths(&self) -> ClassValues {
        let (mut sums, mut counts) = ([0.0; CLASSES], [0u32; CLASSES]);
        for (&class, &score) in self.classes.iter().zip(&self.scores) {
            sums[usize::from(class)] += f64::from(score.clamp(-CLEAR, CLEAR));
            counts[usize::from(class)] += 1;
        }
        let values = std::array::from_fn(|class| sums[class] / f64::from(counts[class].max(1)));
        ClassValues { values, labels: self.labels }
    }
}

impl ClassValues {
    /// What a position is worth to the side that has moved, given what it is expected to be by its label: thousandths of
    /// log-odds.
    pub fn of_mover(&self, position: &Chess, expected: f64) -> i32 {
        let hundredths = if self.labels.is_against_mover(position) { -expected } else { expected };
        (hundredths * f64::from(MaterialEvaluator::default().pawn) / 100.0).round() as i32
    }
}

impl DividedSet {
    /// Divides a set.
    pub fn divide(set: &[GameExamples], division: &Division, seed: u64) -> Result<Self, DivisionError> {
        let empty = || Part::labelled(division.labels);
        let mut divided = Self { training: empty(), validation: empty(), test: empty() };
        let positions: usize = set.iter().map(|lesson| lesson.examples.len()).sum();
        let mut number = 0;
        for (game, lesson) in (0..).zip(set) {
            for example in &lesson.examples {
                let share = match division.split {
                    Split::Game => Rng::stream(seed, game).unit(),
                    Split::Position => Rng::stream(seed, number).unit(),
                    // The test is at the end of the set, and what chooses is before it.
                    Split::Sequential => 1.0 - (number as f64 + 0.5) / positions as f64,
                };
                number += 1;
                let position = position_of(example, number)?;
                divided.part(division, share).add(position, example.score(), &division.bounds);
            }
        }
        if divided.training.len() == 0 {
            return Err(DivisionError::NothingToLearn);
        }
        if division.test > 0.0 && divided.test.len() == 0 {
            return Err(division.too_small(set));
        }
        Ok(divided)
    }

    /// Divides a set for an exam, which needs all three parts.
    pub fn for_exam(set: &[GameExamples], division: &Division, seed: u64) -> Result<Self, DivisionError> {
        division.refuse_no_test()?;
        let divided = Self::divide(set, division, seed)?;
        if divided.validation.len() == 0 { Err(division.too_small(set)) } else { Ok(divided) }
    }

    /// The part to which an example belongs: `share` is its place among all, from 0 to 1.
    fn part(&mut self, division: &Division, share: f64) -> &mut Part {
        if share < division.test {
            &mut self.test
        } else if division.test > 0.0 && share < division.test + (1.0 - division.test) * VALIDATION {
            &mut self.validation
        } else {
            &mut self.training
        }
    }
}
