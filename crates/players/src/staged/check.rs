//! Verification: every value is recomputed from the positions its moves lead to. It shares nothing with the
//! retrograde analysis but the numbering of places.

use outplay_core::{Oracle, StagedPosition};
use rayon::prelude::*;

use super::StagedSolution;
use super::packed_value::PackedValue;

impl<P: StagedPosition> StagedSolution<P> {
    /// How many places contradict the positions they lead to; 0 proves the solution (see the head of
    /// [`staged`](super)).
    pub fn violations(&self) -> u64 {
        let stages =
            self.stage_index.stages().par_iter().zip(self.values.par_chunks(self.stage_index.places));
        let wrong = |stage, (place, &packed): (usize, &PackedValue)| match P::at(stage, place) {
            None => packed != PackedValue::NONE,
            Some(_) if packed == PackedValue::NONE => true,
            Some(position) => {
                let expected = self.moves(&position).first().map(|&(_, value)| value);
                packed.value() != expected.unwrap_or_else(|| self.value(&position))
            }
        };
        let violations = |stage, values: &[PackedValue]| {
            values.iter().enumerate().filter(|&(place, packed)| wrong(stage, (place, packed))).count() as u64
        };
        stages.map(|(indexed, values)| violations(indexed.stage, values)).sum()
    }
}
