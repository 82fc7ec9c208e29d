//! The errors of architectures, data, training and checkpoints; those of files are beside the file formats. Each is
//! one sentence that names the offending value.

use thiserror::Error;

/// Sizes, activations or weights that do not make a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// Fewer than an input and an output layer.
    #[error("a network needs at least two layer sizes, not {0}")]
    TooFewSizes(usize),
    /// A layer of no neurons.
    #[error("layer {0} has no neurons")]
    EmptyLayer(usize),
    /// More weights than any use of this crate.
    #[error("layer sizes {0:?} make too many weights")]
    TooLarge(Vec<usize>),
    /// A parameter vector of the wrong length.
    #[error("the network has {expected} parameters, not {found}")]
    ParameterCount {
        /// What the shape has.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// A parameter that is not a number.
    #[error("parameter {0} is not finite")]
    NotFinite(usize),
    /// A square without a middle.
    #[error("a convolution needs a square of odd side, not {0}")]
    EvenSide(usize),
    /// Dense layers among convolutions.
    #[error(
        "dense layers come after convolutions only behind a `flatten`, and no convolution comes after them"
    )]
    Mixed,
    /// A layer where it has nothing to work on.
    #[error(
        "`{0}` cannot stand there: a pool follows a convolution, a flatten a convolution or its pool, a drop any of \
         them or a dense layer, a residual layer none of these three, and none of these three comes last"
    )]
    Misplaced(String),
    /// Words that are no layer.
    #[error(
        "`{0}` is no layer: a plan reads `25 | dense 300 relu | dense 1 sigmoid` or \
         `12 | conv 64 side 3 relu | residual side 3 relu | conv 1 side 1 identity`, with `pool 2`, `flatten 4 4` and \
         `drop 200` (thousandths) behind them"
    )]
    NotALayer(String),
    /// Boards where plain numbers are needed.
    #[error("`{0}` sees boards, not plain numbers")]
    NotDense(String),
    /// A network that does not learn online.
    #[error(
        "`{0}` does not learn online: expected a network such as `39 | sparse 40 sigmoid no-bias | dense 1 sigmoid no-bias`"
    )]
    NotSparse(String),
    /// More than one output where one is needed.
    #[error("a network with {0} outputs gives no single value")]
    NotOneOutput(usize),
}

/// Numbers that do not make a data set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DatasetError {
    /// No samples, or samples of nothing.
    #[error("a data set needs at least one sample with an input and a target")]
    Empty,
    /// Numbers that do not divide into samples.
    #[error(
        "{inputs} inputs and {targets} targets do not make whole samples of {inputs_each} and {targets_each}"
    )]
    Ragged {
        /// Input numbers given.
        inputs: usize,
        /// Target numbers given.
        targets: usize,
        /// Inputs per sample.
        inputs_each: usize,
        /// Targets per sample.
        targets_each: usize,
    },
    /// A number that is none.
    #[error("sample {0} holds a number that is not finite")]
    NotFinite(usize),
}

/// Training that cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TrainError {
    /// Data for another network.
    #[error("the network maps {network_inputs} to {network_outputs} numbers, the data {inputs} to {targets}")]
    Mismatch {
        /// Inputs of the network.
        network_inputs: usize,
        /// Outputs of the network.
        network_outputs: usize,
        /// Inputs per sample.
        inputs: usize,
        /// Targets per sample.
        targets: usize,
    },
    /// A network that BFGS does not train.
    #[error("BFGS trains dense layers with biases only, not `{0}`")]
    NotDense(String),
    /// Cross-entropy on another output than a sigmoid.
    #[error(
        "cross-entropy cannot be taken of {0} outputs, only of sigmoid ones (or identity, in mini-batches)"
    )]
    NeedsSigmoid(&'static str),
    /// Classes of other outputs than plain sums.
    #[error("classes cannot be told from {0} outputs, only from identity ones, in mini-batches")]
    NeedsSums(&'static str),
    /// Cross-entropy towards something that is no probability.
    #[error("cross-entropy needs targets from 0 to 1, not {0}")]
    NotProbability(f64),
    /// A tolerance below zero, or none.
    #[error("a tolerance must be zero or more, not {0}")]
    Tolerance(f64),
    /// A network whose inverse Hessian would not fit in memory.
    #[error("BFGS takes at most {limit} parameters, not {found}")]
    TooManyParameters {
        /// What BFGS takes.
        limit: usize,
        /// What the network has.
        found: usize,
    },
    /// A starting point where the loss is not a number.
    #[error("the loss of the first network is not finite")]
    NotFinite,
    /// The solver broke its own rules.
    #[error("the solver failed: {0}")]
    Solver(String),
    /// A checkpoint that cannot be resumed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// Bytes that are not the checkpoint wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// The opening mark is not there.
    #[error("this is not a checkpoint of this kind of training and this version")]
    NotACheckpoint,
    /// The bytes are not those that were written.
    #[error("the checkpoint is damaged: its checksum does not match")]
    Checksum,
    /// A field that makes no sense.
    #[error("the checkpoint is damaged in its {0}")]
    Field(&'static str),
    /// A network that is none.
    #[error("the checkpoint holds no network: {0}")]
    Shape(#[from] ShapeError),
    /// Another network, optimiser or loss than the one training began with.
    #[error("the checkpoint was made with another {0}")]
    Other(&'static str),
    /// Another data set than the one training began with.
    #[error("the checkpoint was made with other training data")]
    OtherData,
}
