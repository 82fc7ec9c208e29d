//! The activation functions that a layer can apply to its sums.
//!
//! A new one is a variant, a name and an arm in `dispatch`; the tests of slopes run over [`Activation::ALL`].
//! A slope follows from the output alone, except where [`Activation::slope_needs_sum`] says otherwise.

use std::str::FromStr;

use outplay_core::errors;

use crate::scalar::Scalar;

/// The function that a layer applies to each of its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// 1/(1+e⁻ˣ), from 0 to 1.
    Sigmoid,
    /// The hyperbolic tangent, from −1 to 1.
    Tanh,
    /// max(0, x).
    Relu,
    /// The sum itself.
    Identity,
    /// x, or x/10 below 0.
    LeakyRelu,
    /// x/(1+e⁻ˣ).
    Swish,
}

errors! {
    /// Why a name is no activation's.
    #[derive(Clone, PartialEq, Eq)]
    pub enum UnknownActivation {
        Name { name: String } =
            "`{name}` is not an activation: expected sigmoid, tanh, relu, leaky-relu, swish or identity"
            | "`{name}` n’est pas une activation : attendu sigmoid, tanh, relu, leaky-relu, swish ou identity",
    }
}

/// A loop over an activation and its slope, which is given the sum and the output there.
pub(crate) trait ActivationKernel<T> {
    /// What the loop returns.
    type Returned;

    fn run(self, value: impl Fn(T) -> T, slope: impl Fn(T, T) -> T) -> Self::Returned;
}

impl Activation {
    /// Every activation, in the order of their codes in checkpoints.
    pub const ALL: [Self; 6] =
        [Self::Sigmoid, Self::Tanh, Self::Relu, Self::Identity, Self::LeakyRelu, Self::Swish];

    /// Those that make sense in a hidden layer.
    pub const NONLINEAR: [Self; 5] = [Self::Sigmoid, Self::Tanh, Self::Relu, Self::LeakyRelu, Self::Swish];

    /// The names of [`NONLINEAR`](Self::NONLINEAR), in the same order.
    pub const NONLINEAR_NAMES: &'static [&'static str] = &[
        Self::Sigmoid.name(),
        Self::Tanh.name(),
        Self::Relu.name(),
        Self::LeakyRelu.name(),
        Self::Swish.name(),
    ];

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Relu => "relu",
            Self::Identity => "identity",
            Self::LeakyRelu => "leaky-relu",
            Self::Swish => "swish",
        }
    }

    /// Whether the slope cannot be told from the output alone, so that training has to keep the sum too.
    pub(crate) const fn slope_needs_sum(self) -> bool {
        matches!(self, Self::Swish)
    }

    /// Whether a sum of zero gives an output other than zero.
    pub(crate) const fn moves_zero(self) -> bool {
        matches!(self, Self::Sigmoid)
    }

    /// Runs a loop with this activation, so that the choice is made once and not for each number.
    #[expect(clippy::inline_always, reason = "the callers' loops need to know their lengths: measured")]
    #[inline(always)]
    pub(crate) fn dispatch<T: Scalar, K: ActivationKernel<T>>(self, kernel: K) -> K::Returned {
        let one = T::ONE;
        match self {
            Self::Sigmoid => kernel.run(T::sigmoid, |_, y| y * (one - y)),
            Self::Tanh => kernel.run(T::tanh, |_, y| one - y * y),
            Self::Relu => kernel.run(|x| x.max(T::ZERO), |_, y| if y > T::ZERO { one } else { T::ZERO }),
            Self::Identity => kernel.run(|x| x, |_, _| one),
            Self::LeakyRelu => {
                let tenth = T::from_f64(0.1);
                kernel.run(|x| x.max(tenth * x), |_, y| if y > T::ZERO { one } else { tenth })
            }
            Self::Swish => kernel.run(
                |x| x * x.sigmoid(),
                |x, y| {
                    let gate = x.sigmoid();
                    y.mul_add(one - gate, gate)
                },
            ),
        }
    }

    /// Turns sums into outputs.
    #[expect(clippy::inline_always, reason = "the callers' loops need to know their lengths: measured")]
    #[inline(always)]
    pub(crate) fn apply<T: Scalar>(self, sums: &mut [T]) {
        self.dispatch(Apply(sums));
    }

    /// Multiplies each number by the slope at the neuron whose sum and output stand beside it. The sums are
    /// read only if [`slope_needs_sum`](Self::slope_needs_sum); otherwise the outputs may stand in for them.
    #[expect(clippy::inline_always, reason = "the callers' loops need to know their lengths: measured")]
    #[inline(always)]
    pub(crate) fn scale_by_slope<T: Scalar>(self, numbers: &mut [T], sums: &[T], outputs: &[T]) {
        self.dispatch(ScaleBySlope { numbers, sums, outputs });
    }
}

