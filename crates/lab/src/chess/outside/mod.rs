//! Chess programs from outside, driven through the Universal Chess Interface.
//!
//! Belongs here: starting a program and talking to it (`program`), the words of the protocol on our side (`engine`), the
//! options that a program announces (`announced`), the player that plays what such a program answers (`player`). Does not belong here: our own engine's side of the
//! protocol.
//!
//! Laws of this room: nothing that a program does or fails to do holds us up beyond its time-out, and no process outlives
//! whoever started it.

mod announced;
mod engine;
mod player;
mod program;
#[cfg(test)]
mod tests;

pub(super) use engine::{Engine, Terms};
pub(super) use player::{options, player, refuse_what_cannot_be};
pub(super) use program::Fault;
