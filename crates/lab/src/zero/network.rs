//! Trained networks: files that fit a board, and players that follow them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use outplay_core::{SeatEncoder, Text};
use outplay_nn::{IntegerNetwork, PolicyValueNetwork, PolicyValueShape};
use outplay_players::{Budget, NetworkPolicyValue, PolicyValueEvaluator, Puct, Zero};
use outplay_runtime::WorkError;
use outplay_runtime::files::read_bytes;

use crate::learning::{LearningError, NetworkFault, SelfPlayGame};
use crate::params::ModelFile;
use crate::registry::PlayerFactory;

/// The note in which a file says how its network was made.
pub(super) const HISTORY: &str = "history";

/// A trained network with its encoder, fit for a board.
#[derive(Clone, Debug)]
pub struct ZeroNetwork<P: SelfPlayGame> {
    network: Arc<IntegerNetwork>,
    encoder: P::SeatEncoder,
}

impl<P: SelfPlayGame> ZeroNetwork<P> {
    /// The network in integers, for boards like this one.
    pub fn new(board: &P, network: &PolicyValueNetwork) -> Result<Self, NetworkFault> {
        let encoder = board.seat_encoder();
        let network = IntegerNetwork::new(network, encoder.most_on())
            .map_err(|reason| NetworkFault::Shape { reason })?;
        Ok(Self { network: Arc::new(network), encoder })
    }

    /// The network of a file on disk.
    pub fn open(board: &P, path: &Path) -> Result<Self, WorkError> {
        let name = Text::same(path.display().to_string());
        Ok(Self::read(board, &read_bytes(path)?, &name)?)
    }

    /// The network of a file's bytes; `name` is what the file is called in refusals.
    fn read(board: &P, bytes: &[u8], name: &Text) -> Result<Self, LearningError> {
        read_network(board, bytes)
            .and_then(|network| Self::new(board, &network))
            .map_err(|fault| LearningError::NotANetwork { name: name.clone(), fault })
    }

    /// The network of the file that a user named, or the one that comes with the program.
    pub(super) fn given(board: &P, file: &ModelFile) -> Result<Self, WorkError> {
        match (file, board.shipped_zero()) {
            (ModelFile::At(path), _) => Self::open(board, path),
            (_, Some(bytes)) => {
                let name = Text::new("the network of the program", "le réseau du programme");
                Ok(Self::read(board, bytes, &name)?)
            }
            (_, None) => Err(LearningError::NotShipped.into()),
        }
    }

    /// The network as it follows a search.
    pub fn policy_value(&self) -> NetworkPolicyValue<P, P::SeatEncoder> {
        NetworkPolicyValue::new(Arc::clone(&self.network), self.encoder.clone())
    }

    /// The network as the evaluator of another search, which asks the policy from this depth on and searches so many of the
    /// likeliest moves to full depth.
    pub(super) fn evaluator(
        self,
        policy_depth: u32,
        full_depth_moves: usize,
    ) -> PolicyValueEvaluator<P, P::SeatEncoder> {
        PolicyValueEvaluator::new(self.network, self.encoder, policy_depth, full_depth_moves)
    }

    /// What it is shown.
    pub(super) fn encoder(&self) -> P::SeatEncoder {
        self.encoder.clone()
    }

    /// Players that search with it.
    pub(super) fn factory(self, search: ZeroSearchParams) -> PlayerFactory<P> {
        let ZeroSearchParams { budget, puct, temperature, trees } = search;
        Arc::new(move || {
            let player = Zero::new(self.policy_value(), budget, puct);
            Box::new(player.with_trees(trees).with_temperature(temperature))
        })
    }
}

/// How a player searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZeroSearchParams {
    pub(super) budget: Budget,
    pub(super) puct: Puct,
    pub(super) temperature: f64,
    pub(super) trees: usize,
}

impl ZeroSearchParams {
    /// So many simulations a move, and the best move.
    pub(super) fn simulations(simulations: u64, puct: Puct) -> Self {
        Self { budget: Budget::nodes(simulations), puct, temperature: 0.0, trees: 1 }
    }

    pub(super) fn budget(simulations: Option<u64>, time: Option<Duration>, usual: u64) -> Budget {
        let budget = Budget { nodes: simulations, time, ..Budget::UNLIMITED };
        if budget == Budget::UNLIMITED { Budget::nodes(usual) } else { budget }
    }
}

/// The sizes of a network for boards like this one.
pub(super) fn shape_for<P: SelfPlayGame>(board: &P, shape: &PolicyValueShape) -> PolicyValueShape {
    let encoder = board.seat_encoder();
    PolicyValueShape { inputs: encoder.inputs(), slots: encoder.slots(), ..*shape }
}

/// The network of a file, in single precision, or why it does not fit the board.
pub(super) fn read_network<P: SelfPlayGame>(
    board: &P,
    bytes: &[u8],
) -> Result<PolicyValueNetwork, NetworkFault> {
    let network =
        PolicyValueNetwork::from_safetensors(bytes).map_err(|reason| NetworkFault::PolicyValue { reason })?;
    for (name, expected) in board.board() {
        match network.notes().get(name).and_then(|number| number.parse::<i64>().ok()) {
            Some(number) if number == expected => {}
            Some(number) => return Err(NetworkFault::Number { name, number, expected }),
            None => return Err(NetworkFault::NoNumber { name, expected }),
        }
    }
    let (found, expected) = (*network.shape(), shape_for(board, network.shape()));
    if found != expected {
        let (found, expected) = (found.to_string(), expected.to_string());
        return Err(NetworkFault::Sizes { found, expected });
    }
    Ok(network)
}

/// Notes of a network for which board it was made.
pub(super) fn note_board<P: SelfPlayGame>(board: &P, network: &mut PolicyValueNetwork) {
    for (name, number) in board.board() {
        network.note(name, &number.to_string());
    }
}
