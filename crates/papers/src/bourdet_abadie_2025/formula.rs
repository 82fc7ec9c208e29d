//! §2.3: the printed formula beside the exact one, in probabilities and in wins.

use outplay_core::{Player, Text};
use outplay_games::minesweeper::group_methods::{GroupMethod, GroupWeights};
use outplay_games::minesweeper::groups::GroupsPlayer;
use outplay_games::minesweeper::printed_formula;
use outplay_games::minesweeper::{Solver, VisibleBoard};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::boards::{BoardSelection, BoardSize, USUAL};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::{Interval, Tally};
use outplay_arena::stats::{Shares, student_interval};
use outplay_report::{Bar, BarChart, BarRow, Block, Figure, Number, Section};

/// With and without the mines off the frontier.
pub(super) struct Formula;

#[derive(Serialize)]
pub(super) struct Config {
    boards: [BoardSize; 3],
    drawn: BoardSelection,
    sampled: usize,
    games: [u64; 3],
}

/// By how much the printed formula is wrong on one board.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct FormulaDeviation {
    /// The largest difference of any cell.
    largest: f64,
    /// What it risks more than needed: the exact probability of the cell that it prefers, less the least there is.
    extra_risk: f64,
}

impl FormulaDeviation {
    fn of(seen: &VisibleBoard) -> Option<Self> {
        let mut solver = Solver::new();
        let known = solver.solve(seen).ok()?;
        let by_formula = printed_formula::probabilities(seen)?;
        let pair = |cell| Some((by_formula[seen.index(cell)], known.of(cell)?));
        let pairs: Vec<(f64, f64)> = seen.masked().iter().filter_map(pair).collect();
        let least = pairs.iter().map(|pair| pair.1).fold(f64::INFINITY, f64::min);
        let preferred = pairs.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Self {
            largest: pairs.iter().map(|(printed, exact)| (printed - exact).abs()).fold(0.0, f64::max),
            extra_risk: preferred.1 - least,
        })
    }
}

fn sample_key(board: BoardSize) -> String {
    format!("{}: boards", board.name())
}

fn wins_key(board: BoardSize, player: &str) -> String {
    format!("{}: games of {player}", board.name())
}

/// The two players; each thread has its own.
const PLAYERS: [&str; 2] = ["exact", "printed"];

fn make(player: &str) -> Box<dyn Player<VisibleBoard>> {
    let weights = if player == "printed" { GroupWeights::Printed } else { GroupWeights::Right };
    Box::new(GroupsPlayer::with(GroupMethod::Diagram, weights))
}

impl Experiment for Formula {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (sampled, games) = match scale {
            Scale::Smoke => (10, [20, 10, 4]),
            Scale::Desk => (200, [2000, 1000, 400]),
            Scale::Full => (1000, [10_000, 6000, 3000]),
        };
        Config { boards: USUAL, drawn: BoardSelection::Guess, sampled, games }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for (board, games) in config.boards.into_iter().zip(config.games) {
            let key = sample_key(board);
            recorder.once(&key, || {
                conditions.show(&key, 0, config.sampled as u64, "boards");
                let sample = board.sample(config.drawn, config.sampled, conditions.seed_of(&key))?;
                Ok(sample.iter().filter_map(FormulaDeviation::of).collect::<Vec<_>>())
            })?;
            for player in PLAYERS {
                recorder.once(&wins_key(board, player), || {
                    let make = || make(player);
                    let contestant = Contestant { name: player, make: &make };
                    let plan = MatchPlan { games, ..MatchPlan::default() };
                    // The same name for both, so that they meet the same boards.
                    let part = format!("{}: games", board.name());
                    Ok(conditions.play(&part, &board.game()?, &[contestant], &plan)?.tally())
                })?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let (mut errors, mut wins, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for board in config.boards {
            errors.extend(describe(board, &records.get::<Vec<FormulaDeviation>>(&sample_key(board))?));
            let mut shares = Vec::new();
            for player in PLAYERS {
                let tally: Tally = records.get(&wins_key(board, player))?;
                shares.push(Shares::of(tally.wins, tally.games()));
            }
            rows.push(row(board, &shares));
            wins.extend(compare(board, &shares));
        }
        let text = "On boards where a guess is needed: by how much the printed probability of some cell is off, and how much \
                    more the cell that the printed formula prefers risks than the one that is exactly safest.";
        let games = "Games won by the document's strategy with each formula. The printed one also misses what only the \
                     total of mines proves, which matters at the end of a game.";
        let blocks = vec![
            Block::text(text),
            Block::Table(Number::table(&errors, Text::new("boards", "plateaux"))),
            Block::text(games),
            Block::Table(Number::table(&wins, Text::new("games", "parties"))),
            Block::Figure(figure(rows)),
        ];
        errors.extend(wins);
        Ok(Section { blocks, numbers: errors })
    }
}

/// What the sampled boards say, in points of percent.
fn describe(board: BoardSize, errors: &[FormulaDeviation]) -> Vec<Number> {
    let largest: Vec<f64> = errors.iter().map(|error| 100.0 * error.largest).collect();
    let extra: Vec<f64> = errors.iter().map(|error| 100.0 * error.extra_risk).collect();
    let mean = |name: &str, values: &[f64]| {
        let ours = values.iter().sum::<f64>() / values.len() as f64;
        let interval = student_interval(values).unwrap_or(Interval { low: ours, high: ours });
        Number::new(format!("{}: {name}", board.name()), "%", ours, interval, values.len() as u64)
    };
    let worst = largest.iter().copied().fold(0.0, f64::max);
    let whole = Interval { low: worst, high: worst };
    let other = errors.iter().filter(|error| error.extra_risk > 1e-9).count() as u64;
    vec![
        mean("largest error of a board, on average", &largest),
        Number::new(format!("{}: largest of all", board.name()), "%", worst, whole, errors.len() as u64),
        mean("risk taken beyond the least", &extra),
        Number::share(
            format!("{}: boards where it prefers a worse cell", board.name()),
            &Shares::of(other, errors.len() as u64),
        ),
    ]
}

fn compare(board: BoardSize, shares: &[Shares]) -> Vec<Number> {
    let name = board.name();
    let difference = shares[0].difference(&shares[1]);
    let ours = shares[0].mean() - shares[1].mean();
    vec![
        Number::share(format!("{name}: won with exact probabilities"), &shares[0]),
        Number::share(format!("{name}: won by the printed formula"), &shares[1]),
        Number::percent(format!("{name}: difference"), ours, difference, 1, shares[0].trials()),
    ]
}

fn row(board: BoardSize, shares: &[Shares]) -> BarRow {
    let bar = |shares: &Shares| {
        let Interval { low, high } = shares.interval();
        Some(Bar { value: 100.0 * shares.mean(), low: 100.0 * low, high: 100.0 * high })
    };
    BarRow { label: board.name(), bars: shares.iter().map(bar).collect(), ghost: None }
}

fn figure(rows: Vec<BarRow>) -> Figure {
    let caption =
        "% of games won by the document's strategy, with exact probabilities and by the printed formula; \
                   whiskers are 95% intervals"
            .to_owned();
    let chart = BarChart {
        caption,
        axis: "% of games won".to_owned(),
        limit: 100.0,
        series: PLAYERS.map(String::from).to_vec(),
        ghost: None,
        rows,
    };
    chart.figure("formula")
}
