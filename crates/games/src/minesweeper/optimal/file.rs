//! The file format of a solution.
//!
//! The magic; each problem as its key (u128) and the placements won (u32), by rising keys; the CRC-32 of everything
//! before. All numbers are little-endian.
//!
//! Invariant: equal solutions have equal bytes, and a damaged file is never read as a solution.

use std::sync::Arc;

use super::super::rules::Minesweeper;
use super::OptimalSolution;
use super::search::ProblemTable;

const MAGIC: [u8; 8] = *b"MINEBOK1";
const ENTRY: usize = 20;
const CHECKSUM: usize = 4;

impl OptimalSolution {
    /// The solution as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut problems: Vec<(u128, u32)> = self.table.iter().map(|(&key, &won)| (key, won)).collect();
        problems.sort_unstable();
        let mut bytes = Vec::with_capacity(MAGIC.len() + ENTRY * problems.len() + CHECKSUM);
        bytes.extend(MAGIC);
        for (key, won) in problems {
            bytes.extend(key.to_le_bytes());
            bytes.extend(won.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The solution of this game from its bytes; `None` if they are damaged.
    pub fn from_bytes(game: &Minesweeper, bytes: &[u8]) -> Option<Self> {
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
        let problems = content.strip_prefix(&MAGIC)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) || problems.len() % ENTRY != 0 {
            return None;
        }
        let read = |entry: &[u8]| {
            let (key, won) = entry.split_first_chunk::<16>()?;
            Some((u128::from_le_bytes(*key), u32::from_le_bytes(won.try_into().ok()?)))
        };
        let table: Option<ProblemTable> = problems.chunks_exact(ENTRY).map(read).collect();
        Some(Self { table: Arc::new(table?), ..Self::empty(game) })
    }
}
