//! Zero: a method that learns policy and value of any open game from nothing but its rules, and its player.
//!
//! A training goes from generation to generation: games of the network against itself, whose positions go to a replay
//! buffer, and batches from the buffer, from which the network learns. The search is in `players`, the networks in `nn`, the
//! encoders in each game's folder.
//!
//! Invariants:
//! - game i of a training draws from `Rng::stream(seed, i)`, and batches from streams of their own, so a resumed training
//!   continues as if it had never stopped, and the number of threads changes nothing;
//! - a file says for which board it was made, and is refused by any other.

mod bench;
mod buffer;
mod check;
mod generation;
mod network;
mod params;
mod player;
#[cfg(test)]
mod tests;
mod training;

pub(crate) use bench::measure as measure_search;
pub use network::ZeroNetwork;
pub(crate) use params::zero_method;
pub(crate) use player::{zero_evaluator, zero_player};
