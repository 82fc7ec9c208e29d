//! The points in memory, and the search over them.

use super::bounding_boxes::{BoundingBoxes, order};
use super::query::{NonZeroTerms, Query, common};

/// The number of points per block.
pub const BLOCK: usize = 64;

/// A neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    /// The squared distance.
    pub distance: i32,
    /// The index of the point, in the order in which points were given.
    pub point: u32,
}

/// An index of points for nearest-neighbour queries.
#[derive(Clone, Debug)]
pub struct NearestNeighbours {
    dims: usize,
    len: usize,
    /// Block by block, dimension by dimension, the entries of the block's points.
    numbers: Vec<[i8; BLOCK]>,
    /// The squared norm of each point; padding is out of reach.
    squares: Vec<[i32; BLOCK]>,
    /// The greatest absolute value of each dimension.
    largest: Vec<i32>,
    /// The point at each place of the blocks.
    order: Vec<u32>,
    boxes: BoundingBoxes,
}

/// Farther than any point: |a − b|² is at most 65 025 per dimension.
const OUT_OF_REACH: i32 = i32::MAX / 2;
/// With more dimensions a distance might overflow.
const MOST_DIMS: usize = 4096;

impl NearestNeighbours {
    /// An index of the points in `numbers`, one after the other, each with `dims` entries.
    pub fn new(dims: usize, numbers: &[i8]) -> Self {
        assert!((1..=MOST_DIMS).contains(&dims), "a point has 1 to {MOST_DIMS} numbers, not {dims}");
        assert!(numbers.len().is_multiple_of(dims), "whole points of {dims} numbers");
        let len = numbers.len() / dims;
        let blocks = len.div_ceil(BLOCK);
        let order = order(dims, numbers);
        let mut made = Self {
            boxes: BoundingBoxes::new(dims, numbers, &order),
            dims,
            len,
            numbers: vec![[0; BLOCK]; blocks * dims],
            squares: vec![[OUT_OF_REACH; BLOCK]; blocks],
            largest: vec![0; dims],
            order,
        };
        for (place, &point) in made.order.iter().enumerate() {
            let point = &numbers[point as usize * dims..][..dims];
            let (block, lane) = (place / BLOCK, place % BLOCK);
            for (dim, &number) in point.iter().enumerate() {
                made.numbers[block * dims + dim][lane] = number;
                made.largest[dim] = made.largest[dim].max(i32::from(number).abs());
            }
            made.squares[block][lane] = square(point);
        }
        made
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The nearest points of one query, nearest first: k of them, or all if there are fewer.
    pub fn nearest(&self, query: &[i8], k: usize) -> Vec<Neighbour> {
        self.nearest_of_each(query, k).pop().unwrap_or_default()
    }

    /// The nearest points of many queries, which lie one after the other. The same result as one by one, but faster,
    /// above all where the queries have much in common.
    pub fn nearest_of_each(&self, queries: &[i8], k: usize) -> Vec<Vec<Neighbour>> {
        assert!(queries.len().is_multiple_of(self.dims), "whole queries of {} numbers", self.dims);
        let common = common(self.dims, queries);
        let shared = NonZeroTerms::of(&common, &self.largest);
        let queries: Vec<Query> = queries
            .chunks_exact(self.dims)
            .map(|query| Query::new(query, &common, &self.largest, self.boxes.bounds(query)))
            .collect();
        let mut best = vec![Best::new(k); queries.len()];
        for (query, best) in queries.iter().zip(&mut best) {
            for &block in &query.first {
                self.look(block, &self.dots(block, &shared), query, best);
            }
        }
        for block in 0..self.squares.len() {
            let mut dots = None;
            for (query, best) in queries.iter().zip(&mut best) {
                if query.bounds[block] <= best.worst.distance && !query.first.contains(&block) {
                    let dots = dots.get_or_insert_with(|| self.dots(block, &shared));
                    self.look(block, dots, query, best);
                }
            }
        }
        best.into_iter().map(Best::finish).collect()
    }

    fn block(&self, block: usize) -> &[[i8; BLOCK]] {
        &self.numbers[block * self.dims..][..self.dims]
    }

    fn dots(&self, block: usize, terms: &NonZeroTerms) -> [i32; BLOCK] {
        let mut dots = [0; BLOCK];
        terms.add_dots(self.block(block), &mut dots);
        dots
    }

    /// Adds the points of a block that are near enough, given the block's dot products with the common part of the
    /// queries.
    fn look(&self, block: usize, shared: &[i32; BLOCK], query: &Query, best: &mut Best) {
        let mut dots = *shared;
        query.own.add_dots(self.block(block), &mut dots);
        let mut distances = self.squares[block];
        let mut least = i32::MAX;
        for (distance, dot) in distances.iter_mut().zip(&dots) {
            *distance += query.square - 2 * dot;
            least = least.min(*distance);
        }
        if least <= best.worst.distance {
            for (&distance, &point) in distances.iter().zip(&self.order[block * BLOCK..]) {
                let near = Neighbour { distance, point };
                if near < best.worst {
                    best.take(near);
                }
            }
        }
    }
}

pub(super) fn square(point: &[i8]) -> i32 {
    point.iter().map(|&number| i32::from(number) * i32::from(number)).sum()
}

/// The nearest points found so far.
#[derive(Clone)]
struct Best {
    k: usize,
    /// Nearest first.
    found: Vec<Neighbour>,
    /// A further point must be nearer than this.
    worst: Neighbour,
}

impl Best {
    fn new(k: usize) -> Self {
        let distance = if k == 0 { i32::MIN } else { OUT_OF_REACH / 2 };
        Self { k, found: Vec::with_capacity(k + 1), worst: Neighbour { distance, point: 0 } }
    }

