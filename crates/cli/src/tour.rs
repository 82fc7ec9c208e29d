//! The tour of the terminal: one shown game, and what to try next.

use outplay_core::Seat;
use outplay_runtime::{Watch, WorkError};

use crate::play;
use crate::terminal::{Terminal, complain};

const PLAYERS: [&str; 2] = ["net:depth=2", "expert:depth=2"];

const NEXT: &str = "\
What to try next:
  outplay play pushover                                      play it yourself (hint, undo, quit)
  outplay solve pushover                                     who wins, in how many moves, and how
  outplay analyse pushover --player mcts:time=1s             watch a player think
  outplay match pushover net:depth=2 expert:depth=2 --games 1000 --random-plies 4
  outplay reproduce mueller-1992 --scale smoke               check the document's tables
  outplay play minesweeper                                   another game; 'hint' says what solver would do
  outplay --help                                             everything else
(from a checkout: cargo run --release -- COMMAND)";

pub(crate) fn run(terminal: &Terminal) -> Result<(), WorkError> {
    let board = terminal.open_game("pushover")?;
    complain(
        "Push-over: a move enters a piece from an edge and pushes what is in its way; four in a line win.\n\
         The network of 1992 (o) meets the expert that taught it (+), two plies deep each.",
    );
    let mut table = board.table(None, 0)?;
    for (player, seat) in PLAYERS.into_iter().zip(Seat::BOTH) {
        table.seat(seat, player, Watch::nobody())?;
    }
    play::show(terminal, board.info().opponent, &mut *table, &PLAYERS)?;
    complain(&format!("\n{NEXT}"));
    Ok(())
}
