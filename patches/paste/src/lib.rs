//! The macros of the unmaintained crate `paste`, by its maintained successor.

pub use pastey::{item, paste};
