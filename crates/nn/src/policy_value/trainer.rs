//! A policy–value network that learns from one batch after the other.
//!
//! How a batch is cut into shares depends on the batch alone, and the gradients of shares are added in their order, so the
//! same batches give the same bytes on any number of threads. Work runs in the rayon pool that a step is called from.

use rayon::prelude::*;

use super::PolicyValueNetwork;
use super::pass::{MirroredHeads, PolicyValuePass, SampleLoss};
use super::shape::OUTCOMES;
use crate::error::CheckpointError;
use crate::minibatch::Optimiser;
use crate::network::{LANES, Lanes, parts};
use crate::scalar::{Fields, put, sealed};

/// The most shares of a batch, each with a gradient of its own.
const MOST_SHARES: usize = 16;
/// Samples of a share, at least, if the batch has as many.
const SHARE: usize = 32;
/// Samples that are worked through together.
const PIECE: usize = 64;
/// The opening mark of checkpoints; its last byte is the version.
const MARK: [u8; 8] = *b"OPLPOVA\x01";

/// A position and what should have been said of it.
#[derive(Clone, Copy, Debug)]
pub struct PolicyValueSample<'a> {
    /// The inputs that are on.
    pub on: &'a [u32],
    /// The slots of the legal moves.
    pub slots: &'a [u16],
    /// How probable each of these moves should be; together 1.
    pub policy: &'a [f32],
    /// What the policy of this sample counts; 0 if nothing is known of it.
    pub policy_weight: f32,
    /// How probable win, draw and loss of the side to move should be; together 1.
    pub outcome: [f32; OUTCOMES],
}

/// What a batch cost before the step: the mean cross-entropies of its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyValueLoss {
    /// Of the policies, as they are weighted.
    pub policy: f64,
    /// Of the outcomes.
    pub value: f64,
}

/// A network in training, with Adam.
pub struct PolicyValueTrainer {
    network: PolicyValueNetwork,
    optimiser: Optimiser,
    /// The share of each weight that is lost in a step of rate 1.
    decay: f32,
    /// The running mean of the weights, and how much of it is kept in a step.
    average: Vec<Lanes>,
    average_kept: f32,
    steps: u64,
    memory: Vec<Lanes>,
    mirrors: MirroredHeads,
    shares: Vec<Share>,
}

/// What one share of a batch came to.
#[derive(Default)]
struct Share {
    pass: PolicyValuePass,
    gradient: Vec<Lanes>,
    loss: SampleLoss,
}

impl PolicyValueTrainer {
    /// Training of this network, before its first step: Adam with this weight decay, and a running mean of the weights of which
    /// so much is kept in each step (0: none but the last).
    pub fn new(network: PolicyValueNetwork, decay: f32, average_kept: f32) -> Self {
        let optimiser = Optimiser::adam();
        let memory = vec![Lanes::ZERO; network.parameters.len() * optimiser.memories()];
        let average = network.parameters.clone();
        let (mirrors, shares) = (MirroredHeads::default(), Vec::new());
        Self { network, optimiser, decay, average, average_kept, steps: 0, memory, mirrors, shares }
    }

