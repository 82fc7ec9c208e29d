//! Push-over in the lab: its entry in the registry, its players, its networks, its exact solution.
//!
//! Belongs here: what joins the game to the methods. Does not belong here: rules (in `games`), methods (in
//! `players`), the document's tables (in `papers`).

mod bench;
pub mod database;
pub mod network;
pub mod teach;

use std::io::BufRead;
use std::sync::Arc;

use outplay_core::{Game, Open, Oracle, Rng, Written};
use outplay_games::pushover::encode::Colours;
use outplay_games::pushover::solver::{self, Repetition, Solution};
use outplay_games::pushover::{Expert, ExpertWeights, Pushover};
use outplay_players::Even;

use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::files::read_bytes;
use crate::learning::{Pupil, Taught, self_play_methods, self_taught_players};
use crate::record::ToldGames;
use crate::registry::{
    Answer, DataReport, DataRequest, Dwelling, EvaluationRequest, EvaluatorEntry, EvaluatorUser, Facts,
    FixedDepth, GameEntry, Hosted, House, Judged, LOSS, Listing, MethodEntry, PlayerEntry, Question,
    exact_answer, hire_perfect, hire_preset, judged_by_playing, made_in_one_go, names, open_players,
    perfect_player, told_by_records,
};
use crate::spec::{Kind, Param, Spec, Values};
use crate::store::Store;
use crate::watch::{Progress, Watch};
use database::SelfPlay;
use network::PushoverNetwork;

/// The line of Push-over in the registry.
pub(crate) const ENTRY: GameEntry = GameEntry {
    name: "pushover",
    summary: "push pieces in from the edges; a full line of your own wins (Müller 1992)",
    params: &[
        Param { name: "size", kind: Kind::Whole(4, 5), default: Some("4"), help: "cells along an edge" },
        Param {
            name: "plies",
            kind: Kind::Whole(1, 10_000),
            default: None,
            help: "a game of this many moves is a draw (50 on 4×4, 100 on 5×5)",
        },
    ],
    open,
};

#[expect(clippy::unnecessary_wraps, reason = "other games refuse some parameters")]
fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn House>, LabError> {
    let plies = values.optional_whole("plies").map(|plies| plies as u32);
    Ok(match values.whole("size") {
        5 => Box::new(Dwelling { spec, game: Arc::new(referee::<5>(plies.unwrap_or(100))), store }),
        _ => Box::new(Dwelling { spec, game: Arc::new(referee::<4>(plies.unwrap_or(50))), store }),
    })
}

/// The referee: a game of `plies` moves is a draw.
pub fn referee<const N: usize>(plies: u32) -> Open<Pushover<N>> {
    Open { start: Pushover::START, repetitions: None, max_plies: Some(plies) }
}

const EXPERT_PARAMS: &[Param] = &[
    Param { name: "own", kind: Kind::Whole(0, 100), default: Some("3"), help: "weight of one's own lines" },
    Param {
        name: "enemy",
        kind: Kind::Whole(0, 100),
        default: Some("2"),
        help: "weight of the enemy's lines",
    },
    Param {
        name: "penalty",
        kind: Kind::Whole(0, 1000),
        default: Some("25"),
        help: "taken off for a row or column one short of full whose end an enemy holds",
    },
];

const NET_PARAMS: &[Param] = &[Param {
    name: "file",
    kind: Kind::File,
    default: None,
    help: "a trained network (on 4×4, if none is given, the one that comes with the program)",
}];

const EXPERT: EvaluatorEntry = EvaluatorEntry {
    name: "expert",
    summary: "the hand-written evaluation of 1982 and 1992",
    params: EXPERT_PARAMS,
};
const NET: EvaluatorEntry = EvaluatorEntry {
    name: "net",
    summary: "a network, taught by the expert's games or by itself",
    params: NET_PARAMS,
};
const EVEN: EvaluatorEntry = EvaluatorEntry { name: "even", summary: "knows nothing", params: &[] };
const EVALUATORS: [EvaluatorEntry; 3] = [EXPERT, NET, EVEN];

/// The networks that come with the program: `models/README.md` says how they were made.
const SHIPPED: &[u8] = include_bytes!("../../../../models/pushover-r.safetensors");
const SELF_TAUGHT: &[u8] = include_bytes!("../../../../models/pushover-selftaught.npz");

fn expert<const N: usize>(values: &Values) -> Expert<N> {
    let weight = |name| values.whole(name) as i32;
    Expert::new(ExpertWeights { own: weight("own"), enemy: weight("enemy"), penalty: weight("penalty") })
}

