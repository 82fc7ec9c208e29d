//! Why work was not done.
//!
//! Each part of the program has its own error type, declared with [`errors!`](outplay_core::errors); all of them convert into a
//! [`WorkError`] with `?`.

use std::fmt;

use outplay_core::{In, Language, Localize, LocalizedError, Text};

/// Why work was not done.
#[derive(Debug)]
pub enum WorkError {
    /// The user stopped the work; what was done so far is safe.
    Stopped,
    /// It cannot be done as asked.
    Refused(Box<dyn LocalizedError>),
}

impl<E: LocalizedError + 'static> From<E> for WorkError {
    fn from(error: E) -> Self {
        Self::Refused(Box::new(error))
    }
}

impl Localize for WorkError {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => Text::new("stopped before the end", "arrêté avant la fin").localize(language, f),
            Self::Refused(error) => error.localize(language, f),
        }
    }
}

/// The sentence in English. A [`WorkError`] is no `Error` itself, so that all errors can convert into it.
impl fmt::Display for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        In(Language::English, self).fmt(f)
    }
}
