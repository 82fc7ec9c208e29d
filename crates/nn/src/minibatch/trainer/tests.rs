//! What is tested of training: `gradients` against a plain twin in double precision, `steps` against their laws.

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
    fn random(plan: &Plan, extent: Extent, rng: &mut Rng) -> Self {
        let mut draw = |count: usize| (0..count).map(|_| rng.unit() as f32).collect::<Vec<_>>();
        let answers = plan.answers(extent) * plan.outputs();
        let (inputs, targets) = (draw(extent.cells() * plan.inputs), draw(answers));
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
    let mut network = Network::new(plan.parse().unwrap(), rng).unwrap();
    let places: Vec<usize> = network.places().collect();
    let all = bytemuck::cast_slice_mut::<_, f32>(network.parameters_mut());
    for place in places {
        all[place] += rng.unit().mul_add(0.4, -0.2) as f32;
    }
    network
}
