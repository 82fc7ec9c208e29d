//! The Universal Chess Interface (R. Huber, S. Meyer-Kahlen, 2000), from both sides: our engine for any chess interface
//! ([`serve`]), and other engines driven by us ([`driver`]).
#![warn(missing_docs)]

pub mod driver;
mod engine;

pub use engine::serve;
