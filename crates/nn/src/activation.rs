//! What a neuron makes of its sum.
//!
//! Belongs here: the list of activations, their values, slopes and names. A new one is a variant here and an
//! arm in each `match`; the tests of slopes run over [`Activation::ALL`].
//!
//! Law: the slope is a function of the *output*, so that training keeps one number per neuron.

use std::str::FromStr;

use outplay_core::elementary::{fast_sigmoid, fast_tanh, flush, sigmoid, tanh};

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
}

/// A name that is no activation's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an activation: expected sigmoid, tanh, relu or identity")]
pub struct UnknownActivation(pub String);

impl Activation {
    /// Every activation, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Sigmoid, Self::Tanh, Self::Relu, Self::Identity];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Relu => "relu",
            Self::Identity => "identity",
        }
    }

    /// Turns sums into outputs.
    #[inline]
    pub(crate) fn apply(self, sums: &mut [f64]) {
        match self {
            Self::Sigmoid => sums.iter_mut().for_each(|x| *x = sigmoid(*x)),
            Self::Tanh => sums.iter_mut().for_each(|x| *x = tanh(*x)),
            Self::Relu => sums.iter_mut().for_each(|x| *x = x.max(0.0)),
            Self::Identity => {}
        }
    }

    /// Turns sums into outputs, in single precision.
    #[inline]
    pub(crate) fn apply_fast(self, sums: &mut [f32]) {
        match self {
            Self::Sigmoid => sums.iter_mut().for_each(|x| *x = fast_sigmoid(*x)),
            Self::Tanh => sums.iter_mut().for_each(|x| *x = fast_tanh(*x)),
            Self::Relu => sums.iter_mut().for_each(|x| *x = x.max(0.0)),
            Self::Identity => {}
        }
    }

    /// Multiplies each number by the slope at the neuron whose output stands beside it.
    #[inline]
    pub(crate) fn scale_by_slope(self, numbers: &mut [f64], outputs: &[f64]) {
        let pairs = numbers.iter_mut().zip(outputs);
        match self {
            Self::Sigmoid => pairs.for_each(|(d, y)| *d *= y * (1.0 - y)),
            Self::Tanh => pairs.for_each(|(d, y)| *d *= 1.0 - y * y),
            Self::Relu => pairs.for_each(|(d, y)| *d *= if *y > 0.0 { 1.0 } else { 0.0 }),
            Self::Identity => {}
        }
    }

    /// Multiplies each number by the slope at the neuron whose output stands beside it, in single precision.
    #[inline]
    pub(crate) fn scale_by_slope_fast(self, numbers: &mut [f32], outputs: &[f32]) {
        let pairs = numbers.iter_mut().zip(outputs);
        match self {
            Self::Sigmoid => pairs.for_each(|(d, y)| *d = flush(*d * (y * (1.0 - y)))),
            Self::Tanh => pairs.for_each(|(d, y)| *d = flush(*d * (1.0 - y * y))),
            Self::Relu => pairs.for_each(|(d, y)| *d = if *y > 0.0 { flush(*d) } else { 0.0 }),
            Self::Identity => pairs.for_each(|(d, _)| *d = flush(*d)),
        }
    }
}

impl FromStr for Activation {
    type Err = UnknownActivation;

    fn from_str(name: &str) -> Result<Self, UnknownActivation> {
        let found = Self::ALL.into_iter().find(|activation| activation.name() == name);
        found.ok_or_else(|| UnknownActivation(name.to_owned()))
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
    }

    #[test]
    fn slopes_are_those_of_the_values() {
        let value = |activation: Activation, x: f64| {
            let mut sums = [x];
            activation.apply(&mut sums);
            sums[0]
        };
        for activation in Activation::ALL {
            for x in [-3.1, -0.7, 0.2, 1.9] {
                let mut slope = [1.0];
                activation.scale_by_slope(&mut slope, &[value(activation, x)]);
                let measured = (value(activation, x + 1e-6) - value(activation, x - 1e-6)) / 2e-6;
                assert!((slope[0] - measured).abs() < 1e-9, "{activation:?} at {x}");
            }
        }
    }

    #[test]
    fn single_precision_agrees_with_double() {
        for activation in Activation::ALL {
            let mut exact = [-5.0, -0.3, 0.0, 0.4, 6.0];
            let mut fast = exact.map(|x| x as f32);
            activation.apply(&mut exact);
            activation.apply_fast(&mut fast);
            for (a, b) in exact.iter().zip(fast) {
                assert!((a - f64::from(b)).abs() < 4e-7);
            }
        }
    }
}
