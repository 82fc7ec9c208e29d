//! Alpha-beta against minimax, and against the invariants of players.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use outplay_core::{Evaluator, ForcedResult, Player, Position, Rng, Score, Seat, Thought, Turn, View};
use proptest::prelude::*;

use super::AlphaBeta;
use super::search::{AlphaBetaSearch, SearchMemory, just_above};
use super::transposition::BoundKind;
use crate::budget::Clock;
use crate::terminal::{TerminalRules, terminal_score};
use crate::testing::{Drop3, Height, Noise, SelectiveEvaluator, TicTacToe, Tug, choose, wander, watch};
use crate::{Budget, EvenEvaluator, Minimax, TerminalAwareness};

fn conclusion<P: Position>(player: &mut impl Player<P>, position: &P) -> Thought<P::Move> {
    watch(player, position, 1).1.pop().expect("a search shows its conclusion")
}

/// The scores of all root moves by minimax, best first.
fn true_scores<P: Position>(position: &P, evaluator: impl Evaluator<P>, depth: u32) -> Vec<Score> {
    let thought = conclusion(&mut Minimax::new(evaluator, depth, TerminalAwareness::Outcomes), position);
    thought.candidates.iter().map(|candidate| candidate.score.unwrap()).collect()
}

/// Follows a line, which must be legal, and returns the score of its end for the side to move at `position`.
fn score_at_end_of<P: Position>(position: &P, line: &[P::Move], evaluator: &mut impl Evaluator<P>) -> Score {
    let mut end = position.clone();
    for &mv in line {
        assert!(end.is_legal(mv), "{mv:?} of {line:?}");
        end.play(mv);
    }
    let plies = line.len() as u32;
    let score = terminal_score(&end).unwrap_or_else(|| evaluator.score(&end)).delayed(plies);
    if plies.is_multiple_of(2) { score } else { -score }
}

