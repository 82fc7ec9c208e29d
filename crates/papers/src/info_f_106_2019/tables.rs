//! Part 1: ways to learn a value table, on boards with fixed walls and none in hand: three on boards of our own, and with
//! the share of games won and with random opponents on the three boards of the course's program, which are solved too.

use outplay_core::{Oracle, Referee, Seat, Text, Value};
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
use outplay_lab::learning::{LearnersOpponent, TableTraining};
use outplay_lab::quoridor::{exact, referee};
use outplay_lab::registry::PlayerFactory;
use outplay_report::{
    Block, Figure, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english,
};

/// A way to learn: its name, its rule, and whether the tables learn against random moves instead of each other.
pub(super) struct TableStrategy(&'static str, UpdateRule, bool);

/// Strategies on boards.
pub(super) struct TableMethods {
    /// The artefact's name, under which its figure is kept.
    name: &'static str,
    /// The first of the named boards, and how many.
    boards: (usize, usize),
    strategies: &'static [TableStrategy],
    /// Whom the tables meet: a strong player, and random moves; each with its name.
    opponents: [(&'static str, &'static str); 2],
    /// Whether the boards are solved.
    solves: bool,
}

/// How many strategies, from the first, a figure shows: a chart tells three lines apart.
const SHOWN: usize = 3;

/// The document's three strategies on our own boards.
pub(super) const OUR_BOARDS: TableMethods = TableMethods {
    name: "tables",
    boards: (0, 7),
    strategies: &[
        TableStrategy("Monte Carlo", UpdateRule::MonteCarlo, false),
        TableStrategy("TD(0)", UpdateRule::TdZero, false),
        TableStrategy("Q-learning", UpdateRule::QLearning, false),
    ],
    opponents: [("alpha-beta six moves deep", "alphabeta:depth=6"), ("random moves", "random")],
    solves: false,
};

/// The course's boards: also the share of games won, and `random` as the other player.
pub(super) const COURSE_BOARDS: TableMethods = TableMethods {
    name: "course-boards",
    boards: (7, 3),
    strategies: &[
        TableStrategy("Monte Carlo", UpdateRule::MonteCarlo, false),
        TableStrategy("Q-learning", UpdateRule::QLearning, false),
        TableStrategy("w/n", UpdateRule::WinRate, false),
        TableStrategy("TD(0)", UpdateRule::TdZero, false),
        TableStrategy("Monte Carlo against random", UpdateRule::MonteCarlo, true),
        TableStrategy("TD(0) against random", UpdateRule::TdZero, true),
        TableStrategy("Q-learning against random", UpdateRule::QLearning, true),
        TableStrategy("w/n against random", UpdateRule::WinRate, true),
    ],
    opponents: [("perfect play", "perfect"), ("random moves", "random")],
    solves: true,
};

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

/// What the exact solution says of a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SolvedBoard {
    /// Who wins, in how many moves; nobody in a draw.
    winner: Option<(String, u32)>,
    /// Unfinished positions, for the side to move: won, lost, drawn.
    positions: [u64; 3],
    longest_win: Option<u32>,
}

impl SolvedBoard {
    fn solve(name: &str, conditions: &Conditions<'_>) -> Result<Self, WorkError> {
        let start = board(name).start(0).expect("a named board is a board");
        let solution = exact::solution(&start, conditions.store, conditions.watch)?;
        let winner = match solution.value(&start) {
            Value::Win(plies) => Some(("white".to_owned(), plies)),
            Value::Loss(plies) => Some(("black".to_owned(), plies)),
            Value::Draw => None,
        };
        let counts = solution.value_counts();
        let positions = [counts.wins, counts.losses, counts.draws];
        Ok(Self { winner, positions, longest_win: counts.longest.map(|longest| longest.plies) })
    }

    fn key(name: &str) -> String {
        format!("{name}: solved")
    }

    fn sentence(&self, name: &str) -> String {
        let outcome = match &self.winner {
            Some((side, plies)) => format!("{side} wins in {plies} moves"),
            None => "the game is a draw".to_owned(),
        };
        let [won, lost, drawn] = self.positions;
        let longest = self
            .longest_win
            .map_or_else(String::new, |plies| format!(", the longest win takes {plies} moves"));
        format!(
            "`{name}` ({}): {outcome}. Of its unfinished positions the side to move wins {won}, loses {lost} and draws \
             {drawn}{longest}.",
            if board(name).walls.is_empty() { "no walls" } else { board(name).walls }
        )
    }
}

