//! Masking sub-grids, without flags (§3.2.3) and with them (§4.7).
//!
//! Invariant: the centre is always masked, a mine is never visible, and every number of further masks is equally
//! likely.

use outplay_core::Rng;

use super::subgrid::{CELLS, CENTRE, Subgrid, code};

/// How sub-grids are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Masking {
    /// The centre and the mines, and then a random number of the other free cells.
    WithoutFlags,
    /// The centre, a random number of free cells, and then the mines still seen, each with a flag.
    WithFlags,
}

impl Masking {
    /// A masked copy of a sub-grid without a mask.
    pub fn mask(self, bare: &Subgrid, rng: &mut Rng) -> Subgrid {
        let mut masked = *bare;
        masked.0[CENTRE] = code::MASKED;
        if self == Self::WithoutFlags {
            replace_mines(&mut masked, code::MASKED);
        }
        mask_some(&mut masked, rng);
        if self == Self::WithFlags {
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

/// Masks a random number, none and all included, of the free cells that are not masked yet.
fn mask_some(subgrid: &mut Subgrid, rng: &mut Rng) {
    let (mut open, mut len) = ([0u8; CELLS], 0);
    for (cell, &code) in subgrid.0.iter().enumerate() {
        open[len] = cell as u8;
        len += usize::from(code >= code::MINE);
    }
    for first in 0..rng.below(len + 1) {
        open.swap(first, first + rng.below(len - first));
        subgrid.0[open[first] as usize] = code::MASKED;
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampler::{Centre, SourceBoard, SubgridSampler};
    use super::*;

    #[test]
    fn masks_hide_what_they_should_and_nothing_else() {
        let sampler = SubgridSampler::new(SourceBoard { rows: 8, cols: 8, mines: 12 }).unwrap();
        let mut rng = Rng::new(1);
        for round in 0..20_000 {
            let bare = sampler.sample(Centre::BOTH[round % 2], &mut rng);
            for masking in [Masking::WithoutFlags, Masking::WithFlags] {
                let masked = masking.mask(&bare, &mut rng);
                assert_eq!(masked.0[CENTRE], code::MASKED);
                for (&before, &after) in bare.0.iter().zip(&masked.0) {
                    match before {
                        code::WALL => assert_eq!(after, code::WALL),
                        code::MINE if masking == Masking::WithFlags => {
                            assert!(after == code::MASKED || after == code::FLAGGED);
                        }
                        code::MINE => assert_eq!(after, code::MASKED),
                        number => assert!(after == number || after == code::MASKED),
                    }
                }
            }
        }
    }

    /// The sub-grid of all zeros but for one mine beside the centre.
    fn plain() -> Subgrid {
        let mut bare = Subgrid([0; CELLS]);
        bare.0[CENTRE + 1] = code::MINE;
        bare
    }

    #[test]
    fn every_number_of_masks_is_as_likely_and_every_cell() {
        const DRAWS: usize = 48_000;
        let mut rng = Rng::new(2);
        // Without flags 23 cells may be masked, none to all; with them the mine is one of 24.
        for (masking, cells) in [(Masking::WithoutFlags, 23), (Masking::WithFlags, 24)] {
            let (mut by_number, mut by_cell) = ([0usize; CELLS], [0usize; CELLS]);
            for _ in 0..DRAWS {
                let masked = masking.mask(&plain(), &mut rng);
                let further = masked.0.iter().filter(|&&code| code == code::MASKED).count()
                    - if masking == Masking::WithFlags { 1 } else { 2 };
                by_number[further] += 1;
                for (count, &code) in by_cell.iter_mut().zip(&masked.0) {
                    *count += usize::from(code == code::MASKED);
                }
            }
            let expected = DRAWS as f64 / f64::from(cells + 1);
            for &count in &by_number[..=cells as usize] {
                assert!((count as f64 - expected).abs() < 5.0 * expected.sqrt(), "{by_number:?}");
            }
            let half = DRAWS as f64 / 2.0;
            for cell in (0..CELLS).filter(|&cell| cell != CENTRE && cell != CENTRE + 1) {
                assert!((by_cell[cell] as f64 - half).abs() < 5.0 * (half / 2.0).sqrt(), "{by_cell:?}");
            }
        }
    }
}
