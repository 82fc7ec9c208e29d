//! Typed parameters: what a user may write after a name.
//!
//! [`params!`](crate::params) declares them once, as a struct. The struct, the listing, the parser, the ranges and the cost in memory
//! follow from that one declaration. The defaults are a value of the struct, so a game can change them.

mod types;

use outplay_core::Text;

pub use types::{Choice, EvaluatorName, ModelFile, ParamType, Program, Setting, Tracked, read_time};

use crate::spec::{Spec, SpecError};

/// The MiB that are counted for what does not say how much it uses.
pub const USUAL_MEMORY: u32 = 64;

/// The parameters of a game, a player, an evaluator or a method. The value itself holds the defaults.
pub trait Params: Clone + Send + Sync + 'static {
    /// Every parameter as it is listed, with the value here as its default.
    fn list(&self) -> Vec<Param>;

    /// These values, with what the user wrote in place of the defaults. Names are not checked here: see [`Spec::read`].
    fn read(&self, spec: &Spec) -> Result<Self, SpecError>;

    /// The MiB of memory that may come to be used with these values.
    fn memory(&self) -> u32 {
        USUAL_MEMORY
    }
}

/// No parameters. What cannot be set is small, or reserves its memory where it is made.
impl Params for () {
    fn list(&self) -> Vec<Param> {
        Vec::new()
    }

    fn read(&self, _: &Spec) -> Result<Self, SpecError> {
        Ok(())
    }

    fn memory(&self) -> u32 {
        1
    }
}

/// The parameters of both.
impl<A: Params, B: Params> Params for (A, B) {
    fn list(&self) -> Vec<Param> {
        let (mut all, more) = (self.0.list(), self.1.list());
        all.extend(more);
        all
    }

    fn read(&self, spec: &Spec) -> Result<Self, SpecError> {
        Ok((self.0.read(spec)?, self.1.read(spec)?))
    }

    fn memory(&self) -> u32 {
        self.0.memory().max(self.1.memory())
    }
}

/// A parameter as it is listed: its name, what it takes, what it is when not given, and what it does.
#[derive(Clone, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// The values it takes.
    pub kind: ParamKind,
    /// Its value when not given; `None` if it then has no effect.
    pub default: Option<String>,
    /// One line of help.
    pub help: Text,
}

/// What values a parameter takes.
#[derive(Clone, Debug)]
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
    /// One of these words, or else the path of a file.
    WordOrFile(&'static [&'static str]),
    /// The widths of layers, joined by hyphens: `300-256-128`.
    Widths,
    /// Words joined by hyphens; this says what they name.
    Words(Text),
    /// Any text; this says what it means.
    Text(Text),
    /// The command of a program that will be run: only for users at the keyboard.
    Program,
}

impl Param {
    /// A description of what the parameter takes.
    pub fn expected(&self) -> Text {
        match &self.kind {
            ParamKind::Whole(min, max) => Text {
                en: format!("a whole number from {min} to {max}").into(),
                fr: format!("un nombre entier de {min} à {max}").into(),
            },
            ParamKind::Real(min, max) => {
                let [from, to] = [min, max].map(Text::of);
                Text {
                    en: format!("a number from {} to {}", from.en, to.en).into(),
                    fr: format!("un nombre de {} à {}", from.fr, to.fr).into(),
                }
            }
            ParamKind::Time => {
                Text::new("a time such as 500ms, 2s or 1m", "un temps tel que 500ms, 2s ou 1m")
            }
            ParamKind::Word(words) => {
                let words = words.join(", ");
                Text { en: format!("one of {words}").into(), fr: format!("un de {words}").into() }
            }
            ParamKind::Evaluator => Text::new("the name of an evaluator", "le nom d’un évaluateur"),
            ParamKind::File | ParamKind::NeededFile => Text::new("a file", "un fichier"),
            ParamKind::WordOrFile(words) => {
                let words = words.join(", ");
                Text { en: format!("{words} or a file").into(), fr: format!("{words} ou un fichier").into() }
            }
            ParamKind::Widths => {
                let most = types::MAX_WIDTH;
                Text {
                    en: format!("widths from 1 to {most} joined by hyphens, such as 300-256-128").into(),
                    fr: format!("largeurs de 1 à {most} jointes par des tirets, telles que 300-256-128")
                        .into(),
                }
            }
            ParamKind::Words(what) | ParamKind::Text(what) => what.clone(),
            ParamKind::Program => Text::new("a program with its arguments", "un programme et ses arguments"),
        }
    }

