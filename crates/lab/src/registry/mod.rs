//! The games there are, and what can be done with each.
//!
//! A game is a [`GameDef`] in [`games`]. Opened with its parameters it is one board ([`BoardDef`]), which the command line and the
//! studio use through [`AnyGame`].

mod any_game;
pub mod board;
mod exact;
mod made_players;
mod open_game;
mod other_boards;
mod search_players;
mod texts;
mod typed_game;

use outplay_runtime::WorkError;
use std::sync::{Arc, LazyLock};

use outplay_core::scene::{Mark, Touch};
use outplay_core::{Game, Language, Text};
use serde::Serialize;

use crate::params::{Param, Params};
use crate::spec::{Noun, Spec, find_named};
use crate::store::Store;
use crate::{chess, connectfour, loderunner, minesweeper, othello, pushover, quoridor, tictactoe};

pub use any_game::{AnyGame, BoardInfo, PerftReport, TrainPlan, Trial};
pub(crate) use board::file_memory;
pub use board::{
    Better, BoardDef, DataDef, Evaluate, EvaluationDef, MakeData, Measure, MethodDef, PlayerDef,
    PlayerFactory, PlayerRequest, SolverDef,
};
pub(crate) use exact::{MOST_MOVES, exhaustive_solution};
pub use open_game::{OpenGame, SolverRequest};
pub use other_boards::OtherBoards;
pub use search_players::{
    AnyEvaluator, EvaluatorDef, FixedDepth, PlayoutChoice, SearchDefaults, random_player,
};
pub use texts::{EditorDef, FormatInfo, GameFormat, PlayedGame, TextReader};
pub(crate) use typed_game::TypedGame;

/// All games, in the order in which they are listed.
pub fn games() -> &'static [GameDef] {
    static GAMES: LazyLock<Vec<GameDef>> = LazyLock::new(|| {
        vec![
            chess::game(),
            quoridor::game(),
            minesweeper::game(),
            loderunner::game(),
            pushover::game(),
            connectfour::game(),
            othello::game(),
            tictactoe::game(),
        ]
    });
    &GAMES
}

/// A game on the list.
pub struct GameDef {
    /// Its name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: Text,
    /// One line about it.
    pub summary: Text,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The boards that people ask for by name, the usual one first.
    pub presets: Vec<Preset>,
    /// A board on which a training shows something soon; the usual one, if not given.
    pub training_board: Option<&'static str>,
    /// A position that shows what the game is like; the start of the usual board, if not given.
    pub picture: Option<&'static str>,
    open: OpenBoard,
}

/// A board that people ask for by name.
#[derive(Clone, Debug)]
pub struct Preset {
    /// What people call it.
    pub title: Text,
    /// Its size.
    pub detail: &'static str,
    /// The game with its parameters.
    pub game: &'static str,
}

/// Opens a board with these parameters, or says why there is no such board.
type OpenBoard = Box<dyn Fn(Spec, Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> + Send + Sync>;

impl GameDef {
    /// A game by its name, its title, one line about it, its parameters with their defaults, and how a board is opened.
    pub fn new<A: Params>(
        name: &'static str,
        title: Text,
        summary: Text,
        defaults: A,
        open: impl Fn(Spec, &A, Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            title,
            summary,
            params: defaults.list(),
            presets: Vec::new(),
            training_board: None,
            picture: None,
            open: Box::new(move |spec, store| {
                let params = defaults.read(&spec)?;
                open(spec, &params, store)
            }),
        }
    }

    /// Names the boards that people ask for, the usual one first.
    #[must_use]
    pub fn with_presets(self, presets: &[Preset]) -> Self {
        Self { presets: presets.to_vec(), ..self }
    }

    /// Chooses a board on which a training shows something soon.
    #[must_use]
    pub fn with_training_board(self, game: &'static str) -> Self {
        Self { training_board: Some(game), ..self }
    }

    /// Chooses a position that shows what the game is like.
    #[must_use]
    pub fn with_picture(self, position: &'static str) -> Self {
        Self { picture: Some(position), ..self }
    }
}

/// What is shown of a player or a method.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: Text,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// What is known of a position without asking any player; nothing of most games.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// By name.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// What is to be shown on the board.
    pub marks: Vec<Mark>,
    /// The same for people, a picture of the board included.
    pub page: Option<String>,
}

