//! Monte Carlo search against exact answers, and against the invariants of players.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::{Evaluator, ForcedResult, Player, Position, Rng, Score, Seat, Thought, Turn, View};

use super::{Clock, Mcts, Playout, PlayoutPolicy, PlayoutResult};
use crate::testing::{Drop3, Height, Noise, SelectiveEvaluator, TicTacToe, Tug, choose, wander, watch};
use crate::tree::{ROOT, Tree};
use crate::{AlphaBeta, Budget, EvenEvaluator};

fn simulating(simulations: u64) -> Mcts<Drop3, EvenEvaluator> {
    Mcts::new(EvenEvaluator, Budget::nodes(simulations))
}

/// The conclusion, without the time it took.
fn conclusion<P: Position>(player: &mut impl Player<P>, view: &P, seed: u64) -> Thought<P::Move> {
    let last = watch(player, view, seed).1.pop().expect("a search shows its conclusion");
    Thought { elapsed: Duration::ZERO, ..last }
}

/// The exact score of every move, by exhaustive alpha-beta.
fn exact(position: &Drop3) -> Vec<(u8, Score)> {
    let mut solver = AlphaBeta::new(EvenEvaluator, Budget::depth(20)).with_table(1 << 16);
    let score = |mv| {
        let child = position.after(mv);
        let end = crate::terminal::terminal_score(&child);
        -end.unwrap_or_else(|| conclusion(&mut solver, &child, 1).candidates[0].score.unwrap()).delayed(1)
    };
    position.moves().into_iter().map(score).zip(position.moves()).map(|(score, mv)| (mv, score)).collect()
}

fn sign(score: Score) -> i32 {
    match score.forced_result() {
        Some(ForcedResult::Win(_)) => 1,
        Some(ForcedResult::Loss(_)) => -1,
        None => 0,
    }
}

#[test]
fn forced_results_are_found_and_every_proof_is_true() {
    let (mut wins, mut proofs) = (0, 0);
    for seed in 0..60 {
        let position = wander(&Drop3::START, 5 + seed as u32 % 6, seed);
        let truth = exact(&position);
        let thought = conclusion(&mut simulating(3000).with_trees(1 + seed as usize % 2), &position, seed);
        let true_score = |mv| truth.iter().find(|(other, _)| *other == mv).unwrap().1;
        let best = truth.iter().map(|(_, score)| sign(*score)).max().unwrap();
        assert_eq!(sign(true_score(thought.candidates[0].mv)), best, "{position:?}");
        for candidate in &thought.candidates {
            if let Some(proof) = candidate.score {
                assert_eq!(sign(proof), sign(true_score(candidate.mv)), "{candidate:?} in {position:?}");
                // A proven win may be slower than the fastest, never faster.
                assert!(proof <= true_score(candidate.mv) || sign(proof) < 0);
                proofs += 1;
            }
        }
        wins += i32::from(best == 1);
    }
    assert!(wins >= 15 && proofs >= 100, "{wins} wins, {proofs} proofs");
}

#[test]
fn tic_tac_toe_is_not_lost() {
    // The corner is answered in the centre; everything else loses.
    let thought = conclusion(
        &mut Mcts::new(EvenEvaluator, Budget::nodes(20_000)),
        &TicTacToe::read("X.. ... ... O"),
        1,
    );
    assert_eq!(thought.candidates[0].mv, 4);
}

#[test]
fn the_answer_is_the_most_visited_move_and_the_thought_adds_up() {
    let position = wander(&Drop3::START, 2, 8);
    let (mv, thoughts) = watch(&mut simulating(700), &position, 3);
    let thought = thoughts.last().unwrap();
    assert_eq!(thoughts.len(), 2, "one after 256 simulations, one at the end");
    assert_eq!(thought.candidates[0].mv, mv);
    assert_eq!(thought.candidates.len(), position.moves().len());
    assert!((thought.candidates.iter().map(|candidate| candidate.weight).sum::<f64>() - 1.0).abs() < 1e-9);
    for candidate in &thought.candidates {
        assert_eq!(candidate.line[0], candidate.mv);
        let mut end = position.clone();
        for &mv in &candidate.line {
            assert!(end.is_legal(mv));
            end.play(mv);
        }
    }
    let undecided = thought.candidates.iter().filter(|candidate| candidate.score.is_none());
    assert!(undecided.is_sorted_by(|a, b| a.weight >= b.weight));
}

