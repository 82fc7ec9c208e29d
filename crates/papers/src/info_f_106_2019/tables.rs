//! Part 1: three ways to learn a value table, on boards with fixed walls and none in hand.

use outplay_core::{Referee, Text};
use outplay_games::quoridor::{BOARDS, NamedBoard, SmallQuoridor};
use outplay_players::{ActionSelection, Exploration, TabularConfig, UpdateRule, ValueTable};
use outplay_runtime::WorkError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::study::make_player;
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan, run_match};
use outplay_arena::stats::Shares;
use outplay_arena::stats::Tally;
use outplay_lab::learning::TableTraining;
use outplay_lab::quoridor::referee;
use outplay_lab::registry::PlayerFactory;
use outplay_report::{
    Block, Figure, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english,
};

const STRATEGIES: [(&str, UpdateRule); 3] = [
    ("Monte Carlo", UpdateRule::MonteCarlo),
    ("TD(0)", UpdateRule::TdZero),
    ("Q-learning", UpdateRule::QLearning),
];

/// A search six moves deep, and random moves.
const OPPONENTS: [(&str, &str); 2] =
    [("alpha-beta six moves deep", "alphabeta:depth=6"), ("random moves", "random")];

/// The three strategies on every board.
pub(super) struct TableMethods;

#[derive(Serialize)]
pub(super) struct Config {
    boards: Vec<&'static str>,
    alpha: f64,
    epsilon: f64,
    pupils: u64,
    after: Vec<u64>,
    games: u64,
    random_plies: u32,
}

/// By measurement, then by opponent.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TableCurve(Vec<[Tally; 2]>);

fn board(name: &str) -> &'static NamedBoard {
    BOARDS.iter().find(|board| board.name == name).expect("a board of the list")
}

fn key(board: &str, strategy: &str, pupil: u64) -> String {
    format!("{board}, {strategy}: pupil {pupil}")
}

