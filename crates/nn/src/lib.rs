//! Small networks: what they are, how they are trained on a whole data set, how they are asked, how they
//! are kept.
//!
//! Belongs here: layers, losses, optimisers, inference, and the bytes of a network. Does not belong here:
//! any game, any encoding of a position, files and folders (callers read and write the bytes), threads.
//!
//! Laws of this room:
//! - the same network, data and options give the same bytes, on any machine: every sum has one order, every
//!   multiply-add is fused, and no elementary function is the platform's;
//! - what comes from outside (data, files, checkpoints) is checked, and refused with one sentence.
#![warn(missing_docs)]

mod activation;
mod bfgs;
mod checkpoint;
mod dataset;
mod elementary;
mod error;
mod file;
mod inference;
mod loss;
mod matrix;
mod mlp;
mod tiles;
mod vector;

pub use activation::{Activation, UnknownActivation};
pub use bfgs::{Bfgs, BfgsOptions, Finish, MAX_BFGS_PARAMETERS, Step};
pub use dataset::Dataset;
pub use error::{CheckpointError, DatasetError, ShapeError, TrainError};
pub use file::NetworkFileError;
pub use inference::Inference;
pub use loss::{Backprop, Loss, loss_and_gradient};
pub use mlp::{Layer, LayerShape, Mlp, Shape};
