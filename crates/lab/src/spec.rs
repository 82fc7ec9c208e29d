//! Names on the command line: `name` or `name:key=value,…`, for games, players and methods alike. A comma within a
//! value (of a path) is written `\,`.
//!
//! What the keys and values may be is declared by [`Params`].

use std::fmt;
use std::str::FromStr;

use outplay_core::{Language, Localize, Text, errors};

use crate::params::{Param, Params};

/// A name with parameters, as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What stands before the colon.
    pub name: String,
    /// The pairs after it, in order.
    pub values: Vec<(String, String)>,
}

errors! {
    /// A name or parameter that is not what was expected.
    #[derive(Clone, PartialEq, Eq)]
    pub enum SpecError {
        Form { text: String } =
            "'{text}' is not of the form name or name:key=value,key=value"
            | "« {text} » n’est pas de la forme nom ou nom:clé=valeur,clé=valeur",
        Unknown { what: Noun, name: String, expected: Vec<String> } =
            "unknown {what} '{name}': expected one of {expected}"
            | "{what} « {name} » n’existe pas : attendu un de {expected}",
        Parameter { owner: Text, name: String, expected: Vec<String> } =
            "{owner} has no parameter '{name}': expected one of {expected}"
            | "{owner} n’a pas de paramètre « {name} » : attendu un de {expected}",
        NoParameters { owner: Text, name: String } =
            "{owner} has no parameter '{name}': expected none"
            | "{owner} n’a pas de paramètre « {name} » : aucun n’est attendu",
        Twice { name: String } = "the parameter '{name}' is given twice" | "le paramètre « {name} » est donné deux fois",
        Value { name: String, value: String, expected: Text } =
            "{name}={value}: expected {expected}" | "{name}={value} : attendu {expected}",
    }
}

/// The kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// A game.
    Game,
    /// A player.
    Player,
    /// An evaluator.
    Evaluator,
    /// A way to train, or an exam.
    Method,
    /// A number by which trainings are compared.
    Measure,
    /// A document.
    Paper,
    /// A table or figure of a document.
    Artefact,
    /// How much work is put into an artefact.
    Scale,
}

impl Noun {
    const fn text(self) -> Text {
        match self {
            Self::Game => Text::new("game", "le jeu"),
            Self::Player => Text::new("player", "le joueur"),
            Self::Evaluator => Text::new("evaluator", "l’évaluateur"),
            Self::Method => Text::new("method", "la méthode"),
            Self::Measure => Text::new("measure", "la mesure"),
            Self::Paper => Text::new("paper", "le document"),
            Self::Artefact => Text::new("artefact", "le résultat"),
            Self::Scale => Text::new("scale", "l’échelle"),
        }
    }

    /// The thing of this name: `player 'mcts'`.
    pub fn named(self, name: &str) -> Text {
        let Text { en, fr } = self.text();
        Text { en: format!("{en} '{name}'").into(), fr: format!("{fr} « {name} »").into() }
    }
}

impl Localize for Noun {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().localize(language, f)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let malformed = || SpecError::Form { text: text.to_owned() };
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
                return Err(SpecError::Twice { name: key.to_owned() });
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

    /// The parameters that were written, and the defaults for the others. What is not a parameter is refused.
    pub fn read<A: Params>(&self, owner: &Text, defaults: &A) -> Result<A, SpecError> {
        self.check_names(owner, &defaults.list())?;
        defaults.read(self)
    }

    /// Refuses what is not a parameter.
    pub fn check_names(&self, owner: &Text, params: &[Param]) -> Result<(), SpecError> {
        let is_known = |key: &str| params.iter().any(|param| param.name == key);
        let Some((name, _)) = self.values.iter().find(|(key, _)| !is_known(key)) else { return Ok(()) };
        let (owner, name) = (owner.clone(), name.clone());
        if params.is_empty() {
            return Err(SpecError::NoParameters { owner, name });
        }
        let expected = params.iter().map(|param| param.name.to_owned()).collect();
        Err(SpecError::Parameter { owner, name, expected })
    }

    /// Refuses what is not a parameter, and values that a parameter does not take.
    pub fn check(&self, owner: &Text, params: &[Param]) -> Result<(), SpecError> {
        self.check_names(owner, params)?;
        let given = |param: &Param| self.get(param.name).map(|text| (param.clone(), text.to_owned()));
        params.iter().filter_map(given).try_for_each(|(param, text)| param.check(&text))
    }
}

/// The entry of this name, or an error that lists the names there are.
pub fn find_named<'e, E>(
    what: Noun,
    name: &str,
    entries: &'e [E],
    name_of: impl Fn(&E) -> &str,
) -> Result<&'e E, SpecError> {
    entries.iter().find(|entry| name_of(entry) == name).ok_or_else(|| SpecError::Unknown {
        what,
        name: name.to_owned(),
        expected: entries.iter().map(|entry| name_of(entry).to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;
    use proptest::prelude::*;
    use std::time::Duration;

    params! {
        /// One of each common kind.
        struct SampleParams {
            depth: u32 = 3, in 1..=64, "help" | "aide";
            time: Option<Duration> = None, "help" | "aide";
            exploration as "c": f64 = 1.4, in 0.0..=10.0, "help" | "aide";
            is_quiet as "quiet": bool = false, "help" | "aide";
            layers: Vec<usize> = vec![16], "help" | "aide";
        }
    }

    fn read(text: &str) -> Result<SampleParams, String> {
        let spec: Spec = text.parse().map_err(|error: SpecError| error.to_string())?;
        spec.read(&Noun::Player.named("x"), &SampleParams::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        let params = read("x:time=1.5s").unwrap();
        assert_eq!((params.depth, params.exploration, params.is_quiet), (3, 1.4, false));
        assert_eq!((params.layers, params.time), (vec![16], Some(Duration::from_millis(1500))));
        assert_eq!(read("x:layers=300-256-128,quiet=yes,c=2").unwrap().layers, [300, 256, 128]);
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
            ("x:c=nan", "c=nan: expected a number from 0 to 10"),
            ("x:quiet=foo", "expected one of yes, no"),
            ("x:layers=3-0", "layers=3-0: expected widths from 1 to 65536 joined by hyphens"),
            ("x:layers=3--4", "layers=3--4"),
            ("x:foo=1", "player 'x' has no parameter 'foo': expected one of depth, time, c, quiet, layers"),
        ] {
            let refusal = read(text).unwrap_err();
            assert!(refusal.contains(part), "{text}: {refusal}");
        }
    }

    /// What is listed as the default is read as the default.
    #[test]
    fn defaults_are_listed_as_they_are_read() {
        let defaults: Vec<Option<String>> =
            SampleParams::default().list().into_iter().map(|param| param.default).collect();
        let texts = [Some("3"), None, Some("1.4"), Some("no"), Some("16")];
        assert_eq!(defaults, texts.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn a_comma_in_a_path_is_escaped() {
        let spec: Spec = "net:file=a\\,b,depth=2".parse().unwrap();
        assert_eq!(spec.get("file"), Some("a,b"));
        assert_eq!(spec.get("depth"), Some("2"));
        assert_eq!(spec.to_string(), "net:file=a\\,b,depth=2");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9:=,.é\\\\-]{0,30}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec.clone()));
                let owner = Text::same("x");
                let is_read = spec.read(&owner, &SampleParams::default()).is_ok();
                prop_assert_eq!(is_read, spec.check(&owner, &SampleParams::default().list()).is_ok());
            }
        }
    }
}