    /// Refuses a value that the parameter does not take.
    pub fn check(&self, text: &str) -> Result<(), SpecError> {
        let is_taken = match &self.kind {
            ParamKind::Whole(min, max) => i64::read(text, &(*min..=*max)).is_some(),
            ParamKind::Real(min, max) => f64::read(text, &(*min..=*max)).is_some(),
            ParamKind::Time => read_time(text).is_some(),
            ParamKind::Word(words) => words.contains(&text),
            ParamKind::Widths => Vec::<usize>::read(text, &()).is_some(),
            ParamKind::Words(what) => Vec::<String>::read(text, what).is_some(),
            _ => true,
        };
        if is_taken { Ok(()) } else { Err(self.refuse(text)) }
    }

    /// The refusal of a value.
    pub fn refuse(&self, text: &str) -> SpecError {
        SpecError::Value { name: self.name.to_owned(), value: text.to_owned(), expected: self.expected() }
    }
}

/// Declares parameters: a struct, its defaults, its listing, its parser, and if need be its cost in memory.
///
/// Each line has a field with its type and default, the values it takes if the type alone does not say, and its help in English and in
/// French. `as "key"` gives it another name on the command line. `memory |params| …` after the struct gives the MiB that are used.
///
/// ```
/// use outplay_lab::params;
/// use outplay_lab::params::Params;
///
/// params! {
///     /// How a search is limited.
///     pub struct SearchParams {
///         depth: u32 = 2, in 1..=64, "plies to look ahead" | "profondeur en coups";
///         table_size as "table": Option<u32> = None, in 1..=4096, "size of the table in MiB" | "taille de la table en Mio";
///     }
///     memory |params| params.table_size.unwrap_or(64)
/// }
///
/// let params = SearchParams::default().read(&"search:table=16".parse()?)?;
/// assert_eq!((params.depth, params.table_size, params.memory()), (2, Some(16), 16));
/// # Ok::<(), outplay_lab::spec::SpecError>(())
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[$comment:meta])*
                $field:ident $(as $key:literal)?: $type:ty = $default:expr $(, in $range:expr)?, $english:literal | $french:literal;
            )*
        }
        $(memory |$params:ident| $memory:expr)?
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        $visibility struct $name {$(
            $(#[$comment])*
            #[doc = $english]
            pub $field: $type,
        )*}

        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::params::Params for $name {
            fn list(&self) -> ::std::vec::Vec<$crate::params::Param> {
                ::std::vec![$($crate::params::Param {
                    name: $crate::params!(@key $field $($key)?),
                    kind: $crate::params::Setting::kind(&self.$field, &$crate::params!(@range $($range)?)),
                    default: $crate::params::Setting::default_text(&self.$field),
                    help: ::outplay_core::Text::new($english, $french),
                },)*]
            }

            #[allow(unused_variables, reason = "there may be no parameters")]
            fn read(&self, spec: &$crate::spec::Spec) -> ::std::result::Result<Self, $crate::spec::SpecError> {
                Ok(Self {
                    $($field: match spec.get($crate::params!(@key $field $($key)?)) {
                        None => ::std::clone::Clone::clone(&self.$field),
                        Some(text) => {
                            let range = $crate::params!(@range $($range)?);
                            $crate::params::Setting::given(&self.$field, text, &range).ok_or_else(|| {
                                let kind = $crate::params::Setting::kind(&self.$field, &range);
                                $crate::params::refuse($crate::params!(@key $field $($key)?), kind, text)
                            })?
                        }
                    },)*
                })
            }

            $(fn memory(&self) -> u32 {
                let $params = self;
                $memory
            })?
        }
    };
    (@key $field:ident) => { ::std::stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@range) => { () };
    (@range $range:expr) => { $range };
}

/// The refusal of a value that a parameter of this kind does not take.
pub fn refuse(name: &'static str, kind: ParamKind, text: &str) -> SpecError {
    Param { name, kind, default: None, help: Text::new("", "") }.refuse(text)
}
