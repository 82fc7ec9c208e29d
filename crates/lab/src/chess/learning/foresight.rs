//! Batch evaluation inside a search that asks for one position after the other.
//!
//! A search looks at the moves of a position before it plays any of them (`plausible_moves`): here the positions after
//! all of them are evaluated at once and cached, and the moves are tried in that order. When the search then asks for
//! one of them, the score is there. The cache holds what would be computed again, so it changes the time and nothing
//! else.

use outplay_core::{Evaluator, Outcome, Position, Score, Seat, View};
use outplay_games::chess::Chess;

/// Evaluates positions in batches.
pub trait BatchJudge: Clone + Send + Sync + 'static {
    /// Appends what each position is worth to the side that has just moved, in thousandths of log-odds.
    fn judge(&mut self, positions: &[Chess], worths: &mut Vec<i32>);
}

/// Judgements that are remembered, a power of two.
const MEMORY: usize = 1 << 16;
/// Thousandths of log-odds are multiplied by this, so that they outweigh what a search remembers of moves.
const WEIGHT: i32 = 64;
/// The promise of a move that wins at once.
const WINS: i32 = i32::MAX / 4;

/// A judge with a cache.
#[derive(Clone)]
pub struct CachedJudge<J> {
    judge: J,
    /// By the last bits of a position's key: the key, and its score.
    memory: Vec<(u64, Score)>,
    unknown: Vec<Chess>,
    worths: Vec<i32>,
}

impl<J: BatchJudge> CachedJudge<J> {
    /// The evaluator over a classifier.
    pub fn new(judge: J) -> Self {
        // The key 0 with its own place remembers nothing true, so its place begins with another key.
        let memory = vec![(1, Score::EVEN); MEMORY];
        Self { judge, memory, unknown: Vec::new(), worths: Vec::new() }
    }

    fn remembered(&self, position: &Chess) -> Option<Score> {
        let key = position.key();
        let (kept, score) = self.memory[key as usize % MEMORY];
        (kept == key).then_some(score)
    }

    /// Evaluates all waiting positions and caches their scores.
    fn judge_unknown(&mut self) {
        self.worths.clear();
        self.judge.judge(&self.unknown, &mut self.worths);
        for (position, &worth) in self.unknown.iter().zip(&self.worths) {
            let key = position.key();
            self.memory[key as usize % MEMORY] = (key, Score::eval(-worth));
        }
    }
}

impl<J: BatchJudge> Evaluator<Chess> for CachedJudge<J> {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &Chess) -> Score {
        if let Some(score) = self.remembered(position) {
            return score;
        }
        self.unknown.clear();
        self.unknown.push(*position);
        self.judge_unknown();
        Score::eval(-self.worths[0])
    }

    fn scores(&mut self, positions: &[Chess], out: &mut Vec<Score>) {
        self.unknown.clear();
        self.unknown.extend_from_slice(positions);
        self.judge_unknown();
        out.extend(self.worths.iter().map(|&worth| Score::eval(-worth)));
    }

    fn plausible_moves(
        &mut self,
        position: &Chess,
        _depth: u32,
        mut visit: impl FnMut(outplay_games::chess::ChessMove, i32),
    ) -> usize {
        let moves = position.moves();
        self.unknown.clear();
        let after: Vec<Chess> = moves.iter().map(|&mv| position.after(mv)).collect();
        let open = after.iter().filter(|next| next.outcome().is_none());
        let new: Vec<Chess> = open.filter(|next| self.remembered(next).is_none()).copied().collect();
        self.unknown.extend(new);
        self.judge_unknown();
        for (&mv, next) in moves.iter().zip(&after) {
            let promise = match next.outcome() {
                Some(Outcome::Win(_)) => WINS,
                Some(Outcome::Draw) => 0,
                // A score of a moment ago may have been overwritten by another.
                None => self.remembered(next).map_or(0, |score| -score.value() * WEIGHT),
            };
            visit(mv, promise);
        }
        usize::MAX
    }
}
