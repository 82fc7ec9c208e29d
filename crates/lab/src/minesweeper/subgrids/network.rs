//! A network that judges sub-grids, from a file or just trained.
//!
//! It takes 25 numbers and answers one.

use std::path::Path;

use outplay_games::minesweeper::subgrids::{CELLS, MinePredictor};
use outplay_nn::{Extent, Network, Predictor};

use crate::error::LabError;
use crate::spec::Values;
use outplay_runtime::files::read_bytes;

/// The network that comes with the program: `models/README.md` says how it was made.
const SHIPPED: &[u8] = include_bytes!("../../../../../models/minesweeper-subgrids.safetensors");

/// A network and how it was trained.
#[derive(Clone, Debug)]
pub struct SubgridNetwork {
    network: Network,
    has_flags: bool,
}

impl SubgridNetwork {
    /// This network, trained with flags or without.
    pub fn new(network: Network, has_flags: bool) -> Result<Self, LabError> {
        let plan = network.architecture();
        if plan.is_convolutional() || plan.inputs != CELLS || plan.outputs() != 1 {
            return Err(LabError::refused(format!(
                "the network has {} inputs and {} outputs: expected {CELLS} and 1 for a sub-grid",
                plan.inputs,
                plan.outputs()
            )));
        }
        Ok(Self { network, has_flags })
    }

    /// The network in a file's bytes; `name` is what the file is called in refusals.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, LabError> {
        let refused =
            |reason: String| LabError::refused(format!("{name} is not a network of sub-grids: {reason}"));
        let network = Network::from_safetensors(bytes).map_err(|error| refused(error.to_string()))?;
        let has_flags = network.note("flags") == Some("yes");
        Self::new(network, has_flags).map_err(|error| refused(error.to_string()))
    }

    /// The network in a file.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        Self::read(&read_bytes(path)?, &path.display().to_string())
    }

    /// The network in the file that was named, or the one that comes with the program.
    pub(super) fn of(values: &Values) -> Result<Self, LabError> {
        match values.optional_file("file") {
            Some(path) => Self::open(path),
            None => Self::shipped(),
        }
    }

    /// The one that comes with the program.
    pub fn shipped() -> Result<Self, LabError> {
        Self::read(SHIPPED, "the network of the program")
    }

    /// The network itself.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// Whether it was trained with flags.
    pub const fn has_flags(&self) -> bool {
        self.has_flags
    }

    /// A judge for one thread.
    pub fn judge(&self) -> NetworkJudge {
        NetworkJudge(Predictor::new(&self.network))
    }
}

/// A network as a judge of sub-grids.
pub struct NetworkJudge(Predictor);

impl MinePredictor for NetworkJudge {
    fn predict(&mut self, subgrids: &[f32], predictions: &mut [f32]) {
        self.0.predict(Extent::samples(predictions.len()), subgrids, predictions);
    }
}
