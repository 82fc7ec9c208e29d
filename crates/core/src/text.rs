//! Texts for people, in English and in French.
//!
//! A [`Text`] is a fixed text, or one that has been rendered. Errors are enums made by [`errors!`](crate::errors): each variant has its
//! fields and one sentence in each language. They stay typed until the command line or the page shows them.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A language that texts are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// French.
    French,
}

/// What can be said in every language.
pub trait Localize {
    /// Writes it in this language.
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A value as it is said in a language.
pub struct In<'a, T: ?Sized>(pub Language, pub &'a T);

impl<T: Localize + ?Sized> fmt::Display for In<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.localize(self.0, f)
    }
}

/// Checksums are written alike in all languages.
impl<T: fmt::LowerHex + ?Sized> fmt::LowerHex for In<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.fmt(f)
    }
}

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(from = "StoredText")]
pub struct Text {
    /// In English.
    pub en: Cow<'static, str>,
    /// In French.
    pub fr: Cow<'static, str>,
}

/// A text as it may be stored: older files have one language only.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredText {
    Both { en: String, fr: String },
    One(String),
}

impl From<StoredText> for Text {
    fn from(stored: StoredText) -> Self {
        match stored {
            StoredText::Both { en, fr } => Self { en: en.into(), fr: fr.into() },
            StoredText::One(text) => Self::same(text),
        }
    }
}

impl Text {
    /// A fixed text.
    pub const fn new(en: &'static str, fr: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), fr: Cow::Borrowed(fr) }
    }

    /// A text that is the same in both languages, such as a name.
    pub fn same(text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        Self { en: text.clone(), fr: text }
    }

    /// Anything as it is said in both languages.
    pub fn of(said: &(impl Localize + ?Sized)) -> Self {
        Self {
            en: In(Language::English, said).to_string().into(),
            fr: In(Language::French, said).to_string().into(),
        }
    }

    /// The text in this language.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::French => &self.fr,
        }
    }
}

/// Writes only the English text, for programs that read one.
pub fn serialize_english<S: serde::Serializer>(text: &Text, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&text.en)
}

impl Localize for Text {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get(language))
    }
}

/// The English text.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

/// An error that can be shown in every language.
pub trait LocalizedError: Error + Localize + Send + Sync {}

impl<E: Error + Localize + Send + Sync> LocalizedError for E {}

/// What is written in the same way in all languages.
macro_rules! same_in_all_languages {
    ($($type:ty),*) => {$(
        impl Localize for $type {
            fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

same_in_all_languages!(str, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

/// Foreign text inside a sentence, such as what a user typed: it stays on its line, controls no terminal and ends.
struct Quotation<'a> {
    text: &'a str,
    /// The characters that are shown at most.
    most: usize,
}

impl fmt::Display for Quotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars = self.text.chars();
        for char in chars.by_ref().take(self.most) {
            if char == '\n' || is_invisible(char) {
                write!(f, "{}", char.escape_debug())?;
            } else {
                write!(f, "{char}")?;
            }
        }
        if chars.next().is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Whether a character moves the cursor, changes a terminal's state or turns the direction of writing.
fn is_invisible(char: char) -> bool {
    (char.is_control() && char != '\n')
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines with its control characters made visible, for a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let shown =
        |char: char| if is_invisible(char) { char.escape_debug().collect() } else { String::from(char) };
    Cow::Owned(text.chars().map(shown).collect())
}

/// What a sentence quotes: the user's words, or a word from a file.
macro_rules! quoted {
    ($($type:ty),*) => {$(
        impl Localize for $type {
            fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&Quotation { text: self, most: 80 }, f)
            }
        }
    )*};
}

quoted!(String, Cow<'_, str>);

impl Localize for char {
    fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Quotation { text: self.encode_utf8(&mut [0; 4]), most: 1 }, f)
    }
}

/// The words of a library or of another program, such as a parser's. They may quote in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignWords(String);

impl ForeignWords {
    /// What this says of itself.
    pub fn of(said: &(impl fmt::Display + ?Sized)) -> Self {
        Self(said.to_string())
    }
}

impl Localize for ForeignWords {
    fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Quotation { text: &self.0, most: 400 }, f)
    }
}

/// Numbers with a fraction: French writes a comma.
macro_rules! with_decimal_comma {
    ($($type:ty),*) => {$(
        impl Localize for $type {
            fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match (language, f.precision()) {
                    (Language::English, _) => fmt::Display::fmt(self, f),
                    (Language::French, Some(digits)) => f.write_str(&format!("{self:.digits$}").replace('.', ",")),
                    (Language::French, None) => f.write_str(&self.to_string().replace('.', ",")),
                }
            }
        }
    )*};
}

with_decimal_comma!(f32, f64);

impl Localize for Path {
    fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Quotation { text: &self.to_string_lossy(), most: 250 }, f)
    }
}

impl Localize for PathBuf {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_path().localize(language, f)
    }
}

/// The system's own words, but for the failures that users meet.
impl Localize for std::io::Error {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use std::io::ErrorKind;
        match (language, self.kind()) {
            (Language::French, ErrorKind::NotFound) => f.write_str("fichier ou dossier introuvable"),
            (Language::French, ErrorKind::PermissionDenied) => f.write_str("permission refusée"),
            (Language::French, ErrorKind::AlreadyExists) => f.write_str("le fichier existe déjà"),
            (Language::French, ErrorKind::StorageFull) => f.write_str("le disque est plein"),
            _ => fmt::Display::fmt(self, f),
        }
    }
}

