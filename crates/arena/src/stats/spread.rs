//! The statistics that a box plot shows.
//!
//! Quartiles are interpolated between neighbours, as numpy does; whiskers reach to the last number within one and a
//! half boxes of the box, after Tukey and as matplotlib draws them.

use serde::{Deserialize, Serialize};

/// What a box plot shows of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxPlotStats {
    /// The first quartile, the median, the third quartile.
    pub quartiles: [f64; 3],
    /// The ends of the whiskers.
    pub whiskers: [f64; 2],
    /// The mean.
    pub mean: f64,
}

impl BoxPlotStats {
    /// Of numbers in ascending order, at least one.
    pub fn of(sorted: &[f64]) -> Self {
        let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(sorted, share));
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let within = |number: &&f64| **number >= quartiles[0] - reach && **number <= quartiles[2] + reach;
        let low = sorted.iter().find(within).map_or(quartiles[0], |&low| low.min(quartiles[0]));
        let high = sorted.iter().rfind(within).map_or(quartiles[2], |&high| high.max(quartiles[2]));
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Self { quartiles, whiskers: [low, high], mean }
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    part.mul_add(sorted[above] - sorted[below], sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_whiskers_are_numpys_and_matplotlibs() {
        let spread = BoxPlotStats::of(&[1.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 40.0]);
        // numpy.percentile(…, [25, 50, 75]) = 10.75, 12.5, 14.25.
        assert_eq!(spread.quartiles, [10.75, 12.5, 14.25]);
        assert_eq!(spread.whiskers, [10.0, 15.0]);
        assert_eq!(spread.mean, 14.5);
        let one = BoxPlotStats::of(&[3.0]);
        assert_eq!((one.quartiles, one.whiskers), ([3.0; 3], [3.0; 2]));
    }
}
