//! The solution as bytes, about 5 MB.
//!
//! All numbers are little-endian: the magic, the version (u16), the rule (u8), the number of values and of favourites (u32
//! each); one byte for each unfinished board in the order of the board index, twice the code of its best value, plus one if
//! it has a favourite; two bytes for each favourite in the same order, the entry of the push that makes it and the code of
//! the value without it; the CRC-32 of everything before.
//!
//! Equal solutions have equal bytes, and no damaged file is taken for a solution.

use outplay_core::errors;

use super::board_index::{BoardIndex, BoardShape};
use super::byte_value::{BoardRecord, ByteValue};
use super::{PushResult, PushoverSolution, RepetitionRule, has_line, push_result};
use crate::pushover::{PushoverBoard, PushoverMove};

const MAGIC: [u8; 8] = *b"PUSHOV44";
const VERSION: u16 = 1;
const HEADER: usize = MAGIC.len() + 2 + 1 + 4 + 4;
const CHECKSUM: usize = 4;

errors! {
    /// Why bytes are not a solution.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PushoverSolutionError {
        Magic =
            "this is not a solution of Push-over 4×4: it does not begin with 'PUSHOV44'"
            | "ce n’est pas une solution de Push-over 4×4 : elle ne commence pas par « PUSHOV44 »",
        Version { found: u16 } =
            "the solution has the version {found}, expected {VERSION}" | "la solution a la version {found}, attendu {VERSION}",
        Length { found: u64, expected: u64 } =
            "the solution has {found} bytes, expected {expected}" | "la solution a {found} octets, attendu {expected}",
        Checksum { found: u32, expected: u32 } =
            "the solution is damaged: its checksum is {found:08x}, expected {expected:08x}"
            | "la solution est abîmée : sa somme de contrôle est {found:08x}, attendu {expected:08x}",
        Rule { found: u8 } =
            "the solution names the rule {found}, expected 0 (repetition forbidden) or 1 (allowed)"
            | "la solution nomme la règle {found}, attendu 0 (répétition interdite) ou 1 (permise)",
        Values =
            "the solution's number of values does not fit the boards of Push-over 4×4"
            | "le nombre de valeurs de la solution ne convient pas aux plateaux de Push-over 4×4",
        Favourites =
            "the solution's number of favourites does not fit the boards of Push-over 4×4"
            | "le nombre de favoris de la solution ne convient pas aux plateaux de Push-over 4×4",
        /// A board's record contradicts itself.
        Record { board: usize } =
            "the solution's record of the board number {board} makes no sense"
            | "l’entrée du plateau numéro {board} de la solution n’a pas de sens",
    }
}

impl PushoverSolution {
    /// The solution as bytes for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut values, mut favourites) = (Vec::new(), Vec::new());
        for shape in BoardIndex::get().shapes() {
            for (offset, board) in shape.boards().enumerate().filter(|&(_, board)| !has_line(board)) {
                let record = self.records[shape.first + offset];
                values.push(record.best.code() << 1 | u8::from(!record.is_certain()));
                if !record.is_certain() {
                    let entry = PushoverBoard::<4>::entries()
                        .find(|&entry| made_colours(shape, board, entry) == Some(record.favourite))
                        .expect("a favourite is made by a push");
                    favourites.extend([entry.0, record.second.code()]);
                }
            }
        }
        let rule = match self.rule {
            RepetitionRule::Forbidden => 0,
            RepetitionRule::Allowed => 1,
        };
        let mut bytes = Vec::with_capacity(HEADER + values.len() + favourites.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(rule);
        bytes.extend((values.len() as u32).to_le_bytes());
        bytes.extend((favourites.len() as u32 / 2).to_le_bytes());
        bytes.extend(values);
        bytes.extend(favourites);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. Contents with the right checksum are not verified;
    /// [`bellman_violations`](Self::bellman_violations) does that.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PushoverSolutionError> {
        let (rule, values, favourites) = open(bytes)?;
        let (mut values, mut favourites) = (values.iter(), favourites.chunks_exact(2));
        let mut records = Vec::with_capacity(BoardIndex::get().len());
        for shape in BoardIndex::get().shapes() {
            for board in shape.boards() {
                if has_line(board) {
                    records.push(BoardRecord::FINISHED);
                    continue;
                }
                let &byte = values.next().ok_or(PushoverSolutionError::Values)?;
                let favourite = match byte & 1 {
                    0 => None,
                    _ => Some(favourites.next().ok_or(PushoverSolutionError::Favourites)?),
                };
                let record = read_record(shape, board, byte >> 1, favourite);
                records.push(record.ok_or(PushoverSolutionError::Record { board: records.len() })?);
            }
        }
        if values.next().is_some() {
            return Err(PushoverSolutionError::Values);
        }
        if favourites.next().is_some() {
            return Err(PushoverSolutionError::Favourites);
        }
        Ok(Self { rule, records })
    }
}

