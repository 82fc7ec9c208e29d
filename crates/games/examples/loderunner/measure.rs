//! One game, and the sums of many.

use outplay_core::{Game, Outcome, Rng, Seat};
use outplay_games::loderunner::planner::plan;
use outplay_games::loderunner::{Fate, GuardRule, LodeRunner, LodeRunnerView};

/// A game that was played.
pub(crate) struct PlayedGame {
    name: String,
    is_won: bool,
    fate: Fate,
    turns: usize,
    seconds: f64,
    slowest: (f64, LodeRunnerView),
}

/// The time that this thread has had a processor, in seconds; other programs do not count. Its steps are some milliseconds.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Plays a game with the player `planner`.
pub(crate) fn play(
    name: &str,
    seed: u64,
    level: &LodeRunnerView,
    rule: GuardRule,
    turns: usize,
) -> PlayedGame {
    let game = LodeRunner::on(level.clone(), rule, turns);
    let mut state = game.start(&mut Rng::new(seed));
    let (began, mut slowest) = (processor_seconds(), (0.0, level.clone()));
    while game.outcome(&state).is_none() {
        let at = processor_seconds();
        let action = plan(state.seen())[0];
        let seconds = processor_seconds() - at;
        if seconds > slowest.0 {
            slowest = (seconds, state.seen().clone());
        }
        game.play(&mut state, action);
    }
    let seconds = processor_seconds() - began;
    let is_won = game.outcome(&state) == Some(Outcome::Win(Seat::First));
    let (fate, turns) = (state.seen().moment().fate, state.turns());
    PlayedGame { name: name.to_owned(), is_won, fate, turns, seconds, slowest }
}

/// The sums of many games.
#[derive(Default)]
pub(crate) struct Tally {
    games: Vec<PlayedGame>,
}

/// A slow turn is measured again so many times, because the clock of processor time goes in coarse steps.
const AGAIN: usize = 20;
/// So many of the slowest turns are measured again.
const SLOWEST: usize = 5;

impl Tally {
    pub(crate) fn add(&mut self, game: PlayedGame) {
        self.games.push(game);
    }

    /// The longest turn, in seconds of processor time.
    fn longest_turn(&mut self) -> f64 {
        self.games.sort_by(|one, two| two.slowest.0.total_cmp(&one.slowest.0));
        let again = |game: &PlayedGame| {
            let began = processor_seconds();
            (0..AGAIN).for_each(|_| drop(plan(&game.slowest.1)));
            (processor_seconds() - began) / AGAIN as f64
        };
        self.games.iter().take(SLOWEST).map(again).fold(0.0, f64::max)
    }

    pub(crate) fn print(&mut self, name: &str) {
        let slowest = self.longest_turn();
        let won = self.games.iter().filter(|game| game.is_won).count();
        let turns: usize = self.games.iter().map(|game| game.turns).sum();
        let seconds: f64 = self.games.iter().map(|game| game.seconds).sum();
        println!(
            "{name}: {won} of {}, {:.0} turns a game, {:.2} ms a turn, at most {:.1} ms",
            self.games.len(),
            turns as f64 / self.games.len() as f64,
            seconds * 1000.0 / turns as f64,
            slowest * 1000.0
        );
        for (fate, how) in [(Fate::Caught, "caught"), (Fate::Buried, "buried"), (Fate::Running, "late")] {
            let lost = self.games.iter().filter(|game| !game.is_won && game.fate == fate);
            let names: Vec<&str> = lost.map(|game| &*game.name).collect();
            if !names.is_empty() {
                println!("  {how} {}: {}", names.len(), names.join(" "));
            }
        }
    }
}
