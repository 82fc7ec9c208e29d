//! The options that an interface may set.
//!
//! Every announced option is accepted, and no other; a value out of range changes nothing.

use outplay_games::chess::engine::{ChessEngine, LEVELS};

use super::error::{UciError, quote};

/// The values of the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UciOptions {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) is_960: bool,
    pub(super) skill: usize,
    /// Milliseconds of the clock that are kept in reserve.
    pub(super) overhead: usize,
    /// The seed of the mistakes of weak levels.
    pub(super) seed: usize,
}

impl Default for UciOptions {
    fn default() -> Self {
        Self {
            hash: ChessEngine::DEFAULT_HASH,
            threads: 1,
            multi_pv: 1,
            is_960: false,
            skill: LEVELS.len(),
            overhead: 30,
            seed: 0,
        }
    }
}

/// What has to happen after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionEffect {
    Nothing,
    /// A new engine must be made.
    Rebuild,
    /// The engine clears its memory.
    Forget,
    /// The generator of mistakes is seeded again.
    Reseed,
}

const LARGEST_HASH: usize = 65_536;
const MOST_THREADS: usize = 256;
const MOST_LINES: usize = 256;
const LONGEST_OVERHEAD: usize = 5000;
const LARGEST_SEED: usize = i32::MAX as usize;

impl UciOptions {
    /// The lines that announce the options.
    pub(super) fn announce() -> Vec<String> {
        let usual = Self::default();
        let spin = |name: &str, value: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {value} min {least} max {most}")
        };
        vec![
            spin("Hash", usual.hash, 1, LARGEST_HASH),
            spin("Threads", usual.threads, 1, MOST_THREADS),
            spin("MultiPV", usual.multi_pv, 1, MOST_LINES),
            spin("Skill", usual.skill, 1, LEVELS.len()),
            spin("Move Overhead", usual.overhead, 0, LONGEST_OVERHEAD),
            spin("Seed", usual.seed, 0, LARGEST_SEED),
            "option name Ponder type check default false".to_owned(),
            "option name UCI_Chess960 type check default false".to_owned(),
            "option name Clear Hash type button".to_owned(),
        ]
    }

    /// Sets an option, or says why not.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionEffect, UciError> {
        let spin = |least: usize, most: usize| {
            let text = value.unwrap_or("");
            text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                UciError::NumberOption { name: name.to_owned(), value: quote(text), least, most }
            })
        };
        let check = || match value.unwrap_or("") {
            "true" => Ok(true),
            "false" => Ok(false),
            text => Err(UciError::FlagOption { name: name.to_owned(), value: quote(text) }),
        };
        let mut effect = OptionEffect::Nothing;
        match name.to_ascii_lowercase().as_str() {
            "hash" => (self.hash, effect) = (spin(1, LARGEST_HASH)?, OptionEffect::Rebuild),
            "threads" => (self.threads, effect) = (spin(1, MOST_THREADS)?, OptionEffect::Rebuild),
            "multipv" => self.multi_pv = spin(1, MOST_LINES)?,
            "skill" => self.skill = spin(1, LEVELS.len())?,
            "move overhead" => self.overhead = spin(0, LONGEST_OVERHEAD)?,
            "seed" => (self.seed, effect) = (spin(0, LARGEST_SEED)?, OptionEffect::Reseed),
            "uci_chess960" => self.is_960 = check()?,
            // Says only that the interface may ponder; each `go` says whether it does.
            "ponder" => {
                check()?;
            }
            "clear hash" => effect = OptionEffect::Forget,
            _ => return Err(UciError::NoOption { name: quote(name) }),
        }
        Ok(effect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_value_changes_nothing() {
        let mut options = UciOptions::default();
        for (name, value) in
            [("Hash", "0"), ("Hash", "lots"), ("Threads", "-1"), ("UCI_Chess960", "yes"), ("Colour", "red")]
        {
            assert!(options.set(name, Some(value)).unwrap_err().to_string().contains(name));
        }
        assert!(options.set("Hash", None).is_err());
        assert_eq!(options, UciOptions::default());
        assert_eq!(options.set("hash", Some("64")), Ok(OptionEffect::Rebuild));
        assert_eq!(options.set("Skill", Some("3")), Ok(OptionEffect::Nothing));
        assert_eq!((options.hash, options.skill), (64, 3));
    }

    #[test]
    fn what_is_announced_is_accepted() {
        for line in UciOptions::announce() {
            let name = line.strip_prefix("option name ").unwrap().split(" type").next().unwrap();
            let value = line.split("default ").nth(1).and_then(|rest| rest.split(' ').next());
            let mut options = UciOptions::default();
            options.set(name, value).unwrap();
            assert_eq!(options, UciOptions::default(), "{line}");
        }
    }
}