impl Experiment for TableMethods {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (boards, pupils, after, games) = match scale {
            Scale::Smoke => (2, 2, vec![20, 100], 10),
            Scale::Desk => (BOARDS.len(), 4, vec![100, 300, 1000, 3000, 10_000], 200),
            Scale::Full => (BOARDS.len(), 20, vec![100, 300, 1000, 3000, 10_000, 30_000], 500),
        };
        Config {
            boards: BOARDS.iter().take(boards).map(|board| board.name).collect(),
            alpha: 0.3,
            epsilon: 0.1,
            pupils,
            after,
            games,
            random_plies: 2,
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for (number, name) in config.boards.iter().enumerate() {
            conditions.show(name, number as u64, config.boards.len() as u64, "boards");
            let all = STRATEGIES.iter().flat_map(|way| (0..config.pupils).map(move |pupil| (way, pupil)));
            let missing: Vec<_> =
                all.filter(|((way, _), pupil)| !recorder.has(&key(name, way, *pupil))).collect();
            let curves: Vec<TableCurve> = conditions.on_threads(|| {
                let learn = |&(&(_, strategy), pupil): &(&(&str, UpdateRule), u64)| {
                    learn(config, board(name), strategy, pupil, conditions)
                };
                missing.par_iter().map(learn).collect()
            })?;
            for (((way, _), pupil), curve) in missing.into_iter().zip(curves) {
                recorder.once(&key(name, way, pupil), || Ok(curve))?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut findings = Vec::new();
        for name in &config.boards {
            let of = |(way, _): &(&str, UpdateRule)| {
                let curves = (0..config.pupils).map(|pupil| records.get(&key(name, way, pupil)));
                curves.collect::<Result<Vec<TableCurve>, WorkError>>()
            };
            findings.push(STRATEGIES.iter().map(of).collect::<Result<Vec<_>, WorkError>>()?);
        }
        Ok(section(config, &findings))
    }
}

fn learn(
    config: &Config,
    board: &NamedBoard,
    strategy: UpdateRule,
    pupil: u64,
    conditions: &Conditions<'_>,
) -> Result<TableCurve, WorkError> {
    let game = referee(board.start(0).expect("a named board is a board"), None);
    let learning = Referee { repetitions: None, ..game.clone() };
    let course = TabularConfig {
        rule: strategy,
        rate: config.alpha,
        exploration: Exploration::epsilon(config.epsilon),
    };
    let seed = conditions.seed_of(&format!("pupil {pupil}"));
    let tables = [ValueTable::default(), ValueTable::default()];
    let games = config.after.last().copied().unwrap_or_default();
    let mut training = TableTraining::new(&learning, [course; 2], tables, games, seed);
    let (mut curve, mut learnt) = (Vec::new(), 0);
    for &after in &config.after {
        if conditions.watch.is_stopped() {
            return Err(WorkError::Stopped);
        }
        training.learn(after - learnt);
        learnt = after;
        let pupil = training.players(ActionSelection::BEST);
        let against = |(_, opponent): (&str, &str)| {
            measure(
                &game,
                [&pupil, &make_player(&game, opponent, conditions.store)?],
                config,
                seed ^ after,
                conditions,
            )
        };
        let [strong, random] = OPPONENTS.map(against);
        curve.push([strong?, random?]);
    }
    Ok(TableCurve(curve))
}

fn measure(
    game: &Referee<SmallQuoridor>,
    [mine, other]: [&PlayerFactory<SmallQuoridor>; 2],
    config: &Config,
    seed: u64,
    conditions: &Conditions<'_>,
) -> Result<Tally, WorkError> {
    let contestants =
        [Contestant { name: "pupil", make: &**mine }, Contestant { name: "other", make: &**other }];
    let plan = MatchPlan {
        games: config.games,
        seed,
        random_plies: config.random_plies,
        threads: Some(1),
        ..MatchPlan::default()
    };
    let result = run_match(game, &contestants, &plan, &mut |_| {}, conditions.watch.stop_flag())?;
    if result.interrupted { Err(WorkError::Stopped) } else { Ok(result.standing.tally()) }
}

/// Games won by the pupils of one strategy on one board.
fn won(curves: &[TableCurve], point: usize, opponent: usize) -> Shares {
    let of = |curve: &TableCurve| (curve.0[point][opponent].wins, curve.0[point][opponent].games());
    Shares::of_groups(curves.iter().map(of).collect())
}

fn section(config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> Section {
    let about = format!(
        "Both seats learn in the same way, α = {}, ε = {}: {} pairs of tables for each board and strategy. Then the tables play \
         {} games, colours alternating, the first {} moves at random, always choosing what they hold for best.",
        config.alpha, config.epsilon, config.pupils, config.games, config.random_plies
    );
    let last = config.after.len() - 1;
    let mut numbers = Vec::new();
    for (board, strategies) in config.boards.iter().zip(findings) {
        for ((way, _), curves) in STRATEGIES.iter().zip(strategies) {
            numbers.push(Number::share(format!("{board}, {way}"), &won(curves, last, 0)));
        }
    }
    let blocks = vec![
        Block::text(about),
        Block::text(format!(
            "Games won against {} after {} games of learning, in %. Colours alternate and a board is won for one seat, so that \
             two perfect players win half each, but for draws.",
            OPPONENTS[0].0, config.after[last]
        )),
        Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        Block::text("Games won as learning goes on, in %, against alpha-beta and against random moves:"),
        Block::Table(over_time(config, findings)),
        Block::Figure(figure(config, findings)),
    ];
    Section { blocks, numbers }
}

fn over_time(config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> ReportTable {
    let mut head = vec!["board".to_owned(), "strategy".to_owned()];
    head.extend(config.after.iter().map(|after| format!("{after} games")));
    let mut rows = Vec::new();
    for (board, strategies) in config.boards.iter().zip(findings) {
        for ((way, _), curves) in STRATEGIES.iter().zip(strategies) {
            let mut row: Vec<ReportCell> = vec![(*board).into(), (*way).into()];
            row.extend((0..config.after.len()).map(|point| {
                let [strong, random] = [0, 1].map(|opponent| 100.0 * won(curves, point, opponent).mean());
                ReportCell::from(format!("{strong:.0}, {random:.0}"))
            }));
            rows.push(row);
        }
    }
    ReportTable { left: 2, head: english(head), rows }
}

fn figure(config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> Figure {
    let series = STRATEGIES.iter().enumerate().map(|(way, (name, _))| {
        let mean = |point: usize| {
            let shares = findings.iter().map(|strategies| won(&strategies[way], point, 0).mean());
            100.0 * shares.sum::<f64>() / findings.len() as f64
        };
        LineSeries {
            name: (*name).to_owned(),
            points: config
                .after
                .iter()
                .enumerate()
                .map(|(point, &after)| (after as f64, mean(point)))
                .collect(),
        }
    });
    let chart = LineChart {
        caption: format!("Games won against {}, mean over the boards", OPPONENTS[0].0),
        x_axis: "games of learning".to_owned(),
        y_axis: "% won".to_owned(),
        series: series.collect(),
        ..LineChart::default()
    };
    chart.figure("tables")
}
