//! Minesweeper in the lab: its entry in the registry, its players, what is known of a board.
//!
//! Belongs here: what joins the game to the methods and to the command line. Does not belong here: rules and
//! exact probabilities (in `games`).

use std::sync::Arc;

use outplay_games::minesweeper::solver::Unsolved;
use outplay_games::minesweeper::{Cell, FirstClick, Minesweeper, Seen, Solver, State, groups::Groups};
use serde_json::{Map, Value, json};

use crate::bench::{Measurement, rate};
use crate::error::LabError;
use crate::matches::{Contestant, MatchPlan, run_match};
use crate::registry::{
    Answer, DataReport, DataRequest, Dwelling, Factory, GameEntry, House, Kit, Listing, MethodEntry,
    PlayerEntry, Question, random_player,
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
        let groups = PlayerEntry {
            listing: Listing {
                name: "groups",
                summary: "the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)",
                params: Vec::new(),
            },
            hire: |_, spec, _, _| {
                spec.resolve("player 'groups'", &[])?;
                let factory: Factory<Seen> = Arc::new(|| Box::new(Groups::new()));
                Ok(factory)
            },
        };
        vec![random_player(), groups]
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
        survey(state.seen())
    }

    fn solve(&self, _: &Question<'_, Self>, _: &Store, _: Watch<'_>) -> Result<Answer, LabError> {
        Err(LabError::refused(
            "minesweeper has no exact solver of the whole game: expected 'analyse' for probabilities",
        ))
    }

    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        let mut results = Vec::new();
        for (rows, cols, mines) in [(10, 10, 10), (16, 16, 40), (16, 30, 99)] {
            let game = Self::new(rows, cols, mines, FirstClick::Safe)
                .map_err(|fault| LabError::refused(fault.to_string()))?;
            let name = format!("minesweeper {rows}×{cols}/{mines}: groups, one thread");
            results.push(Measurement::new(name, games_per_second(&game, watch)?, "games/s"));
        }
        Ok(results)
    }

    fn data(&self, _: &DataRequest<'_>, _: Watch<'_>) -> Result<DataReport, LabError> {
        Err(LabError::refused("minesweeper has no data base of examples"))
    }
}

fn games_per_second(game: &Minesweeper, watch: Watch<'_>) -> Result<f64, LabError> {
    const GAMES: u64 = 20;
    let make = || -> Box<dyn outplay_core::Player<Seen>> { Box::new(Groups::new()) };
    let groups = Contestant { name: "groups", make: &make };
    let mut outcome = Ok(());
    let speed = rate(|run| {
        let plan = MatchPlan { games: GAMES, seed: run as u64, threads: Some(1), ..MatchPlan::default() };
        if let Err(error) = run_match(game, &[groups], &plan, &mut |_| {}, watch.stop_flag()) {
            outcome = Err(error);
        }
        GAMES
    });
    outcome?;
    Ok(speed)
}

/// All that can be known of a board: probabilities, certain cells, the number of solutions, and why.
fn survey(seen: &Seen) -> Result<Map<String, Value>, LabError> {
    let mut solver = Solver::new();
    let known = solver.solve(seen).map_err(|unsolved| match unsolved {
        Unsolved::NoPlacement => LabError::refused("no placement of the mines agrees with the numbers"),
        Unsolved::TooComplex => LabError::refused("the board is too entangled for exact probabilities"),
    })?;
    let cells = || (0..seen.rows()).flat_map(|row| (0..seen.cols()).map(move |col| Cell::new(row, col)));
    let names =
        |cells: &mut dyn Iterator<Item = Cell>| cells.map(|cell| cell.to_string()).collect::<Vec<_>>();
    let probability: Vec<Option<f64>> = cells().map(|cell| known.of(cell)).collect();
    let why: Map<String, Value> = cells()
        .filter(|&cell| known.of(cell).is_some())
        .map(|cell| (cell.to_string(), json!(names(&mut Solver::why(seen, cell).into_iter()))))
        .filter(|(_, numbers)| numbers != &json!([]))
        .collect();
    let mut survey = Map::new();
    survey.insert("rows".into(), seen.rows().into());
    survey.insert("cols".into(), seen.cols().into());
    survey.insert("mines".into(), seen.mines().into());
    survey.insert("probability".into(), json!(probability));
    survey.insert("safe".into(), json!(names(&mut known.safe().iter())));
    survey.insert("mined".into(), json!(names(&mut known.mined().iter())));
    survey.insert("off_frontier".into(), json!(known.off_frontier()));
    survey.insert("log10_solutions".into(), json!(known.log10_solutions()));
    survey.insert("solutions".into(), json!(solver.exact_solutions().map(|count| count.to_string())));
    survey.insert("why".into(), Value::Object(why));
    Ok(survey)
}
