//! The options that an engine announces, and the values that they take.
//!
//! A value is refused only if the engine's own announcement rules it out. Values of options of unknown kinds are passed on
//! unchecked.

use outplay_core::errors;

errors! {
    /// What an option takes.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ExpectedValue {
        Flag = "true or false" | "true ou false",
        Number { least: i64, most: i64 } = "a whole number from {least} to {most}" | "un nombre entier de {least} à {most}",
        Word { words: Vec<String> } = "one of {words}" | "un de {words}",
    }
}

/// An option: `option name Skill Level type spin default 20 min 0 max 20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EngineOption {
    pub(super) name: String,
    kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionKind {
    Check,
    /// A whole number between these.
    Spin(i64, i64),
    /// One of these words.
    Combo(Vec<String>),
    Anything,
}

impl EngineOption {
    /// The option that a line announces.
    pub(super) fn read(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, description) = rest.split_once(" type ").unwrap_or((rest, ""));
        let words: Vec<&str> = description.split_whitespace().collect();
        Some(Self { name: name.trim().to_owned(), kind: OptionKind::read(&words) })
    }

    /// Checks a value.
    pub(super) fn check(&self, value: &str) -> Result<(), ExpectedValue> {
        match &self.kind {
            OptionKind::Check if !["true", "false"].contains(&value) => Err(ExpectedValue::Flag),
            &OptionKind::Spin(least, most)
                if !value.parse().is_ok_and(|number| (least..=most).contains(&number)) =>
            {
                Err(ExpectedValue::Number { least, most })
            }
            OptionKind::Combo(words) if !words.iter().any(|word| word.eq_ignore_ascii_case(value)) => {
                Err(ExpectedValue::Word { words: words.clone() })
            }
            _ => Ok(()),
        }
    }
}

impl OptionKind {
    fn read(words: &[&str]) -> Self {
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        match words.first() {
            Some(&"check") => Self::Check,
            Some(&"spin") => Self::Spin(number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX)),
            Some(&"combo") => {
                let choices = words.split(|word| *word == "var").skip(1);
                Self::Combo(choices.map(|choice| choice.join(" ")).collect())
            }
            _ => Self::Anything,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_announcement() {
        let check = |line: &str, value: &str| EngineOption::read(line).unwrap().check(value);
        let spin = "option name Hash type spin default 16 min 1 max 64";
        assert_eq!(check(spin, "banana"), Err(ExpectedValue::Number { least: 1, most: 64 }));
        assert_eq!((check(spin, "65").is_err(), check(spin, "64")), (true, Ok(())));
        let combo = "option name Style type combo default Normal var Solid var Very Risky";
        assert_eq!(check(combo, "very risky"), Ok(()));
        assert_eq!(check(combo, "Normal").unwrap_err().to_string(), "one of Solid, Very Risky");
        assert_eq!(check("option name Ponder type check default false", "yes"), Err(ExpectedValue::Flag));
        for line in [
            "option name Book type string default <empty>",
            "option name Clear Hash type button",
            "option name x",
        ] {
            assert_eq!(check(line, "banana"), Ok(()), "{line}");
        }
        assert_eq!(EngineOption::read("id name x"), None);
    }
}
