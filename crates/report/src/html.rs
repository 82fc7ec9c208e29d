//! A report as one self-contained HTML file.

use outplay_core::Text;

use super::section::{Block, Figure, ReportCell, ReportTable, Tone};

const STYLE: &str = "
:root { color-scheme: light dark; --ground: #fff; --ink: #222; --soft: #666; --rule: #ddd; --wash: #f6f6f4;
  --good: #1b6e3c; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181b; --ink: #e6e6e6; --soft: #a8a8a8; --rule: #383b40; --wash: #1f2226;
    --good: #7bd19a; --bad: #ff8a80; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif;
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { margin-top: 2.6rem; border-top: 1px solid var(--rule); padding-top: 1.2rem; }
code { background: var(--wash); padding: .1em .3em; border-radius: 3px; font-size: .9em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { padding: .28rem .7rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } tbody tr:hover { background: var(--wash); }
.words { text-align: left; white-space: normal; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.note { background: var(--wash); border-left: 4px solid var(--rule); padding: .5rem .9rem; }
.note.good { border-color: var(--good); } .note.bad { border-color: var(--bad); font-weight: inherit; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; }
li { margin: .45rem 0; }
@page { size: A4; margin: 20mm 18mm; }
@media print {
  :root { color-scheme: light; --ground: #fff; --ink: #000; --soft: #444; --rule: #bbb; --wash: #fff; }
  body { font: 10.5pt/1.4 serif; max-width: none; margin: 0; padding: 0; }
  h1 { font-size: 17pt; } h2 { font-size: 12.5pt; margin-top: 1.2em; border: 0; padding: 0; }
  h1, h2, figcaption { break-after: avoid; } figure, tr, .note { break-inside: avoid; }
  table { font-size: 8.5pt; margin: .6em 0; } th, td { padding: .1rem .4rem; white-space: normal; }
  .scroll { overflow: visible; } figure { margin: .6em auto; } figure svg { max-height: 75mm; }
  p { orphans: 3; widows: 3; } li { margin: .2em 0; }
}
";

/// The page of these blocks.
pub fn write(title: &str, blocks: &[Block]) -> String {
    let body: String = blocks.iter().map(block).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => {
            format!("<h{level}{}>{}</h{level}>\n", french(text), inline(&text.en))
        }
        Block::Text(text) => format!("<p{}>{}</p>\n", french(text), inline(&text.en)),
        Block::Note(tone, text) => {
            format!("<p class=\"note {}\"{}>{}</p>\n", class(*tone), french(text), inline(&text.en))
        }
        Block::Items(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
            format!("<ol>\n{items}</ol>\n")
        }
        Block::Table(content) => table(content),
        Block::Figure(Figure { caption, svg, .. }) => {
            format!("<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n", inline(caption))
        }
    }
}

fn table(table: &ReportTable) -> String {
    let place = |i: usize| if i < table.left { "words" } else { "" };
    let head = table.head.iter().enumerate();
    let head =
        head.map(|(i, text)| format!("<th class=\"{}\"{}>{}</th>", place(i), french(text), inline(&text.en)));
    let head: String = head.collect();
    let row = |cells: &Vec<ReportCell>| -> String {
        let cell = |(i, cell): (usize, &ReportCell)| {
            let ReportCell { text, tone } = cell;
            format!("<td class=\"{} {}\"{}>{}</td>", place(i), class(*tone), french(text), inline(&text.en))
        };
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Good => "good",
        Tone::Bad => "bad",
    }
}

/// The French of a text, where there is one, for readers who can show it.
fn french(text: &Text) -> String {
    if text.en == text.fr { String::new() } else { format!(" data-fr=\"{}\"", escape(&text.fr)) }
}

/// A text with its `code` marked.
fn inline(text: &str) -> String {
    let piece = |(i, piece): (usize, &str)| {
        if i % 2 == 1 { format!("<code>{}</code>", escape(piece)) } else { escape(piece) }
    };
    text.split('`').enumerate().map(piece).collect()
}

/// A text that is neither a tag nor the end of an attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_escapes_what_it_shows() {
        let table = ReportTable {
            left: 1,
            head: vec![Text::same(""), Text::new("yes", "« oui »")],
            rows: vec![vec!["<e1>".into(), ReportCell { text: Text::same("7.8"), tone: Tone::Bad }]],
        };
        let page = write("A & B", &[Block::text("see `a<b`"), Block::Table(table)]);
        for part in [
            "<title>A &amp; B</title>",
            "<code>a&lt;b</code>",
            "&lt;e1&gt;",
            "<td class=\" bad\">7.8</td>",
            "<th class=\"\" data-fr=\"« oui »\">yes</th>",
        ] {
            assert!(page.contains(part), "{part}");
        }
    }
}
