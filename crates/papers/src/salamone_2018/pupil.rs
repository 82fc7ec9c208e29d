//! The networks of the document, taught once and shared by all artefacts.
//!
//! Law: a pupil follows from its lesson and its seed; it is the network that `outplay train minesweeper subgrids`
//! makes with the same parameters and seed. A lesson of several epochs goes on from the kept lesson of one epoch
//! fewer, so that a stopped run loses one epoch at most and no epoch is learnt twice.

use std::sync::Arc;

use outplay_games::minesweeper::subgrids::{Masking, SampleSet, SourceBoard};
use outplay_nn::Network;
use rayon::prelude::*;

use crate::artefact::{Conditions, fingerprint};
use outplay_lab::LabError;
use outplay_lab::minesweeper::subgrids::config::SubgridTrainingConfig;
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_lab::minesweeper::subgrids::network::SubgridNetwork;
use outplay_lab::minesweeper::subgrids::train::{SubgridTraining, test_set, training_set};
use outplay_lab::training::Training;

/// Batches smaller than this are too small to be spread over threads: such lessons are taught side by side.
const SMALL_BATCH: usize = 256;

/// A lesson and which of several networks taught by it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pupil {
    /// What it is taught.
    pub(crate) lesson: SubgridTrainingConfig,
    /// Its number; equal lessons with different numbers differ by chance alone.
    pub(crate) number: u64,
}

/// What is kept of a taught network: enough to ask it, and to teach it one epoch more.
struct Taught {
    network: SubgridNetwork,
    product: Vec<u8>,
    checkpoint: Vec<u8>,
}

impl Pupil {
    /// The first network of a lesson.
    pub(crate) const fn first(lesson: SubgridTrainingConfig) -> Self {
        Self { lesson, number: 0 }
    }

    /// The seed of its training set, first weights and orders: the same for all lessons, so that lessons are
    /// compared on the same sub-grids.
    pub(crate) fn seed(&self, conditions: &Conditions<'_>) -> u64 {
        conditions.seed_of(&format!("network {}", self.number))
    }

    /// The taught network.
    pub(crate) fn network(&self, conditions: &Conditions<'_>) -> Result<SubgridNetwork, LabError> {
        Ok(self.taught(conditions)?.network.clone())
    }

    /// Its errors on a test set made of so many sub-grids.
    pub(crate) fn errors(&self, grids: usize, conditions: &Conditions<'_>) -> Result<Errors, LabError> {
        let taught = self.taught(conditions)?;
        let learnt = self.learnt_grids(conditions)?;
        let test = test_set(&self.lesson, grids, &learnt)?;
        Errors::of(taught.network.network(), &test, conditions.watch)
    }

    /// The training set, where a test set must be told apart from it.
    fn learnt_grids(&self, conditions: &Conditions<'_>) -> Result<SampleSet, LabError> {
        let mut lesson = self.lesson.clone();
        if lesson.set.duplicates {
            lesson.set.grids = 0;
        }
        training_set(&lesson, self.seed(conditions))
    }

    fn taught(&self, conditions: &Conditions<'_>) -> Result<Arc<Taught>, LabError> {
        let SourceBoard { rows, cols, mines } = self.lesson.set.board;
        // Part of the names of stored files, so it must not change.
        let text = format!("Board {{ rows: {rows}, cols: {cols}, mines: {mines} }} {}", self.lesson);
        let name = format!(
            "networks/minesweeper/{:016x}-{}.pupil",
            fingerprint(text.as_bytes()),
            self.seed(conditions)
        );
        let has_flags = self.lesson.set.masking == Masking::WithFlags;
        let decode = |bytes: &[u8]| Taught::decode(bytes, has_flags);
        conditions.store.keep(&name, decode, Taught::encode, || self.teach(conditions))
    }

    fn teach(&self, conditions: &Conditions<'_>) -> Result<Taught, LabError> {
        let mut teaching = SubgridTraining::new(self.lesson.clone(), self.seed(conditions))?;
        if self.lesson.epochs > 1 {
            let lesson = SubgridTrainingConfig { epochs: self.lesson.epochs - 1, ..self.lesson.clone() };
            let before = Self { lesson, number: self.number }.taught(conditions)?;
            teaching.restore(&before.checkpoint)?;
        }
        loop {
            if conditions.watch.is_stopped() {
                return Err(LabError::Stopped);
            }
            let step = teaching.step()?;
            conditions.show("teaching", step.done, step.total, "steps");
            if step.finished {
                break;
            }
        }
        let product = teaching.product();
        let network = SubgridNetwork::read(&product, "the pupil")?;
        Ok(Taught { network, product, checkpoint: teaching.checkpoint() })
    }
}

impl Taught {
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

/// Teaches whoever is not taught yet: those with small batches side by side, the others one after the other, each on
/// all threads.
pub(super) fn teach_all(pupils: &[&Pupil], conditions: &Conditions<'_>) -> Result<(), LabError> {
    let (small, large): (Vec<_>, Vec<_>) =
        pupils.iter().partition::<Vec<&Pupil>, _>(|pupil| pupil.lesson.batch < SMALL_BATCH);
    conditions.on_threads(|| {
        small.par_iter().try_for_each(|pupil| pupil.taught(conditions).map(drop))?;
        large.iter().try_for_each(|pupil| pupil.taught(conditions).map(drop))
    })
}
