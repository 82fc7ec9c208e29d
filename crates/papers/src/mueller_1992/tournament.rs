//! §4.4–4.6 and §5.3: tournaments between a network and the expert, o against +, one or two levels deep.
//!
//! A cell is the share of games won by o; a draw is not a game won by o.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::{Player, Text};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert};
use outplay_players::{Minimax, TerminalAwareness};
use serde::{Deserialize, Serialize};

use super::report;
use super::trained_network::{ExpertDescription, LIMIT, Schooling, TrainedNetwork};
use crate::artefact::{Artefact, Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::Shares;
use outplay_arena::stats::Tally;
use outplay_lab::pushover::network::{Encoding, PushoverNetwork};
use outplay_lab::pushover::referee;
use outplay_lab::pushover::train::Winners;
use outplay_lab::registry::PlayerFactory;
use outplay_report::Section;

/// "The first 4 plies were played at random" (§4.4).
const RANDOM_PLIES: u32 = 4;

/// One of the four sides of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Competitor {
    /// Whether the network evaluates, or the expert.
    pub(crate) is_network: bool,
    /// Levels of search.
    pub(crate) depth: u32,
}

impl Competitor {
    /// In the order of the document's rows and columns.
    pub(crate) const ALL: [Self; 4] = [
        Self { is_network: true, depth: 1 },
        Self { is_network: true, depth: 2 },
        Self { is_network: false, depth: 1 },
        Self { is_network: false, depth: 2 },
    ];

    /// r1, r*2, e1 …
    pub(crate) fn name(self, sight: TerminalAwareness) -> String {
        let family = match (self.is_network, sight) {
            (false, _) => "e",
            (true, TerminalAwareness::Blind) => "r",
            (true, _) => "r*",
        };
        format!("{family}{}", self.depth)
    }
}

/// The expert at a depth.
pub(crate) fn expert(depth: u32) -> PlayerFactory<Pushover<4>> {
    let expert = PushoverExpert::<4>::new(ExpertWeights::default());
    Arc::new(move || Box::new(Minimax::new(expert.clone(), depth, TerminalAwareness::Outcomes)))
}

/// A network at a depth: r if blind, r* if not.
pub(crate) fn network(
    evaluator: &PushoverNetwork<4>,
    depth: u32,
    sight: TerminalAwareness,
) -> PlayerFactory<Pushover<4>> {
    let evaluator = evaluator.clone();
    Arc::new(move || -> Box<dyn Player<Pushover<4>>> {
        Box::new(Minimax::new(evaluator.clone(), depth, sight))
    })
}

/// A cell of a table: who plays o, who plays +.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeatPairing {
    pub(super) o: Competitor,
    pub(super) plus: Competitor,
}

impl SeatPairing {
    /// The sixteen cells, row by row.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let row = |o| Competitor::ALL.into_iter().map(move |plus| Self { o, plus });
        Competitor::ALL.into_iter().flat_map(row)
    }

    /// Whether a network plays in it.
    pub(super) const fn has_network(self) -> bool {
        self.o.is_network || self.plus.is_network
    }

    pub(super) fn name(self, sight: TerminalAwareness) -> String {
        format!("{} – {}", self.o.name(sight), self.plus.name(sight))
    }

    /// The key of its record; network `number` plays in it, or none.
    pub(super) fn key(self, sight: TerminalAwareness, number: Option<u64>) -> String {
        let who = number.map_or_else(|| "experts".to_owned(), |number| format!("network {number}"));
        format!("{who}: {}", self.name(sight))
    }
}

/// Plays a cell, o named first; results are o's.
pub(super) fn play(
    players: [&PlayerFactory<Pushover<4>>; 2],
    games: u64,
    key: &str,
    conditions: &Conditions<'_>,
) -> Result<Tally, WorkError> {
    let [o, plus] = players;
    let contestants = [Contestant { name: "o", make: &**o }, Contestant { name: "+", make: &**plus }];
    let plan = MatchPlan { games, random_plies: RANDOM_PLIES, fixed_seats: true, ..MatchPlan::default() };
    Ok(conditions.play(key, &referee::<4>(LIMIT), &contestants, &plan)?.tally())
}

/// The four cells without a network, which all tables share.
pub(super) struct Experts;

/// The artefact of [`Experts`]. The document repeats its numbers in every table.
pub(super) const EXPERTS: Artefact = Artefact {
    name: "experts",
    title: Text::new(
        "The expert against itself (the four cells that Tables 4.1–4.5 share)",
        "L’expert contre lui-même (les quatre cases communes aux tableaux 4.1 à 4.5)",
    ),
    experiment: &Experts,
};

#[derive(Serialize)]
pub(super) struct ExpertsConfig {
    games: u64,
    random_plies: u32,
    expert: ExpertDescription,
}

impl Experiment for Experts {
    type Config = ExpertsConfig;

    fn config(&self, scale: Scale) -> ExpertsConfig {
        let games = match scale {
            Scale::Smoke => 20,
            Scale::Desk => 5000,
            Scale::Full => 20_000,
        };
        ExpertsConfig { games, random_plies: RANDOM_PLIES, expert: ExpertDescription::default() }
    }

