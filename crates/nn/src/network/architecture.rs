//! What a network is made of, before it has weights.
//!
//! Here are the kinds of layers, which of them go together, and how an architecture is written as one line; how a
//! layer is computed is in `layout` and `packed`. A new kind of layer is a variant of [`LayerSpec`] with its words
//! here and its parameters there. An architecture that passed [`Architecture::check`] makes a network; nothing
//! below checks it again.

use std::fmt;
use std::str::FromStr;

use super::Extent;
use crate::activation::Activation;
use crate::error::ShapeError;

/// The most numbers that one network may hold: four gibibytes of them.
const MOST_PARAMETERS: usize = 1 << 30;

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerSpec {
    /// Every output sees every input.
    Dense {
        /// Neurons.
        outputs: usize,
        /// What each makes of its sum.
        activation: Activation,
        /// Whether each has a bias.
        bias: bool,
    },
    /// A dense layer over inputs that are 0 or 1, so that its sums can be kept and updated by the inputs that
    /// change. Only the first layer can be sparse.
    Sparse {
        /// Neurons.
        outputs: usize,
        /// What each makes of its sum.
        activation: Activation,
        /// Whether each has a bias.
        bias: bool,
    },
    /// Every cell of a board sees the square around it; what lies outside the board is zero.
    Conv {
        /// Planes that come out.
        channels: usize,
        /// The side of the square, an odd number.
        side: usize,
        /// What each cell of each plane makes of its sum.
        activation: Activation,
    },
    /// activation(x + conv(activation(conv(x)))), with as many planes as came in.
    Residual {
        /// The side of both squares, an odd number.
        side: usize,
        /// What is made of the inner sums and of the outer ones.
        activation: Activation,
    },
    /// The largest of every square of cells, plane by plane; what does not fill a square is left out.
    Pool {
        /// The side of the square.
        side: usize,
    },
    /// Boards of this size become plain numbers, for dense layers.
    Flatten {
        /// Lines of the boards that come in.
        rows: usize,
        /// Cells of each line.
        cols: usize,
    },
    /// While it learns, a network is shown a part of these numbers only, the others as zero; those that are shown count
    /// the more for it.
    Drop {
        /// The share that is left out, in thousandths.
        thousandths: u16,
    },
}

/// The layers of a network.
///
/// ```
/// use outplay_nn::{Activation, Architecture};
/// let architecture = Architecture::dense(&[25, 300, 1], Activation::Relu, Activation::Sigmoid)?;
/// assert_eq!(architecture.to_string(), "25 | dense 300 relu | dense 1 sigmoid");
/// assert_eq!("25 | dense 300 relu | dense 1 sigmoid".parse(), Ok(architecture));
/// # Ok::<(), outplay_nn::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Architecture {
    /// Numbers that come in, or planes of a board.
    pub inputs: usize,
    /// From the input on.
    pub layers: Vec<LayerSpec>,
}

impl Architecture {
    /// Dense layers of these widths, input first.
    pub fn dense(widths: &[usize], hidden: Activation, output: Activation) -> Result<Self, ShapeError> {
        let (&inputs, widths) = widths.split_first().ok_or(ShapeError::TooFewSizes { found: 0 })?;
        let last = widths.len();
        let layer = |(place, &outputs): (usize, &usize)| {
            let activation = if place + 1 == last { output } else { hidden };
            LayerSpec::Dense { outputs, activation, bias: true }
        };
        let architecture = Self { inputs, layers: widths.iter().enumerate().map(layer).collect() };
        architecture.check()?;
        Ok(architecture)
    }

    /// Binary inputs, one hidden layer and one sigmoid output, without biases: what learns online by temporal
    /// differences.
    pub fn sparse(inputs: usize, hidden: usize, activation: Activation) -> Result<Self, ShapeError> {
        let first = LayerSpec::Sparse { outputs: hidden, activation, bias: false };
        let last = LayerSpec::Dense { outputs: 1, activation: Activation::Sigmoid, bias: false };
        let architecture = Self { inputs, layers: vec![first, last] };
        architecture.check()?;
        Ok(architecture)
    }

