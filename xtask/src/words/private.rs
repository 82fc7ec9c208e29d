//! The lines of Rust with words of the project's former private language, which a newcomer would have to learn.
//!
//! The words are in `private.txt`, one per line; a `*` stands for any ending.

use super::is_part_of_word;
use super::sources::SourceFile;

const WORDS: &str = include_str!("private.txt");

/// Every such line with its place.
pub(super) fn lines(files: &[SourceFile]) -> Vec<String> {
    lines_with(WORDS, files)
}

fn lines_with(words: &str, files: &[SourceFile]) -> Vec<String> {
    let patterns: Vec<&str> = words.lines().collect();
    let mut found = Vec::new();
    for file in files {
        for (line, number) in file.text.lines().zip(1..) {
            let lower = line.to_lowercase();
            if patterns.iter().any(|pattern| has_word(&lower, pattern)) {
                found.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    found
}

/// Whether a line in lower case has a word that a pattern describes.
fn has_word(line: &str, pattern: &str) -> bool {
    let (stem, is_open) = pattern.strip_suffix('*').map_or((pattern, false), |stem| (stem, true));
    line.match_indices(stem).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + stem.len()..].chars().next();
        !before.is_some_and(is_part_of_word) && (is_open || !after.is_some_and(is_part_of_word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_unless_their_end_is_open() {
        for (line, pattern, expected) in [
            ("a blue sky", "blue", true),
            ("blue", "blue", true),
            ("fn blue_sky()", "blue", false),
            ("bluer", "blue", false),
            ("bluer", "blue*", true),
            ("skyblue", "blue*", false),
            ("the so-blue-th of them", "so-blue-th", true),
            ("the so-blue-thing", "so-blue-th", false),
            ("été bleu", "bleu", true),
        ] {
            assert_eq!(has_word(line, pattern), expected, "{line} / {pattern}");
        }
    }

    #[test]
    fn lines_are_listed_once_with_their_place() {
        let text = "// Blue and red.\nlet x = 1;\n".to_owned();
        let files = [SourceFile { path: "crates/a/src/lib.rs".to_owned(), text }];
        assert_eq!(lines_with("blue\nred", &files), ["crates/a/src/lib.rs:1: // Blue and red."]);
    }
}
