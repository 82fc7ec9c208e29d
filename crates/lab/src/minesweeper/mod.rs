//! Minesweeper in the lab: its entry in the registry, its players, what is known of a board.
//!
//! Belongs here: what joins the game to the methods and to the command line. Does not belong here: rules and
//! exact probabilities (in `games`).

mod bench;
mod players;
mod survey;

use std::sync::Arc;

use outplay_games::minesweeper::{FirstClick, Minesweeper, Seen, State};
use serde_json::{Map, Value};

use crate::bench::Measurement;
use crate::error::LabError;
use crate::registry::{
    Answer, DataReport, DataRequest, Dwelling, GameEntry, House, Kit, Listing, MethodEntry, PlayerEntry,
    Question,
};
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
            name: "flags",
            kind: Kind::Word(&["no", "yes"]),
            default: Some("no"),
            help: "whether players may place flags (Fc7, Uc7) and chord (Cc7) besides unmasking (c7)",
        },
    ],
    open,
};

fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn House>, LabError> {
    let first = match values.word("first") {
        "any" => FirstClick::Any,
        "zero" => FirstClick::Zero,
        _ => FirstClick::Safe,
    };
    let whole = |name| values.whole(name) as usize;
    let game = Minesweeper::new(whole("rows"), whole("cols"), whole("mines"), first)
        .map_err(|fault| LabError::refused(fault.to_string()))?;
    let game = if values.word("flags") == "yes" { game.with_flags() } else { game };
    Ok(Box::new(Dwelling { spec, game: Arc::new(game), store }))
}

impl Kit for Minesweeper {
    const OPPONENT: &'static str = "groups";
    const ANALYST: &'static str = "groups";

    fn players() -> Vec<PlayerEntry<Self>> {
        players::all()
    }

    fn evaluators() -> Vec<Listing> {
        Vec::new()
    }

    fn methods() -> Vec<MethodEntry<Self>> {
        Vec::new()
    }

    /// A board that was pasted in has its own size and number of mines.
    fn around(&self, position: &str) -> Result<Self, LabError> {
        let refused = |fault: &dyn std::error::Error| LabError::refused(fault.to_string());
        let seen: Seen = position.parse().map_err(|fault| refused(&fault))?;
        let game = Self::like(&seen, self.first()).map_err(|fault| refused(&fault))?;
        Ok(if self.has_flags() { game.with_flags() } else { game })
    }

    fn divide(&self, _: &State, _: u32) -> Option<Vec<(String, u64)>> {
        None
    }

    fn survey(&self, state: &State) -> Result<Map<String, Value>, LabError> {
        survey::of(state.seen())
    }

    fn solve(&self, _: &Question<'_, Self>, _: &Store, _: Watch<'_>) -> Result<Answer, LabError> {
        Err(LabError::refused(
            "minesweeper has no exact solver of the whole game: expected 'analyse' for probabilities",
        ))
    }

    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        bench::measure(watch)
    }

    fn data(&self, _: &DataRequest<'_>, _: Watch<'_>) -> Result<DataReport, LabError> {
        Err(LabError::refused("minesweeper has no data base of examples"))
    }
}
