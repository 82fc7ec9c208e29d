//! Names on the command line: `name` or `name:key=value,…`, for games, players and methods alike. A comma within a
//! value (of a path) is written `\,`.
//!
//! Everything that a user may write is described by a [`Param`], so that it can be listed, checked and explained in one
//! place; nothing else is accepted.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A name with parameters, as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What stands before the colon.
    pub name: String,
    /// The pairs after it, in order.
    pub values: Vec<(String, String)>,
}

/// A name or parameter that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text has no name or a pair without `=`.
    #[error("'{0}' is not of the form name or name:key=value,key=value")]
    Form(String),
    /// Nothing of this name.
    #[error("unknown {what} '{name}': expected one of {expected}")]
    Unknown {
        /// What kind of thing was looked up.
        what: String,
        /// The name that was not found.
        name: String,
        /// The names there are.
        expected: String,
    },
    /// A parameter the thing does not have.
    #[error("{owner} has no parameter '{name}': expected {expected}")]
    Parameter {
        /// The owner of the parameter.
        owner: String,
        /// The name that was not found.
        name: String,
        /// The names there are.
        expected: String,
    },
    /// A parameter given twice.
    #[error("the parameter '{0}' is given twice")]
    Twice(String),
    /// A value outside what the parameter takes.
    #[error("{name}={value}: expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
        /// The values it takes.
        expected: String,
    },
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A whole number in a range.
    Whole(i64, i64),
    /// A number in a range.
    Real(f64, f64),
    /// A length of time: `500ms`, `2s`, `1m`.
    Time,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of one of the board's evaluators, whose own parameters are taken too.
    Evaluator,
    /// The path of a file.
    File,
    /// The path of a file without which nothing works: none comes with the program.
    NeededFile,
    /// The widths of layers, joined by hyphens: `300-256-128`.
    Widths,
    /// Words joined by hyphens; this says what they name.
    Words(&'static str),
    /// Any text; this says what it means.
    Text(&'static str),
    /// The command of a program that will be run: only for users at the keyboard.
    Program,
}

/// A parameter: its name, what it takes, what it is when not given, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// The values it takes.
    pub kind: ParamKind,
    /// Its value when not given; `None` if it then has no effect.
    pub default: Option<&'static str>,
    /// One line of help.
    pub help: &'static str,
}

/// Checked parameter values.
#[derive(Clone, Debug, Default)]
pub struct Values {
    values: Vec<(&'static str, ParamValue)>,
    given: Vec<String>,
}

#[derive(Clone, Debug)]
enum ParamValue {
    Whole(i64),
    Real(f64),
    Time(Duration),
    Word(String),
    File(PathBuf),
    Widths(Vec<usize>),
    Words(Vec<String>),
    Text(String),
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let malformed = || SpecError::Form(text.to_owned());
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() || (rest.is_empty() && text.contains(':')) {
            return Err(malformed());
        }
        let mut values: Vec<(String, String)> = Vec::new();
        for pair in split_at_commas(rest) {
            let (key, value) = pair.split_once('=').ok_or_else(malformed)?;
            if key.is_empty() || key.contains(',') || value.is_empty() || value.ends_with('\\') {
                return Err(malformed());
            }
            if values.iter().any(|(earlier, _)| earlier == key) {
                return Err(SpecError::Twice(key.to_owned()));
            }
            values.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self { name: name.to_owned(), values })
    }
}

/// What stands between commas; a comma after a backslash belongs to its piece.
pub(crate) fn split_at_commas(text: &str) -> Vec<String> {
    let mut pairs: Vec<String> = Vec::new();
    let mut goes_on = false;
    for piece in text.split(',').filter(|_| !text.is_empty()) {
        let (piece, escaped) = piece.strip_suffix('\\').map_or((piece, false), |piece| (piece, true));
        match pairs.last_mut().filter(|_| goes_on) {
            Some(pair) => pair.extend([",", piece]),
            None => pairs.push(piece.to_owned()),
        }
        goes_on = escaped;
    }
    if goes_on && let Some(pair) = pairs.last_mut() {
        pair.push('\\');
    }
    pairs
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.values.iter().enumerate() {
            write!(f, "{}{key}={}", if i == 0 { ':' } else { ',' }, value.replace(',', "\\,"))?;
        }
        Ok(())
    }
}