impl Experiment for TableMethods {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (first, all) = self.boards;
        let (boards, pupils, after, games) = match scale {
            Scale::Smoke => (2, 2, vec![20, 100], 10),
            Scale::Desk => (all, 4, vec![100, 300, 1000, 3000, 10_000], 200),
            Scale::Full => (all, 20, vec![100, 300, 1000, 3000, 10_000, 30_000], 500),
        };
        Config {
            boards: BOARDS.iter().skip(first).take(boards).map(|board| board.name).collect(),
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
            if self.solves {
                recorder.once(&SolvedBoard::key(name), || SolvedBoard::solve(name, conditions))?;
            }
            let all =
                self.strategies.iter().flat_map(|way| (0..config.pupils).map(move |pupil| (way, pupil)));
            let missing: Vec<(&TableStrategy, u64)> =
                all.filter(|(way, pupil)| !recorder.has(&key(name, way.0, *pupil))).collect();
            let curves: Vec<TableCurve> = conditions.on_threads(|| {
                let learn = |&(strategy, pupil): &(&TableStrategy, u64)| {
                    self.learn(config, board(name), strategy, pupil, conditions)
                };
                missing.par_iter().map(learn).collect()
            })?;
            for ((way, pupil), curve) in missing.into_iter().zip(curves) {
                recorder.once(&key(name, way.0, pupil), || Ok(curve))?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut findings = Vec::new();
        for name in &config.boards {
            let of = |way: &TableStrategy| {
                let curves = (0..config.pupils).map(|pupil| records.get(&key(name, way.0, pupil)));
                curves.collect::<Result<Vec<TableCurve>, WorkError>>()
            };
            findings.push(self.strategies.iter().map(of).collect::<Result<Vec<_>, WorkError>>()?);
        }
        let mut section = self.section(config, &findings);
        if self.solves {
            let sentence =
                |name: &&str| Ok(records.get::<SolvedBoard>(&SolvedBoard::key(name))?.sentence(name));
            let solved = config.boards.iter().map(sentence).collect::<Result<Vec<String>, WorkError>>()?;
            section.blocks.splice(1..1, [Block::text("The exact solutions:"), Block::Items(solved)]);
        }
        Ok(section)
    }
}

impl TableMethods {
    fn learn(
        &self,
        config: &Config,
        board: &NamedBoard,
        TableStrategy(_, rule, is_against_random): &TableStrategy,
        pupil: u64,
        conditions: &Conditions<'_>,
    ) -> Result<TableCurve, WorkError> {
        let game = referee(board.start(0).expect("a named board is a board"), None);
        let learning = Referee { repetitions: None, ..game.clone() };
        let course = TabularConfig {
            rule: *rule,
            rate: config.alpha,
            exploration: Exploration::epsilon(config.epsilon),
        };
        let seed = conditions.seed_of(&format!("pupil {pupil}"));
        let tables = [ValueTable::default(), ValueTable::default()];
        let games = config.after.last().copied().unwrap_or_default();
        let mut training = TableTraining::new(&learning, [course; 2], tables, games, seed);
        if *is_against_random {
            let random = make_player(&game, "random", conditions.store)?();
            training =
                training.against(LearnersOpponent::of(random, "random".to_owned(), Seat::Second, true));
        }
        let (mut curve, mut learnt) = (Vec::new(), 0);
        for &after in &config.after {
            training.learn(after - learnt, conditions.watch)?;
            learnt = after;
            let pupil = training.players(ActionSelection::BEST);
            let against = |(_, opponent): (&str, &str)| {
                let players = [&pupil, &make_player(&game, opponent, conditions.store)?];
                measure(&game, players, config, seed ^ after, conditions)
            };
            let [strong, random] = self.opponents.map(against);
            curve.push([strong?, random?]);
        }
        Ok(TableCurve(curve))
    }
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

impl TableMethods {
    fn section(&self, config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> Section {
        let about = format!(
            "Both seats learn in the same way, α = {}, ε = {}: {} pairs of tables for each board and strategy{}. Then the tables \
         play {} games, colours alternating, the first {} moves at random, always choosing what they hold for best.",
            config.alpha,
            config.epsilon,
            config.pupils,
            if self.strategies.iter().any(|TableStrategy(_, _, against)| *against) {
                "; `w/n` is the share of games won and has no rate; against random moves the two tables learn by turns"
            } else {
                ""
            },
            config.games,
            config.random_plies
        );
        let last = config.after.len() - 1;
        let mut numbers = Vec::new();
        for (board, strategies) in config.boards.iter().zip(findings) {
            for (TableStrategy(way, ..), curves) in self.strategies.iter().zip(strategies) {
                numbers.push(Number::share(format!("{board}, {way}"), &won(curves, last, 0)));
            }
        }
        let blocks = vec![
            Block::text(about),
            Block::text(format!(
                "Games won against {} after {} games of learning, in %. Colours alternate and a board is won for one seat, so that \
             two perfect players win half each, but for draws.",
                self.opponents[0].0, config.after[last]
            )),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
            Block::text(format!(
                "Games won as learning goes on, in %, against {} and against random moves:",
                self.opponents[0].0.replace(" six moves deep", "")
            )),
            Block::Table(self.over_time(config, findings)),
            Block::Figure(self.figure(config, findings)),
        ];
        Section { blocks, numbers }
    }

    fn over_time(&self, config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> ReportTable {
        let mut head = vec!["board".to_owned(), "strategy".to_owned()];
        head.extend(config.after.iter().map(|after| format!("{after} games")));
        let mut rows = Vec::new();
        for (board, strategies) in config.boards.iter().zip(findings) {
            for (TableStrategy(way, ..), curves) in self.strategies.iter().zip(strategies) {
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

    fn figure(&self, config: &Config, findings: &[Vec<Vec<TableCurve>>]) -> Figure {
        let series = self.strategies.iter().take(SHOWN).enumerate().map(|(way, TableStrategy(name, ..))| {
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
            caption: format!("Games won against {}, mean over the boards", self.opponents[0].0),
            x_axis: "games of learning".to_owned(),
            y_axis: "% won".to_owned(),
            series: series.collect(),
            ..LineChart::default()
        };
        chart.figure(self.name)
    }
}
