//! Updates computed by hand on a short rope, and tables after many games.

use std::sync::Arc;

use super::*;
use crate::exploration::ActionSelection;
use crate::testing::{TicTacToe, Tug};
use crate::{Opponent, Random, learning_game, self_play};
use outplay_core::{Referee, Rng, View};

const ALPHA: f64 = 0.25;

fn config(rule: UpdateRule) -> TabularConfig {
    TabularConfig { rule, rate: ALPHA, exploration: Exploration::epsilon(0.0) }
}

fn learner(rule: UpdateRule) -> TabularLearner<Tug> {
    TabularLearner::new([config(rule); 2], [ValueTable::default(), ValueTable::default()], 0)
}

/// The knot from 3 up to the top: first 4, second 5, first 6. Every move is the one asked for.
fn pull_to_the_top(learner: &mut TabularLearner<Tug>) -> Vec<Tug> {
    let mut seen = vec![Tug::at(3)];
    learner.new_game(Seat::First);
    for _ in 0..3 {
        let now = seen[seen.len() - 1].clone();
        let values = |mv| learner.table(now.seat()).chance(&now.after(mv));
        (learner.chosen, learner.best) = (values(1), values(1).max(values(-1)));
        learner.learn(Step::Moved(&now, 1));
        seen.push(now.after(1));
    }
    learner.learn(Step::Ended(&seen[3], seen[3].outcome().unwrap()));
    seen
}

fn known(learner: &TabularLearner<Tug>, seat: Seat, after: &Tug, expected: f64) {
    let chance = learner.table(seat).chance(after);
    assert!((chance - expected).abs() < 1e-12, "{after:?}: {chance}, expected {expected}");
}

#[test]
fn monte_carlo_counts_back_from_the_end() {
    let mut learner = learner(UpdateRule::MonteCarlo);
    let seen = pull_to_the_top(&mut learner);
    // The first seat won: its last after-state goes α of the way to 1, the one before α² of it.
    known(&learner, Seat::First, &seen[3], 0.5 + ALPHA * 0.5);
    known(&learner, Seat::First, &seen[1], 0.5 + ALPHA * ALPHA * 0.5);
    known(&learner, Seat::Second, &seen[2], 0.5 - ALPHA * 0.5);
    // Each table holds only its own after-states.
    known(&learner, Seat::Second, &seen[3], 0.5);
    assert_eq!(learner.table(Seat::First).entries().len(), 2);
    assert_eq!(learner.games(), 1);
}

#[test]
fn td_zero_follows_what_was_chosen() {
    let mut learner = learner(UpdateRule::TdZero);
    let seen = pull_to_the_top(&mut learner);
    known(&learner, Seat::First, &seen[3], 0.625);
    known(&learner, Seat::First, &seen[1], 0.5);
    known(&learner, Seat::Second, &seen[2], 0.375);
    pull_to_the_top(&mut learner);
    // p(4) ← ¾·0.5 + ¼·0.625, then p(6) ← ¾·0.625 + ¼.
    known(&learner, Seat::First, &seen[1], 0.531_25);
    known(&learner, Seat::First, &seen[3], 0.718_75);
    known(&learner, Seat::Second, &seen[2], 0.281_25);
}

#[test]
fn q_learning_follows_the_best_even_if_another_is_chosen() {
    let [mut q, mut td] = [UpdateRule::QLearning, UpdateRule::TdZero].map(learner);
    // From 5 the first seat goes up, though going down to 4 again looks better.
    for learner in [&mut q, &mut td] {
        learner.seats[0].table.set(Tug::at(3).after(1), StateEstimate::Chance(0.9));
    }
    let seen = pull_to_the_top(&mut q);
    pull_to_the_top(&mut td);
    known(&q, Seat::First, &seen[1], 0.75 * 0.9 + 0.25 * 0.9);
    known(&td, Seat::First, &seen[1], 0.75 * 0.9 + 0.25 * 0.5);
    // The end is the same for both.
    known(&q, Seat::First, &seen[3], 0.625);
    known(&td, Seat::First, &seen[3], 0.625);
}