    /// Whether these layers make a network.
    pub fn check(&self) -> Result<(), ShapeError> {
        if self.layers.is_empty() {
            return Err(ShapeError::TooFewSizes { found: 1 });
        }
        if let Some(empty) = self.widths().position(|width| width == 0) {
            return Err(ShapeError::EmptyLayer { layer: empty });
        }
        if let Some(even) = self.sides().find(|side| side % 2 == 0) {
            return Err(ShapeError::EvenSide { side: even });
        }
        self.check_order()?;
        self.count()
            .filter(|&count| count <= MOST_PARAMETERS)
            .map(|_| ())
            .ok_or_else(|| ShapeError::TooLarge { sizes: self.widths().collect() })
    }

    /// Whether every layer finds what it needs before it.
    fn check_order(&self) -> Result<(), ShapeError> {
        use LayerSpec::{Conv, Dense, Drop, Flatten, Pool, Residual, Sparse};
        let mut sees_boards = self.is_convolutional();
        let mut before = None;
        for layer in &self.layers {
            let is_mixed = match layer {
                Dense { .. } | Sparse { .. } => sees_boards,
                Conv { .. } | Residual { .. } | Pool { .. } | Flatten { .. } => !sees_boards,
                Drop { .. } => false,
            };
            let is_in_place = match layer {
                Dense { .. } | Conv { .. } => true,
                Sparse { .. } => before.is_none(),
                Residual { .. } => !matches!(before, Some(Pool { .. } | Drop { .. } | Flatten { .. })),
                Pool { side } => *side > 0 && matches!(before, Some(Conv { .. } | Residual { .. })),
                Flatten { .. } => matches!(before, Some(Conv { .. } | Residual { .. } | Pool { .. })),
                Drop { thousandths } => *thousandths < 1000 && !matches!(before, None | Some(Drop { .. })),
            };
            if is_mixed {
                return Err(ShapeError::Mixed);
            }
            if !is_in_place {
                return Err(ShapeError::Misplaced { layer: layer.to_string() });
            }
            sees_boards &= !matches!(layer, Flatten { .. });
            before = Some(*layer);
        }
        match before {
            Some(last @ (Pool { .. } | Flatten { .. } | Drop { .. })) => {
                Err(ShapeError::Misplaced { layer: last.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// The hidden neurons and their activation, if this is what [`sparse`](Self::sparse) makes.
    pub fn sparse_hidden(&self) -> Result<(usize, Activation), ShapeError> {
        match self.layers[..] {
            [
                LayerSpec::Sparse { outputs, activation, bias: false },
                LayerSpec::Dense { outputs: 1, activation: Activation::Sigmoid, bias: false },
            ] => Ok((outputs, activation)),
            _ => Err(ShapeError::NotSparse { plan: self.to_string() }),
        }
    }

    /// The widths and activations, if all layers are dense with biases: what BFGS trains.
    pub(crate) fn plain_dense(&self) -> Option<(Vec<usize>, Vec<Activation>)> {
        let activation = |layer: &LayerSpec| match *layer {
            LayerSpec::Dense { activation, bias: true, .. } => Some(activation),
            _ => None,
        };
        let activations = self.layers.iter().map(activation).collect::<Option<_>>()?;
        Some((self.widths().collect(), activations))
    }

    /// Dense layers with biases of these widths, input first, and one activation for each layer.
    pub(crate) fn from_widths(widths: &[usize], activations: &[Activation]) -> Result<Self, ShapeError> {
        let (&inputs, widths) = widths.split_first().ok_or(ShapeError::TooFewSizes { found: 0 })?;
        let layer = |(&outputs, &activation)| LayerSpec::Dense { outputs, activation, bias: true };
        let architecture = Self { inputs, layers: widths.iter().zip(activations).map(layer).collect() };
        architecture.check()?;
        Ok(architecture)
    }

    /// Whether it maps plain numbers to plain numbers, layer by layer.
    pub(crate) fn check_plain_numbers(&self) -> Result<(), ShapeError> {
        if self.is_convolutional() { Err(ShapeError::NotDense { plan: self.to_string() }) } else { Ok(()) }
    }

    /// Whether boards go in and plain numbers come out.
    pub fn flattens(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, LayerSpec::Flatten { .. }))
    }

    /// Whether boards of this size fit all layers.
    pub fn fits(&self, mut rows: usize, mut cols: usize) -> bool {
        if !self.is_convolutional() {
            return rows * cols == 1;
        }
        for layer in &self.layers {
            match *layer {
                LayerSpec::Pool { side } => (rows, cols) = (rows / side, cols / side),
                LayerSpec::Flatten { rows: lines, cols: cells } => return (rows, cols) == (lines, cells),
                _ => {}
            }
        }
        rows * cols > 0
    }

    /// Samples or cells that come out of so many boards.
    pub(crate) fn answers(&self, extent: Extent) -> usize {
        if self.flattens() {
            return extent.samples;
        }
        let smaller =
            self.layers.iter().fold((extent.rows, extent.cols), |(rows, cols), layer| match *layer {
                LayerSpec::Pool { side } => (rows / side, cols / side),
                _ => (rows, cols),
            });
        extent.samples * smaller.0 * smaller.1
    }

    /// Whether it sees boards (of any size) rather than so many numbers.
    pub fn is_convolutional(&self) -> bool {
        !matches!(self.layers.first(), Some(LayerSpec::Dense { .. } | LayerSpec::Sparse { .. }) | None)
    }

    /// Numbers that come out, for each cell if it sees boards.
    pub fn outputs(&self) -> usize {
        self.widths().last().expect("the input is a width")
    }

    /// The activation of the last layer.
    pub fn last_activation(&self) -> Activation {
        match self.layers.last() {
            Some(
                LayerSpec::Dense { activation, .. }
                | LayerSpec::Sparse { activation, .. }
                | LayerSpec::Conv { activation, .. }
                | LayerSpec::Residual { activation, .. },
            ) => *activation,
            _ => Activation::Identity,
        }
    }

    /// Weights and biases together.
    pub fn parameters(&self) -> usize {
        self.count().unwrap_or(usize::MAX)
    }

    /// Numbers or planes from layer to layer, input first.
    fn widths(&self) -> impl Iterator<Item = usize> {
        let mut width = self.inputs;
        let after = self.layers.iter().map(move |layer| {
            match *layer {
                LayerSpec::Dense { outputs, .. } | LayerSpec::Sparse { outputs, .. } => width = outputs,
                LayerSpec::Conv { channels, .. } => width = channels,
                LayerSpec::Flatten { rows, cols } => {
                    width = width.saturating_mul(rows).saturating_mul(cols);
                }
                LayerSpec::Residual { .. } | LayerSpec::Pool { .. } | LayerSpec::Drop { .. } => {}
            }
            width
        });
        std::iter::once(self.inputs).chain(after)
    }

    /// Sides of the squares that cells see.
    pub(crate) fn sides(&self) -> impl Iterator<Item = usize> {
        self.layers.iter().map(|layer| match *layer {
            LayerSpec::Conv { side, .. } | LayerSpec::Residual { side, .. } => side,
            _ => 1,
        })
    }

    fn count(&self) -> Option<usize> {
        let widths: Vec<usize> = self.widths().collect();
        let mut total = 0usize;
        for ((layer, side), width) in self.layers.iter().zip(self.sides()).zip(widths.windows(2)) {
            let weights = side.checked_mul(side)?.checked_mul(width[0])?.checked_mul(width[1])?;
            let (convolutions, biases) = match *layer {
                LayerSpec::Residual { .. } => (2, width[1]),
                LayerSpec::Conv { .. } => (1, width[1]),
                LayerSpec::Dense { bias, .. } | LayerSpec::Sparse { bias, .. } => {
                    (1, if bias { width[1] } else { 0 })
                }
                LayerSpec::Pool { .. } | LayerSpec::Flatten { .. } | LayerSpec::Drop { .. } => continue,
            };
            total = total.checked_add(weights.checked_add(biases)?.checked_mul(convolutions)?)?;
        }
        Some(total)
    }
}

impl fmt::Display for LayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Dense { outputs, activation, bias } => {
                write!(f, "dense {outputs} {}{}", activation.name(), bias_words(bias))
            }
            Self::Sparse { outputs, activation, bias } => {
                write!(f, "sparse {outputs} {}{}", activation.name(), bias_words(bias))
            }
            Self::Conv { channels, side, activation } => {
                write!(f, "conv {channels} side {side} {}", activation.name())
            }
            Self::Residual { side, activation } => write!(f, "residual side {side} {}", activation.name()),
            Self::Pool { side } => write!(f, "pool {side}"),
            Self::Flatten { rows, cols } => write!(f, "flatten {rows} {cols}"),
            Self::Drop { thousandths } => write!(f, "drop {thousandths}"),
        }
    }
}

