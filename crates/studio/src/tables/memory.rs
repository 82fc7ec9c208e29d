//! The memory of all players at tables together.
//!
//! Laws of this room:
//! - whoever thinks has room for what it may come to remember, and keeps it for a while after its move; then it leaves, and comes
//!   back as a newcomer who is told the game;
//! - where there is no room, those who only remember leave at once, and whoever thinks now leaves after its move.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

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
        Self { free: Arc::new(Semaphore::new(bounds::MEMORY as usize)), waiting: AtomicUsize::new(0) }
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

/// Lets players go who have nothing to do, for as long as there is a hall.
pub(super) async fn tidy(hall: Weak<Hall>) {
    loop {
        sleep(bounds::REMEMBERED / 4).await;
        let Some(hall) = hall.upgrade() else { return };
        let _ = spawn_blocking(move || hall.let_rest(bounds::REMEMBERED)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_is_seen_to_wait_until_there_is_room() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let memory = Memory::new();
        let all = memory.try_take(bounds::MEMORY).unwrap();
        assert!(memory.try_take(1).is_none() && !memory.is_wanted());
        let leave = || {
            assert!(memory.is_wanted());
            drop(all);
        };
        let room = memory.take(1, runtime.handle(), leave);
        assert!(!memory.is_wanted() && memory.try_take(bounds::MEMORY).is_none());
        drop(room);
        assert!(memory.try_take(bounds::MEMORY).is_some());
    }
}
