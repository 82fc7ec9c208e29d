//! §3.1: the statistics of the data base of positions.

use outplay_core::Text;
use outplay_games::pushover::database::{LabelledPosition, summarise};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::trained_network::{ExpertDescription, LIMIT};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_arena::stats::{Interval, Z95};
use outplay_lab::pushover::database::{Database, ExpertGames, play};
use outplay_lab::pushover::referee;
use outplay_report::{Block, Number, Section};

/// Several data bases of the expert's games against itself.
pub(super) struct PositionDatabase;

#[derive(Serialize)]
pub(super) struct Config {
    databases: u64,
    games: u64,
    expert_depth: u32,
    random_plies: u32,
    expert: ExpertDescription,
}

/// The statistics of one data base.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct DatabaseStats {
    drawn: u64,
    decided: u64,
    won_by_o: u64,
    positions: u64,
    /// The sum of the squared lengths of the decided games, for the interval of the number of positions.
    squared_lengths: u64,
    distinct: u64,
    late: u64,
}

/// The published numbers.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PublishedDatabase {
    source: String,
    games: u64,
    draws: u64,
    won_by_o: f64,
    won_by_plus: f64,
    positions: u64,
    /// An upper bound of the number of positions: every cell empty, o or +.
    possible_positions: u64,
    /// The same divided by eight for the symmetries of the board.
    possible_up_to_symmetry: u64,
}

impl DatabaseStats {
    fn of(database: &Database<4>) -> Self {
        let description = summarise(&database.positions);
        Self {
            drawn: database.drawn,
            decided: description.decided_games as u64,
            won_by_o: description.won_by_o as u64,
            positions: description.positions as u64,
            squared_lengths: lengths(&database.positions).map(|length| length * length).sum(),
            distinct: description.distinct as u64,
            late: description.late as u64,
        }
    }

    fn games(&self) -> u64 {
        self.drawn + self.decided
    }
}

/// The lengths of the games: the last position of each has an estimate of ±1.
fn lengths(positions: &[LabelledPosition<4>]) -> impl Iterator<Item = u64> {
    positions.split_inclusive(|labelled| labelled.estimate.abs() >= 1.0).map(|game| game.len() as u64)
}

fn key(number: u64) -> String {
    format!("data base {number}")
}

impl Experiment for PositionDatabase {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let ExpertGames { games, depth, opening, .. } = ExpertGames::of_document(0);
        let (databases, games) = match scale {
            Scale::Smoke => (1, 300),
            Scale::Desk => (8, games),
            Scale::Full => (30, games),
        };
        let expert = ExpertDescription::default();
        Config { databases, games, expert_depth: depth, random_plies: opening, expert }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for number in 0..config.databases {
            recorder.once(&key(number), || {
                conditions.show(&key(number), number, config.databases, "data bases");
                let plan = ExpertGames {
                    games: config.games,
                    depth: config.expert_depth,
                    opening: config.random_plies,
                    seed: conditions.seed_of(&key(number)),
                };
                Ok(DatabaseStats::of(&play(&referee::<4>(LIMIT), plan, conditions.watch)?))
            })?;
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let made: Vec<DatabaseStats> =
            (0..config.databases).map(|number| records.get(&key(number))).collect::<Result<_, _>>()?;
        let stated: PublishedDatabase = published.needed("database")?;
        let numbers = compare(&made, &stated);
        let total = |of: fn(&DatabaseStats) -> u64| made.iter().map(of).sum::<u64>();
        let text = format!(
            "{}: {} games of the expert against itself, {} random plies each; {} such data bases of ours, from as \
             many seeds. The document's share of + ({:.1}%) is the rest of o's.",
            stated.source, config.games, config.random_plies, config.databases, stated.won_by_plus
        );
        let more = format!(
            "Of our {} positions {:.1}% are different from each other within their data base, and {:.1}% lie past \
             the middle of their game: those are the ones that networks are taught.",
            total(|made| made.positions),
            100.0 * total(|made| made.distinct) as f64 / total(|made| made.positions) as f64,
            100.0 * total(|made| made.late) as f64 / total(|made| made.positions) as f64,
        );
        let table = Number::table(&numbers, Text::new("games", "parties"));
        let bounds = Number::table(&possible(&stated), Text::new("boards", "plateaux"));
        let blocks = vec![
            Block::text(text),
            Block::Table(table),
            Block::text(more),
            Block::text(POSSIBLE),
            Block::Table(bounds),
        ];
        let numbers = numbers.into_iter().chain(possible(&stated)).collect();
        Ok(Section { blocks, numbers })
    }
}

