//! The results of the players, as tables and figures.

use super::keepers::{Config, PLAYERS, sample};
use super::problems::ProblemSample;
use super::row::PlayerRow;
use crate::artefact::Records;
use outplay_arena::stats::Tally;
use outplay_core::Text;
use outplay_report::{
    Bar, BarChart, BarRow, Block, Figure, Number, ReportCell, ReportTable, Section, english,
};
use outplay_runtime::WorkError;

/// Who learnt from whom, and searches as deep.
const PUPILS: [(&str, &str); 2] = [("r*1", "e1"), ("r*2", "e2")];

/// The report of the study.
pub(super) fn keepers(config: &Config, records: &Records) -> Result<Section, WorkError> {
    let rows: Vec<PlayerRow> =
        PLAYERS.into_iter().map(|name| PlayerRow::of(name, config, records)).collect::<Result<_, _>>()?;
    let sample = sample(records)?;
    let all = sample.all();
    let kept: Vec<Number> = rows.iter().filter_map(|row| row.share(&all)).collect();
    let pupils = differences(&rows);
    let scores: Vec<Number> = rows.iter().filter_map(PlayerRow::score).collect();
    let blocks = vec![
        Block::text(about(config, &sample)),
        Block::text("How often a move keeps the exact value, in %:"),
        Block::Table(Number::table(&kept, Text::new("positions", "positions"))),
        Block::text("The pupil against its master on the same positions, in points of the percentage above:"),
        Block::Table(pupil_table(&pupils)),
        Block::text(verdict(&pupils)),
        Block::text("How often a move keeps it, by the value that there was to keep:"),
        Block::Table(by_value(&rows, &sample)),
        Block::Figure(kept_figure(&rows, &sample)),
        Block::text("Points against `perfect`, in %, with wins–draws–losses in each seat:"),
        Block::Table(score_table(&rows)),
        Block::Figure(score_figure(&scores)),
    ];
    let kept = kept.into_iter().chain(pupils).map(|number| number.called("values kept"));
    let scores = scores.into_iter().map(|number| number.called("points against perfect"));
    let numbers = kept.chain(scores).collect();
    Ok(Section { blocks, numbers })
}

fn about(config: &Config, sample: &ProblemSample) -> String {
    format!(
        "{} positions in which the value can be lost: {} won and {} drawn for the side to move. On average {:.1}% of the \
         legal moves keep it. Networks: {}.",
        config.positions,
        sample.won().len(),
        sample.drawn().len(),
        100.0 * sample.keeping_share,
        config.networks
    )
}

/// Every pupil's share minus its master's.
fn differences(rows: &[PlayerRow]) -> Vec<Number> {
    let find = |name: &str| rows.iter().find(|row| row.name == name);
    PUPILS.iter().filter_map(|(pupil, master)| Some(find(pupil)?.minus(find(master)?))).collect()
}

fn pupil_table(differences: &[Number]) -> ReportTable {
    let row = |number: &Number| {
        let interval = format!("{:+.2} to {:+.2}", number.interval.low, number.interval.high);
        vec![ReportCell::from(number.name.clone()), format!("{:+.2}", number.ours).into(), interval.into()]
    };
    let head = ["", "difference", "95% interval"];
    ReportTable { left: 1, head: english(head), rows: differences.iter().map(row).collect() }
}

/// Whether the pupils keep values better than their masters.
fn verdict(differences: &[Number]) -> String {
    let judge = |((pupil, master), number): (&(&str, &str), &Number)| {
        let is = if number.interval.low > 0.0 {
            "better than"
        } else if number.interval.high < 0.0 {
            "worse than"
        } else {
            "not distinguishable from"
        };
        format!("{pupil} is {is} its master {master}")
    };
    let said: Vec<String> = PUPILS.iter().zip(differences).map(judge).collect();
    format!("At keeping the value {}.", said.join("; "))
}

fn interval_text(number: &Number) -> String {
    format!("{} ({:.1} – {:.1})", number.shown(), number.interval.low, number.interval.high)
}

fn by_value(rows: &[PlayerRow], sample: &ProblemSample) -> ReportTable {
    let (won, drawn) = (sample.won(), sample.drawn());
    let text =
        |number: Option<Number>| ReportCell::from(number.as_ref().map_or_else(String::new, interval_text));
    let row =
        |row: &PlayerRow| vec![ReportCell::from(row.name), text(row.share(&won)), text(row.share(&drawn))];
    let head = ["", "wins kept, % (95% interval)", "draws kept, % (95% interval)"];
    ReportTable { left: 1, head: english(head), rows: rows.iter().map(row).collect() }
}

fn score_table(rows: &[PlayerRow]) -> ReportTable {
    let results =
        |tally: &Tally| ReportCell::from(format!("{}–{}–{}", tally.wins, tally.draws, tally.losses));
    let row = |row: &PlayerRow| {
        let score = row.score().as_ref().map_or_else(String::new, interval_text);
        let all = row.results();
        vec![ReportCell::from(row.name), score.into(), results(&all.as_o), results(&all.as_plus)]
    };
    let head = ["", "points, % (95% interval)", "as o", "as +"];
    ReportTable { left: 1, head: english(head), rows: rows.iter().map(row).collect() }
}

fn kept_figure(rows: &[PlayerRow], sample: &ProblemSample) -> Figure {
    let (won, drawn) = (sample.won(), sample.drawn());
    let rows = rows.iter().map(|row| BarRow {
        label: row.name.to_owned(),
        bars: [&won, &drawn].map(|which| row.share(which).as_ref().map(Bar::from)).to_vec(),
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
    chart.figure("keepers")
}

fn score_figure(scores: &[Number]) -> Figure {
    let caption =
        "Points against perfect play, in % of all; 50 is the most one can expect; whiskers are 95% intervals";
    let chart = BarChart {
        caption: caption.to_owned(),
        axis: "% of points".to_owned(),
        limit: 60.0,
        series: vec!["points".to_owned()],
        ghost: None,
        rows: scores.iter().map(BarRow::from).collect(),
    };
    chart.figure("keepers-against-perfect")
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_arena::stats::Interval;

    #[test]
    fn the_verdict_follows_from_the_intervals() {
        let number = |low: f64, high: f64| {
            Number::new("x", "%", f64::midpoint(low, high), Interval { low, high }, 100)
        };
        let said = |first, second| verdict(&[first, second]);
        assert_eq!(
            said(number(7.0, 9.0), number(-0.1, 0.5)),
            "At keeping the value r*1 is better than its master e1; r*2 is not distinguishable from its master e2."
        );
        assert!(said(number(-2.0, -1.0), number(0.1, 0.2)).contains("r*1 is worse than its master e1"));
    }
}
