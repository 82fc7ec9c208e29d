//! §2.3: two numbers, their groups, the reduced system, its solutions.

use outplay_core::Text;
use outplay_games::minesweeper::solver::linear::LinearSystem;
use outplay_games::minesweeper::{BoardCell, Solver, VisibleBoard, printed_formula};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Interval;
use outplay_report::{Block, Number, ReportTable, Section, english};

/// The worked example.
pub(super) struct WorkedExample;

/// The example's system: a 2 and a 1 with three cells of their own each, and four between them.
#[derive(Serialize)]
pub(super) struct Config {
    matrix: [[i64; 3]; 2],
    values: [i64; 2],
    sizes: [u8; 3],
    /// Boards on which the two numbers may stand: rows, columns, mines.
    boards: [(usize, usize, usize); 4],
}

/// The solution of the example.
#[derive(Serialize, Deserialize)]
struct ExampleSolution {
    matrix: Vec<Vec<i64>>,
    values: Vec<i64>,
    solutions: Vec<Vec<u8>>,
    /// By the printed formula, the probability of a cell of each group.
    printed: [f64; 3],
    /// Exactly, on each of the boards; nothing where no placement fits.
    exact: Vec<Option<[f64; 3]>>,
}

/// The published numbers.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PublishedExample {
    source: String,
    matrix: Vec<Vec<i64>>,
    values: Vec<i64>,
    solutions: Vec<Vec<u8>>,
}

/// The two numbers in the middle of a board.
fn board(rows: usize, cols: usize, mines: usize) -> VisibleBoard {
    let mut seen = VisibleBoard::masked_board(rows, cols, mines, false);
    let [two, one] = numbers(&seen);
    seen.reveal(two, 2);
    seen.reveal(one, 1);
    seen
}

fn numbers(seen: &VisibleBoard) -> [BoardCell; 2] {
    let (row, col) = (seen.rows() / 2, seen.cols() / 2);
    [BoardCell::new(row, col - 1), BoardCell::new(row, col)]
}

/// A cell of each group: beside the 2 alone, beside both, beside the 1 alone.
fn cells(seen: &VisibleBoard) -> [BoardCell; 3] {
    let [two, one] = numbers(seen);
    let (row, left, right) = (two.row as usize, two.col as usize, one.col as usize);
    [BoardCell::new(row, left - 1), BoardCell::new(row - 1, left), BoardCell::new(row, right + 1)]
}

fn solve(config: &Config) -> ExampleSolution {
    let mut system = LinearSystem {
        matrix: config.matrix.map(|row| row.to_vec()).to_vec(),
        values: config.values.to_vec(),
        sizes: config.sizes.to_vec(),
    };
    let solutions = system.solutions();
    system.reduce();
    let (rows, cols, mines) = config.boards[0];
    let first = board(rows, cols, mines);
    let by_formula = printed_formula::probabilities(&first).expect("two numbers are few");
    let exact = config.boards.map(|(rows, cols, mines)| {
        let seen = board(rows, cols, mines);
        let mut solver = Solver::new();
        let known = solver.solve(&seen).ok()?;
        Some(cells(&seen).map(|cell| known.of(cell).unwrap_or(0.0)))
    });
    ExampleSolution {
        matrix: system.matrix,
        values: system.values,
        solutions,
        printed: cells(&first).map(|cell| by_formula[first.index(cell)]),
        exact: exact.to_vec(),
    }
}

impl Experiment for WorkedExample {
    type Config = Config;

    fn config(&self, _: Scale) -> Config {
        Config {
            matrix: [[1, 1, 0], [0, 1, 1]],
            values: [2, 1],
            sizes: [3, 4, 3],
            boards: [(3, 4, 2), (3, 4, 3), (10, 10, 10), (16, 30, 99)],
        }
    }

