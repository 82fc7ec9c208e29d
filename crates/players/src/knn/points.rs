//! Points in memory, and the pass over them.
//!
//! Law: sums in sixteen bits never overflow: before they could, they are added to sums in thirty-two.

use super::boxes::{Boxes, order};

/// Points that are worked on together.
pub const BLOCK: usize = 64;

/// Blocks that are gone through first, those that may be nearest: what they hold lets others be passed over.
const FIRST: usize = 4;

/// Blocks that several queries go through before the next ones: about what stays near the processor.
const STRETCH_BYTES: usize = 128 << 10;

/// A neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// The squared distance.
    pub distance: i32,
    /// Which point, in the order in which they were given.
    pub point: u32,
}

/// Points to be asked for their nearest.
#[derive(Clone, Debug)]
pub struct Neighbours {
    dims: usize,
    len: usize,
    /// Block by block, in each number by number, for each number the block's points.
    numbers: Vec<[i8; BLOCK]>,
    /// For each point the sum of its squares; fillers are out of reach.
    squares: Vec<[i32; BLOCK]>,
    /// For each number the largest that any point has, without its sign.
    largest: Vec<i32>,
    /// Which point lies in which place of the blocks.
    order: Vec<u32>,
    boxes: Boxes,
}

/// Farther than any point: |a − b|² is at most 65 025 a number.
const OUT_OF_REACH: i32 = i32::MAX / 2;
/// More numbers than this might overflow a distance.
const MOST_DIMS: usize = 4096;

