//! A network that learns from one batch after the other.
//!
//! A batch is cut into shares, which are worked through on all cores, and then the step is taken; the passes are in
//! `network`, the rule of the step in `optimiser`. How a batch is cut depends on the batch alone, and gradients of
//! shares are added in the order of the shares, so the same batches give the same bytes on any number of threads.
//! Once warm, a step allocates nothing. Work runs in the rayon pool that the step is called from.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::optimiser::Optimiser;
use crate::loss::Loss;
use crate::network::{
    Architecture, DropSeed, Extent, Lanes, LossTargets, Network, PackedLayer, PackedNetwork, Pass, parts,
};

/// The most shares of a batch, each with a gradient of its own.
const MOST_SHARES: usize = 16;

/// Why a share's lock can be taken.
const UNBROKEN: &str = "no thread fails while it holds a share";

/// Samples to learn from at once. All numbers lie sample by sample, cell by cell (line by line), and for each
/// cell all channels.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// How many samples, and how large.
    pub extent: Extent,
    /// What the network sees.
    pub inputs: &'a [f32],
    /// What it should answer.
    pub targets: &'a [f32],
    /// How much each output counts, if not all alike; zero leaves it out.
    pub weights: Option<&'a [f32]>,
}

/// A network in training.
pub struct Trainer {
    pub(super) network: PackedNetwork,
    notes: BTreeMap<String, String>,
    pub(super) optimiser: Optimiser,
    pub(super) loss: Loss,
    /// Steps taken.
    pub(super) steps: u64,
    /// What the optimiser remembers: for each lane of parameters so many lanes.
    pub(super) memory: Vec<Lanes>,
    /// The weights that lead back, layer by layer.
    mirrors: Vec<Vec<Lanes>>,
    shares: Vec<Mutex<Share>>,
    /// One for each thread.
    passes: Vec<Pass>,
}

/// What one share of a batch came to.
struct Share {
    loss: f64,
    gradient: Vec<Lanes>,
}

impl Trainer {
    /// Training of this network, before its first step. The loss must fit the architecture: see
    /// [`Loss::check_outputs`]. Cross-entropy of identity outputs takes them for log-odds.
    pub fn new(network: &Network, optimiser: Optimiser, loss: Loss) -> Self {
        if let Err(error) = loss.check_outputs(network.architecture()) {
            panic!("{error}");
        }
        let (network, notes) = (PackedNetwork::new(network), network.notes.clone());
        let mirror = |layer: &PackedLayer| vec![Lanes::ZERO; layer.weights().len()];
        let mut mirrors: Vec<_> = network.layers.iter().map(mirror).collect();
        // Nothing leads back from the first layer.
        mirrors[0].clear();
        let memory = vec![Lanes::ZERO; network.parameters.len() * optimiser.memories()];
        let (shares, passes) = (Vec::new(), Vec::new());
        Self { network, notes, optimiser, loss, steps: 0, memory, mirrors, shares, passes }
    }

    /// Takes one step; the loss of the batch before it: the mean over all outputs, weighted if weights are
    /// given.
    pub fn step(&mut self, batch: &Batch<'_>) -> f64 {
        batch.check(&self.network.architecture);
        self.mirror();
        let shares = batch.extent.pieces(&self.network.architecture).min(MOST_SHARES);
        self.resize(shares);
        self.work(batch, shares);
        let mut gradients: [&[Lanes]; MOST_SHARES] = [&[]; MOST_SHARES];
        let mut loss = 0.0;
        for (share, gradient) in self.shares[..shares].iter_mut().zip(&mut gradients) {
            let share = share.get_mut().expect(UNBROKEN);
            loss += share.loss;
            *gradient = &share.gradient;
        }
        self.steps += 1;
        let weights = &mut self.network.parameters;
        self.optimiser.advance(self.steps, &gradients[..shares], &mut self.memory, weights);
        loss
    }

    /// Sets how far steps go from now on.
    pub fn set_rate(&mut self, rate: f32) {
        self.optimiser.set_rate(rate);
    }

    /// Steps taken since the beginning.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network as it is now.
    pub fn network(&self) -> Network {
        self.network.unpack(&self.notes)
    }

