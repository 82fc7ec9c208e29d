//! The network and its learning against a plain twin in double precision, finite differences, and numbers worked
//! out by hand.

use super::*;
use crate::exploration::ActionSelection;
use crate::self_play;
use crate::testing::{Knot, Marks, TicTacToe, Tug, wander};
use outplay_core::{Outcome, Referee, Rng, View};
use outplay_nn::{Activation, Architecture, VisitedState};

/// The document's algorithms as loops over numbers: dense, slow, and in double precision.
#[derive(Clone)]
struct Twin {
    activation: Activation,
    first: Vec<Vec<f64>>,
    second: Vec<f64>,
    first_traces: Vec<Vec<f64>>,
    second_traces: Vec<f64>,
}

impl Twin {
    fn of(net: &SparseKernel) -> Self {
        let wide = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>();
        let network = net.network();
        let (first, second) = network.parameters().split_at(net.inputs() * net.hidden());
        let first: Vec<Vec<f64>> = first.chunks(net.inputs()).map(wide).collect();
        let second = wide(second);
        Self {
            activation: net.activation(),
            first_traces: vec![vec![0.0; net.inputs()]; first.len()],
            second_traces: vec![0.0; second.len()],
            first,
            second,
        }
    }

    fn value(&self, x: f64) -> f64 {
        match self.activation {
            Activation::Sigmoid => logistic(x),
            Activation::Tanh => x.tanh(),
            Activation::Relu => x.max(0.0),
            Activation::Identity => x,
            Activation::LeakyRelu => x.max(0.1 * x),
            Activation::Swish => x * logistic(x),
        }
    }

    fn slope(&self, x: f64) -> f64 {
        let sigmoid = logistic(x);
        match self.activation {
            Activation::Sigmoid => sigmoid * (1.0 - sigmoid),
            Activation::Tanh => 1.0 - x.tanh().powi(2),
            Activation::Relu => f64::from(u8::from(x > 0.0)),
            Activation::Identity => 1.0,
            Activation::LeakyRelu => {
                if x > 0.0 {
                    1.0
                } else {
                    0.1
                }
            }
            Activation::Swish => sigmoid + x * sigmoid * (1.0 - sigmoid),
        }
    }

    fn sums(&self, x: &[f64]) -> Vec<f64> {
        self.first.iter().map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect()
    }

    /// Algorithm 1.
    fn chance(&self, x: &[f64]) -> f64 {
        let out: f64 = self.sums(x).iter().zip(&self.second).map(|(&sum, w)| w * self.value(sum)).sum();
        logistic(out)
    }

    /// Algorithm 3; with λ = 0 it is Algorithm 2.
    fn correct(&mut self, x: &[f64], delta: f64, rate: f64, decay: f64) {
        let (sums, chance) = (self.sums(x), self.chance(x));
        let out = chance * (1.0 - chance);
        for (i, &sum) in sums.iter().enumerate() {
            let part = out * self.second[i] * self.slope(sum);
            for (j, &input) in x.iter().enumerate() {
                self.first_traces[i][j] = decay * self.first_traces[i][j] + part * input;
                self.first[i][j] -= rate * delta * self.first_traces[i][j];
            }
            self.second_traces[i] = decay * self.second_traces[i] + out * self.value(sum);
            self.second[i] -= rate * delta * self.second_traces[i];
        }
    }

