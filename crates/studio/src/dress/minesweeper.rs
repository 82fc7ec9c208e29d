//! Minesweeper on screen: the board's measures and the counter of mines.
//!
//! Law: nothing here knows more than the position's text says.

use outplay_lab::registry::Facts;
use serde_json::json;

use super::{Dress, PLAIN, Scene};

pub(super) const DRESS: Dress = Dress { name: "minesweeper", has_secrets: true, facts, ..PLAIN };

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
    facts
}
