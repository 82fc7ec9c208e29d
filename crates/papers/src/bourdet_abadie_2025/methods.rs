//! §2.2 and §2.3: the document's algorithms as players, and a board on which the listing errs.

use outplay_core::{Player, Text};
use outplay_games::minesweeper::group_methods::{GroupMethod, GroupWeights, probabilities};
use outplay_games::minesweeper::groups::GroupsPlayer;
use outplay_games::minesweeper::{BoardCell, VisibleBoard, listing, naive};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::boards::BoardSize;
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::{Shares, Tally};
use outplay_report::{Block, Number, ReportTable, Section, english};

/// Every method with every weight, on small boards.
pub(super) struct Methods;

#[derive(Serialize)]
pub(super) struct Config {
    boards: [BoardSize; 2],
    games: u64,
    example: &'static str,
}

/// Two 1s that share two masked cells, and one mine: it lies in one of the two.
const EXAMPLE: &str = "mines 1\n.11.\n....";

/// What the listing makes of the example.
#[derive(Serialize, Deserialize)]
struct ListingExample {
    valid: u64,
    consistent: u64,
    placements: u64,
    /// By cell: its name, and its probability rightly, by the printed formula, by the listing.
    cells: Vec<(String, [f64; 3])>,
}

impl ListingExample {
    fn of(seen: &VisibleBoard) -> Option<Self> {
        let listing = listing::count(seen)?;
        let exact = probabilities(seen, GroupMethod::Naive, GroupWeights::Right)?;
        let printed = probabilities(seen, GroupMethod::GaussJordan, GroupWeights::Printed)?;
        let of = |cell: BoardCell| {
            let place = seen.index(cell);
            (cell.to_string(), [exact[place], printed[place], listing.mined[place]])
        };
        Some(Self {
            valid: listing.valid,
            consistent: listing.consistent,
            placements: naive::count(seen).solutions,
            cells: seen.masked().iter().map(of).collect(),
        })
    }
}

/// The players, as the command line names them.
const PLAYERS: [(&str, GroupMethod, GroupWeights); 5] = [
    ("groups", GroupMethod::Diagram, GroupWeights::Right),
    ("groups:method=gauss-jordan", GroupMethod::GaussJordan, GroupWeights::Right),
    ("groups:weights=printed", GroupMethod::Diagram, GroupWeights::Printed),
    ("groups:weights=printed,method=gauss-jordan", GroupMethod::GaussJordan, GroupWeights::Printed),
    ("groups:weights=printed,method=naive", GroupMethod::Naive, GroupWeights::Printed),
];

fn key(board: BoardSize, player: &str) -> String {
    format!("{}: {player}", board.name())
}

impl Experiment for Methods {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let games = match scale {
            Scale::Smoke => 20,
            Scale::Desk => 2000,
            Scale::Full => 10_000,
        };
        let boards = [BoardSize { rows: 4, cols: 4, mines: 3 }, BoardSize { rows: 5, cols: 5, mines: 4 }];
        Config { boards, games, example: EXAMPLE }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        recorder.once("example", || {
            let seen: VisibleBoard = config.example.parse()?;
            Ok(ListingExample::of(&seen))
        })?;
        for board in config.boards {
            for (name, method, weights) in PLAYERS {
                recorder.once(&key(board, name), || {
                    let make =
                        || -> Box<dyn Player<VisibleBoard>> { Box::new(GroupsPlayer::with(method, weights)) };
                    let contestant = Contestant { name, make: &make };
                    let plan = MatchPlan { games: config.games, ..MatchPlan::default() };
                    // The same name for all, so that they meet the same boards.
                    let part = format!("{}: games", board.name());
                    Ok(conditions.play(&part, &board.game()?, &[contestant], &plan)?.tally())
                })?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut numbers = Vec::new();
        for board in config.boards {
            for (name, ..) in PLAYERS {
                let tally: Tally = records.get(&key(board, name))?;
                numbers.push(Number::share(key(board, name), &Shares::of(tally.wins, tally.games())));
            }
        }
        let mut blocks = Vec::new();
        if let Some(example) = records.get::<Option<ListingExample>>("example")? {
            blocks.extend(example_blocks(&example));
        }
        blocks.push(Block::text(
            "Games won by the strategy with each algorithm, in games with the same seeds. The listing gives every cell that \
             no number touches a probability of 0, and so prefers those; boards with more than a million combinations are played at \
             random. `outplay analyse minesweeper --position …` shows the probabilities of a board by the right weights, \
             by the printed formula and by the listing.",
        ));
        blocks.push(Block::Table(Number::table(&numbers, Text::new("games", "parties"))));
        Ok(Section { blocks, numbers })
    }
}

fn example_blocks(example: &ListingExample) -> [Block; 2] {
    let ListingExample { valid, consistent, placements, cells } = example;
    let text = format!(
        "Listing 2.1 keeps a combination unless the intersection of two numbers' neighbours holds more mines than one of \
         the numbers; whether the two agree about the intersection is never tested. On the board `.11.` above `....`, with one mine, \
         it keeps {valid} of 16 combinations. Only {consistent} of those agree with both numbers, and with one mine in all only {placements} placements \
         are left: the mine lies below the 1s. The listing gives proven empty cells a chance of a mine."
    );
    let percent = |share: f64| format!("{:.1}", 100.0 * share).into();
    let row = |(cell, [exact, printed, listing]): &(String, [f64; 3])| {
        vec![cell.clone().into(), percent(*exact), percent(*printed), percent(*listing)]
    };
    let head = ["% mined", "exact", "printed formula", "Listing 2.1"];
    let table = ReportTable { left: 1, head: english(head), rows: cells.iter().map(row).collect() };
    [Block::text(text), Block::Table(table)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_errs_on_the_example() {
        let example = ListingExample::of(&EXAMPLE.parse().unwrap()).unwrap();
        assert_eq!((example.valid, example.consistent, example.placements), (14, 6, 2));
        let (_, [exact, _, listing]) = &example.cells[0];
        assert!(*exact == 0.0 && *listing > 0.2);
    }
}
