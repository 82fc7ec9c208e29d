//! Networks: what they are, how they are trained, how they are asked, how they are kept.
//!
//! Two kinds live here. An [`Mlp`] is small, dense, in double precision, and learns from a whole data set at
//! once ([`Bfgs`]). A [`Network`] is dense or convolutional, in single precision, and learns from one batch
//! after the other ([`Trainer`]). Activations, losses, checkpoints' bytes and files are shared.
//!
//! Belongs here: layers, losses, optimisers, inference, and the bytes of a network. Does not belong here:
//! any game, any encoding of a position, files and folders (callers read and write the bytes), the making of
//! threads (a step of mini-batch training runs in the rayon pool it is called from).
//!
//! Laws of this room:
//! - the same network, data and options give the same bytes, on any number of threads and any machine with
//!   fused multiply-add: every sum has one order, every multiply-add in it is fused, and no elementary function is
//!   the platform's;
//! - what comes from outside (data, files, checkpoints) is checked, and refused with one sentence.
#![warn(missing_docs)]

mod activation;
mod bfgs;
mod bytes;
mod checkpoint;
mod dataset;
mod error;
mod file;
mod inference;
mod loss;
mod matrix;
mod minibatch;
mod mlp;
mod network;
mod tiles;
mod vector;

pub use activation::{Activation, UnknownActivation};
pub use bfgs::{Bfgs, BfgsOptions, Finish, MAX_BFGS_PARAMETERS, Step};
pub use dataset::Dataset;
pub use error::{CheckpointError, DatasetError, ShapeError, TrainError};
pub use file::NetworkFileError;
pub use inference::Inference;
pub use loss::{Backprop, Loss, loss_and_gradient, softmax};
pub use minibatch::{Batch, Optimiser, Trainer};
pub use mlp::{Layer, LayerShape, Mlp, Shape};
pub use network::{Extent, LayerPlan, Network, Plan, Predictor};
