//! Properties of the evaluation, checked over many positions.

use super::*;
use crate::chess::squares::Bitboard;
use outplay_core::{Position, Rng};

/// Positions of random games of Chess960.
fn positions() -> Vec<Chess> {
    let (mut positions, mut scratch) = (Vec::new(), Vec::new());
    for game in 0..40 {
        let mut rng = Rng::stream(11, game);
        let mut position = Chess::start_960(rng.below(960) as u16);
        while position.outcome().is_none() && position.move_number() < 80 {
            positions.push(position);
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }
    positions
}

/// The same position with colours swapped and the board flipped.
fn flipped(position: &Chess) -> Chess {
    let mut flipped = *position;
    flipped.by_kind = position.by_kind.map(|squares| Bitboard(squares.0.swap_bytes()));
    flipped.by_seat =
        [position.by_seat[1], position.by_seat[0]].map(|squares| Bitboard(squares.0.swap_bytes()));
    flipped.seat = !position.seat;
    flipped
}

#[test]
fn both_sides_are_judged_alike() {
    let evaluator = ClassicEvaluator::default();
    for position in positions() {
        assert_eq!(
            evaluator.centipawns(&position),
            evaluator.centipawns(&flipped(&position)),
            "{}",
            position.fen()
        );
    }
}

#[test]
fn a_trace_gives_the_same_worth() {
    let evaluator = ClassicEvaluator::default();
    for position in positions() {
        let trace = EvalTrace::of(&position, &evaluator.weights);
        let sign = if position.seat() == Seat::First { 1.0 } else { -1.0 };
        let (score, exact) = (sign * trace.white_score(&evaluator.weights), evaluator.centipawns(&position));
        assert!((score - exact as f32).abs() < 2.0, "{score} and {exact} in {}", position.fen());
    }
}

#[test]
fn known_truths() {
    let score = |fen: &str| ClassicEvaluator::default().centipawns(&Chess::from_fen(fen).unwrap());
    assert!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").abs() < 60);
    assert!(score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 600);
    assert_eq!(score("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1"), 0, "two knights do not mate");
    let near = score("8/8/8/8/8/2k5/6q1/K7 b - - 0 1");
    assert!(near > score("8/8/8/4K3/8/8/6q1/k7 b - - 0 1"), "a king in the corner is nearer to mate");
    let far = score("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert!(far > score("4k3/8/8/8/8/P7/8/4K3 w - - 0 1"), "a passed pawn grows as it goes on");
}
