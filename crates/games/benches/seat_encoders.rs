//! How many positions a second can be shown to a network: their computed inputs, the changes of a move, its slot.
//!
//! `cargo bench -p outplay-games --bench seat_encoders`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
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
    let positions = sample(start);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut pass = |what, cost: &dyn Fn(&P, P::Move) -> u32| {
        let sum = || positions.iter().map(|(position, mv)| cost(position, *mv)).fold(0, u32::wrapping_add);
        group.bench_function(what, |bench| bench.iter(sum));
    };
    pass("computed", &|position, _| {
        let mut sum = 0;
        encoder.each_computed(position, |input| sum += input);
        sum
    });
    pass("changes", &|position, mv| {
        let mut sum = 0;
        encoder.each_change(position, mv, position.seat(), |change| sum += change.input);
        sum
    });
    pass("slot", &|position, mv| u32::from(encoder.slot(position, mv)));
    let mut on = 0;
    for (position, _) in &positions {
        encoder.each_computed(position, |_| on += 1);
    }
    println!(
        "{name}: {:.1} of {} inputs are computed ones that are on",
        f64::from(on) / positions.len() as f64,
        encoder.inputs()
    );
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