struct Apply<'a, T>(&'a mut [T]);

impl<T: Scalar> ActivationKernel<T> for Apply<'_, T> {
    type Returned = ();

    #[expect(clippy::inline_always, reason = "the callers' loops need to know their lengths: measured")]
    #[inline(always)]
    fn run(self, value: impl Fn(T) -> T, _slope: impl Fn(T, T) -> T) {
        self.0.iter_mut().for_each(|x| *x = value(*x));
    }
}

struct ScaleBySlope<'a, T> {
    numbers: &'a mut [T],
    sums: &'a [T],
    outputs: &'a [T],
}

impl<T: Scalar> ActivationKernel<T> for ScaleBySlope<'_, T> {
    type Returned = ();

    #[expect(clippy::inline_always, reason = "the callers' loops need to know their lengths: measured")]
    #[inline(always)]
    fn run(self, _value: impl Fn(T) -> T, slope: impl Fn(T, T) -> T) {
        for ((number, x), y) in self.numbers.iter_mut().zip(self.sums).zip(self.outputs) {
            *number = (*number * slope(*x, *y)).flush();
        }
    }
}

impl FromStr for Activation {
    type Err = UnknownActivation;

    fn from_str(name: &str) -> Result<Self, UnknownActivation> {
        let found = Self::ALL.into_iter().find(|activation| activation.name() == name);
        found.ok_or_else(|| UnknownActivation::Name { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for activation in Activation::ALL {
            assert_eq!(activation.name().parse(), Ok(activation));
        }
        assert!("swoosh".parse::<Activation>().unwrap_err().to_string().contains("`swoosh`"));
        assert_eq!(Activation::NONLINEAR.map(Activation::name), Activation::NONLINEAR_NAMES);
    }

    /// The functions as they are printed in textbooks.
    fn printed(activation: Activation, x: f64) -> f64 {
        match activation {
            Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Activation::Tanh => (x.exp() - (-x).exp()) / (x.exp() + (-x).exp()),
            Activation::Relu => x.max(0.0),
            Activation::Identity => x,
            Activation::LeakyRelu => (0.1 * x).max(x),
            Activation::Swish => x / (1.0 + (-x).exp()),
        }
    }

    /// The value and the slope at a sum.
    fn at<T: Scalar>(activation: Activation, x: T) -> (f64, f64) {
        let (mut output, mut slope) = ([x], [T::ONE]);
        activation.apply(&mut output);
        activation.scale_by_slope(&mut slope, &[x], &output);
        (output[0].to_f64(), slope[0].to_f64())
    }

    fn agrees<T: Scalar>(value_error: f64, slope_error: f64) {
        for activation in Activation::ALL {
            for step in -400..400 {
                let x = T::from_f64(f64::from(step) * 0.02 + 0.007);
                let (value, slope) = at(activation, x);
                let x = x.to_f64();
                assert!((value - printed(activation, x)).abs() < value_error, "{activation:?} at {x}");
                let h = 1e-6;
                let measured = (printed(activation, x + h) - printed(activation, x - h)) / (2.0 * h);
                assert!((slope - measured).abs() < slope_error, "{activation:?} at {x}: {slope}, {measured}");
            }
        }
    }

    #[test]
    fn values_and_slopes_are_those_of_the_printed_functions() {
        agrees::<f64>(1e-14, 1e-8);
        agrees::<f32>(3e-6, 3e-6);
    }

    #[test]
    fn slopes_need_the_sum_where_it_is_said() {
        for activation in Activation::ALL.into_iter().filter(|activation| !activation.slope_needs_sum()) {
            let mut output = [-3.1, -0.7, 0.2, 1.9];
            let sums = output;
            activation.apply(&mut output);
            let (mut by_sum, mut by_output) = ([1.0; 4], [1.0; 4]);
            activation.scale_by_slope(&mut by_sum, &sums, &output);
            activation.scale_by_slope(&mut by_output, &output, &output);
            assert_eq!(by_sum, by_output, "{activation:?}");
        }
    }

    #[test]
    fn zero_stays_zero_where_it_is_said() {
        for activation in Activation::ALL {
            assert_eq!(at(activation, 0.0f32).0 != 0.0, activation.moves_zero(), "{activation:?}");
        }
    }

    #[test]
    fn single_precision_agrees_with_double() {
        for activation in Activation::ALL {
            let mut exact = [-5.0, -0.3, 0.0, 0.4, 6.0];
            let mut fast = exact.map(|x| x as f32);
            activation.apply(&mut exact);
            activation.apply(&mut fast);
            for (a, b) in exact.iter().zip(fast) {
                // Of the larger of the value and one: swish is a product with the sum itself.
                assert!((a - f64::from(b)).abs() < 4e-7 * a.abs().max(1.0));
            }
        }
    }
}
