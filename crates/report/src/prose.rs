//! Reads the small part of Markdown in which the notes of a paper are written: paragraphs and numbered items.
//!
//! A line that begins with a number and a full stop begins an item, indented lines continue it, and an empty
//! line ends it. The heading of the file is left out, because the report has its own. A backslash before a mark is dropped.

use outplay_core::Text;

use super::section::Block;

/// The paragraphs and items of a text.
pub fn read(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let content = line.trim();
        if content.is_empty() || content.starts_with("# ") {
            open = false;
            continue;
        }
        let words = content.replace('\\', "");
        match (item(&words), blocks.last_mut()) {
            (Some(first), Some(Block::Items(items))) => items.push(first.to_owned()),
            (Some(first), _) => blocks.push(Block::Items(vec![first.to_owned()])),
            (None, Some(Block::Items(items))) if open || line.starts_with(' ') => {
                let last = items.last_mut().expect("a list has an item");
                last.push(' ');
                last.push_str(&words);
            }
            (None, Some(Block::Text(paragraph))) if open => {
                *paragraph = Text::same(format!("{} {words}", paragraph.en));
            }
            (None, _) => blocks.push(Block::text(words)),
        }
        open = true;
    }
    blocks
}

/// What follows `12. ` at the beginning of a line.
fn item(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(". ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_told_apart() {
        let text = "# Title\n\nOne line\nand another.\n\n1. first\n   of r\\*1\n2. second\n\nThe end. 3.5 is no item.\n";
        assert_eq!(
            read(text),
            [
                Block::text("One line and another."),
                Block::Items(vec!["first of r*1".into(), "second".into()]),
                Block::text("The end. 3.5 is no item."),
            ]
        );
        assert_eq!(read(""), []);
    }
}