/// Checks header and checksum, and returns the rule, the values and the favourites.
fn open(bytes: &[u8]) -> Result<(RepetitionRule, &[u8], &[u8]), PushoverSolutionError> {
    let found = bytes.len() as u64;
    let least = PushoverSolutionError::Length { found, expected: (HEADER + CHECKSUM) as u64 };
    let (magic, rest) = bytes.split_first_chunk().ok_or_else(|| least.clone())?;
    if *magic != MAGIC {
        return Err(PushoverSolutionError::Magic);
    }
    let (&version, rest) = rest.split_first_chunk().ok_or_else(|| least.clone())?;
    if u16::from_le_bytes(version) != VERSION {
        return Err(PushoverSolutionError::Version { found: u16::from_le_bytes(version) });
    }
    let (&[rule], rest) = rest.split_first_chunk().ok_or_else(|| least.clone())?;
    let (&values, rest) = rest.split_first_chunk().ok_or_else(|| least.clone())?;
    let (&favourites, rest) = rest.split_first_chunk().ok_or_else(|| least.clone())?;
    let (body, &checksum) = rest.split_last_chunk().ok_or(least)?;
    let (values, favourites) = (u32::from_le_bytes(values), u32::from_le_bytes(favourites));
    let expected = (HEADER + CHECKSUM) as u64 + u64::from(values) + 2 * u64::from(favourites);
    if found != expected {
        return Err(PushoverSolutionError::Length { found, expected });
    }
    let (found, expected) = (crc32fast::hash(&bytes[..HEADER + body.len()]), u32::from_le_bytes(checksum));
    if found != expected {
        return Err(PushoverSolutionError::Checksum { found, expected });
    }
    let rule = match rule {
        0 => RepetitionRule::Forbidden,
        1 => RepetitionRule::Allowed,
        other => return Err(PushoverSolutionError::Rule { found: other }),
    };
    if rule == RepetitionRule::Allowed && favourites != 0 {
        return Err(PushoverSolutionError::Favourites);
    }
    let (values, favourites) = body.split_at(values as usize);
    Ok((rule, values, favourites))
}

/// The record of a board, if it makes sense.
fn read_record(
    shape: &BoardShape,
    board: PushoverBoard<4>,
    code: u8,
    favourite: Option<&[u8]>,
) -> Option<BoardRecord> {
    let best = ByteValue::from_code(code)?;
    let Some(favourite) = favourite else { return Some(BoardRecord::certain(best)) };
    let &[entry, second] = favourite else { return None };
    let second = ByteValue::from_code(second).filter(|&second| second < best)?;
    let entry = Some(PushoverMove(entry)).filter(|entry| (entry.0 as usize) < PushoverBoard::<4>::ENTRIES)?;
    Some(BoardRecord { best, second, favourite: made_colours(shape, board, entry)? })
}

/// The colours of the board that a push makes, seen by the side that pushes, if the game goes on in the shape.
fn made_colours(shape: &BoardShape, board: PushoverBoard<4>, entry: PushoverMove) -> Option<u16> {
    match push_result(board, entry) {
        PushResult::Continues(next) if next.mine | next.theirs == shape.occupied => {
            Some(BoardIndex::get().colours(next.theirs, shape.occupied))
        }
        _ => None,
    }
}
