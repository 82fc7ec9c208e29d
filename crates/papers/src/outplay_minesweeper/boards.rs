//! The boards, the players on them, and the records of their games.

use outplay_games::minesweeper::{FirstClick, Minesweeper};
use outplay_runtime::WorkError;
use serde::Serialize;

use super::report;
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_lab::minesweeper;
use outplay_lab::minesweeper::scores;
use outplay_lab::minesweeper::vision::FirstCell;
use outplay_report::Section;

/// A size, a number of mines, and the rule of the first click.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct StudyBoard {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) mines: usize,
    pub(super) zero: bool,
}

impl StudyBoard {
    const fn square(side: usize, mines: usize) -> Self {
        Self { rows: side, cols: side, mines, zero: false }
    }

    pub(super) fn name(&self) -> String {
        let zero = if self.zero { ", first cell 0" } else { "" };
        format!("{}×{}/{}{zero}", self.rows, self.cols, self.mines)
    }

    /// The highest score.
    pub(super) const fn most(&self) -> usize {
        self.rows * self.cols - self.mines
    }

    fn game(&self) -> Result<Minesweeper, WorkError> {
        let first = if self.zero { FirstClick::Zero } else { FirstClick::Safe };
        Ok(Minesweeper::new(self.rows, self.cols, self.mines, first)?)
    }
}

/// Players on boards.
pub(super) struct BoardComparison {
    boards: &'static [StudyBoard],
    pub(super) players: &'static [&'static str],
    first: FirstCell,
    /// Games of each player on each board at the scales of smoke, desk and full.
    games: [u64; 3],
    /// The name of the published numbers.
    pub(super) published: Option<&'static str>,
}

const OF_CHAPTER_5: &[&str] = &["subgrids", "groups", "net", "solver:effort=fast", "solver"];

/// Table 3 of the document.
pub(super) const BY_SIZE: BoardComparison = BoardComparison {
    boards: &[
        StudyBoard::square(6, 4),
        StudyBoard::square(8, 6),
        StudyBoard::square(10, 10),
        StudyBoard::square(12, 14),
        StudyBoard::square(14, 20),
        StudyBoard::square(16, 26),
        StudyBoard::square(18, 32),
        StudyBoard::square(20, 40),
        StudyBoard::square(22, 48),
        StudyBoard::square(24, 58),
    ],
    players: OF_CHAPTER_5,
    first: FirstCell::Random,
    games: [2, 200, 2000],
    published: Some("by-size"),
};

/// Table 4 of the document.
pub(super) const BY_DENSITY: BoardComparison = BoardComparison {
    boards: &[
        StudyBoard::square(10, 4),
        StudyBoard::square(10, 6),
        StudyBoard::square(10, 8),
        StudyBoard::square(10, 10),
        StudyBoard::square(10, 12),
        StudyBoard::square(10, 14),
        StudyBoard::square(10, 16),
        StudyBoard::square(10, 18),
        StudyBoard::square(10, 20),
        StudyBoard::square(10, 22),
        StudyBoard::square(10, 24),
    ],
    players: OF_CHAPTER_5,
    first: FirstCell::Random,
    games: [2, 400, 4000],
    published: Some("by-density"),
};

/// The boards that programs are usually compared on.
pub(super) const USUAL: BoardComparison = BoardComparison {
    boards: &[
        StudyBoard::square(9, 10),
        StudyBoard::square(10, 10),
        StudyBoard::square(10, 20),
        StudyBoard::square(16, 40),
        StudyBoard { rows: 16, cols: 30, mines: 99, zero: false },
        StudyBoard { rows: 16, cols: 30, mines: 99, zero: true },
    ],
    players: &["groups", "solver:effort=fast", "solver"],
    first: FirstCell::Own,
    games: [2, 400, 40_000],
    published: None,
};

/// The boards on which most games are lost by guesses: the effect of playouts at late guesses.
pub(super) const HARD: BoardComparison = BoardComparison {
    boards: &[
        StudyBoard::square(10, 20),
        StudyBoard { rows: 16, cols: 30, mines: 99, zero: false },
        StudyBoard { rows: 16, cols: 30, mines: 99, zero: true },
    ],
    players: &["solver", "solver:effort=deep"],
    first: FirstCell::Own,
    games: [2, 200, 40_000],
    published: None,
};

/// The effect of choosing the first cell, also for the network.
pub(super) const OWN_FIRST_CELL: BoardComparison = BoardComparison {
    boards: &[StudyBoard::square(10, 10), StudyBoard::square(16, 40)],
    players: &["groups", "net", "solver:effort=fast", "solver"],
    first: FirstCell::Own,
    games: [2, 200, 4000],
    published: None,
};

#[derive(Serialize)]
pub(super) struct Config {
    boards: &'static [StudyBoard],
    players: &'static [&'static str],
    random_first_cell: bool,
    pub(super) games: u64,
}

/// Games of one unit of work.
const BATCH: u64 = 500;

/// One player's games on one board.
pub(super) struct PlayerGames {
    pub(super) won: Vec<bool>,
    pub(super) mean_score: f64,
}

impl BoardComparison {
    /// The boards in order.
    pub(super) const fn boards(&self) -> &'static [StudyBoard] {
        self.boards
    }

    fn keys(board: &StudyBoard, player: &str, games: u64) -> impl Iterator<Item = (String, u64)> {
        let name = format!("{player} on {}", board.name());
        (0..games).step_by(BATCH as usize).map(move |first| (format!("{name}: games from {first}"), first))
    }

    /// What the records say of a player on a board.
    pub(super) fn line(
        board: &StudyBoard,
        player: &str,
        config: &Config,
        records: &Records,
    ) -> Result<PlayerGames, WorkError> {
        let mut scores: Vec<u16> = Vec::new();
        for (key, _) in Self::keys(board, player, config.games) {
            scores.extend(records.get::<Vec<u16>>(&key)?);
        }
        let won = scores.iter().map(|&score| usize::from(score) == board.most()).collect();
        let sum: f64 = scores.iter().map(|&score| f64::from(score)).sum();
        Ok(PlayerGames { won, mean_score: sum / scores.len().max(1) as f64 })
    }
}

impl Experiment for BoardComparison {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        Config {
            boards: self.boards,
            players: self.players,
            random_first_cell: self.first == FirstCell::Random,
            games: scale.choose(self.games),
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for board in self.boards {
            let game = board.game()?;
            let seed = conditions.seed_of(&board.name());
            for player in self.players {
                let factory = minesweeper::board(game.clone()).make_player(
                    player,
                    conditions.store,
                    conditions.watch,
                )?;
                for (key, first) in Self::keys(board, player, config.games) {
                    recorder.once(&key, || {
                        conditions.show(
                            &format!("{player} on {}", board.name()),
                            first,
                            config.games,
                            "games",
                        );
                        let games = first..(first + BATCH).min(config.games);
                        conditions.on_threads(|| Ok(scores::play(&game, &factory, self.first, games, seed)))
                    })?;
                }
            }
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        report::compare(self, config, records, published)
    }
}
