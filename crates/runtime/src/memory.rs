//! Checks that memory is available before it is allocated, so that a size that the machine cannot give is refused in one sentence.

use std::fs;

/// The machine has less memory than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{asked}: this machine has no room for so many MiB{}", .free.map_or_else(String::new, |free| format!(", expected at most the {free} that are free")))]
pub struct MemoryError {
    /// The parameter, as the user wrote it.
    pub asked: String,
    /// The MiB that are free, where the system says it.
    pub free: Option<usize>,
}

/// Checks that this much memory is available; `asked` is the parameter as the user wrote it.
pub fn check_memory(asked: &str, mebibytes: usize) -> Result<(), MemoryError> {
    let free = free_mebibytes();
    let is_promised =
        mebibytes.checked_mul(1 << 20).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if is_promised && free.is_none_or(|free| mebibytes <= free) {
        return Ok(());
    }
    Err(MemoryError { asked: asked.to_owned(), free })
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
