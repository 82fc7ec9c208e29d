//! Solves the boards of one shape, once all boards with more pieces are solved.
//!
//! A push either fills an empty cell or goes through a full line and leaves the shape as it is. Pushes of the first kind
//! lead to solved boards and are evaluated at once; those of the second kind stay in the shape, and only they can be
//! forbidden.

use std::ops::Range;

use super::board_index::{BoardIndex, BoardShape};
use super::byte_value::{BoardRecord, ByteValue};
use super::{PushResult, RepetitionRule, has_line, push_result};
use crate::pushover::PushoverBoard;

/// A board with a push that leaves the shape as it is.
struct UnsettledBoard {
    colours: u16,
    /// The best of the pushes that nothing can forbid.
    settled: ByteValue,
    /// The range of the other pushes in `UnsettledBoards::loops`.
    loops: Range<usize>,
}

/// The boards of a shape that are left to solve.
#[derive(Default)]
struct UnsettledBoards {
    boards: Vec<UnsettledBoard>,
    /// The boards made by pushes through full lines: their colours, seen by the side that pushed.
    loops: Vec<u16>,
}

/// Fills in the records of a shape's boards; `above` holds those of all boards with more pieces.
///
/// Everything that is not settled is first taken for a draw. Then the equations are applied board by board,
/// with the newest values, until no record changes. A decided board stays decided and its distance only
/// shrinks, so this ends; where it ends, all equations hold.
pub(super) fn solve(
    rule: RepetitionRule,
    shape: &BoardShape,
    above: &[BoardRecord],
    records: &mut [BoardRecord],
) {
    let unsettled = find_unsettled(shape, above, records);
    while sweep(rule, shape, &unsettled, records) {}
}

/// Applies the equation of every unsettled board once; returns whether a record changed.
fn sweep(
    rule: RepetitionRule,
    shape: &BoardShape,
    unsettled: &UnsettledBoards,
    records: &mut [BoardRecord],
) -> bool {
    let mut changed = false;
    for open in &unsettled.boards {
        let record = recompute(rule, shape, unsettled, open, records);
        changed |= std::mem::replace(&mut records[open.colours as usize], record) != record;
    }
    changed
}

fn find_unsettled(shape: &BoardShape, above: &[BoardRecord], records: &mut [BoardRecord]) -> UnsettledBoards {
    let mut unsettled = UnsettledBoards::default();
    for (colours, board) in shape.boards().enumerate() {
        if has_line(board) {
            records[colours] = BoardRecord::FINISHED;
            continue;
        }
        let before = unsettled.loops.len();
        let settled = settled_value(shape, board, above, &mut unsettled.loops);
        let loops = before..unsettled.loops.len();
        if loops.is_empty() {
            records[colours] = BoardRecord::certain(settled);
        } else {
            records[colours] = BoardRecord::certain(settled.max(ByteValue::DRAW));
            unsettled.boards.push(UnsettledBoard { colours: colours as u16, settled, loops });
        }
    }
    unsettled
}

/// The best of the pushes that end the game or change the shape; the boards that the others make are added to
/// `loops`, each once. After an immediate win no other push matters.
fn settled_value(
    shape: &BoardShape,
    board: PushoverBoard<4>,
    above: &[BoardRecord],
    loops: &mut Vec<u16>,
) -> ByteValue {
    let index = BoardIndex::get();
    let before = loops.len();
    let mut settled = ByteValue::NONE;
    for entry in PushoverBoard::<4>::entries() {
        let value = match push_result(board, entry) {
            PushResult::Wins => {
                loops.truncate(before);
                return ByteValue::WIN_NOW;
            }
            PushResult::Loses => ByteValue::LOSS_NOW,
            PushResult::Continues(next) if next.mine | next.theirs == shape.occupied => {
                let made = index.colours(next.theirs, shape.occupied);
                if !loops[before..].contains(&made) {
                    loops.push(made);
                }
                continue;
            }
            PushResult::Continues(next) => above[index.index_of(next, None).0].best.for_mover(),
        };
        settled = settled.max(value);
    }
    settled
}

/// The record of an unsettled board, by the present records of the boards it leads to.
fn recompute(
    rule: RepetitionRule,
    shape: &BoardShape,
    unsettled: &UnsettledBoards,
    open: &UnsettledBoard,
    records: &[BoardRecord],
) -> BoardRecord {
    let turn = shape.all_colours();
    let mut record = BoardRecord::certain(open.settled);
    for &made in &unsettled.loops[open.loops.clone()] {
        let next = records[(made ^ turn) as usize];
        let value = match rule {
            RepetitionRule::Forbidden => next.without(open.colours ^ turn),
            RepetitionRule::Allowed => next.best,
        };
        record.offer(value.for_mover(), made);
    }
    match rule {
        RepetitionRule::Forbidden => record.normalised(),
        RepetitionRule::Allowed => BoardRecord::certain(record.best),
    }
}
