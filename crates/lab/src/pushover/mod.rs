//! Push-over in the lab: its players, its networks, its exact solution.

mod bench;
pub mod database;
pub mod network;
pub mod train;

use std::sync::Arc;

use outplay_core::{Oracle, PositionNotation, Referee, Text};
use outplay_games::pushover::encode::PushoverEncoder;
use outplay_games::pushover::solver::{self, PushoverSolution, RepetitionRule};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert, PushoverSeatEncoder};

use crate::error::BoardError;
use crate::learning::{LearntNetwork, SelfPlayGame};
use crate::params;
use crate::params::ModelFile;
use crate::registry::{
    BoardDef, DataDef, DataReport, DataRequest, EvaluatorDef, Facts, GameDef, Measure, MethodDef, OpenGame,
    Preset,
};
use crate::store::{Solvable, Store};
use database::{ExpertGames, ExpertGamesParams};
use network::{PushoverNetwork, PushoverNetworkError};
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Progress, Watch, WorkError};
use train::BfgsParams;

const NAME: &str = "pushover";
const SUMMARY: Text = Text::new(
    "push pieces in from the edges; a full line of your own wins (Müller 1992)",
    "pousser des pions depuis les bords ; une ligne complète gagne (Müller 1992)",
);

static PRESETS: [Preset; 2] = [
    Preset { title: Text::new("Standard", "Classique"), detail: "4 × 4", game: NAME },
    Preset { title: Text::new("Large", "Grand"), detail: "5 × 5", game: "pushover:size=5" },
];

/// Push-over on the list of games.
pub(crate) fn game() -> GameDef {
    let title = Text::new("Push-over", "Push-over");
    GameDef::new(NAME, title, SUMMARY, PushoverParams::default(), |spec, params, store| {
        Ok(match params.size {
            5 => board::<5>(referee(params.plies.unwrap_or(100))).open(spec, store),
            _ => solved(board::<4>(referee(params.plies.unwrap_or(50)))).open(spec, store),
        })
    })
    .with_presets(&PRESETS)
    .with_picture("o+....o.+o....+.-+")
}

params! {
    /// A board of Push-over.
    struct PushoverParams {
        size: u8 = 4, in 4..=5, "cells along an edge" | "cases le long d’un bord";
        plies: Option<u32> = None, in 1..=10_000,
            "a game of this many moves is a draw (50 on 4×4, 100 on 5×5)"
            | "une partie de tant de coups est nulle (50 sur 4×4, 100 sur 5×5)";
    }
}

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
        .evaluator(
            "expert",
            Text::new(
                "the hand-written evaluation of 1982 and 1992",
                "l’évaluation écrite à la main de 1982 et 1992",
            ),
            ExpertParams::default(),
            |params| Ok(PushoverExpert::<N>::new(params.weights())),
        )
        .evaluator_def(EvaluatorDef::new(
            "net",
            Text::new(
                "a network, taught by the expert's games or by itself",
                "un réseau, instruit par les parties de l’expert ou par lui-même",
            ),
            PushoverNetParams { file: if N == 4 { ModelFile::Shipped } else { ModelFile::Needed } },
            |board, params: &PushoverNetParams| match params.file.path() {
                Some(path) if outplay_nn::is_npz(&read_bytes(path)?) => {
                    Ok(Box::new(LearntNetwork::open(board, path)?.evaluator()))
                }
                _ => Ok(Box::new(network::<N>(&params.file)?)),
            },
        ))
        .preset("expert")
        .preset("net")
        .method(MethodDef::new(
            "bfgs",
            Text::new(
                "a network taught by the expert's games (Müller 1992)",
                "un réseau instruit par les parties de l’expert (Müller 1992)",
            ),
            (BfgsParams::default(), ExpertGamesParams::default()),
            &[Measure::LOSS],
            |game, params, seed, _, watch| train::begin(game, params, seed, watch),
        ))
        .self_play("selftaught")
        .editor()
        .data(DataDef::new(
            Text::new(
                "positions of games of the expert against itself, each with who won (Müller 1992)",
                "positions de parties de l’expert contre lui-même, chacune avec le gagnant (Müller 1992)",
            ),
            ExpertGamesParams::default(),
            data,
        ))
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
) -> Result<DataReport, WorkError> {
    match *request {
        DataRequest::Make { resume: true, .. } => Err(BoardError::NothingToResume.into()),
        DataRequest::Make { spec, seed, out, .. } => {
            let owner = Text::new("the data base of Push-over", "la base de Push-over");
            let params = spec.read(&owner, &ExpertGamesParams::default())?;
            let made = database::play(game, ExpertGames::of(&params, seed), watch)?;
            database::write(out, &made.positions)?;
            Ok(database::report(&made.positions, Some(made.drawn)))
        }
        DataRequest::Describe(path) => Ok(database::report(&database::read::<N>(path)?, None)),
    }
}

