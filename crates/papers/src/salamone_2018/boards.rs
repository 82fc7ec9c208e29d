//! §5, Tables 3 and 4: the last AI on other boards.

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::{FlagPolicy, SourceBoard};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::ladder::{Sizes, last_network};
use super::numbered_network::{NumberedNetwork, train_all};
use super::report::GAMES;
use crate::artefact::{Conditions, Experiment, Published, PublishedError, Recorder, Records, Scale};
use outplay_arena::stats::{Interval, Z95};
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores};
use outplay_report::{BarChart, BarRow, Block, Number, Section};

/// A table by board.
pub(super) struct ByBoard {
    /// The artefact's name, under which its numbers are published.
    pub(super) name: &'static str,
    /// What is special about it, for the report.
    pub(super) remark: &'static str,
    /// The boards.
    pub(super) boards: &'static [SourceBoard],
}

const fn square(side: usize, mines: usize) -> SourceBoard {
    SourceBoard { rows: side, cols: side, mines }
}

/// Table 3: by size, with a tenth of the cells mined.
pub(crate) const TABLE_3: [SourceBoard; 10] = [
    square(6, 4),
    square(8, 6),
    square(10, 10),
    square(12, 14),
    square(14, 20),
    square(16, 26),
    square(18, 32),
    square(20, 40),
    square(22, 48),
    square(24, 58),
];

/// Table 4: by density, on 10×10 cells.
pub(crate) const TABLE_4: [SourceBoard; 11] = [
    square(10, 4),
    square(10, 6),
    square(10, 8),
    square(10, 10),
    square(10, 12),
    square(10, 14),
    square(10, 16),
    square(10, 18),
    square(10, 20),
    square(10, 22),
    square(10, 24),
];

/// The name of a board.
pub(crate) fn name_of(board: SourceBoard) -> String {
    format!("{}×{}/{}", board.rows, board.cols, board.mines)
}

#[derive(Serialize)]
pub(super) struct Config {
    lesson: String,
    boards: Vec<String>,
    games: u64,
    #[serde(skip)]
    network: NumberedNetwork,
}

/// The published numbers, board by board.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct PublishedBoards {
    pub(crate) source: String,
    pub(crate) boards: Vec<PublishedBoard>,
}

/// One line of a table.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct PublishedBoard {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) mines: usize,
    pub(crate) win_rate: f64,
    pub(crate) score_ratio: f64,
}

impl PublishedBoards {
    /// The line of a board; it must be there.
    pub(crate) fn of(&self, board: SourceBoard) -> Result<PublishedBoard, WorkError> {
        let SourceBoard { rows, cols, mines } = board;
        let is_it = |line: &&PublishedBoard| (line.rows, line.cols, line.mines) == (rows, cols, mines);
        let missing = || PublishedError::NoBoard { source: self.source.clone(), board: name_of(board) };
        Ok(self.boards.iter().find(is_it).copied().ok_or_else(missing)?)
    }
}

impl Experiment for ByBoard {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let network = last_network(scale);
        Config {
            lesson: network.lesson.to_string(),
            boards: self.boards.iter().copied().map(name_of).collect(),
            games: Sizes::of(scale).board_games,
            network,
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        train_all(&[&config.network], conditions)?;
        let network = config.network.load(conditions)?;
        for &board in self.boards {
            recorder.once(&name_of(board), || {
                let game = game_of(board.rows, board.cols, board.mines)?;
                let seed = conditions.seed_of(&name_of(board));
                conditions.on_threads(|| {
                    network_scores(&game, &network, FlagPolicy::BEST, config.games, seed, conditions.watch)
                })
            })?;
        }
        Ok(())
    }

    fn report(&self, _: &Config, records: &Records, published: &Published) -> Result<Section, WorkError> {
        let stated: PublishedBoards = published.needed(self.name)?;
        let mut numbers = Vec::new();
        for &board in self.boards {
            numbers.extend(compare(board, &records.get(&name_of(board))?, stated.of(board)?));
        }
        let blocks = vec![
            Block::text(format!("{}. {}", stated.source, self.remark)),
            figure(self.name, &numbers),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        ];
        Ok(Section { blocks, numbers })
    }
}

/// Games won, and the mean score as a share of the highest possible.
fn compare(board: SourceBoard, scores: &Scores, stated: PublishedBoard) -> [Number; 2] {
    let won = scores.won();
    let margin = 100.0 * won.margin_to(stated.win_rate / 100.0, GAMES) + 0.05;
    let most = scores.most() as f64 / 100.0;
    let Interval { low, high } = scores.mean_interval();
    let (own, other) = (scores.games() as f64, GAMES as f64);
    let ratio_margin = Z95 * scores.deviation() * (1.0 / own + 1.0 / other).sqrt() / most + 0.05;
    let interval = Interval { low: low / most, high: high / most };
    [
        Number::share(format!("{}: games won", name_of(board)), &won).against(stated.win_rate, margin),
        Number::new(
            format!("{}: mean score / highest", name_of(board)),
            "%",
            scores.mean() / most,
            interval,
            scores.games(),
        )
        .against(stated.score_ratio, ratio_margin),
    ]
}

/// The shares of games won as bars.
fn figure(name: &str, numbers: &[Number]) -> Block {
    let row = |number: &Number| BarRow {
        label: number.name.split(':').next().unwrap_or_default().to_owned(),
        ..BarRow::from(number)
    };
    let caption = format!("{name}: % of games won, board by board; whiskers are 95% intervals of ours");
    let chart = BarChart {
        caption,
        axis: "% of games won".to_owned(),
        limit: 100.0,
        series: vec!["ours".to_owned()],
        ghost: Some("the document".to_owned()),
        rows: numbers.iter().step_by(2).map(row).collect(),
    };
    Block::Figure(chart.figure(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_published_with_its_density() {
        let published = Published::read(super::super::PAPER.published).unwrap();
        for (name, boards) in [("table-3", &TABLE_3[..]), ("table-4", &TABLE_4)] {
            let stated: PublishedBoards = published.of(name).unwrap().unwrap();
            assert_eq!(stated.boards.len(), boards.len());
            for &board in boards {
                let line = stated.of(board).unwrap();
                assert!(line.win_rate <= line.score_ratio + 1e-9, "{}", name_of(board));
            }
        }
        // The densities that Table 3 prints.
        let densities = [11.1, 9.4, 10.0, 9.7, 10.2, 10.2, 9.9, 10.0, 9.9, 10.1];
        for (board, density) in TABLE_3.into_iter().zip(densities) {
            let ours = 100.0 * board.mines as f64 / (board.rows * board.cols) as f64;
            assert!((ours - density).abs() <= 0.051, "{}", name_of(board));
        }
    }
}
