//! How often the players of Lode Runner finish generated levels: `cargo run --release --example loderunner -- LEVELS ROWS COLS
//! DIFFICULTY FIRST`.

use std::time::Instant;

use outplay_core::{Game, Outcome, Rng, Seat};
use outplay_games::loderunner::planner::plan;
use outplay_games::loderunner::{Delays, Fate, GuardPolicy, GuardRule, LevelPlan, LodeRunner, write_level};

/// The time that this thread has had a processor, in seconds; other programs do not count.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).map(|text| text.parse().expect("a number")).collect();
    let [levels, rows, cols, difficulty, first] = numbers[..] else { panic!("five numbers") };
    let level_plan = LevelPlan::new(rows as usize, cols as usize, difficulty as u8).expect("a plan");
    let began = Instant::now();
    let made: Vec<_> =
        (first..first + levels).map(|seed| level_plan.generate(Delays::default(), seed)).collect();
    println!("{levels} levels in {:.1} s", began.elapsed().as_secs_f64());
    let rules = std::iter::once(GuardRule::Absent).chain(GuardPolicy::ALL.map(GuardRule::Policy));
    for rule in rules {
        let (mut won, mut turns, mut slowest, began) = (0, 0, 0.0_f64, processor_seconds());
        let mut lost = Vec::new();
        for (seed, level) in (first..).zip(&made) {
            let game = LodeRunner::on(level.clone(), rule, 2000);
            let mut state = game.start(&mut Rng::new(seed));
            while game.outcome(&state).is_none() {
                let at = processor_seconds();
                let action = plan(state.seen())[0];
                slowest = slowest.max(processor_seconds() - at);
                game.play(&mut state, action);
            }
            turns += state.turns();
            if game.outcome(&state) == Some(Outcome::Win(Seat::First)) {
                won += 1;
            } else {
                lost.push((seed, state.seen().moment().fate));
            }
        }
        let time = processor_seconds() - began;
        println!(
            "{rule:?}: {won} of {levels}, {:.0} turns a game, {:.2} ms a turn, at most {:.1} ms",
            turns as f64 / levels as f64,
            time * 1000.0 / turns as f64,
            slowest * 1000.0
        );
        let count = |fate| lost.iter().filter(|(_, how)| *how == fate).count();
        println!(
            "  caught {}, buried {}, late {}: {:?}",
            count(Fate::Caught),
            count(Fate::Buried),
            count(Fate::Running),
            &lost[..lost.len().min(8)]
        );
    }
    if levels == 1 {
        println!("{}", write_level(&made[0]));
    }
}
