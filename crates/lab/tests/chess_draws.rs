//! Where the referee of chess ends a game as a draw: exactly there, and not a ply before.

use std::sync::Arc;

use outplay_core::Outcome;
use outplay_lab::{Store, Table, open_game};

/// A game begun in a position.
fn table(game: &str, position: Option<&str>) -> Box<dyn Table> {
    let folder = tempfile::tempdir().unwrap();
    open_game(game, &Arc::new(Store::at(folder.path()))).unwrap().table(position, 0).unwrap()
}

/// How many of these moves, played again and again, it takes until the game is over, and how it ends.
fn plies_until_the_end(mut table: Box<dyn Table>, moves: &[&str]) -> (usize, Outcome) {
    for (ply, mv) in (1..1000).zip(moves.iter().cycle()) {
        table.play(mv).unwrap();
        if let Some(result) = table.snapshot().result {
            return (ply, result);
        }
    }
    panic!("the game does not end");
}

/// The fiftieth move of both without progress may be claimed, the seventy-fifth ends the game.
#[test]
fn moves_without_progress() {
    let position = |clock: u32| format!("7k/8/8/8/8/8/R7/K7 w - - {clock} 90");
    let moves = ["Rb2", "Kg8", "Rc2", "Kf8", "Rd2", "Ke8"];
    for (game, clock) in [("chess", 97), ("chess:draws=claimed", 97), ("chess:draws=forced", 147)] {
        let table = table(game, Some(&position(clock)));
        assert_eq!(plies_until_the_end(table, &moves), (3, Outcome::Draw), "{game}");
    }
}

/// Progress begins the count anew, and a side mated by the last move has lost.
#[test]
fn progress_and_mate_come_before_the_clock() {
    for (game, clock) in [("chess", 99), ("chess:draws=forced", 149)] {
        let mut mate = table(game, Some(&format!("6k1/5ppp/8/8/8/8/8/R5K1 w - - {clock} 90")));
        mate.play("Ra8#").unwrap();
        assert!(matches!(mate.snapshot().result, Some(Outcome::Win(_))), "{game}");
        let mut pawn = table(game, Some(&format!("6k1/8/8/8/8/8/P7/R5K1 w - - {clock} 90")));
        pawn.play("a4").unwrap();
        assert_eq!(pawn.snapshot().result, None, "{game}");
    }
}

/// The third time may be claimed, the fifth ends the game; every four plies the start is there again.
#[test]
fn positions_that_come_back() {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for (game, plies) in [("chess", 8), ("chess:draws=claimed", 8), ("chess:draws=forced", 16)] {
        assert_eq!(plies_until_the_end(table(game, None), &moves), (plies, Outcome::Draw), "{game}");
    }
}