fn agrees_with_minimax<P: Position>(position: &P, noise: Noise, depth: u32, entries: usize) {
    let truth = true_scores(position, noise, depth);
    let mut player = AlphaBeta::new(noise, Budget::depth(depth)).with_table(entries);
    let (mv, thoughts) = watch(&mut player, position, 1);
    let best = &thoughts.last().unwrap().candidates[0];
    assert_eq!(best.score, Some(truth[0]));
    assert_eq!(best.mv, mv);
    assert_eq!(best.line[0], mv);
    assert_eq!(
        score_at_end_of(position, &best.line, &mut { noise }),
        truth[0],
        "at the end of {:?}",
        best.line
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_score_is_minimaxs(
        seed: u64, plies in 0u32..14, depth in 1u32..=7, levels in prop::sample::select(&[2, 5000][..]),
        entries in prop::sample::select(&[4, 64, 1 << 14][..]),
    ) {
        agrees_with_minimax(&wander(&Drop3::START, plies, seed), Noise { levels }, depth, entries);
        let smaller = wander(&TicTacToe::START, 2 + plies.min(5), seed);
        agrees_with_minimax(&smaller, Noise { levels }, depth, entries);
    }

    #[test]
    fn every_candidates_score_is_minimaxs(
        seed: u64, plies in 0u32..10, depth in 2u32..=4, asked in 2usize..=5,
    ) {
        let (position, noise) = (wander(&Drop3::START, plies, seed), Noise { levels: 50 });
        let truth = true_scores(&position, noise, depth);
        let mut player = AlphaBeta::new(noise, Budget::depth(depth)).with_table(1 << 12).with_candidates(asked);
        let thought = conclusion(&mut player, &position);
        // A search that is settled early knows the best move's score for good, the others' at its own depth.
        prop_assume!(thought.depth == depth);
        let scores: Vec<Score> = thought.candidates.iter().filter_map(|candidate| candidate.score).collect();
        let count = asked.min(truth.len());
        prop_assert!(scores.len() >= count);
        prop_assert_eq!(&scores[..count], &truth[..count]);
        for candidate in &thought.candidates {
            let end = score_at_end_of(&position, &candidate.line, &mut { noise });
            prop_assert_eq!(Some(end), candidate.score);
        }
    }

    /// The table remembers searches that had more plies left; what it says must still hold. In this game the
    /// same position is met at many distances from the referee's draw.
    #[test]
    fn the_referees_last_ply_holds_through_a_game(seed: u64, height in 1i8..Tug::TOP, plies_left in 1u32..12) {
        let mut rng = Rng::new(seed);
        let mut player = AlphaBeta::new(Height, Budget::depth(20)).with_table(1 << 10);
        let (mut position, mut left) = (Tug::at(height), plies_left);
        while left > 0 && position.outcome().is_none() {
            let mut scores = Vec::new();
            let mut watcher = |thought: Thought<i8>| scores.push(thought.candidates[0].score);
            let mut turn = Turn::new(&mut rng).watched(&mut watcher);
            turn.plies_left = Some(left);
            player.choose(&position, &mut turn);
            let truth = solve(&position, left);
            prop_assert_eq!(scores.pop().flatten(), Some(truth), "{:?}, {} left", position, left);
            for _ in 0..2 {
                if position.outcome().is_none() {
                    position.play(position.random_move(&mut rng, &mut Vec::new()));
                }
            }
            left = left.saturating_sub(2);
        }
    }
}

/// The score of a position when the game is drawn after this many plies.
fn solve<P: Position>(position: &P, plies_left: u32) -> Score {
    match terminal_score(position) {
        Some(end) => end,
        None if plies_left == 0 => Score::EVEN,
        None => {
            let worths =
                position.moves().into_iter().map(|mv| -solve(&position.after(mv), plies_left - 1).delayed(1));
            worths.max().expect("an unfinished position has a move")
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let thought = conclusion(&mut AlphaBeta::new(Noise { levels: 99 }, Budget::depth(9)), &TicTacToe::START);
    assert_eq!((thought.depth, thought.candidates[0].score), (9, Some(Score::EVEN)));
    assert_eq!(thought.candidates[0].line.len(), 9, "the line goes to the end");
}

#[test]
fn a_forced_win_is_found_at_its_depth_and_no_deeper_search_is_made() {
    let mut checked = 0;
    for seed in 0..200 {
        let position = wander(&Drop3::START, 4, seed);
        let thought =
            conclusion(&mut AlphaBeta::new(EvenEvaluator, Budget::depth(9)).with_table(1 << 14), &position);
        if let Some(ForcedResult::Win(plies) | ForcedResult::Loss(plies)) =
            thought.candidates[0].score.unwrap().forced_result()
        {
            assert_eq!(thought.depth, plies);
            assert_eq!(thought.candidates[0].score.unwrap(), solve(&position, plies));
            checked += u32::from(plies >= 3);
        }
    }
    assert!(checked > 20, "only {checked} positions with a forced result");
}

#[test]
fn a_node_budget_is_kept_and_gives_the_same_search_twice() {
    for (seed, limit) in (0..20).flat_map(|seed| [1, 100, 3000].map(|limit| (seed, limit))) {
        let position = wander(&Drop3::START, 3, seed);
        let search = || {
            let mut player = AlphaBeta::new(Noise { levels: 9 }, Budget::nodes(limit)).with_table(256);
            let mv = choose(&mut player, &position, 1);
            (mv, player.nodes())
        };
        let (mv, nodes) = search();
        assert_eq!(search(), (mv, nodes));
        assert!(position.is_legal(mv));
        assert!(nodes <= limit.max(position.moves().len() as u64), "{nodes} nodes of {limit}");
    }
}

/// Not even the first ply is finished if its evaluations are slow.
#[test]
fn slow_evaluations_are_stopped() {
    struct Slow(usize);
    impl Evaluator<TicTacToe> for Slow {
        fn set_root_seat(&mut self, _seat: Seat) {}
        fn score(&mut self, _position: &TicTacToe) -> Score {
            std::thread::sleep(Duration::from_millis(4));
            self.0 += 1;
            Score::EVEN
        }
    }
    let stop = AtomicBool::new(true);
    let (mut rng, mut candidates) = (Rng::new(1), 0);
    let mut watcher = |thought: Thought<u8>| candidates = thought.candidates.len();
    let mut player = AlphaBeta::new(Slow(0), Budget::UNLIMITED).with_table(256);
    let mut turn = Turn::new(&mut rng).stoppable(&stop).watched(&mut watcher);
    let mv = player.choose(&TicTacToe::START, &mut turn);
    assert!(TicTacToe::START.is_legal(mv));
    assert!(player.evaluator.0 < 9, "{} positions were evaluated", player.evaluator.0);
    assert!(candidates > 0);
}

#[test]
fn a_stopped_player_answers_from_one_ply() {
    let stop = AtomicBool::new(true);
    for seed in 0..50 {
        let position = wander(&Drop3::START, 5, seed);
        let mut player = AlphaBeta::new(Noise { levels: 5000 }, Budget::UNLIMITED).with_table(256);
        let (mut rng, mut score) = (Rng::new(1), None);
        let mut watcher = |thought: Thought<u8>| score = thought.candidates[0].score;
        player.choose(&position, &mut Turn::new(&mut rng).stoppable(&stop).watched(&mut watcher));
        assert_eq!(score, Some(true_scores(&position, Noise { levels: 5000 }, 1)[0]));
        assert_eq!(player.nodes(), position.moves().len() as u64);
    }
}

#[test]
fn a_win_beyond_the_referees_last_ply_is_no_win() {
    let (position, plies) = (0..)
        .map(|seed| wander(&Drop3::START, 4, seed))
        .find_map(|position| match solve(&position, 7).forced_result() {
            Some(ForcedResult::Win(plies)) if plies >= 3 => Some((position, plies)),
            _ => None,
        })
        .unwrap();
    for (left, expected) in [(plies - 1, Score::EVEN), (plies, Score::win_in(plies))] {
        let (mut rng, mut score) = (Rng::new(1), None);
        let mut watcher = |thought: Thought<u8>| score = thought.candidates[0].score;
        let mut turn = Turn::new(&mut rng).watched(&mut watcher);
        turn.plies_left = Some(left);
        AlphaBeta::new(Noise { levels: 9 }, Budget::depth(12))
            .with_table(1 << 12)
            .choose(&position, &mut turn);
        assert_eq!(score, Some(expected), "{left} plies left");
    }
}

fn tug_score(height: i8, depth: u32, past: &[u64], repetitions: Option<u32>) -> (i8, Score) {
    let (mut rng, mut score) = (Rng::new(1), None);
    let mut watcher = |thought: Thought<i8>| score = thought.candidates[0].score;
    let mut turn = Turn::new(&mut rng).watched(&mut watcher);
    (turn.past, turn.repetitions) = (past, repetitions);
    let mv = AlphaBeta::new(Height, Budget::depth(depth)).choose(&Tug::at(height), &mut turn);
    (mv, score.unwrap())
}

#[test]
fn a_position_repeated_on_the_path_is_a_draw() {
    for depth in 6..12 {
        assert_eq!(tug_score(3, depth, &[], Some(3)).1, Score::EVEN, "depth {depth}");
        assert_ne!(tug_score(3, depth, &[], None).1, Score::EVEN, "depth {depth}");
    }
    assert_eq!(tug_score(5, 8, &[], Some(3)), (1, Score::win_in(1)));
}

#[test]
fn a_position_of_the_past_is_a_draw_when_its_number_is_full() {
    let up = Tug::at(3).after(1).key();
    assert_eq!(tug_score(3, 1, &[up], Some(3)).0, 1, "once more is allowed");
    assert_eq!(tug_score(3, 1, &[up, 99, up], Some(3)).0, -1, "a draw is worse than a high knot");
    assert_eq!(tug_score(3, 1, &[up, 99, up], None).0, 1);
}

/// The moves and node counts of a game against random answers.
fn play_game(player: &mut AlphaBeta<Drop3, Noise>, seed: u64) -> Vec<(u8, u64)> {
    player.new_game(Seat::First);
    let (mut position, mut rng, mut record) = (wander(&Drop3::START, 2, seed), Rng::new(seed), Vec::new());
    while position.outcome().is_none() {
        let mv = choose(player, &position, seed);
        record.push((mv, player.nodes()));
        position.play(mv);
        if position.outcome().is_none() {
            position.play(position.random_move(&mut rng, &mut Vec::new()));
        }
    }
    record
}

#[test]
fn a_new_game_knows_nothing_of_the_last() {
    let fresh = || AlphaBeta::new(Noise { levels: 3 }, Budget::depth(5)).with_table(1 << 10);
    for seed in 0..20 {
        let mut veteran = fresh();
        play_game(&mut veteran, seed + 100);
        assert_eq!(play_game(&mut veteran, seed), play_game(&mut fresh(), seed));
    }
}

#[test]
fn watching_changes_nothing() {
    for seed in 0..50 {
        let position = wander(&Drop3::START, seed as u32 % 8, seed);
        let player = || {
            AlphaBeta::new(Noise { levels: 2 }, Budget::nodes(2000)).with_table(1 << 10).with_candidates(2)
        };
        let (mut unseen, mut seen) = (player(), player());
        let (mv, thoughts) = watch(&mut seen, &position, seed);
        assert_eq!(choose(&mut unseen, &position, seed), mv);
        assert_eq!(unseen.nodes(), seen.nodes());
        assert_eq!(thoughts.last().unwrap().candidates[0].mv, mv, "the last thought is the conclusion");
    }
}

#[test]
fn every_line_shown_in_a_game_is_legal() {
    for seed in 0..20 {
        let mut player =
            AlphaBeta::new(Noise { levels: 9 }, Budget::depth(4)).with_table(1 << 10).with_candidates(3);
        let mut position = Drop3::START;
        while position.outcome().is_none() {
            let (mv, thoughts) = watch(&mut player, &position, seed);
            for candidate in thoughts.iter().flat_map(|thought| &thought.candidates) {
                score_at_end_of(&position, &candidate.line, &mut EvenEvaluator);
            }
            position = wander(&position.after(mv), 1, seed);
        }
    }
}

#[test]
fn an_abandoned_search_leaves_nothing_wrong_behind() {
    for (seed, limit) in (0..200).zip((20..120).cycle()) {
        let position = wander(&Drop3::START, 12, seed);
        let mut player = AlphaBeta::new(Noise { levels: 5000 }, Budget::nodes(limit)).with_table(1 << 10);
        choose(&mut player, &position, 1);
        player.budget = Budget::depth(20);
        let thought = conclusion(&mut player, &position);
        assert_eq!(
            thought.candidates[0].score,
            Some(solve(&position, 20)),
            "{position:?} after {limit} nodes"
        );
    }
}

/// The score of the start position one ply below the root of an iteration of 3 plies, when the table already
/// has this score for it.
fn searched_with(known: Score, known_depth: u32, plies_left: Option<u32>) -> Score {
    let (mut memory, mut rng) = (SearchMemory::new(64), Rng::new(1));
    memory.table.clear();
    memory.table.store(Drop3::START.key(), None, (BoundKind::Exact, known), known_depth, 0);
    let mut turn = Turn::<u8>::new(&mut rng);
    turn.plies_left = plies_left;
    let mut search = AlphaBetaSearch {
        evaluator: &mut EvenEvaluator,
        memory: &mut memory,
        terminal_rules: TerminalRules::new(&turn),
        clock: Clock::start(&Budget::UNLIMITED, None),
        depth: 3,
        aborted: false,
    };
    search.negamax(&Drop3::START, Score::EVEN, just_above(Score::EVEN), 2, 1)
}

#[test]
fn what_the_table_says_beyond_the_referees_last_ply_is_not_believed() {
    let far_win = Score::win_in(8);
    assert_eq!(searched_with(far_win, 8, None), far_win.delayed(1));
    assert_eq!(searched_with(far_win, 8, Some(10)), far_win.delayed(1));
    assert_eq!(searched_with(far_win, 8, Some(9)), Score::EVEN);
    let eval = Score::eval(700);
    assert_eq!(searched_with(eval, 2, Some(4)), eval);
    assert_eq!(searched_with(eval, 2, Some(3)), Score::EVEN, "at the end of 3 plies nothing is evaluated");
}

/// Scores every position as good for the root seat.
#[derive(Clone)]
struct Partisan(Option<Seat>);

impl Evaluator<Drop3> for Partisan {
    fn set_root_seat(&mut self, seat: Seat) {
        self.0 = Some(seat);
    }

    fn score(&mut self, position: &Drop3) -> Score {
        Score::eval(if self.0 == Some(position.seat()) { 500 } else { -500 })
    }
}

#[test]
fn the_evaluator_serves_who_is_to_move_and_the_table_with_it() {
    let mut player = AlphaBeta::new(Partisan(None), Budget::depth(3)).with_table(1 << 10);
    let mut position = Drop3::START;
    for _ in 0..4 {
        let thought = conclusion(&mut player, &position);
        assert_eq!(thought.candidates[0].score, Some(Score::eval(500)), "{position:?}");
        position.play(thought.candidates[0].mv);
    }
}

/// Minimax over the plausible moves.
fn chosen_minimax(position: &Drop3, evaluator: &mut SelectiveEvaluator, depth: u32) -> Score {
    terminal_score(position).unwrap_or_else(|| {
        if depth == 0 {
            return evaluator.score(position);
        }
        let score = |mv| -chosen_minimax(&position.after(mv), evaluator, depth - 1).delayed(1);
        SelectiveEvaluator::selected(position).into_iter().map(score).max().unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn only_plausible_moves_are_searched(seed: u64, plies in 0u32..12, depth in 1u32..=6) {
        let position = wander(&Drop3::START, plies, seed);
        let mut evaluator = SelectiveEvaluator { noise: Noise { levels: 50 }, full_depth_moves: usize::MAX };
        let mut player = AlphaBeta::new(evaluator, Budget::depth(depth)).with_table(1 << 12);
        let best = conclusion(&mut player, &position).candidates[0].clone();
        prop_assert!(SelectiveEvaluator::selected(&position).contains(&best.mv));
        prop_assert_eq!(best.score, Some(chosen_minimax(&position, &mut evaluator, depth)));
    }
}

/// A reduced move is searched again at full depth once it looks good, so a forced result is found,
/// if later.
#[test]
fn late_moves_that_win_are_found() {
    let mut wins = 0;
    for seed in 0..60 {
        let position = wander(&Drop3::START, 6, seed);
        let mut evaluator = SelectiveEvaluator { noise: Noise { levels: 2 }, full_depth_moves: 1 };
        let truth = chosen_minimax(&position, &mut evaluator, 14);
        let mut player = AlphaBeta::new(evaluator, Budget::depth(14)).with_table(1 << 14);
        let found = conclusion(&mut player, &position).candidates[0].score;
        if let Some(ForcedResult::Win(_)) = truth.forced_result() {
            wins += 1;
            assert!(
                matches!(found.and_then(Score::forced_result), Some(ForcedResult::Win(_))),
                "{position:?}"
            );
        }
    }
    assert!(wins > 10, "{wins}");
}
