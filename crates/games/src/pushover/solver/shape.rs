//! Solving the boards of one shape, once all boards with more pieces are solved.
//!
//! Law: a push either fills an empty cell or goes through a full line and leaves the shape as it is. The first
//! kind leads to solved boards and can be judged at once; the second kind stays among the boards of this
//! shape, and only it can be forbidden.

use std::ops::Range;

use super::atlas::{Atlas, Shape};
use super::grade::{Grade, Record};
use super::{Repetition, Step, has_line, step};
use crate::pushover::Board;

/// A board with a push that leaves the shape as it is.
struct Open {
    colours: u16,
    /// The best of the pushes that nothing can forbid.
    settled: Grade,
    /// Where the other pushes stand in `Survey::loops`.
    loops: Range<usize>,
}

/// What is left to solve of a shape.
#[derive(Default)]
struct Survey {
    open: Vec<Open>,
    /// The boards made by pushes through full lines: their colours, seen by the side that pushed.
    loops: Vec<u16>,
}

/// Fills in the records of a shape's boards; `above` holds those of all boards with more pieces.
///
/// Everything that is not settled is first taken for a draw. Then the equations are applied board by board,
/// with the newest values, until no record changes. A decided board stays decided and its distance only
/// shrinks, so this ends; where it ends, all equations hold.
pub(super) fn solve(rule: Repetition, shape: &Shape, above: &[Record], records: &mut [Record]) {
    let survey = survey(shape, above, records);
    while sweep(rule, shape, &survey, records) {}
}

/// Applies every open board's equation once; whether a record changed.
fn sweep(rule: Repetition, shape: &Shape, survey: &Survey, records: &mut [Record]) -> bool {
    let mut changed = false;
    for open in &survey.open {
        let record = weigh(rule, shape, survey, open, records);
        changed |= std::mem::replace(&mut records[open.colours as usize], record) != record;
    }
    changed
}

fn survey(shape: &Shape, above: &[Record], records: &mut [Record]) -> Survey {
    let mut survey = Survey::default();
    for (colours, board) in shape.boards().enumerate() {
        if has_line(board) {
            records[colours] = Record::FINISHED;
            continue;
        }
        let before = survey.loops.len();
        let settled = settle(shape, board, above, &mut survey.loops);
        let loops = before..survey.loops.len();
        if loops.is_empty() {
            records[colours] = Record::certain(settled);
        } else {
            records[colours] = Record::certain(settled.max(Grade::DRAW));
            survey.open.push(Open { colours: colours as u16, settled, loops });
        }
    }
    survey
}

/// The best of the pushes that end the game or change the shape; the boards that the others make are added to
/// `loops`, each once. A win at once leaves no other push worth looking at.
fn settle(shape: &Shape, board: Board<4>, above: &[Record], loops: &mut Vec<u16>) -> Grade {
    let atlas = Atlas::get();
    let before = loops.len();
    let mut settled = Grade::NONE;
    for entry in Board::<4>::entries() {
        let grade = match step(board, entry) {
            Step::Wins => {
                loops.truncate(before);
                return Grade::WIN_NOW;
            }
            Step::Loses => Grade::LOSS_NOW,
            Step::Leads(next) if next.mine | next.theirs == shape.occupied => {
                let made = atlas.colours(next.theirs, shape.occupied);
                if !loops[before..].contains(&made) {
                    loops.push(made);
                }
                continue;
            }
            Step::Leads(next) => above[atlas.find(next, None).0].best.to_mover(),
        };
        settled = settled.max(grade);
    }
    settled
}

/// The record of an open board by the present records of those it leads to.
fn weigh(rule: Repetition, shape: &Shape, survey: &Survey, open: &Open, records: &[Record]) -> Record {
    let turn = shape.all_colours();
    let mut record = Record::certain(open.settled);
    for &made in &survey.loops[open.loops.clone()] {
        let next = records[(made ^ turn) as usize];
        let grade = match rule {
            Repetition::Forbidden => next.without(open.colours ^ turn),
            Repetition::Allowed => next.best,
        };
        record.offer(grade.to_mover(), made);
    }
    match rule {
        Repetition::Forbidden => record.normal(),
        Repetition::Allowed => Record::certain(record.best),
    }
}
