//! Networks trained on the expert's games (§3 and §4.1–4.3; §5.1–5.2 for the second approach).
//!
//! A network follows from its schooling and its seed. It is the network that
//! `outplay train pushover bfgs` makes with the same parameters and seed, and is stored once made.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::Seat;
use outplay_games::pushover::ExpertWeights;
use outplay_nn::Network;
use serde::{Serialize, Serializer};

use crate::artefact::{Conditions, Scale};
use outplay_lab::pushover::database::{self, ExpertGames};
use outplay_lab::pushover::network::{Encoding, PushoverNetwork};
use outplay_lab::pushover::referee;
use outplay_lab::pushover::train::{PushoverTraining, PushoverTrainingConfig, TargetLabel, Winners};
use outplay_runtime::{Progress, Watch};
use outplay_training::Training;

/// The document's limit: a game of this many plies is a draw (§2.1).
pub(crate) const LIMIT: u32 = 50;

/// How a network is trained: on which games, and with which parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schooling {
    /// The games; each network has its own seed.
    pub(crate) games: ExpertGames,
    /// The parameters of the training.
    pub(crate) lesson: PushoverTrainingConfig,
}

impl Schooling {
    /// The document's, or for a smoke test a tenth of it.
    pub(crate) const fn of(scale: Scale, encoding: Encoding, winners: Winners) -> Self {
        let document = Self {
            games: ExpertGames::of_document(0),
            lesson: PushoverTrainingConfig::of_document(encoding, winners),
        };
        match scale {
            Scale::Smoke => Self {
                games: ExpertGames { games: 300, ..document.games },
                lesson: PushoverTrainingConfig { positions: 300, iterations: 30, ..document.lesson },
            },
            Scale::Desk | Scale::Full => document,
        }
    }
}

/// Everything that decides a network, as it is stored in configurations.
#[derive(Serialize)]
struct SchoolingDescription {
    games: u64,
    random_plies: u32,
    expert_depth: u32,
    expert: ExpertDescription,
    encoding: &'static str,
    winners: &'static str,
    hidden: usize,
    positions: usize,
    iterations: u64,
    loss: String,
    /// What was added later is left out at its default, so that earlier networks are found again.
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

/// The weights of the expert, so that a run with others is another run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ExpertDescription {
    own: i32,
    enemy: i32,
    penalty: i32,
}

impl Default for ExpertDescription {
    fn default() -> Self {
        let ExpertWeights { own, enemy, penalty } = ExpertWeights::default();
        Self { own, enemy, penalty }
    }
}

impl Serialize for Schooling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { games, lesson } = self;
        let described = SchoolingDescription {
            games: games.games,
            random_plies: games.opening,
            expert_depth: games.depth,
            expert: ExpertDescription::default(),
            encoding: lesson.encoding.name(),
            winners: match lesson.winners {
                Winners::Any => "any",
                Winners::Balanced => "balanced",
                Winners::Only(Seat::First) => "o",
                Winners::Only(Seat::Second) => "plus",
            },
            hidden: lesson.hidden,
            positions: lesson.positions,
            iterations: lesson.iterations,
            loss: format!("{:?}", lesson.loss),
            certain: (lesson.certain != 0.5).then_some(lesson.certain),
            target: (lesson.target != TargetLabel::Result).then(|| format!("{:?}", lesson.target)),
        };
        described.serialize(serializer)
    }
}

/// A trained network.
pub(crate) struct TrainedNetwork {
    /// The network, with what its file says about it.
    network: Network<f64>,
    /// Half of the mean squared error on the sample after each iteration.
    losses: Vec<f64>,
}

/// The key of the losses in a network's file.
const LOSSES: &str = "losses";

impl TrainedNetwork {
    /// Network `number` of this schooling under the conditions' seed.
    pub(crate) fn get(
        schooling: &Schooling,
        number: u64,
        conditions: &Conditions<'_>,
    ) -> Result<Arc<Self>, WorkError> {
        let seed = Self::seed(number, conditions);
        let described = serde_json::to_string(schooling).expect("a schooling is plain data");
        let name = format!(
            "networks/pushover/{:016x}-{seed}.safetensors",
            crate::artefact::fingerprint(described.as_bytes())
        );
        conditions.store.keep(&name, Self::decode, Self::encode, || {
            let show = |progress: Progress<'_>| {
                let part = format!("network {}: {}", number + 1, progress.task);
                conditions.show(&part, progress.done, progress.total, progress.unit);
            };
            Self::train(schooling, seed, Watch::new(conditions.watch.stop_flag(), &show))
        })
    }

    /// The seed of network `number`: of its games, its sample and its first weights.
    pub(crate) fn seed(number: u64, conditions: &Conditions<'_>) -> u64 {
        conditions.seed_of(&format!("network {number}"))
    }

    fn train(schooling: &Schooling, seed: u64, watch: Watch<'_>) -> Result<Self, WorkError> {
        let games = ExpertGames { seed, ..schooling.games };
        let database = database::play(&referee::<4>(LIMIT), games, watch)?;
        let mut teaching = PushoverTraining::new(&database.positions, schooling.lesson, seed)?;
        let mut losses = Vec::new();
        loop {
            watch.check()?;
            let step = teaching.step(watch)?;
            watch.show(Progress { task: "learning", done: step.done, total: step.total, unit: "iterations" });
            losses.extend(step.record["loss"].as_f64());
            if step.finished {
                break;
            }
        }
        let network = Network::from_safetensors(&teaching.product())?;
        Ok(Self { network, losses })
    }

    fn encode(&self) -> Vec<u8> {
        let losses = self.losses.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        self.network.to_safetensors(&[(LOSSES, &losses)])
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let network = Network::from_safetensors(bytes).ok()?;
        let losses = network.note(LOSSES)?.split(' ').map(|loss| loss.parse().ok()).collect::<Option<_>>()?;
        Some(Self { network, losses })
    }

    /// The network as an evaluator of positions.
    pub(crate) fn evaluator(&self, schooling: &Schooling) -> Result<PushoverNetwork<4>, WorkError> {
        Ok(PushoverNetwork::new(&self.network, schooling.lesson.encoding)?)
    }

    /// Half of the mean squared error on the sample after each iteration.
    pub(super) fn losses(&self) -> &[f64] {
        &self.losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_survives_its_file_and_plays_like_the_command_lines() {
        let schooling = Schooling {
            games: ExpertGames { games: 30, ..ExpertGames::of_document(0) },
            lesson: PushoverTrainingConfig {
                positions: 50,
                iterations: 3,
                ..PushoverTrainingConfig::of_document(Encoding::Cells, Winners::Any)
            },
        };
        let trained = TrainedNetwork::train(&schooling, 7, Watch::nobody()).unwrap();
        assert_eq!(trained.losses.len(), 3);
        let back = TrainedNetwork::decode(&trained.encode()).unwrap();
        assert_eq!(back.encode(), trained.encode());
        assert_eq!(back.losses, trained.losses);
        PushoverNetwork::<4>::read(&trained.encode(), "the pupil").unwrap();
        assert!(TrainedNetwork::decode(b"nonsense").is_none());
    }
}
