//! The levels, the players on them, and the records of their games.

use outplay_core::{Game, Outcome, Rng, Seat, Turn};
use outplay_games::loderunner::{Delays, GuardPolicy, GuardRule, LevelPlan, LodeRunner};
use outplay_runtime::WorkError;
use rayon::prelude::*;
use serde::Serialize;

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::{Interval, wilson};
use outplay_lab::loderunner;
use outplay_lab::registry::PlayerFactory;
use outplay_report::{
    Bar, BarChart, BarRow, Block, Figure, Number, ReportCell, ReportTable, Section, english,
};

/// What guards follow, by name; without guards first.
const POLICIES: [(&str, GuardRule); 5] = [
    ("none", GuardRule::Absent),
    ("chase", GuardRule::Policy(GuardPolicy::Chase)),
    ("shortest", GuardRule::Policy(GuardPolicy::Shortest)),
    ("random", GuardRule::Policy(GuardPolicy::Random)),
    ("lazy", GuardRule::Policy(GuardPolicy::Lazy)),
];

/// Turns after which a game is lost.
const TURNS: usize = 2000;
/// Games of one unit of work.
const BATCH: u64 = 50;

/// Players on levels, row by row.
pub(super) struct LevelComparison {
    /// The name of its figure.
    figure: &'static str,
    rows: &'static [ComparedRow],
}

/// A player on levels of one difficulty.
struct ComparedRow {
    /// What tells it from the other rows.
    label: &'static str,
    player: &'static str,
    difficulty: u8,
    /// Games against each policy at the scales of smoke, desk and full.
    games: [u64; 3],
}

/// Every player on levels of the usual difficulty. The tree search takes many times as long as the others.
pub(super) const ALL_PLAYERS: LevelComparison = LevelComparison {
    figure: "players",
    rows: &[
        of_player("random", [1, 50, 1000]),
        of_player("greedy", [1, 50, 1000]),
        of_player("mcts", [1, 20, 100]),
        of_player("planner", [1, 50, 1000]),
    ],
};

/// The planner on levels of all difficulties.
pub(super) const PLANNER_BY_DIFFICULTY: LevelComparison = LevelComparison {
    figure: "difficulties",
    rows: &[
        of_difficulty("difficulty 1", 1),
        of_difficulty("difficulty 3", 3),
        of_difficulty("difficulty 5", 5),
        of_difficulty("difficulty 7", 7),
        of_difficulty("difficulty 10", 10),
    ],
};

const fn of_player(player: &'static str, games: [u64; 3]) -> ComparedRow {
    ComparedRow { label: player, player, difficulty: 5, games }
}

const fn of_difficulty(label: &'static str, difficulty: u8) -> ComparedRow {
    ComparedRow { label, player: "planner", difficulty, games: [1, 50, 200] }
}