    fn run(
        &self,
        config: &ExpertsConfig,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for pairing in SeatPairing::all().filter(|pairing| !pairing.has_network()) {
            let key = pairing.key(TerminalAwareness::Outcomes, None);
            let players = [&expert(pairing.o.depth), &expert(pairing.plus.depth)];
            recorder.once(&key, || play(players, config.games, &key, conditions))?;
        }
        Ok(())
    }

    fn report(
        &self,
        _: &ExpertsConfig,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        report::experts(records, published)
    }
}

/// A table of the document, or of the same shape.
pub(super) struct NetworkTournament {
    /// The artefact's name, under which its numbers are published.
    pub(super) name: &'static str,
    /// What is special about it, for the report.
    pub(super) remark: &'static str,
    /// What the network sees.
    pub(super) encoding: Encoding,
    /// From whose won games it learns.
    pub(super) winners: Winners,
    /// Whether it is helped to see the end of the game: r or r*.
    pub(super) sight: TerminalAwareness,
}

#[derive(Serialize)]
pub(super) struct TournamentConfig {
    pub(super) networks: u64,
    pub(super) games: u64,
    random_plies: u32,
    sight: String,
    experts: ExpertsConfig,
    pub(super) schooling: Schooling,
}

/// How the training of a network went.
#[derive(Serialize, Deserialize)]
pub(super) struct LearningRecord {
    /// The seed with which the command line makes the same network.
    seed: u64,
    /// Half of its mean squared error after each iteration.
    pub(super) losses: Vec<f64>,
}

impl NetworkTournament {
    /// The keys of all records of a tournament.
    pub(super) fn keys(&self, config: &TournamentConfig) -> Vec<String> {
        let mut keys: Vec<String> =
            SeatPairing::all().flat_map(|pairing| self.keys_of(pairing, config)).collect();
        keys.extend((0..config.networks).map(learning_key));
        keys
    }

    fn keys_of(&self, pairing: SeatPairing, config: &TournamentConfig) -> Vec<String> {
        if pairing.has_network() {
            (0..config.networks).map(|number| pairing.key(self.sight, Some(number))).collect()
        } else {
            vec![pairing.key(self.sight, None)]
        }
    }

    /// The results of a cell, one tally per network.
    pub(super) fn tallies(
        &self,
        pairing: SeatPairing,
        config: &TournamentConfig,
        records: &Records,
    ) -> Result<Vec<Tally>, WorkError> {
        self.keys_of(pairing, config).iter().map(|key| records.get(key)).collect()
    }

    /// How the training of the networks went.
    pub(super) fn learning_records(
        config: &TournamentConfig,
        records: &Records,
    ) -> Result<Vec<LearningRecord>, WorkError> {
        (0..config.networks).map(|number| records.get(&learning_key(number))).collect()
    }
}

fn learning_key(number: u64) -> String {
    format!("network {number}")
}

impl Experiment for NetworkTournament {
    type Config = TournamentConfig;

    fn config(&self, scale: Scale) -> TournamentConfig {
        let (networks, games) = match scale {
            Scale::Smoke => (1, 20),
            Scale::Desk => (8, 500),
            Scale::Full => (30, 1000),
        };
        TournamentConfig {
            networks,
            games,
            random_plies: RANDOM_PLIES,
            sight: format!("{:?}", self.sight),
            experts: Experts.config(scale),
            schooling: Schooling::of(scale, self.encoding, self.winners),
        }
    }

    fn run(
        &self,
        config: &TournamentConfig,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let experts = conditions.run(&EXPERTS)?;
        for pairing in SeatPairing::all().filter(|pairing| !pairing.has_network()) {
            let key = pairing.key(self.sight, None);
            recorder.once(&key, || experts.get::<Tally>(&key))?;
        }
        for number in 0..config.networks {
            recorder.once(&learning_key(number), || {
                let trained = TrainedNetwork::get(&config.schooling, number, conditions)?;
                Ok(LearningRecord {
                    seed: TrainedNetwork::seed(number, conditions),
                    losses: trained.losses().to_vec(),
                })
            })?;
            for pairing in SeatPairing::all().filter(|pairing| pairing.has_network()) {
                let key = pairing.key(self.sight, Some(number));
                recorder.once(&key, || {
                    let evaluator = TrainedNetwork::get(&config.schooling, number, conditions)?
                        .evaluator(&config.schooling)?;
                    let player = |competitor: Competitor| {
                        if competitor.is_network {
                            network(&evaluator, competitor.depth, self.sight)
                        } else {
                            expert(competitor.depth)
                        }
                    };
                    let players = [&player(pairing.o), &player(pairing.plus)];
                    play(players, config.games, &key, conditions)
                })?;
            }
        }
        Ok(())
    }

    fn report(
        &self,
        config: &TournamentConfig,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        report::table(self, config, records, published)
    }
}

/// The share of games won by o.
pub(super) fn won_by_o(tallies: &[Tally]) -> Shares {
    Shares::of_groups(tallies.iter().map(|tally| (tally.wins, tally.games())).collect())
}
