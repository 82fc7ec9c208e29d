//! What is known of a board before anyone plays on it.
//!
//! Law: everything here follows from what the player sees.

use outplay_games::minesweeper::solver::Unsolved;
use outplay_games::minesweeper::{Cell, Seen, Solver};
use serde_json::{Map, Value, json};

use crate::error::LabError;

/// All that can be known of a board: probabilities, certain cells, the number of solutions, and why.
pub(super) fn of(seen: &Seen) -> Result<Map<String, Value>, LabError> {
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
