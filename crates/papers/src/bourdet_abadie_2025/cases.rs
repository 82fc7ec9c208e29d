//! §2.2 and §2.3: how many cases each way of counting has to try, and whether they agree.
//!
//! Work is counted in cases, because records hold no times.

use outplay_games::minesweeper::solver::linear::LinearSystem;
use outplay_games::minesweeper::{BoardCell, CellContent, CellSet, Solver, VisibleBoard, naive};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::boards::{BoardSelection, BoardSize};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Interval;
use outplay_arena::stats::student_interval;
use outplay_report::{Block, Figure, LineChart, LineSeries, Number, ReportTable, Section, english};

/// Boards of growing size.
pub(super) struct Cases;

#[derive(Serialize)]
pub(super) struct Config {
    boards: Vec<BoardSize>,
    drawn: BoardSelection,
    /// Boards drawn of each size.
    sampled: usize,
    /// The most masked cells on which every placement is tried.
    most_masked: usize,
    /// The most choices of free groups that are tried.
    most_free: f64,
}

/// The cases to try on one board, as decimal logarithms, and the check of the probabilities.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct CaseCounts {
    /// The document's Cartesian product: for each number, every way to lay its mines.
    product: f64,
    /// Every choice of the free groups of the reduced system.
    free: f64,
    /// The solutions in group counts, where they were counted.
    solutions: Option<f64>,
    /// The largest difference between the probabilities of trying every placement and ours, where that was tried.
    difference: Option<f64>,
}

impl CaseCounts {
    fn of(seen: &VisibleBoard, config: &Config) -> Self {
        let system = LinearSystem::of(seen);
        let pivots = system.clone().reduce();
        let is_free = |group: &usize| !pivots.contains(group);
        let free: f64 = (0..system.sizes.len())
            .filter(is_free)
            .map(|group| (f64::from(system.sizes[group]) + 1.0).log10())
            .sum();
        let can_count = free <= config.most_free.log10();
        Self {
            product: product(seen),
            free,
            solutions: can_count.then(|| (system.solutions().len() as f64).log10()),
            difference: (seen.masked_count() <= config.most_masked).then(|| difference(seen)),
        }
    }
}

/// The decimal logarithm of the number of elements of the document's product.
fn product(seen: &VisibleBoard) -> f64 {
    let everywhere = CellSet::full(seen.rows(), seen.cols());
    let ways = |cell: BoardCell| {
        let CellContent::Number(number) = seen.shown(cell) else { return 0.0 };
        let masked = seen.neighbours(cell).filter(|&near| seen.masked().contains(near)).count();
        (0..usize::from(number)).map(|i| ((masked - i) as f64 / (i + 1) as f64).log10()).sum()
    };
    everywhere.iter().map(ways).sum()
}

fn difference(seen: &VisibleBoard) -> f64 {
    let count = naive::count(seen);
    let mut solver = Solver::new();
    let Ok(known) = solver.solve(seen) else { return f64::INFINITY };
    let of = |cell: BoardCell| {
        let expected = count.mined[seen.index(cell)] as f64 / count.solutions as f64;
        (known.of(cell).unwrap_or(0.0) - expected).abs()
    };
    seen.masked().iter().map(of).fold(0.0, f64::max)
}

