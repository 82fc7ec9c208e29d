//! The memory of all players at tables together.
//!
//! Laws of this room:
//! - whoever thinks has room for what it may come to remember, and keeps it for a while after its move; then it leaves, and comes
//!   back as a newcomer who is told the game;
//! - where there is no room, those who only remember leave at once, and whoever thinks now leaves after its move.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use outplay_lab::spec::Spec;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::hall::Hall;
use crate::bounds;

/// The room of a player, given back when it is dropped.
pub(super) type Room = OwnedSemaphorePermit;

/// The memory.
pub(super) struct Memory {
    /// In MiB.
    free: Arc<Semaphore>,
    /// How many wait for room.
    waiting: AtomicUsize,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(bounds::PLAYER_MEMORY as usize)), waiting: AtomicUsize::new(0) }
    }

    /// Room of this size, if there is enough.
    pub(super) fn try_take(&self, size: u32) -> Option<Room> {
        Arc::clone(&self.free).try_acquire_many_owned(size).ok()
    }

    /// Room of this size, once there is enough; blocks. `make_room` is called if need be, when others can see that someone waits.
    pub(super) fn take(&self, size: u32, runtime: &Handle, make_room: impl FnOnce()) -> Room {
        if let Some(room) = self.try_take(size) {
            return room;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        make_room();
        let room = runtime.block_on(Arc::clone(&self.free).acquire_many_owned(size));
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        room.unwrap_or_else(|_| unreachable!("it is never closed"))
    }

    /// Whether someone waits for room.
    pub(super) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }
}

/// The MiB that are reckoned for a player: its table's, where its name says them, else those of most; for each tree, where there
/// are several.
pub(super) fn size_of(player: &str) -> u32 {
    let spec = player.parse::<Spec>().ok();
    let number = |name: &str| spec.as_ref()?.get(name)?.parse::<u32>().ok();
    let table = number("table").or_else(|| number("hash"));
    table
        .unwrap_or_else(|| bounds::DEFAULT_PLAYER_MEMORY.saturating_mul(number("threads").unwrap_or(1)))
        .min(bounds::PLAYER_MEMORY)
}

/// Lets players go who have nothing to do, for as long as there is a hall.
pub(super) async fn tidy(hall: Weak<Hall>) {
    loop {
        sleep(bounds::PLAYER_STAYS / 4).await;
        let Some(hall) = hall.upgrade() else { return };
        let _ = spawn_blocking(move || hall.let_rest(bounds::PLAYER_STAYS)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_reckoned_by_what_it_was_given() {
        let sizes = ["random", "alphabeta:depth=2,table=256", "engine:threads=2,hash=16", "mcts:threads=2"];
        assert_eq!(
            sizes.map(size_of),
            [bounds::DEFAULT_PLAYER_MEMORY, 256, 16, 2 * bounds::DEFAULT_PLAYER_MEMORY]
        );
        assert_eq!(size_of("mcts:threads=4000000000"), bounds::PLAYER_MEMORY);
    }

    #[test]
    fn whoever_waits_is_seen_to_wait_until_there_is_room() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let memory = Memory::new();
        let all = memory.try_take(bounds::PLAYER_MEMORY).unwrap();
        assert!(memory.try_take(1).is_none() && !memory.is_wanted());
        let leave = || {
            assert!(memory.is_wanted());
            drop(all);
        };
        let room = memory.take(1, runtime.handle(), leave);
        assert!(!memory.is_wanted() && memory.try_take(bounds::PLAYER_MEMORY).is_none());
        drop(room);
        assert!(memory.try_take(bounds::PLAYER_MEMORY).is_some());
    }
}
