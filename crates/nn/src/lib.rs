//! Networks: what they are, how they are trained, how they answer, how they are kept.
//!
//! There is one [`Network`], in single or double precision, of dense, sparse or convolutional layers. [`Bfgs`]
//! trains it on a whole data set at once, [`Trainer`] on one batch after the other; [`Predictor`] answers whole
//! batches, [`Inference`] one position at a time; [`SparseKernel`] answers and learns online, move by move. Beside it is
//! [`PolicyValueNetwork`], whose two heads say what a position is worth and which moves are worth a look. Games, encodings of
//! positions and files on disk are not here (callers read and write the bytes), nor is the making of threads (a step of
//! mini-batch training runs in the rayon pool it is called from).
//!
//! The same network, data and options give the same bytes, on any number of threads and any machine with fused
//! multiply-add: every sum has one order, every multiply-add in it is fused, and no elementary function is the
//! platform's. What comes from outside (data, files, checkpoints) is checked, and refused with one sentence.
#![warn(missing_docs)]

mod activation;
mod bfgs;
mod checkpoint;
mod dataset;
mod error;
mod file;
mod inference;
mod loss;
mod matrix;
mod minibatch;
mod network;
mod npz;
mod online;
mod policy_value;
mod scalar;
mod tiles;
mod vector;

pub use activation::{Activation, UnknownActivation};
pub use bfgs::{Bfgs, BfgsOptions, BfgsStatus, Finish, MAX_BFGS_PARAMETERS};
pub use dataset::Dataset;
pub use error::{CheckpointError, DatasetError, ShapeError, TrainError};
pub use file::NetworkFileError;
pub use inference::Inference;
pub use loss::{Backprop, Loss, loss_and_gradient, softmax};
pub use minibatch::{Batch, Optimiser, Trainer};
pub use network::{Architecture, Extent, LayerSpec, Network, Predictor};
pub use npz::{NpzError, NpzNetwork, is_npz};
pub use online::{EligibilityTraces, HiddenSums, SparseKernel, VisitedState};
pub use policy_value::{
    Accumulator, Activations, IntegerNetwork, OutcomeProbabilities, PolicyValueLoss, PolicyValueNetwork,
    PolicyValueSample, PolicyValueShape, PolicyValueTrainer, SparseActivation,
};
pub use scalar::Scalar;