#[test]
fn a_budget_of_simulations_is_spent_exactly_by_any_number_of_trees() {
    for (trees, simulations) in [(1, 500), (3, 500), (3, 2), (4, 1)] {
        let thought = conclusion(&mut simulating(simulations).with_trees(trees), &Drop3::START, 1);
        assert_eq!(thought.nodes, simulations, "{trees} trees");
    }
}

#[test]
fn trees_give_the_same_answer_on_any_number_of_cores() {
    let on_cores = |cores: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().unwrap();
        pool.install(|| play_game(&mut simulating(600).with_trees(3), 5))
    };
    assert_eq!(on_cores(1), on_cores(2));
}

/// The visits of the root moves, in the order of the game.
fn visits<P: Position>(tree: &Tree<P::Move>, root: &P) -> Vec<u32> {
    root.moves().into_iter().map(|mv| tree.node(tree.child(ROOT, mv).unwrap()).visits).collect()
}

#[test]
fn trees_differ_and_are_summed() {
    let mut player = simulating(900).with_trees(3);
    choose(&mut player, &Drop3::START, 1);
    let visits = |tree: usize| visits(&player.workers[tree].tree, &Drop3::START);
    assert_ne!(visits(0), visits(1));
    assert_eq!((0..3).flat_map(visits).sum::<u32>(), 900);
}

/// The conclusions of a game against random answers.
fn play_game(player: &mut Mcts<Drop3, EvenEvaluator>, seed: u64) -> Vec<Thought<u8>> {
    player.new_game(Seat::First);
    let (mut position, mut rng, mut record) = (wander(&Drop3::START, 1, seed), Rng::new(seed), Vec::new());
    while position.outcome().is_none() {
        let thought = conclusion(player, &position, seed);
        position.play(thought.candidates[0].mv);
        record.push(thought);
        if position.outcome().is_none() {
            position.play(position.random_move(&mut rng, &mut Vec::new()));
        }
    }
    record
}

#[test]
fn a_new_game_knows_nothing_of_the_last() {
    for seed in 0..10 {
        let mut veteran = simulating(300);
        play_game(&mut veteran, seed + 50);
        assert_eq!(play_game(&mut veteran, seed), play_game(&mut simulating(300), seed));
    }
}

#[test]
fn a_new_game_that_happens_to_go_on_where_the_last_stopped_is_still_new() {
    let mut veteran = simulating(500);
    let next = Drop3::START.after(choose(&mut veteran, &Drop3::START, 1)).after(2);
    veteran.new_game(Seat::First);
    assert_eq!(conclusion(&mut veteran, &next, 7), conclusion(&mut simulating(500), &next, 7));
}

#[test]
fn watching_changes_nothing_and_another_seed_may_change_much() {
    let player = || Mcts::new(EvenEvaluator, Budget::nodes(600));
    let mut values = Vec::new();
    for seed in 0..10 {
        let (mut seen, mut unseen) = (player(), player());
        let (mv, thoughts) = watch(&mut seen, &TicTacToe::START, seed);
        assert_eq!(choose(&mut unseen, &TicTacToe::START, seed), mv);
        assert_eq!(
            visits(&seen.workers[0].tree, &TicTacToe::START),
            visits(&unseen.workers[0].tree, &TicTacToe::START)
        );
        values.push(thoughts.last().unwrap().candidates[0].value);
    }
    values.dedup();
    assert!(values.len() > 1);
}

