//! The document's networks as evaluators: r.
//!
//! A network's output is the chance of the side that *just moved*; its score, like every score, is the
//! side to move's.

use std::path::Path;

use outplay_core::{Evaluator, Score, Seat, Text, errors};
use outplay_games::pushover::{Pushover, PushoverBoard, encode};
use outplay_nn::{Inference, Network, NetworkFileError, ShapeError};

use crate::words;
use outplay_runtime::WorkError;
use outplay_runtime::files::read_bytes;

errors! {
    /// Why there is no network for a board.
    pub enum PushoverNetworkError {
        NotShipped { size: usize } =
            "no network for the {size}×{size} board comes with the program: give file="
            | "aucun réseau pour le plateau {size}×{size} n’est livré avec le programme : donnez file=",
        NotANetwork { name: Text, fault: PushoverNetworkFault } =
            "{name} is not a network of Push-over: {fault}" | "{name} n’est pas un réseau de Push-over : {fault}",
    }

    /// Why a network cannot judge positions of a board.
    pub enum PushoverNetworkFault {
        File { reason: NetworkFileError } = "{reason}" | "{reason}",
        Encoding { name: String, expected: Vec<&'static str> } =
            "its encoding is '{name}', expected one of {expected}"
            | "son codage est « {name} », attendu un de {expected}",
        Sizes { inputs: usize, outputs: usize, expected: usize, encoding: &'static str, size: usize } =
            "the network has {inputs} inputs and {outputs} outputs: \
             expected {expected} and 1 for {encoding} of the {size}×{size} board"
            | "le réseau a {inputs} entrées et {outputs} sorties : \
               attendu {expected} et 1 pour {encoding} du plateau {size}×{size}",
        Shape { reason: ShapeError } = "{reason}" | "{reason}",
    }
}

/// What a network sees of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One input per cell: the first approach.
    Cells,
    /// Counts and clusters along lines: the second approach.
    Features,
}

words!(Encoding { "cells" => Encoding::Cells, "features" => Encoding::Features });

impl Encoding {
    /// The encodings by name.
    pub const NAMES: &'static [&'static str] = &["cells", "features"];

    /// The encoding of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "cells" => Some(Self::Cells),
            "features" => Some(Self::Features),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Features => "features",
        }
    }

    /// How many inputs it has on an `n`×`n` board.
    pub const fn inputs(self, n: usize) -> usize {
        match self {
            Self::Cells => n * n,
            Self::Features => encode::feature_count(n),
        }
    }

    /// The inputs for a board seen by the side to move.
    pub fn write<const N: usize>(self, board: PushoverBoard<N>, out: &mut [f32]) {
        match self {
            Self::Cells => encode::cells(board, out),
            Self::Features => encode::features(board, out),
        }
    }
}

/// A network that judges positions.
#[derive(Clone, Debug)]
pub struct PushoverNetwork<const N: usize> {
    inference: Inference,
    eye: BoardInput,
}

/// How the network is shown a board.
#[derive(Clone, Debug)]
enum BoardInput {
    /// The first layer's sums, added up from a table: by row, then by `mine | theirs << N`.
    Rows {
        table: Vec<f32>,
        sums: Vec<f32>,
    },
    Inputs {
        encoding: Encoding,
        inputs: Vec<f32>,
    },
}

impl<const N: usize> PushoverNetwork<N> {
    /// The judge that a trained network makes.
    pub fn new(net: &Network<f64>, encoding: Encoding) -> Result<Self, PushoverNetworkFault> {
        let (inputs, outputs) = (net.architecture().inputs, net.architecture().outputs());
        let expected = encoding.inputs(N);
        if inputs != expected || outputs != 1 {
            let encoding = encoding.name();
            return Err(PushoverNetworkFault::Sizes { inputs, outputs, expected, encoding, size: N });
        }
        let inference = net.compile().map_err(|reason| PushoverNetworkFault::Shape { reason })?;
        let eye = match encoding {
            Encoding::Cells => BoardInput::rows::<N>(&inference),
            Encoding::Features => BoardInput::Inputs { encoding, inputs: vec![0.0; expected] },
        };
        Ok(Self { inference, eye })
    }

