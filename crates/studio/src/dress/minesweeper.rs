//! Minesweeper on screen: the board's measures, the counter of mines, and where they lay once the game is over.
//!
//! Law: while a game goes on, nothing here knows more than the position's text says.

use outplay_core::{Game, Notation};
use outplay_games::minesweeper::{Cell, FirstClick, Minesweeper, Seen};
use outplay_lab::GAMES;
use outplay_lab::matches::set_up;
use outplay_lab::registry::Facts;
use serde_json::json;

use super::{Dress, PLAIN, Scene};

pub(super) const DRESS: Dress = Dress { name: "minesweeper", reviewed: true, facts, ..PLAIN };

fn facts(scene: &Scene<'_>) -> Facts {
    let mut facts = scene.snapshot.facts.clone();
    let mut lines = scene.snapshot.position.lines();
    let mines: i64 = lines.next().and_then(|head| head.strip_prefix("mines ")?.parse().ok()).unwrap_or(0);
    let rows: Vec<&str> = lines.collect();
    let flags = rows.iter().flat_map(|row| row.bytes()).filter(|&cell| cell == b'F').count();
    let mut put = |name: &str, fact| facts.insert(name.to_owned(), fact);
    put("rows", json!(rows.len()));
    put("cols", json!(rows.first().map_or(0, |row| row.len())));
    put("mines", json!(mines));
    put("unflagged", json!(mines - flags as i64));
    if scene.snapshot.result.is_some()
        && let Some(laid) = laid(scene)
    {
        put("laid", json!(laid));
    }
    facts
}

/// Where the mines of a finished game lay. Only the referee's state knows, so the game is played through once more.
fn laid(scene: &Scene<'_>) -> Option<Vec<String>> {
    let game = game(scene)?;
    let mut state = match scene.start {
        Some(text) => game.read_position(text).ok()?,
        None => set_up(&game, scene.seed),
    };
    for text in &scene.snapshot.moves {
        let mv = game.read_move(&state, text).ok()?;
        game.play(&mut state, mv);
    }
    let cells = state.mines()?.iter();
    Some(cells.map(|cell: Cell| cell.to_string()).collect())
}

/// The game of the table, or the one in which its first position occurs.
fn game(scene: &Scene<'_>) -> Option<Minesweeper> {
    let entry = GAMES.iter().find(|entry| entry.name == DRESS.name)?;
    let values = scene.spec.resolve("the game", entry.params).ok()?;
    let first = match values.word("first") {
        "any" => FirstClick::Any,
        "zero" => FirstClick::Zero,
        _ => FirstClick::Safe,
    };
    let seen = scene.start.map(str::parse::<Seen>).transpose().ok()?;
    let game = if let Some(seen) = &seen {
        Minesweeper::like(seen, first).ok()?
    } else {
        let whole = |name| values.whole(name) as usize;
        Minesweeper::new(whole("rows"), whole("cols"), whole("mines"), first).ok()?
    };
    let is_untouched = seen.is_none_or(|seen| seen.score() == 0);
    let is_provable = values.word("guess") == "no" && is_untouched;
    let game = if is_provable { game.without_guesses().ok()? } else { game };
    Some(if values.word("flags") == "yes" { game.with_flags() } else { game })
}
