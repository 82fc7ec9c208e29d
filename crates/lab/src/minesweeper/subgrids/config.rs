//! What a network is trained on and how; the defaults are those of the document's first network (§3.2).
//!
//! Written as text, a configuration is what the command line takes; it names everything that decides the network except
//! the board and the seed.

use std::fmt;

use outplay_core::errors;
use outplay_games::minesweeper::Minesweeper;
use outplay_games::minesweeper::subgrids::{
    BadSet, CELLS, MineRange, SampleOrder, SampleSet, SampleSetConfig, SampleSource, SourceBoard,
};
use outplay_nn::{Loss, Optimiser};

use crate::params::{Param, ParamKind, ParamType, Params, USUAL_MEMORY};
use crate::spec::{Spec, SpecError};
use crate::training_memory::{TrainingMemory, padded};
use crate::{params, words};

params! {
    /// Which sub-grids a set has.
    pub struct SampleSetParams {
        samples: usize = 1_000_000, in 10..=1_000_000_000,
            "masked sub-grids in the training set" | "sous-grilles masquées dans l’ensemble d’entraînement";
        masks: usize = 10, in 1..=10_000,
            "masked sub-grids made of each one without a mask" | "sous-grilles masquées faites de chacune sans masque";
        ratio: f64 = 0.5, in 0.0..=1.0,
            "the share of sub-grids with a mined centre" | "la part de sous-grilles à centre miné";
        order: SampleOrder = SampleOrder::EmptyFirst,
            "the order of empty (NoBM) and mined (BM) centres" | "l’ordre des centres vides (NoBM) et minés (BM)";
        duplicates: bool = true,
            "whether the same sub-grid without a mask may occur twice"
            | "si la même sous-grille sans masque peut venir deux fois";
        flags: bool = false, "whether mines may be flagged" | "si les mines peuvent être marquées";
        masking: SampleSource = SampleSource::TOTAL,
            "what the random number of masked cells counts: all of them (total), or those besides the centre and the \
             mines (further); or masks as games leave them (games)"
            | "ce que compte le nombre aléatoire de cases masquées : toutes (total), ou celles hors du centre et des \
               mines (further) ; ou les masques que laissent des parties (games)";
        fewest: Option<usize> = None, in 1..=4095,
            "the fewest mines of the boards that the sub-grids come from (the game's)"
            | "le moins de mines des plateaux d’où viennent les sous-grilles (celui du jeu)";
        most: Option<usize> = None, in 1..=4095,
            "the most mines of those boards (the game's)" | "le plus de mines de ces plateaux (celui du jeu)";
    }
    // A set that is written is described too: its different samples are in a hash table.
    memory |set| u32::try_from((set.bytes() + 50 * set.samples as u64) >> 20).unwrap_or(u32::MAX).saturating_add(USUAL_MEMORY)
}

params! {
    /// How a network learns from a set.
    pub struct SubgridLearningParams {
        shuffle: bool = true,
            "whether each epoch goes through the set in an order of its own, as Keras does"
            | "si chaque époque parcourt l’ensemble dans un ordre à elle, comme Keras";
        epochs: u64 = 1, in 1..=10_000,
            "epochs: passes over the training set" | "époques : passages sur l’ensemble d’entraînement";
        batch: usize = 10, in 1..=1_000_000, "samples per batch" | "exemples par lot";
        layers: Vec<usize> = vec![300, 256, 128], "neurons of the hidden layers" | "neurones des couches cachées";
        init: WeightInit = WeightInit::Uniform,
            "the first weights: uniform in ±0.05 (Keras' random_uniform), or by Glorot's rule"
            | "les premiers poids : uniformes dans ±0,05 (random_uniform de Keras), ou selon la règle de Glorot";
        optimiser: SubgridOptimiser = SubgridOptimiser::RmsProp, "the optimiser" | "l’optimiseur";
        rate: Option<f64> = None, in 1e-8..=10.0,
            "the learning rate (the optimiser's own: 0.001, for sgd 0.01)"
            | "le taux d’apprentissage (celui de l’optimiseur : 0,001, pour sgd 0,01)";
        loss: SubgridLoss = SubgridLoss::SquaredError, "the loss to minimise" | "la perte à minimiser";
    }
}

