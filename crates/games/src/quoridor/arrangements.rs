//! Counts the sets of walls that fit together, by dynamic programming.
//!
//! Sets of walls that neither overlap nor cross are counted exactly; whether they leave a path is not checked.

use std::collections::HashMap;

use outplay_core::StagedPosition;

use super::cells::Cells;
use super::rules::{MAX_WALLS, Quoridor};
use super::stages::QuoridorSymmetry;
use super::walls::Walls;

/// The most walls that can be on the board.
const MAX_TOTAL_WALLS: usize = 2 * MAX_WALLS as usize;

/// Number of sets by their size.
type Counts = [f64; MAX_TOTAL_WALLS + 1];

/// The state of the dynamic programme, which decides slots row by row: the columns with a vertical wall in the row before,
/// and whether the slot before has a horizontal wall.
type Profile = (u16, bool);

impl<C: Cells> Walls<C> {
    /// How many sets of these walls fit together, by their size.
    pub(super) fn arrangements(self, size: u8) -> Counts {
        let mut none: Counts = [0.0; MAX_TOTAL_WALLS + 1];
        none[0] = 1.0;
        let mut ways: HashMap<Profile, Counts> = HashMap::from([((0, false), none)]);
        for row in 0..size - 1 {
            for column in 0..size - 1 {
                ways = self.extend(&ways, column, row);
            }
        }
        let mut counts = [0.0; MAX_TOTAL_WALLS + 1];
        for part in ways.values() {
            counts.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
        }
        counts
    }

    /// The ways with one more slot decided.
    fn extend(self, ways: &HashMap<Profile, Counts>, column: u8, row: u8) -> HashMap<Profile, Counts> {
        let (slot, bit) = (C::cell(column, row), 1u16 << column);
        let mut extended: HashMap<Profile, Counts> = HashMap::new();
        let mut add = |profile, counts: &Counts, walls: usize| {
            let sums = extended.entry(profile).or_insert([0.0; MAX_TOTAL_WALLS + 1]);
            sums[walls..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        };
        for (&(vertical, after_horizontal), counts) in ways {
            let after_horizontal = after_horizontal && column > 0;
            add((vertical & !bit, false), counts, 0);
            if self.horizontal.contains(slot) && !after_horizontal {
                add((vertical & !bit, true), counts, 1);
            }
            if self.vertical.contains(slot) && vertical & bit == 0 {
                add((vertical | bit, false), counts, 1);
            }
        }
        extended
    }
}

impl<C: Cells> Quoridor<C> {
    /// Estimates how many places a table of all stages that may follow has, images counted once. Too small where some stages
    /// are their own images, too large where walls leave no path.
    pub fn estimated_places(&self) -> f64 {
        let counts = self.free_walls().arrangements(self.size());
        let in_hand = self.setup().in_hand.map(usize::from);
        let spent = (0..=in_hand[0]).flat_map(|white| (0..=in_hand[1]).map(move |black| white + black));
        let stages: f64 = spent.map(|walls| counts[walls]).sum();
        let stage = self.stage();
        let images =
            QuoridorSymmetry::ALL.into_iter().filter(|&symmetry| stage.image(symmetry) == stage).count();
        stages * Self::places(stage) as f64 / images as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::SmallQuoridor;
    use super::*;

    /// All sets of walls, one by one.
    fn count_one_by_one(walls: Walls<u64>, free: Walls<u64>, size: u8, counts: &mut Counts) {
        counts[walls.count() as usize] += 1.0;
        let mut left = free;
        for (_, wall) in walls.free_slots(u64::masks(size)).intersection(free).iter() {
            left = Walls {
                horizontal: left.horizontal & !wall.horizontal,
                vertical: left.vertical & !wall.vertical,
            };
            count_one_by_one(walls.union(wall), left, size, counts);
        }
    }

    #[test]
    fn sets_of_walls_are_counted() {
        for size in [3, 4] {
            let free = SmallQuoridor::start(size, 0).unwrap().free_walls();
            let mut one_by_one = [0.0; MAX_TOTAL_WALLS + 1];
            count_one_by_one(Walls::EMPTY, free, size, &mut one_by_one);
            assert_eq!(free.arrangements(size), one_by_one, "{size}×{size}");
        }
        let counts = SmallQuoridor::start(5, 0).unwrap().free_walls().arrangements(5);
        assert_eq!(counts[..3], [1.0, 32.0, 496.0 - 24.0 - 16.0]);
    }
}
