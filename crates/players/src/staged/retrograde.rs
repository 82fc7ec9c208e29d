//! Solving one stage, once all later ones are solved.
//!
//! Places are decided by rising distance. A place is won as soon as one of its moves leads to a lost one, and lost
//! once all of them lead to won ones; of what leaves the stage only the best is kept. What is never decided is
//! a draw.
//!
//! Law: when a place is decided, all places at smaller distances are.

use std::ops::ControlFlow;

use outplay_core::{Outcome, Staged};

use super::atlas::Atlas;
use super::grade::Grade;

/// Room for the work on a stage, kept from one to the next.
pub(super) struct Workshop<P: Staged> {
    /// Where each seat's moves lead, by the moves' slots.
    links: Vec<Link<P::Symmetry>>,
    /// The best of what leaves the stage, or has been refuted within it, by place.
    settled: Vec<Grade>,
    /// Moves within the stage that are not yet refuted, by place.
    open: Vec<u32>,
    /// Moves within the stage: from where, to where.
    steps: Vec<(u32, u32)>,
    /// Where each place's predecessors begin in `before`.
    firsts: Vec<u32>,
    before: Vec<u32>,
    /// Places and their grades, by distance.
    due: Vec<Vec<(u32, Grade)>>,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum Link<Y> {
    Unknown,
    Within,
    /// To a stage whose image under the symmetry has its first place there.
    Beyond {
        first: usize,
        symmetry: Y,
    },
}

impl<P: Staged> Workshop<P> {
    pub(super) fn new() -> Self {
        Self {
            links: Vec::new(),
            settled: Vec::new(),
            open: Vec::new(),
            steps: Vec::new(),
            firsts: Vec::new(),
            before: Vec::new(),
            due: vec![Vec::new(); Grade::FARTHEST + 2],
        }
    }

    /// Fills in the grades of a stage; `below` holds those of all lower ones. False if some result is too far away.
    pub(super) fn solve(
        &mut self,
        atlas: &Atlas<P::Stage>,
        stage: P::Stage,
        below: &[Grade],
        grades: &mut [Grade],
    ) -> bool {
        self.survey(atlas, stage, below, grades);
        self.turn_round(grades.len());
        for distance in 0..self.due.len() {
            let mut due = std::mem::take(&mut self.due[distance]);
            for (place, grade) in due.drain(..) {
                if grades[place as usize] != Grade::DRAW {
                    continue;
                }
                if distance > Grade::FARTHEST {
                    return false;
                }
                grades[place as usize] = grade;
                self.tell_predecessors(place, grade.to_mover(), grades);
            }
            self.due[distance] = due;
        }
        true
    }

    /// Looks at every place once: where its moves lead, and what is known already.
    fn survey(&mut self, atlas: &Atlas<P::Stage>, stage: P::Stage, below: &[Grade], grades: &mut [Grade]) {
        self.links.clear();
        self.links.resize(2 * P::SLOTS, Link::Unknown);
        self.settled.clear();
        self.settled.resize(grades.len(), Grade::NONE);
        self.open.clear();
        self.open.resize(grades.len(), 0);
        self.steps.clear();
        self.due.iter_mut().for_each(Vec::clear);
        for (place, grade) in grades.iter_mut().enumerate() {
            let Some(position) = P::at(stage, place) else {
                *grade = Grade::NONE;
                continue;
            };
            *grade = Grade::DRAW;
            let settled = match position.outcome() {
                Some(Outcome::Win(winner)) if winner == position.seat() => Grade::WON,
                Some(Outcome::Win(_)) => Grade::LOST,
                Some(Outcome::Draw) => Grade::DRAW,
                None => self.look(atlas, &position, place as u32, below),
            };
            self.settled[place] = settled;
            if settled.is_win() || (settled.is_loss() && self.open[place] == 0) {
                self.due[settled.distance()].push((place as u32, settled));
            }
        }
    }

    /// The best of the moves that leave the stage; those within are noted. A win at once leaves no other move worth
    /// looking at.
    fn look(&mut self, atlas: &Atlas<P::Stage>, position: &P, place: u32, below: &[Grade]) -> Grade {
        let (mut settled, noted, seat) = (Grade::NONE, self.steps.len(), position.seat());
        let won = position.each_move(|mv| {
            let next = position.after(mv);
            if next.outcome() == Some(Outcome::Win(seat)) {
                return ControlFlow::Break(());
            }
            let link = &mut self.links[seat.index() * P::SLOTS + P::slot(mv)];
            if let Link::Unknown = link {
                *link = find_link(atlas, position, &next);
            }
            match *link {
                Link::Beyond { first, symmetry } => {
                    settled = settled.max(below[first + next.place(symmetry)].to_mover());
                }
                _ => self.steps.push((place, next.place(P::Symmetry::default()) as u32)),
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            self.steps.truncate(noted);
            return Grade::WIN_NOW;
        }
        self.open[place as usize] = (self.steps.len() - noted) as u32;
        settled
    }

    /// Makes lists of predecessors of the steps.
    fn turn_round(&mut self, places: usize) {
        self.firsts.clear();
        self.firsts.resize(places + 1, 0);
        for &(_, to) in &self.steps {
            self.firsts[to as usize] += 1;
        }
        let mut end = 0;
        for first in &mut self.firsts {
            end += *first;
            *first = end;
        }
        self.before.clear();
        self.before.resize(self.steps.len(), 0);
        for &(from, to) in &self.steps {
            let first = &mut self.firsts[to as usize];
            *first -= 1;
            self.before[*first as usize] = from;
        }
    }

    /// Tells the predecessors of a place what a move to it is worth.
    fn tell_predecessors(&mut self, place: u32, grade: Grade, grades: &[Grade]) {
        let range = self.firsts[place as usize] as usize..self.firsts[place as usize + 1] as usize;
        for &from in &self.before[range] {
            if grades[from as usize] != Grade::DRAW {
                continue;
            }
            if grade.is_win() {
                self.due[grade.distance()].push((from, grade));
                continue;
            }
            let (settled, open) = (&mut self.settled[from as usize], &mut self.open[from as usize]);
            *settled = grade.max(*settled);
            *open -= 1;
            if *open == 0 && settled.is_loss() {
                self.due[settled.distance()].push((from, *settled));
            }
        }
    }
}

fn find_link<P: Staged>(atlas: &Atlas<P::Stage>, position: &P, next: &P) -> Link<P::Symmetry> {
    if next.stage() == position.stage() {
        return Link::Within;
    }
    let (stage, symmetry) = P::represent(next.stage());
    let number = atlas.find::<P>(stage).expect("a move leads to a stage that was surveyed");
    Link::Beyond { first: number * atlas.places, symmetry }
}
