//! One measured number beside the published one.
//!
//! A number is *reproduced* if its difference to the published one lies within the 95% interval that
//! the sampling errors of both allow. An artefact is reproduced if all its numbers are.

use outplay_core::Text;
use serde::Serialize;

use super::chart::{Bar, BarRow};
use super::section::{ReportCell, ReportTable, Tone};

use outplay_arena::stats::{CrossedShares, Interval, Shares};

/// Whether a measured number agrees with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberVerdict {
    /// The difference is within its interval.
    Reproduced,
    /// It is not.
    Differs,
}

impl NumberVerdict {
    const fn words(self) -> Text {
        match self {
            Self::Reproduced => Text::new("reproduced", "reproduit"),
            Self::Differs => Text::new("differs", "diffère"),
        }
    }

    const fn tone(self) -> Tone {
        match self {
            Self::Reproduced => Tone::Good,
            Self::Differs => Tone::Bad,
        }
    }
}

/// The verdict on a whole artefact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Badge {
    /// All numbers agree with the document's.
    Reproduced,
    /// At least one does not.
    Differs,
    /// There is nothing published to compare with.
    Measured,
    /// There is no finished run at this scale and seed.
    NotRun,
}

impl Badge {
    /// The badge of an artefact with these numbers.
    pub fn of(numbers: &[Number]) -> Self {
        match reproduced_and_total(numbers) {
            (_, 0) => Self::Measured,
            (reproduced, total) if reproduced == total => Self::Reproduced,
            _ => Self::Differs,
        }
    }

    /// The badge in words.
    pub const fn words(self) -> Text {
        match self {
            Self::Reproduced => Text::new("reproduced", "reproduit"),
            Self::Differs => Text::new("differs", "diffère"),
            Self::Measured => Text::new("measured", "mesuré"),
            Self::NotRun => Text::new("not run", "non lancé"),
        }
    }

    /// How it is highlighted.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Reproduced => Tone::Good,
            Self::Differs => Tone::Bad,
            Self::Measured | Self::NotRun => Tone::Plain,
        }
    }
}

/// How many numbers are reproduced, and how many have something published beside them.
pub fn reproduced_and_total(numbers: &[Number]) -> (usize, usize) {
    let verdicts = || numbers.iter().filter_map(|number| number.comparison.map(|found| found.verdict));
    (verdicts().filter(|&verdict| verdict == NumberVerdict::Reproduced).count(), verdicts().count())
}

/// A measured number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Number {
    /// What it is.
    pub name: String,
    /// Its unit; `%` for shares.
    pub unit: &'static str,
    /// Ours.
    pub ours: f64,
    /// Its 95% interval.
    pub interval: Interval,
    /// How many groups (networks) of games it comes from.
    pub groups: usize,
    /// From how many games or positions in all.
    pub n: u64,
    /// By how much groups differ, if there are several.
    #[serde(flatten)]
    pub spread: Option<NetworkSpread>,
    /// The published number, if there is one.
    #[serde(flatten)]
    pub comparison: Option<PublishedComparison>,
    /// Digits after the point.
    #[serde(skip)]
    decimals: usize,
}

/// Two reasons for which groups (networks) differ, as standard deviations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NetworkSpread {
    /// By their own strength.
    pub sd_of_networks: f64,
    /// By chance in their games.
    pub sd_by_chance: f64,
}

impl NetworkSpread {
    fn in_percent(of_networks: f64, by_chance: f64) -> Self {
        Self { sd_of_networks: 100.0 * of_networks, sd_by_chance: 100.0 * by_chance }
    }
}

/// A measured number beside the published one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PublishedComparison {
    /// What the document says.
    pub published: f64,
    /// Ours minus the published one.
    pub difference: f64,
    /// Half of the difference's 95% interval under the assumption that nothing but chance differs.
    pub margin: f64,
    /// The verdict.
    pub verdict: NumberVerdict,
}

impl Number {
    /// A number from `n` trials of one kind.
    pub fn new(name: impl Into<String>, unit: &'static str, ours: f64, interval: Interval, n: u64) -> Self {
        let name = name.into();
        Self { name, unit, ours, interval, groups: 1, n, spread: None, comparison: None, decimals: 1 }
    }