    /// Among equal distances the point given earlier comes first.
    fn take(&mut self, near: Neighbour) {
        let place = self.found.partition_point(|other| *other < near);
        self.found.insert(place, near);
        if self.found.len() > self.k {
            self.found.pop();
        }
        if self.found.len() == self.k {
            self.worst = self.found[self.k - 1];
        }
    }

    fn finish(self) -> Vec<Neighbour> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every distance, sorted.
    fn by_hand(dims: usize, points: &[i8], query: &[i8], k: usize) -> Vec<Neighbour> {
        let distance = |point: &[i8]| {
            point.iter().zip(query).map(|(&a, &b)| (i32::from(a) - i32::from(b)).pow(2)).sum::<i32>()
        };
        let mut all: Vec<Neighbour> = (0u32..)
            .zip(points.chunks_exact(dims))
            .map(|(point, numbers)| Neighbour { distance: distance(numbers), point })
            .collect();
        all.sort();
        all.truncate(k);
        all
    }

    proptest! {
        #[test]
        fn the_nearest_are_those_of_all_distances(
            dims in 1usize..70,
            seed in any::<u64>(),
            count in 0usize..900,
            largest in prop::sample::select(vec![0i64, 1, 3, 19, 127]),
            k in 0usize..12,
        ) {
            let mut rng = outplay_core::Rng::new(seed);
            let mut numbers = |count: usize| -> Vec<i8> {
                (0..count * dims).map(|_| (rng.below(2 * largest as usize + 1) as i64 - largest) as i8).collect()
            };
            let (points, mut queries) = (numbers(count), numbers(5));
            // Half of the time all but the first are like the first in most numbers.
            if seed % 2 == 0 {
                for place in dims..queries.len() {
                    queries[place] = if place % 7 == 0 { queries[place] } else { queries[place % dims] };
                }
            }
            let neighbours = NearestNeighbours::new(dims, &points);
            let batch = neighbours.nearest_of_each(&queries, k);
            for (query, from_batch) in queries.chunks_exact(dims).zip(batch) {
                let expected = by_hand(dims, &points, query, k);
                prop_assert_eq!(&neighbours.nearest(query, k), &expected);
                prop_assert_eq!(from_batch, expected);
            }
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        let points = [[-128i8; 300], [127; 300]].concat();
        let neighbours = NearestNeighbours::new(300, &points);
        let nearest = neighbours.nearest(&[-128; 300], 2);
        assert_eq!(nearest, by_hand(300, &points, &[-128; 300], 2));
        assert_eq!(nearest[1].distance, 300 * 255 * 255);
        // What one has beyond the others is as large as it can be.
        let queries = [[127i8; 300], [127; 300], [-128; 300]].concat();
        let each = neighbours.nearest_of_each(&queries, 2);
        assert_eq!(each[2], nearest);
        assert_eq!(each[0], by_hand(300, &points, &[127; 300], 2));
    }
}
