//! The tables of §4 beside ours.

use outplay_core::Text;
use outplay_players::TerminalAwareness;
use outplay_runtime::WorkError;
use serde::Deserialize;

use super::tournament::{Competitor, NetworkTournament, SeatPairing, TournamentConfig, won_by_o};
use crate::artefact::{Published, PublishedError, Records};
use outplay_arena::stats::Shares;
use outplay_report::{BarChart, BarRow, Block, Figure, Number, ReportCell, ReportTable, Section, english};

/// A table of the document: the percentage of games won by o, o by rows and + by columns.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PublishedTable {
    source: String,
    games: u64,
    players: [String; 4],
    won_by_o: [[f64; 4]; 4],
}

impl PublishedTable {
    /// The cell of this pairing.
    fn cell(&self, pairing: SeatPairing, sight: TerminalAwareness) -> Result<f64, WorkError> {
        let place = |competitor: Competitor| {
            let name = competitor.name(sight);
            let found = self.players.iter().position(|player| *player == name);
            found.ok_or_else(|| PublishedError::NoPlayer { source: self.source.clone(), player: name })
        };
        Ok(self.won_by_o[place(pairing.o)?][place(pairing.plus)?])
    }

    /// Our share beside the document's.
    fn compare(
        &self,
        pairing: SeatPairing,
        sight: TerminalAwareness,
        shares: &Shares,
    ) -> Result<Number, WorkError> {
        let published = self.cell(pairing, sight)?;
        let margin = 100.0 * shares.margin_to(published / 100.0, self.games);
        Ok(Number::share(pairing.name(sight), shares).against(published, margin))
    }
}

/// §4.4: the four cells without a network.
pub(super) fn experts(records: &Records, published: &Published) -> Result<Section, WorkError> {
    let stated: PublishedTable = published.needed("table-4.1")?;
    let mut numbers = Vec::new();
    for pairing in SeatPairing::all().filter(|pairing| !pairing.has_network()) {
        let tally = records.get(&pairing.key(TerminalAwareness::Outcomes, None))?;
        numbers.push(stated.compare(pairing, TerminalAwareness::Blind, &won_by_o(&[tally]))?);
    }
    let text = "The document does not say how its expert weighs its own lines against the enemy's. Ours was chosen \
                by these four cells (deviation 1), so their agreement is a fit; everything else in this report is not.";
    let blocks =
        vec![Block::text(text), Block::Table(Number::table(&numbers, Text::new("games", "parties")))];
    Ok(Section { blocks, numbers })
}

/// One of Tables 4.1 to 4.5.
pub(super) fn table(
    tournament: &NetworkTournament,
    config: &TournamentConfig,
    records: &Records,
    published: &Published,
) -> Result<Section, WorkError> {
    let stated: PublishedTable = published.needed(tournament.name)?;
    let mut numbers = Vec::new();
    for pairing in SeatPairing::all() {
        let shares = won_by_o(&tournament.tallies(pairing, config, records)?);
        numbers.push(stated.compare(pairing, tournament.sight, &shares)?);
    }
    let blocks = vec![
        Block::text(format!("{}: % of games won by o. {}", stated.source, tournament.remark)),
        Block::text("Ours, and the document's number in brackets; rows are o, columns +."),
        Block::Table(matrix(tournament.sight, &numbers)),
        Block::text(who_is_ahead(&numbers)),
        Block::Figure(figure(tournament.name, &numbers, Some("the document"))),
        Block::Table(Number::table(&numbers, Text::new("networks × games", "réseaux × parties"))),
        Block::text(learning(config, records)?),
    ];
    Ok(Section { blocks, numbers })
}

/// Sixteen numbers as the document prints them.
pub(super) fn matrix(sight: TerminalAwareness, numbers: &[Number]) -> ReportTable {
    let names = Competitor::ALL.map(|competitor| competitor.name(sight));
    let row = |(name, row): (&String, &[Number])| {
        let cell = |number: &Number| {
            let published = number.comparison.map(|found| format!(" ({:.1})", found.published));
            ReportCell::toned(number.shown() + &published.unwrap_or_default(), number.tone())
        };
        std::iter::once(ReportCell::from(name.clone())).chain(row.iter().map(cell)).collect()
    };
    let head = english(std::iter::once("o \\ +".to_owned()).chain(names.iter().cloned()));
    ReportTable { left: 1, head, rows: names.iter().zip(numbers.chunks(4)).map(row).collect() }
}

