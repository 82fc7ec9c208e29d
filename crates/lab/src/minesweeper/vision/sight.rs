//! The network and what it says of a board.
//!
//! Two numbers for each cell, the mine's first. A file is taken only if it was made for boards shown as
//! [`planes`].

use outplay_runtime::WorkError;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Text, errors};
use outplay_games::minesweeper::{VisibleBoard, planes};
use outplay_nn::{Activation, Architecture, Extent, LayerSpec, Network, NetworkFileError, Predictor};

use crate::minesweeper::SHIPPED_NETWORK;
use outplay_runtime::files::read_bytes;

/// What the network says of each cell: how likely it is mined, and how likely the teacher guesses there.
pub(super) const ANSWERS: usize = 2;

/// The most cells that the network looks at before it reads the stop flag.
const MOST_CELLS: usize = 4096;

/// The note in a file that says what the network is shown and answers.
pub(super) const KIND: (&str, &str) = ("kind", "minesweeper planes 12, mined and guess");

/// The network that comes with the program: `models/README.md` says how it was made.
const SHIPPED: &[u8] = include_bytes!("../../../../../models/minesweeper-net.safetensors");

/// A convolution, then blocks of two with a way around them, then one answer layer that sees single cells.
pub(super) fn plan(channels: usize, blocks: usize) -> Architecture {
    let mut layers = vec![LayerSpec::Conv { channels, side: 3, activation: Activation::Relu }];
    layers.extend((0..blocks).map(|_| LayerSpec::Residual { side: 3, activation: Activation::Relu }));
    layers.push(LayerSpec::Conv { channels: ANSWERS, side: 1, activation: Activation::Sigmoid });
    Architecture { inputs: planes::PLANES, layers }
}

errors! {
    /// Why a file is no network for whole boards.
    pub enum VisionNetworkError {
        Unreadable { file: Text, reason: NetworkFileError } = "{file}: {reason}" | "{file} : {reason}",
        OtherKind { file: Text, expected: &'static str } =
            "{file} holds another kind of network: expected '{expected}'"
            | "{file} contient une autre sorte de réseau : attendu « {expected} »",
    }
}

/// The network in a file's bytes, if it is one of these; `file` is what it is called in refusals.
pub(super) fn read(bytes: &[u8], file: Text) -> Result<Network, VisionNetworkError> {
    match Network::from_safetensors(bytes) {
        Err(reason) => Err(VisionNetworkError::Unreadable { file, reason }),
        Ok(network) if network.note(KIND.0) == Some(KIND.1) => Ok(network),
        Ok(_) => Err(VisionNetworkError::OtherKind { file, expected: KIND.1 }),
    }
}

/// A network ready to look at boards, one after the other.
pub struct VisionNetwork {
    predictor: Predictor,
    planes: Vec<f32>,
    answers: Vec<f32>,
}

impl VisionNetwork {
    /// Looks through this network.
    pub fn new(network: &Network) -> Self {
        Self { predictor: Predictor::new(network), planes: Vec::new(), answers: Vec::new() }
    }

    /// The network that comes with the program.
    pub fn shipped() -> Result<Network, VisionNetworkError> {
        read(SHIPPED, SHIPPED_NETWORK)
    }

    /// Reads the network in a file.
    pub fn load(path: &Path) -> Result<Network, WorkError> {
        Ok(read(&read_bytes(path)?, Text::same(path.display().to_string()))?)
    }

    /// For each cell, row by row: how likely it is mined, and how likely the teacher would guess there; `None` if the flag is
    /// raised first.
    pub fn look(&mut self, seen: &VisibleBoard, stop: &AtomicBool) -> Option<&[[f32; ANSWERS]]> {
        self.planes.resize(seen.rows() * seen.cols() * planes::PLANES, 0.0);
        planes::write(seen, &mut self.planes);
        self.predict(1, seen.rows(), seen.cols(), stop).map(|answers| &*answers)
    }

    /// The same for boards of one size, one after the other; `None` if the flag is raised first.
    pub(super) fn look_at_all(
        &mut self,
        boards: &[VisibleBoard],
        stop: &AtomicBool,
    ) -> Option<&[[f32; ANSWERS]]> {
        let Some(first) = boards.first() else { return Some(&[]) };
        let (samples, rows, cols) = (boards.len(), first.rows(), first.cols());
        self.planes.resize(samples * rows * cols * planes::PLANES, 0.0);
        let shown = self.planes.chunks_exact_mut(rows * cols * planes::PLANES);
        boards.iter().zip(shown).for_each(|(board, shown)| planes::write(board, shown));
        self.predict(samples, rows, cols, stop).map(|answers| &*answers)
    }

    /// What the network says of the boards in `planes`; `None` if the flag is raised first.
    fn predict(
        &mut self,
        samples: usize,
        rows: usize,
        cols: usize,
        stop: &AtomicBool,
    ) -> Option<&mut [[f32; ANSWERS]]> {
        let cells = rows * cols;
        let batch = (MOST_CELLS / cells).max(1);
        self.answers.resize(samples * cells * ANSWERS, 0.0);
        let planes = self.planes.chunks(batch * cells * planes::PLANES);
        for (planes, answers) in planes.zip(self.answers.chunks_mut(batch * cells * ANSWERS)) {
            let samples = answers.len() / (cells * ANSWERS);
            let is_stopped = || stop.load(Ordering::Relaxed);
            if !self.predictor.predict_unless(is_stopped, Extent { samples, rows, cols }, planes, answers) {
                return None;
            }
        }
        Some(self.answers.as_chunks_mut().0)
    }

    /// The same, as the mean of what is said of the board turned and mirrored in every way that keeps its sides: a
    /// network does not know that these are one board, and errs differently on each. `None` if the flag is raised first.
    pub fn look_from_all_sides(
        &mut self,
        seen: &VisibleBoard,
        stop: &AtomicBool,
    ) -> Option<&[[f32; ANSWERS]]> {
        let (rows, cols) = (seen.rows(), seen.cols());
        let (cells, sides) = (rows * cols, if rows == cols { 8 } else { 4 });
        self.planes.resize(sides * cells * planes::PLANES, 0.0);
        let (board, turned) = self.planes.split_at_mut(cells * planes::PLANES);
        planes::write(seen, board);
        let board: &[[f32; planes::PLANES]] = board.as_chunks().0;
        for (index, cell) in turned.as_chunks_mut().0.iter_mut().enumerate() {
            *cell = board[original(1 + index / cells, index % cells, rows, cols)];
        }
        let (sum, others) = self.predict(sides, rows, cols, stop)?.split_at_mut(cells);
        for (index, answer) in others.iter().enumerate() {
            let cell: &mut [f32; ANSWERS] = &mut sum[original(1 + index / cells, index % cells, rows, cols)];
            cell.iter_mut().zip(answer).for_each(|(sum, answer)| *sum += answer);
        }
        sum.iter_mut().flatten().for_each(|sum| *sum /= sides as f32);
        Some(sum)
    }
}

/// Which cell of the board is seen at this place from a side: bits of `side` mirror rows and columns and exchange them.
const fn original(side: usize, place: usize, rows: usize, cols: usize) -> usize {
    let (row, col) = (place / cols, place % cols);
    let row = if side & 1 == 0 { row } else { rows - 1 - row };
    let col = if side & 2 == 0 { col } else { cols - 1 - col };
    if side & 4 == 0 { row * cols + col } else { col * cols + row }
}