/// The parameters of the method `subgrids`.
#[derive(Clone, Debug, Default)]
pub struct SubgridTrainingParams {
    /// The training set.
    pub set: SampleSetParams,
    /// How the network learns from it.
    pub learning: SubgridLearningParams,
}

impl Params for SubgridTrainingParams {
    fn list(&self) -> Vec<Param> {
        [self.set.list(), self.learning.list()].concat()
    }

    fn read(&self, spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self { set: self.set.read(spec)?, learning: self.learning.read(spec)? })
    }

    /// A thread works on 256 samples at a time.
    fn memory(&self) -> u32 {
        let bytes_of_sample = (4 * (CELLS + 1)) as u64;
        let hidden: Vec<usize> = self.learning.layers.iter().map(|&width| padded(width)).collect();
        let widths = [&[CELLS], &hidden[..], &[padded(1)]].concat();
        let memory = TrainingMemory {
            parameters: widths.windows(2).map(|pair| ((pair[0] + 1) * pair[1]) as u64).sum(),
            outputs: 256 * widths[1..].iter().sum::<usize>() as u64,
            examples: self.set.bytes() + self.learning.batch as u64 * bytes_of_sample,
        };
        memory.mebibytes()
    }
}

/// The words for the document's orders.
const ORDER_WORDS: [&str; SampleOrder::OF_DOCUMENT.len()] = {
    let mut words = [""; SampleOrder::OF_DOCUMENT.len()];
    let mut place = 0;
    while place < words.len() {
        words[place] = SampleOrder::OF_DOCUMENT[place].1;
        place += 1;
    }
    words
};

impl ParamType for SampleOrder {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Word(&ORDER_WORDS)
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Self::OF_DOCUMENT.iter().find(|(_, name)| *name == text).map(|(order, _)| *order)
    }

    fn write(&self) -> String {
        let known = Self::OF_DOCUMENT.iter().find(|(order, _)| order == self);
        known.map_or("", |(_, name)| name).to_owned()
    }
}

words!(SampleSource {
    "total" => SampleSource::TOTAL,
    "further" => SampleSource::FURTHER,
    "games" => SampleSource::Games,
});

/// How the first weights are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightInit {
    /// Uniform in ±0.05: Keras' `random_uniform`, the author's.
    Uniform,
    /// Glorot's rule: Keras' default.
    Glorot,
}

words!(WeightInit {
    "uniform" => WeightInit::Uniform,
    "glorot" => WeightInit::Glorot,
});

/// An optimiser with its usual settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgridOptimiser {
    /// The document's.
    RmsProp,
    /// Adam.
    Adam,
    /// Stochastic gradient descent.
    Sgd,
}

words!(SubgridOptimiser {
    "rmsprop" => SubgridOptimiser::RmsProp,
    "adam" => SubgridOptimiser::Adam,
    "sgd" => SubgridOptimiser::Sgd,
});

/// A loss that the method offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgridLoss {
    /// The document's.
    SquaredError,
    /// Cross-entropy.
    CrossEntropy,
}

words!(SubgridLoss {
    "mse" => SubgridLoss::SquaredError,
    "cross-entropy" => SubgridLoss::CrossEntropy,
});

errors! {
    /// Why there is no such set.
    pub enum SampleSetError {
        /// Every sub-grid is masked equally often.
        NotAMultiple { samples: usize, masks: usize } =
            "samples={samples} cannot be had with masks={masks}: expected a multiple of {masks}"
            | "samples={samples} est impossible avec masks={masks} : attendu un multiple de {masks}",
    }
}

/// How a network of sub-grids is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct SubgridTrainingConfig {
    /// The training set; its seed is given when the training starts.
    pub set: SampleSetConfig,
    /// Whether each epoch has an order of its own.
    pub shuffle: bool,
    /// Epochs: passes over the set.
    pub epochs: u64,
    /// Samples per batch.
    pub batch: usize,
    /// Neurons of the hidden layers.
    pub layers: Vec<usize>,
    /// The first weights.
    pub init: WeightInit,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The loss to minimise.
    pub loss: Loss,
}

