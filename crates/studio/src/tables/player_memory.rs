//! The memory that all players at tables may use together.
//!
//! A player needs a permit for its estimated memory while it is loaded: while it thinks and for a while after its move. Where there is
//! not enough, idle players are unloaded at once, and players that are thinking after their move. An unloaded player is made anew and
//! told the moves when it is next asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::collection::StudioTables;
use crate::bounds;

/// A player's share of the memory, given back when it is dropped.
pub(super) type MemoryPermit = OwnedSemaphorePermit;

/// The memory and who waits for it.
pub(super) struct PlayerMemory {
    /// In MiB.
    free: Arc<Semaphore>,
    /// How many players wait for memory.
    waiting: AtomicUsize,
}

impl PlayerMemory {
    pub(super) fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(bounds::PLAYER_MEMORY as usize)), waiting: AtomicUsize::new(0) }
    }

    /// A permit for so many MiB, if there is enough memory.
    pub(super) fn try_take(&self, size: u32) -> Option<MemoryPermit> {
        Arc::clone(&self.free).try_acquire_many_owned(size).ok()
    }

    /// A permit for so many MiB; blocks until there is enough. If need be, `free_memory` is called after [`Self::has_waiters`] has become
    /// true.
    pub(super) fn take(&self, size: u32, runtime: &Handle, free_memory: impl FnOnce()) -> MemoryPermit {
        if let Some(permit) = self.try_take(size) {
            return permit;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        free_memory();
        let permit = runtime.block_on(Arc::clone(&self.free).acquire_many_owned(size));
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        permit.unwrap_or_else(|_| unreachable!("it is never closed"))
    }

    /// Whether a player waits for memory.
    pub(super) fn has_waiters(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }
}

/// Unloads idle players now and then, until the tables are dropped.
pub(super) async fn unload_idle_players(tables: Weak<StudioTables>) {
    loop {
        sleep(bounds::PLAYER_STAYS / 4).await;
        let Some(tables) = tables.upgrade() else { return };
        let _ = spawn_blocking(move || tables.unload_idle(bounds::PLAYER_STAYS)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_player_is_counted_until_there_is_memory() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let memory = PlayerMemory::new();
        let all = memory.try_take(bounds::PLAYER_MEMORY).unwrap();
        assert!(memory.try_take(1).is_none() && !memory.has_waiters());
        let leave = || {
            assert!(memory.has_waiters());
            drop(all);
        };
        let permit = memory.take(1, runtime.handle(), leave);
        assert!(!memory.has_waiters() && memory.try_take(bounds::PLAYER_MEMORY).is_none());
        drop(permit);
        assert!(memory.try_take(bounds::PLAYER_MEMORY).is_some());
    }
}
