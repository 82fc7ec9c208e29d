//! The shares of games won, as tables and figures.

use outplay_runtime::WorkError;
use serde::Deserialize;

use super::boards::{BoardComparison, Config, PlayerGames, StudyBoard};
use crate::artefact::{Published, Records};
use outplay_arena::stats::{Interval, Z95, wilson};
use outplay_report::{
    Block, Figure, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english,
};

/// The published numbers of Salamone's tables, row by row.
#[derive(Deserialize)]
struct PublishedScores {
    wins: Vec<f64>,
    score: Vec<f64>,
}

/// All players on one board.
struct BoardRow<'a> {
    board: &'a StudyBoard,
    lines: Vec<PlayerGames>,
}

pub(super) fn compare(
    comparison: &BoardComparison,
    config: &Config,
    records: &Records,
    published: &Published,
) -> Result<Section, WorkError> {
    let printed: Option<PublishedScores> = match comparison.published {
        Some(name) => published.of(name)?,
        None => None,
    };
    let row = |board| {
        let lines =
            comparison.players.iter().map(|player| BoardComparison::line(board, player, config, records));
        Ok(BoardRow { board, lines: lines.collect::<Result<_, WorkError>>()? })
    };
    let rows: Vec<BoardRow<'_>> = comparison.boards().iter().map(row).collect::<Result<_, WorkError>>()?;
    let best = comparison.players.last().expect("someone plays");
    let mut blocks = vec![
        Block::text(format!(
            "{} games of each player on each board. Games won, in % (95% interval):",
            config.games
        )),
        Block::Table(win_table(comparison.players, &rows, printed.as_ref())),
        Block::text(format!(
            "How far each falls short of `{best}` on the same games, in points (95% interval):"
        )),
        Block::Table(gap_table(comparison.players, &rows)),
        Block::text("The mean score over the highest possible one, in %:"),
        Block::Table(score_table(comparison.players, &rows, printed.as_ref())),
    ];
    blocks.extend(
        comparison
            .published
            .map(|name| Block::Figure(figure(name, comparison.players, &rows, printed.as_ref()))),
    );
    Ok(Section { blocks, numbers: numbers(comparison.players, &rows) })
}

fn head(players: &[&str], has_document: bool) -> Vec<String> {
    let document = has_document.then(|| "Salamone 2018".to_owned());
    std::iter::once("board".to_owned())
        .chain(document)
        .chain(players.iter().map(|&player| player.to_owned()))
        .collect()
}

fn with_interval(value: f64, Interval { low, high }: Interval) -> ReportCell {
    format!("{value:.1} ({low:.1} – {high:.1})").into()
}

fn percent(interval: Interval) -> Interval {
    Interval { low: 100.0 * interval.low, high: 100.0 * interval.high }
}

impl PlayerGames {
    fn wins(&self) -> u64 {
        self.won.iter().filter(|&&won| won).count() as u64
    }

    fn win_rate(&self) -> f64 {
        100.0 * self.wins() as f64 / self.won.len().max(1) as f64
    }

    fn interval(&self) -> Interval {
        percent(wilson(self.wins(), self.won.len() as u64))
    }

    /// The mean of the differences game by game, in points, and its interval.
    fn minus(&self, other: &Self) -> (f64, Interval) {
        let differences =
            || self.won.iter().zip(&other.won).map(|(&a, &b)| f64::from(i8::from(a) - i8::from(b)));
        let n = self.won.len().max(2) as f64;
        let mean = differences().sum::<f64>() / n;
        let variance = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = Z95 * (variance / n).sqrt();
        (100.0 * mean, percent(Interval { low: mean - half, high: mean + half }))
    }
}

fn win_table(players: &[&str], rows: &[BoardRow<'_>], printed: Option<&PublishedScores>) -> ReportTable {
    let row = |(index, row): (usize, &BoardRow<'_>)| {
        let document = printed.map(|printed| ReportCell::from(format!("{:.1}", printed.wins[index])));
        let ours = row.lines.iter().map(|line| with_interval(line.win_rate(), line.interval()));
        std::iter::once(ReportCell::from(row.board.name())).chain(document).chain(ours).collect()
    };
    ReportTable {
        left: 1,
        head: english(head(players, printed.is_some())),
        rows: rows.iter().enumerate().map(row).collect(),
    }
}

fn score_table(players: &[&str], rows: &[BoardRow<'_>], printed: Option<&PublishedScores>) -> ReportTable {
    let row = |(index, row): (usize, &BoardRow<'_>)| {
        let document = printed.map(|printed| ReportCell::from(format!("{:.1}", printed.score[index])));
        let ours = row
            .lines
            .iter()
            .map(|line| format!("{:.1}", 100.0 * line.mean_score / row.board.most() as f64).into());
        std::iter::once(ReportCell::from(row.board.name())).chain(document).chain(ours).collect()
    };
    ReportTable {
        left: 1,
        head: english(head(players, printed.is_some())),
        rows: rows.iter().enumerate().map(row).collect(),
    }
}

/// The last player named is the one that the others are measured by.
fn gap_table(players: &[&str], rows: &[BoardRow<'_>]) -> ReportTable {
    let row = |row: &BoardRow<'_>| {
        let (best, others) = row.lines.split_last().expect("someone plays");
        let gaps = others.iter().map(|line| {
            let (gap, interval) = line.minus(best);
            with_interval(gap, interval)
        });
        std::iter::once(ReportCell::from(row.board.name())).chain(gaps).collect()
    };
    ReportTable {
        left: 1,
        head: english(head(&players[..players.len() - 1], false)),
        rows: rows.iter().map(row).collect(),
    }
}

fn numbers(players: &[&str], rows: &[BoardRow<'_>]) -> Vec<Number> {
    let of_row = |row: &BoardRow<'_>| -> Vec<Number> {
        let number = |(player, line): (&&str, &PlayerGames)| {
            let name = format!("{player} on {}", row.board.name());
            Number::new(name, "%", line.win_rate(), line.interval(), line.won.len() as u64)
        };
        players.iter().zip(&row.lines).map(number).collect()
    };
    rows.iter().flat_map(of_row).collect()
}

fn figure(name: &str, players: &[&str], rows: &[BoardRow<'_>], printed: Option<&PublishedScores>) -> Figure {
    let x =
        |row: &BoardRow<'_>| if name == "by-size" { row.board.rows as f64 } else { row.board.mines as f64 };
    let shown = ["net", "solver"];
    let series = shown.iter().filter_map(|&shown| {
        let place = players.iter().position(|&player| player == shown)?;
        let points = rows.iter().map(|row| (x(row), row.lines[place].win_rate())).collect();
        Some(LineSeries { name: shown.to_owned(), points })
    });
    let document = printed.map(|printed| LineSeries {
        name: "Salamone 2018".to_owned(),
        points: rows.iter().zip(&printed.wins).map(|(row, &wins)| (x(row), wins)).collect(),
    });
    let along = if name == "by-size" { "rows and columns" } else { "mines on 10×10 cells" };
    let caption = format!("Games won, in %, against {along}; chance chooses the first cell");
    let chart = LineChart {
        caption,
        x_axis: along.to_owned(),
        y_axis: "% of games won".to_owned(),
        series: series.chain(document).collect(),
        ..LineChart::default()
    };
    chart.figure(format!("wins-{name}"))
}
