//! Queries, split into a part that several of them have in common and a part of their own.
//!
//! Invariants: sums in 16 bits never overflow, because they are added to 32-bit sums before they could. A query is
//! the sum of the common part and its own, and so are its dot products.

use super::points::{BLOCK, square};

/// The number of blocks searched first, those with the smallest bounds; what they hold lets others be skipped.
const FIRST: usize = 4;

/// The non-zero entries of a vector.
pub(super) struct NonZeroTerms {
    /// Dimension and value.
    numbers: Vec<(u16, i16)>,
    /// The ends of runs whose products add up within 16 bits.
    ends: Vec<usize>,
}

impl NonZeroTerms {
    /// The non-zero entries of `numbers`, none beyond 255; they will be multiplied by numbers of at most `largest`.
    pub(super) fn of(numbers: &[i16], largest: &[i32]) -> Self {
        let numbers: Vec<(u16, i16)> =
            (0..).zip(numbers.iter().copied()).filter(|&(_, number)| number != 0).collect();
        let (mut ends, mut sum) = (Vec::new(), 0);
        for (place, &(dim, number)) in numbers.iter().enumerate() {
            let product = i32::from(number).abs() * largest[usize::from(dim)];
            if sum + product > i32::from(i16::MAX) {
                ends.push(place);
                sum = 0;
            }
            sum += product;
        }
        ends.push(numbers.len());
        Self { numbers, ends }
    }

    /// Adds the dot products with the points of a block.
    #[inline]
    pub(super) fn add_dots(&self, block: &[[i8; BLOCK]], sums: &mut [i32; BLOCK]) {
        let mut first = 0;
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
    }
}

/// One of several queries.
pub(super) struct Query {
    /// The difference to the common part.
    pub(super) own: NonZeroTerms,
    pub(super) square: i32,
    /// The lower bound of the distance to each block.
    pub(super) bounds: Vec<i32>,
    /// The blocks that may be nearest.
    pub(super) first: Vec<usize>,
}

impl Query {
    pub(super) fn new(query: &[i8], common: &[i16], largest: &[i32], bounds: Vec<i32>) -> Self {
        let own: Vec<i16> =
            query.iter().zip(common).map(|(&number, common)| i16::from(number) - common).collect();
        let first = least(&bounds, FIRST);
        Self { own: NonZeroTerms::of(&own, largest), square: square(query), bounds, first }
    }
}

/// The entries that most queries share, or zeros where sharing would not pay: positions after the moves of one
/// position differ in few squares, others in most.
pub(super) fn common(dims: usize, queries: &[i8]) -> Vec<i16> {
    let all = || queries.chunks_exact(dims);
    let mut common = vec![0; dims];
    for (dim, common) in common.iter_mut().enumerate() {
        // Boyer–Moore majority vote.
        let (mut left, mut votes) = (0, 0);
        for query in all() {
            if votes == 0 {
                left = query[dim];
            }
            votes += if query[dim] == left { 1 } else { -1 };
        }
        let have = |number: i8| all().filter(|query| query[dim] == number).count();
        // The common part is multiplied once for all queries.
        if have(left) > have(0) + 1 {
            *common = i16::from(left);
        }
    }
    common
}

/// The indices of the smallest few numbers.
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
