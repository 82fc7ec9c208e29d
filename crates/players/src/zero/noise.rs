//! The random numbers of exploration: Gumbel's, and Dirichlet's distribution.

use outplay_core::Rng;

/// The sum of the parameters of Dirichlet's distribution, however many moves there are; 0.03 for each of the 361 points of a Go
/// board (Wu, Accelerating self-play learning in Go, 2019).
const CONCENTRATION: f64 = 10.83;

/// A number of the standard Gumbel distribution.
pub(super) fn gumbel(rng: &mut Rng) -> f32 {
    // 1 − unit() is never 0.
    -(-(1.0 - rng.unit()).ln()).max(f64::MIN_POSITIVE).ln() as f32
}

/// Probabilities for so many moves, drawn from a Dirichlet distribution.
pub(super) fn dirichlet(count: usize, rng: &mut Rng) -> Vec<f32> {
    let shape = CONCENTRATION / count as f64;
    let draws: Vec<f64> = (0..count).map(|_| gamma(shape, rng)).collect();
    let sum: f64 = draws.iter().sum();
    if sum <= 0.0 {
        return vec![1.0 / count as f32; count];
    }
    draws.into_iter().map(|draw| (draw / sum) as f32).collect()
}

/// A number of the gamma distribution of this shape and scale 1 (Marsaglia and Tsang, A simple method for generating gamma
/// variables, 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let power = (1.0 - rng.unit()).powf(1.0 / shape);
        return gamma(shape + 1.0, rng) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = rng.gaussian();
        let v = (1.0 + c * x).powi(3);
        let u = 1.0 - rng.unit();
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    fn moments(mut draw: impl FnMut(&mut Rng) -> f64) -> [f64; 2] {
        let mut rng = Rng::new(5);
        let draws: Vec<f64> = (0..100_000).map(|_| draw(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        [mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64]
    }

    #[test]
    fn gamma_has_its_moments() {
        for shape in [0.1, 0.7, 1.0, 4.0] {
            let [mean, variance] = moments(|rng| gamma(shape, rng));
            let error = 5.0 * (shape / 100_000.0).sqrt();
            assert!((mean - shape).abs() < error, "{shape}: {mean}");
            assert!((variance / shape - 1.0).abs() < 0.12, "{shape}: {variance}");
        }
    }

    #[test]
    fn gumbel_has_its_moments() {
        // Euler's constant and π²/6.
        let [mean, variance] = moments(|rng| f64::from(gumbel(rng)));
        assert!((mean - 0.577_216).abs() < 0.02 && (variance - 1.644_934).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn dirichlet_is_a_distribution_that_favours_few() {
        let mut rng = Rng::new(3);
        for count in [1, 7, 130] {
            let drawn = dirichlet(count, &mut rng);
            assert!((drawn.iter().sum::<f32>() - 1.0).abs() < 1e-4 && drawn.len() == count);
        }
        let greatest = |_| dirichlet(130, &mut rng).into_iter().fold(0.0, f32::max);
        let mean = (0..200).map(greatest).sum::<f32>() / 200.0;
        assert!(mean > 0.15, "{mean}: twenty times an equal share");
    }
}
