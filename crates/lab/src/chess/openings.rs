//! Balanced openings: where matches begin, so that neither side has won before it moves.
//!
//! Opening i is drawn from `Rng::stream(seed, i)` and judged by an engine that remembers nothing, so a book is the same on
//! any number of threads.

use outplay_core::{Position, Rng, View, errors};
use outplay_games::chess::engine::{ChessEngine, SearchLimits, SearchRequest, SearchSignals};
use outplay_games::chess::{Chess, ClassicEvaluator};
use outplay_runtime::WorkError;
use rayon::prelude::*;

use outplay_runtime::{Progress, Watch};

errors! {
    /// Why there is no such book.
    pub enum BookError {
        TooFew { found: usize, drawn: u64, margin: i32 } =
            "only {found} of {drawn} openings are within {margin} hundredths of a pawn: expected a wider margin"
            | "seules {found} ouvertures sur {drawn} sont à {margin} centièmes de pion près : attendu une marge plus large",
    }
}

/// Which openings are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Book {
    /// How many.
    pub count: usize,
    /// Random plies before each, or one more.
    pub plies: u32,
    /// Positions that the engine visits to judge one.
    pub nodes: u64,
    /// How far from even it may be, in hundredths of a pawn.
    pub margin: i32,
    /// The seed.
    pub seed: u64,
}

/// Openings judged at a time, so that progress shows.
const BATCH: u64 = 64;

/// The openings, as FEN.
pub fn balanced(book: Book, watch: Watch<'_>) -> Result<Vec<String>, WorkError> {
    let mut found: Vec<String> = Vec::new();
    let mut next = 0;
    while found.len() < book.count {
        if watch.is_stopped() {
            return Err(WorkError::Stopped);
        }
        let drawn = (next..next + BATCH).into_par_iter().map(|number| {
            let position = random_opening(book.plies, &mut Rng::stream(book.seed, number));
            is_balanced(position, &book).then(|| position.fen())
        });
        for fen in drawn.collect::<Vec<_>>().into_iter().flatten() {
            if !found.contains(&fen) {
                found.push(fen);
            }
        }
        next += BATCH;
        let done = found.len().min(book.count) as u64;
        watch.show(Progress { task: "openings", done, total: book.count as u64, unit: "openings" });
        if next >= 1000 * book.count as u64 {
            let (found, margin) = (found.len(), book.margin);
            return Err(BookError::TooFew { found, drawn: next, margin }.into());
        }
    }
    found.truncate(book.count);
    Ok(found)
}

fn is_balanced(position: Chess, book: &Book) -> bool {
    let limits = SearchLimits { nodes: Some(book.nodes), ..SearchLimits::default() };
    let mut engine = ChessEngine::new(1, 1, &ClassicEvaluator::default());
    let best = engine.search(&SearchRequest::new(position), &limits, SearchSignals::default(), |_| {});
    best[0].score.centipawns().is_some_and(|worth| worth.abs() <= book.margin)
}

/// A position after this many random moves, or one more, that is not over.
pub(super) fn random_opening(plies: u32, rng: &mut Rng) -> Chess {
    let mut scratch = Vec::new();
    loop {
        let mut position = Chess::start();
        for _ in 0..plies + rng.below(2) as u32 {
            if position.outcome().is_none() {
                position.play(position.random_move(rng, &mut scratch));
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_balanced_and_the_same_every_time() {
        let book = Book { count: 5, plies: 6, nodes: 200, margin: 60, seed: 3 };
        let openings = balanced(book, Watch::nobody()).unwrap();
        assert_eq!((openings.len(), &openings), (5, &balanced(book, Watch::nobody()).unwrap()));
        for fen in &openings {
            assert!(is_balanced(Chess::from_fen(fen).unwrap(), &book));
        }
        let refusal = balanced(Book { margin: -1, count: 1, ..book }, Watch::nobody()).unwrap_err();
        assert!(refusal.to_string().contains("expected a wider margin"), "{refusal}");
    }
}
