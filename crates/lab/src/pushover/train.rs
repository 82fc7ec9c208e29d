//! Training a network by the document's method: labelled positions, BFGS (§4.2 and §4.3, §5.2).
//!
//! The sample and the initial weights follow from the seed alone; each step is one BFGS iteration.

use outplay_core::{Referee, Rng, Seat};
use outplay_games::pushover::Pushover;
use outplay_games::pushover::database::LabelledPosition;
use outplay_nn::{Activation, Architecture, Bfgs, BfgsOptions, Dataset, Loss, Network};

use super::database::{self, ExpertGames};
use super::network::Encoding;
use crate::error::LabError;
use crate::spec::{Param, ParamKind, Values};
use crate::training::{Training, TrainingStep};
use outplay_runtime::Watch;

/// The parameters of the method, besides those of a data base.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "db",
        kind: ParamKind::File,
        default: None,
        help: "a data base of labelled positions, instead of one made on the spot",
    },
    Param {
        name: "encoding",
        kind: ParamKind::Word(Encoding::NAMES),
        default: Some("cells"),
        help: "what the network sees: 16 cells or 44 features",
    },
    Param {
        name: "hidden",
        kind: ParamKind::Whole(1, 1000),
        default: None,
        help: "hidden neurons (16 for cells, 30 for features)",
    },
    Param {
        name: "positions",
        kind: ParamKind::Whole(2, 1_000_000),
        default: Some("3000"),
        help: "positions drawn from the data base",
    },
    Param {
        name: "winners",
        kind: ParamKind::Word(Winners::NAMES),
        default: Some("any"),
        help: "whose won games the positions come from",
    },
    Param {
        name: "iterations",
        kind: ParamKind::Whole(1, 100_000),
        default: Some("200"),
        help: "BFGS iterations, at most",
    },
    Param {
        name: "loss",
        kind: ParamKind::Word(&["squared", "entropy"]),
        default: Some("squared"),
        help: "squared error or cross-entropy",
    },
];

/// Which games the positions of a sample come from (§4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winners {
    /// As they come.
    Any,
    /// Half from games won by o, half from games won by +.
    Balanced,
    /// Only from games won by this side.
    Only(Seat),
}

impl Winners {
    const NAMES: &'static [&'static str] = &["any", "balanced", "o", "plus"];

    fn named(name: &str) -> Self {
        match name {
            "balanced" => Self::Balanced,
            "o" => Self::Only(Seat::First),
            "plus" => Self::Only(Seat::Second),
            _ => Self::Any,
        }
    }
}

/// What a network is trained on, and which kind of network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushoverTrainingConfig {
    /// What the network sees.
    pub encoding: Encoding,
    /// Hidden neurons.
    pub hidden: usize,
    /// Positions in the sample.
    pub positions: usize,
    /// Where they come from.
    pub winners: Winners,
    /// BFGS iterations, at most.
    pub iterations: u64,
    /// The loss to minimise.
    pub loss: Loss,
}

impl PushoverTrainingConfig {
    /// The document's configuration for this encoding.
    pub const fn of_document(encoding: Encoding, winners: Winners) -> Self {
        let hidden = match encoding {
            Encoding::Cells => 16,
            Encoding::Features => 30,
        };
        Self { encoding, hidden, positions: 3000, winners, iterations: 200, loss: Loss::HalfSquaredError }
    }

    pub(super) fn of(values: &Values) -> Self {
        let encoding = Encoding::named(values.word("encoding")).unwrap_or(Encoding::Cells);
        let document = Self::of_document(encoding, Winners::named(values.word("winners")));
        Self {
            hidden: values.optional_whole("hidden").map_or(document.hidden, |hidden| hidden as usize),
            positions: values.whole("positions") as usize,
            iterations: values.whole("iterations") as u64,
            loss: if values.word("loss") == "entropy" { Loss::CrossEntropy } else { Loss::HalfSquaredError },
            ..document
        }
    }

    /// The text that is kept in the notes of a network. It begins with the type's first name, so that a network made again has the
    /// same bytes as before.
    fn stored_text(&self) -> String {
        format!("{self:?}").replace("PushoverTrainingConfig", "Lesson")
    }
}

