//! Masking sub-grids, without flags (§3.2.3) and with them (§4.7).
//!
//! Invariant: the centre is always masked, and a mine is never visible. The document says that "a random number m" of
//! cells is masked and not what m counts; [`MaskCount`] has both readings.

use outplay_core::Rng;

use super::subgrid::{CELLS, CENTRE, Subgrid, code};

/// What the random number of masked cells counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskCount {
    /// All masked cells, from one to all free cells but one: the centre counts, and without flags the mines do, which
    /// are masked in any case. The author's program counts so.
    Total,
    /// The cells that are masked besides the centre, and without flags besides the mines: from none to all of them.
    Further,
}

/// How sub-grids are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Masking {
    /// What the number of masks counts.
    pub count: MaskCount,
    /// Without flags, all mines are masked first. With flags, the mines that are still seen at the end are flagged.
    pub has_flags: bool,
}

impl Masking {
    /// A masked copy of a sub-grid without a mask.
    pub fn mask(self, bare: &Subgrid, rng: &mut Rng) -> Subgrid {
        let free = bare.0.iter().filter(|&&code| code != code::WALL).count();
        let mut masked = *bare;
        masked.0[CENTRE] = code::MASKED;
        if !self.has_flags {
            replace_mines(&mut masked, code::MASKED);
        }
        let (mut open, len) = unmasked(&masked);
        let number = match self.count {
            MaskCount::Total => (1 + rng.below(free - 1)).saturating_sub(free - len),
            MaskCount::Further => rng.below(len + 1),
        };
        for first in 0..number {
            open.swap(first, first + rng.below(len - first));
            masked.0[open[first] as usize] = code::MASKED;
        }
        if self.has_flags {
            replace_mines(&mut masked, code::FLAGGED);
        }
        masked
    }
}

fn replace_mines(subgrid: &mut Subgrid, by: i8) {
    for cell in &mut subgrid.0 {
        if *cell == code::MINE {
            *cell = by;
        }
    }
}

/// The free cells that are not masked, and how many there are.
fn unmasked(subgrid: &Subgrid) -> ([u8; CELLS], usize) {
    let (mut open, mut len) = ([0u8; CELLS], 0);
    for (cell, &code) in subgrid.0.iter().enumerate() {
        open[len] = cell as u8;
        len += usize::from(code >= code::MINE);
    }
    (open, len)
}

#[cfg(test)]
mod tests {
    use super::super::sampler::{Centre, SourceBoard, SubgridSampler};
    use super::*;

    const COUNTS: [MaskCount; 2] = [MaskCount::Total, MaskCount::Further];

    #[test]
    fn masks_hide_what_they_should_and_nothing_else() {
        let board = SourceBoard { rows: 8, cols: 8, mines: 12 };
        let sampler = SubgridSampler::new(board, None).unwrap();
        let mut rng = Rng::new(1);
        for round in 0..20_000 {
            let bare = sampler.sample(Centre::BOTH[round % 2], &mut rng);
            for (count, has_flags) in COUNTS.into_iter().flat_map(|count| [(count, false), (count, true)]) {
                let masked = Masking { count, has_flags }.mask(&bare, &mut rng);
                assert_eq!(masked.0[CENTRE], code::MASKED);
                for (&before, &after) in bare.0.iter().zip(&masked.0) {
                    match before {
                        code::WALL => assert_eq!(after, code::WALL),
                        code::MINE if has_flags => assert!(after == code::MASKED || after == code::FLAGGED),
                        code::MINE => assert_eq!(after, code::MASKED),
                        number => assert!(after == number || after == code::MASKED),
                    }
                }
            }
        }
    }

    /// The sub-grid of all zeros but for four mines around the centre.
    fn plain() -> Subgrid {
        let mut bare = Subgrid([0; CELLS]);
        for cell in [CENTRE - 5, CENTRE - 1, CENTRE + 1, CENTRE + 5] {
            bare.0[cell] = code::MINE;
        }
        bare
    }

    /// How often each number of cells is masked in all, centre and mines included.
    fn by_number(masking: Masking, draws: usize) -> [f64; CELLS + 1] {
        let (mut rng, mut counts) = (Rng::new(2), [0.0; CELLS + 1]);
        for _ in 0..draws {
            let masked = masking.mask(&plain(), &mut rng);
            counts[masked.0.iter().filter(|&&code| code == code::MASKED).count()] += 1.0 / draws as f64;
        }
        counts
    }

    #[test]
    fn the_number_of_masks_is_as_likely_as_each_reading_says() {
        const DRAWS: usize = 96_000;
        let near = |found: f64, expected: f64| {
            (found - expected).abs() < 5.0 * (expected / DRAWS as f64).sqrt() + 1e-12
        };
        // In all: 1 to 24 cells; without flags the centre and four mines are masked at least.
        let total = by_number(Masking { count: MaskCount::Total, has_flags: false }, DRAWS);
        for (number, &share) in total.iter().enumerate() {
            let ways = match number {
                0..5 | 25 => 0.0,
                5 => 5.0,
                _ => 1.0,
            };
            assert!(near(share, ways / 24.0), "{number} {total:?}");
        }
        let total = by_number(Masking { count: MaskCount::Total, has_flags: true }, DRAWS);
        assert!((1..=24).all(|number| near(total[number], 1.0 / 24.0)), "{total:?}");
        // Further: none to twenty cells besides those five, or none to 24 besides the centre.
        let further = by_number(Masking { count: MaskCount::Further, has_flags: false }, DRAWS);
        assert!((5..=25).all(|number| near(further[number], 1.0 / 21.0)), "{further:?}");
        let further = by_number(Masking { count: MaskCount::Further, has_flags: true }, DRAWS);
        assert!((1..=25).all(|number| near(further[number], 1.0 / 25.0)), "{further:?}");
    }

    #[test]
    fn every_cell_is_masked_as_often() {
        const DRAWS: usize = 48_000;
        for count in COUNTS {
            let (mut rng, mut by_cell) = (Rng::new(3), [0usize; CELLS]);
            for _ in 0..DRAWS {
                let masked = Masking { count, has_flags: true }.mask(&plain(), &mut rng);
                for (count, &code) in by_cell.iter_mut().zip(&masked.0) {
                    *count += usize::from(code == code::MASKED);
                }
            }
            // In all 12.5 cells on average, or 12 besides the centre.
            let each = DRAWS as f64 * if count == MaskCount::Total { 11.5 / 24.0 } else { 0.5 };
            for cell in (0..CELLS).filter(|&cell| cell != CENTRE) {
                assert!((by_cell[cell] as f64 - each).abs() < 5.0 * (each / 2.0).sqrt(), "{by_cell:?}");
            }
        }
    }
}
