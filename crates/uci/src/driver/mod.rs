//! Other chess engines, driven through the Universal Chess Interface.
//!
//! No engine, whatever it does, holds the caller up beyond the time-out, and no process outlives the value that started it.

mod engine_option;
mod process;
mod uci_engine;

pub use engine_option::ExpectedValue;
pub use process::EngineError;
pub use uci_engine::{EngineConfig, EngineReply, UciEngine};
