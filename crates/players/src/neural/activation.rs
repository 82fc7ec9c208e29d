//! What a hidden neuron makes of its sum.
//!
//! Law: a derivative is that of exactly the function computed, given the sum and the function's value there.

use outplay_core::elementary::{fast_sigmoid, fast_tanh};

/// The activation of the hidden layer; the output is always a sigmoid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// 1/(1+e⁻ˣ).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// x, or 0 below 0.
    Relu,
    /// x, or x/10 below 0.
    LeakyRelu,
    /// x/(1+e⁻ˣ).
    Swish,
}

impl Activation {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sigmoid, Self::Tanh, Self::Relu, Self::LeakyRelu, Self::Swish];
    /// Their names, in the same order.
    pub const NAMES: &'static [&'static str] = &["sigmoid", "tanh", "relu", "leaky-relu", "swish"];

    /// Its name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The activation of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|activation| activation.name() == name)
    }

    /// Hands the function over to work that runs it many times, so that nothing is decided inside.
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Sigmoid => work.with(fast_sigmoid, |_, y| y * (1.0 - y)),
            Self::Tanh => work.with(fast_tanh, |_, y| 1.0 - y * y),
            Self::Relu => work.with(|x: f32| x.max(0.0), |x, _| if x > 0.0 { 1.0 } else { 0.0 }),
            Self::LeakyRelu => work.with(|x: f32| x.max(0.1 * x), |x, _| if x > 0.0 { 1.0 } else { 0.1 }),
            Self::Swish => work.with(
                |x: f32| x * fast_sigmoid(x),
                |x, y| {
                    let gate = fast_sigmoid(x);
                    y.mul_add(1.0 - gate, gate)
                },
            ),
        }
    }
}

/// Work over an activation and its derivative, which is given the sum and the value.
pub(super) trait Work {
    type Output;

    fn with(self, value: impl Fn(f32) -> f32, slope: impl Fn(f32, f32) -> f32) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct At(f32);

    impl Work for At {
        type Output = (f64, f64);

        fn with(self, value: impl Fn(f32) -> f32, slope: impl Fn(f32, f32) -> f32) -> (f64, f64) {
            let y = value(self.0);
            (f64::from(y), f64::from(slope(self.0, y)))
        }
    }

    /// The functions as the document prints them, in double precision.
    fn printed(activation: Activation, x: f64) -> f64 {
        match activation {
            Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Activation::Tanh => (x.exp() - (-x).exp()) / (x.exp() + (-x).exp()),
            Activation::Relu => x.max(0.0),
            Activation::LeakyRelu => (0.1 * x).max(x),
            Activation::Swish => x / (1.0 + (-x).exp()),
        }
    }

    #[test]
    fn values_and_slopes_are_those_of_the_printed_functions() {
        for activation in Activation::ALL {
            for step in -400..400 {
                let x = f64::from(step) * 0.02 + 0.007;
                let (value, slope) = activation.run(At(x as f32));
                let x = f64::from(x as f32);
                assert!((value - printed(activation, x)).abs() < 3e-6, "{activation:?} at {x}: {value}");
                let h = 1e-5;
                let difference = (printed(activation, x + h) - printed(activation, x - h)) / (2.0 * h);
                assert!((slope - difference).abs() < 3e-6, "{activation:?} at {x}: {slope}, {difference}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for activation in Activation::ALL {
            assert_eq!(Activation::named(activation.name()), Some(activation));
        }
        assert_eq!(Activation::named("step"), None);
    }
}