/// The numbers as bars.
pub(super) fn figure(name: &str, numbers: &[Number], ghost: Option<&str>) -> Figure {
    let caption = format!("{name}: % of games won by o, o named first; whiskers are 95% intervals of ours");
    let chart = BarChart {
        caption,
        axis: "% of games won by o".to_owned(),
        limit: 100.0,
        series: vec!["ours".to_owned()],
        ghost: ghost.map(String::from),
        rows: numbers.iter().map(BarRow::from).collect(),
    };
    chart.figure(name)
}

/// What the document reads off its tables: who wins more than half of the games between network and expert.
fn who_is_ahead(numbers: &[Number]) -> String {
    let mixed: Vec<&Number> = SeatPairing::all()
        .zip(numbers)
        .filter(|(pairing, _)| pairing.o.is_network != pairing.plus.is_network)
        .map(|(_, number)| number)
        .collect();
    let is_other = |number: &&&Number| {
        number.comparison.is_some_and(|found| (number.ours > 50.0) != (found.published > 50.0))
    };
    let other: Vec<&str> = mixed.iter().filter(is_other).map(|number| number.name.as_str()).collect();
    let rest = if other.is_empty() { String::new() } else { format!("; not in {}", other.join(", ")) };
    format!(
        "Between network and expert, the side that wins more than half of the games is the document's in {} of {} \
         cells{rest}.",
        mixed.len() - other.len(),
        mixed.len()
    )
}

/// How well the networks learnt their sample.
pub(super) fn learning(config: &TournamentConfig, records: &Records) -> Result<String, WorkError> {
    let taught = NetworkTournament::learning_records(config, records)?;
    let last: Vec<f64> = taught.iter().filter_map(|taught| taught.losses.last().copied()).collect();
    let (low, high) =
        last.iter().fold((f64::MAX, 0f64), |(low, high), &loss| (low.min(loss), high.max(loss)));
    let lesson = config.schooling.lesson;
    Ok(format!(
        "{} networks, each from its own data base of {} games, its own {} positions and its own first weights; after at \
         most {} iterations their mean squared error on those positions was {:.3} to {:.3}.",
        config.networks,
        config.schooling.games.games,
        lesson.positions,
        lesson.iterations,
        2.0 * low,
        2.0 * high,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_tables_are_whole_and_in_our_order() {
        let published = Published::read(super::super::PAPER.published).unwrap();
        for (name, sight) in [
            ("table-4.1", TerminalAwareness::Blind),
            ("table-4.2", TerminalAwareness::Outcomes),
            ("table-4.3", TerminalAwareness::Outcomes),
            ("table-4.4", TerminalAwareness::Outcomes),
            ("table-4.5", TerminalAwareness::Outcomes),
        ] {
            let stated: PublishedTable = published.needed(name).unwrap();
            assert_eq!(stated.players, Competitor::ALL.map(|competitor| competitor.name(sight)), "{name}");
            assert_eq!(stated.games, 1000);
            let cells = stated.won_by_o.as_flattened();
            assert!(cells.iter().all(|cell| (0.0..=100.0).contains(cell)));
            // The expert's own cells are the same in all tables.
            let own =
                [stated.won_by_o[2][2], stated.won_by_o[2][3], stated.won_by_o[3][2], stated.won_by_o[3][3]];
            assert_eq!(own, [73.4, 7.8, 97.4, 61.8], "{name}");
        }
        let sums = ["table-4.1", "table-4.2", "table-4.3", "table-4.4", "table-4.5"].map(|name| {
            let stated: PublishedTable = published.needed(name).unwrap();
            (10.0 * stated.won_by_o.as_flattened().iter().sum::<f64>()).round() as u32
        });
        assert_eq!(sums, [9368, 10352, 9940, 10094, 9568]);
    }
}