params! {
    /// The weights of the expert.
    struct ExpertParams {
        own: u16 = 3, in 0..=100, "weight of one's own lines" | "poids de ses propres lignes";
        enemy: u16 = 2, in 0..=100, "weight of the enemy's lines" | "poids des lignes de l’adversaire";
        penalty: u16 = 25, in 0..=1000,
            "taken off for a row or column one short of full whose end an enemy holds"
            | "retiré pour une ligne à laquelle il manque une case et dont l’adversaire tient le bout";
    }
    memory |_params| 0
}

impl ExpertParams {
    fn weights(&self) -> ExpertWeights {
        ExpertWeights { own: self.own.into(), enemy: self.enemy.into(), penalty: self.penalty.into() }
    }
}

params! {
    /// The evaluation by a network.
    struct PushoverNetParams {
        file: ModelFile = ModelFile::Shipped,
            "a trained network (on 4×4, if none is given, the one that comes with the program)"
            | "un réseau entraîné (sur 4×4, si aucun n’est donné, celui livré avec le programme)";
    }
}

/// The networks that come with the program: `models/README.md` says how they were made.
const SHIPPED: &[u8] = include_bytes!("../../../../models/pushover-r.safetensors");
const SELF_TAUGHT: &[u8] = include_bytes!("../../../../models/pushover-selftaught.npz");

/// The network in the file that was named, or the one that comes with the program.
fn network<const N: usize>(file: &ModelFile) -> Result<PushoverNetwork<N>, WorkError> {
    match file.path() {
        Some(path) => PushoverNetwork::open(path),
        None if N == 4 => {
            let name = Text::new("the network of the program", "le réseau du programme");
            Ok(PushoverNetwork::read_named(SHIPPED, &name)?)
        }
        None => Err(PushoverNetworkError::NotShipped { size: N }.into()),
    }
}

impl SelfPlayGame for Pushover<4> {
    type Encoder = PushoverEncoder;
    type SeatEncoder = PushoverSeatEncoder;
    const ENCODINGS: &'static [&'static str] = &["colours"];

    fn encoder(&self, _name: &str) -> PushoverEncoder {
        PushoverEncoder
    }

    fn seat_encoder(&self) -> PushoverSeatEncoder {
        PushoverSeatEncoder
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 4)]
    }

    fn shipped(&self) -> Option<&'static [u8]> {
        Some(SELF_TAUGHT)
    }

    fn oracle(&self, store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, WorkError> {
        Ok(solution(RepetitionRule::Forbidden, store, watch)?)
    }
}

impl SelfPlayGame for Pushover<5> {
    type Encoder = PushoverEncoder;
    type SeatEncoder = PushoverSeatEncoder;
    const ENCODINGS: &'static [&'static str] = &["colours"];

    fn encoder(&self, _name: &str) -> PushoverEncoder {
        PushoverEncoder
    }

    fn seat_encoder(&self) -> PushoverSeatEncoder {
        PushoverSeatEncoder
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 5)]
    }
}

/// The MiB that the exact solution takes while it is found.
const SOLUTION_MEMORY: u32 = 256;

/// The exact solution, from the store or made on the spot.
pub fn solution(
    rule: RepetitionRule,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Arc<PushoverSolution>, WorkError> {
    let name = match rule {
        RepetitionRule::Forbidden => "tables/pushover-4x4.bin",
        RepetitionRule::Allowed => "tables/pushover-4x4-no-ko.bin",
    };
    let task = "solving Push-over 4×4";
    let what = Solvable { name, task, mebibytes: SOLUTION_MEMORY, watch };
    let build = || {
        let show = |solver::SolverProgress { done, total }| {
            watch.show(Progress { task, done, total, unit: "boards" });
        };
        PushoverSolution::solve(rule, &show, watch.stop_flag()).ok_or(WorkError::Stopped)
    };
    let decode =
        |bytes: &[u8]| PushoverSolution::from_bytes(bytes).ok().filter(|solution| solution.rule() == rule);
    store.keep_solution(what, decode, PushoverSolution::to_bytes, build)
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
    use crate::params::Params;
    use crate::params::USUAL_MEMORY;
    use train::{PushoverTrainingConfig, Winners};

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        assert_eq!(ExpertParams::default().weights(), ExpertWeights::default());
        assert_eq!(
            PushoverTrainingConfig::of(&BfgsParams::default()),
            PushoverTrainingConfig::of_document(network::Encoding::Cells, Winners::Any)
        );
        assert_eq!(ExpertGames::of(&ExpertGamesParams::default(), 7), ExpertGames::of_document(7));
    }

    /// The inverse Hessian of a large network costs memory.
    #[test]
    fn the_memory_of_a_training_grows_with_its_network() {
        let memory = |hidden| BfgsParams { hidden, ..BfgsParams::default() }.memory();
        assert_eq!(memory(None), USUAL_MEMORY + 1);
        assert!(memory(Some(400)) > 800, "{}", memory(Some(400)));
    }
}
