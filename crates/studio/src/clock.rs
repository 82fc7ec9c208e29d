//! The time, random numbers and new identifiers.

use std::hash::{BuildHasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// An unpredictable number.
pub(crate) fn random_u64() -> u64 {
    RandomState::new().hash_one(now())
}

/// An identifier of eight letters and digits, without those that look alike.
pub(crate) fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let number = random_u64();
    (0..8).map(|place| char::from(LETTERS[(number >> (5 * place)) as usize & 31])).collect()
}

/// Whether a text has the form of an identifier.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_recognised() {
        let names: std::collections::BTreeSet<String> = (0..1000).map(|_| new_id()).collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| is_id(name)));
        assert!(!is_id("../../ab") && !is_id("") && !is_id("ABCDEFGH"));
    }
}
