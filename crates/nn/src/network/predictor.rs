//! Answers of a network to whole batches.
//!
//! Once it has seen its largest batch, a predictor allocates nothing. An answer does not depend on what else is in
//! the batch.

use super::kernel::parts;
use super::{Extent, Network, PackedNetwork, Pass};

/// A network ready to answer. Each thread has its own.
///
/// ```
/// use outplay_core::Rng;
/// use outplay_nn::{Extent, Network, Predictor};
/// let network: Network = Network::new("3 | conv 8 side 3 relu | conv 1 side 1 sigmoid".parse()?, &mut Rng::new(1))?;
/// let mut answers = [0.0; 2 * 5 * 7];
/// let boards = Extent { samples: 2, rows: 5, cols: 7 };
/// Predictor::new(&network).predict(boards, &[0.0; 2 * 5 * 7 * 3], &mut answers);
/// assert_eq!(answers, [0.5; 70]);
/// # Ok::<(), outplay_nn::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Predictor {
    network: Network,
    packed: PackedNetwork,
    pass: Pass,
}

impl Predictor {
    /// Ready to answer as this network does now.
    pub fn new(network: &Network) -> Self {
        Self { network: network.clone(), packed: PackedNetwork::new(network), pass: Pass::default() }
    }

    /// The network that answers.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Fills the outputs, after the last activation: sample by sample, cell by cell (line by line), and for
    /// each cell all channels. The inputs lie in the same order.
    pub fn predict(&mut self, extent: Extent, inputs: &[f32], outputs: &mut [f32]) {
        self.predict_unless(|| false, extent, inputs, outputs);
    }

    /// The same; false if it was stopped, which is asked before every layer. The outputs are then of no use.
    pub fn predict_unless(
        &mut self,
        is_stopped: impl Fn() -> bool,
        extent: Extent,
        inputs: &[f32],
        outputs: &mut [f32],
    ) -> bool {
        let architecture = self.network.architecture();
        assert_eq!(inputs.len(), extent.cells() * architecture.inputs, "inputs of the batch");
        assert_eq!(
            outputs.len(),
            architecture.answers(extent) * architecture.outputs(),
            "outputs of the batch"
        );
        assert!(architecture.fits(extent.rows, extent.cols), "boards of the size that the network sees");
        let one = Extent { samples: 1, ..extent };
        let (in_width, out_width) =
            (one.cells() * architecture.inputs, architecture.answers(one) * architecture.outputs());
        for (first, samples) in parts(extent.samples, extent.pieces(architecture)) {
            let inputs = &inputs[first * in_width..][..samples * in_width];
            if !self.pass.forward(&self.packed, Extent { samples, ..extent }, inputs, None, &is_stopped) {
                return false;
            }
            self.pass.finish(&self.packed, &mut outputs[first * out_width..][..samples * out_width]);
        }
        true
    }
}