#[derive(Serialize)]
pub(super) struct Config {
    /// Of each row: player, difficulty, games against each policy.
    rows: Vec<(&'static str, u8, u64)>,
    height: usize,
    width: usize,
    turns: usize,
}

/// One row of the table.
struct LevelRow {
    label: &'static str,
    games: u64,
    /// Games won against each policy.
    won: Vec<u64>,
}

fn keys(player: &str, difficulty: u8, policy: &str, games: u64) -> impl Iterator<Item = (String, u64)> {
    let name = format!("{player}, difficulty {difficulty}, guards {policy}");
    (0..games).step_by(BATCH as usize).map(move |first| (format!("{name}: games from {first}"), first))
}

/// Plays a game and says whether it was won.
fn is_won(
    game: &LodeRunner,
    factory: &PlayerFactory<<LodeRunner as Game>::View>,
    seed: u64,
    number: u64,
) -> bool {
    let mut player = factory();
    player.new_game(Seat::First);
    let (mut state, mut rng) = (game.start(&mut Rng::stream(seed, number)), Rng::stream(!seed, number));
    while game.outcome(&state).is_none() {
        let mv = player.choose(game.view(&state), &mut Turn::new(&mut rng));
        game.play(&mut state, mv);
    }
    game.outcome(&state) == Some(Outcome::Win(Seat::First))
}

impl LevelComparison {
    fn results(&self, config: &Config, records: &Records) -> Result<Vec<LevelRow>, WorkError> {
        let mut rows = Vec::new();
        for (row, &(player, difficulty, games)) in self.rows.iter().zip(&config.rows) {
            let mut won = Vec::new();
            for (policy, _) in POLICIES {
                let mut of_policy = 0;
                for (key, _) in keys(player, difficulty, policy, games) {
                    let batch: Vec<bool> = records.get(&key)?;
                    of_policy += batch.into_iter().filter(|&is_won| is_won).count() as u64;
                }
                won.push(of_policy);
            }
            rows.push(LevelRow { label: row.label, games, won });
        }
        Ok(rows)
    }
}

impl Experiment for LevelComparison {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let row = |row: &ComparedRow| (row.player, row.difficulty, scale.choose(row.games));
        Config { rows: self.rows.iter().map(row).collect(), height: 16, width: 28, turns: TURNS }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for &(player, difficulty, games) in &config.rows {
            let plan = LevelPlan::new(config.height, config.width, difficulty)?;
            let seed = conditions.seed_of(&format!("difficulty {difficulty}"));
            for (policy, rule) in POLICIES {
                let game = LodeRunner::generated(plan, Delays::default(), rule, config.turns);
                let board = loderunner::board(game.clone());
                let factory = board.make_player(player, conditions.store, conditions.watch)?;
                for (key, first) in keys(player, difficulty, policy, games) {
                    recorder.once(&key, || {
                        conditions.show(&format!("{player} against {policy}"), first, games, "games");
                        let batch = first..(first + BATCH).min(games);
                        let play = |number| is_won(&game, &factory, seed, number);
                        conditions.on_threads(|| Ok(batch.into_par_iter().map(play).collect::<Vec<bool>>()))
                    })?;
                }
            }
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        _published: &Published,
    ) -> Result<Section, WorkError> {
        let rows = self.results(config, records)?;
        let share = |won: u64, games: u64| {
            let Interval { low, high } = wilson(won, games);
            (100.0 * won as f64 / games as f64, Interval { low: 100.0 * low, high: 100.0 * high })
        };
        let line = |row: &LevelRow| {
            let cell = |&won: &u64| {
                let (rate, Interval { low, high }) = share(won, row.games);
                ReportCell::from(format!("{rate:.1} ({low:.1} – {high:.1})"))
            };
            let games = ReportCell::from(row.games.to_string());
            [ReportCell::from(row.label.to_owned()), games]
                .into_iter()
                .chain(row.won.iter().map(cell))
                .collect()
        };
        let head = ["", "games in each place"].into_iter().chain(POLICIES.map(|(policy, _)| policy));
        let head = english(head.map(str::to_owned).collect::<Vec<_>>());
        let table = ReportTable { left: 1, head, rows: rows.iter().map(line).collect() };
        let numbers_of = |row: &LevelRow| -> Vec<Number> {
            let number = |((policy, _), &won): (&(&str, GuardRule), &u64)| {
                let (rate, interval) = share(won, row.games);
                Number::new(format!("{} against {policy}", row.label), "%", rate, interval, row.games)
            };
            POLICIES.iter().zip(&row.won).map(number).collect()
        };
        let numbers: Vec<Number> = rows.iter().flat_map(numbers_of).collect();
        let text = format!(
            "Levels of {}×{} cells. Games won, in % (95% interval), by what the guards follow:",
            config.height, config.width
        );
        let figure = Block::Figure(self.bars(&numbers));
        Ok(Section { blocks: vec![Block::text(text), Block::Table(table), figure], numbers })
    }
}

impl LevelComparison {
    /// All numbers as bars.
    fn bars(&self, numbers: &[Number]) -> Figure {
        let row = |number: &Number| {
            let Interval { low, high } = number.interval;
            let bar = Bar { value: number.ours, low, high };
            BarRow { label: number.name.clone(), bars: vec![Some(bar)], ghost: None }
        };
        let chart = BarChart {
            caption: "Games of Lode Runner won, in %; whiskers are 95% intervals".to_owned(),
            axis: "% of games won".to_owned(),
            limit: 100.0,
            series: vec!["won".to_owned()],
            ghost: None,
            rows: numbers.iter().map(row).collect(),
        };
        chart.figure(self.figure)
    }
}