const POSSIBLE: &str = "The document bounds the number of positions by 3^16, and divides by eight for the symmetries of the board. \
                        That division is not exact, because some boards are their own images: by Burnside's lemma there are \
                        5 398 083 boards up to symmetry.";

/// Boards of sixteen cells, each empty, o or +; and their classes up to the eight symmetries of the square, each board counted
/// as an eighth as the document does.
fn possible(stated: &PublishedDatabase) -> Vec<Number> {
    let all = 3u64.pow(16);
    let exactly = |name: &str, ours: u64, published: u64| {
        let ours = ours as f64;
        Number::new(name, "boards", ours, Interval { low: ours, high: ours }, all)
            .digits(0)
            .against(published as f64, 0.5)
    };
    vec![
        exactly("possible positions, at most", all, stated.possible_positions),
        exactly("the same, divided by eight", all / 8, stated.possible_up_to_symmetry),
    ]
}

/// Our data bases together beside the document's one; counts are scaled to the document's number of games.
fn compare(made: &[DatabaseStats], stated: &PublishedDatabase) -> Vec<Number> {
    let total = |of: fn(&DatabaseStats) -> u64| made.iter().map(of).sum::<u64>();
    let (games, decided) = (total(DatabaseStats::games), total(|made| made.decided));
    let scale = stated.games as f64;

    let draws = Shares::of(total(|made| made.drawn), games);
    let interval = draws.interval();
    let drawn = Number::new(
        format!("draws in {} games", stated.games),
        "games",
        scale * draws.mean(),
        Interval { low: scale * interval.low, high: scale * interval.high },
        games,
    )
    .against(stated.draws as f64, scale * draws.margin_to(stated.draws as f64 / scale, stated.games));

    let by_o = Shares::of(total(|made| made.won_by_o), decided.max(1));
    let margin = 100.0 * by_o.margin_to(stated.won_by_o / 100.0, stated.games - stated.draws);
    let won_by_o = Number::share("decided games won by o, %", &by_o).against(stated.won_by_o, margin);

    // A drawn game adds no positions, so every game adds a number with this mean and variance.
    let n = games as f64;
    let mean = total(|made| made.positions) as f64 / n;
    let variance = total(|made| made.squared_lengths) as f64 / n - mean * mean;
    let half = Z95 * (variance / n).sqrt();
    let interval = Interval { low: scale * (mean - half), high: scale * (mean + half) };
    let positions = Number::new(
        format!("positions in {} games", stated.games),
        "positions",
        scale * mean,
        interval,
        games,
    )
    .digits(0)
    .against(stated.positions as f64, scale * Z95 * (variance * (1.0 / n + 1.0 / scale)).sqrt());
    vec![drawn, won_by_o, positions]
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Seat;
    use outplay_games::pushover::{Pushover, PushoverMove};
    use outplay_report::NumberVerdict;

    #[test]
    fn lengths_are_read_off_the_labels() {
        let game = |letters: &[u8]| {
            let moves: Vec<PushoverMove> = letters.iter().map(|letter| PushoverMove(letter - b'A')).collect();
            LabelledPosition::of_game(&Pushover::<4>::START, &moves, Seat::First)
        };
        let positions = [game(b"AEBFCGD"), game(b"AE"), game(b"AEBF")].concat();
        assert_eq!(lengths(&positions).collect::<Vec<_>>(), [7, 2, 4]);
        assert_eq!(lengths(&[]).count(), 0);
    }

    #[test]
    fn the_documents_own_data_base_would_be_reproduced() {
        let stated = PublishedDatabase {
            source: String::new(),
            games: 3000,
            draws: 103,
            won_by_o: 64.4,
            won_by_plus: 35.6,
            positions: 52_590,
            possible_positions: 43_046_721,
            possible_up_to_symmetry: 5_380_840,
        };
        let made = DatabaseStats {
            drawn: 103,
            decided: 2897,
            won_by_o: 1866,
            positions: 52_590,
            squared_lengths: 1_100_000,
            distinct: 0,
            late: 0,
        };
        let verdicts = |made: DatabaseStats| {
            compare(&[made], &stated)
                .into_iter()
                .map(|number| number.comparison.unwrap().verdict)
                .collect::<Vec<_>>()
        };
        assert_eq!(verdicts(made), [NumberVerdict::Reproduced; 3]);
        let other = DatabaseStats {
            drawn: 0,
            decided: 3000,
            won_by_o: 1500,
            positions: 60_000,
            squared_lengths: 1_300_000,
            ..made
        };
        assert_eq!(verdicts(other), [NumberVerdict::Differs; 3]);
    }
}
