//! Room in memory, asked about before it is taken.
//!
//! Law: a size that the machine cannot give is refused in one sentence; nobody learns of it by being ended.

use std::fs;

use crate::error::LabError;

/// Refuses more than there is; `asked` is how the user wrote it.
pub(crate) fn refuse_without_room(asked: &str, mebibytes: usize) -> Result<(), LabError> {
    let free = free_mebibytes();
    let is_promised =
        mebibytes.checked_mul(1 << 20).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if is_promised && free.is_none_or(|free| mebibytes <= free) {
        return Ok(());
    }
    Err(LabError::refused(match free {
        Some(free) => {
            format!(
                "{asked}: this machine has no room for so many MiB, expected at most the {free} that are free"
            )
        }
        None => format!("{asked}: this machine has no room for so many MiB"),
    }))
}

/// What can be taken without anyone being ended for it, where the system tells: Linux promises more than it has.
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
        refuse_without_room("hash=1", 1).unwrap();
        for mebibytes in [1 << 30, usize::MAX] {
            let refusal = refuse_without_room("hash=much", mebibytes).unwrap_err().to_string();
            assert!(refusal.starts_with("hash=much: this machine has no room for so many MiB"), "{refusal}");
        }
    }
}
