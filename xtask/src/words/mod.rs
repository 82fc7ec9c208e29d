//! Checks the language of the sources: one name for one thing, and no private words.
//!
//! A count above its ceiling fails the check and lists every place.

mod names;
mod private;
mod sources;

/// How many type names may be defined more than once.
const MOST_SHARED_NAMES: usize = 15;

/// How many lines may have a private word.
const MOST_PRIVATE_LINES: usize = 0;

/// Both checks over all sources.
pub(crate) fn check() -> Result<(), String> {
    let files = sources::read_all()?;
    let names = limit("type names defined more than once", &names::shared(&files), MOST_SHARED_NAMES);
    let lines = limit("lines with private words", &private::lines(&files), MOST_PRIVATE_LINES);
    match (names, lines) {
        (Err(names), Err(lines)) => Err(format!("{names}\n{lines}")),
        (names, lines) => names.and(lines),
    }
}

fn limit(what: &str, places: &[String], most: usize) -> Result<(), String> {
    let count = places.len();
    eprintln!("{what}: {count}, at most {most}");
    if count <= most {
        return Ok(());
    }
    Err(format!("{count} {what}, which is more than {most}:\n  {}", places.join("\n  ")))
}

fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_listed_only_above_the_ceiling() {
        let places = ["a.rs:1".to_owned(), "b.rs:2".to_owned()];
        assert_eq!(limit("names", &places, 2), Ok(()));
        assert_eq!(
            limit("names", &places, 1).unwrap_err(),
            "2 names, which is more than 1:\n  a.rs:1\n  b.rs:2"
        );
    }
}
