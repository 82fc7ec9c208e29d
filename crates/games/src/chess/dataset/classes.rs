//! Six classes of evaluations, from the worst to the best for the side that has moved.
//!
//! The document does not say where its classes end. It shows three labels in a row, of evaluations −0.56, 0.46 and −0.49:
//! classes 2, 3 and 3. So its third class holds the even positions and two lie below it, as in ours.

use std::fmt;
use std::str::FromStr;

use outplay_core::errors;

/// How many classes there are.
pub const CLASSES: usize = 6;

/// The lower bound of each class but the first, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassBounds([i16; CLASSES - 1]);

errors! {
    /// Why a text is not a list of class bounds.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ClassBoundsError {
        NotBounds { text: String } =
            "bounds={text}: expected five rising numbers of pawns such as -2/-0.5/0.5/2/5"
            | "bounds={text} : attendu cinq nombres croissants de pions tels que -2/-0.5/0.5/2/5",
    }
}

impl Default for ClassBounds {
    /// Lost, worse, even, better, winning, won.
    fn default() -> Self {
        Self([-200, -50, 50, 200, 500])
    }
}

impl ClassBounds {
    /// The class of an evaluation in centipawns, from 0.
    #[inline]
    pub fn class(&self, score: i16) -> usize {
        self.0.iter().filter(|&&bound| score >= bound).count()
    }
}

impl FromStr for ClassBounds {
    type Err = ClassBoundsError;

    fn from_str(text: &str) -> Result<Self, ClassBoundsError> {
        let bad = || ClassBoundsError::NotBounds { text: text.to_owned() };
        let number = |word: &str| {
            let pawns: f64 = word.trim().parse().ok()?;
            (pawns.abs() <= 100.0).then(|| (pawns * 100.0).round() as i16)
        };
        let numbers: Option<Vec<i16>> = text.split('/').map(number).collect();
        let bounds: [i16; CLASSES - 1] = numbers.and_then(|list| list.try_into().ok()).ok_or_else(bad)?;
        if bounds.is_sorted_by(|a, b| a < b) { Ok(Self(bounds)) } else { Err(bad()) }
    }
}

impl fmt::Display for ClassBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|&bound| (f64::from(bound) / 100.0).to_string()).collect();
        f.write_str(&words.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_that_the_document_shows_are_ours() {
        let bounds = ClassBounds::default();
        assert_eq!([-56, 46, -49].map(|score| bounds.class(score) + 1), [2, 3, 3]);
        assert_eq!(
            [-10_000, -200, 50, 499, 500, 10_000].map(|score| bounds.class(score)),
            [0, 1, 3, 4, 5, 5]
        );
    }

    #[test]
    fn bounds_read_back_and_nonsense_is_refused() {
        let bounds: ClassBounds = "-3/-1/0/1/3.25".parse().unwrap();
        assert_eq!(bounds.to_string(), "-3/-1/0/1/3.25");
        assert_eq!(ClassBounds::default().to_string().parse(), Ok(ClassBounds::default()));
        for text in ["", "1", "1/2/3/4", "1/2/3/4/5/6", "1/2/2/3/4", "2/1/3/4/5", "a/2/3/4/5", "1/2/3/4/nan"]
        {
            assert!(
                text.parse::<ClassBounds>().unwrap_err().to_string().starts_with(&format!("bounds={text}:"))
            );
        }
    }
}
