//! Minesweeper in the lab: its players, its networks, and what is known of a board without asking any player.

mod bench;
mod error;
mod optimal;
pub mod players;
mod review;
pub mod scores;
pub mod subgrids;
mod survey;
pub mod vision;

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::{Game, Text};
use outplay_games::minesweeper::{FirstClick, Minesweeper, MinesweeperState, VisibleBoard};

use crate::error::BoardError;
use crate::params::ModelFile;
use crate::registry::{
    AnyGame, BoardDef, DataReport, DataRequest, EditorDef, Facts, GameDef, Preset, SolverDef, TypedGame,
};
use crate::spec::Spec;
use crate::store::Store;
use crate::{params, words};
pub use error::MinesweeperError;
use outplay_runtime::Watch;

/// Minesweeper on the list of games.
pub fn game() -> GameDef {
    let summary = Text::new(
        "unmask every empty cell; numbers count the mined neighbours (Salamone 2018, Bourdet & Abadie 2025)",
        "dévoiler toutes les cases vides ; les chiffres comptent les voisines minées (Salamone 2018, Bourdet & Abadie 2025)",
    );
    GameDef::new(
        "minesweeper",
        Text::new("Minesweeper", "Démineur"),
        summary,
        MinesweeperParams::default(),
        open,
    )
    .with_presets(&[
        Preset {
            title: Text::new("Beginner", "Débutant"),
            detail: "9 × 9",
            game: "minesweeper:rows=9,cols=9,mines=10,first=zero,flags=yes",
        },
        Preset {
            title: Text::new("Intermediate", "Intermédiaire"),
            detail: "16 × 16",
            game: "minesweeper:rows=16,cols=16,mines=40,first=zero,flags=yes",
        },
        Preset {
            title: Text::new("Expert", "Expert"),
            detail: "16 × 30",
            game: "minesweeper:rows=16,cols=30,mines=99,first=zero,flags=yes",
        },
        Preset {
            title: Text::new("Without guesses", "Sans hasard"),
            detail: "16 × 16",
            game: "minesweeper:rows=16,cols=16,mines=40,first=zero,guess=no,flags=yes",
        },
    ])
    .with_picture("mines 6\n00011\n1222F\n.F.2.\n.....\n.....")
}

params! {
    /// Which board is played on, and by which rules.
    pub struct MinesweeperParams {
        rows: usize = 10, in 1..=64, "rows of the board" | "lignes du plateau";
        columns as "cols": usize = 10, in 1..=64, "columns of the board" | "colonnes du plateau";
        mines: usize = 10, in 1..=4095, "mines, fewer than cells" | "mines, moins que de cases";
        first: FirstClick = FirstClick::Safe,
            "the first cell is empty, has no mined neighbour either, or may be anything"
            | "la première case est vide, n’a pas non plus de voisine minée, ou peut être n’importe quoi";
        may_need_guesses as "guess": bool = true,
            "whether boards may need guesses; without, every step from the first cell on can be proven"
            | "si les plateaux peuvent demander de deviner ; sinon chaque pas peut être prouvé dès la première case";
        has_flags as "flags": bool = false,
            "whether players may place flags (Fc7, Uc7) and chord (Cc7) besides unmasking (c7)"
            | "si les joueurs peuvent poser des drapeaux (Fc7, Uc7) et ouvrir autour (Cc7) en plus de dévoiler (c7)";
    }
}

words!(FirstClick {
    "safe" => FirstClick::Safe,
    "zero" => FirstClick::Zero,
    "any" => FirstClick::Any,
});

/// What a network that comes with the program is called in refusals.
const SHIPPED_NETWORK: Text = Text::new("the network of the program", "le réseau du programme");

params! {
    /// The network that a player follows.
    pub struct NetworkFile {
        file: ModelFile = ModelFile::Shipped,
            "a trained network (if none is given, the one that comes with the program)"
            | "un réseau entraîné (si aucun n’est donné, celui livré avec le programme)";
    }
}

fn open(spec: Spec, params: &MinesweeperParams, store: Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> {
    let MinesweeperParams { rows, columns, mines, first, may_need_guesses, has_flags } = *params;
    let mut game = Minesweeper::new(rows, columns, mines, first)?;
    if !may_need_guesses {
        game = game.without_guesses()?;
    }
    if has_flags {
        game = game.with_flags();
    }
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
        data: Some(subgrids::data_def(data)),
        evaluation: Some(subgrids::evaluation()),
        board_of: Some(board_of),
        editor: Some(EditorDef::of_game()),
        has_secrets: true,
        facts: Some(facts),
        survey: Some(|game, state| survey::of(state.seen(), game.first())),
        bench: Some(|_, store, watch| bench::measure(store, watch)),
        ..BoardDef::new(game, review::of)
    }
}

/// A board that was pasted in has its own size and number of mines, and flags if it shows any or if the game has them.
fn board_of(game: &Minesweeper, position: &str) -> Result<BoardDef<Minesweeper>, WorkError> {
    let seen: VisibleBoard = position.parse()?;
    let seen = if seen.flagged().is_empty() { seen.without_flags() } else { seen };
    let mut like = Minesweeper::like(&seen, game.first())?;
    // Under numbers that are already there the mines are drawn as they come.
    if game.is_provable() && seen.score() == 0 {
        like = like.without_guesses()?;
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

fn data(game: &Minesweeper, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, WorkError> {
    match *request {
        DataRequest::Make { resume: true, .. } => Err(BoardError::NothingToResume.into()),
        DataRequest::Make { spec, seed, out, .. } => subgrids::make_data(game, spec, seed, out, watch),
        DataRequest::Describe(path) => subgrids::describe_data(path),
    }
}
