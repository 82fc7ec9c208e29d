//! Making the network's answers agree with the numbers.
//!
//! The network says of each cell how likely it is mined, and errs a little. But the chances around every number add
//! up to that number, and over the whole board to the mines left. Number by number the odds of its masked neighbours
//! are raised or lowered by one factor until all sums are right: of all chances that agree, those nearest to what was
//! said (iterative scaling, Deming & Stephan 1940).
//!
//! No placement is counted or listed; what cannot be told from sums and the network's answers stays unknown.

use outplay_core::elementary::fast_exp;
use outplay_games::minesweeper::{CellContent, CellSet, VisibleBoard};

use super::sight::ANSWERS;

/// Rounds over all numbers.
const ROUNDS: usize = 30;
/// Chances stay this far from certainty, so that odds stay finite.
const LEAST: f32 = 1e-6;
/// The logarithm of the odds changes by no more than this at once.
const FARTHEST: f32 = 2.0;
/// Sums that are nearer than this to what they should be are left alone.
const NEAR_ENOUGH: f32 = 1e-4;

/// Brings the chances of mines into agreement with the board.
pub(super) fn reconcile(seen: &VisibleBoard, answers: &mut [[f32; ANSWERS]]) {
    let sums = sums(seen);
    for _ in 0..ROUNDS {
        let mut strayed = false;
        for (cells, target) in &sums {
            strayed |= scale(cells, *target, answers);
        }
        if !strayed {
            break;
        }
    }
}

/// Cells whose chances add up to a known number: around each number, and all of them.
fn sums(seen: &VisibleBoard) -> Vec<(Vec<usize>, f32)> {
    let mut sums = Vec::new();
    let masked: Vec<usize> = seen.masked().iter().map(|cell| seen.index(cell)).collect();
    for cell in CellSet::full(seen.rows(), seen.cols()).iter() {
        let CellContent::Number(number) = seen.shown(cell) else { continue };
        let near: Vec<usize> = seen
            .neighbours(cell)
            .filter(|&near| seen.masked().contains(near))
            .map(|near| seen.index(near))
            .collect();
        if !near.is_empty() {
            sums.push((near, f32::from(number)));
        }
    }
    sums.push((masked, seen.mines_left() as f32));
    sums
}

/// Changes the odds of the cells by one factor, towards the one that makes their sum right: a step of Newton's. Says
/// whether there was need.
fn scale(cells: &[usize], target: f32, answers: &mut [[f32; ANSWERS]]) -> bool {
    let (mut sum, mut spread) = (0.0, 0.0);
    for &cell in cells {
        let mined = answers[cell][0];
        sum += mined;
        spread += mined * (1.0 - mined);
    }
    if (target - sum).abs() < NEAR_ENOUGH {
        return false;
    }
    let factor = fast_exp(((target - sum) / spread.max(LEAST)).clamp(-FARTHEST, FARTHEST));
    for &cell in cells {
        let mined = answers[cell][0].clamp(LEAST, 1.0 - LEAST);
        let odds = factor * mined / (1.0 - mined);
        answers[cell][0] = (odds / (1.0 + odds)).clamp(LEAST, 1.0 - LEAST);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_games::minesweeper::BoardCell;

    fn reconciled(board: &str, mined: &[f32]) -> Vec<f32> {
        let mut answers: Vec<_> = mined.iter().map(|&mined| [mined, 0.0]).collect();
        reconcile(&board.parse().unwrap(), &mut answers);
        answers.iter().map(|answer| answer[0]).collect()
    }

    /// One factor for the odds of both: 1/4 and 1/1 must add up to 1, so the factor f has
    /// f/(4+f) + f/(1+f) = 1, which is f = 2.
    #[test]
    fn odds_keep_their_proportion() {
        let mined = reconciled("mines 1\n.1.\n", &[0.2, 0.0, 0.5]);
        assert!((mined[0] - 1.0 / 3.0).abs() < 1e-3 && (mined[2] - 2.0 / 3.0).abs() < 1e-3, "{mined:?}");
    }

    /// b1 touches all three masks of row 2, a1 only two of them, and both say 1.
    #[test]
    fn what_the_sums_settle_is_settled() {
        let mined = reconciled("mines 1\n111\n...\n", &[0.0, 0.0, 0.0, 0.4, 0.4, 0.4]);
        assert!(mined[3] < 0.02 && mined[4] > 0.98 && mined[5] < 0.02, "{mined:?}");
    }

    #[test]
    fn sums_agree_with_the_board_afterwards() {
        let board = "mines 5\n1...\n12..\n....\n";
        let mined = reconciled(board, &[0.0, 0.3, 0.1, 0.9, 0.0, 0.0, 0.2, 0.2, 0.4, 0.4, 0.4, 0.4]);
        assert!((mined.iter().sum::<f32>() - 5.0).abs() < 1e-2, "{mined:?}");
        assert!((mined[1] - 1.0).abs() < 1e-2, "{mined:?}");
    }

    /// Foresight looks at boards that cannot be: three mines around a1, and only one on the board.
    #[test]
    fn a_board_that_contradicts_itself_ends_too() {
        let mut seen: VisibleBoard = "mines 1\n..\n..\n".parse().unwrap();
        seen.reveal(BoardCell::new(0, 0), 3);
        let mut answers = [[0.5, 0.0]; 4];
        reconcile(&seen, &mut answers);
        assert!(answers.iter().all(|answer| (0.0..=1.0).contains(&answer[0])), "{answers:?}");
    }
}
