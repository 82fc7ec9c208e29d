//! What is known of a board before any move is made.
//!
//! The facts and their names; [`page`] shows them to people. Everything here follows from what the player sees.

mod page;

use outplay_core::scene::{Cell, Mark, Meaning, Place};
use outplay_games::minesweeper::endgame::{EndgameBudget, win_chance};
use outplay_games::minesweeper::group_methods::{GroupMethod, GroupWeights, probabilities};
use outplay_games::minesweeper::insight::{ForcedGuess, dead_cells, forced_guesses};
use outplay_games::minesweeper::solver::ProbabilityError;
use outplay_games::minesweeper::{
    BoardCell, CellSet, Contradiction, FirstClick, Probabilities, Solver, VisibleBoard,
};
use outplay_runtime::WorkError;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::MinesweeperError;
use crate::registry::Survey;

/// All that can be known of a board.
struct BoardFacts<'a> {
    seen: &'a VisibleBoard,
    /// The rule by which the first mines will be laid, while there are none.
    first: Option<FirstClick>,
    known: Probabilities,
    solutions: Option<u128>,
    /// What the formula of Bourdet & Abadie says as printed, row by row.
    by_formula: Option<Vec<f64>>,
    /// What their Listing 2.1 says as printed, where the board is small enough for it.
    by_listing: Option<Vec<f64>>,
    /// Of every certain cell, the fewest numbers that prove it, or one such set.
    proofs: Vec<(BoardCell, Contradiction)>,
    /// Cells whose number would tell nothing.
    dead: CellSet,
    /// Guesses that no play avoids.
    guesses: Vec<ForcedGuess>,
    /// How often the best play wins that begins with each cell, best first, where few placements are left.
    win_chances: Option<Vec<(BoardCell, f64)>>,
}

/// The survey of a board in a game with this rule of the first click.
pub(super) fn of(seen: &VisibleBoard, first: FirstClick) -> Result<Survey, WorkError> {
    let findings = BoardFacts::of(seen, first)?;
    Ok(Survey { facts: findings.facts(), marks: findings.marks(), page: Some(page::draw(&findings)) })
}

impl<'a> BoardFacts<'a> {
    fn of(seen: &'a VisibleBoard, first: FirstClick) -> Result<Self, WorkError> {
        let mut solver = Solver::new();
        let known = solver.solve(seen).map_err(|unsolved| match unsolved {
            ProbabilityError::NoPlacement => WorkError::from(MinesweeperError::NoPlacement),
            ProbabilityError::TooComplex | ProbabilityError::Stopped => unsolved.into(),
        })?;
        let known = known.clone();
        let solutions = solver.exact_solutions();
        let certain: Vec<BoardCell> = known.safe().iter().chain(known.mined().iter()).collect();
        let prove = |solver: &mut Solver, cell| Some((cell, solver.proof(seen, cell)?));
        let proofs = certain.into_par_iter().map_init(Solver::new, prove).flatten().collect();
        let first = (seen.score() == 0 && !seen.is_lost()).then_some(first);
        // Before there is a number, the document's ways have nothing to say.
        let as_printed =
            |method| first.map_or_else(|| probabilities(seen, method, GroupWeights::Printed), |_| None);
        Ok(Self {
            seen,
            first,
            solutions,
            by_formula: as_printed(GroupMethod::Diagram),
            by_listing: as_printed(GroupMethod::Naive),
            proofs,
            // What is too entangled to be proven is not claimed.
            dead: dead_cells(&mut solver, seen).unwrap_or_else(|_| CellSet::empty(seen.rows())),
            guesses: forced_guesses(&mut solver, seen).unwrap_or_default(),
            win_chances: match first {
                Some(FirstClick::Safe | FirstClick::Zero) => None,
                Some(FirstClick::Any) | None => win_chance(&mut solver, seen, EndgameBudget::default()),
            },
            known,
        })
    }

    /// Whether the next click cannot meet a mine, since the rule lays them elsewhere.
    fn is_spared(&self) -> bool {
        matches!(self.first, Some(FirstClick::Safe | FirstClick::Zero))
    }

    /// The chance that the next click meets a mine here; of masked cells.
    fn chance(&self, cell: BoardCell) -> Option<f64> {
        self.known.of(cell).map(|mined| if self.is_spared() { 0.0 } else { mined })
    }

    /// The same of cells that no number touches.
    fn off_frontier(&self) -> Option<f64> {
        self.known.off_frontier().map(|mined| if self.is_spared() { 0.0 } else { mined })
    }

    /// Cells in which the next click certainly meets none.
    fn safe(&self) -> &CellSet {
        if self.is_spared() { self.seen.masked() } else { self.known.safe() }
    }

    fn cells(&self) -> impl Iterator<Item = BoardCell> + use<> {
        let (rows, cols) = (self.seen.rows(), self.seen.cols());
        (0..rows).flat_map(move |row| (0..cols).map(move |col| BoardCell::new(row, col)))
    }

