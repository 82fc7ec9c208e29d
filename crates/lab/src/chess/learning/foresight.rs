//! A judge of many positions at a time, inside a search that asks for one after the other.
//!
//! A search looks at the moves of a position before it plays any of them (`plausible_moves`): here all that they lead to is judged
//! at once, remembered, and the moves are tried in that order. When the search then asks for one, it is there.
//!
//! Law: what is remembered is what would be judged again; so memory changes the time and nothing else.

use outplay_core::{Evaluator, Outcome, Position, Score, Seat, View};
use outplay_games::chess::Chess;

/// Someone who judges positions, many at a time.
pub trait Judge: Clone + Send + Sync + 'static {
    /// Appends what each position is worth to the side that has just moved, in thousandths of log-odds.
    fn judge(&mut self, positions: &[Chess], worths: &mut Vec<i32>);
}

/// Judgements that are remembered, a power of two.
const MEMORY: usize = 1 << 16;
/// Thousandths of log-odds are multiplied by this, so that they outweigh what a search remembers of moves.
const WEIGHT: i32 = 64;
/// The promise of a move that wins at once.
const WINS: i32 = i32::MAX / 4;

/// A judge with a memory.
#[derive(Clone)]
pub struct Foreseeing<J> {
    judge: J,
    /// By the last bits of a position's key: the key, and its score.
    memory: Vec<(u64, Score)>,
    unknown: Vec<Chess>,
    worths: Vec<i32>,
}

impl<J: Judge> Foreseeing<J> {
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

    /// Judges all positions that wait, and remembers what comes of it.
    fn judge_unknown(&mut self) {
        self.worths.clear();
        self.judge.judge(&self.unknown, &mut self.worths);
        for (position, &worth) in self.unknown.iter().zip(&self.worths) {
            let key = position.key();
            self.memory[key as usize % MEMORY] = (key, Score::eval(-worth));
        }
    }
}

impl<J: Judge> Evaluator<Chess> for Foreseeing<J> {
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
                // What was judged a moment ago may have made room for another.
                None => self.remembered(next).map_or(0, |score| -score.value() * WEIGHT),
            };
            visit(mv, promise);
        }
        usize::MAX
    }
}
