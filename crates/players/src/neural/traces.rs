//! What the network did lately, and how it is corrected for it (Algorithms 2 and 3 of the document).
//!
//! With p the chance seen in a state, δ = p − target and ∇p the gradient of p by every weight W:
//! - with traces: Z ← λ·Z + ∇p, then W ← W − α·δ·Z, in one pass over both;
//! - Q-learning has no traces: W ← W − α·δ·∇p, which is the same with λ = 0.
//!
//! Laws of this room:
//! - the gradient is taken before any weight changes;
//! - an input that was not on since the last reset has a trace of zero, and costs nothing;
//! - no trace is so small that its products are denormal.

use outplay_core::elementary::flush;

use super::activation::Work;
use super::network::{LANES, Lanes, Network};

/// A state that the network judged.
pub(super) struct Judged<'a> {
    /// The inputs that are on.
    pub(super) on: &'a [u32],
    /// The sums of the hidden neurons.
    pub(super) sums: &'a [Lanes],
    /// The chance of the first seat.
    pub(super) chance: f64,
}

/// Eligibility traces: one number for each weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Traces {
    first: Vec<Lanes>,
    second: Vec<Lanes>,
    /// Inputs with a trace, in the order in which they came on.
    active: Vec<u32>,
    is_active: Vec<bool>,
    /// Room for the hidden neurons' part of the gradient.
    gradient: Gradient,
}

/// What one input that is on, and what each hidden neuron, adds to the gradient.
#[derive(Clone, Debug, PartialEq)]
struct Gradient {
    /// ∂p/∂W1 of an input that is on.
    first: Vec<Lanes>,
    /// ∂p/∂W2.
    second: Vec<Lanes>,
    /// By input: 1 where it is on.
    on: Vec<f32>,
}

impl Traces {
    pub(super) fn new(net: &Network) -> Self {
        let empty = vec![[0.0; LANES]; net.width()];
        Self {
            first: vec![[0.0; LANES]; net.first.len()],
            second: empty.clone(),
            active: Vec::new(),
            is_active: vec![false; net.inputs()],
            gradient: Gradient { first: empty.clone(), second: empty, on: vec![0.0; net.inputs()] },
        }
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        let width = self.second.len();
        for input in self.active.drain(..) {
            self.first[input as usize * width..][..width].fill([0.0; LANES]);
            self.is_active[input as usize] = false;
        }
        self.second.fill([0.0; LANES]);
    }

    #[cfg(test)]
    pub(super) fn is_zero(&self) -> bool {
        let zero = |traces: &[Lanes]| traces.as_flattened().iter().all(|&trace| trace == 0.0);
        self.active.is_empty() && zero(&self.first) && zero(&self.second)
    }

    /// Corrects the network by `step` = α·δ after the state has been added to the traces.
    pub(super) fn correct(&mut self, net: &mut Network, state: &Judged<'_>, decay: f32, step: f32) {
        net.activation().run(Differentiate { net, state, gradient: &mut self.gradient });
        for &input in state.on {
            self.gradient.on[input as usize] = 1.0;
            if !self.is_active[input as usize] {
                self.is_active[input as usize] = true;
                self.active.push(input);
            }
        }
        let width = self.second.len();
        for &input in &self.active {
            let place = input as usize * width;
            let part = self.gradient.on[input as usize];
            let traces = &mut self.first[place..place + width];
            advance(traces, &mut net.first[place..place + width], &self.gradient.first, part, decay, step);
        }
        advance(&mut self.second, &mut net.second, &self.gradient.second, 1.0, decay, step);
        for &input in state.on {
            self.gradient.on[input as usize] = 0.0;
        }
    }
}

/// Z ← λ·Z + part·∇, W ← W − step·Z.
#[inline]
fn advance(
    traces: &mut [Lanes],
    weights: &mut [Lanes],
    gradient: &[Lanes],
    part: f32,
    decay: f32,
    step: f32,
) {
    for ((traces, weights), gradient) in traces.iter_mut().zip(weights).zip(gradient) {
        for lane in 0..LANES {
            let trace = flush(traces[lane].mul_add(decay, part * gradient[lane]));
            traces[lane] = trace;
            weights[lane] = trace.mul_add(-step, weights[lane]);
        }
    }
}

/// Works out the gradient of the chance in a state.
struct Differentiate<'a> {
    net: &'a Network,
    state: &'a Judged<'a>,
    gradient: &'a mut Gradient,
}

impl Work for Differentiate<'_> {
    type Output = ();

    #[inline]
    fn with(self, value: impl Fn(f32) -> f32, slope: impl Fn(f32, f32) -> f32) {
        let Gradient { first, second, .. } = self.gradient;
        let out = (self.state.chance * (1.0 - self.state.chance)) as f32;
        let weights = &self.net.second;
        for (((sums, weights), first), second) in
            self.state.sums.iter().zip(weights).zip(first).zip(&mut *second)
        {
            for lane in 0..LANES {
                let (sum, weight) = (sums[lane], weights[lane]);
                let y = value(sum);
                second[lane] = out * y;
                first[lane] = out * weight * slope(sum, y);
            }
        }
        // What fills the last lane stands for no neuron, though a sigmoid of 0 is not 0.
        second.as_flattened_mut()[self.net.hidden()..].fill(0.0);
    }
}
