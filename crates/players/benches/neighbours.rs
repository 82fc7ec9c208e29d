//! The speed of exact nearest neighbours: 300 000 points of 64 small numbers, half of them zero, k = 5, one core.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use outplay_core::Rng;
use outplay_players::knn::NearestNeighbours;

const POINTS: usize = 300_000;
const DIMS: usize = 64;
const BATCH: usize = 64;

/// Boards as a game has them: half of the squares are empty.
fn boards(count: usize, seed: u64, full: usize) -> Vec<i8> {
    let mut rng = Rng::new(seed);
    let values = [2, 2, 2, 6, 7, 10, 18];
    let mut square = || match rng.below(DIMS) {
        place if place < full => rng.pick(&values) * if rng.below(2) == 0 { 1 } else { -1 },
        _ => 0,
    };
    (0..count * DIMS).map(|_| square()).collect()
}

fn neighbours(criterion: &mut Criterion) {
    let points = NearestNeighbours::new(DIMS, &boards(POINTS, 1, 32));
    let mut group = criterion.benchmark_group("neighbours");
    group.sample_size(20);
    for (name, full) in [("half of the squares empty", 32), ("no square empty", 64)] {
        let queries = boards(BATCH, 2, full);
        group.bench_function(format!("one query, {name}"), |bench| {
            bench.iter(|| points.nearest(black_box(&queries[..DIMS]), 5));
        });
        group.throughput(Throughput::Elements(BATCH as u64));
        group.bench_function(format!("{BATCH} queries, {name}"), |bench| {
            bench.iter_batched(
                || (),
                |()| points.nearest_of_each(black_box(&queries), 5),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, neighbours);
criterion_main!(benches);
