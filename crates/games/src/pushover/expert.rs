//! The hand-written evaluation, after Le-Ngoc & Vroomen (1982) as Müller's document corrects it.
//!
//! The evaluation is from the point of view of the player who searches, so the weights of *own* and *enemy* lines are not
//! exchanged from ply to ply. [`PushoverExpert::evaluate`] takes that player's pieces first.

use outplay_core::{Evaluator, Score, Seat, View};

use super::{Pushover, PushoverBoard};

/// The parameters of the evaluation.
///
/// The document gives the value of a line but neither how the two sides' values are combined nor the size of the penalty;
/// see `papers/mueller-1992/deviations.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpertWeights {
    /// Factor of one's own lines.
    pub own: i32,
    /// Factor of the enemy's lines.
    pub enemy: i32,
    /// Penalty for each row or column full of a side's pieces but for an enemy at one end: three in a row that can be pushed
    /// back.
    pub penalty: i32,
}

impl Default for ExpertWeights {
    fn default() -> Self {
        Self { own: 3, enemy: 2, penalty: 25 }
    }
}

/// The evaluation, tabulated by line.
#[derive(Clone, Debug)]
pub struct PushoverExpert<const N: usize> {
    /// Value of a row or column, by `mine | theirs << N`.
    straight: Vec<i32>,
    /// Value of a diagonal, by the same index.
    diagonal: Vec<i32>,
    seat: Seat,
}

/// Thousandths of log-odds in one unit of the evaluation, for the default weights: a logistic regression of the
/// result on the value for the side that just moved gave 3.9 (46 461 positions of the expert's games against itself).
const UNIT: i32 = 4;

impl<const N: usize> PushoverExpert<N> {
    /// The evaluation with these weights.
    pub fn new(weights: ExpertWeights) -> Self {
        let table = |with_penalty: bool| {
            let index = 0..1usize << (2 * N);
            index.map(|i| weighted_line_value::<N>(i as u32, weights, with_penalty)).collect()
        };
        Self { straight: table(true), diagonal: table(false), seat: Seat::First }
    }

    /// The value of a board for the side whose pieces are `mine`.
    #[inline]
    pub fn evaluate(&self, board: PushoverBoard<N>) -> i32 {
        let mut value = 0;
        for line in 0..N {
            value +=
                self.straight[index::<N>(board.row(line))] + self.straight[index::<N>(board.column(line))];
        }
        let [falling, rising] = board.diagonals();
        value + self.diagonal[index::<N>(falling)] + self.diagonal[index::<N>(rising)]
    }
}

impl<const N: usize> Evaluator<Pushover<N>> for PushoverExpert<N> {
    fn set_root_seat(&mut self, seat: Seat) {
        self.seat = seat;
    }

    #[inline]
    fn score(&mut self, position: &Pushover<N>) -> Score {
        let board = position.board();
        if position.seat() == self.seat {
            Score::eval(UNIT * self.evaluate(board))
        } else {
            Score::eval(-UNIT * self.evaluate(board.flipped()))
        }
    }
}

#[inline]
fn index<const N: usize>((mine, theirs): (u32, u32)) -> usize {
    (mine | theirs << N) as usize
}

fn weighted_line_value<const N: usize>(index: u32, weights: ExpertWeights, with_penalty: bool) -> i32 {
    let (mine, theirs) = (index & ((1 << N) - 1), index >> N);
    let penalty = if with_penalty { weights.penalty } else { 0 };
    let value =
        |own, enemy| line_value::<N>(own, enemy) - penalty * i32::from(can_be_pushed_back::<N>(own, enemy));
    weights.own * value(mine, theirs) - weights.enemy * value(theirs, mine)
}

fn can_be_pushed_back<const N: usize>(own: u32, enemy: u32) -> bool {
    let full = (1 << N) - 1;
    [1, 1 << (N - 1)].into_iter().any(|end| enemy == end && own == full & !end)
}

/// The document's `setval` along one line: runs of own pieces grow by fives, an empty cell is worth 1, an
/// enemy nothing.
fn line_value<const N: usize>(own: u32, enemy: u32) -> i32 {
    let (mut value, mut weight) = (0, 1);
    for cell in 0..N {
        weight = match (own >> cell & 1, enemy >> cell & 1) {
            (1, _) => 5 * if weight == 0 { 1 } else { weight },
            (_, 1) => 0,
            _ => 1,
        };
        value += weight;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_worth_what_the_document_says() {
        let value = |own, enemy| line_value::<4>(own, enemy);
        assert_eq!(value(0b0000, 0), 4);
        assert_eq!(value(0b0001, 0), 8);
        assert_eq!(value(0b0011, 0), 32);
        assert_eq!(value(0b1100, 0), 32);
        assert_eq!(value(0b1111, 0), 780);
        assert_eq!(value(0b0111, 0b1000), 155);
        assert_eq!(value(0b1110, 0b0001), 155);
        assert_eq!(value(0b0101, 0b0010), 11);
        assert_eq!(value(0, 0b1111), 0);
    }

    /// Line by line over all ten lines, by coordinates.
    #[test]
    fn tables_agree_with_a_walk_over_the_board() {
        let expert = PushoverExpert::<4>::new(ExpertWeights { own: 1, enemy: 0, penalty: 0 });
        // Row 1 is `oo+.`, nothing else stands on the board.
        let board = PushoverBoard { mine: 0b0011, theirs: 0b0100 };
        // Row 1: 5 + 25 + 0 + 1; rows 2–4: 4 each; columns with o: 5 + 3 twice, with +: 3, empty: 4;
        // the falling diagonal has an o (8), the rising one nothing (4).
        assert_eq!(expert.evaluate(board), 31 + 12 + 8 + 8 + 3 + 4 + 8 + 4);
    }

    #[test]
    fn only_a_blockable_three_is_penalised() {
        let with = PushoverExpert::<4>::new(ExpertWeights { own: 1, enemy: 0, penalty: 25 });
        let without = PushoverExpert::<4>::new(ExpertWeights { own: 1, enemy: 0, penalty: 0 });
        let row = |mine, theirs| {
            let board = PushoverBoard { mine, theirs };
            with.evaluate(board) - without.evaluate(board)
        };
        assert_eq!(row(0b0111, 0b1000), -25);
        assert_eq!(row(0b1110, 0b0001), -25);
        assert_eq!(row(0b1011, 0b0100), 0);
        assert_eq!(row(0b0111, 0), 0);
        assert_eq!(row(0b1000, 0b0111), 0);
        // The same along the falling diagonal is not: it cannot be pushed.
        assert_eq!(row(1 | 1 << 5 | 1 << 10, 1 << 15), 0);
    }
}
