//! The memory that all players at tables and in analyses may use together: a part of the studio's, set aside when it opens.
//!
//! A player needs a permit for its estimated memory while it is loaded: while it thinks and for a while after its move. Where there is
//! not enough, idle players are unloaded at once, and players that are thinking after their move. An unloaded player is made anew and
//! told the moves when it is next asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use outplay_lab::AnyGame;
use outplay_runtime::{MemoryBudget, MemoryError, MemoryReservation, WorkError};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::collection::StudioTables;
use crate::bounds;

/// A player's share of the memory, given back when it is dropped.
pub(crate) type MemoryPermit = OwnedSemaphorePermit;

/// The memory and who waits for it.
pub(super) struct PlayerMemory {
    /// All of it, in MiB.
    pub(super) total: u32,
    free: Arc<Semaphore>,
    /// How many players wait for memory.
    waiting: AtomicUsize,
    _reserved: Option<MemoryReservation>,
}

impl PlayerMemory {
    /// The players' part of the memory.
    pub(super) fn of(budget: &Arc<MemoryBudget>) -> Self {
        let total = bounds::player_memory(budget.total());
        let free = Arc::new(Semaphore::new(total as usize));
        // Nothing else is reserved when the studio opens.
        let reserved = budget.try_reserve("players", total).ok();
        Self { total, free, waiting: AtomicUsize::new(0), _reserved: reserved }
    }

    /// The size of a player in MiB; one that is larger than all of the memory is refused.
    pub(super) fn size_of(&self, board: &dyn AnyGame, player: &str) -> Result<u32, WorkError> {
        let (asked, needed, total) = (player, board.player_memory(player)?, self.total);
        if needed > total {
            return Err(MemoryError::OverBudget { asked: asked.to_owned(), needed, total }.into());
        }
        Ok(needed)
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
        let memory = PlayerMemory::of(&MemoryBudget::of_machine());
        let all = memory.try_take(memory.total).unwrap();
        assert!(memory.try_take(1).is_none() && !memory.has_waiters());
        let leave = || {
            assert!(memory.has_waiters());
            drop(all);
        };
        let permit = memory.take(1, runtime.handle(), leave);
        assert!(!memory.has_waiters() && memory.try_take(memory.total).is_none());
        drop(permit);
        assert!(memory.try_take(memory.total).is_some());
    }
}
