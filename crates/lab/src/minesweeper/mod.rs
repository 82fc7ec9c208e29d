//! Minesweeper in the lab: its players, its networks, and what is known of a board without asking any player.

mod bench;
mod optimal;
pub mod players;
mod review;
pub mod scores;
pub mod subgrids;
mod survey;
pub mod vision;

use std::sync::Arc;

use outplay_core::Game;
use outplay_games::minesweeper::{BadGame, FirstClick, Minesweeper, MinesweeperState, VisibleBoard};

use crate::error::LabError;
use crate::registry::{
    AnyGame, BoardDef, DataDef, DataReport, DataRequest, EditorDef, EvaluationDef, Facts, GameDef, Preset,
    SolverDef, TypedGame,
};
use crate::spec::{Param, ParamKind, Spec, Values};
use crate::store::Store;
use outplay_runtime::Watch;

/// Minesweeper on the list of games.
pub fn game() -> GameDef {
    let summary =
        "unmask every empty cell; numbers count the mined neighbours (Salamone 2018, Bourdet & Abadie 2025)";
    GameDef::new("minesweeper", "Minesweeper", summary, PARAMS, open)
        .with_presets(&[
            Preset {
                title: "Beginner",
                detail: "9 × 9",
                game: "minesweeper:rows=9,cols=9,mines=10,first=zero,flags=yes",
            },
            Preset {
                title: "Intermediate",
                detail: "16 × 16",
                game: "minesweeper:rows=16,cols=16,mines=40,first=zero,flags=yes",
            },
            Preset {
                title: "Expert",
                detail: "16 × 30",
                game: "minesweeper:rows=16,cols=30,mines=99,first=zero,flags=yes",
            },
            Preset {
                title: "Without guesses",
                detail: "16 × 16",
                game: "minesweeper:rows=16,cols=16,mines=40,first=zero,guess=no,flags=yes",
            },
        ])
        .with_picture("mines 6\n00011\n1222F\n.F.2.\n.....\n.....")
}

const PARAMS: &[Param] = &[
    Param { name: "rows", kind: ParamKind::Whole(1, 64), default: Some("10"), help: "rows of the board" },
    Param { name: "cols", kind: ParamKind::Whole(1, 64), default: Some("10"), help: "columns of the board" },
    Param {
        name: "mines",
        kind: ParamKind::Whole(1, 4095),
        default: Some("10"),
        help: "mines, fewer than cells",
    },
    Param {
        name: "first",
        kind: ParamKind::Word(&["safe", "zero", "any"]),
        default: Some("safe"),
        help: "the first cell is empty, has no mined neighbour either, or may be anything",
    },
    Param {
        name: "guess",
        kind: ParamKind::Word(&["yes", "no"]),
        default: Some("yes"),
        help: "whether boards may need guesses; without, every step from the first cell on can be proven",
    },
    Param {
        name: "flags",
        kind: ParamKind::Word(&["no", "yes"]),
        default: Some("no"),
        help: "whether players may place flags (Fc7, Uc7) and chord (Cc7) besides unmasking (c7)",
    },
];

/// The network that a player follows.
const NETWORK_FILE: Param = Param {
    name: "file",
    kind: ParamKind::File,
    default: None,
    help: "a trained network (if none is given, the one that comes with the program)",
};

fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn AnyGame>, LabError> {
    let first = match values.word("first") {
        "any" => FirstClick::Any,
        "zero" => FirstClick::Zero,
        _ => FirstClick::Safe,
    };
    let whole = |name| values.whole(name) as usize;
    let refused = |fault: BadGame| LabError::refused(fault.to_string());
    let game = Minesweeper::new(whole("rows"), whole("cols"), whole("mines"), first).map_err(refused)?;
    let game = if values.word("guess") == "no" { game.without_guesses().map_err(refused)? } else { game };
    let game = if values.word("flags") == "yes" { game.with_flags() } else { game };
    Ok(Box::new(TypedGame::new(spec, board(game), store)))
}

/// A board with all that it offers.
pub fn board(game: Minesweeper) -> BoardDef<Minesweeper> {
    let players = players::of(&game);
    BoardDef {
        opponent: "solver",
        analyst: "solver",
        reviewer: "solver:effort=fast",
        players,
        methods: vec![subgrids::method(), vision::method()],
        solver: Some(SolverDef {
            can_solve: Box::new(optimal::can_solve),
            solve: Box::new(|game, question, store, watch| {
                optimal::answer(game, question.state, store, watch)
            }),
            has_ko: false,
        }),
        data: Some(DataDef { listing: subgrids::data_listing(), run: data }),
        evaluation: Some(EvaluationDef { listing: subgrids::evaluation_listing(), run: subgrids::evaluate }),
        board_of: Some(board_of),
        editor: Some(EditorDef::of_game()),
        has_secrets: true,
        facts: Some(facts),
        survey: Some(|game, state| survey::of(state.seen(), game.first())),
        bench: Some(|_, store, watch| bench::measure(store, watch)),
        ..BoardDef::new(game, review::of)
    }
}

/// A board that was pasted in has its own size and number of mines.
fn board_of(game: &Minesweeper, position: &str) -> Result<BoardDef<Minesweeper>, LabError> {
    let refused = |fault: &dyn std::error::Error| LabError::refused(fault.to_string());
    let seen: VisibleBoard = position.parse().map_err(|fault| refused(&fault))?;
    let mut like = Minesweeper::like(&seen, game.first()).map_err(|fault| refused(&fault))?;
    // Under numbers that are already there the mines are drawn as they come.
    if game.is_provable() && seen.score() == 0 {
        like = like.without_guesses().map_err(|fault| refused(&fault))?;
    }
    Ok(board(if game.has_flags() { like.with_flags() } else { like }))
}

fn facts(game: &Minesweeper, state: &MinesweeperState) -> Facts {
    let seen = state.seen();
    let most = seen.rows() * seen.cols() - seen.mines();
    let mut facts = vec![
        ("score", seen.score().into()),
        ("highest_score", most.into()),
        ("needs_guess", state.needs_guess().into()),
    ];
    // Where the mines lay is nobody's to know before the end.
    if game.outcome(state).is_some()
        && let Some(mines) = state.mines()
    {
        facts.push(("laid", mines.iter().map(|cell| cell.to_string()).collect()));
    }
    facts.into_iter().map(|(name, fact): (&str, serde_json::Value)| (name.to_owned(), fact)).collect()
}

fn data(game: &Minesweeper, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
    match *request {
        DataRequest::Make { resume: true, .. } => Err(LabError::NothingToResume),
        DataRequest::Make { spec, seed, out, .. } => subgrids::make_data(game, spec, seed, out, watch),
        DataRequest::Describe(path) => subgrids::describe_data(path),
    }
}