    /// Takes one step of this rate; the loss of the batch before it.
    pub fn step(&mut self, rate: f32, batch: &[PolicyValueSample<'_>]) -> PolicyValueLoss {
        assert!(!batch.is_empty(), "a batch has samples");
        let count = batch.len().div_ceil(SHARE).min(MOST_SHARES);
        self.shares.resize_with(self.shares.len().max(count), Share::default);
        self.mirrors.update(&self.network.layout(), &self.network.parameters);
        let (network, mirrors, scale) = (&self.network, &self.mirrors, 1.0 / batch.len() as f32);
        let shares = &mut self.shares[..count];
        shares.par_iter_mut().zip(parts(batch.len(), count).collect::<Vec<_>>()).for_each(
            |(share, (first, samples))| share.learn(network, mirrors, &batch[first..first + samples], scale),
        );
        let mut loss = PolicyValueLoss::default();
        for share in &self.shares[..count] {
            loss.policy += share.loss.policy / batch.len() as f64;
            loss.value += share.loss.value / batch.len() as f64;
        }
        self.advance(rate, count);
        loss
    }

    /// Follows the gradients of so many shares.
    fn advance(&mut self, rate: f32, shares: usize) {
        let mut gradients: [&[Lanes]; MOST_SHARES] = [&[]; MOST_SHARES];
        for (share, gradient) in self.shares[..shares].iter().zip(&mut gradients) {
            *gradient = &share.gradient;
        }
        self.steps += 1;
        self.optimiser.set_rate(rate);
        let parameters = &mut self.network.parameters;
        if self.decay > 0.0 {
            let kept = Lanes::splat(1.0 - rate * self.decay);
            for weight in parameters.iter_mut() {
                *weight *= kept;
            }
        }
        self.optimiser.advance(self.steps, &gradients[..shares], &mut self.memory, parameters);
        // Early means would remember the first weights.
        let early = (self.steps as f32) / (self.steps as f32 + 9.0);
        let kept = Lanes::splat(self.average_kept.min(early));
        let new = Lanes::ONE - kept;
        for (mean, weight) in self.average.iter_mut().zip(parameters) {
            *mean = kept.mul_add(*mean, new * *weight);
        }
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network as it learns.
    pub fn network(&self) -> &PolicyValueNetwork {
        &self.network
    }

    /// The network with the mean of the last weights, which plays better than the last one.
    pub fn averaged(&self) -> PolicyValueNetwork {
        PolicyValueNetwork { parameters: self.average.clone(), ..self.network.clone() }
    }

    /// All that the next step depends on, besides the batch.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        let line = self.network.shape.to_string();
        out.extend((line.len() as u32).to_le_bytes());
        out.extend(line.bytes());
        out.extend(self.steps.to_le_bytes());
        for lanes in [&self.network.parameters, &self.average, &self.memory] {
            put(&mut out, bytemuck::cast_slice::<Lanes, f32>(lanes));
        }
        sealed(out)
    }

    /// Goes back (or forth) to where [`checkpoint`](Self::checkpoint) was taken. If it fails, nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let mut fields = Fields::open(MARK, bytes)?;
        let length = u32::from_le_bytes(fields.take("plan")?) as usize;
        if fields.bytes("plan", length)? != self.network.shape.to_string().as_bytes() {
            return Err(CheckpointError::OtherNetwork);
        }
        let steps = u64::from_le_bytes(fields.take("steps")?);
        let mut lanes = |field: &'static str, kept: &[Lanes]| -> Result<Vec<Lanes>, CheckpointError> {
            let count = bytemuck::cast_slice::<_, f32>(kept).len();
            let numbers: Vec<f32> = fields.finite(field, count)?;
            Ok(numbers.chunks_exact(LANES).map(Lanes::from).collect())
        };
        let parameters = lanes("weights", &self.network.parameters)?;
        let average = lanes("mean weights", &self.average)?;
        let memory = lanes("optimiser's memory", &self.memory)?;
        fields.close()?;
        self.network.parameters = parameters;
        (self.average, self.memory, self.steps) = (average, memory, steps);
        Ok(())
    }
}

impl Share {
    fn learn(
        &mut self,
        network: &PolicyValueNetwork,
        mirrors: &MirroredHeads,
        samples: &[PolicyValueSample<'_>],
        scale: f32,
    ) {
        self.gradient.clear();
        self.gradient.resize(network.parameters.len(), Lanes::ZERO);
        self.loss = SampleLoss::default();
        for piece in samples.chunks(PIECE) {
            let loss = self.pass.learn(network, mirrors, piece, scale, &mut self.gradient);
            self.loss.policy += loss.policy;
            self.loss.value += loss.value;
        }
    }
}
