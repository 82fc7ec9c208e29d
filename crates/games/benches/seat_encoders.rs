//! What it costs to show a network a position: nanoseconds for the inputs of a move, the computed inputs and a slot.
//!
//! `cargo bench -p outplay-games --bench seat_encoders`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use outplay_core::placement::PlacementSeatEncoder;
use outplay_core::{Position, Rng, SeatEncoder};
use outplay_games::chess::{Chess, ChessSeatEncoder};
use outplay_games::connectfour::ConnectFour;
use outplay_games::othello::Othello;
use outplay_games::pushover::{Pushover, PushoverSeatEncoder};
use outplay_games::quoridor::{LargeQuoridor, QuoridorSeatEncoder, SmallQuoridor};
use outplay_games::tictactoe::TicTacToe;

/// Unfinished positions of random games, each with one of its moves.
fn sample<P: Position>(start: &P) -> Vec<(P, P::Move)> {
    let (mut rng, mut scratch, mut sample) = (Rng::new(1), Vec::new(), Vec::new());
    while sample.len() < 2000 {
        let mut position = start.clone();
        for _ in 0..80 {
            if position.outcome().is_some() {
                break;
            }
            let mv = position.random_move(&mut rng, &mut scratch);
            sample.push((position.clone(), mv));
            position.play(mv);
        }
    }
    sample
}

fn measure<P: Position>(criterion: &mut Criterion, name: &str, start: &P, encoder: &impl SeatEncoder<P>) {
    let mut group = criterion.benchmark_group(name);
    let positions = sample(start);
    // Every pass takes the next position: one that is repeated would let the processor predict all branches.
    let mut places = (0..positions.len()).cycle();
    let mut next = || &positions[places.next().unwrap_or_default()];
    group.bench_function("computed", |bench| {
        bench.iter(|| {
            let mut sum = 0;
            encoder.each_computed(&next().0, |input| sum += input);
            sum
        });
    });
    group.bench_function("changes", |bench| {
        bench.iter(|| {
            let ((position, mv), mut sum) = (next(), 0);
            encoder.each_change(position, *mv, position.seat(), |change| sum += change.input);
            sum
        });
    });
    group.bench_function("slot", |bench| {
        bench.iter(|| {
            let (position, mv) = next();
            encoder.slot(black_box(position), *mv)
        });
    });
    let mut on = 0;
    for (position, _) in &positions {
        encoder.each_computed(position, |_| on += 1);
    }
    println!("{name}: {} computed inputs of {} on", on as f64 / positions.len() as f64, encoder.inputs());
}

fn measure_all(criterion: &mut Criterion) {
    measure(criterion, "tictactoe", &TicTacToe::START, &PlacementSeatEncoder::new(TicTacToe::START));
    measure(criterion, "connectfour", &ConnectFour::START, &PlacementSeatEncoder::new(ConnectFour::START));
    let othello = Othello::start(8);
    measure(criterion, "othello", &othello, &PlacementSeatEncoder::new(othello));
    let small = SmallQuoridor::start(5, 3).expect("a board");
    measure(criterion, "quoridor 5×5", &small, &QuoridorSeatEncoder::new(5, 3));
    let large = LargeQuoridor::start(9, 10).expect("a board");
    measure(criterion, "quoridor 9×9", &large, &QuoridorSeatEncoder::new(9, 10));
    measure(criterion, "pushover 4×4", &Pushover::<4>::START, &PushoverSeatEncoder);
    measure(criterion, "chess", &Chess::start(), &ChessSeatEncoder);
}

criterion_group!(benches, measure_all);
criterion_main!(benches);
