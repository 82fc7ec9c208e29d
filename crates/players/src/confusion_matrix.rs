//! The confusion matrix of a classifier, with accuracy, precision, recall and F1. A ratio with denominator 0 is 0.

/// How often each class was predicted for each true class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfusionMatrix {
    /// In row t and column a, how often a was predicted where t was true.
    pub counts: Vec<Vec<u64>>,
}

/// The measures of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassReport {
    /// The share of correct predictions among the predictions of this class.
    pub precision: f64,
    /// The share of the members of this class that were predicted as such.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// The number of members of this class.
    pub support: u64,
}

impl ConfusionMatrix {
    /// An empty matrix.
    pub fn new(classes: usize) -> Self {
        Self { counts: vec![vec![0; classes]; classes] }
    }

    /// Counts a prediction.
    pub fn count(&mut self, truth: usize, answer: usize) {
        self.counts[truth][answer] += 1;
    }

    /// The number of predictions.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The share of correct predictions.
    pub fn accuracy(&self) -> f64 {
        share(self.right(), self.total())
    }

    /// The number of correct predictions.
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
        let mut confusion = ConfusionMatrix::new(3);
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