    fn run(&self, config: &Config, _: &Conditions<'_>, recorder: &mut Recorder<'_>) -> Result<(), WorkError> {
        recorder.once("solved", || Ok(solve(config))).map(drop)
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let solved: ExampleSolution = records.get("solved")?;
        let stated: PublishedExample = published.needed("example")?;
        let numbers = compare(&solved, &stated);
        let text = format!(
            "{}: a 2 and a 1 beside each other, all cells around them masked: groups of {} and {} cells of their own and \
             {} between them.",
            stated.source, config.sizes[0], config.sizes[2], config.sizes[1]
        );
        let remark = "The document goes on to a formula but not to numbers. By the formula the two solutions weigh \
                      3·1·3 = 9 and 3·4·1 = 12, whatever the board around them. Exactly, they also weigh by the mines that \
                      are left: with 2 mines in all only (1, 1, 0) is possible, with 3 on these twelve cells only (2, 0, 1).";
        let blocks = vec![
            Block::text(text),
            Block::Table(Number::table(&numbers, Text::new("entries", "entrées"))),
            Block::text(remark),
            Block::Table(probabilities(config, &solved)),
        ];
        Ok(Section { blocks, numbers })
    }
}

/// The entries that are as the document prints them.
fn compare(solved: &ExampleSolution, stated: &PublishedExample) -> Vec<Number> {
    let number = |name: &str, agree: usize, of: usize| {
        let (ours, all) = (agree as f64, of as f64);
        Number::new(name, "entries", ours, Interval { low: ours, high: ours }, of as u64)
            .digits(0)
            .against(all, 0.0)
    };
    let alike = |ours: &[i64], theirs: &[i64]| ours.iter().zip(theirs).filter(|(a, b)| a == b).count();
    let (ours, theirs) = (solved.matrix.concat(), stated.matrix.concat());
    let found = stated.solutions.iter().filter(|solution| solved.solutions.contains(solution)).count();
    vec![
        number("entries of the reduced matrix", alike(&ours, &theirs), theirs.len()),
        number("entries of its right side", alike(&solved.values, &stated.values), stated.values.len()),
        number("solutions of the document that are ours", found, stated.solutions.len()),
        number("solutions of ours that are the document's", found, solved.solutions.len()),
    ]
}

fn probabilities(config: &Config, solved: &ExampleSolution) -> ReportTable {
    let percent = |share: f64| format!("{:.1}", 100.0 * share).into();
    let line = |name: String, shares: Option<[f64; 3]>| {
        let shares = shares.map_or_else(|| [(); 3].map(|()| "–".into()), |shares| shares.map(percent));
        std::iter::once(name.into()).chain(shares).collect()
    };
    let mut rows = vec![line("printed formula".to_owned(), Some(solved.printed))];
    for ((rows_of, cols, mines), shares) in config.boards.iter().zip(&solved.exact) {
        rows.push(line(format!("exact, {rows_of}×{cols} with {mines} mines"), *shares));
    }
    let head = ["% mined", "beside the 2", "beside both", "beside the 1"].map(String::from);
    ReportTable { left: 1, head: english(head.iter().cloned()), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_the_documents() {
        let config = Experiment::config(&WorkedExample, Scale::Smoke);
        let solved = solve(&config);
        let published = Published::read(super::super::PAPER.published).unwrap();
        let stated = published.of("example").unwrap().unwrap();
        assert!(compare(&solved, &stated).iter().all(|number| number.comparison.unwrap().difference == 0.0));
        assert!((solved.printed[0] - 30.0 / 63.0).abs() < 1e-12);
        // One placement of the mine in each of the groups that hold one.
        assert_eq!(solved.exact[0], Some([1.0 / 3.0, 0.25, 0.0]));
        assert_eq!(solved.exact[1], Some([2.0 / 3.0, 0.0, 1.0 / 3.0]));
        assert!(cells(&board(3, 4, 2)).iter().all(|&cell| board(3, 4, 2).masked().contains(cell)));
    }
}
