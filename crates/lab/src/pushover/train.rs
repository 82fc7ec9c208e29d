//! Training a network by the document's method: labelled positions, BFGS (§4.2 and §4.3, §5.2).
//!
//! The sample and the initial weights follow from the seed alone; each step is one BFGS iteration.

use std::path::PathBuf;

use outplay_core::{Referee, Rng, Seat, errors};
use outplay_games::pushover::Pushover;
use outplay_games::pushover::database::LabelledPosition;
use outplay_nn::{Activation, Architecture, Bfgs, BfgsOptions, Dataset, Loss, Network, TrainError};

use super::database::{self, ExpertGames, ExpertGamesParams};
use super::network::Encoding;
use crate::params::{ParamKind, ParamType, USUAL_MEMORY};
use crate::{params, words};
use outplay_runtime::{Watch, WorkError};
use outplay_training::{Training, TrainingStep};

params! {
    /// The parameters of the method, besides those of a data base.
    pub(super) struct BfgsParams {
        database as "db": Option<PathBuf> = None,
            "a data base of labelled positions, instead of one made on the spot"
            | "une base de positions étiquetées, au lieu d’une base faite sur place";
        encoding: Encoding = Encoding::Cells,
            "what the network sees: 16 cells or 44 features" | "ce que voit le réseau : 16 cases ou 44 traits";
        hidden: Option<usize> = None, in 1..=1000,
            "hidden neurons (16 for cells, 30 for features)" | "neurones cachés (16 pour les cases, 30 pour les traits)";
        positions: usize = 3000, in 2..=1_000_000, "positions drawn from the data base" | "positions tirées de la base";
        certain: f64 = 0.5, in 0.0..=1.0,
            "only positions with |e| above this are drawn: 0 for all of them"
            | "seules les positions de |e| supérieur sont tirées : 0 pour toutes";
        target: TargetLabel = TargetLabel::Result,
            "what the network is taught of a position: won or lost, or the estimate e itself"
            | "ce que le réseau apprend d’une position : gagnée ou perdue, ou l’estimation e elle-même";
        winners: Winners = Winners::Any,
            "whose won games the positions come from" | "de quelles parties gagnées viennent les positions";
        iterations: u64 = 200, in 1..=100_000, "BFGS iterations, at most" | "itérations de BFGS, au plus";
        loss: BfgsLoss = BfgsLoss::Squared,
            "squared error or cross-entropy" | "erreur quadratique ou entropie croisée";
    }
    memory |params| USUAL_MEMORY.saturating_add(params.hessian_mebibytes())
}

impl BfgsParams {
    /// The lower triangle of the inverse Hessian and a copy of it, on the largest board.
    fn hessian_mebibytes(&self) -> u32 {
        let PushoverTrainingConfig { encoding, hidden, .. } = PushoverTrainingConfig::of(self);
        let weights = (hidden * (encoding.inputs(5) + 2) + 1) as u64;
        u32::try_from((8 * weights * weights) >> 20).unwrap_or(u32::MAX)
    }
}

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BfgsLoss {
    /// Half the squared error.
    Squared,
    /// The cross-entropy.
    Entropy,
}

/// What a network is taught of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetLabel {
    /// 1 if the side that just moved went on to win, else 0.
    Result,
    /// The estimate, from −1 to 1, as a number from 0 to 1.
    Estimate,
}

impl TargetLabel {
    fn of<const N: usize>(self, labelled: &LabelledPosition<N>) -> f32 {
        match self {
            Self::Result => f32::from(u8::from(labelled.estimate > 0.0)),
            Self::Estimate => f64::midpoint(1.0, labelled.estimate) as f32,
        }
    }
}

words!(TargetLabel { "result" => TargetLabel::Result, "estimate" => TargetLabel::Estimate });

words!(BfgsLoss { "squared" => BfgsLoss::Squared, "entropy" => BfgsLoss::Entropy });

