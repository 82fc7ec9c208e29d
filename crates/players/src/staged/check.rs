//! The proof by inspection: every position recomputed from those it leads to.
//!
//! Law: nothing here is shared with the retrograde work but the numbering of places.

use outplay_core::{Oracle, Staged};
use rayon::prelude::*;

use super::Solution;
use super::grade::Grade;

impl<P: Staged> Solution<P> {
    /// How many places contradict the positions they lead to: 0 proves the solution (see the note at the door).
    pub fn violations(&self) -> u64 {
        let stages = self.atlas.stages().par_iter().zip(self.grades.par_chunks(self.atlas.places));
        let wrong = |stage, (place, &grade): (usize, &Grade)| match P::at(stage, place) {
            None => grade != Grade::NONE,
            Some(_) if grade == Grade::NONE => true,
            Some(position) => {
                let expected = self.moves(&position).first().map(|&(_, value)| value);
                grade.value() != expected.unwrap_or_else(|| self.value(&position))
            }
        };
        let violations = |stage, grades: &[Grade]| {
            grades.iter().enumerate().filter(|&(place, grade)| wrong(stage, (place, grade))).count() as u64
        };
        stages.map(|(known, grades)| violations(known.stage, grades)).sum()
    }
}
