//! §5: the second approach, features instead of cells. "The results were disappointing": no numbers, so ours are
//! set beside our own of the first approach.

use super::report;
use super::tournament::{NetworkTournament, SeatPairing, TournamentConfig, won_by_o};
use super::{FIRST_APPROACH, TABLE_4_2};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use crate::share_difference::ShareDifference;
use outplay_arena::stats::Shares;
use outplay_arena::stats::Tally;
use outplay_core::Text;
use outplay_report::{
    Block, Figure, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english,
};
use outplay_runtime::WorkError;

/// The tournament of the second approach beside that of the first.
pub(super) struct SecondApproach(pub(super) NetworkTournament);

/// The prefix of the keys of the first approach's records.
const FIRST: &str = "first approach, ";

impl Experiment for SecondApproach {
    type Config = TournamentConfig;

    fn config(&self, scale: Scale) -> TournamentConfig {
        self.0.config(scale)
    }

    fn run(
        &self,
        config: &TournamentConfig,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let first = conditions.run(&TABLE_4_2)?;
        for key in FIRST_APPROACH.keys(config) {
            recorder.once(&format!("{FIRST}{key}"), || first.get::<serde_json::Value>(&key))?;
        }
        self.0.run(config, conditions, recorder)
    }

    fn report(
        &self,
        config: &TournamentConfig,
        records: &Records,
        _: &Published,
    ) -> Result<Section, WorkError> {
        let first = records.with_prefix(FIRST);
        let mut cells = Vec::new();
        for pairing in SeatPairing::all() {
            let tallies = self.0.tallies(pairing, config, records)?;
            cells.push(Number::share(pairing.name(self.0.sight), &won_by_o(&tallies)));
        }
        let successes = [success(&self.0, config, records)?, success(&FIRST_APPROACH, config, &first)?];
        let numbers = vec![
            Number::share("second approach (44 features, 30 hidden neurons)", &successes[0]),
            Number::share("first approach (16 cells, 16 hidden neurons)", &successes[1]),
        ];
        let blocks = vec![
            Block::text(self.0.remark),
            Block::text("% of games won by o; rows are o, columns +."),
            Block::Table(report::matrix(self.0.sight, &cells)),
            Block::Table(differences(&self.0, config, records, &first)?),
            Block::text(
                "All games against the expert together, won by the network in either seat and at either depth:",
            ),
            Block::Table(Number::table(&numbers, Text::new("networks × games", "réseaux × parties"))),
            Block::text(verdict(&successes)),
            Block::Figure(report::figure("second-approach", &cells, None)),
            Block::Figure(curves(config, records, &first)?),
            Block::text(report::learning(config, records)?),
        ];
        Ok(Section { blocks, numbers })
    }
}

/// The share of its games against the expert that each network won.
fn success(
    tournament: &NetworkTournament,
    config: &TournamentConfig,
    records: &Records,
) -> Result<Shares, WorkError> {
    let mut groups = vec![(0, 0); config.networks as usize];
    for pairing in SeatPairing::all().filter(|pairing| pairing.o.is_network != pairing.plus.is_network) {
        let tallies: Vec<Tally> = tournament.tallies(pairing, config, records)?;
        for (group, tally) in groups.iter_mut().zip(tallies) {
            group.0 += if pairing.o.is_network { tally.wins } else { tally.losses };
            group.1 += tally.games();
        }
    }
    Ok(Shares::of_groups(groups))
}

/// Cell by cell, the second approach minus the first.
fn differences(
    second: &NetworkTournament,
    config: &TournamentConfig,
    records: &Records,
    first: &Records,
) -> Result<ReportTable, WorkError> {
    let mut rows = Vec::new();
    for pairing in SeatPairing::all().filter(|pairing| pairing.has_network()) {
        let ours = won_by_o(&second.tallies(pairing, config, records)?);
        let before = won_by_o(&FIRST_APPROACH.tallies(pairing, config, first)?);
        let interval = ours.difference(&before);
        rows.push(vec![
            ReportCell::from(pairing.name(second.sight)),
            format!("{:.1}", 100.0 * ours.mean()).into(),
            format!("{:.1}", 100.0 * before.mean()).into(),
            format!("{:+.1}", 100.0 * (ours.mean() - before.mean())).into(),
            format!("{:+.1} to {:+.1}", 100.0 * interval.low, 100.0 * interval.high).into(),
        ]);
    }
    let head = ["", "second approach, %", "first approach, %", "difference", "95% interval"];
    Ok(ReportTable { left: 1, head: english(head), rows })
}

/// Whether the second approach plays worse than the first.
fn verdict([second, first]: &[Shares; 2]) -> String {
    let difference = ShareDifference::of(second, first);
    let says = difference.say([
        "the second approach plays worse, as the document says",
        "which approach plays better cannot be told from these games",
        "the second approach plays better, unlike the document's",
    ]);
    format!("The difference is {difference}: {says}.")
}

/// How the error fell while the networks learnt.
fn curves(config: &TournamentConfig, records: &Records, first: &Records) -> Result<Figure, WorkError> {
    let mut series = Vec::new();
    for (name, records) in [("first approach", first), ("second approach", records)] {
        for taught in NetworkTournament::learning_records(config, records)? {
            let points =
                taught.losses.iter().zip(1u32..).map(|(&loss, i)| (f64::from(i), 2.0 * loss)).collect();
            series.push(LineSeries { name: name.to_owned(), points });
        }
    }
    let caption = "The error of every network on its own sample while it learns".to_owned();
    let chart = LineChart {
        caption,
        x_axis: "BFGS iterations".to_owned(),
        y_axis: "mean squared error".to_owned(),
        series,
        ..LineChart::default()
    };
    Ok(chart.figure("second-approach-learning"))
}
