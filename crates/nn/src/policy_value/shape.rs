//! The sizes of a policy–value network, as one line of text, and where its parameters are.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::ShapeError;
use crate::network::{BoardLayout, ConvWindow, LANES, Lanes, PackedOperands, SumStart};

/// Hidden widths are multiples of this, so that they fill vectors of floats and of integers.
pub(super) const WIDTH_UNIT: usize = 2 * LANES;

/// Win, draw and loss.
pub(super) const OUTCOMES: usize = 3;

/// The most parameters of such a network.
const MOST_PARAMETERS: usize = 1 << 24;

/// What a hidden neuron makes of its sum x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SparseActivation {
    /// x between 0 and 1.
    Clipped,
    /// The square of x between 0 and 1.
    Squared,
}

impl SparseActivation {
    /// Both, in the order of their codes.
    pub const ALL: [Self; 2] = [Self::Clipped, Self::Squared];

    /// Its name in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clipped => "clipped",
            Self::Squared => "squared",
        }
    }
}

/// The sizes of a policy–value network.
///
/// ```
/// use outplay_nn::{PolicyValueShape, SparseActivation};
/// let shape: PolicyValueShape = "84 | sparse 64 squared | value 32 | policy 7".parse()?;
/// assert_eq!((shape.inputs, shape.hidden, shape.activation), (84, 64, SparseActivation::Squared));
/// assert_eq!(shape.to_string(), "84 | sparse 64 squared | value 32 | policy 7");
/// # Ok::<(), outplay_nn::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyValueShape {
    /// Binary inputs.
    pub inputs: usize,
    /// Hidden neurons that they add up to; a multiple of 32.
    pub hidden: usize,
    /// What each makes of its sum.
    pub activation: SparseActivation,
    /// Neurons between them and the value; a multiple of 32.
    pub value_hidden: usize,
    /// Moves that the policy tells apart.
    pub slots: usize,
}

impl PolicyValueShape {
    /// Whether there is such a network.
    pub fn check(&self) -> Result<(), ShapeError> {
        let sizes = [self.inputs, self.hidden, self.value_hidden, self.slots];
        if let Some(layer) = sizes.iter().position(|&size| size == 0) {
            return Err(ShapeError::EmptyLayer { layer });
        }
        for width in [self.hidden, self.value_hidden] {
            if !width.is_multiple_of(WIDTH_UNIT) {
                return Err(ShapeError::NotAMultiple { width, unit: WIDTH_UNIT });
            }
        }
        let rows = sizes[0].checked_add(sizes[2]).and_then(|rows| rows.checked_add(sizes[3]));
        match rows.and_then(|rows| rows.checked_mul(self.hidden)) {
            Some(count) if count <= MOST_PARAMETERS => Ok(()),
            _ => Err(ShapeError::TooLarge { sizes: sizes.to_vec() }),
        }
    }

    pub(super) fn layout(&self) -> Layout {
        let mut end = 0;
        let mut next = |lanes: usize| {
            let start = end;
            end += lanes;
            start..end
        };
        let (first, first_bias) = (next(self.inputs * self.hidden / LANES), next(self.hidden / LANES));
        let mut head = |in_width: usize, outputs: usize| {
            let window = ConvWindow { side: 1, in_width, out_lanes: outputs.div_ceil(LANES) };
            Head { window, weights: next(window.rows() * window.out_lanes), biases: next(window.out_lanes) }
        };
        let value = head(self.hidden, self.value_hidden);
        let outcome = head(self.value_hidden, OUTCOMES);
        let policy = head(self.hidden, self.slots);
        Layout { first, first_bias, value, outcome, policy }
    }
}

/// Where the parameters are, counted in lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The weights of one input lie side by side.
    pub(super) first: Range<usize>,
    pub(super) first_bias: Range<usize>,
    pub(super) value: Head,
    pub(super) outcome: Head,
    pub(super) policy: Head,
}

/// A dense layer, packed for the kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) window: ConvWindow,
    pub(super) weights: Range<usize>,
    pub(super) biases: Range<usize>,
}

