//! Positions with what an engine said of them: what networks and neighbours learn from.
//!
//! Belongs here: an example in few bytes (`example`), sets of them as a stream (`file`), what is taken from annotated games
//! (`harvest`), the classes of an evaluation (`classes`), and what a learner is shown of a position (`encode`). Does not
//! belong here: learning.
//!
//! Law: an example is the position after a move, and its score is that of the side that has made the move.

mod classes;
pub mod encode;
mod extract;
mod file;
mod packed;

pub use classes::{CLASSES, ClassBounds, ClassBoundsError};
pub use extract::{BookMoves, ExampleExtractor};
pub use file::{ExampleSetError, ExampleSetReader, ExampleSetWriter, GameExamples};
pub use packed::{MATE, PackedExample, SIZE};
