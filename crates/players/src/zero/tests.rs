//! Searches with a policy and a value against trees worked out by hand, and against the invariants of players.

use std::time::Duration;

use outplay_core::{ForcedResult, Player, Position, Referee, Rng, Score, Seat, Thought, Turn, View};

use super::root::{RootExploration, search_root};
use super::search::{ZeroSearch, ZeroWorker};
use super::{CAPACITY, PolicyValue, Puct, Zero};
use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;
use crate::testing::{Drop3, TicTacToe, Tug, choose, wander, watch};
use crate::tree::ROOT;
use crate::tree::growth::GrowingTree;
use crate::{AlphaBeta, EvenEvaluator};

/// Priors of the five first moves of Drop3, and what a position is worth after each of them to the side that has to answer.
const PRIORS: [f64; 5] = [0.4, 0.3, 0.15, 0.1, 0.05];
const POINTS: [f64; 5] = [0.6, 0.3, 0.5, 0.5, 0.5];

/// Judges every position by the first move of the walk, and has the same priors everywhere.
#[derive(Clone, Default)]
struct ByFirstMove {
    first: Option<usize>,
}

impl<P: Position> PolicyValue<P> for ByFirstMove {
    fn begin(&mut self, _root: &P) {}

    fn step(&mut self, ply: usize, _position: &P, mv: P::Move) {
        if ply == 0 {
            self.first = Some(P::slot(mv));
        }
    }

    fn points(&mut self, ply: usize, _position: &P) -> f64 {
        match (ply, self.first) {
            (0, _) | (_, None) => 0.5,
            (ply, Some(first)) => {
                let points = POINTS[first % 5];
                if ply % 2 == 1 { points } else { 1.0 - points }
            }
        }
    }

    fn logits(&mut self, _ply: usize, _position: &P, moves: &[P::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|&mv| PRIORS[P::slot(mv) % 5].ln() as f32));
    }
}

/// A search of `root` without the referee's limits.
fn on_search<P: Position, T>(
    root: &P,
    puct: Puct,
    test: impl FnOnce(&mut ZeroSearch<'_, P, ByFirstMove>) -> T,
) -> T {
    let mut rng = Rng::new(1);
    let rules = TerminalRules::new(&Turn::<P::Move>::new(&mut rng));
    let mut worker = ZeroWorker::new(ByFirstMove::default(), CAPACITY);
    let clock = Clock::start(&Budget::UNLIMITED, None);
    test(&mut ZeroSearch::new(&mut worker, root, puct, rules, clock))
}

/// The visits of each root move, by slot.
fn visits<P: Position>(search: &ZeroSearch<'_, P, ByFirstMove>, root: &P) -> Vec<u32> {
    let tree = search.tree();
    let visits = |mv| tree.child(ROOT, mv).map_or(0, |child| tree.node(child).visits);
    root.moves().into_iter().map(visits).collect()
}

#[test]
fn puct_follows_a_tree_worked_out_by_hand() {
    // With c = 1, the root's own evaluation as its first visit, and q(m) = 1 − POINTS[m], for example at the second simulation:
    // N = 2, the move 0 has 0.4 + √2·0.4/2 = 0.683, the move 1 has the root's (0.5 + 0.4)/2 − 0.1·√0.4 + √2·0.3 = 0.811.
    for (urgency, expected) in [
        (0.1, [0, 1, 1, 1, 1, 2, 0, 1, 1, 1, 3, 0, 1, 1, 1, 1]),
        (0.5, [0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2]),
    ] {
        let puct = Puct { exploration: 1.0, first_play_urgency: urgency };
        on_search(&Drop3::START, puct, |search| {
            let mut counted = [0; 5];
            for (number, slot) in expected.into_iter().enumerate() {
                search.simulate(None);
                counted[slot] += 1;
                assert_eq!(visits(search, &Drop3::START), counted, "simulation {number}, urgency {urgency}");
            }
        });
    }
}

#[test]
fn halving_and_the_improved_policy_follow_an_example_worked_out_by_hand() {
    let exploration = RootExploration::Gumbel { considered: 4 };
    on_search(&Drop3::START, Puct::default(), |search| {
        let result = search_root(search, exploration, 8, None);
        // Four moves get one simulation each. By ln p + 51·q the moves 1 and 2 are then ahead (34.5 and 23.6 against 23.2 and 19.5),
        // and share the other four.
        assert_eq!(visits(search, &Drop3::START), [1, 3, 3, 1, 0]);
        assert_eq!(result.best, 1);
        // ln p + 53·q, where the move without visits counts for 0.5187.
        let expected = [1.658_2e-7, 0.999_968, 1.245_8e-5, 8.305_1e-6, 1.119_6e-5];
        for (mv, expected) in (0..5).zip(expected) {
            let (_, share) = result.policy.iter().find(|(other, _)| *other == mv).unwrap();
            assert!((f64::from(*share) / expected - 1.0).abs() < 1e-3, "{mv}: {share}, expected {expected}");
        }
        assert!(!result.is_proven);
    });
}

#[test]
fn every_count_of_simulations_and_moves_is_spent() {
    for considered in 1..=9 {
        for simulations in 1..40 {
            let exploration = RootExploration::Gumbel { considered };
            on_search(&TicTacToe::START, Puct::default(), |search| {
                let mut rng = Rng::new(u64::from(simulations));
                let result = search_root(search, exploration, simulations, Some(&mut rng));
                let visits = visits(search, &TicTacToe::START);
                assert_eq!(visits.iter().sum::<u32>(), simulations, "{considered} of {visits:?}");
                assert!(visits.iter().filter(|visits| **visits > 0).count() <= considered);
                let sum: f32 = result.policy.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-5 && result.policy.len() == 9);
            });
        }
    }
}