impl Neighbours {
    /// The points that lie one after the other in `numbers`, each of `dims` numbers.
    pub fn new(dims: usize, numbers: &[i8]) -> Self {
        assert!((1..=MOST_DIMS).contains(&dims), "a point has 1 to {MOST_DIMS} numbers, not {dims}");
        assert!(numbers.len().is_multiple_of(dims), "whole points of {dims} numbers");
        let len = numbers.len() / dims;
        let blocks = len.div_ceil(BLOCK);
        let order = order(dims, numbers);
        let mut made = Self {
            boxes: Boxes::new(dims, numbers, &order),
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

    /// Numbers of a point.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The nearest points of one query, nearest first: k of them, or all if there are fewer.
    pub fn nearest(&self, query: &[i8], k: usize) -> Vec<Near> {
        let (query, mut best) = (Query::new(query, self), Best::new(k));
        self.begin(&query, &mut best);
        self.scan(0..self.squares.len(), &query, &mut best);
        best.finish()
    }

    /// The nearest points of many queries that lie one after the other; the same as one by one, in less time.
    pub fn nearest_of_each(&self, queries: &[i8], k: usize) -> Vec<Vec<Near>> {
        let queries: Vec<Query> =
            queries.chunks_exact(self.dims).map(|query| Query::new(query, self)).collect();
        let mut best = vec![Best::new(k); queries.len()];
        for (query, best) in queries.iter().zip(&mut best) {
            self.begin(query, best);
        }
        let stretch = (STRETCH_BYTES / (BLOCK * self.dims)).max(1);
        for first in (0..self.squares.len()).step_by(stretch) {
            let blocks = first..(first + stretch).min(self.squares.len());
            for (query, best) in queries.iter().zip(&mut best) {
                self.scan(blocks.clone(), query, best);
            }
        }
        best.into_iter().map(Best::finish).collect()
    }

    /// Goes through the blocks that may be nearest.
    fn begin(&self, query: &Query, best: &mut Best) {
        for &block in &query.first {
            self.look(block, query, best);
        }
    }

    /// Goes through the others, as far as they can hold anything that is nearer.
    fn scan(&self, blocks: std::ops::Range<usize>, query: &Query, best: &mut Best) {
        for block in blocks {
            if query.bounds[block] <= best.worst.distance && !query.first.contains(&block) {
                self.look(block, query, best);
            }
        }
    }

    fn look(&self, block: usize, query: &Query, best: &mut Best) {
        let numbers = &self.numbers[block * self.dims..][..self.dims];
        let dots = query.dots(numbers);
        let mut distances = self.squares[block];
        let mut least = i32::MAX;
        for (distance, dot) in distances.iter_mut().zip(&dots) {
            *distance += query.square - 2 * dot;
            least = least.min(*distance);
        }
        if least <= best.worst.distance {
            for (&distance, &point) in distances.iter().zip(&self.order[block * BLOCK..]) {
                let near = Near { distance, point };
                if near < best.worst {
                    best.take(near);
                }
            }
        }
    }
}

fn square(point: &[i8]) -> i32 {
    point.iter().map(|&number| i32::from(number) * i32::from(number)).sum()
}

/// A query without its zeros.
struct Query {
    /// Where its other numbers stand, and what they are.
    numbers: Vec<(u16, i16)>,
    square: i32,
    /// Where stretches of them end whose products add up within sixteen bits.
    ends: Vec<usize>,
    /// How near each block can be at least.
    bounds: Vec<i32>,
    /// The blocks that may be nearest.
    first: Vec<usize>,
}

impl Query {
    fn new(query: &[i8], points: &Neighbours) -> Self {
        assert_eq!(query.len(), points.dims, "numbers of a query");
        let numbers: Vec<(u16, i16)> = (0u16..)
            .zip(query)
            .filter(|&(_, &number)| number != 0)
            .map(|(dim, &number)| (dim, i16::from(number)))
            .collect();
        let (mut ends, mut sum) = (Vec::new(), 0);
        for (place, &(dim, number)) in numbers.iter().enumerate() {
            let product = i32::from(number).abs() * points.largest[usize::from(dim)];
            if sum + product > i32::from(i16::MAX) {
                ends.push(place);
                sum = 0;
            }
            sum += product;
        }
        ends.push(numbers.len());
        let bounds = points.boxes.bounds(query);
        let first = least(&bounds, FIRST);
        Self { numbers, square: square(query), ends, bounds, first }
    }

    /// The dot products with the points of a block.
    #[inline]
    fn dots(&self, block: &[[i8; BLOCK]]) -> [i32; BLOCK] {
        let (mut sums, mut first) = ([0i32; BLOCK], 0);
        for &end in &self.ends {
            let numbers = &self.numbers[first..end];
            first = end;
            let mut short = [0i16; BLOCK];
            for &(dim, number) in numbers {
                for (sum, &other) in short.iter_mut().zip(&block[usize::from(dim)]) {
                    *sum += number * i16::from(other);
                }
            }
            for (sum, short) in sums.iter_mut().zip(short) {
                *sum += i32::from(short);
            }
        }
        sums
    }
}

/// The places of the least few numbers.
fn least(numbers: &[i32], few: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::with_capacity(few + 1);
    for (place, &number) in numbers.iter().enumerate() {
        if found.len() < few || number < numbers[found[few - 1]] {
            found.insert(found.partition_point(|&other| numbers[other] <= number), place);
            found.truncate(few);
        }
    }
    found
}

/// The best so far.
#[derive(Clone)]
struct Best {
    k: usize,
    /// Nearest first.
    found: Vec<Near>,
    /// What a further one must stay below.
    worst: Near,
}

impl Best {
    fn new(k: usize) -> Self {
        let distance = if k == 0 { i32::MIN } else { OUT_OF_REACH / 2 };
        Self { k, found: Vec::with_capacity(k + 1), worst: Near { distance, point: 0 } }
    }

    /// Of equals the one that was given earlier stays before.
    fn take(&mut self, near: Near) {
        let place = self.found.partition_point(|other| *other < near);
        self.found.insert(place, near);
        if self.found.len() > self.k {
            self.found.pop();
        }
        if self.found.len() == self.k {
            self.worst = self.found[self.k - 1];
        }
    }

    fn finish(self) -> Vec<Near> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every distance, sorted.
    fn by_hand(dims: usize, points: &[i8], query: &[i8], k: usize) -> Vec<Near> {
        let distance = |point: &[i8]| {
            point.iter().zip(query).map(|(&a, &b)| (i32::from(a) - i32::from(b)).pow(2)).sum::<i32>()
        };
        let mut all: Vec<Near> = (0u32..)
            .zip(points.chunks_exact(dims))
            .map(|(point, numbers)| Near { distance: distance(numbers), point })
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
            let (points, queries) = (numbers(count), numbers(5));
            let neighbours = Neighbours::new(dims, &points);
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
        let neighbours = Neighbours::new(300, &points);
        let nearest = neighbours.nearest(&[-128; 300], 2);
        assert_eq!(nearest, by_hand(300, &points, &[-128; 300], 2));
        assert_eq!(nearest[1].distance, 300 * 255 * 255);
    }
}
