//! §4.3 and §4.7: what becomes of a network that is shown other positions than the certain ones of the expert's games.
//!
//! Each kind of sample teaches several networks. They judge the positions of a new data base, and play the expert.

use outplay_core::{Evaluator, Oracle, Score, Text, Value};
use outplay_games::pushover::Pushover;
use outplay_games::pushover::database::LabelledPosition;
use outplay_games::pushover::solver::RepetitionRule;
use outplay_players::TerminalAwareness;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::tournament::{SeatPairing, expert, network, play};
use super::trained_network::{LIMIT, Schooling, TrainedNetwork};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use crate::share_difference::ShareDifference;
use outplay_arena::stats::Shares;
use outplay_lab::pushover::database::{self, ExpertGames};
use outplay_lab::pushover::network::{Encoding, PushoverNetwork};
use outplay_lab::pushover::train::{PushoverTrainingConfig, TargetLabel, Winners};
use outplay_lab::pushover::{referee, solution};
use outplay_report::{Block, Number, ReportCell, ReportTable, Section, english};

/// A kind of sample.
pub(super) struct SampleKind {
    label: &'static str,
    /// What its data base consists of.
    games: &'static str,
    /// Plies that the expert looks ahead in the games; 0 for random moves.
    depth: u32,
    certain: f64,
    target: TargetLabel,
}

/// The magic formula of §4.3.
const FORMULA: SampleKind = SampleKind {
    label: "|e| > 0.5, taught 1 or 0",
    games: "games of e2",
    depth: 2,
    certain: 0.5,
    target: TargetLabel::Result,
};

/// Several kinds of samples side by side.
pub(super) struct SampleStudy {
    remark: &'static str,
    kinds: &'static [SampleKind],
    /// Whether the data bases themselves are described.
    describes: bool,
}

/// §4.3: all positions, or the certain ones.
pub(super) const ALL_POSITIONS: SampleStudy = SampleStudy {
    remark: "§4.3: \"if one showed all positions (from the beginning of a game to its end), the network got confused and thought, after \
             learning, that all positions were won\"; with those of |e| > 0.5, taught as won or lost, it worked. The document does \
             not say what the positions were taught as before that: here as won or lost, and as the estimate itself.",
    kinds: &[
        FORMULA,
        SampleKind { label: "all, taught 1 or 0", certain: 0.0, ..FORMULA },
        SampleKind { label: "all, taught (1 + e)/2", certain: 0.0, target: TargetLabel::Estimate, ..FORMULA },
        SampleKind { label: "|e| > 0.8, taught 1 or 0", certain: 0.8, ..FORMULA },
    ],
    describes: false,
};

/// §4.7: games of random moves.
pub(super) const RANDOM_MOVES: SampleStudy = SampleStudy {
    remark: "§4.7: \"the expert is indispensable with this method. … If one had taken positions from random moves, one would have \
             observed two anomalies\": games that are longer and whose winner is not always the logical one, and positions with \
             the wrong label. The document did not try it. A label is wrong if the exact solution gives the game to the other side.",
    kinds: &[
        FORMULA,
        SampleKind { label: "games of e1", games: "games of e1", depth: 1, ..FORMULA },
        SampleKind { label: "games of random moves", games: "games of random moves", depth: 0, ..FORMULA },
    ],
    describes: true,
};

#[derive(Serialize)]
pub(super) struct SampleConfig {
    schoolings: Vec<Schooling>,
    networks: u64,
    games: u64,
    /// The data base that the networks judge.
    judged_games: u64,
}

/// What a network makes of positions that it never saw, and of the expert.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct SampleResult {
    /// Positions, and those that it calls won for the side that just moved.
    judged: u64,
    called_won: u64,
    /// The same of those past the middle of their game, and how many it judges as their game ended.
    late: u64,
    right: u64,
    /// Games against the expert, and those won.
    games: u64,
    won: u64,
}

/// What a data base is like.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct LabelCounts {
    games: u64,
    drawn: u64,
    won_by_o: u64,
    positions: u64,
    /// Positions past the middle of their game that are not drawn, and those with the wrong label.
    late: u64,
    wrong: u64,
}

/// Hits and tries of a result.
type Measured = fn(&SampleResult) -> (u64, u64);

impl SampleStudy {
    fn schooling(scale: Scale, kind: &SampleKind) -> Schooling {
        let usual = Schooling::of(scale, Encoding::Cells, Winners::Any);
        Schooling {
            games: ExpertGames { depth: kind.depth, ..usual.games },
            lesson: PushoverTrainingConfig { certain: kind.certain, target: kind.target, ..usual.lesson },
        }
    }

    fn key(kind: &SampleKind, number: u64) -> String {
        format!("{}: network {number}", kind.label)
    }

    fn labels_key(kind: &SampleKind) -> String {
        format!("{}: labels", kind.label)
    }

    fn results(
        config: &SampleConfig,
        kind: &SampleKind,
        records: &Records,
    ) -> Result<Vec<SampleResult>, WorkError> {
        (0..config.networks).map(|number| records.get(&Self::key(kind, number))).collect()
    }
}