/// The network in the file that was named, or the one that comes with the program.
pub fn network<const N: usize>(values: &Values) -> Result<PushoverNetwork<N>, LabError> {
    match values.optional_file("file") {
        Some(path) => PushoverNetwork::open(path),
        None if N == 4 => PushoverNetwork::read(SHIPPED, "the network of the program"),
        None => Err(LabError::refused(format!(
            "no network for the {N}×{N} board comes with the program: give file="
        ))),
    }
}

impl<const N: usize> Judged for Pushover<N>
where
    Pushover<N>: Solvable,
{
    const EVALUATORS: &'static [EvaluatorEntry] = &EVALUATORS;
    const NAMES: &'static [&'static str] = &names(&EVALUATORS);
    const DEPTH: u32 = 6;
    const LEAVES: (&'static str, &'static str) = ("random", "0.5");

    fn with_evaluator<U: EvaluatorUser<Self>>(
        &self,
        name: &str,
        values: &Values,
        _store: &Store,
        user: U,
    ) -> Result<U::Output, LabError> {
        Ok(match name {
            "expert" => user.take(expert(values)),
            "net" => match values.optional_file("file") {
                Some(path) if outplay_nn::is_npz(&read_bytes(path)?) => {
                    user.take(Pupil::open(self, path)?.evaluator())
                }
                _ => user.take(network(values)?),
            },
            _ => user.take(Even),
        })
    }
}

impl<const N: usize> Taught for Pushover<N>
where
    Pushover<N>: Solvable,
{
    type Encoder = Colours;
    const ENCODINGS: &'static [&'static str] = &["colours"];

    fn encoder(&self, _name: &str) -> Colours {
        Colours
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", N as i64)]
    }

    fn shipped(&self) -> Option<&'static [u8]> {
        (N == 4).then_some(SELF_TAUGHT)
    }

    fn oracle(&self, store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError> {
        <Self as Solvable>::oracle(store, watch)
    }
}

/// A method over a fixed evaluator, under the evaluator's own name: `expert:depth=2`, `net:depth=1`.
fn preset<const N: usize>(evaluator: &EvaluatorEntry) -> PlayerEntry<Open<Pushover<N>>>
where
    Pushover<N>: Solvable,
{
    let params = [FixedDepth::PARAMS, evaluator.params].concat();
    PlayerEntry {
        listing: Listing { name: evaluator.name, summary: evaluator.summary, params },
        hire: |game, spec, store, _| {
            hire_preset(&game.start, spec, store, FixedDepth::PARAMS, |values| Ok(FixedDepth::of(values)))
        },
    }
}

/// The exact solution, from the store or made on the spot.
pub fn solution(rule: Repetition, store: &Store, watch: Watch<'_>) -> Result<Arc<Solution>, LabError> {
    let name = match rule {
        Repetition::Forbidden => "tables/pushover-4x4.bin",
        Repetition::Allowed => "tables/pushover-4x4-no-ko.bin",
    };
    let build = || {
        let show = |solver::Progress { done, total }| {
            watch.show(Progress { task: "solving Push-over 4×4", done, total, unit: "boards" });
        };
        Solution::solve(rule, &show, watch.stop_flag()).ok_or(LabError::Stopped)
    };
    let decode = |bytes: &[u8]| Solution::from_bytes(bytes).ok().filter(|solution| solution.rule() == rule);
    store.keep(name, decode, Solution::to_bytes, build)
}

/// The boards that have an exact solution, and those that do not.
trait Solvable: Written + Sized {
    /// The player who knows it.
    fn perfect() -> Option<PlayerEntry<Open<Self>>>;

