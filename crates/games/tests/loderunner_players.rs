//! The players of Lode Runner: they remember nothing, and how often they finish.

use outplay_core::{Game, Outcome, Player, Rng, Seat, Thought, Turn, View};
use outplay_games::loderunner::planner::{RunnerPlanner, TURN_NODES, plan, think};
use outplay_games::loderunner::{
    Delays, GreedyRunner, GuardPolicy, GuardRule, LEVELS, LevelPlan, LodeRunner, LodeRunnerView,
    RunnerAction, read_level,
};

fn choose(player: &mut impl Player<LodeRunnerView>, view: &LodeRunnerView) -> RunnerAction {
    player.choose(view, &mut Turn::new(&mut Rng::new(0)))
}

/// Plays a game and returns its views with the moves made there, and whether it was won.
fn played(
    game: &LodeRunner,
    player: &mut impl Player<LodeRunnerView>,
    seed: u64,
) -> (Vec<(LodeRunnerView, RunnerAction)>, bool) {
    let (mut state, mut moves) = (game.start(&mut Rng::new(seed)), Vec::new());
    while game.outcome(&state).is_none() {
        let mv = choose(player, game.view(&state));
        moves.push((game.view(&state).clone(), mv));
        game.play(&mut state, mv);
    }
    (moves, game.outcome(&state) == Some(Outcome::Win(Seat::First)))
}

fn generated(rows: usize, cols: usize, difficulty: u8, guards: GuardRule) -> LodeRunner {
    let plan = LevelPlan::new(rows, cols, difficulty).unwrap();
    LodeRunner::generated(plan, Delays::default(), guards, 1000)
}

/// The views of several games, shuffled together, get the moves that they got in play: nothing is remembered, not from turn to
/// turn and not from game to game. The generator of the turn is another one, too.
#[test]
fn shuffled_views_get_the_same_moves() {
    fn check(player: &mut impl Player<LodeRunnerView>) {
        let mut seen = Vec::new();
        for (seed, policy) in (0..).zip(GuardPolicy::ALL) {
            let game = generated(12, 20, 5, GuardRule::Policy(policy));
            seen.extend(played(&game, player, seed).0);
        }
        Rng::new(5).shuffle(&mut seen);
        for (number, (view, mv)) in seen.iter().enumerate() {
            let again = player.choose(view, &mut Turn::new(&mut Rng::new(number as u64)));
            assert_eq!(again, *mv, "{view}");
        }
    }
    assert_eq!(size_of::<RunnerPlanner>(), 0, "the player has no room for a memory");
    check(&mut RunnerPlanner);
    check(&mut GreedyRunner);
}

/// Without guards every level is finished, and the plan gets shorter each turn: the potential that rules out dithering.
#[test]
fn without_guards_every_level_is_finished() {
    for (rows, cols, difficulty) in [(8, 10, 2), (16, 28, 5), (28, 32, 10)] {
        let game = generated(rows, cols, difficulty, GuardRule::Absent);
        for seed in 0..20 {
            let (moves, is_won) = played(&game, &mut RunnerPlanner, seed);
            assert!(is_won, "level {seed} of {rows}×{cols}/{difficulty}");
            for pair in moves.windows(2) {
                let [(before, _), (after, _)] = pair else { unreachable!("windows of two") };
                let is_same_leg = before.moment().gold == after.moment().gold;
                let can_act = |view: &LodeRunnerView| view.physics().can_act(view.moment());
                if is_same_leg && can_act(before) && can_act(after) {
                    assert!(plan(after).len() < plan(before).len(), "{before}");
                }
            }
        }
    }
}

#[test]
fn the_levels_that_teach_are_finished_without_guards_and_mostly_with_them() {
    let mut won = 0;
    for level in &LEVELS {
        let view = read_level(level.text, Delays::default()).unwrap();
        let alone = LodeRunner::on(view.clone(), GuardRule::Absent, 500);
        assert!(played(&alone, &mut RunnerPlanner, 0).1, "{}", level.name);
        for policy in GuardPolicy::ALL {
            let game = LodeRunner::on(view.clone(), GuardRule::Policy(policy), 500);
            let is_won = played(&game, &mut RunnerPlanner, 1).1;
            if !is_won {
                println!("{} is not finished against {policy:?}", level.name);
            }
            won += usize::from(is_won);
        }
    }
    assert!(won >= 76, "{won} of 80");
}

/// A floor on what is promised; the artefact `outplay-loderunner` has the rates.
#[test]
fn most_generated_levels_are_finished_against_every_policy() {
    for policy in GuardPolicy::ALL {
        let game = generated(16, 28, 5, GuardRule::Policy(policy));
        let won = (100..110).filter(|&seed| played(&game, &mut RunnerPlanner, seed).1).count();
        assert!(won >= 9, "{policy:?}: {won} of 10");
    }
}

/// Gold under four layers of brick, deeper than a hole stays open: layer by layer, with nothing remembered.
#[test]
fn gold_under_many_layers_is_dug_out() {
    let text = "
        #...........
        #M..........
        #bbbbbbbbbbb
        #bbbbbbbbbbb
        #bbbbbbbbbbb
        #bbbbbbbbbbb
        #.......G...
        bbbbbbbbbbbb";
    let view = read_level(text, Delays::default()).unwrap();
    let walled = text.replace("#.......G", "#BB.....G");
    let walled = read_level(&walled, Delays::default()).unwrap();
    assert!(played(&LodeRunner::on(view, GuardRule::Absent, 100), &mut RunnerPlanner, 0).1);
    let (moves, _) = played(&LodeRunner::on(walled, GuardRule::Absent, 200), &mut RunnerPlanner, 0);
    assert!(moves.last().unwrap().0.moment().gold.is_empty(), "the gold is taken");
}

/// The work of a turn is bounded by a number of moments, not by a clock, also on the largest levels with most guards.
#[test]
fn the_work_of_a_turn_is_bounded() {
    let game = generated(28, 32, 10, GuardRule::Policy(GuardPolicy::Shortest));
    let mut state = game.start(&mut Rng::new(3));
    for _ in 0..60 {
        let turn = think(game.view(&state));
        assert!(turn.nodes <= TURN_NODES, "{}", turn.nodes);
        game.play(&mut state, turn.line[0]);
        if game.outcome(&state).is_some() {
            break;
        }
    }
}

/// Every legal action has a value; the chosen one has the best, and stepping into a guard's arms the worst.
#[test]
fn the_planner_values_every_action() {
    let view = read_level("H.....\nH.ME.G\nbbbbbb", Delays::default()).unwrap();
    let mut thoughts = Vec::new();
    let mut hear = |thought: Thought<RunnerAction>| thoughts.push(thought);
    let chosen = RunnerPlanner.choose(&view, &mut Turn::new(&mut Rng::new(0)).watched(&mut hear));
    let candidates = &thoughts[0].candidates;
    assert_eq!(candidates.len(), view.moves().len());
    assert_eq!(candidates[0].mv, chosen);
    assert!(candidates.iter().all(|candidate| candidate.value <= candidates[0].value));
    let right = candidates.iter().find(|candidate| candidate.mv == RunnerAction::Right).unwrap();
    assert!(right.value == 0.0 && candidates[0].value > 0.0, "{candidates:?}");
}

#[test]
fn greedy_finishes_what_needs_no_thought() {
    let view = read_level(LEVELS[0].text, Delays::default()).unwrap();
    assert!(played(&LodeRunner::on(view, GuardRule::Absent, 100), &mut GreedyRunner, 0).1);
}
