//! The types that a parameter can have, and how each is written.

use std::ops::{Deref, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;

use outplay_core::Text;

use super::ParamKind;

/// A type whose values can be written after `key=`.
pub trait ParamType: Clone + Send + Sync + 'static {
    /// What narrows the values: a range, or a description.
    type Range;

    /// What a user may write.
    fn kind(range: &Self::Range) -> ParamKind;

    /// The value that a text names.
    fn read(text: &str, range: &Self::Range) -> Option<Self>;

    /// The value as a user writes it.
    fn write(&self) -> String;
}

/// A parameter's present value, which is its default until the user gives another.
pub trait Setting: Clone + Send + Sync + 'static {
    /// What narrows the values.
    type Range;

    /// What a user may write.
    fn kind(&self, range: &Self::Range) -> ParamKind;

    /// The setting with the value that the user wrote.
    fn given(&self, text: &str, range: &Self::Range) -> Option<Self>;

    /// The default as a user would write it; `None` if the parameter has no effect unless it is given.
    fn default_text(&self) -> Option<String>;
}

impl<T: ParamType> Setting for T {
    type Range = T::Range;

    fn kind(&self, range: &T::Range) -> ParamKind {
        T::kind(range)
    }

    fn given(&self, text: &str, range: &T::Range) -> Option<Self> {
        T::read(text, range)
    }

    fn default_text(&self) -> Option<String> {
        Some(self.write())
    }
}

impl<T: ParamType> Setting for Option<T> {
    type Range = T::Range;

    fn kind(&self, range: &T::Range) -> ParamKind {
        T::kind(range)
    }

    fn given(&self, text: &str, range: &T::Range) -> Option<Self> {
        T::read(text, range).map(Some)
    }

    fn default_text(&self) -> Option<String> {
        self.as_ref().map(T::write)
    }
}

/// A value that remembers whether the user gave it.
#[derive(Clone, Copy, Debug)]
pub struct Tracked<S> {
    value: S,
    is_given: bool,
}

impl<S> Tracked<S> {
    /// Whether the user gave it.
    pub const fn is_given(&self) -> bool {
        self.is_given
    }
}

impl<S> From<S> for Tracked<S> {
    fn from(default: S) -> Self {
        Self { value: default, is_given: false }
    }
}

impl<S> Deref for Tracked<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.value
    }
}

impl<S: Setting> Setting for Tracked<S> {
    type Range = S::Range;

    fn kind(&self, range: &S::Range) -> ParamKind {
        self.value.kind(range)
    }

    fn given(&self, text: &str, range: &S::Range) -> Option<Self> {
        Some(Self { value: self.value.given(text, range)?, is_given: true })
    }

    fn default_text(&self) -> Option<String> {
        self.value.default_text()
    }
}

/// One of several words that depend on the board. Where they do not, an enum with [`words!`](crate::words) is better.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    words: &'static [&'static str],
    chosen: &'static str,
}

impl Choice {
    /// One of these; the first is the default.
    pub const fn first_of(words: &'static [&'static str]) -> Self {
        Self { words, chosen: words[0] }
    }

    /// The word.
    pub const fn word(&self) -> &'static str {
        self.chosen
    }
}

impl Setting for Choice {
    type Range = ();

    fn kind(&self, (): &()) -> ParamKind {
        ParamKind::Word(self.words)
    }

    fn given(&self, text: &str, (): &()) -> Option<Self> {
        self.words.iter().find(|&&word| word == text).map(|chosen| Self { chosen, ..*self })
    }

    fn default_text(&self) -> Option<String> {
        Some(self.chosen.to_owned())
    }
}

/// The file of something trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFile {
    /// None was given; the one that comes with the program is used.
    Shipped,
    /// None was given, and none comes with the program.
    Needed,
    /// This one.
    At(PathBuf),
}

impl ModelFile {
    /// The path that was given.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::At(path) => Some(path),
            Self::Shipped | Self::Needed => None,
        }
    }
}