#[test]
fn what_lies_ahead_is_kept_between_moves() {
    let mut player = simulating(2000);
    let mv = choose(&mut player, &Drop3::START, 1);
    let tree = &player.workers[0].tree;
    let answered = |tree: &Tree<u8>, answer| {
        let node = tree.node(tree.child(ROOT, mv).and_then(|node| tree.child(node, answer)).unwrap());
        (node.visits, node.points.to_bits())
    };
    let kept = answered(tree, 2);
    let next = Drop3::START.after(mv).after(2);
    player.reuse_trees(&next, None, &mut Clock::start(&Budget::UNLIMITED, None));
    let root = player.workers[0].tree.node(ROOT);
    assert_eq!((root.visits, root.points.to_bits()), kept);
    assert!(root.visits > 20);
}

#[test]
fn what_does_not_lie_ahead_is_dropped() {
    let visits_after = |next: &Drop3, plies_left| {
        let mut player = simulating(500);
        choose(&mut player, &Drop3::START, 1);
        player.reuse_trees(next, plies_left, &mut Clock::start(&Budget::UNLIMITED, None));
        player.workers[0].tree.node(ROOT).visits
    };
    let mv = choose(&mut simulating(500), &Drop3::START, 1);
    let next = Drop3::START.after(mv).after(2);
    assert!(visits_after(&next, None) > 0);
    assert_eq!(visits_after(&next, Some(9)), 0, "the referee changed his mind");
    assert_eq!(visits_after(&Drop3::START, None), 0, "the same position asked again starts again");
    let other = Drop3::START.moves().into_iter().find(|&other| other != mv).unwrap();
    assert_eq!(visits_after(&Drop3::START.after(other).after(2), None), 0);
}

#[test]
fn a_stopped_search_answers_at_once() {
    let stop = AtomicBool::new(true);
    let (mut rng, mut nodes) = (Rng::new(1), 0);
    let mut watcher = |thought: Thought<u8>| nodes = thought.nodes;
    let mut player: Mcts<Drop3, EvenEvaluator> = Mcts::new(EvenEvaluator, Budget::UNLIMITED);
    let mv = player.choose(&Drop3::START, &mut Turn::new(&mut rng).stoppable(&stop).watched(&mut watcher));
    assert!(Drop3::START.is_legal(mv));
    assert_eq!(nodes, 1);
}

#[test]
#[should_panic(expected = "a number of simulations, a time or a stop flag")]
fn a_search_without_end_is_refused() {
    choose(&mut Mcts::new(EvenEvaluator, Budget::depth(3)), &Drop3::START, 1);
}

#[test]
fn a_budget_of_time_is_kept() {
    let started = Instant::now();
    choose(
        &mut Mcts::new(EvenEvaluator, Budget::time(Duration::from_millis(50))).with_trees(2),
        &TicTacToe::START,
        1,
    );
    let spent = started.elapsed();
    assert!(spent >= Duration::from_millis(50) && spent < Duration::from_secs(1), "{spent:?}");
}

#[test]
fn the_referees_last_ply_is_a_draw_unless_the_board_says_otherwise() {
    let with_left = |position: &Drop3, left, playout| {
        let (mut rng, mut last) = (Rng::new(1), None);
        let mut watcher = |thought| last = Some(thought);
        let mut turn = Turn::new(&mut rng).watched(&mut watcher);
        turn.plies_left = Some(left);
        Mcts::new(Noise { levels: 5000 }, Budget::nodes(500))
            .with_playout(playout)
            .choose(position, &mut turn);
        last.unwrap()
    };
    for playout in [Playout::RANDOM, Playout::RANDOM.cut(2)] {
        let quiet = with_left(&Drop3::START, 3, playout);
        assert!(quiet.candidates.iter().all(|candidate| candidate.value == 0.5), "{quiet:?}");
        assert_eq!(with_left(&one_short(), 1, playout).candidates[0].score, Some(Score::win_in(1)));
    }
}