    /// The solution of the game as it is played.
    fn oracle(store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError>;

    /// What it says.
    fn answer(
        &self,
        rule: Repetition,
        plies_left: Option<u32>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError>;
}

impl Solvable for Pushover<5> {
    fn perfect() -> Option<PlayerEntry<Open<Self>>> {
        None
    }

    fn oracle(_: &Store, _: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError> {
        Err(not_solved())
    }

    fn answer(&self, _: Repetition, _: Option<u32>, _: &Store, _: Watch<'_>) -> Result<Answer, LabError> {
        Err(not_solved())
    }
}

fn not_solved() -> LabError {
    LabError::refused("pushover:size=5 is not solved (3²⁵ boards are too many): expected size=4")
}

impl Solvable for Pushover<4> {
    fn perfect() -> Option<PlayerEntry<Open<Self>>> {
        Some(perfect_player(|_, spec, store, watch| {
            hire_perfect(spec, || <Self as Solvable>::oracle(store, watch))
        }))
    }

    fn oracle(store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError> {
        Ok(solution(Repetition::Forbidden, store, watch)?)
    }

    fn answer(
        &self,
        rule: Repetition,
        plies_left: Option<u32>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError> {
        let solution = solution(rule, store, watch)?;
        Ok(exact_answer(&*solution, self, plies_left, counts(&solution)))
    }
}

/// What the whole table holds.
fn counts(solution: &Solution) -> Facts {
    let census = solution.census();
    let tally = |tally: solver::Tally| {
        serde_json::json!({
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "longest_win": tally.longest.as_ref().map(|longest| longest.plies),
            "longest_win_position": tally.longest.map(|longest| longest.example.write()),
        })
    };
    let mut counts = Facts::new();
    counts.insert("boards".into(), tally(census.boards));
    counts.insert("with_a_forbidden_board".into(), tally(census.restricted));
    counts.insert("finished_boards".into(), census.finished.into());
    counts
}

impl<const N: usize> Hosted for Pushover<N>
where
    Pushover<N>: Solvable,
{
    const NAME: &'static str = ENTRY.name;
    const OPPONENT: &'static str = "alphabeta:depth=6";
    const ANALYST: &'static str = "alphabeta:depth=8,candidates=20";
    const REVIEWER: &'static str = "alphabeta:depth=4";
    const HAS_KO: bool = true;

    fn players() -> Vec<PlayerEntry<Open<Self>>> {
        let mut players = open_players::<Pushover<N>>();
        players.extend([&EXPERT, &NET].map(preset));
        players.extend(self_taught_players("selftaught"));
        players.extend(Pushover::<N>::perfect());
        players
    }

    fn methods() -> Vec<MethodEntry<Open<Self>>> {
        let listing = Listing {
            name: "bfgs",
            summary: "a network taught by the expert's games (Müller 1992)",
            params: [teach::PARAMS, database::PARAMS].concat(),
        };
        let bfgs = MethodEntry {
            listing,
            measures: &[LOSS],
            begin: |game, values, seed, _, watch| teach::begin(game, values, seed, watch),
        };
        std::iter::once(bfgs).chain(self_play_methods()).collect()
    }

    fn exams() -> Vec<MethodEntry<Open<Self>>> {
        Vec::new()
    }

    fn chores() -> Vec<Listing> {
        let summary = "positions of games of the expert against itself, each with who won (Müller 1992)";
        vec![Listing { name: "data", summary, params: database::PARAMS.to_vec() }]
    }

    fn around(game: &Open<Self>, _position: &str) -> Result<Open<Self>, LabError> {
        Ok(game.clone())
    }

    fn solve(
        game: &Open<Self>,
        question: &Question<'_, Open<Self>>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError> {
        let rule = if question.no_ko { Repetition::Allowed } else { Repetition::Forbidden };
        question.state.now.answer(rule, game.plies_left(question.state), store, watch)
    }

    fn bench(game: &Open<Self>, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        bench::measure(game, watch)
    }

    fn data(game: &Open<Self>, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        match *request {
            DataRequest::Make { resume: true, .. } => Err(made_in_one_go()),
            DataRequest::Make { spec, seed, out, .. } => {
                let values = spec.resolve("the data base of Push-over", database::PARAMS)?;
                let made = database::play(game, SelfPlay::of(&values, seed), watch)?;
                database::write(out, &made.positions)?;
                Ok(database::report(&made.positions, Some(made.drawn)))
            }
            DataRequest::Describe(path) => Ok(database::report(&database::read::<N>(path)?, None)),
        }
    }

    fn evaluate(_: &Open<Self>, _: &EvaluationRequest<'_>, _: Watch<'_>) -> Result<DataReport, LabError> {
        Err(judged_by_playing::<Self>())
    }

    fn console() -> Result<Box<dyn Console>, LabError> {
        Err(LabError::refused("pushover has no console: expected quoridor"))
    }

    fn read_games<'a>(_: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        Err(told_by_records(ENTRY.name))
    }

    fn another_board(_: &Open<Self>, _replay: u32, _rng: &mut Rng) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use teach::{Lesson, Winners};

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        let values =
            |owner: &str, params: &[Param]| owner.parse::<Spec>().unwrap().resolve(owner, params).unwrap();
        let weights = values("expert", EXPERT_PARAMS);
        let shown = ["own", "enemy", "penalty"].map(|name| weights.whole(name) as i32);
        let ExpertWeights { own, enemy, penalty } = ExpertWeights::default();
        assert_eq!(shown, [own, enemy, penalty]);
        let lesson = values("bfgs", teach::PARAMS);
        assert_eq!(Lesson::of(&lesson), Lesson::of_document(network::Encoding::Cells, Winners::Any));
        assert_eq!(SelfPlay::of(&values("data", database::PARAMS), 7), SelfPlay::of_document(7));
    }
}
