//! Training against a plain network in double precision (`gradients`), and step by step (`steps`).

use outplay_core::Rng;

use super::*;

mod gradients;
mod steps;

/// A batch that owns its numbers.
struct Owned {
    extent: Extent,
    inputs: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

impl Owned {
    fn random(architecture: &Architecture, extent: Extent, rng: &mut Rng) -> Self {
        let mut draw = |count: usize| (0..count).map(|_| rng.unit() as f32).collect::<Vec<_>>();
        let answers = architecture.answers(extent) * architecture.outputs();
        let (inputs, targets) = (draw(extent.cells() * architecture.inputs), draw(answers));
        let weights = draw(answers).into_iter().map(|x| (x - 0.3).max(0.0)).collect();
        Self { extent, inputs, targets, weights }
    }

    fn batch(&self, weighted: bool) -> Batch<'_> {
        let weights = weighted.then_some(&self.weights[..]);
        Batch { extent: self.extent, inputs: &self.inputs, targets: &self.targets, weights }
    }
}

/// A network without a zero among its parameters.
fn network(plan: &str, rng: &mut Rng) -> Network {
    let network: Network = Network::new(plan.parse().unwrap(), rng).unwrap();
    let moved = |parameter: &f32| parameter + rng.unit().mul_add(0.4, -0.2) as f32;
    let parameters = network.parameters().iter().map(moved).collect();
    Network::from_parameters(network.architecture().clone(), parameters).unwrap()
}
