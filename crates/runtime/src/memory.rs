//! Memory that is counted before it is allocated, so that what the machine cannot give is refused in one sentence.
//!
//! Works reserve what they may come to use from one [`MemoryBudget`]. A reservation is an estimate made from parameters: nothing
//! measures what is really used.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use outplay_core::errors;

use crate::WorkError;

errors! {
    /// There is less memory than was asked for, in MiB. `asked` is what the user wrote.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MemoryError {
        TooMuch { asked: String, free: usize } =
            "{asked}: this machine has no room for so many MiB, expected at most the {free} that are free"
            | "{asked} : cette machine n’a pas la place pour autant de Mio, attendu au plus les {free} qui sont libres",
        /// Where the system does not say how much is free.
        Unavailable { asked: String } =
            "{asked}: this machine has no room for so many MiB"
            | "{asked} : cette machine n’a pas la place pour autant de Mio",
        OverBudget { asked: String, needed: u32, total: u32 } =
            "'{asked}' may need {needed} MiB of memory, expected at most {total} (--memory)"
            | "« {asked} » peut demander {needed} Mio de mémoire, attendu {total} au plus (--memory)",
        InUse { asked: String, needed: u32, free: u32 } =
            "'{asked}' may need {needed} MiB of memory and {free} are free: expected other work to end first, or more of --memory"
            | "« {asked} » peut demander {needed} Mio de mémoire et {free} sont libres : attendu la fin d’autres travaux, ou plus de --memory",
    }
}

/// The memory that all works may use together.
#[derive(Debug)]
pub struct MemoryBudget {
    state: Mutex<BudgetState>,
    freed: Condvar,
    /// The budget that this one was set aside from, and gets it back.
    whole: Option<Arc<MemoryBudget>>,
}

/// In MiB.
#[derive(Debug)]
struct BudgetState {
    total: u32,
    free: u32,
}

/// A share of the budget, given back when it is dropped.
#[derive(Debug)]
pub struct MemoryReservation {
    budget: Arc<MemoryBudget>,
    mebibytes: u32,
}

impl MemoryBudget {
    /// The budget of a machine that does not say how much memory it has.
    const UNKNOWN: u32 = 4096;

    /// A budget of so many MiB.
    pub fn new(total: u32) -> Arc<Self> {
        Self::part_of(None, total)
    }

    fn part_of(whole: Option<Arc<Self>>, total: u32) -> Arc<Self> {
        let state = Mutex::new(BudgetState { total, free: total });
        Arc::new(Self { state, freed: Condvar::new(), whole })
    }

    /// Three quarters of the machine's memory, or of what its container may use.
    pub fn of_machine() -> Arc<Self> {
        let machine = meminfo("MemTotal:").into_iter().chain(container_limit()).min();
        let machine = machine.and_then(|total| u32::try_from(total).ok());
        Self::new(machine.map_or(Self::UNKNOWN, |total| total / 4 * 3))
    }

    /// All of it that is not set aside, in MiB.
    pub fn total(&self) -> u32 {
        self.lock().total
    }

    /// Takes up to so many MiB that are free out of this budget, as one of their own.
    pub fn set_aside(self: &Arc<Self>, mebibytes: u32) -> Arc<Self> {
        let part = {
            let mut state = self.lock();
            let part = mebibytes.min(state.free);
            *state = BudgetState { total: state.total - part, free: state.free - part };
            part
        };
        Self::part_of(Some(Arc::clone(self)), part)
    }

    /// Refuses what is more than the whole budget.
    pub fn check(&self, asked: &str, needed: u32) -> Result<(), MemoryError> {
        let total = self.total();
        if needed <= total {
            return Ok(());
        }
        Err(MemoryError::OverBudget { asked: asked.to_owned(), needed, total })
    }

    /// Reserves so many MiB, if they are free.
    pub fn try_reserve(self: &Arc<Self>, asked: &str, needed: u32) -> Result<MemoryReservation, MemoryError> {
        self.check(asked, needed)?;
        let mut state = self.lock();
        if state.free < needed {
            return Err(MemoryError::InUse { asked: asked.to_owned(), needed, free: state.free });
        }
        state.free -= needed;
        Ok(MemoryReservation { budget: Arc::clone(self), mebibytes: needed })
    }

