//! §2: how often the strategy wins, by the rule of the first cell.

use outplay_core::{Player, Text};
use outplay_games::minesweeper::groups::GroupsPlayer;
use outplay_games::minesweeper::{FirstClick, Minesweeper, VisibleBoard};
use outplay_runtime::WorkError;
use serde::Serialize;

use super::boards::{BoardSize, USUAL};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::Shares;
use outplay_arena::stats::Tally;
use outplay_report::{Block, Number, Section};

/// The least likely mined cell, ties at random.
pub(super) struct Strategy;

#[derive(Serialize)]
pub(super) struct Config {
    boards: [BoardSize; 3],
    firsts: [&'static str; 3],
    games: [u64; 3],
}

fn key(board: BoardSize, first: &str) -> String {
    format!("{}, first cell {first}", board.name())
}

/// The rule that a word stands for.
fn rule(first: &str) -> FirstClick {
    match first {
        "any" => FirstClick::Any,
        "zero" => FirstClick::Zero,
        _ => FirstClick::Safe,
    }
}

impl Experiment for Strategy {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let games = match scale {
            Scale::Smoke => [20, 10, 6],
            Scale::Desk => [4000, 2000, 1000],
            Scale::Full => [20_000, 20_000, 10_000],
        };
        Config { boards: USUAL, firsts: ["any", "safe", "zero"], games }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let make = || -> Box<dyn Player<VisibleBoard>> { Box::new(GroupsPlayer::new()) };
        for (board, games) in config.boards.into_iter().zip(config.games) {
            for first in config.firsts {
                let key = key(board, first);
                recorder.once(&key, || {
                    let game = Minesweeper::new(board.rows, board.cols, board.mines, rule(first))?;
                    let contestant = Contestant { name: "groups", make: &make };
                    let plan = MatchPlan { games, ..MatchPlan::default() };
                    Ok(conditions.play(&key, &game, &[contestant], &plan)?.tally())
                })?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut numbers = Vec::new();
        for board in config.boards {
            for first in config.firsts {
                let tally: Tally = records.get(&key(board, first))?;
                numbers.push(Number::share(key(board, first), &Shares::of(tally.wins, tally.games())));
            }
        }
        let text = "The document says that a perfect program would not win every game, and reports no wins. Its strategy, with \
                    exact probabilities, is the player `groups`; the first cell may be anything, is never a mine, or is \
                    always a 0.";
        Ok(Section {
            blocks: vec![
                Block::text(text),
                Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
            ],
            numbers,
        })
    }
}