#[test]
fn noise_draws_moves_by_their_prior() {
    // Without simulations Gumbel's noise would draw exactly by the prior; one simulation only visits the draw.
    let mut counts = [0; 5];
    for seed in 0..4000 {
        let exploration = RootExploration::Gumbel { considered: 1 };
        on_search(&Drop3::START, Puct::default(), |search| {
            let result = search_root(search, exploration, 1, Some(&mut Rng::new(seed)));
            counts[usize::from(result.best)] += 1;
        });
    }
    // Four standard errors: 0.031 at most.
    for (count, prior) in counts.into_iter().zip(PRIORS) {
        assert!((f64::from(count) / 4000.0 - prior).abs() < 0.031, "{counts:?}");
    }
}

#[test]
fn dirichlet_searches_by_visits() {
    on_search(&Drop3::START, Puct::default(), |search| {
        let exploration = RootExploration::Dirichlet { share: 0.25 };
        let result = search_root(search, exploration, 64, None);
        let visits = visits(search, &Drop3::START);
        assert_eq!(result.best, 1);
        for &(mv, share) in &result.policy {
            assert!((share - visits[usize::from(mv)] as f32 / 64.0).abs() < 1e-6);
        }
    });
}

#[test]
fn a_proven_root_is_played_and_taught_as_proven() {
    // Completing the row wins at once; the priors prefer another move.
    let position = TicTacToe::read("... OO. XX. X");
    for exploration in [RootExploration::Gumbel { considered: 9 }, RootExploration::Dirichlet { share: 0.25 }]
    {
        on_search(&position, Puct::default(), |search| {
            let result = search_root(search, exploration, 200, Some(&mut Rng::new(3)));
            assert!(result.is_proven && result.best == 8, "{result:?}");
            let (_, share) = result.policy.iter().find(|(mv, _)| *mv == 8).unwrap();
            assert!((share - 1.0).abs() < 1e-6);
        });
    }
}

fn player<P: Position>(simulations: u64) -> Zero<P, ByFirstMove> {
    Zero::new(ByFirstMove::default(), Budget::nodes(simulations), Puct::default())
}

/// The conclusion, without the time it took.
fn conclusion<P: Position>(player: &mut impl Player<P>, view: &P, seed: u64) -> Thought<P::Move> {
    let last = watch(player, view, seed).1.pop().expect("a search shows its conclusion");
    Thought { elapsed: Duration::ZERO, ..last }
}

#[test]
fn every_proof_is_true() {
    let mut proofs = 0;
    for seed in 0..60 {
        let position = wander(&Drop3::START, 5 + seed as u32 % 6, seed);
        let thought = conclusion(&mut player(2000).with_trees(1 + seed as usize % 2), &position, seed);
        for candidate in &thought.candidates {
            let Some(proof) = candidate.score else { continue };
            let child = position.after(candidate.mv);
            let mut solver = AlphaBeta::new(EvenEvaluator, Budget::depth(20)).with_table(1 << 16);
            let truth = -crate::terminal::terminal_score(&child)
                .unwrap_or_else(|| conclusion(&mut solver, &child, 1).candidates[0].score.unwrap());
            let sign = |score: Score| matches!(score.forced_result(), Some(ForcedResult::Win(_)));
            assert_eq!(sign(proof), sign(truth), "{candidate:?} in {position:?}");
            proofs += 1;
        }
    }
    assert!(proofs >= 100, "{proofs}");
}

#[test]
fn the_same_seed_gives_the_same_thought_on_any_number_of_threads() {
    let position = wander(&Drop3::START, 3, 4);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| conclusion(&mut player(900).with_trees(3), &position, 5))
    };
    let thought = on(1);
    assert_eq!(thought, on(2));
    assert_eq!(thought.nodes, 900);
    let visited: f64 = thought.candidates.iter().map(|candidate| candidate.weight).sum();
    assert!((visited - 1.0).abs() < 1e-9);
}

#[test]
fn the_tree_is_kept_between_the_moves_of_a_game() {
    let mut kept = player::<Drop3>(60);
    kept.new_game(Seat::First);
    let first = choose(&mut kept, &Drop3::START, 1);
    let answer = Drop3::START.after(first).moves()[0];
    let next = Drop3::START.after(first).after(answer);
    let again = conclusion(&mut kept, &next, 2);
    let anew = conclusion(&mut player(60), &next, 2);
    assert_eq!((again.nodes, anew.nodes), (60, 60));
    assert_ne!(again, anew, "simulations of the former move count");
}

#[test]
fn temperature_draws_by_visits_and_never_a_lost_move() {
    let position = TicTacToe::read("X.. O.. ... X");
    let mut drawn = std::collections::HashSet::new();
    for seed in 0..60 {
        drawn.insert(choose(&mut player(60).with_temperature(1.0), &position, seed));
    }
    assert!(drawn.len() > 2, "{drawn:?}");
    // Everything but the centre loses.
    let forced = TicTacToe::read("X.. ... ... O");
    for seed in 0..10 {
        assert_eq!(choose(&mut player(20_000).with_temperature(2.0), &forced, seed), 4);
    }
}

#[test]
fn draws_of_the_referee_count() {
    // Nobody can win; one ply before the end of the game nothing is lost either.
    let mut rng = Rng::new(1);
    let game = Referee { start: Tug::at(3), repetitions: Some(3), max_plies: Some(60) };
    let state = outplay_core::Game::start(&game, &mut rng);
    let mut player = player::<Tug>(400);
    let mv = player.choose(&state.now, &mut Turn::at(&game, &state, &mut Rng::new(2)));
    assert!(mv == 1 || mv == -1);
}
