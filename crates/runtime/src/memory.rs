//! Checks that memory is available before it is allocated, so that a size that the machine cannot give is refused in one sentence.

use std::fs;

use outplay_core::errors;

errors! {
    /// The machine has less memory than was asked for, in MiB. `asked` is the parameter as the user wrote it.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MemoryError {
        TooMuch { asked: String, free: usize } =
            "{asked}: this machine has no room for so many MiB, expected at most the {free} that are free"
            | "{asked} : cette machine n’a pas la place pour autant de Mio, attendu au plus les {free} qui sont libres",
        /// Where the system does not say how much is free.
        Unavailable { asked: String } =
            "{asked}: this machine has no room for so many MiB"
            | "{asked} : cette machine n’a pas la place pour autant de Mio",
    }
}

/// Checks that this much memory is available; `asked` is the parameter as the user wrote it.
pub fn check_memory(asked: &str, mebibytes: usize) -> Result<(), MemoryError> {
    let free = free_mebibytes();
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

/// The memory that can be used without the kernel killing a process, where the system reports it: Linux promises more than it has.
fn free_mebibytes() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let number = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = number.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        check_memory("hash=1", 1).unwrap();
        for mebibytes in [1 << 30, usize::MAX] {
            let refusal = check_memory("hash=much", mebibytes).unwrap_err().to_string();
            assert!(refusal.starts_with("hash=much: this machine has no room for so many MiB"), "{refusal}");
        }
    }
}