impl Experiment for SampleStudy {
    type Config = SampleConfig;

    fn config(&self, scale: Scale) -> SampleConfig {
        let (networks, games, judged_games) = match scale {
            Scale::Smoke => (1, 10, 20),
            Scale::Desk => (4, 200, 300),
            Scale::Full => (20, 500, 1000),
        };
        let schoolings = self.kinds.iter().map(|kind| Self::schooling(scale, kind)).collect();
        SampleConfig { schoolings, networks, games, judged_games }
    }

    fn run(
        &self,
        config: &SampleConfig,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let judged = ExpertGames {
            games: config.judged_games,
            ..ExpertGames::of_document(conditions.seed_of("positions to judge"))
        };
        let judged = database::play(&referee::<4>(LIMIT), judged, conditions.watch)?.positions;
        for (kind, schooling) in self.kinds.iter().zip(&config.schoolings) {
            if self.describes {
                recorder.once(&Self::labels_key(kind), || LabelCounts::of(schooling, conditions))?;
            }
            for number in 0..config.networks {
                recorder.once(&Self::key(kind, number), || {
                    let trained = TrainedNetwork::get(schooling, number, conditions)?;
                    let evaluator = trained.evaluator(schooling)?;
                    let key = Self::key(kind, number);
                    let (games, won) = meet_experts(&evaluator, config.games, &key, conditions)?;
                    Ok(SampleResult { games, won, ..judge(evaluator, &judged) })
                })?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &SampleConfig, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut numbers = Vec::new();
        let measures: [(&str, Measured); 3] = [
            ("positions called won", |result| (result.called_won, result.judged)),
            ("late positions judged as their game ended", |result| (result.right, result.late)),
            ("games won against the expert", |result| (result.won, result.games)),
        ];
        for (measure, of) in measures {
            for kind in self.kinds {
                let shares = Self::results(config, kind, records)?.iter().map(of).collect();
                let name = format!("{}: {measure}", kind.label);
                numbers.push(Number::share(name, &Shares::of_groups(shares)));
            }
        }
        let mut blocks = vec![Block::text(self.remark)];
        if self.describes {
            blocks.push(Block::Table(self.labels(records)?));
        }
        blocks.push(Block::text(format!(
            "{} networks 16–16–1 of each kind, 3000 positions each, judge the positions of {} new games of e2; past the middle \
             of a game a position is late. Then each plays {} games a cell against e1 and e2, in both seats, one and two levels \
             deep, helped like r*. In %:",
            config.networks, config.judged_games, config.games
        )));
        blocks
            .push(Block::Table(Number::table(&numbers, Text::new("networks × trials", "réseaux × essais"))));
        let mut verdicts = self.verdicts(config, records)?;
        verdicts.push(if self.describes {
            self.anomalies(records)?
        } else {
            self.confusion(config, records)?
        });
        blocks.push(Block::Items(verdicts));
        Ok(Section { blocks, numbers })
    }
}

impl SampleStudy {
    /// Whether each kind plays the expert better or worse than the document's formula.
    fn verdicts(&self, config: &SampleConfig, records: &Records) -> Result<Vec<String>, WorkError> {
        let shares = |kind: &SampleKind| -> Result<Shares, WorkError> {
            let results = Self::results(config, kind, records)?;
            Ok(Shares::of_groups(results.iter().map(|result| (result.won, result.games)).collect()))
        };
        let first = shares(&self.kinds[0])?;
        let sentence = |kind: &SampleKind| {
            let gain = ShareDifference::of(&shares(kind)?, &first);
            let says = gain.say(["plays worse than", "cannot be told from", "plays better than"]);
            let (own, other) = (kind.label, self.kinds[0].label);
            Ok(format!("\"{own}\" {says} \"{other}\" in games against the expert: {gain}."))
        };
        self.kinds[1..].iter().map(sentence).collect()
    }

    /// Whether networks that are shown all positions call all of them won, as the document says.
    fn confusion(&self, config: &SampleConfig, records: &Records) -> Result<String, WorkError> {
        let called_won = |kind: &SampleKind| -> Result<String, WorkError> {
            let results = Self::results(config, kind, records)?;
            let shares = results.iter().map(|result| (result.called_won, result.judged)).collect();
            Ok(format!("{:.1}%", 100.0 * Shares::of_groups(shares).mean()))
        };
        let (formula, all) = (&self.kinds[0], &self.kinds[1]);
        Ok(format!(
            "The document's network thought that all positions were won. Ours call {} of them won (\"{}\") and {} (\"{}\").",
            called_won(all)?,
            all.label,
            called_won(formula)?,
            formula.label
        ))
    }

    /// How the document's two anomalies come out between the first data base and the last, that of random moves.
    fn anomalies(&self, records: &Records) -> Result<String, WorkError> {
        let counts_of = |kind: &SampleKind| records.get::<LabelCounts>(&Self::labels_key(kind));
        let (formula, random) = (&self.kinds[0], &self.kinds[self.kinds.len() - 1]);
        let (ours, others) = (counts_of(formula)?, counts_of(random)?);
        let (length, other_length) = (ours.moves_of_a_decided_game(), others.moves_of_a_decided_game());
        let longer = if other_length > length { "longer" } else { "not longer" };
        let (wrong, other_wrong) = (ours.wrong_share(), others.wrong_share());
        let more = if other_wrong > wrong { "more" } else { "no more" };
        Ok(format!(
            "The document's two anomalies: {} are {longer}, {other_length:.1} moves if they are decided against {length:.1}; wrong \
             labels are {more} frequent, {:.1}% against {:.1}%.",
            random.games,
            100.0 * other_wrong,
            100.0 * wrong
        ))
    }

    /// The data bases side by side.
    fn labels(&self, records: &Records) -> Result<ReportTable, WorkError> {
        let row = |kind: &SampleKind| -> Result<Vec<ReportCell>, WorkError> {
            let counts: LabelCounts = records.get(&Self::labels_key(kind))?;
            let decided = counts.decided();
            let percent = |part: u64, all: f64| format!("{:.1}", 100.0 * part as f64 / all);
            Ok(vec![
                ReportCell::from(kind.games),
                counts.games.to_string().into(),
                percent(counts.drawn, counts.games as f64).into(),
                percent(counts.won_by_o, decided).into(),
                format!("{:.1}", counts.moves_of_a_decided_game()).into(),
                format!("{:.1}", 100.0 * counts.wrong_share()).into(),
            ])
        };
        let head = [
            "data base",
            "games",
            "drawn, %",
            "won by o, %",
            "moves of a decided game",
            "wrong labels past the middle, %",
        ];
        let rows = self.kinds.iter().map(row).collect::<Result<_, WorkError>>()?;
        Ok(ReportTable { left: 1, head: english(head), rows })
    }
}

impl LabelCounts {
    fn decided(&self) -> f64 {
        (self.games - self.drawn).max(1) as f64
    }

    fn moves_of_a_decided_game(&self) -> f64 {
        self.positions as f64 / self.decided()
    }

    fn wrong_share(&self) -> f64 {
        self.wrong as f64 / self.late.max(1) as f64
    }

    /// The first network's data base.
    fn of(schooling: &Schooling, conditions: &Conditions<'_>) -> Result<Self, WorkError> {
        let games = ExpertGames { seed: TrainedNetwork::seed(0, conditions), ..schooling.games };
        let made = database::play(&referee::<4>(LIMIT), games, conditions.watch)?;
        let solution = solution(RepetitionRule::Forbidden, conditions.store, conditions.watch)?;
        let (mut late, mut wrong, mut won_by_o) = (0, 0, 0);
        for labelled in &made.positions {
            won_by_o += u64::from(labelled.estimate.abs() >= 1.0 && labelled.winner().index() == 0);
            if labelled.estimate.abs() <= 0.5 {
                continue;
            }
            // The value is that of the side to move, the label that of the side that just moved.
            let is_wrong = match solution.value(&labelled.position) {
                Value::Win(_) => labelled.estimate > 0.0,
                Value::Loss(_) => labelled.estimate < 0.0,
                Value::Draw => continue,
            };
            late += 1;
            wrong += u64::from(is_wrong);
        }
        let positions = made.positions.len() as u64;
        Ok(Self { games: games.games, drawn: made.drawn, won_by_o, positions, late, wrong })
    }
}

/// What the network says of positions.
fn judge(mut evaluator: PushoverNetwork<4>, positions: &[LabelledPosition<4>]) -> SampleResult {
    let mut result = SampleResult::default();
    for labelled in positions {
        let is_won = says_won(&mut evaluator, &labelled.position);
        result.judged += 1;
        result.called_won += u64::from(is_won);
        if labelled.estimate.abs() > 0.5 {
            result.late += 1;
            result.right += u64::from(is_won == (labelled.estimate > 0.0));
        }
    }
    result
}

/// Whether the network holds the position for won by the side that just moved.
fn says_won(evaluator: &mut PushoverNetwork<4>, position: &Pushover<4>) -> bool {
    evaluator.score(position) < Score::eval(0)
}

/// The games against the expert, and those that the network wins.
fn meet_experts(
    evaluator: &PushoverNetwork<4>,
    games: u64,
    key: &str,
    conditions: &Conditions<'_>,
) -> Result<(u64, u64), WorkError> {
    let sight = TerminalAwareness::Outcomes;
    let (mut all, mut won) = (0, 0);
    for pairing in SeatPairing::all().filter(|pairing| pairing.o.is_network != pairing.plus.is_network) {
        let player = |depth: u32, is_network: bool| {
            if is_network { network(evaluator, depth, sight) } else { expert(depth) }
        };
        let players = [
            &player(pairing.o.depth, pairing.o.is_network),
            &player(pairing.plus.depth, pairing.plus.is_network),
        ];
        let tally = play(players, games, &format!("{key}: {}", pairing.name(sight)), conditions)?;
        all += tally.games();
        won += if pairing.o.is_network { tally.wins } else { tally.losses };
    }
    Ok((all, won))
}