/// The first seat wins with a third disc in column 0.
fn one_short() -> Drop3 {
    [0, 1, 0, 1].into_iter().fold(Drop3::START, |position, mv| position.after(mv))
}

#[test]
fn a_finished_game_gives_its_points_to_who_won_it() {
    let mut player = simulating(100);
    choose(&mut player, &one_short(), 1);
    let tree = &player.workers[0].tree;
    let winning = tree.node(tree.child(ROOT, 0).unwrap());
    assert_eq!((winning.visits, winning.points), (1, 1.0));
}

#[test]
fn where_nothing_can_repeat_counting_repetitions_changes_nothing() {
    let visits_with = |repetitions| {
        let mut rng = Rng::new(1);
        let mut turn = Turn::new(&mut rng);
        turn.repetitions = repetitions;
        let mut player = Mcts::new(EvenEvaluator, Budget::nodes(500));
        player.choose(&TicTacToe::START, &mut turn);
        visits(&player.workers[0].tree, &TicTacToe::START)
    };
    assert_eq!(visits_with(Some(3)), visits_with(None));
}

#[test]
fn a_position_of_the_past_is_a_draw_when_its_number_is_full() {
    let up = Tug::at(3).after(1).key();
    let value_of_up = |past: &[u64]| {
        let (mut rng, mut last) = (Rng::new(1), None);
        let mut watcher = |thought: Thought<i8>| last = Some(thought);
        let mut turn = Turn::new(&mut rng).watched(&mut watcher);
        (turn.past, turn.repetitions) = (past, Some(3));
        Mcts::new(Height, Budget::nodes(200)).with_playout(Playout::NONE).choose(&Tug::at(3), &mut turn);
        last.unwrap().candidates.into_iter().find(|candidate| candidate.mv == 1).unwrap().value
    };
    assert_eq!(value_of_up(&[up, 99, up]), 0.5);
    assert_ne!(value_of_up(&[up, 99]), 0.5);
}

#[test]
fn a_cut_playout_is_scored_by_the_evaluator_for_the_right_side() {
    for plies in [0, 1, 2, 5] {
        let player = Mcts::new(Height, Budget::nodes(1)).with_playout(Playout::RANDOM.cut(plies));
        let thought = conclusion(&mut { player }, &Tug::at(3), 1);
        let value = thought.candidates[0].value;
        assert!(value > 0.6 && value < 1.0, "high knots are good for the first seat: {value} after {plies}");
    }
}

/// One simulation from height 3 with one random ply after the root's move: the knot is at 1, 3 or 5, where the first seat's
/// chances are 0.646, 0.690 and 0.731. A threshold of 0.7 makes a win of the last and draws of the others.
#[test]
fn a_cut_playout_is_won_lost_or_drawn_by_a_threshold() {
    let value = |root: &Tug, result, seed| {
        let playout = Playout { result, ..Playout::RANDOM.cut(1) };
        let player = Mcts::new(Height, Budget::nodes(1)).with_playout(playout);
        conclusion(&mut { player }, root, seed).candidates[0].value
    };
    let (first, mut second) = (Tug::at(3), Tug::at(3));
    second.pass_to(Seat::Second);
    let (mut won, mut drawn) = (0, 0);
    for seed in 0..40 {
        let chance = value(&first, PlayoutResult::Chance, seed);
        let result = value(&first, PlayoutResult::Threshold(0.7), seed);
        assert_eq!(result, if chance > 0.7 { 1.0 } else { 0.5 }, "{chance}");
        won += u32::from(result == 1.0);
        drawn += u32::from(result == 0.5);
        // Nobody's chance is above 1; the first seat's is always above a half, so the second loses.
        assert_eq!(value(&first, PlayoutResult::Threshold(1.0), seed), 0.5);
        assert_eq!(value(&first, PlayoutResult::Threshold(0.5), seed), 1.0);
        assert_eq!(value(&second, PlayoutResult::Threshold(0.5), seed), 0.0);
    }
    assert!(won > 0 && drawn > 0, "{won} won, {drawn} drawn");
}