impl Experiment for Cases {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (sizes, sampled, most_masked) = match scale {
            Scale::Smoke => (&[4, 5, 6][..], 10, 14),
            Scale::Desk => (&[4, 5, 6, 8, 10, 12, 16][..], 100, 18),
            Scale::Full => (&[4, 5, 6, 8, 10, 12, 16, 20][..], 300, 20),
        };
        // The density of the usual board of 16×16 cells with 40 mines.
        let board =
            |&side: &usize| BoardSize { rows: side, cols: side, mines: (side * side * 40).div_ceil(256) };
        let boards = sizes.iter().map(board).collect();
        Config { boards, drawn: BoardSelection::Any, sampled, most_masked, most_free: 1e4 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for (place, board) in config.boards.iter().enumerate() {
            let key = board.name();
            recorder.once(&key, || {
                conditions.show(&key, place as u64, config.boards.len() as u64, "sizes");
                let sample = board.sample(config.drawn, config.sampled, conditions.seed_of(&key))?;
                Ok(sample.iter().map(|seen| CaseCounts::of(seen, config)).collect::<Vec<_>>())
            })?;
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut lines = Vec::new();
        for board in &config.boards {
            lines.push((*board, records.get::<Vec<CaseCounts>>(&board.name())?));
        }
        let numbers: Vec<Number> = lines.iter().map(|(board, taken)| cases(*board, taken)).collect();
        let differences: Vec<f64> =
            lines.iter().flat_map(|(_, taken)| taken.iter().filter_map(|taken| taken.difference)).collect();
        let largest = differences.iter().copied().fold(0.0, f64::max);
        let text = "The naïve way tries, for each number, every way to lay its mines among its masked neighbours, and all \
                    of these together. The optimised way tries every choice of the free groups of the reduced system; \
                    the solutions are those choices that fit. Means of decimal logarithms: 3.0 stands for a thousand cases.";
        let agreement = format!(
            "On the {} boards with at most {} masked cells every placement was tried one by one as well: the probabilities \
             of our solver, which needs no list of solutions at all, differ from those by {largest:.0e} at most. How long either \
             takes is a matter of the machine: see `outplay bench minesweeper`.",
            differences.len(),
            config.most_masked
        );
        let blocks = vec![
            Block::text(text),
            Block::Table(table(&lines)),
            Block::Figure(figure(&lines)),
            Block::text(agreement),
        ];
        Ok(Section { blocks, numbers })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// What the optimised way saves, in decimal orders of magnitude.
fn cases(board: BoardSize, taken: &[CaseCounts]) -> Number {
    let saved: Vec<f64> = taken.iter().map(|taken| taken.product - taken.free).collect();
    let ours = mean(saved.iter().copied()).unwrap_or(0.0);
    let interval = student_interval(&saved).unwrap_or(Interval { low: ours, high: ours });
    Number::new(
        format!("{}: orders of magnitude saved", board.name()),
        "",
        ours,
        interval,
        saved.len() as u64,
    )
}

fn table(lines: &[(BoardSize, Vec<CaseCounts>)]) -> ReportTable {
    let shown =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}")).into();
    let row = |(board, taken): &(BoardSize, Vec<CaseCounts>)| {
        let counted = taken.iter().filter_map(|taken| taken.solutions);
        let counts = counted.clone().count();
        vec![
            board.name().into(),
            shown(mean(taken.iter().map(|taken| taken.product))),
            shown(mean(taken.iter().map(|taken| taken.free))),
            shown(mean(counted)),
            counts.to_string().into(),
            taken.len().to_string().into(),
        ]
    };
    let head = ["board", "naïve cases", "choices of free groups", "solutions", "of so many boards", "boards"];
    ReportTable { left: 1, head: english(head), rows: lines.iter().map(row).collect() }
}

fn figure(lines: &[(BoardSize, Vec<CaseCounts>)]) -> Figure {
    let series = |name: &str, of: fn(&CaseCounts) -> f64| LineSeries {
        name: name.to_owned(),
        points: lines
            .iter()
            .filter_map(|(board, taken)| {
                Some(((board.rows * board.cols) as f64, mean(taken.iter().map(of))?.max(0.0)))
            })
            .collect(),
    };
    let caption = "decimal logarithm of the cases to try on a board, by its cells".to_owned();
    let chart = LineChart {
        caption,
        x_axis: "cells of the board".to_owned(),
        y_axis: "log₁₀ of cases".to_owned(),
        series: vec![
            series("naïve", |taken| taken.product),
            series("choices of free groups", |taken| taken.free),
        ],
        ..LineChart::default()
    };
    chart.figure("cases")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_takes_what_is_counted_by_hand() {
        let config = Experiment::config(&Cases, Scale::Smoke);
        let seen: VisibleBoard = "mines 3\n....\n.21.\n....".parse().unwrap();
        let taken = CaseCounts::of(&seen, &config);
        // Two mines among seven cells and one among seven; one free group of 3 or 4 cells; two solutions.
        assert!((taken.product - (21f64 * 7.0).log10()).abs() < 1e-12);
        assert!((taken.free - 4f64.log10()).abs() < 1e-12 || (taken.free - 5f64.log10()).abs() < 1e-12);
        assert!((taken.solutions.unwrap() - 2f64.log10()).abs() < 1e-12);
        assert!(taken.difference.unwrap() < 1e-9);
    }
}
