//! The player that follows the network.
//!
//! It unmasks what the network holds for empty. In doubt it looks from all sides and makes the answers agree with the
//! numbers (`reconcile`). Where nothing is clearly empty it has to guess: of the cells that are nearly the least likely
//! mined, those the network's teacher would most likely take are weighed by what the network would see next
//! (`foresight`).
//!
//! It knows the board, what the network says of it, and nothing else. A player that is stopped answers by what it has seen
//! so far.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn, View};
use outplay_games::minesweeper::{Action, BoardCell, VisibleBoard};

use super::foresight::worth;
use super::reconcile::reconcile;
use super::sight::{ANSWERS, VisionNetwork};

/// Who chooses the first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstCell {
    /// The network.
    Own,
    /// Chance, as Salamone's players do.
    Random,
}

/// Cells less likely mined than this are unmasked one after the other without looking again.
const SURE: f32 = 0.0005;
/// If even the least likely mined cell is likelier than this, the board is looked at from all sides.
const DOUBTFUL: f32 = 0.002;
/// Above this nothing is clearly empty.
const CLEAR: f32 = 0.03;
/// How much likelier mined a guess may be than the least likely cell.
const NEAR: f32 = 0.1;
/// The most guesses that are weighed.
const WEIGHED: usize = 6;

/// The stop flag of a player that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The player that follows the network.
pub struct NetPlayer {
    sight: VisionNetwork,
    first: FirstCell,
    /// What was surely empty at the last look, the last first.
    sure: Vec<BoardCell>,
}

/// A way to get on, how likely its cell is mined, and how much it appeals as a guess.
#[derive(Clone, Copy)]
struct Prospect {
    action: Action,
    mined: f32,
    appeal: f32,
}

/// What the answers say of the ways to get on, the least likely mined first.
fn prospects(view: &VisibleBoard, answers: &[[f32; ANSWERS]]) -> Vec<Prospect> {
    let prospect = |action: Action| {
        let [mined, appeal] = answers[view.index(action.cell())];
        Prospect { action, mined, appeal }
    };
    let mut prospects: Vec<Prospect> = view.open_actions().map(prospect).collect();
    prospects.sort_by(|a, b| a.mined.total_cmp(&b.mined));
    prospects
}

/// The ways to get on for a player that was stopped before it has seen anything: all alike.
fn unseen(view: &VisibleBoard) -> Vec<Prospect> {
    let mined = view.mines_left() as f32 / view.masked().iter().count() as f32;
    view.open_actions().map(|action| Prospect { action, mined, appeal: 0.0 }).collect()
}

impl NetPlayer {
    /// A player with this network.
    pub const fn new(sight: VisionNetwork, first: FirstCell) -> Self {
        Self { sight, first, sure: Vec::new() }
    }

    /// Looks at the board: the ways to get on, the chosen one first.
    fn look(&mut self, view: &VisibleBoard, stop: &AtomicBool) -> Vec<Prospect> {
        let Some(answers) = self.sight.look(view, stop) else { return unseen(view) };
        let glance = prospects(view, answers);
        if glance.first().is_none_or(|least| least.mined <= DOUBTFUL) {
            return glance;
        }
        let Some(answers) = self.sight.look_from_all_sides(view, stop) else { return glance };
        let mut answers = answers.to_vec();
        reconcile(view, &mut answers);
        let mut prospects = prospects(view, &answers);
        if prospects[0].mined > CLEAR {
            let place = self.best_guess(view, &prospects, &answers, stop).unwrap_or(0);
            prospects[..=place].rotate_right(1);
        }
        prospects
    }

    /// Which of the ways to get on, the least likely mined first, is the best guess; `None` if the flag is raised first.
    fn best_guess(
        &mut self,
        view: &VisibleBoard,
        prospects: &[Prospect],
        answers: &[[f32; ANSWERS]],
        stop: &AtomicBool,
    ) -> Option<usize> {
        let most = prospects[0].mined + NEAR;
        let mut places: Vec<usize> = (0..prospects.partition_point(|other| other.mined <= most)).collect();
        places.sort_by(|&a, &b| prospects[b].appeal.total_cmp(&prospects[a].appeal));
        places.truncate(WEIGHED);
        if let [only] = places[..] {
            return Some(only);
        }
        let worth =
            |place: usize| worth(&mut self.sight, view, prospects[place].action.cell(), answers, stop);
        let weighed = places.iter().copied().map(worth).collect::<Option<Vec<f32>>>()?;
        let best = (0..places.len()).max_by(|&a, &b| weighed[a].total_cmp(&weighed[b]).then(b.cmp(&a)));
        best.map(|best| places[best])
    }

    /// A cell that was surely empty at the last look.
    fn next_sure(&mut self, view: &VisibleBoard) -> Option<BoardCell> {
        let is_open = |cell: BoardCell| view.is_legal(Action::Unmask(cell));
        std::iter::from_fn(|| self.sure.pop()).find(|&cell| is_open(cell))
    }
}

impl Player<VisibleBoard> for NetPlayer {
    fn new_game(&mut self, _seat: Seat) {
        self.sure.clear();
    }

    fn choose(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        if self.first == FirstCell::Random && view.score() == 0 {
            return turn.rng.pick(&view.open_actions().collect::<Vec<_>>());
        }
        if let Some(cell) = self.next_sure(view) {
            turn.show(|| {
                thought(&[Prospect { action: Action::Unmask(cell), mined: 0.0, appeal: 1.0 }], start)
            });
            return Action::Unmask(cell);
        }
        let prospects = self.look(view, turn.stop_flag().unwrap_or(&NEVER));
        turn.show(|| thought(&prospects, start));
        let [chosen, others @ ..] = &prospects[..] else {
            unreachable!("an unfinished game has a masked cell")
        };
        let sure = others.iter().filter(|other| other.mined < SURE);
        self.sure.extend(sure.map(|other| other.action.cell()).rev());
        chosen.action
    }
}

fn thought(prospects: &[Prospect], start: Instant) -> Thought<Action> {
    let candidate = |(place, prospect): (usize, &Prospect)| {
        let (mv, weight) = (prospect.action, f64::from(u8::from(place == 0)));
        Candidate::expected(mv, 1.0 - f64::from(prospect.mined), weight, vec![mv])
    };
    Thought {
        candidates: prospects.iter().enumerate().map(candidate).collect(),
        depth: 1,
        nodes: prospects.len() as u64,
        elapsed: start.elapsed(),
    }
}