errors! {
    /// Why a training is refused.
    pub enum PushoverTrainingError {
        TooFewPositions { found: usize, expected: usize, certain: f64 } =
            "the data base has only {found} positions of such games with |e| above {certain}: expected at least {expected}"
            | "la base n’a que {found} positions de telles parties avec |e| supérieur à {certain} : attendu au moins {expected}",
        NoEffectWithDatabase { name: &'static str } =
            "{name}= has no effect with db=: expected one of them"
            | "{name}= est sans effet avec db= : attendu l’un des deux",
        Checkpoint { reason: TrainError } =
            "the checkpoint cannot be used: {reason}" | "le point de reprise ne peut servir : {reason}",
    }
}

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
    const ALL: [(&'static str, Self); 4] = [
        ("any", Self::Any),
        ("balanced", Self::Balanced),
        ("o", Self::Only(Seat::First)),
        ("plus", Self::Only(Seat::Second)),
    ];
}

impl ParamType for Winners {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Word(&[Self::ALL[0].0, Self::ALL[1].0, Self::ALL[2].0, Self::ALL[3].0])
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Self::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, winners)| winners)
    }

    fn write(&self) -> String {
        let name = Self::ALL.into_iter().find(|(_, winners)| winners == self).map(|(name, _)| name);
        name.unwrap_or_default().to_owned()
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
    /// Only positions with |e| above this are in it.
    pub certain: f64,
    /// What is taught of them.
    pub target: TargetLabel,
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
        Self {
            encoding,
            hidden,
            positions: 3000,
            winners,
            certain: 0.5,
            target: TargetLabel::Result,
            iterations: 200,
            loss: Loss::HalfSquaredError,
        }
    }

    pub(super) fn of(params: &BfgsParams) -> Self {
        let document = Self::of_document(params.encoding, params.winners);
        Self {
            hidden: params.hidden.unwrap_or(document.hidden),
            positions: params.positions,
            certain: params.certain,
            target: params.target,
            iterations: params.iterations,
            loss: match params.loss {
                BfgsLoss::Squared => Loss::HalfSquaredError,
                BfgsLoss::Entropy => Loss::CrossEntropy,
            },
            ..document
        }
    }

    /// The text that is kept in the notes of a network. It begins with the type's first name, and leaves out what was added later
    /// where it has its default, so that a network made again has the same bytes as before.
    fn stored_text(&self) -> String {
        format!("{self:?}")
            .replace("PushoverTrainingConfig", "Lesson")
            .replace(", certain: 0.5,", ",")
            .replace(", target: Result,", ",")
    }
}