impl Spec {
    /// The value of a key, as written.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The values of all `params`, given or default; anything else is refused.
    pub fn resolve(&self, owner: &str, params: &[Param]) -> Result<Values, SpecError> {
        let find = |key: &str| params.iter().find(|param| param.name == key);
        if let Some((name, _)) = self.values.iter().find(|(key, _)| find(key).is_none()) {
            let names: Vec<&str> = params.iter().map(|param| param.name).collect();
            let expected = match names.as_slice() {
                [] => "none".to_owned(),
                names => format!("one of {}", names.join(", ")),
            };
            return Err(SpecError::Parameter { owner: owner.to_owned(), name: name.clone(), expected });
        }
        let mut values = Vec::new();
        for param in params {
            if let Some(text) = self.get(param.name).or(param.default) {
                values.push((param.name, param.read(text)?));
            }
        }
        Ok(Values { values, given: self.values.iter().map(|(key, _)| key.clone()).collect() })
    }
}

/// The entry of this name, or an error that lists the names there are.
pub fn find_named<'e, E>(
    what: &str,
    name: &str,
    entries: &'e [E],
    name_of: impl Fn(&E) -> &str,
) -> Result<&'e E, SpecError> {
    entries.iter().find(|entry| name_of(entry) == name).ok_or_else(|| SpecError::Unknown {
        what: what.to_owned(),
        name: name.to_owned(),
        expected: entries.iter().map(name_of).collect::<Vec<_>>().join(", "),
    })
}

impl Param {
    /// The same parameter where no file comes with the program, so that one has to be given.
    #[must_use]
    pub const fn needed(self) -> Self {
        Self { kind: ParamKind::NeededFile, ..self }
    }

    /// A description of what the parameter takes.
    pub fn expected(&self) -> String {
        match self.kind {
            ParamKind::Whole(min, max) => format!("a whole number from {min} to {max}"),
            ParamKind::Real(min, max) => format!("a number from {min} to {max}"),
            ParamKind::Time => "a time such as 500ms, 2s or 1m".to_owned(),
            ParamKind::Word(words) => format!("one of {}", words.join(", ")),
            ParamKind::Evaluator => "the name of an evaluator".to_owned(),
            ParamKind::File | ParamKind::NeededFile => "a file".to_owned(),
            ParamKind::Widths => {
                format!("widths from 1 to {MAX_WIDTH} joined by hyphens, such as 300-256-128")
            }
            ParamKind::Words(what) | ParamKind::Text(what) => what.to_owned(),
            ParamKind::Program => "a program with its arguments".to_owned(),
        }
    }

    fn read(&self, text: &str) -> Result<ParamValue, SpecError> {
        let value = match self.kind {
            ParamKind::Whole(min, max) => {
                text.parse().ok().filter(|value| (min..=max).contains(value)).map(ParamValue::Whole)
            }
            ParamKind::Real(min, max) => {
                text.parse().ok().filter(|value| (min..=max).contains(value)).map(ParamValue::Real)
            }
            ParamKind::Time => read_time(text).map(ParamValue::Time),
            ParamKind::Word(words) => words.contains(&text).then(|| ParamValue::Word(text.to_owned())),
            ParamKind::Evaluator => Some(ParamValue::Word(text.to_owned())),
            ParamKind::File | ParamKind::NeededFile => Some(ParamValue::File(PathBuf::from(text))),
            ParamKind::Widths => read_widths(text).map(ParamValue::Widths),
            ParamKind::Words(_) => read_words(text).map(ParamValue::Words),
            ParamKind::Text(_) | ParamKind::Program => Some(ParamValue::Text(text.to_owned())),
        };
        value.ok_or_else(|| SpecError::Value {
            name: self.name.to_owned(),
            value: text.to_owned(),
            expected: self.expected(),
        })
    }
}

/// The widest layer that may be asked for.
const MAX_WIDTH: usize = 65_536;

fn read_widths(text: &str) -> Option<Vec<usize>> {
    let width = |text: &str| text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    text.split('-').map(width).collect()
}

fn read_words(text: &str) -> Option<Vec<String>> {
    let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    text.split('-').map(word).collect()
}

/// A positive time with its unit: `250ms`, `1.5s`, `2m`.
pub fn read_time(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    } * number.parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

