//! How often the player `planner` finishes levels of Lode Runner:
//! `cargo run --release -p outplay-games --example loderunner -- levels=100 difficulty=5 first=1 policy=chase`.
//!
//! Words: `levels`, `rows`, `cols`, `difficulty`, `first` (the first seed), `turns`, `only` (some seeds), `threads`, `policy` (all if there is none),
//! `files` (a folder with levels, instead of generated ones).

mod measure;

use measure::{Tally, play};
use outplay_games::loderunner::{Delays, GuardPolicy, GuardRule, LevelPlan, LodeRunnerView, read_level};

/// The words of the command line.
struct Words(Vec<String>);

impl Words {
    fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn number(&self, key: &str, usual: u64) -> u64 {
        self.text(key).map_or(usual, |text| text.parse().expect("a number"))
    }
}

/// The levels to play, each with its name and seed.
fn levels(words: &Words) -> Vec<(String, u64, LodeRunnerView)> {
    if let Some(folder) = words.text("files") {
        return read_levels(folder);
    }
    let (rows, cols) = (words.number("rows", 16) as usize, words.number("cols", 28) as usize);
    let plan = LevelPlan::new(rows, cols, words.number("difficulty", 5) as u8).expect("a plan");
    let first = words.number("first", 1);
    let seeds = first..first + words.number("levels", 100);
    let is_wanted = |seed: &u64| {
        words.text("only").is_none_or(|only| only.split(',').any(|word| word == seed.to_string()))
    };
    seeds
        .filter(is_wanted)
        .map(|seed| (seed.to_string(), seed, plan.generate(Delays::default(), seed)))
        .collect()
}

fn read_levels(folder: &str) -> Vec<(String, u64, LodeRunnerView)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut levels = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match read_level(&std::fs::read_to_string(&path).expect("a text"), Delays::default()) {
            Ok(level) => levels.push((name, 1, level)),
            Err(error) => println!("{name} cannot be played: {error:?}"),
        }
    }
    levels
}

fn rules(words: &Words) -> Vec<(String, GuardRule)> {
    let named = |policy: GuardPolicy| (format!("{policy:?}").to_lowercase(), GuardRule::Policy(policy));
    let all = std::iter::once(("none".to_owned(), GuardRule::Absent)).chain(GuardPolicy::ALL.map(named));
    let wanted = words.text("policy");
    all.filter(|(name, _)| wanted.is_none_or(|wanted| wanted.split(',').any(|word| word == name))).collect()
}

fn main() {
    let words = Words(std::env::args().skip(1).collect());
    let levels = levels(&words);
    let (turns, threads) = (words.number("turns", 2000) as usize, words.number("threads", 1) as usize);
    for (name, rule) in rules(&words) {
        let mut tally = Tally::default();
        std::thread::scope(|scope| {
            let share = |thread: usize| levels.iter().skip(thread).step_by(threads);
            let run = |thread| {
                move || {
                    share(thread)
                        .map(|(name, seed, level)| play(name, *seed, level, rule, turns))
                        .collect::<Vec<_>>()
                }
            };
            let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(run(thread))).collect();
            for worker in workers {
                worker.join().expect("a tally").into_iter().for_each(|game| tally.add(game));
            }
        });
        tally.print(&name);
    }
}