/// What a solver is asked.
pub struct Question<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Leaves out the rule against repetition; asked only of a game that has one.
    pub no_ko: bool,
}

/// The exact worth of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Worth {
    /// `win`, `loss` or `draw`.
    Result(&'static str),
    /// The chance to win by the best play, where chance has a part in the game.
    Chance(f64),
}

/// What a solver answers, for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The worth of the position.
    pub value: Worth,
    /// Plies to the end under best play; null for a draw and for a chance.
    pub distance: Option<u32>,
    /// Every move with its worth to the player who makes it, best first.
    pub moves: Vec<MoveAnswer>,
    /// Best play from here; nothing where it depends on chance.
    pub line: Vec<String>,
    /// What the answer rests on, by name.
    pub counts: serde_json::Map<String, serde_json::Value>,
}

/// A move with its exact worth.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What a hand touches to play it.
    #[serde(skip)]
    pub touches: Vec<Touch>,
    /// Its worth to the player who makes it.
    pub value: Worth,
    /// Plies to the end, this one included.
    pub distance: Option<u32>,
}

/// A request about a data base of examples.
pub enum DataRequest<'a> {
    /// Make one and write it there.
    Make {
        /// The parameters the user wrote, `data:key=value,…`.
        spec: &'a Spec,
        /// The seed.
        seed: u64,
        /// Where to.
        out: &'a std::path::Path,
        /// Goes on with an unfinished run, where the work is long enough to have one.
        resume: bool,
        /// Threads to work on; it changes nothing but the time.
        threads: Option<usize>,
    },
    /// Describe the one in this file.
    Describe(&'a std::path::Path),
}

/// A request to evaluate a trained network.
pub struct EvaluationRequest<'a> {
    /// Its file.
    pub path: &'a std::path::Path,
    /// The parameters the user wrote, `evaluation:key=value,…`.
    pub spec: &'a Spec,
    /// The seed, if one was given; else the file's own, or 0.
    pub seed: Option<u64>,
    /// Whether figures are wanted, which may take longer.
    pub draws: bool,
    /// Threads to work on; it changes nothing but the time.
    pub threads: Option<usize>,
}

/// How good a network was found.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Its numbers.
    pub report: DataReport,
    /// What was drawn of them, if figures were wanted.
    pub figures: Vec<EvaluationFigure>,
}

/// A drawing with its words in both languages.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationFigure {
    /// The name of its file, without an extension.
    pub name: String,
    /// Its caption.
    pub caption: Text,
    /// The SVG.
    pub svg: Text,
}

impl EvaluationFigure {
    /// Draws a figure in each language.
    pub fn drawn(draw: impl Fn(Language) -> outplay_report::Figure) -> Self {
        let [en, fr] = [Language::English, Language::French].map(draw);
        Self {
            name: en.name,
            caption: Text { en: en.caption.into(), fr: fr.caption.into() },
            svg: Text { en: en.svg.into(), fr: fr.svg.into() },
        }
    }
}

/// Things by their names, for programs.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// What is said of a data base or a network.
pub type DataReport = Facts;

/// Opens the board that the user wrote.
pub fn open_game(text: &str, store: &Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> {
    let spec: Spec = text.parse()?;
    let def = find_named(Noun::Game, &spec.name, games(), |def| def.name)?;
    spec.check_names(&Noun::Game.named(def.name), &def.params)?;
    (def.open)(spec, Arc::clone(store))
}