/// A parameter with a default always has a value; one without is asked for by an `optional_` name. Asking
/// for what is not described is a fault of the program.
impl Values {
    fn find(&self, name: &str) -> Option<&ParamValue> {
        self.values.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The first of these parameters that the user wrote.
    pub fn first_given<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.given.iter().any(|given| given == name))
    }

    /// A whole number that is given or has a default.
    pub fn whole(&self, name: &str) -> i64 {
        self.optional_whole(name).unwrap_or_else(|| panic!("'{name}' is not a whole number with a default"))
    }

    /// A whole number, if given.
    pub fn optional_whole(&self, name: &str) -> Option<i64> {
        match self.find(name) {
            Some(ParamValue::Whole(value)) => Some(*value),
            _ => None,
        }
    }

    /// A number that is given or has a default.
    pub fn real(&self, name: &str) -> f64 {
        self.optional_real(name).unwrap_or_else(|| panic!("'{name}' is not a number with a default"))
    }

    /// A number, if given.
    pub fn optional_real(&self, name: &str) -> Option<f64> {
        match self.find(name) {
            Some(ParamValue::Real(value)) => Some(*value),
            _ => None,
        }
    }

    /// Widths that are given or have a default.
    pub fn widths(&self, name: &str) -> &[usize] {
        match self.find(name) {
            Some(ParamValue::Widths(widths)) => widths,
            _ => panic!("'{name}' is not a list of widths with a default"),
        }
    }

    /// Words, if given.
    pub fn optional_words(&self, name: &str) -> Option<&[String]> {
        match self.find(name) {
            Some(ParamValue::Words(words)) => Some(words),
            _ => None,
        }
    }

    /// A text, if given.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        match self.find(name) {
            Some(ParamValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A word, if given.
    pub fn optional_word(&self, name: &str) -> Option<&str> {
        match self.find(name) {
            Some(ParamValue::Word(value)) => Some(value),
            _ => None,
        }
    }

    /// A word that is given or has a default.
    pub fn word(&self, name: &str) -> &str {
        self.optional_word(name).unwrap_or_else(|| panic!("'{name}' is not a word with a default"))
    }

    /// A time, if given.
    pub fn optional_time(&self, name: &str) -> Option<Duration> {
        match self.find(name) {
            Some(ParamValue::Time(value)) => Some(*value),
            _ => None,
        }
    }

    /// A path, if given.
    pub fn optional_file(&self, name: &str) -> Option<&PathBuf> {
        match self.find(name) {
            Some(ParamValue::File(value)) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARAMS: &[Param] = &[
        Param { name: "depth", kind: ParamKind::Whole(1, 64), default: Some("3"), help: "" },
        Param { name: "time", kind: ParamKind::Time, default: None, help: "" },
        Param { name: "c", kind: ParamKind::Real(0.0, 10.0), default: Some("1.4"), help: "" },
        Param { name: "eval", kind: ParamKind::Word(&["expert", "net"]), default: Some("expert"), help: "" },
        Param { name: "layers", kind: ParamKind::Widths, default: Some("16"), help: "" },
    ];

    fn resolve(text: &str) -> Result<Values, String> {
        let spec: Spec = text.parse().map_err(|error: SpecError| error.to_string())?;
        spec.resolve("player 'x'", PARAMS).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        let values = resolve("x:time=1.5s").unwrap();
        assert_eq!(values.whole("depth"), 3);
        assert_eq!(values.real("c"), 1.4);
        assert_eq!(values.word("eval"), "expert");
        assert_eq!(values.widths("layers"), [16]);
        assert_eq!(resolve("x:layers=300-256-128").unwrap().widths("layers"), [300, 256, 128]);
        assert_eq!(values.optional_time("time"), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn refusals_name_the_value_and_what_was_expected() {
        for (text, part) in [
            ("", "not of the form"),
            ("x:", "not of the form"),
            ("x:depth", "not of the form"),
            ("x:depth=", "not of the form"),
            ("x:depth=0", "depth=0: expected a whole number from 1 to 64"),
            ("x:depth=2,depth=3", "'depth' is given twice"),
            ("x:time=5", "time=5: expected a time"),
            ("x:time=0s", "time=0s"),
            ("x:time=-1s", "time=-1s"),
            ("x:c=nan", "c=nan"),
            ("x:eval=foo", "expected one of expert, net"),
            ("x:layers=3-0", "layers=3-0: expected widths from 1 to 65536 joined by hyphens"),
            ("x:layers=3--4", "layers=3--4"),
            ("x:foo=1", "player 'x' has no parameter 'foo': expected one of depth, time, c, eval, layers"),
        ] {
            let refusal = resolve(text).unwrap_err();
            assert!(refusal.contains(part), "{text}: {refusal}");
        }
    }

    #[test]
    fn a_comma_in_a_path_is_escaped() {
        let spec: Spec = "net:file=a\\,b,depth=2".parse().unwrap();
        assert_eq!(spec.get("file"), Some("a,b"));
        assert_eq!(spec.get("depth"), Some("2"));
        assert_eq!(spec.to_string(), "net:file=a\\,b,depth=2");
    }

    #[test]
    fn what_was_given_is_told_from_defaults() {
        let values = resolve("x:time=1s").unwrap();
        assert_eq!(values.first_given(&["depth", "time"]), Some("time"));
        assert_eq!(values.first_given(&["depth", "c"]), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9:=,.é\\\\-]{0,30}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec.clone()));
                let _ = spec.resolve("x", PARAMS);
            }
        }
    }
}
