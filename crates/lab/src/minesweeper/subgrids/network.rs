//! A network that judges sub-grids, from a file or just trained.
//!
//! It takes 25 numbers and answers one.

use outplay_runtime::WorkError;
use std::path::Path;

use outplay_core::{Text, errors};
use outplay_games::minesweeper::subgrids::{CELLS, MinePredictor};
use outplay_nn::{Extent, Network, NetworkFileError, Predictor};

use crate::minesweeper::SHIPPED_NETWORK;
use crate::params::ModelFile;
use outplay_runtime::files::read_bytes;

/// The network that comes with the program: `models/README.md` says how it was made.
const SHIPPED: &[u8] = include_bytes!("../../../../../models/minesweeper-subgrids.safetensors");

/// A network and how it was trained.
#[derive(Clone, Debug)]
pub struct SubgridNetwork {
    network: Network,
    has_flags: bool,
}

errors! {
    /// Why a network does not judge sub-grids.
    pub enum SubgridNetworkError {
        Shape { inputs: usize, outputs: usize, cells: usize } =
            "the network has {inputs} inputs and {outputs} outputs: expected {cells} and 1 for a sub-grid"
            | "le réseau a {inputs} entrées et {outputs} sorties : attendu {cells} et 1 pour une sous-grille",
        Unreadable { reason: NetworkFileError } = "{reason}" | "{reason}",
        File { file: Text, reason: Box<SubgridNetworkError> } =
            "{file} is not a network of sub-grids: {reason}" | "{file} n’est pas un réseau de sous-grilles : {reason}",
    }
}

impl SubgridNetwork {
    /// This network, trained with flags or without.
    pub fn new(network: Network, has_flags: bool) -> Result<Self, SubgridNetworkError> {
        let plan = network.architecture();
        if plan.is_convolutional() || plan.inputs != CELLS || plan.outputs() != 1 {
            let (inputs, outputs) = (plan.inputs, plan.outputs());
            return Err(SubgridNetworkError::Shape { inputs, outputs, cells: CELLS });
        }
        Ok(Self { network, has_flags })
    }

    /// The network in a file's bytes; `file` is what it is called in refusals.
    pub fn read(bytes: &[u8], file: Text) -> Result<Self, SubgridNetworkError> {
        Self::of_bytes(bytes).map_err(|reason| SubgridNetworkError::File { file, reason: Box::new(reason) })
    }

    fn of_bytes(bytes: &[u8]) -> Result<Self, SubgridNetworkError> {
        let network =
            Network::from_safetensors(bytes).map_err(|reason| SubgridNetworkError::Unreadable { reason })?;
        let has_flags = network.note("flags") == Some("yes");
        Self::new(network, has_flags)
    }

    /// The network in a file.
    pub fn open(path: &Path) -> Result<Self, WorkError> {
        Ok(Self::read(&read_bytes(path)?, Text::same(path.display().to_string()))?)
    }

    /// The network in the file that was named, or the one that comes with the program.
    pub(super) fn of(file: &ModelFile) -> Result<Self, WorkError> {
        match file.path() {
            Some(path) => Self::open(path),
            None => Ok(Self::shipped()?),
        }
    }

    /// The one that comes with the program.
    pub fn shipped() -> Result<Self, SubgridNetworkError> {
        Self::read(SHIPPED, SHIPPED_NETWORK)
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