impl Layout {
    /// Lanes of all parameters.
    pub(super) fn lanes(&self) -> usize {
        self.policy.biases.end
    }
}

impl Head {
    /// The sums of every sample.
    pub(super) fn forward(
        &self,
        line: &BoardLayout,
        input: &[f32],
        parameters: &[Lanes],
        packed: &mut PackedOperands,
        out: &mut Vec<Lanes>,
    ) {
        out.resize(line.cols * self.window.out_lanes, Lanes::ZERO);
        let biases = SumStart::Biases(&parameters[self.biases.clone()]);
        self.window.weigh(line, input, &parameters[self.weights.clone()], biases, packed, out);
    }

    /// Adds the slopes by the weights and biases to the gradient of all parameters.
    pub(super) fn gradient(
        &self,
        line: &BoardLayout,
        input: &[f32],
        slopes: &[Lanes],
        packed: &mut PackedOperands,
        gradient: &mut [Lanes],
    ) {
        self.window.correlate(line, input, slopes, false, packed, &mut gradient[self.weights.clone()]);
        self.window.accumulate(line, slopes, false, &mut gradient[self.biases.clone()]);
    }

    /// The slopes by the inputs.
    pub(super) fn back(
        &self,
        line: &BoardLayout,
        slopes: &[Lanes],
        mirror: &[Lanes],
        start: SumStart<'_>,
        packed: &mut PackedOperands,
        out: &mut [Lanes],
    ) {
        self.window.mirrored().weigh(line, bytemuck::cast_slice(slopes), mirror, start, packed, out);
    }
}

impl fmt::Display for PolicyValueShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, hidden, activation, value_hidden, slots } = self;
        let name = activation.name();
        write!(f, "{inputs} | sparse {hidden} {name} | value {value_hidden} | policy {slots}")
    }
}

impl FromStr for PolicyValueShape {
    type Err = ShapeError;

    /// Reads what `Display` writes, and checks it.
    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let unknown = || ShapeError::NotPolicyValue { text: text.to_owned() };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [inputs, "|", "sparse", hidden, name, "|", "value", value_hidden, "|", "policy", slots] =
            words[..]
        else {
            return Err(unknown());
        };
        let number = |word: &str| word.parse::<usize>().map_err(|_| unknown());
        let activation = SparseActivation::ALL.into_iter().find(|activation| activation.name() == name);
        let shape = Self {
            inputs: number(inputs)?,
            hidden: number(hidden)?,
            activation: activation.ok_or_else(unknown)?,
            value_hidden: number(value_hidden)?,
            slots: number(slots)?,
        };
        shape.check()?;
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_plans_are_refused_with_the_value() {
        let refusal = |text: &str| text.parse::<PolicyValueShape>().unwrap_err().to_string();
        for text in ["", "84 | dense 64 relu", "x | sparse 64 squared | value 32 | policy 7"] {
            assert!(refusal(text).contains(&format!("`{text}`")), "{}", refusal(text));
        }
        assert!(refusal("84 | sparse 60 squared | value 32 | policy 7").contains("60"));
        assert!(refusal("84 | sparse 64 squared | value 33 | policy 7").contains("33"));
        assert!(refusal("0 | sparse 64 squared | value 32 | policy 7").contains("layer 0"));
        assert!(
            refusal("84 | sparse 9223372036854775808 squared | value 32 | policy 7").contains("too many")
        );
    }

    #[test]
    fn parameters_lie_one_after_the_other() {
        let layout =
            "3 | sparse 32 clipped | value 64 | policy 17".parse::<PolicyValueShape>().unwrap().layout();
        let heads = [&layout.value, &layout.outcome, &layout.policy];
        let of_heads = heads.into_iter().flat_map(|head| [&head.weights, &head.biases]);
        let ranges: Vec<_> = [&layout.first, &layout.first_bias].into_iter().chain(of_heads).collect();
        let sizes: Vec<usize> = ranges.iter().map(|range| range.len()).collect();
        assert_eq!(sizes, [3 * 2, 2, 32 * 4, 4, 64, 1, 32 * 2, 2]);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(layout.lanes(), sizes.iter().sum::<usize>());
    }
}
