//! Push-over in the lab: its players, its networks, its exact solution.

mod bench;
pub mod database;
pub mod network;
pub mod train;

use std::sync::Arc;

use outplay_core::{Oracle, PositionNotation, Referee};
use outplay_games::pushover::encode::PushoverEncoder;
use outplay_games::pushover::solver::{self, PushoverSolution, RepetitionRule};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert};

use crate::error::LabError;
use crate::learning::{LearntNetwork, SelfPlayGame};
use crate::registry::{
    BoardDef, DataDef, DataReport, DataRequest, EvaluatorDef, Facts, GameDef, Listing, Measure, MethodDef,
    OpenGame, Preset,
};
use crate::spec::{Param, ParamKind, Values};
use crate::store::Store;
use database::ExpertGames;
use network::PushoverNetwork;
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Progress, Watch};

const NAME: &str = "pushover";
const SUMMARY: &str = "push pieces in from the edges; a full line of your own wins (Müller 1992)";

/// Push-over on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(NAME, "Push-over", SUMMARY, PARAMS, |spec, values, store| {
        let plies = values.optional_whole("plies").map(|plies| plies as u32);
        Ok(match values.whole("size") {
            5 => board::<5>(referee(plies.unwrap_or(100))).open(spec, store),
            _ => solved(board::<4>(referee(plies.unwrap_or(50)))).open(spec, store),
        })
    })
    .with_presets(&[
        Preset { title: "Standard", detail: "4 × 4", game: NAME },
        Preset { title: "Large", detail: "5 × 5", game: "pushover:size=5" },
    ])
    .with_picture("o+....o.+o....+.-+")
}

const PARAMS: &[Param] = &[
    Param { name: "size", kind: ParamKind::Whole(4, 5), default: Some("4"), help: "cells along an edge" },
    Param {
        name: "plies",
        kind: ParamKind::Whole(1, 10_000),
        default: None,
        help: "a game of this many moves is a draw (50 on 4×4, 100 on 5×5)",
    },
];

/// The referee: a game of `plies` moves is a draw.
pub fn referee<const N: usize>(plies: u32) -> Referee<Pushover<N>> {
    Referee { start: Pushover::START, repetitions: None, max_plies: Some(plies) }
}

/// A board of any size with all that it offers but for exact values.
fn board<const N: usize>(referee: Referee<Pushover<N>>) -> OpenGame<Pushover<N>>
where
    Pushover<N>: SelfPlayGame,
{
    OpenGame::refereed(NAME, SUMMARY, referee)
        .evaluator("expert", "the hand-written evaluation of 1982 and 1992", EXPERT_PARAMS, |values| {
            Ok(expert::<N>(values))
        })
        .evaluator_def(EvaluatorDef::new(
            "net",
            "a network, taught by the expert's games or by itself",
            if N == 4 { NET_PARAMS } else { OWN_NET_PARAMS },
            |board, values| match values.optional_file("file") {
                Some(path) if outplay_nn::is_npz(&read_bytes(path)?) => {
                    Ok(Box::new(LearntNetwork::open(board, path)?.evaluator()))
                }
                _ => Ok(Box::new(network::<N>(values)?)),
            },
        ))
        .preset("expert")
        .preset("net")
        .method(MethodDef::new(
            "bfgs",
            "a network taught by the expert's games (Müller 1992)",
            [train::PARAMS, database::PARAMS].concat(),
            &[Measure::LOSS],
            |game, values, seed, _, watch| train::begin(game, values, seed, watch),
        ))
        .self_play("selftaught")
        .editor()
        .data(DataDef {
            listing: Listing {
                name: "data",
                summary: "positions of games of the expert against itself, each with who won (Müller 1992)",
                params: database::PARAMS.to_vec(),
            },
            run: data,
        })
        .opponents("alphabeta:depth=6", "alphabeta:depth=8,candidates=20", "alphabeta:depth=4")
        .bench(|game, _, watch| bench::measure(game, watch))
}

/// The 4×4 board with its exact values.
fn solved(board: OpenGame<Pushover<4>>) -> OpenGame<Pushover<4>> {
    board.solver(
        true,
        |_| true,
        |request| {
            let rule = if request.no_ko { RepetitionRule::Allowed } else { RepetitionRule::Forbidden };
            solution(rule, request.store, request.watch)
        },
        counts,
    )
}

/// The players of the 4×4 board.
pub fn solved_board(plies: u32) -> BoardDef<Referee<Pushover<4>>> {
    solved(board(referee(plies))).into_board()
}