impl Setting for ModelFile {
    type Range = ();

    fn kind(&self, (): &()) -> ParamKind {
        if *self == Self::Needed { ParamKind::NeededFile } else { ParamKind::File }
    }

    fn given(&self, text: &str, (): &()) -> Option<Self> {
        Some(Self::At(PathBuf::from(text)))
    }

    fn default_text(&self) -> Option<String> {
        None
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl ParamType for $type {
            type Range = RangeInclusive<Self>;

            fn kind(range: &Self::Range) -> ParamKind {
                ParamKind::Whole(*range.start() as i64, *range.end() as i64)
            }

            fn read(text: &str, range: &Self::Range) -> Option<Self> {
                text.parse().ok().filter(|value| range.contains(value))
            }

            fn write(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

whole_numbers!(u8, u16, u32, u64, usize, i64);

impl ParamType for f64 {
    type Range = RangeInclusive<Self>;

    fn kind(range: &Self::Range) -> ParamKind {
        ParamKind::Real(*range.start(), *range.end())
    }

    fn read(text: &str, range: &Self::Range) -> Option<Self> {
        text.parse().ok().filter(|value| range.contains(value))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl ParamType for Duration {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Time
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        read_time(text)
    }

    fn write(&self) -> String {
        if self.subsec_millis() == 0 {
            format!("{}s", self.as_secs())
        } else {
            format!("{}ms", self.as_millis())
        }
    }
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

impl ParamType for PathBuf {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::File
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Some(Self::from(text))
    }

    fn write(&self) -> String {
        self.display().to_string()
    }
}

/// The widest layer that may be asked for.
pub(super) const MAX_WIDTH: usize = 65_536;

/// The widths of layers.
impl ParamType for Vec<usize> {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Widths
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        let width = |text: &str| text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
        text.split('-').map(width).collect()
    }

    fn write(&self) -> String {
        self.iter().map(usize::to_string).collect::<Vec<_>>().join("-")
    }
}

/// Words joined by hyphens.
impl ParamType for Vec<String> {
    /// What they name.
    type Range = Text;

    fn kind(what: &Text) -> ParamKind {
        ParamKind::Words(what.clone())
    }

    fn read(text: &str, _: &Text) -> Option<Self> {
        let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        text.split('-').map(word).collect()
    }

    fn write(&self) -> String {
        self.join("-")
    }
}

impl ParamType for String {
    /// What it means.
    type Range = Text;

    fn kind(what: &Text) -> ParamKind {
        ParamKind::Text(what.clone())
    }

    fn read(text: &str, _: &Text) -> Option<Self> {
        Some(text.to_owned())
    }

    fn write(&self) -> String {
        self.clone()
    }
}

/// The command of a program that will be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(pub String);

impl ParamType for Program {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Program
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Some(Self(text.to_owned()))
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// The name of one of the board's evaluators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatorName(pub String);

impl ParamType for EvaluatorName {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Evaluator
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Some(Self(text.to_owned()))
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// Says by which word each value of an enum is written, so that the enum can be a parameter.
///
/// ```
/// use outplay_lab::words;
///
/// #[derive(Clone, Debug)]
/// enum Colour { Light, Dark }
/// words!(Colour { "light" => Colour::Light, "dark" => Colour::Dark });
/// ```
#[macro_export]
macro_rules! words {
    ($type:ty { $($word:literal => $value:path),+ $(,)? }) => {
        impl $crate::params::ParamType for $type {
            type Range = ();

            fn kind((): &()) -> $crate::params::ParamKind {
                $crate::params::ParamKind::Word(&[$($word),+])
            }

            fn read(text: &str, (): &()) -> ::std::option::Option<Self> {
                match text {
                    $($word => Some($value),)+
                    _ => None,
                }
            }

            fn write(&self) -> ::std::string::String {
                match *self {
                    $($value => $word,)+
                }
                .to_owned()
            }
        }
    };
}

impl ParamType for bool {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Word(&["yes", "no"])
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }
    }

    fn write(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}