    /// A share in percent, from `n` trials by this many groups.
    pub fn percent(
        name: impl Into<String>,
        share: f64,
        Interval { low, high }: Interval,
        groups: usize,
        n: u64,
    ) -> Self {
        let interval = Interval { low: 100.0 * low, high: 100.0 * high };
        Self { groups, ..Self::new(name, "%", 100.0 * share, interval, n) }
    }

    /// A share from groups with separate trials.
    pub fn share(name: impl Into<String>, shares: &Shares) -> Self {
        let spread = shares.spread().map(|spread| NetworkSpread::in_percent(spread, shares.chance()));
        let number = Self::percent(name, shares.mean(), shares.interval(), shares.len(), shares.trials());
        Self { spread, ..number }
    }

    /// A share from groups that share their trials.
    pub fn crossed(name: impl Into<String>, shares: &CrossedShares) -> Self {
        let both = shares.spread().zip(shares.chance());
        let spread = both.map(|(spread, chance)| NetworkSpread::in_percent(spread, chance));
        let number = Self::percent(name, shares.mean(), shares.interval(), shares.groups(), shares.answers());
        Self { spread, ..number }
    }

    /// The same beside what was published; `margin` is half of the interval of the difference.
    #[must_use]
    pub fn against(mut self, published: f64, margin: f64) -> Self {
        let difference = self.ours - published;
        let verdict =
            if difference.abs() <= margin { NumberVerdict::Reproduced } else { NumberVerdict::Differs };
        self.comparison = Some(PublishedComparison { published, difference, margin, verdict });
        self
    }

