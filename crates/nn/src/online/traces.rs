//! Eligibility traces, and the correction of a network by them (Algorithms 2 and 3 of INFO-F-106 2019, part 4).
//!
//! With p the output in a state, δ = p − target and ∇p the gradient of p by every weight W:
//! - with traces: Z ← λ·Z + ∇p, then W ← W − α·δ·Z, in one pass over both;
//! - without traces (λ = 0, and a reset before): W ← W − α·δ·∇p.
//!
//! The gradient is taken before any weight changes. An input that was not on since the last reset has a trace of
//! zero, and costs nothing. No trace is so small that its products are denormal.

use outplay_core::elementary::flush;

use super::kernel::{HiddenSums, LANES, LaneRow, SparseKernel};
use crate::activation::ActivationKernel;

/// A state that the network has evaluated.
#[derive(Clone, Copy, Debug)]
pub struct VisitedState<'a> {
    /// The inputs that are on.
    pub on: &'a [u32],
    /// The sums of the hidden neurons.
    pub sums: &'a HiddenSums,
    /// The network's output.
    pub output: f64,
}

/// One trace for each weight.
#[derive(Clone, Debug, PartialEq)]
pub struct EligibilityTraces {
    first: Vec<LaneRow>,
    second: Vec<LaneRow>,
    /// Inputs with a trace, in the order in which they came on.
    active: Vec<u32>,
    is_active: Vec<bool>,
    gradient: OutputGradient,
}

/// What one input that is on, and what each hidden neuron, adds to the gradient.
#[derive(Clone, Debug, PartialEq)]
struct OutputGradient {
    /// ∂p/∂W1 of an input that is on.
    first: Vec<LaneRow>,
    /// ∂p/∂W2.
    second: Vec<LaneRow>,
    /// By input: 1 where it is on.
    on: Vec<f32>,
}

impl EligibilityTraces {
    /// Traces of zero for the weights of this network.
    pub fn new(net: &SparseKernel) -> Self {
        let empty = vec![[0.0; LANES]; net.width()];
        Self {
            first: vec![[0.0; LANES]; net.first.len()],
            second: empty.clone(),
            active: Vec::new(),
            is_active: vec![false; net.inputs()],
            gradient: OutputGradient { first: empty.clone(), second: empty, on: vec![0.0; net.inputs()] },
        }
    }

    /// Sets all traces to zero.
    pub fn reset(&mut self) {
        let width = self.second.len();
        for input in self.active.drain(..) {
            self.first[input as usize * width..][..width].fill([0.0; LANES]);
            self.is_active[input as usize] = false;
        }
        self.second.fill([0.0; LANES]);
    }

    /// Whether all traces are zero.
    pub fn is_zero(&self) -> bool {
        let zero = |traces: &[LaneRow]| traces.as_flattened().iter().all(|&trace| trace == 0.0);
        self.active.is_empty() && zero(&self.first) && zero(&self.second)
    }

    /// Adds the state to the traces, which fade by `decay` = λ, and corrects the network by `step` = α·δ.
    pub fn correct(&mut self, net: &mut SparseKernel, state: &VisitedState<'_>, decay: f32, step: f32) {
        net.activation().dispatch(Differentiate { net, state, gradient: &mut self.gradient });
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
    traces: &mut [LaneRow],
    weights: &mut [LaneRow],
    gradient: &[LaneRow],
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

/// Computes the gradient of the output in a state.
struct Differentiate<'a> {
    net: &'a SparseKernel,
    state: &'a VisitedState<'a>,
    gradient: &'a mut OutputGradient,
}

impl ActivationKernel<f32> for Differentiate<'_> {
    type Returned = ();

    #[inline]
    fn run(self, value: impl Fn(f32) -> f32, slope: impl Fn(f32, f32) -> f32) {
        let OutputGradient { first, second, .. } = self.gradient;
        let out = (self.state.output * (1.0 - self.state.output)) as f32;
        let weights = &self.net.second;
        for (((sums, weights), first), second) in
            self.state.sums.0.iter().zip(weights).zip(first).zip(&mut *second)
        {
            for lane in 0..LANES {
                let (sum, weight) = (sums[lane], weights[lane]);
                let y = value(sum);
                second[lane] = out * y;
                first[lane] = out * weight * slope(sum, y);
            }
        }
        // What fills the last lanes stands for no neuron, though a sigmoid of 0 is not 0.
        second.as_flattened_mut()[self.net.hidden()..].fill(0.0);
    }
}
