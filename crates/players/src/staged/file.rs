//! A solution as bytes: the values alone, since the stages can be surveyed again.
//!
//! All numbers are little-endian: the magic, the version (u16), the CRC-32 of the start (u32), the number of places
//! (u64), one byte for each place, the CRC-32 of everything before.
//!
//! Law: equal solutions have equal bytes, and no damaged file is taken for a solution.

use std::sync::atomic::AtomicBool;

use outplay_core::Staged;

use super::Solution;
use super::atlas::Atlas;
use super::grade::Grade;

const MAGIC: [u8; 8] = *b"OUTSTAGE";
const VERSION: u16 = 1;
const HEADER: usize = MAGIC.len() + 2 + 4 + 8;
const CHECKSUM: usize = 4;

/// Why bytes are not the solution of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolutionError {
    /// The magic or the version is another.
    #[error(
        "these are no exact values of this version: expected bytes that begin with 'OUTSTAGE' and version 1"
    )]
    Form,
    /// Another game, or another start.
    #[error("these are the exact values of another game")]
    Start,
    /// The length does not agree with the game.
    #[error("there are {found} bytes, expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// Some byte has changed.
    #[error("the exact values are damaged: their checksum is {found:08x}, expected {expected:08x}")]
    Checksum {
        /// Of the bytes there are.
        found: u32,
        /// The one written at the end.
        expected: u32,
    },
}

fn header<P: Staged>(atlas: &Atlas<P::Stage>) -> Vec<u8> {
    let start = crc32fast::hash(format!("{:?}", atlas.start).as_bytes());
    let mut header = Vec::with_capacity(HEADER + atlas.len() + CHECKSUM);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend(start.to_le_bytes());
    header.extend((atlas.len() as u64).to_le_bytes());
    header
}

impl<P: Staged> Solution<P> {
    /// The solution as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header::<P>(&self.atlas);
        bytes.extend(self.grades.iter().map(|grade| grade.to_byte()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The solution from this start that [`to_bytes`](Self::to_bytes) wrote, or what is wrong with the bytes. Contents
    /// with the right checksum are taken for what they say; [`violations`](Self::violations) is the judge of their
    /// truth.
    pub fn from_bytes(start: &P, bytes: &[u8]) -> Result<Self, SolutionError> {
        if !bytes.starts_with(&[&MAGIC[..], &VERSION.to_le_bytes()].concat()) {
            return Err(SolutionError::Form);
        }
        let (body, checksum) = bytes.split_last_chunk().ok_or(SolutionError::Form)?;
        let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(*checksum));
        if found != expected {
            return Err(SolutionError::Checksum { found, expected });
        }
        let never = AtomicBool::new(false);
        let atlas = Atlas::survey::<P>(start.stage(), &never).ok_or(SolutionError::Start)?;
        let (found, expected) = (bytes.len(), HEADER + atlas.len() + CHECKSUM);
        if found != expected {
            return Err(SolutionError::Length { found, expected });
        }
        let (written, grades) = body.split_at(HEADER);
        if written != header::<P>(&atlas) {
            return Err(SolutionError::Start);
        }
        Ok(Self { atlas, grades: grades.iter().map(|&byte| Grade::from_byte(byte)).collect() })
    }
}
