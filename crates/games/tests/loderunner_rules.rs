//! The rules of Lode Runner: the invariants of every game, a slow twin of the rules, situations set up by hand, texts.

mod loderunner_twin;

use loderunner_twin::Twin;
use outplay_core::conformance::{check_editor, check_game};
use outplay_core::{Game, Notation, Outcome, Rng, Seat, View};
use outplay_games::loderunner::{
    BadLevel, BadPlan, Delays, Fate, GuardMind, GuardPolicy, GuardRule, GuardStep, LEVELS, LevelPlan,
    LodeRunner, LodeRunnerView, Moment, Physics, PolicyMind, RunnerAction, prove, read_level, read_position,
    without_guards, write_level,
};
use proptest::prelude::*;

use RunnerAction::{DigLeft, DigRight, Down, Left, Right, Up, Wait};

fn level(text: &str) -> LodeRunnerView {
    read_level(text, Delays::default()).unwrap()
}

fn position(text: &str) -> LodeRunnerView {
    read_position(text, Delays::default()).unwrap()
}

/// Guards that follow a script and then stay.
struct Script(Vec<GuardStep>);

impl GuardMind for Script {
    fn step(&mut self, _: &Physics<'_>, _: &Moment, _: usize) -> GuardStep {
        if self.0.is_empty() { GuardStep::Stay } else { self.0.remove(0) }
    }

    fn rebirth(&mut self, _: usize) -> usize {
        0
    }
}

fn still() -> Script {
    Script(Vec::new())
}

/// Plays these actions with guards that stay.
fn play(view: &mut LodeRunnerView, actions: &[RunnerAction]) {
    for &action in actions {
        assert!(view.is_legal(action), "{action:?} in\n{view}");
        view.turn(action, &mut still());
    }
}

/// The first line of the position: what moves.
fn told(view: &LodeRunnerView) -> String {
    view.to_string().lines().next().unwrap().to_owned()
}

#[test]
fn every_position_can_be_set_up_by_hand() {
    for (number, level) in LEVELS.iter().enumerate() {
        let view = read_level(level.text, Delays::default()).unwrap();
        check_editor(&LodeRunner::on(view, GuardRule::Any, 150), 4, 1000, number as u64);
    }
    let quick = Delays { dig: 1, open: 6, trap: 3, rebirth: 1, carry: 4, rest: 0 };
    let plan = LevelPlan::new(16, 28, 5).unwrap();
    check_editor(&LodeRunner::generated(plan, quick, GuardRule::Any, 300), 3, 300, 7);
}

#[test]
fn conforms() {
    for (number, level) in LEVELS.iter().enumerate() {
        let view = read_level(level.text, Delays::default()).unwrap();
        check_game(&LodeRunner::on(view, GuardRule::Any, 150), 6, 1000, number as u64);
    }
    let quick = Delays { dig: 1, open: 6, trap: 3, rebirth: 1, carry: 4, rest: 0 };
    for (rows, cols, difficulty) in [(7, 8, 1), (16, 28, 5), (28, 32, 10)] {
        let plan = LevelPlan::new(rows, cols, difficulty).unwrap();
        for delays in [Delays::default(), quick] {
            check_game(&LodeRunner::generated(plan, delays, GuardRule::Any, 300), 6, 300, 7);
        }
        check_game(&LodeRunner::generated(plan, quick, GuardRule::Absent, 50), 3, 300, 8);
    }
}

/// Records what the policy answers, so that the twin can be told.
struct Recorder {
    mind: PolicyMind,
    steps: Vec<GuardStep>,
    rebirths: Vec<usize>,
}

impl GuardMind for Recorder {
    fn step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep {
        self.steps.push(self.mind.step(world, moment, guard));
        self.steps[self.steps.len() - 1]
    }

    fn rebirth(&mut self, count: usize) -> usize {
        self.rebirths.push(self.mind.rebirth(count));
        self.rebirths[self.rebirths.len() - 1]
    }
}

