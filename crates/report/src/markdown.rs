//! A report as Markdown.

use super::section::{Block, ReportCell, ReportTable, Tone};

/// The text of the blocks; figures are links into `figures/`.
pub fn write(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("{} {}\n", "#".repeat(*level), escape(&text.en)),
        Block::Text(text) => format!("{}\n", escape(&text.en)),
        Block::Note(_, text) => format!("> {}\n", escape(&text.en)),
        Block::Items(items) => {
            items.iter().zip(1..).map(|(item, i)| format!("{i}. {}\n", escape(item))).collect()
        }
        Block::Table(content) => table(content),
        Block::Figure(figure) => format!("![{}](figures/{}.svg)\n", escape(&figure.caption), figure.name),
    }
}

fn table(table: &ReportTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule = (0..table.head.len()).map(|i| if i < table.left { "---" } else { "---:" }.to_owned());
    let mut text = row(table.head.iter().map(|head| escape_cell(&head.en)).collect());
    text.push_str(&row(rule.collect()));
    for cells in &table.rows {
        text.push_str(&row(cells.iter().map(cell).collect()));
    }
    text
}

fn cell(cell: &ReportCell) -> String {
    let text = escape_cell(&cell.text.en);
    if cell.tone == Tone::Bad { format!("**{text}**") } else { text }
}

fn escape_cell(text: &str) -> String {
    escape(text).replace('|', "\\|")
}

/// Keeps marks outside of `code` from being read as Markdown.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for (i, piece) in text.split('`').enumerate() {
        if i > 0 {
            escaped.push('`');
        }
        let is_code = i % 2 == 1;
        for c in piece.chars() {
            match c {
                '*' | '_' | '[' if !is_code => escaped.extend(['\\', c]),
                '<' if !is_code => escaped.push_str("&lt;"),
                _ => escaped.push(c),
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use outplay_core::Text;

    use super::*;

    #[test]
    fn blocks_become_markdown() {
        let table = ReportTable {
            left: 1,
            head: ["", "r*1"].map(Text::same).to_vec(),
            rows: vec![vec!["a|b".into(), ReportCell { text: Text::same("9"), tone: Tone::Bad }]],
        };
        let blocks = [
            Block::Heading(2, Text::same("One")),
            Block::text("r*1 by `a*b` < 3"),
            Block::Items(vec!["x".into(), "y".into()]),
            Block::Table(table),
        ];
        let expected = "## One\n\nr\\*1 by `a*b` &lt; 3\n\n1. x\n2. y\n\n\
                        |  | r\\*1 |\n| --- | ---: |\n| a\\|b | **9** |\n";
        assert_eq!(write(&blocks), expected);
    }
}
