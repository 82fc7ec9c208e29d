//! Grouping points into blocks of near neighbours, and lower bounds of the distance to a block.
//!
//! Invariants: the order depends only on the points; a bound is never above the distance to any point of its block.

use super::points::BLOCK;

/// The number of dimensions of the bounding boxes.
const COARSE: usize = 16;
/// The size of the sample by which the splitting dimension is chosen.
const SAMPLE: usize = 512;

/// The order of points, block by block: all points are recursively split in two along the dimension with the greatest
/// variance.
pub(super) fn order(dims: usize, numbers: &[i8]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..(numbers.len() / dims) as u32).collect();
    divide(dims, numbers, &mut order);
    order
}

fn divide(dims: usize, numbers: &[i8], points: &mut [u32]) {
    if points.len() <= BLOCK {
        return;
    }
    let spread = spread(dims, numbers, points);
    let widest = (0..dims).fold(0, |widest, dim| if spread[dim] > spread[widest] { dim } else { widest });
    // Whole blocks on the left, so that only the last block of all is not full.
    let middle = (points.len() / BLOCK).div_ceil(2) * BLOCK;
    if middle < points.len() {
        points.select_nth_unstable_by_key(middle, |&point| (numbers[point as usize * dims + widest], point));
    }
    let (left, right) = points.split_at_mut(middle);
    divide(dims, numbers, left);
    divide(dims, numbers, right);
}

/// The variance of each dimension in a sample of the points, times the square of the sample size.
fn spread(dims: usize, numbers: &[i8], points: &[u32]) -> Vec<i64> {
    let (mut sums, mut squares, mut count) = (vec![0i64; dims], vec![0i64; dims], 0);
    for &point in points.iter().step_by(points.len().div_ceil(SAMPLE).max(1)) {
        let point = &numbers[point as usize * dims..][..dims];
        for ((sum, square), &number) in sums.iter_mut().zip(&mut squares).zip(point) {
            *sum += i64::from(number);
            *square += i64::from(number) * i64::from(number);
        }
        count += 1;
    }
    sums.iter().zip(squares).map(|(sum, square)| count * square - sum * sum).collect()
}

/// The bounding boxes of the blocks.
#[derive(Clone, Debug)]
pub(super) struct BoundingBoxes {
    /// The dimensions used: those that vary most.
    coarse: Vec<usize>,
    lows: Vec<[i16; COARSE]>,
    highs: Vec<[i16; COARSE]>,
}

impl BoundingBoxes {
    pub(super) fn new(dims: usize, numbers: &[i8], order: &[u32]) -> Self {
        let spread = spread(dims, numbers, order);
        let mut coarse: Vec<usize> = (0..dims).collect();
        coarse.sort_by_key(|&dim| std::cmp::Reverse(spread[dim]));
        coarse.truncate(COARSE);
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for block in order.chunks(BLOCK) {
            let (mut low, mut high) = ([0; COARSE], [0; COARSE]);
            for (place, &dim) in coarse.iter().enumerate() {
                let all = || block.iter().map(|&point| i16::from(numbers[point as usize * dims + dim]));
                low[place] = all().min().unwrap_or(0);
                high[place] = all().max().unwrap_or(0);
            }
            lows.push(low);
            highs.push(high);
        }
        Self { coarse, lows, highs }
    }

    /// For each block a lower bound of the squared distance to its points.
    pub(super) fn bounds(&self, query: &[i8]) -> Vec<i32> {
        let mut seen = [0i16; COARSE];
        for (place, &dim) in self.coarse.iter().enumerate() {
            seen[place] = i16::from(query[dim]);
        }
        let bound = |(low, high): (&[i16; COARSE], &[i16; COARSE])| {
            let mut sum = 0;
            for place in 0..COARSE {
                let gap = i32::from((low[place] - seen[place]).max(seen[place] - high[place]).max(0));
                sum += gap * gap;
            }
            sum
        };
        self.lows.iter().zip(&self.highs).map(bound).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    fn points(count: usize, dims: usize) -> Vec<i8> {
        let mut rng = Rng::new(5);
        (0..count * dims).map(|place| (rng.below(1 + 9 * (place % dims)) as i32 - 20) as i8).collect()
    }

    #[test]
    fn every_point_is_in_one_place() {
        let numbers = points(1000, 7);
        let mut order = order(7, &numbers);
        assert_ne!(order, (0..1000).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn no_point_is_nearer_than_its_block_allows() {
        let dims = 20;
        let (numbers, queries) = (points(700, dims), points(30, dims));
        let order = order(dims, &numbers);
        let boxes = BoundingBoxes::new(dims, &numbers, &order);
        let mut greatest = 0;
        for query in queries.chunks_exact(dims) {
            for (bound, block) in boxes.bounds(query).into_iter().zip(order.chunks(BLOCK)) {
                for &point in block {
                    let point = &numbers[point as usize * dims..][..dims];
                    let distance: i32 =
                        point.iter().zip(query).map(|(&a, &b)| (i32::from(a) - i32::from(b)).pow(2)).sum();
                    assert!(bound <= distance, "{bound} {distance}");
                }
                greatest = greatest.max(bound);
            }
        }
        assert!(greatest > 0, "nothing could ever be passed over");
    }
}