impl SubgridTrainingConfig {
    /// The configuration of the document's first network (§3.2.2, §3.2.3).
    pub fn of_document() -> Self {
        Self {
            set: SampleSetConfig {
                board: SourceBoard::OF_DOCUMENT,
                mines: None,
                grids: 100_000,
                masks: 10,
                ratio: 0.5,
                duplicates: true,
                source: SampleSource::TOTAL,
                has_flags: false,
                order: SampleOrder::EmptyFirst,
                seed: 0,
            },
            shuffle: true,
            epochs: 1,
            batch: 10,
            layers: vec![300, 256, 128],
            init: WeightInit::Uniform,
            optimiser: Optimiser::rmsprop(),
            loss: Loss::SquaredError,
        }
    }

    pub(super) fn of(params: &SubgridTrainingParams, board: SourceBoard) -> Result<Self, SampleSetError> {
        let SubgridLearningParams { shuffle, epochs, batch, ref layers, init, optimiser, rate, loss } =
            params.learning;
        let optimiser = match optimiser {
            SubgridOptimiser::RmsProp => Optimiser::rmsprop(),
            SubgridOptimiser::Adam => Optimiser::adam(),
            SubgridOptimiser::Sgd => Optimiser::sgd(),
        };
        Ok(Self {
            set: params.set.on(board)?,
            shuffle,
            epochs,
            batch,
            layers: layers.clone(),
            init,
            optimiser: rate.map_or(optimiser, |rate| with_rate(optimiser, rate as f32)),
            loss: match loss {
                SubgridLoss::SquaredError => Loss::SquaredError,
                SubgridLoss::CrossEntropy => Loss::CrossEntropy,
            },
        })
    }

    /// Masked samples in the set.
    pub const fn samples(&self) -> u64 {
        (self.set.grids * self.set.masks) as u64
    }
}

impl SampleSetParams {
    /// What the set takes in memory: 16 bytes for a sub-grid without a mask, and about 50 more in the hash table where none may occur
    /// twice. Samples from games are all stored.
    fn bytes(&self) -> u64 {
        let masks = if self.masking == SampleSource::Games { 1 } else { self.masks };
        let grids = (self.samples / masks) as u64;
        grids * if self.duplicates { 16 } else { 66 }
    }

    /// The set of sub-grids of these boards, before it has a seed.
    pub(super) fn on(&self, board: SourceBoard) -> Result<SampleSetConfig, SampleSetError> {
        let Self { samples, masks, ratio, order, duplicates, flags, masking, fewest, most } = *self;
        if !samples.is_multiple_of(masks) {
            return Err(SampleSetError::NotAMultiple { samples, masks });
        }
        let mines = (fewest.is_some() || most.is_some())
            .then(|| MineRange { fewest: fewest.unwrap_or(board.mines), most: most.unwrap_or(board.mines) });
        Ok(SampleSetConfig {
            board,
            mines,
            grids: samples / masks,
            masks,
            ratio,
            duplicates,
            source: masking,
            has_flags: flags,
            order,
            seed: 0,
        })
    }
}

/// The boards that this game is played on.
pub(super) const fn board_of(game: &Minesweeper) -> SourceBoard {
    SourceBoard { rows: game.rows(), cols: game.cols(), mines: game.mines() }
}

/// A test set on its own: the document's, of this many samples, ten of each sub-grid.
pub fn test_set(board: SourceBoard, samples: usize, flags: bool, seed: u64) -> Result<SampleSet, BadSet> {
    let document = SubgridTrainingConfig::of_document().set;
    let plan = SampleSetConfig {
        board,
        grids: samples.div_ceil(document.masks),
        has_flags: flags,
        seed,
        ..document
    };
    let nothing = SampleSet::draw(SampleSetConfig { grids: 0, ..plan })?;
    SampleSet::draw_test(plan, &nothing)
}

