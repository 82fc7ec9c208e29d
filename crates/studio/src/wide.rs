//! Numbers of 64 bits as the page reads them.
//!
//! Law: a seed or a set-up is written as a text, since a number of JavaScript holds 53 bits; it is read from a text or a number.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

/// A number of 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, example = "18446744073709551615")]
pub(crate) struct Wide(pub(crate) u64);

impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Wide;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a whole number of at most 64 bits, as a number or a text")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Wide, E> {
        Ok(Wide(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Wide, E> {
        u64::try_from(number).map(Wide).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Wide, E> {
        text.parse().map(Wide).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// The record of a game, with the numbers that would not survive the page as texts.
pub(crate) fn readable(record: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(record) else { return record.to_owned() };
    for name in ["seed", "setup"] {
        if let Some(number) = fields.get(name).and_then(Value::as_u64) {
            fields.insert(name.to_owned(), number.to_string().into());
        }
    }
    Value::Object(fields).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_survive() {
        for text in ["18446744073709551615", "\"18446744073709551615\""] {
            let read: Wide = serde_json::from_str(text).unwrap();
            assert_eq!(read, Wide(u64::MAX));
            assert_eq!(serde_json::to_string(&read).unwrap(), "\"18446744073709551615\"");
        }
        for text in ["-1", "1.5", "\"\"", "\"1e3\"", "18446744073709551616", "null"] {
            serde_json::from_str::<Wide>(text).unwrap_err();
        }
        let record = "{\"seed\":7,\"setup\":18446744073709551615,\"plies\":3}";
        assert_eq!(readable(record), "{\"seed\":\"7\",\"setup\":\"18446744073709551615\",\"plies\":3}");
        assert_eq!(readable("no record"), "no record");
    }
}
