//! What a network is trained on and how; the defaults are those of the document's first network (§3.2).
//!
//! Written as text, a configuration is what the command line takes; it names everything that decides the network except
//! the board and the seed.

use std::fmt;

use outplay_games::minesweeper::Minesweeper;
use outplay_games::minesweeper::subgrids::{
    BadSet, Masking, SampleOrder, SampleSet, SampleSetConfig, SourceBoard,
};
use outplay_nn::{Loss, Optimiser};

use crate::error::LabError;
use crate::spec::{Param, ParamKind, Values};

/// The parameters of the method `subgrids`.
pub const PARAMS: &[Param] = &[
    Param {
        name: "samples",
        kind: ParamKind::Whole(10, 1_000_000_000),
        default: Some("1000000"),
        help: "masked sub-grids in the training set",
    },
    MASKS,
    RATIO,
    ORDER,
    DUPLICATES,
    FLAGS,
    Param {
        name: "shuffle",
        kind: YES_NO,
        default: Some("yes"),
        help: "whether each epoch goes through the set in an order of its own, as Keras does",
    },
    Param {
        name: "epochs",
        kind: ParamKind::Whole(1, 10_000),
        default: Some("1"),
        help: "epochs: passes over the training set",
    },
    Param {
        name: "batch",
        kind: ParamKind::Whole(1, 1_000_000),
        default: Some("10"),
        help: "samples per batch",
    },
    Param {
        name: "layers",
        kind: ParamKind::Widths,
        default: Some("300-256-128"),
        help: "neurons of the hidden layers",
    },
    Param {
        name: "optimiser",
        kind: ParamKind::Word(&["rmsprop", "adam", "sgd"]),
        default: Some("rmsprop"),
        help: "the optimiser",
    },
    Param {
        name: "rate",
        kind: ParamKind::Real(1e-8, 10.0),
        default: None,
        help: "the learning rate (the optimiser's own: 0.001, for sgd 0.01)",
    },
    Param {
        name: "loss",
        kind: ParamKind::Word(&["mse", "cross-entropy"]),
        default: Some("mse"),
        help: "the loss to minimise",
    },
];

const YES_NO: ParamKind = ParamKind::Word(&["yes", "no"]);

pub(super) const MASKS: Param = Param {
    name: "masks",
    kind: ParamKind::Whole(1, 10_000),
    default: Some("10"),
    help: "masked sub-grids made of each one without a mask",
};
pub(super) const RATIO: Param = Param {
    name: "ratio",
    kind: ParamKind::Real(0.0, 1.0),
    default: Some("0.5"),
    help: "the share of sub-grids with a mined centre",
};
pub(super) const ORDER: Param = Param {
    name: "order",
    kind: ParamKind::Word(&[
        "nobm-bm",
        "bm-nobm",
        "alternate-1",
        "alternate-5",
        "alternate-10",
        "alternate-15",
        "random",
    ]),
    default: Some("nobm-bm"),
    help: "the order of empty (NoBM) and mined (BM) centres",
};
pub(super) const DUPLICATES: Param = Param {
    name: "duplicates",
    kind: YES_NO,
    default: Some("yes"),
    help: "whether the same sub-grid without a mask may occur twice",
};
pub(super) const FLAGS: Param =
    Param { name: "flags", kind: YES_NO, default: Some("no"), help: "whether mines may be flagged" };

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
                grids: 100_000,
                masks: 10,
                ratio: 0.5,
                duplicates: true,
                masking: Masking::WithoutFlags,
                order: SampleOrder::EmptyFirst,
                seed: 0,
            },
            shuffle: true,
            epochs: 1,
            batch: 10,
            layers: vec![300, 256, 128],
            optimiser: Optimiser::rmsprop(),
            loss: Loss::SquaredError,
        }
    }

    pub(super) fn of(values: &Values, board: SourceBoard) -> Result<Self, LabError> {
        let rate = values.optional_real("rate").map(|rate| rate as f32);
        let optimiser = match values.word("optimiser") {
            "adam" => Optimiser::adam(),
            "sgd" => Optimiser::sgd(),
            _ => Optimiser::rmsprop(),
        };
        Ok(Self {
            set: set_plan(values, board)?,
            shuffle: values.word("shuffle") == "yes",
            epochs: values.whole("epochs") as u64,
            batch: values.whole("batch") as usize,
            layers: values.widths("layers").to_vec(),
            optimiser: rate.map_or(optimiser, |rate| with_rate(optimiser, rate)),
            loss: if values.word("loss") == "mse" { Loss::SquaredError } else { Loss::CrossEntropy },
        })
    }

    /// Masked samples in the set.
    pub const fn samples(&self) -> u64 {
        (self.set.grids * self.set.masks) as u64
    }
}

