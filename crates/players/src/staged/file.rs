//! The file format of a solution: the values alone, since the stages can be enumerated again.
//!
//! All numbers are little-endian: the magic, the version (u16), the CRC-32 of the start (u32), the number of places
//! (u64), one byte for each place, the CRC-32 of everything before.
//!
//! Invariant: equal solutions have equal bytes, and a damaged file is never read as a solution.

use std::sync::atomic::AtomicBool;

use outplay_core::{StagedPosition, errors};

use super::StagedSolution;
use super::packed_value::PackedValue;
use super::stage_index::StageIndex;

const MAGIC: [u8; 8] = *b"OUTSTAGE";
const VERSION: u16 = 1;
const HEADER: usize = MAGIC.len() + 2 + 4 + 8;
const CHECKSUM: usize = 4;

errors! {
    /// Why bytes are not the solution of a game.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum StagedFileError {
        Form =
            "these are no exact values of this version: expected bytes that begin with 'OUTSTAGE' and version 1"
            | "ce ne sont pas des valeurs exactes de cette version : attendu des octets qui commencent par « OUTSTAGE » et la version 1",
        Start = "these are the exact values of another game" | "ce sont les valeurs exactes d’un autre jeu",
        Length { found: usize, expected: usize } =
            "there are {found} bytes, expected {expected}" | "il y a {found} octets, attendu {expected}",
        Checksum { found: u32, expected: u32 } =
            "the exact values are damaged: their checksum is {found:08x}, expected {expected:08x}"
            | "les valeurs exactes sont abîmées : leur somme de contrôle est {found:08x}, attendu {expected:08x}",
    }
}

fn header<P: StagedPosition>(stage_index: &StageIndex<P::Stage>) -> Vec<u8> {
    let start = crc32fast::hash(format!("{:?}", stage_index.start).as_bytes());
    let mut header = Vec::with_capacity(HEADER + stage_index.len() + CHECKSUM);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend(start.to_le_bytes());
    header.extend((stage_index.len() as u64).to_le_bytes());
    header
}

impl<P: StagedPosition> StagedSolution<P> {
    /// The solution as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header::<P>(&self.stage_index);
        bytes.extend(self.values.iter().map(|packed| packed.to_byte()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the solution from this start that [`to_bytes`](Self::to_bytes) wrote. The values themselves are not
    /// checked; [`violations`](Self::violations) does that.
    pub fn from_bytes(start: &P, bytes: &[u8]) -> Result<Self, StagedFileError> {
        if !bytes.starts_with(&[&MAGIC[..], &VERSION.to_le_bytes()].concat()) {
            return Err(StagedFileError::Form);
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or(StagedFileError::Form)?;
        let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(*checksum));
        if found != expected {
            return Err(StagedFileError::Checksum { found, expected });
        }
        let never = AtomicBool::new(false);
        let stage_index = StageIndex::survey::<P>(start.stage(), &never).ok_or(StagedFileError::Start)?;
        let (found, expected) = (bytes.len(), HEADER + stage_index.len() + CHECKSUM);
        if found != expected {
            return Err(StagedFileError::Length { found, expected });
        }
        let (written, values) = body.split_at(HEADER);
        if written != header::<P>(&stage_index) {
            return Err(StagedFileError::Start);
        }
        Ok(Self { stage_index, values: values.iter().map(|&byte| PackedValue::from_byte(byte)).collect() })
    }
}
