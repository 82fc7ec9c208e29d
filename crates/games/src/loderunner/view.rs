//! What the player knows: the whole board now, and nothing of what the guards want.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use outplay_core::{Seat, View};

use super::moment::{Delays, Fate, Moment};
use super::physics::{GuardMind, Physics, RunnerAction};
use super::terrain::Terrain;

/// A level as the player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LodeRunnerView {
    terrain: Arc<Terrain>,
    delays: Delays,
    moment: Moment,
}

impl LodeRunnerView {
    /// A level at this moment.
    pub fn new(terrain: Arc<Terrain>, delays: Delays, moment: Moment) -> Self {
        Self { terrain, delays, moment }
    }

    /// The tiles.
    pub const fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// The delays of the rules.
    pub const fn delays(&self) -> Delays {
        self.delays
    }

    /// What changes from turn to turn.
    pub const fn moment(&self) -> &Moment {
        &self.moment
    }

    /// The rules on this level.
    pub fn physics(&self) -> Physics<'_> {
        Physics { terrain: &self.terrain, delays: self.delays }
    }

    /// Plays a turn with guards that follow `mind`.
    pub fn turn(&mut self, action: RunnerAction, mind: &mut impl GuardMind) {
        let physics = Physics { terrain: &self.terrain, delays: self.delays };
        physics.turn(&mut self.moment, action, mind);
    }

    /// A hash of the view.
    pub fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl View for LodeRunnerView {
    type Move = RunnerAction;
    const SLOTS: usize = RunnerAction::ALL.len();

    fn slot(mv: RunnerAction) -> usize {
        mv as usize
    }

    fn seat(&self) -> Seat {
        Seat::First
    }

    fn each_move<B>(&self, mut visit: impl FnMut(RunnerAction) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.moment.fate != Fate::Running {
            return ControlFlow::Continue(());
        }
        let physics = self.physics();
        for action in RunnerAction::ALL {
            if physics.allows(&self.moment, action) {
                visit(action)?;
            }
        }
        ControlFlow::Continue(())
    }
}