    fn swap_traces(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.first_traces, &mut other.first_traces);
        std::mem::swap(&mut self.second_traces, &mut other.second_traces);
    }

    fn reset(&mut self) {
        for row in &mut self.first_traces {
            row.fill(0.0);
        }
        self.second_traces.fill(0.0);
    }

    fn weights(&self) -> Vec<f64> {
        self.first.iter().flatten().chain(&self.second).copied().collect()
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn dense<P: Position, E: Encoder<P>>(encoder: &E, position: &P) -> Vec<f64> {
    let mut x = vec![0.0; encoder.inputs()];
    encoder.each_on(position, |input| x[input as usize] = 1.0);
    x
}

fn weights(net: &SparseKernel) -> Vec<f64> {
    net.network().parameters().iter().map(|&weight| f64::from(weight)).collect()
}

fn random_net(
    inputs: usize,
    hidden: usize,
    activation: Activation,
    deviation: f64,
    seed: u64,
) -> SparseKernel {
    let architecture = Architecture::sparse(inputs, hidden, activation).unwrap();
    SparseKernel::new(&Network::gaussian(architecture, deviation, &mut Rng::new(seed)).unwrap()).unwrap()
}

fn net(inputs: usize, hidden: usize, activation: Activation, seed: u64) -> SparseKernel {
    random_net(inputs, hidden, activation, 0.7, seed)
}

fn config(rule: Rule, epsilon: f64) -> LearningConfig {
    LearningConfig {
        rule,
        rate: Ramp::constant(0.4),
        exploration: Exploration::epsilon(epsilon),
        ends: Ends::Judged,
        traces: TraceSets::Shared,
    }
}

#[test]
fn what_a_move_changes_gives_the_full_forward_pass() {
    for (seed, activation) in Activation::ALL.into_iter().enumerate() {
        for hidden in [1, 16, 21] {
            let net = net(18, hidden, activation, seed as u64);
            let twin = Twin::of(&net);
            let mut afterstates = Afterstates::new(Marks, Ends::Judged, &net);
            for plies in 0..8 {
                let position = wander(&TicTacToe::START, plies, seed as u64);
                let chance = afterstates.probability(&net, &position);
                assert!((chance - twin.chance(&dense(&Marks, &position))).abs() < 2e-6);
                afterstates.value_moves(&net, &position);
                for (&mv, value) in afterstates.moves.iter().zip(&afterstates.values) {
                    let first_seats = twin.chance(&dense(&Marks, &position.after(mv)));
                    let own = if position.seat() == Seat::First { first_seats } else { 1.0 - first_seats };
                    assert!((value - own).abs() < 2e-6, "{activation:?} {hidden} {position:?} {mv}");
                }
            }
        }
    }
}

/// One correction with no trace is −α·δ times the gradient, which differences of the outputs give as well.
#[test]
fn gradients_are_those_of_finite_differences() {
    for activation in Activation::ALL {
        let net = net(18, 5, activation, 9);
        let position = wander(&TicTacToe::START, 4, 1);
        let (mut corrected, mut afterstates) = (net.clone(), Afterstates::new(Marks, Ends::Judged, &net));
        let chance = afterstates.probability(&net, &position);
        EligibilityTraces::new(&net).correct(&mut corrected, &afterstates.visited(chance), 0.0, -1.0);
        let gradient: Vec<f64> = weights(&corrected).iter().zip(weights(&net)).map(|(a, b)| a - b).collect();
        let x = dense(&Marks, &position);
        let plain = Twin::of(&net);
        let nudged = |place: usize, by: f64| {
            let mut twin = plain.clone();
            let inputs = x.len();
            if place < inputs * 5 {
                twin.first[place / inputs][place % inputs] += by;
            } else {
                twin.second[place - inputs * 5] += by;
            }
            twin.chance(&x)
        };
        for (place, gradient) in gradient.iter().enumerate() {
            let difference = (nudged(place, 1e-6) - nudged(place, -1e-6)) / 2e-6;
            assert!((gradient - difference).abs() < 1e-6, "{activation:?} {place}: {gradient}, {difference}");
        }
    }
}

/// Two inputs, one hidden neuron, weights 0: p = ½ and only the output weight learns, by −α·δ·¼·½.
#[test]
fn corrections_worked_out_by_hand() {
    let mut net = random_net(2, 1, Activation::Sigmoid, 0.0, 1);
    let mut traces = EligibilityTraces::new(&net);
    let correct =
        |net: &mut SparseKernel, traces: &mut EligibilityTraces, on: &[u32], output: f64, step: f32| {
            let mut sums = net.empty_sums();
            net.sum_inputs(on, &mut sums);
            traces.correct(net, &VisitedState { on, sums: &sums, output }, 0.5, step);
        };
    // α = 0.4, δ = p − r = −½: the output weight becomes 0.2·0.125 = 0.025, its trace 0.125.
    correct(&mut net, &mut traces, &[0], 0.5, 0.4 * -0.5);
    assert_eq!(weights(&net), [0.0, 0.0, f64::from(0.025f32)]);
    // Now input 1, δ = +½. The output weight's trace is ½·0.125 + 0.125 = 0.1875: it loses 0.2·0.1875 = 0.0375.
    // Input 1's trace is ¼·0.025·¼ = 0.0015625 (p still taken as ½): it loses 0.0003125. Input 0's trace is 0.
    correct(&mut net, &mut traces, &[1], 0.5, 0.4 * 0.5);
    for (weight, expected) in weights(&net).iter().zip([0.0, -0.000_312_5, -0.0125]) {
        assert!((weight - expected).abs() < 1e-8, "{weight}, expected {expected}");
    }
    // With the traces reset the third correction knows nothing of the first two: ¼·σ(0)·0.2 = 0.025 again.
    traces.reset();
    correct(&mut net, &mut traces, &[0], 0.5, 0.4 * -0.5);
    assert!((weights(&net)[2] - 0.0125).abs() < 1e-8);
}

/// What happened in games that a learner and its twin were led through side by side.
#[derive(Default)]
struct Seen {
    blind_but_best: u32,
    not_best: u32,
}

/// Plays games of the rope; after every step the twin, corrected by the document's formulas, has the same weights. The
/// opponent, if there is one, always pulls up.
fn follow(rule: Rule, decay: f64, activation: Activation, traces: TraceSets, opponent: Option<Seat>) -> Seen {
    let net = net(8, 3, activation, 4);
    let mut twin = Twin::of(&net);
    let mut learner = TdLearner::new(net, Knot, LearningConfig { traces, ..config(rule, 0.5) }, 0);
    let mut seen = Seen::default();
    for game in 0..6 {
        let (mut rng, mut now) = (Rng::stream(8, game), Tug::at(3));
        learner.new_game(Seat::First);
        // The twin's own traces are those of the seat that moved last; the other seat's are kept here.
        let (mut others, mut last) = (Twin::of(learner.kernel()), Seat::First);
        for _ in 0..30 {
            if now.outcome().is_some() {
                break;
            }
            if traces == TraceSets::PerSeat && now.seat() != last {
                twin.swap_traces(&mut others);
            }
            last = now.seat();
            if opponent == Some(now.seat()) {
                let [x, reached] = [&now, &now.after(1)].map(|position| dense(&Knot, position));
                twin.correct(&x, twin.chance(&x) - twin.chance(&reached), 0.4, decay);
                learner.learn(Step::OpponentMoved(&now, 1));
                agree(&learner, &twin);
                now.play(1);
                continue;
            }
            let blind = rng.clone().unit() < 0.5;
            let mv = learner.choose(&now, &mut Turn::new(&mut rng));
            let before = twin.chance(&dense(&Knot, &now));
            let after = |mv: i8| twin.chance(&dense(&Knot, &now.after(mv)));
            let (up, down) = (after(1), after(-1));
            let best = if now.seat() == Seat::First { up.max(down) } else { up.min(down) };
            let is_best = after(mv) == best;
            seen.blind_but_best += u32::from(blind && is_best);
            seen.not_best += u32::from(!is_best);
            let target = if rule == Rule::QLearning { best } else { after(mv) };
            if matches!(rule, Rule::QLambda(_)) && !is_best {
                twin.reset();
            }
            twin.correct(&dense(&Knot, &now), before - target, 0.4, decay);
            learner.learn(Step::Moved(&now, mv));
            agree(&learner, &twin);
            now.play(mv);
        }
        let outcome = now.outcome().unwrap_or(Outcome::Draw);
        let x = dense(&Knot, &now);
        twin.correct(&x, twin.chance(&x) - outcome.points(Seat::First), 0.4, decay);
        twin.reset();
        learner.learn(Step::Ended(&now, outcome));
        agree(&learner, &twin);
    }
    assert_eq!(learner.games(), 6);
    seen
}

fn agree(learner: &TdLearner<Tug, Knot>, twin: &Twin) {
    for (ours, theirs) in weights(learner.kernel()).iter().zip(twin.weights()) {
        assert!((ours - theirs).abs() < 1e-4, "{ours}, expected {theirs}");
    }
}

#[test]
fn every_rule_does_what_the_documents_algorithms_do() {
    for activation in [Activation::Sigmoid, Activation::Tanh, Activation::Swish] {
        for traces in [TraceSets::Shared, TraceSets::PerSeat] {
            follow(Rule::QLearning, 0.0, activation, traces, None);
            follow(Rule::TdLambda(0.9), 0.9, activation, traces, None);
            let seen = follow(Rule::QLambda(0.9), 0.9, activation, traces, None);
            assert!(
                seen.blind_but_best > 3 && seen.not_best > 3,
                "both kinds of blind moves must have occurred"
            );
        }
    }
}

/// An opponent's moves are corrected like moves that were chosen and best, whichever seat it has.
#[test]
fn an_opponents_moves_are_learnt_from() {
    for seat in Seat::BOTH {
        for traces in [TraceSets::Shared, TraceSets::PerSeat] {
            for (rule, decay) in
                [(Rule::QLearning, 0.0), (Rule::TdLambda(0.9), 0.9), (Rule::QLambda(0.9), 0.9)]
            {
                follow(rule, decay, Activation::Sigmoid, traces, Some(seat));
            }
        }
    }
}

/// Traces of one's own forget nothing of the other seat's moves, so they are another method.
#[test]
fn sets_of_traces_differ() {
    let game = Referee { start: Tug::at(3), repetitions: None, max_plies: Some(40) };
    let [shared, own] = [TraceSets::Shared, TraceSets::PerSeat].map(|traces| {
        let net = net(8, 3, Activation::Sigmoid, 2);
        let config = LearningConfig { traces, ..config(Rule::TdLambda(0.9), 0.3) };
        let mut learner = TdLearner::new(net, Knot, config, 0);
        self_play(&game, &mut learner, &mut Rng::new(1));
        learner.network()
    });
    assert_ne!(shared, own);
}

#[test]
fn traces_begin_at_zero_in_every_game() {
    let net = net(8, 3, Activation::Sigmoid, 2);
    let mut learner = TdLearner::new(net, Knot, config(Rule::TdLambda(0.9), 0.3), 0);
    let (start, game) = (Tug::at(3), Referee { start: Tug::at(3), repetitions: None, max_plies: Some(40) });
    let mv = learner.choose(&start, &mut Turn::new(&mut Rng::new(0)));
    learner.learn(Step::Moved(&start, mv));
    let is_zero = |learner: &TdLearner<Tug, Knot>| learner.traces.iter().all(EligibilityTraces::is_zero);
    assert!(!is_zero(&learner));
    learner.new_game(Seat::First);
    assert!(is_zero(&learner));
    self_play(&game, &mut learner, &mut Rng::new(1));
    assert!(is_zero(&learner));
}

#[test]
fn ends_that_are_known_have_their_results_value() {
    let net = net(18, 4, Activation::Sigmoid, 3);
    let mut afterstates = Afterstates::new(Marks, Ends::Known, &net);
    let position = TicTacToe::read("XX. OO. ... O");
    afterstates.visit(&net, &position);
    afterstates.value_moves(&net, &position);
    let values: Vec<_> = afterstates.moves.iter().zip(&afterstates.values).collect();
    assert!(values.iter().all(|&(&mv, &value)| (value == 1.0) == (mv == 5)), "{values:?}");
}

fn learnt(seed: u64) -> SparseKernel {
    let game = Referee { start: TicTacToe::START, repetitions: None, max_plies: None };
    let net = random_net(18, 40, Activation::Sigmoid, 1e-4, seed);
    let mut learner = TdLearner::new(net, Marks, config(Rule::TdLambda(0.9), 0.3), 0);
    for index in 0..20_000 {
        self_play(&game, &mut learner, &mut Rng::stream(seed, index));
    }
    learner.kernel().clone()
}

#[test]
fn noughts_and_crosses_are_learnt_and_the_seed_is_all_that_counts() {
    let [net, again] = learnt_twice();
    assert_eq!(net, again);
    let mut player = ByNetwork::new(std::sync::Arc::new(net), Marks, ActionSelection::BEST, Ends::Judged);
    let mut points = 0.0;
    for index in 0..400 {
        let seat = Seat::BOTH[index as usize % 2];
        let (mut rng, mut now) = (Rng::stream(2, index), TicTacToe::START);
        while now.outcome().is_none() {
            let mv = if now.seat() == seat {
                player.choose(&now, &mut Turn::new(&mut rng))
            } else {
                now.random_move(&mut rng, &mut Vec::new())
            };
            now.play(mv);
        }
        points += now.outcome().unwrap().points(seat);
    }
    // Random play against itself gives 200 of 400.
    assert!(points > 260.0, "{points} of 400");
}

/// The same training on two threads at once.
fn learnt_twice() -> [SparseKernel; 2] {
    std::thread::scope(|scope| {
        let other = scope.spawn(|| learnt(1));
        [learnt(1), other.join().unwrap()]
    })
}
