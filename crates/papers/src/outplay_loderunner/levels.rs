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

/// Players on levels of several difficulties.
pub(super) struct LevelComparison {
    players: &'static [&'static str],
    difficulties: &'static [u8],
    /// Games in each cell of the table at the scales of smoke, desk and full.
    games: [u64; 3],
}

/// Every player on levels of the usual difficulty.
pub(super) const ALL_PLAYERS: LevelComparison = LevelComparison {
    players: &["random", "greedy", "mcts", "planner"],
    difficulties: &[5],
    games: [1, 50, 1000],
};

/// The planner on levels of all difficulties.
pub(super) const PLANNER_BY_DIFFICULTY: LevelComparison =
    LevelComparison { players: &["planner"], difficulties: &[1, 3, 5, 7, 10], games: [1, 100, 1000] };

#[derive(Serialize)]
pub(super) struct Config {
    players: &'static [&'static str],
    difficulties: &'static [u8],
    rows: usize,
    cols: usize,
    turns: usize,
    games: u64,
}

/// One row of the table.
struct LevelRow {
    name: String,
    won: Vec<(u64, u64)>,
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
    fn rows(&self, config: &Config, records: &Records) -> Result<Vec<LevelRow>, WorkError> {
        let mut rows = Vec::new();
        for player in self.players {
            for &difficulty in self.difficulties {
                let mut won = Vec::new();
                for (policy, _) in POLICIES {
                    let mut games: Vec<bool> = Vec::new();
                    for (key, _) in keys(player, difficulty, policy, config.games) {
                        games.extend(records.get::<Vec<bool>>(&key)?);
                    }
                    won.push((games.iter().filter(|&&won| won).count() as u64, games.len() as u64));
                }
                let name = if self.difficulties.len() > 1 {
                    format!("difficulty {difficulty}")
                } else {
                    (*player).to_owned()
                };
                rows.push(LevelRow { name, won });
            }
        }
        Ok(rows)
    }
}

impl Experiment for LevelComparison {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        Config {
            players: self.players,
            difficulties: self.difficulties,
            rows: 16,
            cols: 28,
            turns: TURNS,
            games: scale.choose(self.games),
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for &difficulty in self.difficulties {
            let plan = LevelPlan::new(config.rows, config.cols, difficulty)?;
            let seed = conditions.seed_of(&format!("difficulty {difficulty}"));
            for (policy, rule) in POLICIES {
                let game = LodeRunner::generated(plan, Delays::default(), rule, config.turns);
                for player in self.players {
                    let board = loderunner::board(game.clone());
                    let factory = board.make_player(player, conditions.store, conditions.watch)?;
                    for (key, first) in keys(player, difficulty, policy, config.games) {
                        recorder.once(&key, || {
                            conditions.show(
                                &format!("{player} against {policy}"),
                                first,
                                config.games,
                                "games",
                            );
                            let games = first..(first + BATCH).min(config.games);
                            let play = |number| is_won(&game, &factory, seed, number);
                            conditions
                                .on_threads(|| Ok(games.into_par_iter().map(play).collect::<Vec<bool>>()))
                        })?;
                    }
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
        let rows = self.rows(config, records)?;
        let share = |&(won, games): &(u64, u64)| {
            let Interval { low, high } = wilson(won, games);
            let rate = 100.0 * won as f64 / games.max(1) as f64;
            (rate, Interval { low: 100.0 * low, high: 100.0 * high })
        };
        let line = |row: &LevelRow| {
            let cell = |won: &(u64, u64)| {
                let (rate, Interval { low, high }) = share(won);
                ReportCell::from(format!("{rate:.1} ({low:.1} – {high:.1})"))
            };
            std::iter::once(ReportCell::from(row.name.clone())).chain(row.won.iter().map(cell)).collect()
        };
        let head = std::iter::once("")
            .chain(POLICIES.map(|(policy, _)| policy))
            .map(str::to_owned)
            .collect::<Vec<_>>();
        let table = ReportTable { left: 1, head: english(head), rows: rows.iter().map(line).collect() };
        let number = |row: &LevelRow| -> Vec<Number> {
            let of_policy = |((policy, _), won): (&(&str, GuardRule), &(u64, u64))| {
                let (rate, interval) = share(won);
                Number::new(format!("{} against {policy}", row.name), "%", rate, interval, won.1)
            };
            POLICIES.iter().zip(&row.won).map(of_policy).collect()
        };
        let numbers: Vec<Number> = rows.iter().flat_map(number).collect();
        let text = format!(
            "Levels of {}×{} cells, {} games in each place. Games won, in % (95% interval), by what the guards follow:",
            config.rows, config.cols, config.games
        );
        let figure = Block::Figure(self.figure(&numbers));
        Ok(Section { blocks: vec![Block::text(text), Block::Table(table), figure], numbers })
    }
}

impl LevelComparison {
    /// All numbers as bars.
    fn figure(&self, numbers: &[Number]) -> Figure {
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
        chart.figure(if self.players.len() > 1 { "players" } else { "difficulties" })
    }
}
