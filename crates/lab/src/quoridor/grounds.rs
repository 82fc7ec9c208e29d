//! Boards with walls already placed, on which tied matches of a knock-out are replayed.
//!
//! Both players keep their number of walls in hand. The named boards that fit come first, in their order; then walls
//! are placed at random, more with every further replay, up to two more than a player has in hand.

use outplay_core::{PositionNotation, Referee, Rng, Seat};
use outplay_games::quoridor::{BOARDS, Cells, NamedBoard, Quoridor, QuoridorMove, QuoridorSetup, Walls};

use super::referee;

/// The game on another board, as it is written.
pub(super) fn another<C: Cells>(game: &Referee<Quoridor<C>>, replay: u32, rng: &mut Rng) -> String {
    let start = &game.start;
    let (size, in_hand) = (start.size(), start.in_hand(Seat::First));
    let is_other = |board: &&NamedBoard| {
        Walls::<C>::read(board.walls.split_whitespace(), size).is_ok_and(|walls| walls != start.walls())
    };
    let named: Vec<&NamedBoard> =
        BOARDS.iter().filter(|_| size == NamedBoard::SIZE).filter(is_other).collect();
    let board = match named.get(replay as usize) {
        Some(board) => board.name.to_owned(),
        None => drawn(start, (2 + replay as usize - named.len()).min(2 + usize::from(in_hand)), rng),
    };
    let usual = referee(*start, None).max_plies;
    let plies = game.max_plies.filter(|_| game.max_plies != usual).map(|plies| format!(",plies={plies}"));
    let columns = Seat::BOTH.map(|seat| C::column_row(start.pawn(seat)).0);
    let same = if size % 2 == 0 && columns[0] == columns[1] { ",start=same" } else { "" };
    format!("quoridor:size={size},walls={in_hand},board={board}{same}{}", plies.unwrap_or_default())
}

/// This many walls at random, each legal after the others.
fn drawn<C: Cells>(start: &Quoridor<C>, walls: usize, rng: &mut Rng) -> String {
    let (mut position, mut names) = (*start, Vec::new());
    for _ in 0..walls {
        let places: Vec<(QuoridorMove, Walls<C>)> = position.legal_walls().iter().collect();
        if places.is_empty() {
            break;
        }
        let (mv, wall) = places[rng.below(places.len())];
        names.push(position.write_move(mv));
        let setup = QuoridorSetup { walls: position.walls().union(wall), ..position.setup() };
        position = Quoridor::set_up(setup).expect("a legal wall leaves a position");
    }
    names.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use outplay_games::quoridor::StartColumns;
    use std::sync::Arc;

    #[test]
    fn every_replay_has_a_board_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        for (size, walls) in [(5, 3), (7, 2), (3, 1)] {
            let first = referee(Quoridor::<u64>::start(size, walls).unwrap(), None);
            let mut seen = Vec::new();
            for replay in 0..20 {
                let game = another(&first, replay, &mut Rng::stream(3, u64::from(replay)));
                assert_eq!(game, another(&first, replay, &mut Rng::stream(3, u64::from(replay))));
                let position =
                    crate::open_game(&game, &store).unwrap().table(None, 0).unwrap().snapshot().position;
                let hands = format!(":{walls} ");
                assert_eq!(position.matches(&hands).count(), 2, "{position}");
                assert!(position.split(' ').count() > 4, "{position}");
                seen.push(game);
            }
            seen.sort();
            seen.dedup();
            assert!(size < 5 || seen.len() >= 19, "{seen:?}");
        }
    }

    /// The board that was tied on does not come again, and a limit of length stays.
    #[test]
    fn a_replay_is_the_same_game_on_another_board() {
        let snake = &BOARDS[2];
        let walls = Walls::read(snake.walls.split_whitespace(), NamedBoard::SIZE).unwrap();
        let game = referee(Quoridor::<u64>::start_with_walls(NamedBoard::SIZE, 2, walls).unwrap(), Some(40));
        let replays: Vec<String> = (0..8).map(|replay| another(&game, replay, &mut Rng::new(1))).collect();
        assert!(replays.iter().all(|replay| !replay.contains(snake.name)), "{replays:?}");
        assert!(replays.iter().all(|replay| replay.ends_with(",plies=40")), "{replays:?}");
        let same = Quoridor::<u64>::start_in(StartColumns::Same, 4, 1, Walls::EMPTY).unwrap();
        let replay = another(&referee(same, None), 0, &mut Rng::new(1));
        assert!(replay.ends_with(",start=same"), "{replay}");
    }
}
