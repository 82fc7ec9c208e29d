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
            "'{asked}' may need {needed} MiB of memory and {free} are free: expected other work to end first"
            | "« {asked} » peut demander {needed} Mio de mémoire et {free} sont libres : d’autres travaux doivent finir avant",
    }
}

/// The memory that all works may use together.
#[derive(Debug)]
pub struct MemoryBudget {
    /// In MiB.
    total: u32,
    free: Mutex<u32>,
    freed: Condvar,
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
        Arc::new(Self { total, free: Mutex::new(total), freed: Condvar::new() })
    }

    /// Three quarters of the machine's memory.
    pub fn of_machine() -> Arc<Self> {
        let machine = meminfo("MemTotal:").and_then(|total| u32::try_from(total).ok());
        Self::new(machine.map_or(Self::UNKNOWN, |total| total / 4 * 3))
    }

    /// All of it, in MiB.
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// Refuses what is more than the whole budget.
    pub fn check(&self, asked: &str, needed: u32) -> Result<(), MemoryError> {
        let total = self.total;
        if needed <= total {
            return Ok(());
        }
        Err(MemoryError::OverBudget { asked: asked.to_owned(), needed, total })
    }

    /// Reserves so many MiB, if they are free.
    pub fn try_reserve(self: &Arc<Self>, asked: &str, needed: u32) -> Result<MemoryReservation, MemoryError> {
        self.check(asked, needed)?;
        let mut free = self.lock();
        if *free < needed {
            return Err(MemoryError::InUse { asked: asked.to_owned(), needed, free: *free });
        }
        *free -= needed;
        Ok(MemoryReservation { budget: Arc::clone(self), mebibytes: needed })
    }

    /// Reserves so many MiB; waits until they are free or `stop` is raised.
    pub fn reserve(
        self: &Arc<Self>,
        asked: &str,
        needed: u32,
        stop: &AtomicBool,
    ) -> Result<MemoryReservation, WorkError> {
        self.check(asked, needed)?;
        let mut free = self.lock();
        while *free < needed {
            if stop.load(Ordering::Relaxed) {
                return Err(WorkError::Stopped);
            }
            // The flag does not wake anybody.
            let waited = self.freed.wait_timeout(free, Duration::from_millis(20));
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= needed;
        Ok(MemoryReservation { budget: Arc::clone(self), mebibytes: needed })
    }

    fn lock(&self) -> MutexGuard<'_, u32> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        *self.budget.lock() += self.mebibytes;
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
            let waiting = scope.spawn(|| budget.reserve("b", 5, &stop).map(drop));
            thread::sleep(Duration::from_millis(30));
            assert!(!waiting.is_finished());
            drop(all);
            waiting.join().unwrap().unwrap();
            let _all = budget.try_reserve("a", 10).unwrap();
            let waiting = scope.spawn(|| budget.reserve("b", 5, &stop).map(drop));
            stop.store(true, Ordering::Relaxed);
            assert!(matches!(waiting.join().unwrap(), Err(WorkError::Stopped)));
            assert!(matches!(budget.reserve("c", 11, &stop), Err(WorkError::Refused(_))));
        });
    }
}