const fn with_rate(optimiser: Optimiser, rate: f32) -> Optimiser {
    match optimiser {
        Optimiser::Sgd { momentum, .. } => Optimiser::Sgd { rate, momentum },
        Optimiser::RmsProp { decay, epsilon, .. } => Optimiser::RmsProp { rate, decay, epsilon },
        Optimiser::Adam { first, second, epsilon, .. } => Optimiser::Adam { rate, first, second, epsilon },
    }
}

impl fmt::Display for SubgridTrainingConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SampleSetConfig { masks, ratio, duplicates, source, has_flags, order, mines, .. } = self.set;
        let mines = mines
            .map_or_else(String::new, |MineRange { fewest, most }| format!("fewest={fewest},most={most},"));
        let (order, layers) = (order.write(), self.layers.write());
        let (optimiser, rate) = match self.optimiser {
            Optimiser::Sgd { rate, .. } => ("sgd", rate),
            Optimiser::RmsProp { rate, .. } => ("rmsprop", rate),
            Optimiser::Adam { rate, .. } => ("adam", rate),
        };
        let loss = if self.loss == Loss::CrossEntropy { "cross-entropy" } else { "mse" };
        write!(
            f,
            "samples={},masks={masks},ratio={ratio},order={order},duplicates={},flags={},masking={},{mines}shuffle={},\
             epochs={},batch={},layers={layers},init={},optimiser={optimiser},rate={rate},loss={loss}",
            self.samples(),
            duplicates.write(),
            has_flags.write(),
            source.write(),
            self.shuffle.write(),
            self.epochs,
            self.batch,
            self.init.write(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Text;
    use outplay_runtime::WorkError;

    fn read(text: &str) -> Result<SubgridTrainingConfig, WorkError> {
        let spec: Spec = text.parse()?;
        let params = spec.read(&Text::same("the method"), &SubgridTrainingParams::default())?;
        Ok(SubgridTrainingConfig::of(&params, SourceBoard::OF_DOCUMENT)?)
    }

    #[test]
    fn defaults_are_written_once_in_effect() {
        assert_eq!(read("subgrids").unwrap(), SubgridTrainingConfig::of_document());
    }

    #[test]
    fn a_configuration_reads_back_from_its_text() {
        let mut other = SubgridTrainingConfig::of_document();
        other.set = SampleSetConfig { grids: 70, masks: 3, ratio: 0.3, duplicates: false, ..other.set };
        (other.set.has_flags, other.set.source) = (true, SampleSource::FURTHER);
        (other.set.mines, other.init) = (Some(MineRange { fewest: 4, most: 24 }), WeightInit::Glorot);
        other.set.order = SampleOrder::Alternate(15);
        (other.epochs, other.batch, other.layers, other.shuffle) = (6, 2000, vec![5], false);
        (other.optimiser, other.loss) = (Optimiser::adam(), Loss::CrossEntropy);
        for config in [SubgridTrainingConfig::of_document(), other] {
            assert_eq!(read(&format!("subgrids:{config}")).unwrap(), config);
        }
    }

    #[test]
    fn larger_sets_and_networks_need_more_memory() {
        let memory = |samples, layers: &[usize]| {
            let set = SampleSetParams { samples, ..Default::default() };
            let learning = SubgridLearningParams { layers: layers.to_vec(), ..Default::default() };
            SubgridTrainingParams { set, learning }.memory()
        };
        assert!(memory(1_000_000, &[300, 256, 128]) < 1000);
        assert!(memory(1_000_000_000, &[300, 256, 128]) > 1500);
        assert!(memory(1_000_000, &[65_536, 65_536]) > 400_000);
        let games =
            SampleSetParams { samples: 100_000_000, masking: SampleSource::Games, ..Default::default() };
        let learning = SubgridLearningParams::default();
        assert!(SubgridTrainingParams { set: games, learning }.memory() > 1500);
    }

    #[test]
    fn samples_that_masks_do_not_divide_are_refused() {
        let refusal = read("subgrids:samples=1005").unwrap_err().to_string();
        assert!(refusal.starts_with("samples=1005") && refusal.ends_with("a multiple of 10"), "{refusal}");
    }
}