#[test]
fn a_draw_is_half_a_win() {
    let mut learner = learner(UpdateRule::MonteCarlo);
    learner.new_game(Seat::First);
    let (start, after) = (Tug::at(3), Tug::at(3).after(1));
    learner.seats[0].table.set(after.clone(), StateEstimate::Chance(0.9));
    learner.learn(Step::Moved(&start, 1));
    learner.learn(Step::Ended(&after, Outcome::Draw));
    known(&learner, Seat::First, &after, 0.75 * 0.9 + 0.25 * 0.5);
}

/// w/n: 1 of 1 after a win, 1½ of 2 after a draw; a position that a game reaches twice counts once.
#[test]
fn shares_of_games_won_are_counted() {
    let mut learner = learner(UpdateRule::WinRate);
    let seen = pull_to_the_top(&mut learner);
    known(&learner, Seat::First, &seen[1], 1.0);
    known(&learner, Seat::First, &seen[3], 1.0);
    known(&learner, Seat::Second, &seen[2], 0.0);
    let (start, after) = (Tug::at(3), Tug::at(3).after(1));
    learner.new_game(Seat::First);
    learner.learn(Step::Moved(&start, 1));
    learner.learn(Step::Moved(&start, 1));
    learner.learn(Step::Ended(&after, Outcome::Draw));
    known(&learner, Seat::First, &after, 0.75);
    let entry = learner.table(Seat::First).entries().find(|(known, _)| **known == after).unwrap().1;
    assert_eq!(entry, StateEstimate::Share { won: 1.5, games: 2 });
    // What was learnt otherwise stands for one game, and what was counted can be moved on.
    assert_eq!(StateEstimate::Chance(0.25).counting(1.0), StateEstimate::Share { won: 1.25, games: 2 });
    learner.seats[0].table.update(&after, 0.0, 0.5);
    known(&learner, Seat::First, &after, 0.375);
}

/// The seat of an opponent learns nothing, the other one everything; a forfeited game has no result.
#[test]
fn an_opponents_seat_learns_nothing() {
    let game = Referee { start: TicTacToe::START, repetitions: None, max_plies: None };
    for seat in Seat::BOTH {
        let table = || ValueTable::default();
        let mut learner = TabularLearner::new([config(UpdateRule::MonteCarlo); 2], [table(), table()], 0);
        for index in 0..20 {
            let opponent = Opponent { player: &mut Random, seat };
            learning_game(&game, &mut learner, Some(opponent), &mut Rng::stream(1, index)).unwrap();
        }
        assert_eq!(learner.table(seat).entries().len(), 0);
        assert!(learner.table(!seat).entries().len() > 20);
        assert_eq!(learner.games(), 20);
        let opponent = Opponent { player: &mut Deserter, seat };
        assert_eq!(learning_game(&game, &mut learner, Some(opponent), &mut Rng::new(1)), None);
        assert_eq!(learner.games(), 20);
    }
}

/// Leaves at once.
struct Deserter;

impl<P: Position> Player<P> for Deserter {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        turn.forfeit("it left");
        view.moves()[0]
    }
}

/// Each seat may learn in its own way; both come to hold the draw against a player who never blunders.
#[test]
fn noughts_and_crosses_are_learnt() {
    let game = Referee { start: TicTacToe::START, repetitions: None, max_plies: None };
    let exploration = Exploration::epsilon(0.2);
    let configs = [UpdateRule::QLearning, UpdateRule::TdZero].map(|rule| TabularConfig {
        rule,
        rate: 0.3,
        exploration,
    });
    let mut learner = TabularLearner::new(configs, [ValueTable::default(), ValueTable::default()], 0);
    for index in 0..30_000 {
        self_play(&game, &mut learner, &mut Rng::stream(1, index));
    }
    let tables = Arc::new(Seat::BOTH.map(|seat| learner.table(seat).clone()));
    let mut learner = TablePlayer::new(tables, ActionSelection::BEST);
    let mut lost = 0;
    for index in 0..200 {
        let (mut rng, mut now, seat) =
            (Rng::stream(2, index), TicTacToe::START, Seat::BOTH[index as usize % 2]);
        while now.outcome().is_none() {
            let mv = if now.seat() == seat {
                learner.choose(&now, &mut Turn::new(&mut rng))
            } else {
                now.random_move(&mut rng, &mut Vec::new())
            };
            now.play(mv);
        }
        lost += u32::from(now.outcome() == Some(Outcome::Win(!seat)));
    }
    assert!(lost <= 6, "lost {lost} of 200 games against random moves");
}
