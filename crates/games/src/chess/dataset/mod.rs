//! Positions with an engine's evaluation, from which networks and nearest neighbours learn.
//!
//! Here are the packed example (`packed`), the examples of a game (`linked`), data sets as a stream (`file`), extraction from annotated games (`extract`), the
//! classes of an evaluation (`classes`) and the inputs of a learner (`encode`), but not the learning itself. An example is
//! the position after a move, and its score is that of the side that made the move.

mod classes;
pub mod encode;
mod extract;
mod file;
mod linked;
mod packed;

pub use classes::{CLASSES, ClassBounds, ClassBoundsError};
pub use extract::{BookMoves, ExampleExtractor};
pub use file::{ExampleSetError, ExampleSetReader, ExampleSetWriter, GameExamples};
pub use packed::{MATE, PackedExample};