    /// The same, shown with this many digits after the point instead of one.
    #[must_use]
    pub fn digits(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// The same under a name that also says what is measured, for lists of several kinds of number.
    #[must_use]
    pub fn called(mut self, what: &str) -> Self {
        self.name = format!("{}: {what}", self.name);
        self
    }

    /// The number itself, rounded as it is shown.
    pub fn shown(&self) -> String {
        self.round(self.ours)
    }

    /// The number with its unit and its interval, for prose: `46.5% (42.3 – 50.8)`.
    pub fn with_interval(&self) -> String {
        let unit = if self.unit == "%" { "%" } else { "" };
        let [low, high] = [self.interval.low, self.interval.high].map(|bound| self.round(bound));
        format!("{}{unit} ({low} – {high})", self.shown())
    }

    /// How the published number compares, as a tone.
    pub fn tone(&self) -> Tone {
        self.comparison.map_or(Tone::Plain, |found| found.verdict.tone())
    }

    fn round(&self, value: f64) -> String {
        let text = format!("{value:.*}", self.decimals);
        // What rounds to nothing has no sign.
        match text.strip_prefix('-') {
            Some(number) if number.chars().all(|digit| matches!(digit, '0' | '.')) => number.to_owned(),
            _ => text,
        }
    }

    fn sample(&self) -> String {
        match self.groups {
            1 => self.n.to_string(),
            groups => format!("{groups} × {}", self.n / groups as u64),
        }
    }

    /// A table with one row per number; `n` is the heading of the sample-size column.
    pub fn table(numbers: &[Self], n: Text) -> ReportTable {
        let varied = numbers.iter().any(|number| number.spread.is_some());
        let compared = numbers.iter().any(|number| number.comparison.is_some());
        let unit = numbers.first().map_or("", |number| number.unit);
        let all_alike = !unit.is_empty() && numbers.iter().all(|number| number.unit == unit);
        let ours = if all_alike {
            Text { en: format!("ours, {unit}").into(), fr: format!("le nôtre, {unit}").into() }
        } else {
            Text::new("ours", "le nôtre")
        };
        let mut head = vec![Text::same(""), ours, Text::new("95% interval", "intervalle à 95 %")];
        if varied {
            head.push(Text::new("sd of networks", "écart type des réseaux"));
            head.push(Text::new("sd by chance", "écart type du hasard"));
        }
        if compared {
            head.push(Text::new("published", "publié"));
            head.push(Text::new("difference", "différence"));
            head.push(Text::new("allowed", "permis"));
            head.push(Text::new("verdict", "verdict"));
        }
        head.push(n);
        let rows = numbers.iter().map(|number| number.row(varied, compared)).collect();
        ReportTable { left: 1, head, rows }
    }

    fn row(&self, varied: bool, compared: bool) -> Vec<ReportCell> {
        let Interval { low, high } = self.interval;
        let mut row = vec![ReportCell::from(self.name.clone()), self.shown().into()];
        row.push(format!("{} – {}", self.round(low), self.round(high)).into());
        if varied {
            let spread = self.spread.map(|spread| [spread.sd_of_networks, spread.sd_by_chance]);
            row.extend(
                spread.map_or_else(
                    || ["", ""].map(ReportCell::from),
                    |both| both.map(|sd| self.round(sd).into()),
                ),
            );
        }
        if compared {
            match self.comparison {
                None => row.extend([(); 4].map(|()| ReportCell::from(""))),
                Some(PublishedComparison { published, difference, margin, verdict }) => row.extend([
                    self.round(published).into(),
                    format!("{difference:+.*}", self.decimals).into(),
                    format!("±{}", self.round(margin)).into(),
                    ReportCell { text: verdict.words(), tone: verdict.tone() },
                ]),
            }
        }
        row.push(self.sample().into());
        row
    }
}

impl From<&Number> for Bar {
    fn from(number: &Number) -> Self {
        Self { value: number.ours, low: number.interval.low, high: number.interval.high }
    }
}

/// One bar, with what was published as its ghost.
impl From<&Number> for BarRow {
    fn from(number: &Number) -> Self {
        let ghost = number.comparison.map(|found| found.published);
        Self { label: number.name.clone(), bars: vec![Some(number.into())], ghost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(ours: f64) -> Number {
        Number::new("x", "%", ours, Interval { low: ours - 1.0, high: ours + 1.0 }, 100)
    }

    #[test]
    fn a_difference_within_its_interval_is_a_reproduction() {
        let verdict = |ours: f64| number(ours).against(50.0, 2.5).comparison.unwrap().verdict;
        assert_eq!(verdict(52.5), NumberVerdict::Reproduced);
        assert_eq!(verdict(47.5), NumberVerdict::Reproduced);
        assert_eq!(verdict(52.6), NumberVerdict::Differs);
        assert_eq!(verdict(40.0), NumberVerdict::Differs);
    }

    #[test]
    fn what_rounds_to_nothing_has_no_sign() {
        assert_eq!(
            [-0.0, -0.04, -0.06, 0.04].map(|ours| number(ours).shown()),
            ["0.0", "0.0", "-0.1", "0.0"]
        );
        assert_eq!(number(-0.4).digits(0).shown(), "0");
    }

    #[test]
    fn a_badge_says_the_worst_that_there_is() {
        let (near, far, alone) =
            (number(50.0).against(50.1, 1.0), number(60.0).against(50.0, 1.0), number(9.0));
        assert_eq!(Badge::of(&[near.clone(), alone.clone()]), Badge::Reproduced);
        assert_eq!(Badge::of(&[near.clone(), far.clone()]), Badge::Differs);
        assert_eq!(Badge::of(std::slice::from_ref(&alone)), Badge::Measured);
        assert_eq!(Badge::of(&[]), Badge::Measured);
        assert_eq!(reproduced_and_total(&[near, far, alone]), (1, 2));
    }

    #[test]
    fn a_table_has_the_columns_that_its_numbers_need() {
        let plain = Number::table(&[number(9.0)], Text::same("n"));
        assert_eq!(
            plain.head.iter().map(|text| &*text.en).collect::<Vec<_>>(),
            ["", "ours, %", "95% interval", "n"]
        );
        let shares = Shares::of_groups(vec![(10, 20), (14, 20)]);
        let full =
            Number::table(&[Number::share("y", &shares).against(61.0, 5.0), number(9.0)], Text::same("n"));
        assert_eq!(full.head.len(), 10);
        assert!(full.rows.iter().all(|row| row.len() == 10));
        let texts: Vec<&str> = full.rows[0].iter().map(|cell| cell.text.en.as_ref()).collect();
        assert_eq!((texts[0], texts[1], texts[6], texts[9]), ("y", "60.0", "-1.0", "2 × 20"));
    }
}