    fn facts(&self) -> Map<String, Value> {
        let Self { seen, known, .. } = self;
        let probability: Vec<Option<f64>> = self.cells().map(|cell| self.chance(cell)).collect();
        let facts = [
            ("rows", json!(seen.rows())),
            ("cols", json!(seen.cols())),
            ("mines", json!(seen.mines())),
            ("probability", json!(probability)),
            ("by_formula", json!(self.masked_only(self.by_formula.as_deref()))),
            ("by_listing", json!(self.masked_only(self.by_listing.as_deref()))),
            ("safe", json!(names(self.safe().iter()))),
            ("mined", json!(names(known.mined().iter()))),
            ("off_frontier", json!(self.off_frontier())),
            ("log10_solutions", json!(known.log10_solutions())),
            ("solutions", json!(self.solutions.map(|count| count.to_string()))),
            ("dead", json!(names(self.dead.iter()))),
            ("guesses", self.guesses.iter().map(guess).collect()),
            ("win_chance", json!(self.win_chances.as_deref().map(chances))),
            ("why", self.why()),
            ("proof", self.proof()),
        ];
        facts.map(|(name, fact)| (name.to_owned(), fact)).into_iter().collect()
    }

    /// Another way's probabilities, of masked cells.
    fn masked_only(&self, mined: Option<&[f64]>) -> Option<Vec<Option<f64>>> {
        let of =
            |mined: &[f64], cell| self.seen.masked().contains(cell).then(|| mined[self.seen.index(cell)]);
        mined.map(|mined| self.cells().map(|cell| of(mined, cell)).collect())
    }

    /// The chance of a mine in every masked cell, to be shown on the board.
    fn marks(&self) -> Vec<Mark> {
        let mark = |cell: BoardCell| {
            let at = Place::Cell(Cell::new(cell.col, cell.row));
            Some(Mark { at, meaning: Meaning::MineProbability(self.chance(cell)?) })
        };
        self.cells().filter_map(mark).collect()
    }

    /// The numbers that touch each masked cell.
    fn why(&self) -> Value {
        let touching = self.seen.masked().iter().map(|cell| (cell, Solver::why(self.seen, cell)));
        let touched = touching.filter(|(_, numbers)| !numbers.is_empty());
        touched.map(|(cell, numbers)| (cell.to_string(), json!(names(numbers)))).collect()
    }

    /// The numbers that prove each certain cell, and whether the number of mines is needed too.
    fn proof(&self) -> Value {
        let proof = |proof: &Contradiction| json!({ "numbers": names(proof.cells.iter().copied()), "mines": proof.mines.is_some() });
        self.proofs.iter().map(|(cell, found)| (cell.to_string(), proof(found))).collect()
    }
}

fn guess(guess: &ForcedGuess) -> Value {
    let cells = names(guess.cells.iter().copied());
    json!({ "cells": cells, "best": guess.best.to_string(), "chance": guess.chance })
}

fn chances(chances: &[(BoardCell, f64)]) -> Map<String, Value> {
    chances.iter().map(|(cell, chance)| (cell.to_string(), json!(chance))).collect()
}

fn names(cells: impl IntoIterator<Item = BoardCell>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of a board of 3×3 with two mines, of which nothing is unmasked.
    fn untouched(first: FirstClick) -> Map<String, Value> {
        of(&VisibleBoard::masked_board(3, 3, 2, false), first).unwrap().facts
    }

    /// Two 1s that share two cells, with one mine in all: only those two may be mined. The printed formula does not know
    /// the total, and the listing lets contradictions pass.
    #[test]
    fn the_documents_ways_stand_beside_the_right_one() {
        let board: VisibleBoard = "mines 1\n.11.\n....".parse().unwrap();
        let survey = of(&board, FirstClick::Safe).unwrap();
        let of = |name: &str, cell: usize| survey.facts[name][cell].as_f64().unwrap();
        assert_eq!((of("probability", 0), of("probability", 5)), (0.0, 0.5));
        assert!((of("by_formula", 0) - 2.0 / 6.0).abs() < 1e-9, "{:?}", survey.facts);
        assert!((of("by_listing", 0) - 4.0 / 14.0).abs() < 1e-9);
        assert_eq!(survey.facts["by_formula"][1], json!(null), "a number has no probability");
        let page = survey.page.unwrap();
        assert!(page.contains("the printed formula") && page.contains("Listing 2.1"), "{page}");
        let alike: VisibleBoard = "mines 1\n1..\n".parse().unwrap();
        let page = super::of(&alike, FirstClick::Safe).unwrap().page.unwrap();
        assert!(!page.contains("the printed formula"), "nothing differs: {page}");
    }

    #[test]
    fn no_first_click_meets_a_mine_where_the_rule_forbids_it() {
        for first in [FirstClick::Safe, FirstClick::Zero] {
            let facts = untouched(first);
            assert_eq!(facts["probability"], json!(vec![0.0; 9]));
            assert_eq!((&facts["by_formula"], &facts["by_listing"]), (&json!(null), &json!(null)));
            assert_eq!((facts["safe"].as_array().unwrap().len(), &facts["off_frontier"]), (9, &json!(0.0)));
        }
        let facts = untouched(FirstClick::Any);
        assert!(
            facts["probability"].as_array().unwrap().iter().all(|chance| *chance == 2.0 / 9.0),
            "{facts:?}"
        );
        assert_eq!(facts["safe"], json!([]));
        let board: VisibleBoard = "mines 1\n1..\n".parse().unwrap();
        assert_eq!(of(&board, FirstClick::Safe).unwrap().facts["probability"], json!([null, 1.0, 0.0]));
    }
}