/// By hand: above the threshold a win, below its mirror image a loss, at and between them a draw.
#[test]
fn a_threshold_makes_results_of_chances() {
    let points = |chance| PlayoutResult::Threshold(0.75).points(chance);
    assert_eq!([0.76, 0.75, 0.5, 0.25, 0.24].map(points), [1.0, 0.5, 0.5, 0.5, 0.0]);
    assert_eq!(PlayoutResult::Chance.points(0.3), 0.3);
}

/// After one greedy ply the second seat has pulled down whatever the first did.
#[test]
fn a_guided_playout_makes_the_moves_that_the_evaluator_likes() {
    let guided = Playout { policy: PlayoutPolicy::Greedy, ..Playout::RANDOM.cut(1) };
    let expected = |height| Height.score(&Tug::at(height)).chance();
    for seed in 0..20 {
        let mut player = Mcts::new(Height, Budget::nodes(2)).with_playout(guided);
        let mut values: Vec<f64> =
            conclusion(&mut player, &Tug::at(3), seed).candidates.iter().map(|c| c.value).collect();
        values.sort_by(f64::total_cmp);
        assert_eq!(values, [expected(1), expected(3)]);
    }
}

/// Next to its end of the rope, a greedy playout wins at once, though the evaluator is not asked about it.
#[test]
fn a_guided_playout_takes_a_win() {
    let guided = Playout { policy: PlayoutPolicy::Greedy, ..Playout::RANDOM.cut(1) };
    let mut player = Mcts::new(EvenEvaluator, Budget::nodes(2)).with_playout(guided);
    let down = conclusion(&mut player, &Tug::at(2), 1).candidates.into_iter().find(|c| c.mv == -1).unwrap();
    assert_eq!(down.value, 0.0, "the second seat pulls the knot over its end");
}

#[test]
fn only_moves_that_the_evaluator_considers_are_looked_at_the_promising_first() {
    let position = Drop3::START;
    let considered = SelectiveEvaluator::selected(&position);
    let evaluator = |full_depth_moves| SelectiveEvaluator { noise: Noise { levels: 50 }, full_depth_moves };
    let player = |full_depth_moves, simulations| {
        Mcts::new(evaluator(full_depth_moves), Budget::nodes(simulations)).with_playout(Playout::NONE)
    };
    let thought = conclusion(&mut player(usize::MAX, 500), &position, 1);
    assert_eq!(thought.candidates.len(), considered.len());
    assert!(thought.candidates.iter().all(|candidate| considered.contains(&candidate.mv)));
    // With few visits only the move of highest priority of three is available, with many all of them are.
    let visited = |simulations| {
        let thought = conclusion(&mut player(1, simulations), &position, 1);
        thought
            .candidates
            .into_iter()
            .filter(|candidate| candidate.weight > 0.0)
            .map(|c| c.mv)
            .collect::<Vec<_>>()
    };
    assert_eq!(visited(10), [4]);
    assert_eq!(visited(500).len(), considered.len());
}

#[test]
fn expected_playouts_follow_the_evaluators_moves() {
    // The first simulation goes to the move of highest priority, and from there the sampled game is always the same.
    let expected = Playout { policy: PlayoutPolicy::Sampled, ..Playout::RANDOM };
    let evaluator = SelectiveEvaluator { noise: Noise { levels: 50 }, full_depth_moves: usize::MAX };
    let mut position = Drop3::START.after(4);
    while position.outcome().is_none() {
        position.play(SelectiveEvaluator::selected(&position)[0]);
    }
    let points = position.outcome().unwrap().points(Seat::First);
    let mut player = Mcts::new(evaluator, Budget::nodes(1)).with_playout(expected);
    let first = conclusion(&mut player, &Drop3::START, 1).candidates[0].clone();
    assert_eq!((first.mv, first.value), (4, points));
}
