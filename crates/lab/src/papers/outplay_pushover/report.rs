//! What the players achieved, as tables and pictures.

use super::keepers::{Config, Entrant, PLAYERS, Scored, sample};
use super::problems::Kept;
use crate::artefact::{Bar, BarChart, BarRow, Block, Cell, Figure, Number, Records, Section, Shares, Table};
use crate::error::LabError;
use crate::stats::{Estimate, Interval, PairCounts, Tally};

/// What is known of one player.
struct Row {
    name: &'static str,
    /// By network, or once.
    kept: Vec<Kept>,
    as_o: Tally,
    as_plus: Tally,
    pairs: PairCounts,
}

impl Row {
    fn of(name: &'static str, config: &Config, records: &Records) -> Result<Self, LabError> {
        let mut row = Self {
            name,
            kept: Vec::new(),
            as_o: Tally::default(),
            as_plus: Tally::default(),
            pairs: PairCounts::default(),
        };
        for entrant in Entrant::all(name, config) {
            row.kept.push(entrant.kept(config, records)?);
            for Scored { as_o, as_plus, pairs } in entrant.scored(config, records)? {
                row.as_o += as_o;
                row.as_plus += as_plus;
                row.pairs.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum += count);
            }
        }
        Ok(row)
    }

    /// The share of values kept, or nothing where there was none to keep.
    fn share(&self, of: impl Fn(&Kept) -> (u64, u64)) -> Option<Number> {
        let groups: Vec<(u64, u64)> = self.kept.iter().map(of).collect();
        let asked = groups.iter().all(|&(_, trials)| trials > 0);
        asked.then(|| Number::share(self.name, &Shares::of_groups(groups)))
    }

    fn in_all(&self) -> Option<Number> {
        self.share(|kept| (kept.wins + kept.draws, kept.won + kept.drawn))
    }

    fn in_won(&self) -> Option<Number> {
        self.share(|kept| (kept.wins, kept.won))
    }

    fn in_drawn(&self) -> Option<Number> {
        self.share(|kept| (kept.draws, kept.drawn))
    }

    /// The share of points made against `perfect`.
    fn score(&self) -> Option<Number> {
        let tally = [self.as_o, self.as_plus].into_iter().sum();
        let estimate = Estimate::from_pairs(&tally, &self.pairs)?;
        let Interval { low, high } = estimate.score_interval();
        let interval = Interval { low: 100.0 * low, high: 100.0 * high };
        Some(Number::new(self.name, "%", 100.0 * estimate.score(), interval, tally.games()))
    }
}

/// The report of the study.
pub(super) fn keepers(config: &Config, records: &Records) -> Result<Section, LabError> {
    let rows: Vec<Row> =
        PLAYERS.into_iter().map(|name| Row::of(name, config, records)).collect::<Result<_, _>>()?;
    let sample = sample(records)?;
    let kept: Vec<Number> = rows.iter().filter_map(Row::in_all).collect();
    let scores: Vec<Number> = rows.iter().filter_map(Row::score).collect();
    let blocks = vec![
        Block::text(format!(
            "{} positions in which the value can be lost: {} won and {} drawn for the side to move. On average {:.1}% \
             of the legal moves keep it. Networks: {}.",
            config.positions,
            sample.won,
            sample.drawn,
            100.0 * sample.keeping_share,
            config.networks
        )),
        Block::text("How often a move keeps the exact value, in %:"),
        Block::Table(Number::table(&kept, "positions")),
        Block::text("The same by the value that there was to keep:"),
        Block::Table(by_value(&rows)),
        Block::Figure(kept_figure(&rows)),
        Block::text("Points against `perfect`, in %, with wins–draws–losses in each seat:"),
        Block::Table(score_table(&rows)),
        Block::Figure(score_figure(&scores)),
    ];
    let kept = kept.into_iter().map(|number| number.called("values kept"));
    let scores = scores.into_iter().map(|number| number.called("points against perfect"));
    let numbers = kept.chain(scores).collect();
    Ok(Section { blocks, numbers })
}

fn interval_text(number: &Number) -> String {
    format!("{} ({:.1} – {:.1})", number.shown(), number.interval.low, number.interval.high)
}

fn by_value(rows: &[Row]) -> Table {
    let text = |number: Option<Number>| Cell::from(number.as_ref().map_or_else(String::new, interval_text));
    let row = |row: &Row| vec![Cell::from(row.name), text(row.in_won()), text(row.in_drawn())];
    let head = ["", "wins kept, % (95% interval)", "draws kept, % (95% interval)"];
    Table { left: 1, head: head.map(String::from).to_vec(), rows: rows.iter().map(row).collect() }
}

fn score_table(rows: &[Row]) -> Table {
    let results = |tally: &Tally| Cell::from(format!("{}–{}–{}", tally.wins, tally.draws, tally.losses));
    let row = |row: &Row| {
        let score = row.score().as_ref().map_or_else(String::new, interval_text);
        vec![Cell::from(row.name), score.into(), results(&row.as_o), results(&row.as_plus)]
    };
    let head = ["", "points, % (95% interval)", "as o", "as +"];
    Table { left: 1, head: head.map(String::from).to_vec(), rows: rows.iter().map(row).collect() }
}

fn bar(number: &Number) -> Bar {
    Bar { value: number.ours, low: number.interval.low, high: number.interval.high }
}

fn kept_figure(rows: &[Row]) -> Figure {
    let rows = rows.iter().map(|row| BarRow {
        label: row.name.to_owned(),
        bars: [row.in_won(), row.in_drawn()].map(|number| number.as_ref().map(bar)).to_vec(),
        ghost: None,
    });
    let caption =
        "The share of moves that keep a won or a drawn position what it is; whiskers are 95% intervals";
    let chart = BarChart {
        caption: caption.to_owned(),
        axis: "% of values kept".to_owned(),
        limit: 100.0,
        series: vec!["wins kept".to_owned(), "draws kept".to_owned()],
        ghost: None,
        rows: rows.collect(),
    };
    Figure { name: "keepers".to_owned(), caption: caption.to_owned(), svg: chart.svg() }
}

fn score_figure(scores: &[Number]) -> Figure {
    let row =
        |number: &Number| BarRow { label: number.name.clone(), bars: vec![Some(bar(number))], ghost: None };
    let caption =
        "Points against perfect play, in % of all; 50 is the most one can expect; whiskers are 95% intervals";
    let chart = BarChart {
        caption: caption.to_owned(),
        axis: "% of points".to_owned(),
        limit: 60.0,
        series: vec!["points".to_owned()],
        ghost: None,
        rows: scores.iter().map(row).collect(),
    };
    Figure { name: "keepers-against-perfect".to_owned(), caption: caption.to_owned(), svg: chart.svg() }
}
