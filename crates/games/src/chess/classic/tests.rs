//! The laws of the evaluation, over many positions.

use super::*;
use crate::chess::squares::Bitboard;
use outplay_core::{Position, Rng};

/// Positions of random games, of both kinds of chess.
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

/// The same position with the colours changed and the board turned round.
fn turned(position: &Chess) -> Chess {
    let mut turned = *position;
    turned.by_kind = position.by_kind.map(|squares| Bitboard(squares.0.swap_bytes()));
    turned.by_seat =
        [position.by_seat[1], position.by_seat[0]].map(|squares| Bitboard(squares.0.swap_bytes()));
    turned.seat = !position.seat;
    turned
}

#[test]
fn both_sides_are_judged_alike() {
    let judge = ClassicEvaluator::default();
    for position in positions() {
        assert_eq!(judge.centipawns(&position), judge.centipawns(&turned(&position)), "{}", position.fen());
    }
}

#[test]
fn a_trace_gives_the_same_worth() {
    let judge = ClassicEvaluator::default();
    for position in positions() {
        let trace = EvalTrace::of(&position, &judge.weights);
        let sign = if position.seat() == Seat::First { 1.0 } else { -1.0 };
        let (worth, exact) = (sign * trace.white_score(&judge.weights), judge.centipawns(&position));
        assert!((worth - exact as f32).abs() < 2.0, "{worth} and {exact} in {}", position.fen());
    }
}

#[test]
fn known_truths() {
    let worth = |fen: &str| ClassicEvaluator::default().centipawns(&Chess::from_fen(fen).unwrap());
    assert!(worth("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").abs() < 60);
    assert!(worth("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 600);
    assert_eq!(worth("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1"), 0, "two knights do not mate");
    let near = worth("8/8/8/8/8/2k5/6q1/K7 b - - 0 1");
    assert!(near > worth("8/8/8/4K3/8/8/6q1/k7 b - - 0 1"), "a king in the corner is nearer to mate");
    let far = worth("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert!(far > worth("4k3/8/8/8/8/P7/8/4K3 w - - 0 1"), "a passed pawn grows as it goes on");
}
