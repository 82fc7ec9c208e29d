//! The exact number of solutions, in integers.

use super::Solver;
use super::diagram::CHOOSE;

impl Solver {
    /// The number of solutions of the board solved last; `None` if it does not fit into 128 bits.
    pub fn exact_solutions(&self) -> Option<u128> {
        let mut ways: Vec<u128> = vec![1];
        let mut fewest = 0;
        for component in &self.diagram.components {
            fewest += self.diagram.totals(component).0;
            ways = convolve(&ways, &self.diagram.count(component)?)?;
        }
        let off = self.frontier.off as u64;
        let mut sum: u128 = 0;
        for (mines, &ways) in ways.iter().enumerate() {
            let Ok(left) = u64::try_from(self.totals.spare - (fewest + mines) as i64) else { break };
            if left <= off && ways > 0 {
                sum = sum.checked_add(ways.checked_mul(choose(off, left)?)?)?;
            }
        }
        let settled = self.frontier.groups.iter().filter(|group| group.is_settled());
        settled
            .map(|group| u128::from(CHOOSE[group.size as usize][group.least as usize]))
            .try_fold(sum, u128::checked_mul)
    }
}

fn convolve(left: &[u128], right: &[u128]) -> Option<Vec<u128>> {
    let mut sums = vec![0u128; left.len() + right.len() - 1];
    for (i, a) in left.iter().enumerate() {
        for (j, &b) in right.iter().enumerate() {
            sums[i + j] = sums[i + j].checked_add(a.checked_mul(b)?)?;
        }
    }
    Some(sums)
}

/// A binomial coefficient. Common factors are divided out first, so that only the result has to fit.
fn choose(n: u64, k: u64) -> Option<u128> {
    (0..k.min(n - k)).try_fold(1u128, |product, i| {
        let (above, below) = (u128::from(n - i), u128::from(i + 1));
        let common = gcd(product, below);
        (product / common).checked_mul(above / (below / common))
    })
}

const fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
