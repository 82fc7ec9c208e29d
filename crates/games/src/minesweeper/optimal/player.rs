//! The player who wins as often as anyone can.
//!
//! Law: no play wins more often.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn};

use super::super::grid::Cell;
use super::super::seen::{Action, Seen};
use super::search::Table;
use super::{Book, Worth};

/// Perfect play on a tiny board.
#[derive(Clone, Debug)]
pub struct Optimal {
    book: Arc<Book>,
    /// What was found beside the book, in games that began at random.
    found: Table,
    /// The best first cell.
    opening: Option<(Cell, Worth)>,
}

impl Optimal {
    /// The player of a book.
    pub fn new(book: Arc<Book>) -> Self {
        Self { book, found: Table::default(), opening: None }
    }

    /// The best cell; any one where nothing is known.
    fn best(&mut self, view: &Seen, stop: &AtomicBool) -> (Cell, Worth) {
        let is_opening = view.score() == 0;
        if let Some(opening) = self.opening.filter(|_| is_opening) {
            return opening;
        }
        let best = self.book.best(view, &mut self.found, stop);
        let (cell, worth) = best.unwrap_or_else(|_| {
            let masked = view.masked().iter().next().expect("an unfinished game has a masked cell");
            (masked, Worth { won: 0, of: 1 })
        });
        if is_opening {
            self.opening = Some((cell, worth));
        }
        (cell, worth)
    }
}

impl Player<Seen> for Optimal {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &Seen, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        let never = AtomicBool::new(false);
        let stop = turn.stop_flag().unwrap_or(&never);
        let plain = view.clone().without_flags();
        let best = self.best(&plain, stop);
        turn.show(|| {
            let mut worths = self.book.worths(&plain, stop).unwrap_or_default();
            worths.retain(|&(cell, _)| cell != best.0);
            worths.insert(0, best);
            let candidate = |&(cell, worth): &(Cell, Worth)| {
                let mv = Action::Unmask(cell);
                Candidate::expected(mv, worth.chance(), f64::from(u8::from(cell == best.0)), vec![mv])
            };
            Thought {
                candidates: worths.iter().map(candidate).collect(),
                depth: 0,
                nodes: worths.len() as u64,
                elapsed: start.elapsed(),
            }
        });
        // A flag of another player's stands in the way.
        if view.flagged().contains(best.0) { Action::Unflag(best.0) } else { Action::Unmask(best.0) }
    }
}
