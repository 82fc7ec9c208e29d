//! How the components share the mines, and how many are left for the cells off the frontier.
//!
//! `before[i]` holds the weight of the first i components by the mines they use, `after[i]` the weight of the rest
//! and of the cells off the frontier by the mines used before them. Both are over the same range of mines.
//!
//! Only proportions matter: every list is rescaled, and the powers of two are kept for the logarithm alone.

use super::diagram::{Diagram, rescale};

/// The weights of one board, in reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    /// Where the list of each number of components begins.
    starts: Vec<usize>,
    before: Vec<f64>,
    after: Vec<f64>,
    exponent: i32,
    /// The tilted weight of all solutions, without the powers of two.
    pub(super) total: f64,
    /// Weight of the mines off the frontier.
    pub(super) off_mines: f64,
    /// Weight of the empty cells there.
    pub(super) off_empty: f64,
    /// Natural logarithm that the off-frontier weights were divided by.
    off_scale: f64,
    /// Mines that are not accounted for by least counts.
    pub(super) spare: i64,
}

impl Totals {
    /// Computes the weights of all ways to share `spare` mines among the components and `off` further cells. False if
    /// there is none.
    pub(super) fn combine(
        &mut self,
        diagram: &Diagram,
        spare: i64,
        off: usize,
        odds: f64,
        logs: &LogFactorials,
    ) -> bool {
        self.spare = spare;
        self.fill_before(diagram);
        self.fill_off(diagram, off, odds, logs);
        self.fill_after(diagram);
        self.total > 0.0
    }

    /// The natural logarithm of the tilted weight of all solutions.
    pub(super) fn log_total(&self) -> f64 {
        self.total.ln() + f64::from(self.exponent) * std::f64::consts::LN_2 + self.off_scale
    }

    /// The weights by which a component's own totals are multiplied when `used` mines, of those beyond the fewest,
    /// went into the components before it; summed over all possibilities if `used` is `None`.
    pub(super) fn context(
        &self,
        diagram: &Diagram,
        component: usize,
        used: Option<usize>,
        out: &mut Vec<f64>,
    ) {
        let (_, own) = diagram.totals(&diagram.components[component]);
        let before = &self.before[self.starts[component]..self.starts[component + 1]];
        let after = &self.after[self.starts[component + 1]..self.starts[component + 2]];
        out.clear();
        out.extend((0..own.len()).map(|mines| match used {
            Some(used) => after[used + mines],
            None => before.iter().zip(&after[mines..]).map(|(before, after)| before * after).sum(),
        }));
        rescale(out);
    }

    fn fill_before(&mut self, diagram: &Diagram) {
        self.before.clear();
        self.before.push(1.0);
        self.starts.clear();
        self.starts.extend([0, 1]);
        self.exponent = 0;
        for component in &diagram.components {
            let (_, own) = diagram.totals(component);
            let [.., start, end] = self.starts[..] else { unreachable!("there are always two") };
            self.before.resize(end + end - start + own.len() - 1, 0.0);
            let (known, next) = self.before.split_at_mut(end);
            for (mines, weight) in known[start..].iter().enumerate() {
                for (sum, own) in next[mines..].iter_mut().zip(own) {
                    *sum += weight * own;
                }
            }
            self.exponent += component.exponent + rescale(next);
            self.starts.push(self.before.len());
        }
    }

    /// The last list of `after`: tilted binomials of the cells off the frontier, the largest being 1.
    fn fill_off(&mut self, diagram: &Diagram, off: usize, odds: f64, logs: &LogFactorials) {
        let [.., start, end] = self.starts[..] else { unreachable!("there are always two") };
        self.after.clear();
        self.after.resize(end, 0.0);
        (self.total, self.off_mines, self.off_empty) = (0.0, 0.0, 0.0);
        let fewest: usize = diagram.components.iter().map(|component| diagram.totals(component).0).sum();
        let most_left = self.spare - fewest as i64;
        let least_left = (most_left - (end - start - 1) as i64).max(0);
        if most_left < least_left || least_left > off as i64 {
            return;
        }
        let (least, most) = (least_left as usize, (most_left as usize).min(off));
        let mode = ((off + 1) as f64 * odds / (1.0 + odds)) as usize;
        let peak = mode.clamp(least, most);
        self.off_scale = logs.choose(off, peak) + peak as f64 * odds.ln();
        let list = &mut self.after[start..];
        let place = |mines: usize| most_left as usize - mines;
        list[place(peak)] = 1.0;
        for mines in peak..most {
            list[place(mines + 1)] = list[place(mines)] * odds * (off - mines) as f64 / (mines + 1) as f64;
        }
        for mines in (least..peak).rev() {
            list[place(mines)] = list[place(mines + 1)] * (mines + 1) as f64 / (odds * (off - mines) as f64);
        }
        for mines in least..=most {
            let weight = self.before[start + place(mines)] * self.after[start + place(mines)];
            self.total += weight;
            self.off_mines += weight * mines as f64;
            self.off_empty += weight * (off - mines) as f64;
        }
    }

    fn fill_after(&mut self, diagram: &Diagram) {
        for (index, component) in diagram.components.iter().enumerate().rev() {
            let (_, own) = diagram.totals(component);
            let (start, end) = (self.starts[index], self.starts[index + 1]);
            let (sums, known) = self.after.split_at_mut(end);
            for (used, sum) in sums[start..].iter_mut().enumerate() {
                *sum = own.iter().zip(&known[used..]).map(|(own, after)| own * after).sum();
            }
            rescale(&mut sums[start..]);
        }
    }

    /// The mines off the frontier once the components have used this many beyond their fewest.
    pub(super) fn off_mines_after(&self, diagram: &Diagram, used: usize) -> usize {
        let fewest: usize = diagram.components.iter().map(|component| diagram.totals(component).0).sum();
        self.spare as usize - fewest - used
    }
}

/// Logarithms of factorials.
#[derive(Clone, Debug)]
pub(super) struct LogFactorials(Vec<f64>);

impl LogFactorials {
    pub(super) fn up_to(most: usize) -> Self {
        let mut logs = vec![0.0];
        for n in 1..=most {
            logs.push(logs[n - 1] + (n as f64).ln());
        }
        Self(logs)
    }

    /// The logarithm of a binomial coefficient.
    pub(super) fn choose(&self, n: usize, k: usize) -> f64 {
        self.0[n] - self.0[k] - self.0[n - k]
    }
}
