//! The options that an interface may set.
//!
//! Law: what is announced is what is accepted; a value out of range changes nothing.

use outplay_games::chess::engine::ChessEngine;

use outplay_games::chess::engine::LEVELS;

/// What is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) is_960: bool,
    pub(super) skill: usize,
    /// Milliseconds of a clock that are kept back.
    pub(super) overhead: usize,
    /// What the mistakes of weak levels are drawn from.
    pub(super) seed: usize,
}

impl Default for Options {
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

/// What an option asks for besides being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// A new engine must be made.
    Rebuild,
    /// The engine forgets.
    Forget,
    /// Mistakes are drawn anew.
    Reseed,
}

const LARGEST_HASH: usize = 65_536;
const MOST_THREADS: usize = 256;
const MOST_LINES: usize = 256;
const LONGEST_OVERHEAD: usize = 5000;
const LARGEST_SEED: usize = i32::MAX as usize;

impl Options {
    /// The lines in which the options are announced.
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
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, String> {
        let spin = |least: usize, most: usize| {
            let text = value.unwrap_or("");
            text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                format!("option {name} '{text}': expected a whole number from {least} to {most}")
            })
        };
        let check = || match value.unwrap_or("") {
            "true" => Ok(true),
            "false" => Ok(false),
            text => Err(format!("option {name} '{text}': expected true or false")),
        };
        let mut effect = Effect::Nothing;
        match name.to_ascii_lowercase().as_str() {
            "hash" => (self.hash, effect) = (spin(1, LARGEST_HASH)?, Effect::Rebuild),
            "threads" => (self.threads, effect) = (spin(1, MOST_THREADS)?, Effect::Rebuild),
            "multipv" => self.multi_pv = spin(1, MOST_LINES)?,
            "skill" => self.skill = spin(1, LEVELS.len())?,
            "move overhead" => self.overhead = spin(0, LONGEST_OVERHEAD)?,
            "seed" => (self.seed, effect) = (spin(0, LARGEST_SEED)?, Effect::Reseed),
            "uci_chess960" => self.is_960 = check()?,
            // The interface only says that it may ponder; whether it does, it says with each go.
            "ponder" => {
                check()?;
            }
            "clear hash" => effect = Effect::Forget,
            _ => {
                return Err(format!(
                    "there is no option '{name}', expected Hash, Threads, MultiPV, Skill, Move Overhead, Seed, Ponder, UCI_Chess960 or Clear Hash"
                ));
            }
        }
        Ok(effect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_value_changes_nothing() {
        let mut options = Options::default();
        for (name, value) in
            [("Hash", "0"), ("Hash", "lots"), ("Threads", "-1"), ("UCI_Chess960", "yes"), ("Colour", "red")]
        {
            assert!(options.set(name, Some(value)).unwrap_err().contains(name));
        }
        assert!(options.set("Hash", None).is_err());
        assert_eq!(options, Options::default());
        assert_eq!(options.set("hash", Some("64")), Ok(Effect::Rebuild));
        assert_eq!(options.set("Skill", Some("3")), Ok(Effect::Nothing));
        assert_eq!((options.hash, options.skill), (64, 3));
    }

    #[test]
    fn what_is_announced_is_accepted() {
        for line in Options::announce() {
            let name = line.strip_prefix("option name ").unwrap().split(" type").next().unwrap();
            let value = line.split("default ").nth(1).and_then(|rest| rest.split(' ').next());
            let mut options = Options::default();
            options.set(name, value).unwrap();
            assert_eq!(options, Options::default(), "{line}");
        }
    }
}
