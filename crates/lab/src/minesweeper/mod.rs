//! Minesweeper in the lab: its entry in the registry, its players, what is known of a board.
//!
//! Belongs here: what joins the game to the methods and to the command line. Does not belong here: rules and
//! exact probabilities (in `games`).

mod bench;
mod optimal;
pub(crate) mod players;
mod review;
pub(crate) mod scores;
pub mod subgrids;
mod survey;
pub(crate) mod vision;

use std::io::BufRead;
use std::sync::Arc;

use outplay_core::{Game, Rng};
use outplay_games::minesweeper::{BadGame, FirstClick, Minesweeper, MinesweeperState, VisibleBoard};

use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::record::ToldGames;
use crate::registry::{
    Answer, DataReport, DataRequest, Dwelling, EvaluationRequest, Facts, GameEntry, House, Kit, Listing,
    MethodEntry, PlayerEntry, Question, Survey, made_in_one_go, told_by_records,
};
use crate::review::{Inquiry, Review};
use crate::spec::{Kind, Param, Spec, Values};
use crate::store::Store;
use crate::watch::Watch;

/// The line of Minesweeper in the registry.
pub(crate) const ENTRY: GameEntry = GameEntry {
    name: "minesweeper",
    summary: "unmask every empty cell; numbers count the mined neighbours (Salamone 2018, Bourdet & Abadie 2025)",
    params: &[
        Param { name: "rows", kind: Kind::Whole(1, 64), default: Some("10"), help: "rows of the board" },
        Param { name: "cols", kind: Kind::Whole(1, 64), default: Some("10"), help: "columns of the board" },
        Param {
            name: "mines",
            kind: Kind::Whole(1, 4095),
            default: Some("10"),
            help: "mines, fewer than cells",
        },
        Param {
            name: "first",
            kind: Kind::Word(&["safe", "zero", "any"]),
            default: Some("safe"),
            help: "the first cell is empty, has no mined neighbour either, or may be anything",
        },
        Param {
            name: "guess",
            kind: Kind::Word(&["yes", "no"]),
            default: Some("yes"),
            help: "whether boards may need guesses; without, every step from the first cell on can be proven",
        },
        Param {
            name: "flags",
            kind: Kind::Word(&["no", "yes"]),
            default: Some("no"),
            help: "whether players may place flags (Fc7, Uc7) and chord (Cc7) besides unmasking (c7)",
        },
    ],
    open,
};

/// The network that a player follows.
const NETWORK_FILE: Param = Param {
    name: "file",
    kind: Kind::File,
    default: None,
    help: "a trained network (if none is given, the one that comes with the program)",
};

fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn House>, LabError> {
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
    Ok(Box::new(Dwelling { spec, game: Arc::new(game), store }))
}

impl Kit for Minesweeper {
    const OPPONENT: &'static str = "solver";
    const ANALYST: &'static str = "solver";
    const REVIEWER: &'static str = "solver:effort=fast";
    const HAS_KO: bool = false;

    fn players() -> Vec<PlayerEntry<Self>> {
        players::all()
    }

    fn evaluators() -> Vec<Listing> {
        Vec::new()
    }

    fn methods() -> Vec<MethodEntry<Self>> {
        vec![subgrids::method(), vision::method()]
    }

    fn exams() -> Vec<MethodEntry<Self>> {
        Vec::new()
    }

    fn chores() -> Vec<Listing> {
        subgrids::chores()
    }

    /// A board that was pasted in has its own size and number of mines.
    fn around(&self, position: &str) -> Result<Self, LabError> {
        let refused = |fault: &dyn std::error::Error| LabError::refused(fault.to_string());
        let seen: VisibleBoard = position.parse().map_err(|fault| refused(&fault))?;
        let mut game = Self::like(&seen, self.first()).map_err(|fault| refused(&fault))?;
        // Under numbers that are already there the mines are drawn as they come.
        if self.is_provable() && seen.score() == 0 {
            game = game.without_guesses().map_err(|fault| refused(&fault))?;
        }
        Ok(if self.has_flags() { game.with_flags() } else { game })
    }

    fn divide(&self, _: &MinesweeperState, _: u32) -> Option<Vec<(String, u64)>> {
        None
    }

    fn facts(&self, state: &MinesweeperState) -> Facts {
        let seen = state.seen();
        let most = seen.rows() * seen.cols() - seen.mines();
        let mut facts = vec![
            ("score", seen.score().into()),
            ("highest_score", most.into()),
            ("needs_guess", state.needs_guess().into()),
        ];
        // Where the mines lay is nobody's to know before the end.
        if self.outcome(state).is_some()
            && let Some(mines) = state.mines()
        {
            facts.push(("laid", mines.iter().map(|cell| cell.to_string()).collect()));
        }
        facts.into_iter().map(|(name, fact): (&str, serde_json::Value)| (name.to_owned(), fact)).collect()
    }

    fn survey(&self, state: &MinesweeperState) -> Result<Survey, LabError> {
        survey::of(state.seen(), self.first())
    }

    fn review(&self, inquiry: &Inquiry<'_, Self>, watch: Watch<'_>) -> Result<Review, LabError> {
        review::of(self, inquiry, watch)
    }

    fn solve(
        &self,
        question: &Question<'_, Self>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError> {
        optimal::answer(self, question.state, store, watch)
    }

    fn bench(&self, store: &Store, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        bench::measure(store, watch)
    }

    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        match *request {
            DataRequest::Make { resume: true, .. } => Err(made_in_one_go()),
            DataRequest::Make { spec, seed, out, .. } => subgrids::make_data(self, spec, seed, out, watch),
            DataRequest::Describe(path) => subgrids::describe_data(path),
        }
    }

    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        subgrids::evaluate(self, request, watch)
    }

    fn console(&self) -> Result<Box<dyn Console>, LabError> {
        Err(LabError::refused("minesweeper has no console: expected quoridor"))
    }

    fn read_games<'a>(&self, _: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        Err(told_by_records(ENTRY.name))
    }

    fn another_board(&self, _replay: u32, _rng: &mut Rng) -> Option<String> {
        None
    }
}
