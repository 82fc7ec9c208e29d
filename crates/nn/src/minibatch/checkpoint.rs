//! The bytes of a mini-batch training between two steps.
//!
//! Layout, all numbers little-endian: the mark; the architecture as a line of text, its length before it as u32;
//! the loss code; the optimiser's code and its four numbers (unused ones are zero); the steps taken as u64; the
//! parameters, in the network's order; whatever the optimiser remembers, in the same order, once for each of its
//! memories; and the CRC-32 of all before it. A trainer that is restored goes on with the same bytes, and refuses
//! what was made with another network, optimiser or loss.

use super::optimiser::Optimiser;
use super::trainer::Trainer;
use crate::error::CheckpointError;
use crate::loss::Loss;
use crate::network::LANES;
use crate::scalar::{Fields, code, put, sealed};

/// The opening mark; its last byte is the version.
const MARK: [u8; 8] = *b"OPLMINI\x01";

impl Trainer {
    /// All that the next step depends on, besides the batch.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        let line = self.network.architecture.to_string();
        out.extend((line.len() as u32).to_le_bytes());
        out.extend(line.bytes());
        out.push(code(&Loss::ALL, &self.loss));
        let (kind, numbers) = optimiser_code(&self.optimiser);
        out.push(kind);
        put(&mut out, &numbers);
        out.extend(self.steps.to_le_bytes());
        let parameters = bytemuck::cast_slice::<_, f32>(&self.network.parameters);
        self.network.places().for_each(|place| put(&mut out, &[parameters[place]]));
        let memory = bytemuck::cast_slice::<_, f32>(&self.memory);
        let memories = self.optimiser.memories();
        for nth in 0..memories {
            self.network
                .places()
                .for_each(|place| put(&mut out, &[memory[remembered(place, nth, memories)]]));
        }
        sealed(out)
    }

    /// Goes back (or forth) to where [`checkpoint`](Self::checkpoint) was taken, rate included. If it fails,
    /// nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let mut fields = Fields::open(MARK, bytes)?;
        let length = u32::from_le_bytes(fields.take("plan")?) as usize;
        if fields.bytes("plan", length)? != self.network.architecture.to_string().as_bytes() {
            return Err(CheckpointError::OtherNetwork);
        }
        if fields.item("loss function", &Loss::ALL)? != self.loss {
            return Err(CheckpointError::OtherLoss);
        }
        let optimiser = optimiser_from(&mut fields)?;
        if optimiser_code(&optimiser).0 != optimiser_code(&self.optimiser).0 {
            return Err(CheckpointError::OtherOptimiser);
        }
        let steps = u64::from_le_bytes(fields.take("steps")?);
        let places: Vec<usize> = self.network.places().collect();
        let parameters: Vec<f32> = fields.finite("weights", places.len())?;
        let memories = optimiser.memories();
        let memory: Vec<f32> = fields.finite("optimiser's memory", places.len() * memories)?;
        fields.close()?;
        self.network.set_numbers(&parameters);
        let kept = bytemuck::cast_slice_mut::<_, f32>(&mut self.memory);
        for (nth, numbers) in memory.chunks_exact(places.len()).enumerate() {
            for (&place, number) in places.iter().zip(numbers) {
                kept[remembered(place, nth, memories)] = *number;
            }
        }
        (self.optimiser, self.steps) = (optimiser, steps);
        Ok(())
    }
}

/// Where the nth memory of the parameter at a place lies.
fn remembered(place: usize, nth: usize, memories: usize) -> usize {
    (place / LANES * memories + nth) * LANES + place % LANES
}

fn optimiser_code(optimiser: &Optimiser) -> (u8, [f32; 4]) {
    match *optimiser {
        Optimiser::Sgd { rate, momentum } => (0, [rate, momentum, 0.0, 0.0]),
        Optimiser::RmsProp { rate, decay, epsilon } => (1, [rate, decay, epsilon, 0.0]),
        Optimiser::Adam { rate, first, second, epsilon } => (2, [rate, first, second, epsilon]),
    }
}

fn optimiser_from(fields: &mut Fields<'_>) -> Result<Optimiser, CheckpointError> {
    let [kind] = fields.take("optimiser")?;
    let numbers = fields.finite::<f32>("optimiser", 4)?;
    match (kind, &numbers[..]) {
        (0, &[rate, momentum, ..]) => Ok(Optimiser::Sgd { rate, momentum }),
        (1, &[rate, decay, epsilon, _]) => Ok(Optimiser::RmsProp { rate, decay, epsilon }),
        (2, &[rate, first, second, epsilon]) => Ok(Optimiser::Adam { rate, first, second, epsilon }),
        _ => Err(CheckpointError::Field { field: "optimiser" }),
    }
}
