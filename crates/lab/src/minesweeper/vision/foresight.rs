//! Guesses weighed by what the network would see next.
//!
//! For every number that a cell could show, the network looks at the board that shows it: the board is worth 1 if some
//! cell is then clearly empty, else slightly less than the chance that its safest cell is safe. The chances of the
//! numbers follow from the chances of the neighbours, taken as independent. `solver` weighs guesses in the same way,
//! with exact answers in place of the network's. The worth of a cell is at most the chance that it is empty.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_games::minesweeper::{BoardCell, VisibleBoard};

use super::reconcile::reconcile;
use super::sight::{ANSWERS, VisionNetwork};

/// Numbers less likely than this are not looked at.
const UNLIKELY: f32 = 0.005;
/// A cell less likely mined than this is taken for empty.
const EMPTY: f32 = 0.01;
/// What it is worth to have a cell that is clearly empty, beside a guess that is nearly sure.
const PROGRESS: f32 = 1.1;

/// What a guess on this cell is worth, if these are the chances of all cells; `None` if the flag is raised first.
pub(super) fn worth(
    sight: &mut VisionNetwork,
    seen: &VisibleBoard,
    cell: BoardCell,
    chances: &[[f32; ANSWERS]],
    stop: &AtomicBool,
) -> Option<f32> {
    let numbers = numbers(seen, cell, chances);
    let likely = numbers.iter().enumerate().filter(|&(_, &chance)| chance >= UNLIKELY);
    let (shares, boards): (Vec<f32>, Vec<VisibleBoard>) = likely
        .map(|(number, &chance)| {
            let mut board = seen.clone();
            board.reveal(cell, number as u8);
            (chance, board)
        })
        .unzip();
    let mut answers = sight.look_at_all(&boards, stop)?.to_vec();
    let looks = shares.iter().zip(&boards).zip(answers.chunks_exact_mut(chances.len()));
    let worth = |((share, board), look): ((&f32, &VisibleBoard), _)| {
        (!stop.load(Ordering::Relaxed)).then(|| share * promise(board, look))
    };
    looks.map(worth).sum()
}

/// The worth of a board with these answers of the network.
fn promise(board: &VisibleBoard, answers: &mut [[f32; ANSWERS]]) -> f32 {
    reconcile(board, answers);
    let least = board.masked().iter().map(|cell| answers[board.index(cell)][0]).fold(1.0, f32::min);
    if least < EMPTY { 1.0 } else { (1.0 - least) / PROGRESS }
}

/// The chance that the cell is empty and shows 0, 1, 2 …
fn numbers(seen: &VisibleBoard, cell: BoardCell, chances: &[[f32; ANSWERS]]) -> Vec<f32> {
    let mined = |cell: BoardCell| chances[seen.index(cell)][0];
    let mut numbers = vec![1.0 - mined(cell)];
    for near in seen.neighbours(cell).filter(|&near| seen.masked().contains(near)) {
        let mined = mined(near);
        numbers.push(0.0);
        for number in (0..numbers.len()).rev() {
            let one_less = if number > 0 { numbers[number - 1] } else { 0.0 };
            numbers[number] = numbers[number] * (1.0 - mined) + one_less * mined;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// b1 is empty with chance 0.9 and has two masked neighbours of 0.5 and 0.2.
    #[test]
    fn chances_of_the_numbers() {
        let seen: VisibleBoard = "mines 1\n...\n".parse().unwrap();
        let chances = [[0.5, 0.0], [0.1, 0.0], [0.2, 0.0]];
        let numbers = numbers(&seen, BoardCell::parse("b1").unwrap(), &chances);
        let expected = [0.36, 0.45, 0.09];
        assert_eq!(numbers.len(), 3);
        assert!(numbers.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{numbers:?}");
    }

    /// One of a1 and c1 is mined, and one of d1 and e1. An empty d1 shows whether c1 is mined; an empty a1 only that c1
    /// is, and leaves the other two as they were.
    #[test]
    fn a_guess_that_tells_more_is_worth_more() {
        let seen: VisibleBoard = "mines 2\n.1...\n".parse().unwrap();
        let mut sight = VisionNetwork::new(&VisionNetwork::shipped().unwrap());
        let chances = [[0.5, 0.0], [0.0, 0.0], [0.5, 0.0], [0.5, 0.0], [0.5, 0.0]];
        let never = AtomicBool::new(false);
        let mut worth =
            |cell: &str| worth(&mut sight, &seen, BoardCell::parse(cell).unwrap(), &chances, &never).unwrap();
        let (tells, hides) = (worth("d1"), worth("a1"));
        assert!(tells <= 0.5 && tells > 0.45 && hides < 0.3, "{tells} {hides}");
    }
}