    /// Fills the shares with losses and gradients.
    fn work(&mut self, batch: &Batch<'_>, shares: usize) {
        let work = BatchWork {
            network: &self.network,
            mirrors: &self.mirrors,
            batch,
            loss: self.loss,
            step: self.steps,
            scale: batch.scale()
                * if self.loss == Loss::Classes { self.network.architecture.outputs() as f64 } else { 1.0 },
            shares: &self.shares[..shares],
            next: AtomicUsize::new(0),
        };
        match &mut self.passes[..] {
            [alone] => work.take_shares(alone),
            several => several.par_iter_mut().for_each(|pass| work.take_shares(pass)),
        }
    }

    fn mirror(&mut self) {
        let parameters = &self.network.parameters;
        for (layer, mirror) in self.network.layers.iter().zip(&mut self.mirrors).skip(1) {
            layer.window.mirror(&parameters[layer.weights()], mirror);
        }
    }

    fn resize(&mut self, shares: usize) {
        let lanes = self.network.parameters.len();
        if self.shares.len() < shares {
            let share = || Mutex::new(Share { loss: 0.0, gradient: vec![Lanes::ZERO; lanes] });
            self.shares.resize_with(shares, share);
        }
        self.passes.resize_with(shares.min(rayon::current_num_threads()).max(1), Pass::default);
    }
}

/// One batch, shared out among threads.
struct BatchWork<'a> {
    network: &'a PackedNetwork,
    mirrors: &'a [Vec<Lanes>],
    batch: &'a Batch<'a>,
    loss: Loss,
    /// The number of the step, from which it follows what is dropped.
    step: u64,
    /// What an output of weight one counts in the mean.
    scale: f64,
    shares: &'a [Mutex<Share>],
    /// The first share that no thread has taken.
    next: AtomicUsize,
}

impl BatchWork<'_> {
    /// Works through shares until none is left. Which thread takes which share changes nothing.
    fn take_shares(&self, pass: &mut Pass) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = self.shares.get(index) else { return };
            self.fill(index, &mut share.lock().expect(UNBROKEN), pass);
        }
    }

    fn fill(&self, index: usize, share: &mut Share, pass: &mut Pass) {
        let extent = self.batch.extent;
        let pieces = extent.pieces(&self.network.architecture);
        let (first, count) = parts(pieces, self.shares.len()).nth(index).expect("a share of the pieces");
        share.loss = 0.0;
        for (place, (first, samples)) in parts(extent.samples, pieces).skip(first).take(count).enumerate() {
            let piece = self.batch.piece(first, samples);
            let (targets, weights) = (piece.targets, piece.weights);
            let targets = LossTargets { loss: self.loss, targets, weights, scale: self.scale };
            let seed = DropSeed { step: self.step, first };
            pass.forward(self.network, piece.extent, piece.inputs, Some(seed), || false);
            share.loss += pass.measure(self.network, &targets);
            let gradient = &mut share.gradient;
            pass.backward(self.network, self.mirrors, piece.inputs, place == 0, seed, gradient);
        }
    }
}

impl<'a> Batch<'a> {
    fn check(&self, architecture: &Architecture) {
        let (extent, cells) = (self.extent, self.extent.cells());
        assert!(cells > 0, "a batch has samples");
        assert!(architecture.fits(extent.rows, extent.cols), "boards of the size that the network sees");
        assert_eq!(self.inputs.len(), cells * architecture.inputs, "inputs of the batch");
        assert_eq!(
            self.targets.len(),
            architecture.answers(extent) * architecture.outputs(),
            "targets of the batch"
        );
        assert!(
            self.weights.is_none_or(|weights| weights.len() == self.targets.len()),
            "weights of the batch"
        );
    }

    /// What an output of weight one counts in the mean; nothing, if all are left out.
    fn scale(&self) -> f64 {
        let total = match self.weights {
            Some(weights) => weights.iter().map(|&weight| f64::from(weight)).sum(),
            None => self.targets.len() as f64,
        };
        if total > 0.0 { 1.0 / total } else { 0.0 }
    }

    /// Some of the samples.
    fn piece(&self, first: usize, samples: usize) -> Self {
        let cut = |numbers: &'a [f32]| {
            let each = numbers.len() / self.extent.samples;
            &numbers[first * each..][..samples * each]
        };
        Batch {
            extent: Extent { samples, ..self.extent },
            inputs: cut(self.inputs),
            targets: cut(self.targets),
            weights: self.weights.map(cut),
        }
    }
}

#[cfg(test)]
mod tests;