fn plays_like_its_twin(mut view: LodeRunnerView, policy: GuardPolicy, seed: u64, turns: usize) {
    let mut rng = Rng::new(seed);
    let mut mind = PolicyMind::new(policy, Rng::new(seed + 1));
    for _ in 0..turns {
        let mut twin = Twin::of(&view);
        assert_eq!(view.moves(), twin.moves(), "{view}");
        if view.moment().fate != Fate::Running {
            return;
        }
        // Random play hardly digs; here it does.
        let moves = view.moves();
        let digs: Vec<RunnerAction> =
            moves.iter().copied().filter(|mv| matches!(mv, DigLeft | DigRight)).collect();
        let action = if !digs.is_empty() && rng.below(3) == 0 { rng.pick(&digs) } else { rng.pick(&moves) };
        let before = view.to_string();
        let mut recorder = Recorder { mind, steps: Vec::new(), rebirths: Vec::new() };
        view.turn(action, &mut recorder);
        twin.turn(action, &mut recorder.steps, &mut recorder.rebirths);
        assert_eq!(Twin::of(&view), twin, "{action:?} in\n{before}");
        assert!(recorder.steps.is_empty() && recorder.rebirths.is_empty(), "{action:?} in\n{before}");
        mind = recorder.mind;
    }
}