const fn bias_words(bias: bool) -> &'static str {
    if bias { "" } else { " no-bias" }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.inputs)?;
        self.layers.iter().try_for_each(|layer| write!(f, " | {layer}"))
    }
}

impl FromStr for Architecture {
    type Err = ShapeError;

    /// Reads what `Display` writes, and checks it.
    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let mut parts = text.split('|').map(str::trim);
        let inputs = parts.next().and_then(|word| word.parse().ok());
        let inputs = inputs.ok_or_else(|| ShapeError::NotALayer { text: text.to_owned() })?;
        let architecture = Self { inputs, layers: parts.map(layer_from).collect::<Result<_, _>>()? };
        architecture.check()?;
        Ok(architecture)
    }
}

fn layer_from(text: &str) -> Result<LayerSpec, ShapeError> {
    let unknown = || ShapeError::NotALayer { text: text.to_owned() };
    let number = |word: &str| word.parse::<usize>().map_err(|_| unknown());
    let activation = |word: &str| word.parse::<Activation>().map_err(|_| unknown());
    let words: Vec<_> = text.split_whitespace().collect();
    let (words, bias) = match &words[..] {
        [words @ .., "no-bias"] => (words, false),
        words => (words, true),
    };
    match *words {
        ["dense", outputs, last] => {
            Ok(LayerSpec::Dense { outputs: number(outputs)?, activation: activation(last)?, bias })
        }
        ["sparse", outputs, last] => {
            Ok(LayerSpec::Sparse { outputs: number(outputs)?, activation: activation(last)?, bias })
        }
        _ if !bias => Err(unknown()),
        ["conv", channels, "side", side, last] => Ok(LayerSpec::Conv {
            channels: number(channels)?,
            side: number(side)?,
            activation: activation(last)?,
        }),
        ["residual", "side", side, last] => {
            Ok(LayerSpec::Residual { side: number(side)?, activation: activation(last)? })
        }
        ["pool", side] => Ok(LayerSpec::Pool { side: number(side)? }),
        ["flatten", rows, cols] => Ok(LayerSpec::Flatten { rows: number(rows)?, cols: number(cols)? }),
        ["drop", share] => Ok(LayerSpec::Drop { thousandths: share.parse().map_err(|_| unknown())? }),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nonsense_is_refused_with_the_value() {
        let refusal = |text: &str| text.parse::<Architecture>().unwrap_err();
        assert_eq!(refusal("25"), ShapeError::TooFewSizes { found: 1 });
        assert_eq!(refusal("25 | dense 0 relu"), ShapeError::EmptyLayer { layer: 1 });
        assert_eq!(refusal("0 | dense 1 relu"), ShapeError::EmptyLayer { layer: 0 });
        assert_eq!(refusal("2 | conv 3 side 4 relu"), ShapeError::EvenSide { side: 4 });
        assert_eq!(refusal("2 | conv 3 side 3 relu | dense 1 relu"), ShapeError::Mixed);
        assert_eq!(refusal("2 | conv 3 side 3 relu | flatten 2 2 | conv 1 side 1 relu"), ShapeError::Mixed);
        for misplaced in ["pool 2", "flatten 2 2", "drop 200"] {
            let refused = ShapeError::Misplaced { layer: misplaced.to_owned() };
            assert_eq!(refusal(&format!("2 | conv 3 side 3 relu | {misplaced}")), refused);
            assert_eq!(refusal(&format!("2 | {misplaced} | conv 3 side 3 relu")), refused);
        }
        let residual = "2 | conv 3 side 3 relu | pool 2 | residual side 3 relu";
        assert_eq!(refusal(residual), ShapeError::Misplaced { layer: "residual side 3 relu".to_owned() });
        assert_eq!(
            refusal("2 | dense 3 relu | drop 1000 | dense 1 relu"),
            ShapeError::Misplaced { layer: "drop 1000".to_owned() }
        );
        assert_eq!(
            refusal("2 | dense 3 relu | sparse 1 relu"),
            ShapeError::Misplaced { layer: "sparse 1 relu".to_owned() }
        );
        let biased = "conv 3 side 3 relu no-bias";
        assert_eq!(refusal(&format!("2 | {biased}")), ShapeError::NotALayer { text: biased.to_owned() });
        assert_eq!(
            refusal("2 | dense 1 swoosh"),
            ShapeError::NotALayer { text: "dense 1 swoosh".to_owned() }
        );
        assert_eq!(
            refusal("x | dense 1 relu"),
            ShapeError::NotALayer { text: "x | dense 1 relu".to_owned() }
        );
        assert!(matches!(refusal("99999 | dense 99999 relu"), ShapeError::TooLarge { .. }));
        assert!(matches!(
            refusal("9999999999 | conv 9999999999 side 9999999999 relu | residual side 3 relu"),
            ShapeError::TooLarge { .. }
        ));
        assert_eq!(
            Architecture::dense(&[], Activation::Relu, Activation::Relu),
            Err(ShapeError::TooFewSizes { found: 0 })
        );
    }

    #[test]
    fn parameters_are_counted_as_by_hand() {
        let count = |text: &str| text.parse::<Architecture>().unwrap().parameters();
        assert_eq!(count("25 | dense 300 relu | dense 256 relu | dense 128 relu | dense 1 sigmoid"), {
            25 * 300 + 300 + 300 * 256 + 256 + 256 * 128 + 128 + 128 + 1
        });
        assert_eq!(count("25 | sparse 7 relu no-bias | dense 3 tanh no-bias | dense 1 sigmoid"), {
            25 * 7 + 7 * 3 + 3 + 1
        });
        assert_eq!(count("3 | conv 8 side 3 relu | residual side 3 relu | conv 2 side 1 identity"), {
            3 * 8 * 9 + 8 + 2 * (8 * 8 * 9 + 8) + 8 * 2 + 2
        });
    }

    fn activations() -> impl Strategy<Value = Activation> {
        proptest::sample::select(Activation::ALL.to_vec())
    }

    fn architectures() -> impl Strategy<Value = Architecture> {
        let dense = (1..40usize, activations(), any::<bool>())
            .prop_map(|(outputs, activation, bias)| LayerSpec::Dense { outputs, activation, bias });
        let side = (0..4usize).prop_map(|half| 2 * half + 1);
        let conv = (1..40usize, side.clone(), activations())
            .prop_map(|(channels, side, activation)| LayerSpec::Conv { channels, side, activation });
        let residual =
            (side, activations()).prop_map(|(side, activation)| LayerSpec::Residual { side, activation });
        let layers = prop_oneof![
            proptest::collection::vec(dense, 1..5),
            proptest::collection::vec(prop_oneof![conv, residual], 1..5)
        ];
        (1..40usize, layers).prop_map(|(inputs, layers)| Architecture { inputs, layers })
    }

    proptest! {
        #[test]
        fn an_architecture_is_read_back_from_its_line(network in architectures()) {
            prop_assert_eq!(network.to_string().parse(), Ok(network));
        }

        #[test]
        fn no_line_breaks_the_reader(text in ".{0,40}") {
            let _ = text.parse::<Architecture>();
        }
    }
}
