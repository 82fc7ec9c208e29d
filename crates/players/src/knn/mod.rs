//! The nearest of many points, exactly.
//!
//! Belongs here: points of small whole numbers, the distances between them, the nearest few, and what they vote
//! for. Does not belong here: what the numbers mean.
//!
//! Contract of [`Neighbours::nearest`]: the k points with the least Euclidean distance, nearest first, equals in the order of
//! the set; every distance is exact, since all numbers are whole.
//!
//! How: |a − b|² = |a|² + |b|² − 2 a·b, and a·b needs only the numbers of the query that are not zero. Points lie in blocks
//! of [`BLOCK`], number by number, so that a block's dot products are sums over whole registers, and zeros of the query
//! skip whole lines of memory. Several queries go through a block together; what most of them have in common, as the positions
//! after the moves of one position have, is multiplied once for all, and each adds what is its own.
//! Points of a block lie near each other, and a block is passed over if, by the few numbers that differ most, none of its
//! points can be nearer than those found before.

mod boxes;
mod points;
mod query;
mod vote;

pub use points::{BLOCK, Near, Neighbours};
pub use vote::{Vote, votes};