#[test]
fn the_rules_are_those_of_the_twin() {
    for level in &LEVELS {
        for policy in GuardPolicy::ALL {
            for seed in 0..6 {
                plays_like_its_twin(read_level(level.text, Delays::default()).unwrap(), policy, seed, 200);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn generated_levels_play_like_their_twins(
        seed in any::<u32>(), difficulty in 1_u8..=10, policy in 0..4_usize,
        dig in 1_u8..4, open in 2_u8..40, trap in 1_u8..12, rebirth in 1_u8..4, carry in 1_u8..30, rest in 0_u8..4,
    ) {
        let delays = Delays { dig, open, trap, rebirth, carry, rest };
        let level = LevelPlan::new(12, 20, difficulty).unwrap().generate(delays, u64::from(seed));
        plays_like_its_twin(level, GuardPolicy::ALL[policy], u64::from(seed), 250);
    }

    /// Any text is a position, a level, or refused; nothing panics, and what is read is written as it was.
    #[test]
    fn texts_are_read_or_refused(text in "(runner=[a-d][0-4] |gold=[a-d][1-4] |guard=[a-d][1-4](:trapped=[0-9]|:away=1|:gold=[0-9]|:climbed)? |hole=[a-d][1-4]:[0-9]+ |busy=[0-2] |rest=[0-4] |fate=(won|caught|buried) ){0,5}\n([.bB#GEMH-]{4}\n){0,4}") {
        if let Ok(view) = read_position(&text, Delays::default()) {
            let written = view.to_string();
            prop_assert_eq!(read_position(&written, Delays::default()).unwrap(), view);
        }
    }

    #[test]
    fn proofs_finish_their_levels(seed in any::<u32>(), difficulty in 1_u8..=10) {
        let level = LevelPlan::new(14, 24, difficulty).unwrap().generate(Delays::default(), u64::from(seed));
        let proof = prove(&level).unwrap();
        let mut view = without_guards(&level);
        play(&mut view, &proof);
        prop_assert_eq!(view.moment().fate, Fate::Won);
    }
}

#[test]
fn every_level_that_comes_with_the_game_can_be_finished() {
    for level in &LEVELS {
        let view = read_level(level.text, Delays::default()).unwrap();
        let proof = prove(&view).unwrap_or_else(|| panic!("{} has no proof", level.name));
        let mut alone = without_guards(&view);
        play(&mut alone, &proof);
        assert_eq!(alone.moment().fate, Fate::Won, "{}", level.name);
        assert!(level.text.contains('H'), "{} says where its exit is", level.name);
    }
}

#[test]
fn the_runner_walks_falls_and_holds_on_to_ropes() {
    let mut view = level("H......\nM.-....\nb......\n.......\n.......");
    play(&mut view, &[Right]);
    assert!(told(&view).starts_with("runner=b2"));
    assert_eq!(view.moves(), [Wait], "in the air nothing can be done");
    play(&mut view, &[Wait, Wait, Wait]);
    assert!(told(&view).starts_with("runner=b5"), "{}", told(&view));
    let mut hangs = position("runner=c2 rest=3\nH......\n..-....\nb......\n.......\n.......");
    assert_eq!(hangs.moves(), [Left, Right, Down, Wait], "a rope holds; letting go is down");
    play(&mut hangs, &[Down]);
    assert_eq!(hangs.moves(), [Wait]);
    let mut caught_by_rope =
        position("runner=c1 gold=g4 rest=3\n.......\n.......\n..-....\n.......\nbbbbbbb");
    play(&mut caught_by_rope, &[Wait, Wait]);
    assert!(told(&caught_by_rope).starts_with("runner=c3"));
    assert!(caught_by_rope.is_legal(Left), "a rope ends a fall");
}

#[test]
fn exit_ladders_appear_with_the_last_gold() {
    let mut view = level("H....\nHMG.G\nbbbbb");
    assert!(!view.is_legal(Up));
    play(&mut view, &[Left]);
    assert!(!view.is_legal(Up), "it is not there yet");
    play(&mut view, &[Right, Right]);
    assert_eq!(view.moment().gold_left(), 1);
    play(&mut view, &[Right, Right, Left, Left, Left, Left, Up]);
    assert_eq!(view.moment().fate, Fate::Won);
    assert_eq!(view.moves(), []);
}

#[test]
fn holes_close_over_the_runner() {
    let mut view = position("runner=b2 gold=e1 rest=3\n.....\n.....\nbbbbb\nBBBBB");
    play(&mut view, &[DigRight]);
    assert_eq!(view.moves(), [Wait], "digging takes two turns");
    play(&mut view, &[Wait, Right, Wait]);
    assert!(told(&view).starts_with("runner=c3"));
    assert_eq!(view.moves(), [Wait], "there is no way out of a hole between bricks");
    play(&mut view, &[Wait; 32]);
    assert_eq!(view.moment().fate, Fate::Running);
    play(&mut view, &[Wait]);
    assert_eq!(view.moment().fate, Fate::Buried, "37 turns after it was dug");
}

#[test]
fn what_cannot_be_dug() {
    let stone = position("runner=b2 gold=e1 rest=3\n.....\n.....\nBBBBB");
    assert!(!stone.is_legal(DigLeft) && !stone.is_legal(DigRight));
    let under_gold = position("runner=b2 gold=c2 rest=3\n.....\n.....\nbbbbb");
    assert!(under_gold.is_legal(DigLeft) && !under_gold.is_legal(DigRight));
    let under_guard = position("runner=b2 gold=e1 guard=c2 rest=3\n.....\n.....\nbbbbb");
    assert!(!under_guard.is_legal(DigRight));
    let under_ladder = position("runner=b2 gold=e1 rest=3\n..#..\n..#..\nbbbbb");
    assert!(!under_ladder.is_legal(DigRight));
    let twice = position("runner=b2 gold=e1 hole=c3:5 rest=3\n.....\n.....\nbbbbb");
    assert!(!twice.is_legal(DigRight));
}

/// A guard on the right walks into a hole, is walked over, climbs out.
#[test]
fn a_guard_is_trapped_and_carries_the_runner() {
    let mut view = position("runner=b2 gold=a1 guard=d2 rest=3\n......\n......\nbbbbbb\nBBBBBB");
    view.turn(DigRight, &mut Script(vec![GuardStep::Left]));
    view.turn(Wait, &mut still());
    assert!(told(&view).contains("guard=c3:trapped=10"), "it fell: {}", told(&view));
    play(&mut view, &[Right]);
    assert!(view.is_legal(Right), "the runner stands on its head");
    play(&mut view, &[Right]);
    assert!(told(&view).starts_with("runner=d2"));
    play(&mut view, &[Wait; 7]);
    assert!(told(&view).contains("guard=c3:trapped=1"), "{}", told(&view));
    let mut runs = view.clone();
    play(&mut runs, &[Right]);
    assert!(told(&runs).contains("guard=c2:climbed"), "it climbs out: {}", told(&runs));
    let before = told(&runs);
    runs.turn(Right, &mut Script(vec![GuardStep::Right]));
    assert!(told(&runs).contains("guard=d2"), "and walks on: {before}, then {}", told(&runs));
}

#[test]
fn a_guard_that_climbs_out_catches_the_runner_on_its_head() {
    let mut view = position("runner=c2 gold=a1 guard=c3:trapped=1 hole=c3:9 rest=3\n.....\n.....\nbbbbb");
    play(&mut view, &[Wait]);
    assert_eq!(view.moment().fate, Fate::Caught);
}

#[test]
fn a_buried_guard_comes_back_at_the_top() {
    let mut view = position("runner=a2 gold=e1 guard=c3:trapped=9 hole=c3:2 rest=3\n#....\n#....\nbbbbb");
    play(&mut view, &[Wait, Wait]);
    assert!(told(&view).contains("guard=c3:away=2"), "{}", told(&view));
    play(&mut view, &[Wait, Wait]);
    assert!(told(&view).contains("guard=b1"), "the first free cell of the top row: {}", told(&view));
}

#[test]
fn guards_carry_gold_and_lose_it() {
    let mut view = position("runner=f3 gold=b2 guard=a2 rest=3\n......\n......\nbbbbb.\nBBBBBB");
    view.turn(Wait, &mut Script(vec![GuardStep::Right]));
    assert!(told(&view).contains("guard=b2:gold=24"), "it takes the gold: {}", told(&view));
    assert_eq!(view.moment().gold_left(), 1);
    let mut falls = position("runner=f3 guard=b2:gold=9 hole=c3:9 rest=3\n......\n......\nbbbbb.\nBBBBBB");
    falls.turn(Wait, &mut Script(vec![GuardStep::Right]));
    falls.turn(Wait, &mut still());
    assert!(
        told(&falls).contains("gold=c2 guard=c3:trapped=10 "),
        "it drops it above the hole: {}",
        told(&falls)
    );
    let mut due = position("runner=f3 guard=b2:gold=1 rest=3\n......\n......\nbbbbb.\nBBBBBB");
    play(&mut due, &[Wait]);
    assert!(told(&due).contains("gold=b2 guard=b2 "), "its time is over: {}", told(&due));
    let mut buried =
        position("runner=a1 guard=c3:trapped=5:gold=3 hole=c3:1 rest=3\nH.....\n......\nbbbbb.\nBBBBBB");
    assert!(!buried.moment().has_exits());
    play(&mut buried, &[Wait]);
    assert!(buried.moment().has_exits(), "gold that is buried counts as taken");
    let mut waiting =
        position("runner=a1 guard=c2:trapped=10:gold=12 hole=c2:1 rest=3\n......\nbbbbbb\nBBBBBB");
    play(&mut waiting, &[Wait]);
    assert_eq!(waiting.moment().fate, Fate::Won, "the runner is at the top already");
}

#[test]
fn guards_rest_and_never_share_a_cell() {
    let mut view = position("runner=a1 gold=e1 guard=c2 guard=d2 rest=1\n#....\n#....\nbbbbb");
    view.turn(Wait, &mut Script(vec![GuardStep::Left; 2]));
    assert!(told(&view).contains("guard=c2 guard=d2 rest=3"), "they rest: {}", told(&view));
    view.turn(Wait, &mut Script(vec![GuardStep::Right, GuardStep::Left]));
    assert!(told(&view).contains("guard=c2 guard=d2"), "each is in the way of the other: {}", told(&view));
    view.turn(Wait, &mut Script(vec![GuardStep::Left, GuardStep::Left]));
    assert!(told(&view).contains("guard=b2 guard=c2"), "{}", told(&view));
}

#[test]
fn time_runs_out_and_policies_are_the_referees() {
    let view = level("H....\nHM..G\nbbbbb");
    let game = LodeRunner::on(view, GuardRule::Policy(GuardPolicy::Lazy), 3);
    let mut state = game.start(&mut Rng::new(1));
    assert_eq!(state.policy(), GuardPolicy::Lazy);
    for _ in 0..3 {
        assert_eq!(game.outcome(&state), None);
        game.play(&mut state, Wait);
    }
    assert_eq!(game.outcome(&state), Some(Outcome::Win(Seat::Second)));
    let any = LodeRunner::on(level("H....\nHM..G\nbbbbb"), GuardRule::Any, 3);
    let drawn: std::collections::HashSet<GuardPolicy> =
        (0..50).map(|seed| any.start(&mut Rng::new(seed)).policy()).collect();
    assert_eq!(drawn.len(), 4, "every policy is drawn");
}

#[test]
fn the_letters_of_the_corpus_are_read_and_exits_added() {
    let view = level("........\n........\n.M.G..E.\nbbb#bbbb\n...#....\nBBBBBBBB");
    assert_eq!(view.moment().guards().len(), 1);
    let text = write_level(&view);
    assert!(text.starts_with("...H....\n...H....\n.M.G..E.\nbbb#bbbb"), "{text}");
    assert!(prove(&view).is_some());
    let no_ladder = level("....\n..G.\n.M..\nbbbb");
    assert!(write_level(&no_ladder).starts_with("H...\nH.G.\nHM.."), "{}", write_level(&no_ladder));
    let open_top = level("#...\n#M.G\nbbbb");
    assert!(!write_level(&open_top).contains('H'), "a ladder to the top is a way out");
}

#[test]
fn what_is_no_level_is_refused() {
    let refused = |text: &str| read_level(text, Delays::default()).unwrap_err();
    assert_eq!(refused(""), BadLevel::Size { rows: 0, cols: 0 });
    assert_eq!(refused(&"M".repeat(33)), BadLevel::Size { rows: 1, cols: 33 });
    assert_eq!(refused("M..\nbb"), BadLevel::Ragged { row: 2, found: 2, expected: 3 });
    assert_eq!(refused("M.\n.?"), BadLevel::Letter { row: 2, col: 2, found: '?' });
    assert_eq!(refused("..\nGb"), BadLevel::Runners { found: 0 });
    assert_eq!(refused("MM\nGb"), BadLevel::Runners { found: 2 });
    assert_eq!(refused("M.\nbb"), BadLevel::Over);
    let guards = format!("{}\nM{}", "E".repeat(20), "b".repeat(19));
    assert_eq!(refused(&guards), BadLevel::Guards { found: 20 });
    assert_eq!(LevelPlan::new(6, 8, 1), Err(BadPlan::Size { rows: 6, cols: 8 }));
    assert_eq!(LevelPlan::new(16, 28, 11), Err(BadPlan::Difficulty { difficulty: 11 }));
}

#[test]
fn what_cannot_be_is_no_position() {
    let refused = |words: &str| {
        let text = format!("{words}\n.....\n.....\nbbBbb");
        read_position(&text, Delays::default()).unwrap_err()
    };
    assert_eq!(refused("runner=a3 gold=b1"), BadLevel::Blocked { cell: "a3".to_owned() });
    assert_eq!(refused("gold=b1"), BadLevel::Runners { found: 0 });
    assert_eq!(refused("runner=a2 gold=b1 hole=c3:4"), BadLevel::NoBrick { cell: "c3".to_owned() });
    assert_eq!(refused("runner=a2 guard=a2 gold=b1"), BadLevel::Twice { cell: "a2".to_owned() });
    assert_eq!(refused("runner=a1"), BadLevel::Over);
    assert_eq!(refused("runner=z9 gold=b1"), BadLevel::Word { word: "runner=z9".to_owned() });
    let word = "hole=b3:99".to_owned();
    assert_eq!(refused("runner=a2 gold=b1 hole=b3:99"), BadLevel::Number { word, most: 37 });
}

#[test]
fn refusals_of_moves_say_why() {
    let game = LodeRunner::on(level("H....\nHM..G\nbbbbb"), GuardRule::Absent, 100);
    let state = game.start(&mut Rng::new(1));
    let refusal = |text: &str| game.read_move(&state, text).unwrap_err().to_string();
    assert_eq!(refusal("up"), "the move 'up' cannot be played: no ladder leads up from here");
    assert_eq!(refusal("down"), "the move 'down' cannot be played: nothing can be entered there");
    assert!(refusal("jump").contains("expected left, right, up, down, dig-left, dig-right or wait"));
    assert!(game.read_move(&state, "RIGHT").is_ok());
}

/// The same seed makes the same level, and levels of different seeds differ.
#[test]
fn levels_are_determined_by_their_seeds() {
    let plan = LevelPlan::new(16, 28, 5).unwrap();
    let made: Vec<String> =
        (0..20).map(|seed| write_level(&plan.generate(Delays::default(), seed))).collect();
    let again: Vec<String> =
        (0..20).map(|seed| write_level(&plan.generate(Delays::default(), seed))).collect();
    assert_eq!(made, again);
    let distinct: std::collections::HashSet<&String> = made.iter().collect();
    assert_eq!(distinct.len(), 20);
}

#[test]
fn the_plan_is_drawn_where_it_is_asked_for() {
    use outplay_core::scene::{Cell, Meaning, Place};
    let game = LodeRunner::on(level("H....\nHM..G\nbbbbb"), GuardRule::Absent, 100);
    let state = game.start(&mut Rng::new(1));
    assert_eq!(game.scene(&state, None).marks, []);
    let marks = game.showing_plan().scene(&state, None).marks;
    let told: Vec<(Place, Meaning)> = marks.iter().map(|mark| (mark.at, mark.meaning)).collect();
    let step = |column, turn| (Place::Cell(Cell::new(column, 1)), Meaning::Plan(turn));
    assert_eq!(told, [step(2, 1), step(3, 2), step(4, 3)]);
}

#[test]
fn every_move_has_its_key_and_waiting_is_idle() {
    let game = LodeRunner::on(level("H....\nHM..G\nbbbbb"), GuardRule::Absent, 100);
    let scene = game.scene(&game.start(&mut Rng::new(1)), None);
    let is_keyed = |mv: &String| scene.keys.iter().any(|keyed| keyed.mv == *mv);
    assert!(scene.gestures.iter().all(|gesture| is_keyed(&gesture.mv) && gesture.touches.is_empty()));
    assert_eq!(scene.idle.as_deref(), Some("wait"));
}
