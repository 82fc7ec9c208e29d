//! Compares the rules with two independent libraries: the same moves, the same results, the same checks.

use std::collections::BTreeSet;

use outplay_core::{Outcome, Position, PositionNotation, Rng, Seat, View};
use outplay_games::chess::Chess;
use shakmaty::Position as _;

fn cozy_moves(board: &cozy_chess::Board) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|mv| mv.to_string()));
        false
    });
    moves
}

/// Random games, half of them of Chess960, until enough positions were compared.
fn each_position(seed: u64, positions: usize, mut compare: impl FnMut(&Chess)) {
    let (mut seen, mut scratch) = (0, Vec::new());
    for game in 0.. {
        let mut rng = Rng::stream(seed, game);
        let mut position =
            if game % 2 == 0 { Chess::start() } else { Chess::start_960(rng.below(960) as u16) };
        while position.outcome().is_none() {
            compare(&position);
            seen += 1;
            if seen == positions {
                return;
            }
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }
}

fn our_moves(position: &Chess) -> BTreeSet<String> {
    position.moves().into_iter().map(|mv| position.uci(mv, true)).collect()
}

#[test]
fn moves_are_those_of_cozy_chess() {
    each_position(1, 100_000, |position| {
        let fen = position.write();
        let board = cozy_chess::Board::from_fen(&shredder(position), true).unwrap();
        assert_eq!(our_moves(position), cozy_moves(&board), "{fen}");
        assert_eq!(position.in_check(), !board.checkers().is_empty(), "{fen}");
        assert_eq!(position.move_count(), position.moves().len(), "{fen}");
    });
}

#[test]
fn moves_and_ends_are_those_of_shakmaty() {
    each_position(2, 20_000, |position| {
        let fen: shakmaty::fen::Fen = position.write().parse().unwrap();
        let other: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Chess960).unwrap();
        let theirs: BTreeSet<String> = other
            .legal_moves()
            .iter()
            .map(|mv| mv.to_uci(shakmaty::CastlingMode::Chess960).to_string())
            .collect();
        assert_eq!(our_moves(position), theirs, "{}", position.write());
        for mv in position.moves() {
            let after = position.after(mv);
            let san = position.san(mv);
            let read: shakmaty::san::SanPlus = san.parse().unwrap();
            let there = read.san.to_move(&other).unwrap();
            let next = other.clone().play(there).unwrap();
            assert_eq!(shakmaty::san::SanPlus::from_move(other.clone(), there).to_string(), san);
            let is_mate = matches!(after.outcome(), Some(Outcome::Win(_)));
            assert_eq!((is_mate, after.in_check()), (next.is_checkmate(), next.is_check()), "{san}");
            let is_dead = next.is_insufficient_material() || next.is_stalemate();
            let is_drawn = after.outcome() == Some(Outcome::Draw) && after.halfmove_clock() < 100;
            assert_eq!(is_drawn, is_dead, "{}", after.write());
        }
    });
}

/// The position with castling rights written as rook files (Shredder-FEN), the only form that both libraries read alike.
fn shredder(position: &Chess) -> String {
    let text = position.write();
    let fields: Vec<&str> = text.split(' ').collect();
    let rights: String = Seat::BOTH
        .into_iter()
        .flat_map(|seat| position.castling_rooks(seat).into_iter().flatten().map(move |rook| (seat, rook)))
        .map(|(seat, rook)| {
            let letter = char::from(b'A' + rook.file());
            if seat == Seat::First { letter } else { letter.to_ascii_lowercase() }
        })
        .collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    format!("{} {} {rights} {} {} {}", fields[0], fields[1], fields[3], fields[4], fields[5])
}
