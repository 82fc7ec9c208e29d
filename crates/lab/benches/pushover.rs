//! The hot loops of Push-over: `cargo bench -p outplay-lab`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use outplay_core::{Evaluator, Player, Position, Rng, Seat, Turn, View, perft};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert, PushoverMove};
use outplay_lab::bench::sample_positions;
use outplay_lab::pushover::network::PushoverNetwork;
use outplay_players::{AlphaBeta, Budget, EvenEvaluator, Mcts};

const START: Pushover<4> = Pushover::START;

fn rules(c: &mut Criterion) {
    let positions = sample_positions(&START, 64, 8);
    c.bench_function("push", |b| {
        b.iter(|| {
            positions
                .iter()
                .fold(0, |sum, position| sum ^ black_box(position.board()).push(PushoverMove(5)).mine)
        });
    });
    c.bench_function("random game", |b| {
        let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
        b.iter(|| {
            let mut position = START;
            while position.outcome().is_none() {
                position.play(position.random_move(&mut rng, &mut scratch));
            }
            position
        });
    });
    c.bench_function("perft 4", |b| b.iter(|| perft(black_box(&START), 4)));
}

fn evaluators(c: &mut Criterion) {
    let positions = sample_positions(&START, 64, 8);
    let mut expert = PushoverExpert::<4>::new(ExpertWeights::default());
    let shipped = include_bytes!("../../../models/pushover-r.safetensors");
    let mut network =
        PushoverNetwork::<4>::read(shipped, "the network of the program").expect("it is a network");
    c.bench_function("expert, 64 positions", |b| {
        b.iter(|| positions.iter().map(|position| expert.score(position).value()).sum::<i32>());
    });
    c.bench_function("network, 64 positions", |b| {
        b.iter(|| positions.iter().map(|position| network.score(position).value()).sum::<i32>());
    });
}

fn searches(c: &mut Criterion) {
    let mut alphabeta = AlphaBeta::new(PushoverExpert::<4>::new(ExpertWeights::default()), Budget::depth(6));
    let mut mcts = Mcts::new(EvenEvaluator, Budget::nodes(1000));
    let think = |player: &mut dyn Player<Pushover<4>>| {
        player.new_game(Seat::First);
        player.choose(&START, &mut Turn::new(&mut Rng::new(1)))
    };
    c.bench_function("alpha-beta, depth 6", |b| b.iter(|| think(&mut alphabeta)));
    c.bench_function("mcts, 1000 simulations", |b| b.iter(|| think(&mut mcts)));
}

criterion_group!(benches, rules, evaluators, searches);
criterion_main!(benches);
