//! A network that tells six classes of positions apart (ChessMate §2.5.4).
//!
//! A network carries in its notes what it sees and what its classes are worth, so that it judges as it was taught.

use outplay_runtime::WorkError;
use std::path::Path;

use outplay_core::{Text, errors};
use outplay_games::chess::Chess;
use outplay_games::chess::dataset::CLASSES;
use outplay_games::chess::dataset::encode::{PIECE_LIST, PLANES, SQUARES, document, piece_list, planes};
use outplay_nn::{Architecture, Extent, Network, NetworkFileError, Predictor, softmax};
use outplay_players::ConfusionMatrix;

use super::division::{ClassValues, Labels, Part};
use super::foresight::BatchJudge;
use crate::params::{ModelFile, ParamType};
use crate::{params, words};
use outplay_runtime::files::read_bytes;

/// The network that comes with the program: `models/README.md` says how it was made.
const SHIPPED: &[u8] = include_bytes!("../../../../../models/chess-net.safetensors");

params! {
    /// The evaluator `net`.
    pub struct ClassifierFileParams {
        file: ModelFile = ModelFile::Shipped,
            "a network that 'outplay train chess net' made (the one that comes with the program)"
            | "un réseau fait par « outplay train chess net » (celui livré avec le programme)";
    }
}

errors! {
    /// Why a file cannot be used to tell chess positions apart.
    pub enum ClassifierFileError {
        Unusable { file: Text, reason: ClassifierFault } =
            "{file} is not a network that tells chess positions apart: {reason}"
            | "{file} n’est pas un réseau qui distingue des positions d’échecs : {reason}",
    }

    /// What is wrong with a network that should tell chess positions apart.
    pub enum ClassifierFault {
        NotANetwork { reason: NetworkFileError } = "{reason}" | "{reason}",
        NoNote { key: &'static str } = "it does not say its `{key}`" | "il lui manque la note `{key}`",
        OtherInput = "it sees something else" | "il voit autre chose",
        Values { classes: usize } = "its `values` are not {classes} numbers" | "ses `values` ne sont pas {classes} nombres",
        Plan { plan: String } = "its plan is `{plan}`" | "son plan est `{plan}`",
        OtherLabels = "its `labels` are somebody else's" | "ses `labels` sont ceux de quelqu’un d’autre",
    }
}

/// The input of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassifierInput {
    /// A plane for each kind and side, as the side that has moved sees the board.
    Planes,
    /// The document's 64 numbers.
    Document,
    /// For each piece whether it is there, its value and its coordinates, as the document wishes (§3.3.2). It is no board, so
    /// there is nothing to convolve.
    List,
}

words!(ClassifierInput {
    "planes" => ClassifierInput::Planes,
    "document" => ClassifierInput::Document,
    "list" => ClassifierInput::List,
});

impl ClassifierInput {
    /// Numbers for each square, or for the whole position if it is not shown as a board.
    pub const fn channels(self) -> usize {
        match self {
            Self::Planes => PLANES,
            Self::Document => 1,
            Self::List => PIECE_LIST,
        }
    }

    /// Whether the network sees a board.
    pub const fn is_board(self) -> bool {
        !matches!(self, Self::List)
    }

    /// Numbers for a whole position.
    pub const fn width(self) -> usize {
        if self.is_board() { SQUARES * self.channels() } else { self.channels() }
    }

    /// What a network is given for so many positions.
    pub const fn extent(self, samples: usize) -> Extent {
        let side = if self.is_board() { 8 } else { 1 };
        Extent { samples, rows: side, cols: side }
    }

    /// Writes the inputs of a position.
    pub fn write(self, position: &Chess, numbers: &mut [f32]) {
        match self {
            Self::Planes => planes(position, numbers),
            Self::Document => {
                let doubled = document(position);
                numbers.iter_mut().zip(doubled).for_each(|(number, twice)| *number = f32::from(twice) / 2.0);
            }
            // Values and coordinates from 0 to 1, so that none outweighs the others.
            Self::List => {
                const GREATEST: [f32; 4] = [1.0, 18.0, 8.0, 8.0];
                let greatest = GREATEST.into_iter().cycle();
                let listed = piece_list(position).into_iter().zip(greatest);
                numbers.iter_mut().zip(listed).for_each(|(number, (small, greatest))| {
                    *number = f32::from(small) / greatest;
                });
            }
        }
    }

    /// Whether a network of this architecture tells the classes of what is shown.
    fn fits(self, plan: &Architecture) -> bool {
        let board = plan.is_convolutional() && plan.flattens() && plan.fits(8, 8);
        let is_shown = if self.is_board() { board } else { plan.fits(1, 1) };
        is_shown && (plan.inputs, plan.outputs()) == (self.channels(), CLASSES)
    }
}