    /// Reserves so many MiB; waits until they are free or `stop` is raised. While it waits, `make_room` is called again and again.
    /// Only work that holds no reservation may wait: two that wait for each other would do so for ever.
    pub fn reserve(
        self: &Arc<Self>,
        asked: &str,
        needed: u32,
        stop: &AtomicBool,
        make_room: impl Fn(),
    ) -> Result<MemoryReservation, WorkError> {
        loop {
            match self.try_reserve(asked, needed) {
                Err(MemoryError::InUse { .. }) if stop.load(Ordering::Relaxed) => {
                    return Err(WorkError::Stopped);
                }
                Err(MemoryError::InUse { .. }) => make_room(),
                reserved => return Ok(reserved?),
            }
            let state = self.lock();
            if state.free < needed {
                // The flag does not wake anybody.
                drop(self.freed.wait_timeout(state, Duration::from_millis(20)));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MemoryBudget {
    fn drop(&mut self) {
        if let Some(whole) = &self.whole {
            let part = self.total();
            let mut state = whole.lock();
            *state = BudgetState { total: state.total + part, free: state.free + part };
            whole.freed.notify_all();
        }
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        self.budget.lock().free += self.mebibytes;
        self.budget.freed.notify_all();
    }
}

/// Checks that this much memory is available; `asked` is the parameter as the user wrote it.
pub fn check_memory(asked: &str, mebibytes: usize) -> Result<(), MemoryError> {
    let free = meminfo("MemAvailable:");
    let is_promised =
        mebibytes.checked_mul(1 << 20).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if is_promised && free.is_none_or(|free| mebibytes <= free) {
        return Ok(());
    }
    let asked = asked.to_owned();
    Err(match free {
        Some(free) => MemoryError::TooMuch { asked, free },
        None => MemoryError::Unavailable { asked },
    })
}

/// A size that the system reports, in MiB. Linux promises more memory than it has, so asking for it says nothing.
fn meminfo(name: &str) -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let number = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: usize = number.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// The memory that the container of this process may use in MiB, if it is in one: by either version of Linux's control groups.
fn container_limit() -> Option<usize> {
    let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limit = files.iter().find_map(|file| fs::read_to_string(file).ok())?;
    // Without a limit there is a word or a number that no machine has.
    Some(limit.trim().parse::<usize>().ok()? >> 20)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        check_memory("hash=1", 1).unwrap();
        for mebibytes in [1 << 30, usize::MAX] {
            let refusal = check_memory("hash=much", mebibytes).unwrap_err().to_string();
            assert!(refusal.starts_with("hash=much: this machine has no room for so many MiB"), "{refusal}");
        }
    }

    #[test]
    fn what_is_reserved_is_not_given_twice() {
        let budget = MemoryBudget::new(10);
        let most = budget.try_reserve("a", 8).unwrap();
        let refused = budget.try_reserve("b", 3).unwrap_err();
        assert_eq!(refused, MemoryError::InUse { asked: "b".to_owned(), needed: 3, free: 2 });
        let rest = budget.try_reserve("b", 2).unwrap();
        drop(most);
        drop(budget.try_reserve("b", 8).unwrap());
        drop(rest);
        drop(budget.try_reserve("b", 10).unwrap());
        let refused = budget.try_reserve("c", 11).unwrap_err().to_string();
        assert_eq!(refused, "'c' may need 11 MiB of memory, expected at most 10 (--memory)");
    }

    #[test]
    fn a_waiting_work_gets_what_others_give_back_or_is_stopped() {
        let (budget, stop) = (MemoryBudget::new(10), AtomicBool::new(false));
        let all = budget.try_reserve("a", 10).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| budget.reserve("b", 5, &stop, || {}).map(drop));
            thread::sleep(Duration::from_millis(30));
            assert!(!waiting.is_finished());
            drop(all);
            waiting.join().unwrap().unwrap();
            let _all = budget.try_reserve("a", 10).unwrap();
            let waiting = scope.spawn(|| budget.reserve("b", 5, &stop, || {}).map(drop));
            stop.store(true, Ordering::Relaxed);
            assert!(matches!(waiting.join().unwrap(), Err(WorkError::Stopped)));
            assert!(matches!(budget.reserve("c", 11, &stop, || {}), Err(WorkError::Refused(_))));
        });
    }

    #[test]
    fn what_is_set_aside_is_not_there_for_others() {
        let whole = MemoryBudget::new(10);
        let part = whole.set_aside(4);
        assert_eq!((whole.total(), part.total()), (6, 4));
        whole.check("a", 7).unwrap_err();
        let _most = part.try_reserve("b", 4).unwrap();
        drop(whole.try_reserve("a", 6).unwrap());
        let rest = whole.set_aside(100);
        assert_eq!((whole.total(), rest.total()), (0, 6), "no more than is free");
        drop(rest);
        assert_eq!(whole.total(), 6);
    }

    #[test]
    fn a_waiting_work_asks_for_room_until_there_is_some() {
        let (budget, stop) = (MemoryBudget::new(10), AtomicBool::new(false));
        let idle = Mutex::new(budget.try_reserve("idle", 10).ok());
        let calls = std::cell::Cell::new(0);
        let make_room = || {
            calls.set(calls.get() + 1);
            if calls.get() == 3 {
                drop(idle.lock().unwrap().take());
            }
        };
        budget.reserve("a", 1, &stop, make_room).unwrap();
        assert_eq!(calls.get(), 3);
    }
}