    /// The judge in a file's bytes; `name` is what the file is called in refusals.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, PushoverNetworkError> {
        Self::read_named(bytes, &Text::same(name.to_owned()))
    }

    /// The same where the name depends on the language.
    pub(super) fn read_named(bytes: &[u8], name: &Text) -> Result<Self, PushoverNetworkError> {
        Self::parse(bytes).map_err(|fault| PushoverNetworkError::NotANetwork { name: name.clone(), fault })
    }

    fn parse(bytes: &[u8]) -> Result<Self, PushoverNetworkFault> {
        let net = Network::from_safetensors(bytes).map_err(|reason| PushoverNetworkFault::File { reason })?;
        let name = net.note("encoding").unwrap_or("cells");
        let encoding = Encoding::named(name).ok_or_else(|| PushoverNetworkFault::Encoding {
            name: name.to_owned(),
            expected: Encoding::NAMES.to_vec(),
        })?;
        Self::new(&net, encoding)
    }

    /// The judge in a file.
    pub fn open(path: &Path) -> Result<Self, WorkError> {
        Ok(Self::read(&read_bytes(path)?, &path.display().to_string())?)
    }

    /// The log-odds of the side that just moved.
    #[inline]
    fn log_odds(&mut self, board: PushoverBoard<N>) -> f32 {
        match &mut self.eye {
            BoardInput::Rows { table, sums } => {
                let width = sums.len();
                sums.copy_from_slice(self.inference.first_layer_bias());
                for row in 0..N {
                    let (mine, theirs) = board.row(row);
                    let place = (row << (2 * N) | (mine | theirs << N) as usize) * width;
                    for (sum, part) in sums.iter_mut().zip(&table[place..place + width]) {
                        *sum += part;
                    }
                }
                self.inference.from_first_sums(sums)
            }
            BoardInput::Inputs { encoding, inputs } => {
                encoding.write(board, inputs);
                self.inference.log_odds(inputs)
            }
        }
    }
}

impl BoardInput {
    /// Tabulates what each row of cells adds to the first layer's sums.
    fn rows<const N: usize>(inference: &Inference) -> Self {
        let width = inference.first_layer_width();
        let mut table = vec![0.0; (N << (2 * N)) * width];
        for (place, sums) in table.chunks_mut(width).enumerate() {
            let (row, index) = (place >> (2 * N), place & ((1 << (2 * N)) - 1));
            let shift = row * N;
            let (mine, theirs) = (index & ((1 << N) - 1), index >> N);
            let board = PushoverBoard::<N> { mine: (mine << shift) as u32, theirs: (theirs << shift) as u32 };
            let mut inputs = [0.0; 25];
            encode::cells(board, &mut inputs);
            for (cell, input) in inputs.iter().enumerate().skip(shift).take(N) {
                for (sum, weight) in sums.iter_mut().zip(inference.first_layer_column(cell)) {
                    *sum += input * weight;
                }
            }
        }
        Self::Rows { table, sums: vec![0.0; width] }
    }
}

impl<const N: usize> Evaluator<Pushover<N>> for PushoverNetwork<N> {
    fn set_root_seat(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Pushover<N>) -> Score {
        Score::eval((-1000.0 * self.log_odds(position.board())).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::{Position, Rng, View};
    use outplay_nn::{Activation, Architecture};

    fn net(sizes: &[usize]) -> Network<f64> {
        let architecture = Architecture::dense(sizes, Activation::Sigmoid, Activation::Sigmoid).unwrap();
        Network::uniform(architecture, &mut Rng::new(5)).unwrap()
    }

    fn agrees_with_plain_forward<const N: usize>(encoding: Encoding) {
        let net = net(&[encoding.inputs(N), 11, 1]);
        let mut judge = PushoverNetwork::<N>::new(&net, encoding).unwrap();
        let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
        let mut position = Pushover::<N>::START;
        while position.outcome().is_none() {
            let mut inputs = vec![0.0; encoding.inputs(N)];
            encoding.write(position.board(), &mut inputs);
            let inputs: Vec<f64> = inputs.into_iter().map(f64::from).collect();
            let just_moved = net.forward(&inputs).unwrap()[0];
            assert!((judge.score(&position).chance() - (1.0 - just_moved)).abs() < 1e-3);
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }

    #[test]
    fn scores_are_the_networks_outputs() {
        agrees_with_plain_forward::<4>(Encoding::Cells);
        agrees_with_plain_forward::<5>(Encoding::Cells);
        agrees_with_plain_forward::<4>(Encoding::Features);
        agrees_with_plain_forward::<5>(Encoding::Features);
    }

    #[test]
    fn a_network_of_another_shape_is_refused() {
        let refusal = PushoverNetwork::<4>::new(&net(&[25, 3, 1]), Encoding::Cells).unwrap_err().to_string();
        assert!(refusal.contains("25 inputs") && refusal.contains("expected 16"), "{refusal}");
        let refusal = PushoverNetwork::<4>::read(b"nonsense", "file x").unwrap_err().to_string();
        assert!(refusal.starts_with("file x is not a network"), "{refusal}");
    }
}
