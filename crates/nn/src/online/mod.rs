//! Online learning: a network with a sparse first layer that is asked after every move and corrected after every
//! move.
//!
//! [`SparseKernel`] keeps the weights by input, so that the sums of the hidden neurons follow from the inputs that
//! are on and from those that a move changes; [`EligibilityTraces`] are the temporal-difference update. Which
//! position is corrected towards which is the learner's, what the inputs mean the encoder's.

mod kernel;
mod traces;

pub use kernel::{HiddenSums, SparseKernel};
pub use traces::{EligibilityTraces, VisitedState};
