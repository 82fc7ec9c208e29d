//! Exact k-nearest-neighbour search over vectors of small integers, and the vote of the neighbours.
//!
//! [`NearestNeighbours::nearest`] returns the k points with the least Euclidean distance, nearest first, ties in the order
//! of the set; every distance is exact, since all numbers are integers.
//!
//! How it works: |a − b|² = |a|² + |b|² − 2 a·b, and a·b needs only the non-zero entries of the query. Points are stored in
//! blocks of [`BLOCK`], dimension by dimension, so that a block's dot products are sums over whole registers, and zeros of
//! the query skip whole lines of memory. Several queries go through a block together; the entries that most of them share,
//! as the positions after the moves of one position do, are multiplied once for all, and each query adds its own. Points of
//! a block are near each other, and a block is skipped if its bounding box, in the few dimensions that vary most, shows that
//! none of its points can be nearer than those already found.

mod bounding_boxes;
mod points;
mod query;
mod vote;

pub use points::{BLOCK, NearestNeighbours, Neighbour};
pub use vote::{Vote, votes};
