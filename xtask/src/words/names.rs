//! The type names that are defined more than once in the workspace: one name is to mean one thing.
//!
//! Tests, benches and examples may name their own types; associated types are named by their trait.

use std::collections::BTreeMap;

use super::is_part_of_word;
use super::sources::SourceFile;

/// Every such name with its places.
pub(super) fn shared(files: &[SourceFile]) -> Vec<String> {
    clashes(files).iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect()
}

fn clashes(files: &[SourceFile]) -> BTreeMap<&str, Vec<String>> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        for (line, number) in file.without_unit_tests().lines().zip(1..) {
            if let Some(name) = defined_type(line) {
                places.entry(name).or_default().push(format!("{}:{number}", file.path));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

/// The name of the type that a line defines.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (keyword, rest) = without_visibility(line).split_once(char::is_whitespace)?;
    if !["struct", "enum", "trait", "type", "union"].contains(&keyword) {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|character: char| !is_part_of_word(character)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let is_associated = line.starts_with("type ") && after.trim_start().starts_with(['=', ':']);
    (name.starts_with(|first: char| first.is_ascii_uppercase()) && !is_associated).then_some(name)
}

/// A line without `pub` or `pub(…)` at its beginning.
fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    };
    if rest.starts_with(char::is_whitespace) { rest.trim_start() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn definitions_are_recognised() {
        for (line, expected) in [
            ("pub(crate) struct Alpha {", Some("Alpha")),
            ("pub(in crate::alpha) enum Beta<T> {", Some("Beta")),
            ("    trait Gamma: Sized {", Some("Gamma")),
            ("pub type Delta = u8;", Some("Delta")),
            ("type Epsilon<'a> = &'a u8;", Some("Epsilon")),
            ("    type Item = u8;", None),
            ("    type Move: Copy;", None),
            ("public struct Zeta;", None),
            ("// struct Eta;", None),
            ("let union = 1;", None),
            ("struct", None),
        ] {
            assert_eq!(defined_type(line), expected, "{line}");
        }
    }

    #[test]
    fn only_names_of_the_program_itself_clash() {
        let twice = "struct Alpha;\n\nenum Beta {}\n";
        let files = [
            file("crates/a/src/lib.rs", twice),
            file(
                "crates/b/src/lib.rs",
                "pub struct Alpha;\n#[cfg(test)]\nmod tests {\n    struct Beta;\n}\n",
            ),
            file("crates/b/src/tests.rs", twice),
            file("crates/b/tests/all.rs", twice),
            file("crates/b/benches/speed.rs", twice),
            file("crates/b/examples/one.rs", twice),
        ];
        let found = clashes(&files);
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), ["Alpha"]);
        assert_eq!(found["Alpha"], ["crates/a/src/lib.rs:1", "crates/b/src/lib.rs:1"]);
    }
}