/// A network, what it sees, and what its classes are worth.
#[derive(Clone)]
pub struct Classifier {
    predictor: Predictor,
    sight: ClassifierInput,
    worths: ClassValues,
    inputs: Vec<f32>,
    outputs: Vec<f32>,
}

impl Classifier {
    /// The classifier that follows a network.
    pub fn new(network: &Network, sight: ClassifierInput, worths: ClassValues) -> Self {
        let (inputs, outputs) = (Vec::new(), Vec::new());
        Self { predictor: Predictor::new(network), sight, worths, inputs, outputs }
    }

    /// The network in a file's bytes; `name` is what the file is called in refusals.
    pub fn read(bytes: &[u8], name: Text) -> Result<Self, ClassifierFileError> {
        Self::parse(bytes).map_err(|reason| ClassifierFileError::Unusable { file: name, reason })
    }

    fn parse(bytes: &[u8]) -> Result<Self, ClassifierFault> {
        let network =
            Network::from_safetensors(bytes).map_err(|reason| ClassifierFault::NotANetwork { reason })?;
        let note = |key: &'static str| network.note(key).ok_or(ClassifierFault::NoNote { key });
        let sight = ClassifierInput::read(note("sees")?, &()).ok_or(ClassifierFault::OtherInput)?;
        let values: Result<Vec<f64>, _> = note("values")?.split(' ').map(str::parse).collect();
        let values = values.ok().and_then(|values| values.try_into().ok());
        let values = values.ok_or(ClassifierFault::Values { classes: CLASSES })?;
        let plan = network.architecture();
        if !sight.fits(plan) {
            return Err(ClassifierFault::Plan { plan: plan.to_string() });
        }
        // Networks of earlier versions do not say it.
        let labels = network.note("labels").unwrap_or("mover");
        let labels = Labels::read(labels, &()).ok_or(ClassifierFault::OtherLabels)?;
        Ok(Self::new(&network, sight, ClassValues { values, labels }))
    }

    /// The network in a file.
    pub fn open(path: &Path) -> Result<Self, WorkError> {
        Ok(Self::read(&read_bytes(path)?, Text::same(path.display().to_string()))?)
    }

    /// The network that the user named, or the one that comes with the program.
    pub fn of(params: &ClassifierFileParams) -> Result<Self, WorkError> {
        params.file.path().map_or_else(Self::shipped, Self::open)
    }

    /// The network that comes with the program.
    pub fn shipped() -> Result<Self, WorkError> {
        Ok(Self::read(SHIPPED, Text::new("the network of the program", "le réseau du programme"))?)
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.predictor.network()
    }

    /// The probabilities of the classes, position by position.
    pub fn probabilities(&mut self, positions: &[Chess]) -> &[[f32; CLASSES]] {
        let width = self.sight.width();
        self.inputs.resize(positions.len() * width, 0.0);
        self.outputs.resize(positions.len() * CLASSES, 0.0);
        for (position, numbers) in positions.iter().zip(self.inputs.chunks_exact_mut(width)) {
            self.sight.write(position, numbers);
        }
        self.predictor.predict(self.sight.extent(positions.len()), &self.inputs, &mut self.outputs);
        self.outputs.chunks_exact_mut(CLASSES).for_each(softmax);
        self.outputs.as_chunks().0
    }

    /// How often which class was the likeliest where which was true.
    pub fn confusion(&mut self, part: &Part) -> ConfusionMatrix {
        const SHARE: usize = 512;
        let mut confusion = ConfusionMatrix::new(CLASSES);
        for (positions, truths) in part.positions.chunks(SHARE).zip(part.classes.chunks(SHARE)) {
            for (chances, &truth) in self.probabilities(positions).iter().zip(truths) {
                let best = (0..CLASSES)
                    .fold(0, |best, class| if chances[class] > chances[best] { class } else { best });
                confusion.count(usize::from(truth), best);
            }
        }
        confusion
    }
}

impl BatchJudge for Classifier {
    fn judge(&mut self, positions: &[Chess], worths: &mut Vec<i32>) {
        if positions.is_empty() {
            return;
        }
        let told = self.worths;
        for (position, chances) in positions.iter().zip(self.probabilities(positions)) {
            let expected: f64 =
                chances.iter().zip(told.values).map(|(&chance, value)| f64::from(chance) * value).sum();
            worths.push(told.of_mover(position, expected));
        }
    }
}
