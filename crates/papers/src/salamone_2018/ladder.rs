//! The training configurations of the document, step by step, and their sizes at each scale.
//!
//! Each step changes one thing of the step that was kept before it.

use outplay_games::minesweeper::subgrids::{MineRange, SampleOrder, SampleSetConfig, SampleSource};
use serde::Serialize;

use super::numbered_network::NumberedNetwork;
use crate::artefact::Scale;
use outplay_lab::minesweeper::subgrids::config::{SubgridTrainingConfig, WeightInit};

/// The sizes of everything at a scale.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Sizes {
    /// Sub-grids without a mask that the first lessons are made of.
    pub(super) first_grids: usize,
    /// The same from §4.3 on.
    pub(super) grids: usize,
    /// The same for the larger structure of §4.5, and what it is compared with.
    pub(super) structure_grids: usize,
    /// Sub-grids that test sets are made of.
    pub(super) test_grids: usize,
    /// Games of an AI.
    pub(super) games: u64,
    /// Games of each square of the heat maps.
    pub(super) heat_games: u64,
    /// Games on each board of Tables 3 and 4.
    pub(super) board_games: u64,
    /// Networks trained with the first lesson.
    pub(super) networks: u64,
}

impl Sizes {
    pub(super) const fn of(scale: Scale) -> Self {
        match scale {
            Scale::Smoke => Self {
                first_grids: 100,
                grids: 200,
                structure_grids: 40,
                test_grids: 50,
                games: 30,
                heat_games: 10,
                board_games: 10,
                networks: 1,
            },
            Scale::Desk => Self {
                first_grids: 20_000,
                grids: 100_000,
                structure_grids: 10_000,
                test_grids: 10_000,
                games: 2000,
                heat_games: 200,
                board_games: 500,
                networks: 3,
            },
            Scale::Full => Self {
                first_grids: 100_000,
                grids: 1_000_000,
                structure_grids: 1_000_000,
                test_grids: 10_000,
                games: 5000,
                heat_games: 1000,
                board_games: 2000,
                networks: 5,
            },
        }
    }

    /// §3.2: 1 000 000 samples, batch 10, one epoch.
    pub(super) fn first(self) -> SubgridTrainingConfig {
        let document = SubgridTrainingConfig::of_document();
        SubgridTrainingConfig { set: SampleSetConfig { grids: self.first_grids, ..document.set }, ..document }
    }

    /// §4.1: another share of mined centres.
    pub(super) fn with_ratio(self, ratio: f64) -> SubgridTrainingConfig {
        let first = self.first();
        SubgridTrainingConfig { set: SampleSetConfig { ratio, ..first.set }, ..first }
    }

    /// §4.2: another order, gone through as it stands or shuffled before each epoch as Keras does.
    pub(super) fn with_order(self, order: SampleOrder, shuffle: bool) -> SubgridTrainingConfig {
        let first = self.first();
        SubgridTrainingConfig { set: SampleSetConfig { order, ..first.set }, shuffle, ..first }
    }

    /// §4.3: another size.
    pub(super) fn with_grids(self, grids: usize) -> SubgridTrainingConfig {
        let first = self.first();
        SubgridTrainingConfig { set: SampleSetConfig { grids, ..first.set }, ..first }
    }

    /// §4.3, what was kept: ten times as many samples.
    pub(super) fn more(self) -> SubgridTrainingConfig {
        self.with_grids(self.grids)
    }

    /// §4.4: another batch.
    pub(super) fn with_batch(self, batch: usize) -> SubgridTrainingConfig {
        SubgridTrainingConfig { batch, ..self.more() }
    }

    /// §4.4: another number of epochs.
    pub(super) fn with_epochs(self, epochs: u64) -> SubgridTrainingConfig {
        SubgridTrainingConfig { epochs, ..self.with_batch(2000) }
    }

    /// §4.4, what was kept: batch 2000, six epochs.
    pub(super) fn longer(self) -> SubgridTrainingConfig {
        self.with_epochs(6)
    }

    /// §4.5: another structure.
    pub(super) fn with_layers(self, layers: &[usize]) -> SubgridTrainingConfig {
        let longer = self.longer();
        let set = SampleSetConfig { grids: self.structure_grids, ..longer.set };
        SubgridTrainingConfig { set, layers: layers.to_vec(), ..longer }
    }

    /// The last lesson with other choices where the text leaves one.
    pub(super) fn read_as(self, source: SampleSource, init: WeightInit) -> SubgridTrainingConfig {
        let last = self.with_flags();
        SubgridTrainingConfig { set: SampleSetConfig { source, ..last.set }, init, ..last }
    }

    /// §6: the last lesson from boards of varied density, with masks as games leave them, or both. Samples of games
    /// may occur twice.
    pub(super) fn improved(self, varied: bool, games: bool) -> SubgridTrainingConfig {
        let last = self.with_flags();
        let mines = varied.then_some(MineRange { fewest: 4, most: 24 });
        let set = SampleSetConfig { mines, ..last.set };
        let set = if games {
            SampleSetConfig { source: SampleSource::Games, duplicates: true, ..set }
        } else {
            set
        };
        SubgridTrainingConfig { set, ..last }
    }

    /// §4.6: no sub-grid twice.
    pub(super) fn without_duplicates(self) -> SubgridTrainingConfig {
        let longer = self.longer();
        SubgridTrainingConfig { set: SampleSetConfig { duplicates: false, ..longer.set }, ..longer }
    }

    /// §4.7: with flags.
    pub(super) fn with_flags(self) -> SubgridTrainingConfig {
        let plain = self.without_duplicates();
        SubgridTrainingConfig { set: SampleSetConfig { has_flags: true, ..plain.set }, ..plain }
    }
}

/// The document's last network: that of §4.7 and §4.8, Tables 3 and 4.
pub(crate) fn last_network(scale: Scale) -> NumberedNetwork {
    NumberedNetwork::first(Sizes::of(scale).with_flags())
}
