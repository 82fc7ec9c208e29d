//! External chess programs as players: the player `uci`.

mod player;
#[cfg(test)]
mod tests;

pub(super) use player::{EngineOptions, check_engine, player};
