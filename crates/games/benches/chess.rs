//! Perft speed of our move generator beside two libraries, in one run and with the same flags.
//!
//! `cargo bench -p outplay-games --bench chess`

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use outplay_core::perft;
use outplay_games::chess::Chess;

const POSITIONS: [(&str, &str, u32, u64); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
];

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|set| {
            leaves += set.len() as u64;
            false
        });
        return leaves;
    }
    board.generate_moves(|set| {
        for mv in set {
            let mut after = board.clone();
            after.play_unchecked(mv);
            leaves += cozy(&after, depth - 1);
        }
        false
    });
    leaves
}

fn bench_position(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, fen: &str, depth: u32, leaves: u64) {
    group.throughput(Throughput::Elements(leaves));
    let ours = Chess::from_fen(fen).unwrap();
    group.bench_function(format!("{name}, outplay"), |bench| {
        bench.iter(|| assert_eq!(perft(&ours, depth), leaves));
    });
    let board: cozy_chess::Board = fen.parse().unwrap();
    group.bench_function(format!("{name}, cozy-chess"), |bench| {
        bench.iter(|| assert_eq!(cozy(&board, depth), leaves));
    });
    let fen: shakmaty::fen::Fen = fen.parse().unwrap();
    let position: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
    group.bench_function(format!("{name}, shakmaty"), |bench| {
        bench.iter(|| assert_eq!(shakmaty::perft(&position, depth), leaves));
    });
}

fn count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20);
    for (name, fen, depth, leaves) in POSITIONS {
        bench_position(&mut group, name, fen, depth, leaves);
    }
}

criterion_group!(benches, count);
criterion_main!(benches);
