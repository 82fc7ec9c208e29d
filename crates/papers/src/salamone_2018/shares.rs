//! §4.6 and §5: how many sub-grids are duplicates, and how rare high numbers are.

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::{Centre, SampleSet, SampleSetConfig};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_arena::stats::{Interval, Z95};
use outplay_lab::minesweeper::subgrids::config::SubgridTrainingConfig;
use outplay_report::{Block, Number, Section};

/// The document's data sets, counted.
pub(super) struct DataSets;

#[derive(Serialize)]
pub(super) struct Config {
    /// Sub-grids of each kind among which duplicates are counted.
    grids: usize,
    /// Different sub-grids of each kind among which 8s are counted.
    different: usize,
}

/// Different sub-grids with an empty centre, and with a mined one.
#[derive(Serialize, Deserialize)]
struct Distinct([u64; 2]);

/// The published numbers.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PublishedShares {
    source: String,
    grids: u64,
    duplicates_empty: f64,
    duplicates_mined: f64,
    different: u64,
    with_an_eight: f64,
}

fn draw(grids: usize, duplicates: bool, conditions: &Conditions<'_>) -> Result<SampleSet, WorkError> {
    let seed = conditions.seed_of("data sets");
    let plan =
        SampleSetConfig { grids: 2 * grids, duplicates, seed, ..SubgridTrainingConfig::of_document().set };
    Ok(conditions.on_threads(|| Ok(SampleSet::draw(plan)))??)
}

impl Experiment for DataSets {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let different = match scale {
            Scale::Smoke => 5000,
            Scale::Desk => 200_000,
            Scale::Full => 1_000_000,
        };
        Config { grids: 500_000, different }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        recorder.once("distinct", || {
            let set = draw(config.grids, true, conditions)?;
            Ok(Distinct(Centre::BOTH.map(|centre| set.distinct(centre) as u64)))
        })?;
        recorder.once("with an 8", || {
            let set = draw(config.different, false, conditions)?;
            let grids = Centre::BOTH.into_iter().flat_map(|centre| set.bare(centre));
            Ok(grids.filter(|grid| grid.0.contains(&8)).count() as u64)
        })?;
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let stated: PublishedShares = published.needed("data-sets")?;
        let Distinct(distinct) = records.get("distinct")?;
        let grids = config.grids as u64;
        let duplicates = |name: &str, distinct: u64, published: f64| {
            let shares = Shares::of(grids - distinct, grids);
            let margin = 100.0 * shares.margin_to(published / 100.0, stated.grids) + 0.5;
            Number::share(name, &shares).against(published, margin)
        };
        let eights: u64 = records.get("with an 8")?;
        let scale = stated.different as f64 / config.different as f64;
        let count = eights as f64 * scale;
        let half = Z95 * ((eights + 1) as f64).sqrt() * scale;
        let interval = Interval { low: (count - half).max(0.0), high: count + half };
        let margin = Z95 * ((eights + 1) as f64 * scale * scale + stated.with_an_eight).sqrt();
        let numbers = vec![
            duplicates("duplicates among empty centres, %", distinct[0], stated.duplicates_empty),
            duplicates("duplicates among mined centres, %", distinct[1], stated.duplicates_mined),
            Number::new(
                "sub-grids with an 8 in both data sets",
                "",
                count,
                interval,
                2 * config.different as u64,
            )
            .against(stated.with_an_eight, margin),
        ];
        let text = format!(
            "{}: of {} sub-grids of each kind, those that occurred before; and how many of all {} different ones of \
             each kind have a cell with the number 8. The document says how the number of mines is drawn, but not how \
             they are placed so that the centre is mined or empty; that these shares come out is why we believe to \
             place them as it does (deviation 1).",
            stated.source, stated.grids, stated.different
        );
        let blocks = vec![
            Block::text(text),
            Block::Table(Number::table(&numbers, Text::new("sub-grids", "sous-grilles"))),
        ];
        Ok(Section { blocks, numbers })
    }
}