/// A list, with commas.
impl<T: Localize> Localize for [T] {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, item) in self.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            item.localize(language, f)?;
        }
        Ok(())
    }
}

impl<T: Localize> Localize for Vec<T> {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().localize(language, f)
    }
}

impl<T: Localize + ?Sized> Localize for &T {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).localize(language, f)
    }
}

impl<T: Localize + ?Sized> Localize for Box<T> {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).localize(language, f)
    }
}

impl<T: Localize + ?Sized> Localize for std::sync::Arc<T> {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).localize(language, f)
    }
}

/// Declares an error: an enum whose variants have fields and a sentence in English and in French.
///
/// A sentence names fields in braces. A field is anything that implements [`Localize`](crate::Localize): a number, a text, a list, a
/// [`Text`](crate::Text), another error. A `String` is quoted: a long one is cut, and its control characters are escaped. `Display` is
/// the English sentence.
///
/// ```
/// use outplay_core::{Text, errors};
///
/// errors! {
///     /// Why no board was made.
///     #[derive(PartialEq)]
///     pub enum BoardError {
///         Empty = "the board has no cells" | "le plateau n’a pas de cases",
///         TooLarge { size: u32, most: u32 } =
///             "the size {size} is too large: expected at most {most}" | "la taille {size} est trop grande : attendu {most} au plus",
///     }
/// }
///
/// let error = BoardError::TooLarge { size: 12, most: 9 };
/// assert_eq!(error.to_string(), "the size 12 is too large: expected at most 9");
/// assert_eq!(Text::of(&error).fr, "la taille 12 est trop grande : attendu 9 au plus");
/// ```
#[macro_export]
macro_rules! errors {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {$(
            $(#[$comment:meta])*
            $variant:ident $({ $($field:ident: $type:ty),* $(,)? })? = $english:literal | $french:literal
        ),* $(,)?}
    )*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        #[allow(missing_docs, reason = "a sentence says what its fields are")]
        $visibility enum $name {$(
            $(#[$comment])*
            #[doc = $english]
            $variant $({ $($field: $type),* })?
        ),*}

        impl $crate::Localize for $name {
            #[allow(unused_variables, reason = "a language may leave a field out")]
            fn localize(&self, language: $crate::Language, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {$(
                    Self::$variant $({ $($field),* })? => {
                        $($(let $field = $crate::In(language, $field);)*)?
                        match language {
                            $crate::Language::English => ::std::write!(f, $english),
                            $crate::Language::French => ::std::write!(f, $french),
                        }
                    }
                )*}
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::Localize::localize(self, $crate::Language::English, f)
            }
        }

        impl ::std::error::Error for $name {}
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;

    errors! {
        /// An error inside another.
        enum Inner {
            Broken = "it is broken" | "c’est cassé",
        }

        /// Every kind of field.
        enum Outer {
            All { name: String, share: f64, names: Vec<&'static str>, why: Inner } =
                "{name}, {share:.1}, {names}: {why}" | "{name}, {share:.1}, {names} : {why}",
            Partial { count: usize } = "{count} of them" | "quelques-uns",
        }
    }

    #[test]
    fn fields_are_said_in_the_language_of_the_sentence() {
        let names = vec!["a", "b"];
        let text = Text::of(&Outer::All { name: "x.y".to_owned(), share: 0.25, names, why: Inner::Broken });
        assert_eq!(text.en, "x.y, 0.2, a, b: it is broken");
        assert_eq!(text.fr, "x.y, 0,2, a, b : c’est cassé");
        assert_eq!(Text::of(&Outer::Partial { count: 3 }), Text::new("3 of them", "quelques-uns"));
        assert_eq!(Text::of(&1.5_f32), Text::new("1.5", "1,5"));
    }

    #[test]
    fn what_is_quoted_stays_on_its_line_and_ends() {
        let said = |name: String| {
            let names = vec!["a list is whole, however long its items are: ".repeat(3).leak() as &str];
            Outer::All { name, share: 0.0, names, why: Inner::Broken }.to_string()
        };
        assert!(
            said("a\n\u{1b}[2Jb\t\u{9b}\u{202e}".to_owned())
                .starts_with("a\\n\\u{1b}[2Jb\\t\\u{9b}\\u{202e}, 0.0")
        );
        assert!(said("é".repeat(81)).starts_with(&("é".repeat(80) + "…, 0.0, a list")));
        assert!(said("é".repeat(80)).starts_with(&("é".repeat(80) + ", 0.0, a list")));
        assert!(said(String::new()).contains(&"items are: a list is whole".to_owned()));
        assert_eq!(Text::of(Path::new("a\nb")).en, "a\\nb");
        assert_eq!(Text::of(&'\u{7f}').en, "\\u{7f}");
        assert!(Text::of(&ForeignWords::of(&"x".repeat(1000))).en.chars().count() < 500);
    }

    #[test]
    fn a_terminal_is_shown_lines_and_nothing_else() {
        assert_eq!(visible("│ 'a\\' │\né"), "│ 'a\\' │\né");
        assert_eq!(visible("a\u{1b}]0;b\u{7}\r\nc"), "a\\u{1b}]0;b\\u{7}\\r\nc");
    }
}