fn data<const N: usize>(
    game: &Referee<Pushover<N>>,
    request: &DataRequest<'_>,
    watch: Watch<'_>,
) -> Result<DataReport, LabError> {
    match *request {
        DataRequest::Make { resume: true, .. } => Err(LabError::NothingToResume),
        DataRequest::Make { spec, seed, out, .. } => {
            let values = spec.resolve("the data base of Push-over", database::PARAMS)?;
            let made = database::play(game, ExpertGames::of(&values, seed), watch)?;
            database::write(out, &made.positions)?;
            Ok(database::report(&made.positions, Some(made.drawn)))
        }
        DataRequest::Describe(path) => Ok(database::report(&database::read::<N>(path)?, None)),
    }
}

const EXPERT_PARAMS: &[Param] = &[
    Param {
        name: "own",
        kind: ParamKind::Whole(0, 100),
        default: Some("3"),
        help: "weight of one's own lines",
    },
    Param {
        name: "enemy",
        kind: ParamKind::Whole(0, 100),
        default: Some("2"),
        help: "weight of the enemy's lines",
    },
    Param {
        name: "penalty",
        kind: ParamKind::Whole(0, 1000),
        default: Some("25"),
        help: "taken off for a row or column one short of full whose end an enemy holds",
    },
];

const NET_PARAMS: &[Param] = &[Param {
    name: "file",
    kind: ParamKind::File,
    default: None,
    help: "a trained network (on 4×4, if none is given, the one that comes with the program)",
}];

/// The same on a board for which no network comes with the program.
const OWN_NET_PARAMS: &[Param] = &[NET_PARAMS[0].needed()];

/// The networks that come with the program: `models/README.md` says how they were made.
const SHIPPED: &[u8] = include_bytes!("../../../../models/pushover-r.safetensors");
const SELF_TAUGHT: &[u8] = include_bytes!("../../../../models/pushover-selftaught.npz");

fn expert<const N: usize>(values: &Values) -> PushoverExpert<N> {
    let weight = |name| values.whole(name) as i32;
    PushoverExpert::new(ExpertWeights {
        own: weight("own"),
        enemy: weight("enemy"),
        penalty: weight("penalty"),
    })
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

impl SelfPlayGame for Pushover<4> {
    type Encoder = PushoverEncoder;
    const ENCODINGS: &'static [&'static str] = &["colours"];

    fn encoder(&self, _name: &str) -> PushoverEncoder {
        PushoverEncoder
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 4)]
    }

    fn shipped(&self) -> Option<&'static [u8]> {
        Some(SELF_TAUGHT)
    }

    fn oracle(&self, store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError> {
        Ok(solution(RepetitionRule::Forbidden, store, watch)?)
    }
}

impl SelfPlayGame for Pushover<5> {
    type Encoder = PushoverEncoder;
    const ENCODINGS: &'static [&'static str] = &["colours"];

    fn encoder(&self, _name: &str) -> PushoverEncoder {
        PushoverEncoder
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 5)]
    }
}

/// The exact solution, from the store or made on the spot.
pub fn solution(
    rule: RepetitionRule,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Arc<PushoverSolution>, LabError> {
    let name = match rule {
        RepetitionRule::Forbidden => "tables/pushover-4x4.bin",
        RepetitionRule::Allowed => "tables/pushover-4x4-no-ko.bin",
    };
    let build = || {
        let show = |solver::SolverProgress { done, total }| {
            watch.show(Progress { task: "solving Push-over 4×4", done, total, unit: "boards" });
        };
        PushoverSolution::solve(rule, &show, watch.stop_flag()).ok_or(LabError::Stopped)
    };
    let decode =
        |bytes: &[u8]| PushoverSolution::from_bytes(bytes).ok().filter(|solution| solution.rule() == rule);
    store.keep(name, decode, PushoverSolution::to_bytes, build)
}

/// What the whole table holds.
fn counts(solution: &PushoverSolution) -> Facts {
    let census = solution.census();
    let tally = |tally: solver::PushoverValueCounts| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;
    use train::{PushoverTrainingConfig, Winners};

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        let values =
            |owner: &str, params: &[Param]| owner.parse::<Spec>().unwrap().resolve(owner, params).unwrap();
        let weights = values("expert", EXPERT_PARAMS);
        let shown = ["own", "enemy", "penalty"].map(|name| weights.whole(name) as i32);
        let ExpertWeights { own, enemy, penalty } = ExpertWeights::default();
        assert_eq!(shown, [own, enemy, penalty]);
        let config = values("bfgs", train::PARAMS);
        assert_eq!(
            PushoverTrainingConfig::of(&config),
            PushoverTrainingConfig::of_document(network::Encoding::Cells, Winners::Any)
        );
        assert_eq!(ExpertGames::of(&values("data", database::PARAMS), 7), ExpertGames::of_document(7));
    }
}
