//! A row of yes/no answers with a short serialised form.

use serde::{Deserialize, Serialize};

/// A row of yes/no answers. Serialised as their number and one hexadecimal digit for every four, the first in the
/// highest bit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "HexMarks", try_from = "HexMarks")]
pub(crate) struct YesNoRow(pub(crate) Vec<bool>);

#[derive(Serialize, Deserialize)]
struct HexMarks {
    of: usize,
    marks: String,
}

impl From<YesNoRow> for HexMarks {
    fn from(YesNoRow(row): YesNoRow) -> Self {
        let bit = |four: &[bool], place: usize| u32::from(four.get(place) == Some(&true)) << (3 - place);
        let digit = |four: &[bool]| char::from_digit((0..4).map(|place| bit(four, place)).sum(), 16);
        Self { of: row.len(), marks: row.chunks(4).filter_map(digit).collect() }
    }
}

impl TryFrom<HexMarks> for YesNoRow {
    type Error = String;

    fn try_from(HexMarks { of, marks }: HexMarks) -> Result<Self, String> {
        let digits: Option<Vec<u32>> = marks.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() == of.div_ceil(4));
        let digits =
            digits.ok_or_else(|| format!("'{marks}' does not mark {of} things in hexadecimal digits"))?;
        let row = digits.iter().flat_map(|digit| (0..4).map(move |place| digit >> (3 - place) & 1 == 1));
        Ok(Self(row.take(of).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let row = YesNoRow([1, 0, 1, 0, 1, 1, 1, 1, 0, 1].map(|mark| mark == 1).to_vec());
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(text, r#"{"of":10,"marks":"af4"}"#);
        for row in [row, YesNoRow::default(), YesNoRow(vec![true])] {
            let text = serde_json::to_string(&row).unwrap();
            assert_eq!(serde_json::from_str::<YesNoRow>(&text).unwrap(), row);
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in [r#"{"of":9,"marks":"af"}"#, r#"{"of":4,"marks":"af"}"#, r#"{"of":8,"marks":"ag"}"#] {
            let message = serde_json::from_str::<YesNoRow>(text).unwrap_err().to_string();
            assert!(message.contains("does not mark"), "{message}");
        }
    }
}