/// Draws the sample of a training: positions whose estimate is certain enough, without repetition of lines.
fn sample<const N: usize>(
    database: &[LabelledPosition<N>],
    config: &PushoverTrainingConfig,
    rng: &mut Rng,
) -> Result<Vec<LabelledPosition<N>>, PushoverTrainingError> {
    let late = |winner: Option<Seat>| -> Vec<LabelledPosition<N>> {
        let wanted = |labelled: &&LabelledPosition<N>| {
            labelled.estimate.abs() > config.certain
                && winner.is_none_or(|winner| labelled.winner() == winner)
        };
        database.iter().filter(wanted).copied().collect()
    };
    let mut draw = |mut pool: Vec<LabelledPosition<N>>, expected: usize| {
        let found = pool.len();
        if found < expected {
            return Err(PushoverTrainingError::TooFewPositions { found, expected, certain: config.certain });
        }
        rng.shuffle(&mut pool);
        pool.truncate(expected);
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
    ) -> Result<Self, WorkError> {
        let mut rng = Rng::new(seed);
        let sample = sample(database, &config, &mut rng)?;
        let width = config.encoding.inputs(N);
        let mut inputs = vec![0.0; width * sample.len()];
        for (labelled, inputs) in sample.iter().zip(inputs.chunks_mut(width)) {
            config.encoding.write(labelled.position.board(), inputs);
        }
        let targets: Vec<f32> = sample.iter().map(|labelled| config.target.of(labelled)).collect();
        let data = Dataset::new(width, 1, &inputs, &targets)?;
        let sizes = [width, config.hidden, 1];
        let net = Architecture::dense(&sizes, Activation::Sigmoid, Activation::Sigmoid)
            .and_then(|architecture| Network::uniform(architecture, &mut rng))?;
        let options = BfgsOptions { loss: config.loss, ..BfgsOptions::default() };
        let bfgs = Bfgs::new(&net, data.clone(), options)?;
        let words = [
            ("board", format!("pushover {N}x{N}")),
            ("encoding", config.encoding.name().to_owned()),
            ("lesson", config.stored_text()),
            ("seed", seed.to_string()),
        ];
        Ok(Self { config, data, bfgs, words })
    }

    /// Trains to the end.
    pub fn finish(mut self) -> Result<Network<f64>, WorkError> {
        while !self.step(Watch::nobody())?.finished {}
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

    fn step(&mut self, _watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let step = self.bfgs.step()?;
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

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        self.bfgs = Bfgs::resume(self.data.clone(), checkpoint)
            .map_err(|reason| PushoverTrainingError::Checkpoint { reason })?;
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        self.bfgs.network().to_safetensors(&self.words.each_ref().map(|(key, value)| (*key, value.as_str())))
    }
}

/// The method `bfgs` as the command line calls it.
pub(super) fn begin<const N: usize>(
    game: &Referee<Pushover<N>>,
    (own, games): &(BfgsParams, ExpertGamesParams),
    seed: u64,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, WorkError> {
    let positions = match &own.database {
        Some(path) => {
            if let Some(name) = games.first_given() {
                return Err(PushoverTrainingError::NoEffectWithDatabase { name }.into());
            }
            database::read(path)?
        }
        None => database::play(game, ExpertGames::of(games, seed), watch)?.positions,
    };
    Ok(Box::new(PushoverTraining::new(&positions, PushoverTrainingConfig::of(own), seed)?))
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
        let all = PushoverTrainingConfig { certain: 0.0, target: TargetLabel::Estimate, ..config };
        assert!(all.stored_text().contains("certain: 0.0, target: Estimate"), "{}", all.stored_text());
        let surer = PushoverTrainingConfig { certain: 0.55, ..config };
        assert!(
            surer.stored_text().contains("winners: Any, certain: 0.55, iterations"),
            "{}",
            surer.stored_text()
        );
    }

    /// §4.3 and §4.7: all positions or only the certain ones; games of random moves.
    #[test]
    fn samples_are_as_certain_as_asked_for() {
        let games = ExpertGames { games: 60, depth: 0, ..ExpertGames::of_document(3) };
        let positions =
            database::play(&crate::pushover::referee::<4>(50), games, Watch::nobody()).unwrap().positions;
        let draw = |certain: f64, count: usize| {
            let config = PushoverTrainingConfig {
                certain,
                positions: count,
                ..PushoverTrainingConfig::of_document(Encoding::Cells, Winners::Any)
            };
            sample(&positions, &config, &mut Rng::new(1))
        };
        let least = |certain: f64| {
            let drawn = draw(certain, 200).unwrap();
            drawn.iter().map(|labelled| labelled.estimate.abs()).fold(1.0, f64::min)
        };
        assert!(least(0.0) < 0.1 && least(0.5) > 0.5 && least(0.8) > 0.8);
        let refused = draw(1.0, 2).unwrap_err().to_string();
        assert_eq!(
            refused,
            "the data base has only 0 positions of such games with |e| above 1: expected at least 2"
        );
        let lost = LabelledPosition { estimate: -0.4, ..positions[0] };
        assert_eq!([TargetLabel::Result, TargetLabel::Estimate].map(|target| target.of(&lost)), [0.0, 0.3]);
    }
}
