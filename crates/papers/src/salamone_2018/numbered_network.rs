//! The networks of the document, trained once and shared by all artefacts.
//!
//! A network follows from its lesson and its seed; it is the network that `outplay train minesweeper subgrids`
//! makes with the same parameters and seed. Training for several epochs continues from the stored network of one epoch
//! fewer, so a stopped run loses at most one epoch and no epoch is trained twice.

use outplay_core::Text;
use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_games::minesweeper::subgrids::{SampleSet, SourceBoard};
use outplay_nn::Network;
use rayon::prelude::*;

use crate::artefact::{Conditions, fingerprint};
use outplay_lab::minesweeper::subgrids::config::SubgridTrainingConfig;
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_lab::minesweeper::subgrids::network::SubgridNetwork;
use outplay_lab::minesweeper::subgrids::train::{SubgridTraining, test_set, training_set};
use outplay_training::Training;

/// Batches smaller than this are too small to be spread over threads: such networks are trained side by side.
const SMALL_BATCH: usize = 256;

/// A training configuration and the number of one of the networks trained with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberedNetwork {
    /// How it is trained.
    pub(crate) lesson: SubgridTrainingConfig,
    /// Its number; networks with equal lessons and different numbers differ by chance alone.
    pub(crate) number: u64,
}

/// What is stored of a trained network: enough to use it, and to train it for one more epoch.
struct StoredNetwork {
    network: SubgridNetwork,
    product: Vec<u8>,
    checkpoint: Vec<u8>,
}

impl NumberedNetwork {
    /// The first network of a lesson.
    pub(crate) const fn first(lesson: SubgridTrainingConfig) -> Self {
        Self { lesson, number: 0 }
    }

    /// The seed of its training set, first weights and orders: the same for all lessons, so that lessons are
    /// compared on the same sub-grids.
    pub(crate) fn seed(&self, conditions: &Conditions<'_>) -> u64 {
        conditions.seed_of(&format!("network {}", self.number))
    }

    /// The trained network, from the store or trained now.
    pub(crate) fn load(&self, conditions: &Conditions<'_>) -> Result<SubgridNetwork, WorkError> {
        Ok(self.stored(conditions)?.network.clone())
    }

    /// Its errors on a test set made of this many sub-grids.
    pub(crate) fn errors(&self, grids: usize, conditions: &Conditions<'_>) -> Result<Errors, WorkError> {
        let stored = self.stored(conditions)?;
        let learnt = self.learnt_grids(conditions)?;
        let test = test_set(&self.lesson, grids, &learnt)?;
        Errors::of(stored.network.network(), &test, conditions.watch)
    }

    /// The training set, which the test set must not overlap where duplicates are excluded.
    fn learnt_grids(&self, conditions: &Conditions<'_>) -> Result<SampleSet, WorkError> {
        let mut lesson = self.lesson.clone();
        if lesson.set.duplicates {
            lesson.set.grids = 0;
        }
        training_set(&lesson, self.seed(conditions))
    }

    fn stored(&self, conditions: &Conditions<'_>) -> Result<Arc<StoredNetwork>, WorkError> {
        let SourceBoard { rows, cols, mines } = self.lesson.set.board;
        // Part of the names of stored files, so it must not change.
        let text = format!("Board {{ rows: {rows}, cols: {cols}, mines: {mines} }} {}", self.lesson);
        let name = format!(
            "networks/minesweeper/{:016x}-{}.pupil",
            fingerprint(text.as_bytes()),
            self.seed(conditions)
        );
        let has_flags = self.lesson.set.has_flags;
        let decode = |bytes: &[u8]| StoredNetwork::decode(bytes, has_flags);
        conditions.store.keep(&name, decode, StoredNetwork::encode, || self.train(conditions))
    }

    fn train(&self, conditions: &Conditions<'_>) -> Result<StoredNetwork, WorkError> {
        let mut teaching = SubgridTraining::new(self.lesson.clone(), self.seed(conditions))?;
        if self.lesson.epochs > 1 {
            let lesson = SubgridTrainingConfig { epochs: self.lesson.epochs - 1, ..self.lesson.clone() };
            let before = Self { lesson, number: self.number }.stored(conditions)?;
            teaching.restore(&before.checkpoint)?;
        }
        loop {
            let step = teaching.step(conditions.watch)?;
            conditions.show("teaching", step.done, step.total, "steps");
            if step.finished {
                break;
            }
        }
        let product = teaching.product();
        let network = SubgridNetwork::read(&product, Text::new("the network", "le réseau"))?;
        Ok(StoredNetwork { network, product, checkpoint: teaching.checkpoint() })
    }
}

impl StoredNetwork {
    fn encode(&self) -> Vec<u8> {
        [&(self.product.len() as u64).to_le_bytes()[..], &self.product, &self.checkpoint].concat()
    }

    fn decode(bytes: &[u8], has_flags: bool) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (product, checkpoint) =
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let network = SubgridNetwork::new(Network::from_safetensors(product).ok()?, has_flags).ok()?;
        Some(Self { network, product: product.to_vec(), checkpoint: checkpoint.to_vec() })
    }
}

/// Trains the networks that are not stored yet: those with small batches side by side, the others one after the other,
/// each on all threads.
pub(super) fn train_all(networks: &[&NumberedNetwork], conditions: &Conditions<'_>) -> Result<(), WorkError> {
    let (small, large): (Vec<_>, Vec<_>) =
        networks.iter().partition::<Vec<&NumberedNetwork>, _>(|network| network.lesson.batch < SMALL_BATCH);
    conditions.on_threads(|| {
        small.par_iter().try_for_each(|network| network.stored(conditions).map(drop))?;
        large.iter().try_for_each(|network| network.stored(conditions).map(drop))
    })
}
