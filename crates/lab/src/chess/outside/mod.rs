//! External chess programs as players: the player `uci`.

mod player;
#[cfg(test)]
mod tests;

pub(super) use player::{check_engine, options, player};
