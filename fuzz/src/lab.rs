//! What crosses the lab's interface as text or data, for every game on the list.

use std::sync::{Arc, LazyLock};

use outplay_arena::GameRecord;
use outplay_core::Seat;
use outplay_core::scene::{Cell, Draft, Edge, EdgeDirection, Palette, Piece};
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, Store, Table, games, open_game};

use crate::text;

/// A board of every preset of every game, and small ones. Boards that are laid out without guesses take too long to begin.
static BOARDS: LazyLock<Vec<Box<dyn AnyGame>>> = LazyLock::new(|| {
    let store = Arc::new(Store::at("target/fuzz/data"));
    let presets = games().iter().flat_map(|game| {
        let named = game.presets.iter().map(|preset| preset.game);
        std::iter::once(game.name).chain(named)
    });
    let others = [
        "chess:start=0,draws=forced",
        "minesweeper:rows=5,cols=4,mines=4",
        "othello:size=4",
        "quoridor:size=3,walls=2",
    ];
    let mut specs: Vec<&str> = presets.chain(others).collect();
    let mut known = Vec::new();
    specs.retain(|spec| {
        !spec.contains("guess=no") && !known.contains(spec) && {
            known.push(*spec);
            true
        }
    });
    specs.into_iter().map(|spec| open_game(spec, &store).expect("a board on the list")).collect()
});

/// The board that the first line names, and what follows it. Where there is no such board, the first byte chooses one.
fn board(input: &[u8]) -> Option<(&'static dyn AnyGame, &[u8])> {
    let end = input.iter().position(|&byte| byte == b'\n')?;
    let (name, rest) = (&input[..end], &input[end + 1..]);
    let named = BOARDS.iter().find(|board| board.info().spec.as_bytes() == name);
    let board = named.unwrap_or_else(|| &BOARDS[usize::from(input[0]) % BOARDS.len()]);
    Some((&**board, rest))
}

/// A position, then moves, each after a zero byte.
pub fn positions(input: &[u8]) {
    let Some((board, rest)) = board(input) else { return };
    let mut texts = rest.split(|&byte| byte == 0).map(text);
    let position = texts.next().unwrap_or_default();
    let Ok(mut table) = board.table(Some(&position), 1) else { return };
    check_table(board, &*table);
    for mv in texts {
        if table.play(&mv).is_ok() {
            check_table(board, &*table);
        }
    }
}

/// A game from its start: each byte chooses one of the legal moves.
pub fn moves(input: &[u8]) {
    const MOST_MOVES: usize = 200;
    let Some((board, rest)) = board(input) else { return };
    let seed = rest.first().copied().unwrap_or_default();
    let mut table = board.table(None, u64::from(seed)).expect("a game can begin");
    for &byte in rest.iter().take(MOST_MOVES) {
        let legal = table.legal();
        if legal.is_empty() {
            break;
        }
        let mv = &legal[usize::from(byte) * legal.len() / 256];
        assert_eq!(&table.play(mv).expect("a legal move").mv, mv);
    }
    check_table(board, &*table);
    while table.undo() {}
}

/// A position can be written and read back, with the same moves, as long as the game goes on.
fn check_table(board: &dyn AnyGame, table: &dyn Table) {
    let now = table.snapshot();
    let legal = table.legal();
    assert_eq!(now.scene.gestures.len(), legal.len(), "{}", now.position);
    assert_eq!(now.result.is_some(), legal.is_empty(), "{}", now.position);
    let again =
        board.table(Some(&now.position), 1).unwrap_or_else(|error| panic!("{}: {error}", now.position));
    assert_eq!(again.snapshot().position, now.position);
    if now.result.is_none() {
        assert_eq!(again.legal(), legal, "{}", now.position);
    }
}

/// A position that was set up by hand: each group of four bytes is a piece, a wall, a counter or the side to move.
pub fn drafts(input: &[u8]) {
    let Some((board, rest)) = board(input) else { return };
    let Some(palette) = board.info().palette.as_ref() else { return };
    let draft = draft(palette, rest);
    let Ok(position) = board.read_draft(&draft) else { return };
    let table = board.table(Some(&position), 1).unwrap_or_else(|error| panic!("{position}: {error}"));
    let again = table.draft().expect("a game with a palette has drafts");
    assert_eq!(board.read_draft(&again).ok(), Some(position));
}

fn draft(palette: &Palette, input: &[u8]) -> Draft {
    let items: Vec<_> = palette.pieces.iter().flatten().collect();
    let mut draft = palette.cleared.clone();
    for group in input.as_chunks::<4>().0 {
        let [kind, what, column, row] = *group;
        let cell = Cell { column, row };
        match kind % 8 {
            0 => {
                let direction = if what & 1 == 0 { EdgeDirection::Right } else { EdgeDirection::Down };
                draft.walls.push(Edge { cell, direction, length: what >> 1 });
            }
            1 => draft.to_move = Seat::BOTH[usize::from(what & 1)],
            2 => draft.counters.push(i32::from(what as i8)),
            3 => {
                if let Some(counter) = draft.counters.get_mut(usize::from(what)) {
                    *counter = i32::from(i16::from_le_bytes([column, row]));
                }
            }
            4 => {
                draft.pieces.pop();
            }
            _ => {
                if let Some(item) = items.get(usize::from(what)) {
                    draft.pieces.push(Piece { cell, shape: item.shape, owner: item.owner });
                }
            }
        }
    }
    draft
}

/// Lines of game records. What is replayed has a position before and after each move.
pub fn records(input: &[u8]) {
    for line in input.split(|&byte| byte == b'\n') {
        let Ok(record) = serde_json::from_slice::<GameRecord>(line) else { continue };
        let Some(board) = BOARDS.iter().find(|board| board.info().spec == record.game) else { continue };
        if let Ok(snapshots) = board.replay(&record) {
            assert_eq!(snapshots.len(), record.moves.len() + 1);
            board.fingerprint(&record).expect("a game that was replayed");
        }
        let told = serde_json::to_vec(&record).expect("a record is plain data");
        assert_eq!(serde_json::from_slice::<GameRecord>(&told).expect("a written record"), record);
    }
}

/// A game, a player or a method with its parameters, as the user writes them: `name:key=value,…`.
pub fn specs(input: &[u8]) {
    let text = text(input);
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    for game in games().iter().filter(|game| game.name == spec.name) {
        let _ = spec.check(&outplay_core::Text::same(game.name), &game.params);
    }
    for board in BOARDS.iter() {
        let info = board.info();
        if let Ok(params) = info.player_params(&spec) {
            let _ = spec.check(&outplay_core::Text::same("player"), &params);
        }
        for trial in info.trials().filter(|trial| trial.listing.name == spec.name) {
            let _ = spec.check(&outplay_core::Text::same("method"), &trial.listing.params);
        }
        let _ = board.player_memory(&text);
    }
}
