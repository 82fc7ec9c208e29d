//! How well answers fit the truth, class by class.
//!
//! Law: a share of nothing is 0.

/// How often each class was answered where each was true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// In row t and column a, how often a was answered where t was true.
    pub counts: Vec<Vec<u64>>,
}

/// What is said of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassReport {
    /// Of those answered so, the share that were.
    pub precision: f64,
    /// Of those that were, the share answered so.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// How many there were.
    pub support: u64,
}

impl Confusion {
    /// Nothing counted yet.
    pub fn new(classes: usize) -> Self {
        Self { counts: vec![vec![0; classes]; classes] }
    }

    /// Counts an answer.
    pub fn count(&mut self, truth: usize, answer: usize) {
        self.counts[truth][answer] += 1;
    }

    /// All that was counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        share(self.right(), self.total())
    }

    /// How many answers were right.
    pub fn right(&self) -> u64 {
        (0..self.counts.len()).map(|class| self.counts[class][class]).sum()
    }

    /// The report of every class.
    pub fn classes(&self) -> Vec<ClassReport> {
        let report = |class: usize| {
            let right = self.counts[class][class];
            let support = self.counts[class].iter().sum();
            let precision = share(right, self.counts.iter().map(|row| row[class]).sum());
            let recall = share(right, support);
            let sum = precision + recall;
            let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
            ClassReport { precision, recall, f1, support }
        };
        (0..self.counts.len()).map(report).collect()
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_formulas() {
        let mut confusion = Confusion::new(3);
        for (truth, answer) in [(0, 0), (0, 0), (0, 1), (1, 1), (1, 0)] {
            confusion.count(truth, answer);
        }
        assert!((confusion.accuracy() - 0.6).abs() < 1e-12);
        let [first, second, third] = confusion.classes()[..] else { panic!() };
        assert!((first.precision - 2.0 / 3.0).abs() < 1e-12 && (first.recall - 2.0 / 3.0).abs() < 1e-12);
        assert!((second.precision - 0.5).abs() < 1e-12 && (second.f1 - 0.5).abs() < 1e-12);
        assert_eq!((third.precision, third.recall, third.f1, third.support), (0.0, 0.0, 0.0, 0));
    }
}
