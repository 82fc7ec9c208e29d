//! Student's interval: what a few numbers of one kind say about the mean of all numbers of that kind.

use crate::stats::{Interval, Z95};

/// The mean; of at least one number.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance; unknown of one number.
pub(super) fn variance(values: &[f64]) -> Option<f64> {
    let degrees = values.len().checked_sub(1).filter(|&degrees| degrees > 0)?;
    let mean = mean(values);
    Some(values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / degrees as f64)
}

/// The interval of the mean from which these numbers deviate; unknown of one number.
pub fn student_interval(values: &[f64]) -> Option<Interval> {
    let half = student_quantile(values.len() - 1) * (variance(values)? / values.len() as f64).sqrt();
    let mean = mean(values);
    Some(Interval { low: mean - half, high: mean + half })
}

/// The number that a Student variable exceeds, either way, 5 times in 100.
///
/// The first ones from a table (that of no degrees is never asked for by anything that varies), the others by the
/// expansion in 1/ν (Abramowitz & Stegun, 26.7.5).
pub(super) fn student_quantile(degrees: usize) -> f64 {
    const FIRST: [f64; 6] = [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912];
    if let Some(&first) = FIRST.get(degrees.saturating_sub(1)) {
        return first;
    }
    let (z, v) = (Z95, degrees as f64);
    let terms = [
        z,
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / v + term)
}

/// A normal variable, by the sum of twelve uniform ones; for simulations.
#[cfg(test)]
pub(super) fn simulated_normal(rng: &mut outplay_core::Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (degrees, quantile) in [(1, 12.706), (4, 2.776), (7, 2.365), (9, 2.262), (20, 2.086), (60, 2.000)]
        {
            assert!((student_quantile(degrees) - quantile).abs() < 1e-3, "{degrees}");
        }
    }

    #[test]
    fn one_number_has_no_interval() {
        assert_eq!((variance(&[1.0]), student_interval(&[1.0])), (None, None));
        assert_eq!(variance(&[1.0, 3.0]), Some(2.0));
    }

    #[test]
    fn the_interval_covers() {
        let (mut rng, runs) = (Rng::new(5), 4000);
        for count in [2, 5, 30] {
            let covered = (0..runs).filter(|_| {
                let values: Vec<f64> = (0..count).map(|_| simulated_normal(&mut rng)).collect();
                student_interval(&values).unwrap().contains(0.0)
            });
            let covered = covered.count();
            assert!((runs * 94 / 100..=runs * 96 / 100).contains(&covered), "{count}: {covered}");
        }
    }
}