/// Draws the sample of a training: positions with |estimate| > ½, without repetition of lines.
fn sample<const N: usize>(
    database: &[LabelledPosition<N>],
    config: &PushoverTrainingConfig,
    rng: &mut Rng,
) -> Result<Vec<LabelledPosition<N>>, LabError> {
    let late = |winner: Option<Seat>| -> Vec<LabelledPosition<N>> {
        let wanted = |labelled: &&LabelledPosition<N>| {
            labelled.estimate.abs() > 0.5 && winner.is_none_or(|winner| labelled.winner() == winner)
        };
        database.iter().filter(wanted).copied().collect()
    };
    let mut draw = |mut pool: Vec<LabelledPosition<N>>, count: usize| {
        if pool.len() < count {
            return Err(LabError::refused(format!(
                "the data base has only {} positions past the middle of such games: expected at least {count}",
                pool.len()
            )));
        }
        rng.shuffle(&mut pool);
        pool.truncate(count);
        Ok(pool)
    };
    match config.winners {
        Winners::Any => draw(late(None), config.positions),
        Winners::Only(seat) => draw(late(Some(seat)), config.positions),
        Winners::Balanced => {
            let half = config.positions / 2;
            let mut both = draw(late(Some(Seat::First)), config.positions - half)?;
            both.extend(draw(late(Some(Seat::Second)), half)?);
            Ok(both)
        }
    }
}

/// A network in training.
pub struct PushoverTraining {
    config: PushoverTrainingConfig,
    data: Dataset,
    bfgs: Bfgs,
    words: [(&'static str, String); 4],
}

impl PushoverTraining {
    /// A training on this data base, before its first step.
    pub fn new<const N: usize>(
        database: &[LabelledPosition<N>],
        config: PushoverTrainingConfig,
        seed: u64,
    ) -> Result<Self, LabError> {
        let refused = |error: &dyn std::error::Error| LabError::refused(error.to_string());
        let mut rng = Rng::new(seed);
        let sample = sample(database, &config, &mut rng)?;
        let width = config.encoding.inputs(N);
        let mut inputs = vec![0.0; width * sample.len()];
        for (labelled, inputs) in sample.iter().zip(inputs.chunks_mut(width)) {
            config.encoding.write(labelled.position.board(), inputs);
        }
        let targets: Vec<f32> =
            sample.iter().map(|labelled| f32::from(u8::from(labelled.estimate > 0.0))).collect();
        let data = Dataset::new(width, 1, &inputs, &targets).map_err(|error| refused(&error))?;
        let sizes = [width, config.hidden, 1];
        let net = Architecture::dense(&sizes, Activation::Sigmoid, Activation::Sigmoid)
            .and_then(|architecture| Network::uniform(architecture, &mut rng))
            .map_err(|error| refused(&error))?;
        let options = BfgsOptions { loss: config.loss, ..BfgsOptions::default() };
        let bfgs = Bfgs::new(&net, data.clone(), options).map_err(|error| refused(&error))?;
        let words = [
            ("board", format!("pushover {N}x{N}")),
            ("encoding", config.encoding.name().to_owned()),
            ("lesson", config.stored_text()),
            ("seed", seed.to_string()),
        ];
        Ok(Self { config, data, bfgs, words })
    }

    /// Trains to the end.
    pub fn finish(mut self) -> Result<Network<f64>, LabError> {
        while !self.step()?.finished {}
        Ok(self.bfgs.network())
    }
}

impl Training for PushoverTraining {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.data.len() as u64
    }

    fn step(&mut self) -> Result<TrainingStep, LabError> {
        let step = self.bfgs.step().map_err(|error| LabError::refused(error.to_string()))?;
        let total = self.config.iterations;
        let finished = step.finished.is_some() || step.iteration >= total;
        let mut record = serde_json::json!({
            "iteration": step.iteration, "loss": step.loss, "gradient_norm": step.gradient_norm,
        });
        if let Some(reason) = step.finished {
            record["finished"] = reason.to_string().into();
        }
        Ok(TrainingStep { done: step.iteration, total, finished, record })
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.bfgs.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        self.bfgs = Bfgs::resume(self.data.clone(), checkpoint)
            .map_err(|error| LabError::refused(format!("the checkpoint cannot be used: {error}")))?;
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        self.bfgs.network().to_safetensors(&self.words.each_ref().map(|(key, value)| (*key, value.as_str())))
    }
}

/// The method `bfgs` as the command line calls it.
pub(super) fn begin<const N: usize>(
    game: &Referee<Pushover<N>>,
    values: &Values,
    seed: u64,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, LabError> {
    let positions = match values.optional_file("db") {
        Some(path) => {
            if let Some(name) = values.first_given(&["games", "depth", "opening"]) {
                return Err(LabError::refused(format!(
                    "{name}= has no effect with db=: expected one of them"
                )));
            }
            database::read(path)?
        }
        None => database::play(game, ExpertGames::of(values, seed), watch)?.positions,
    };
    Ok(Box::new(PushoverTraining::new(&positions, PushoverTrainingConfig::of(values), seed)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of networks carry this text.
    #[test]
    fn the_stored_text_keeps_its_first_words() {
        let config = PushoverTrainingConfig::of_document(Encoding::Cells, Winners::Any);
        assert_eq!(
            config.stored_text(),
            "Lesson { encoding: Cells, hidden: 16, positions: 3000, winners: Any, iterations: 200, loss: HalfSquaredError }"
        );
    }
}
