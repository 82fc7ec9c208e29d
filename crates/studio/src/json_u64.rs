//! 64-bit numbers in JSON.
//!
//! Seeds and set-ups are written as strings, since JavaScript numbers have 53 bits; they are read from strings or numbers.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

/// A 64-bit number, in digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(as = Wide, value_type = String, pattern = "^([0-9]{1,19}|1[0-7][0-9]{18}|18[0-3][0-9]{17}|184[0-3][0-9]{16}|1844[0-6][0-9]{15})$", example = "18446744073709551615")]
pub(crate) struct JsonU64(pub(crate) u64);

impl Serialize for JsonU64 {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for JsonU64 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(JsonU64Visitor)
    }
}

struct JsonU64Visitor;

impl Visitor<'_> for JsonU64Visitor {
    type Value = JsonU64;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a whole number of at most 64 bits, as a number or a text")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<JsonU64, E> {
        Ok(JsonU64(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<JsonU64, E> {
        u64::try_from(number)
            .map(JsonU64)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonU64, E> {
        text.parse().map(JsonU64).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// The record of a game with its 64-bit numbers as strings.
pub(crate) fn with_text_numbers(record: &str) -> String {
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
            let read: JsonU64 = serde_json::from_str(text).unwrap();
            assert_eq!(read, JsonU64(u64::MAX));
            assert_eq!(serde_json::to_string(&read).unwrap(), "\"18446744073709551615\"");
        }
        for text in ["-1", "1.5", "\"\"", "\"1e3\"", "18446744073709551616", "null"] {
            serde_json::from_str::<JsonU64>(text).unwrap_err();
        }
        let record = "{\"seed\":7,\"setup\":18446744073709551615,\"plies\":3}";
        assert_eq!(
            with_text_numbers(record),
            "{\"seed\":\"7\",\"setup\":\"18446744073709551615\",\"plies\":3}"
        );
        assert_eq!(with_text_numbers("no record"), "no record");
    }
}