/// The training set that the user asked for.
pub(super) fn set_plan(values: &Values, board: SourceBoard) -> Result<SampleSetConfig, LabError> {
    let (samples, masks) = (values.whole("samples") as usize, values.whole("masks") as usize);
    if !samples.is_multiple_of(masks) {
        return Err(LabError::refused(format!(
            "samples={samples} cannot be had with masks={masks}: expected a multiple of {masks}"
        )));
    }
    let order = SampleOrder::OF_DOCUMENT.iter().find(|(_, name)| *name == values.word("order"));
    Ok(SampleSetConfig {
        board,
        grids: samples / masks,
        masks,
        ratio: values.real("ratio"),
        duplicates: values.word("duplicates") == "yes",
        masking: masking(values.word("flags") == "yes"),
        order: order.expect("a word of the list").0,
        seed: 0,
    })
}

pub(super) const fn masking(flags: bool) -> Masking {
    if flags { Masking::WithFlags } else { Masking::WithoutFlags }
}

/// The boards that this game is played on.
pub(super) const fn board_of(game: &Minesweeper) -> SourceBoard {
    SourceBoard { rows: game.rows(), cols: game.cols(), mines: game.mines() }
}

/// A test set on its own: the document's, of this many samples, ten of each sub-grid.
pub fn test_set(board: SourceBoard, samples: usize, flags: bool, seed: u64) -> Result<SampleSet, LabError> {
    let document = SubgridTrainingConfig::of_document().set;
    let plan = SampleSetConfig {
        board,
        grids: samples.div_ceil(document.masks),
        masking: masking(flags),
        seed,
        ..document
    };
    let nothing = SampleSet::draw(SampleSetConfig { grids: 0, ..plan }).map_err(|fault| refused(&fault))?;
    SampleSet::draw_test(plan, &nothing).map_err(|fault| refused(&fault))
}

pub(super) fn refused(fault: &BadSet) -> LabError {
    LabError::refused(fault.to_string())
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
        let yes_no = |yes: bool| if yes { "yes" } else { "no" };
        let SampleSetConfig { masks, ratio, duplicates, masking, order, .. } = self.set;
        let order =
            SampleOrder::OF_DOCUMENT.iter().find(|(known, _)| *known == order).map_or("", |(_, name)| name);
        let layers = self.layers.iter().map(usize::to_string).collect::<Vec<_>>().join("-");
        let (optimiser, rate) = match self.optimiser {
            Optimiser::Sgd { rate, .. } => ("sgd", rate),
            Optimiser::RmsProp { rate, .. } => ("rmsprop", rate),
            Optimiser::Adam { rate, .. } => ("adam", rate),
        };
        let loss = if self.loss == Loss::CrossEntropy { "cross-entropy" } else { "mse" };
        write!(
            f,
            "samples={},masks={masks},ratio={ratio},order={order},duplicates={},flags={},shuffle={},epochs={},\
             batch={},layers={layers},optimiser={optimiser},rate={rate},loss={loss}",
            self.samples(),
            yes_no(duplicates),
            yes_no(masking == Masking::WithFlags),
            yes_no(self.shuffle),
            self.epochs,
            self.batch,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn read(text: &str) -> Result<SubgridTrainingConfig, LabError> {
        let spec: Spec = text.parse()?;
        SubgridTrainingConfig::of(&spec.resolve("the method", PARAMS)?, SourceBoard::OF_DOCUMENT)
    }

    #[test]
    fn defaults_are_written_once_in_effect() {
        assert_eq!(read("subgrids").unwrap(), SubgridTrainingConfig::of_document());
    }

    #[test]
    fn a_configuration_reads_back_from_its_text() {
        let mut other = SubgridTrainingConfig::of_document();
        other.set = SampleSetConfig { grids: 70, masks: 3, ratio: 0.3, duplicates: false, ..other.set };
        other.set.masking = Masking::WithFlags;
        other.set.order = SampleOrder::Alternate(15);
        (other.epochs, other.batch, other.layers, other.shuffle) = (6, 2000, vec![5], false);
        (other.optimiser, other.loss) = (Optimiser::adam(), Loss::CrossEntropy);
        for config in [SubgridTrainingConfig::of_document(), other] {
            assert_eq!(read(&format!("subgrids:{config}")).unwrap(), config);
        }
    }

    #[test]
    fn every_word_for_an_order_is_one() {
        let ParamKind::Word(words) = ORDER.kind else { unreachable!() };
        assert_eq!(words, SampleOrder::OF_DOCUMENT.map(|(_, name)| name));
    }

    #[test]
    fn samples_that_masks_do_not_divide_are_refused() {
        let refusal = read("subgrids:samples=1005").unwrap_err().to_string();
        assert!(refusal.starts_with("samples=1005") && refusal.ends_with("a multiple of 10"), "{refusal}");
    }
}
