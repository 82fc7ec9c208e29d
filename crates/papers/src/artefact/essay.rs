//! A readable page about a paper: prose in which the numbers, tables and figures of the artefacts are filled in.
//!
//! The text is the small part of Markdown that [`prose`] reads, with headings of level one and two, and these marks:
//! - `{graph: TD(λ) after 100000: the reference}` is the number of that artefact whose name begins so, with its interval;
//! - a line `[figure graph]` is the figure of this name, `[table competition 0]` the first table of that artefact,
//!   `[contents]` the list of the numbered sections, and `[conditions]` says which run the numbers are of.
//!
//! Like a report, the page follows from records alone. What has not been run at this scale is said to be so. The prose was written
//! of the run at full scale with seed 0; filled in from another run, the page says so.

use outplay_core::Text;
use outplay_report::{Block, Number, prose};

use super::Scale;
use super::page::{ArtefactFinding, command};

/// What stands in for a result that is missing.
const NOT_RUN: &str = "(not run)";

/// The run that fills a page.
#[derive(Clone, Copy)]
pub(super) struct EssayRun<'a> {
    /// The paper's slug.
    pub(super) paper: &'a str,
    pub(super) scale: Scale,
    pub(super) seed: u64,
    pub(super) findings: &'a [ArtefactFinding],
}

impl EssayRun<'_> {
    /// Which run this is, and whether the prose was written of it.
    fn conditions(self) -> Block {
        let (name, seed) = (self.scale.name(), self.seed);
        let command = command(self.paper, self.scale, seed);
        let mut text = format!(
            "Results with an interval are filled in from a recorded run at scale {name} with seed {seed}; `{command}` repeats it."
        );
        if (self.scale, seed) != (Scale::Full, 0) {
            text += " The sentences around them were written of the run at scale full with seed 0, and need not be true of this one.";
        }
        Block::text(text)
    }
}

/// The blocks of the page.
pub(super) fn compose(text: &str, run: EssayRun<'_>) -> Vec<Block> {
    let findings = run.findings;
    let mut blocks = Vec::new();
    let mut paragraphs = String::new();
    for line in text.lines() {
        let Some(special) = special(line, text, run) else {
            paragraphs.push_str(line);
            paragraphs.push('\n');
            continue;
        };
        blocks.extend(prose::read(&fill(&std::mem::take(&mut paragraphs), findings)));
        blocks.push(special);
    }
    blocks.extend(prose::read(&fill(&paragraphs, findings)));
    blocks
}

/// The block that a line of its own stands for, if it is not prose.
fn special(line: &str, text: &str, run: EssayRun<'_>) -> Option<Block> {
    if let Some(title) = line.strip_prefix("# ") {
        return Some(Block::Heading(1, Text::same(title.to_owned())));
    }
    if let Some(title) = line.strip_prefix("## ") {
        return Some(Block::Heading(2, Text::same(title.to_owned())));
    }
    let words: Vec<&str> = line.strip_prefix('[')?.strip_suffix(']')?.split(' ').collect();
    match words[..] {
        ["contents"] => {
            let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
            Some(Block::Items(titles.filter_map(without_number).map(str::to_owned).collect()))
        }
        ["conditions"] => Some(run.conditions()),
        ["figure", name] => Some(figure(name, run.findings)),
        ["table", artefact, number] => Some(table(artefact, number.parse().ok()?, run.findings)),
        _ => None,
    }
}

/// The title of a numbered section without its number, which the list of contents counts itself.
fn without_number(title: &str) -> Option<&str> {
    title.split_once(' ').filter(|(number, _)| number.parse::<u32>().is_ok()).map(|(_, rest)| rest)
}

fn blocks_of<'a>(findings: &'a [ArtefactFinding], artefact: Option<&str>) -> impl Iterator<Item = &'a Block> {
    let wanted = artefact.map(str::to_owned);
    findings
        .iter()
        .filter(move |finding| wanted.as_ref().is_none_or(|name| finding.artefact.name == name))
        .filter_map(|finding| finding.section.as_ref())
        .flat_map(|section| &section.blocks)
}

fn figure(name: &str, findings: &[ArtefactFinding]) -> Block {
    let is_meant = |block: &&Block| matches!(block, Block::Figure(figure) if figure.name == name);
    blocks_of(findings, None).find(is_meant).cloned().unwrap_or_else(|| Block::text(NOT_RUN))
}

fn table(artefact: &str, number: usize, findings: &[ArtefactFinding]) -> Block {
    let tables = blocks_of(findings, Some(artefact)).filter(|block| matches!(block, Block::Table(_)));
    tables.into_iter().nth(number).cloned().unwrap_or_else(|| Block::text(NOT_RUN))
}

/// Fills in the numbers.
fn fill(text: &str, findings: &[ArtefactFinding]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((mark, after)) = after.split_once('}') else {
            rest = after;
            break;
        };
        filled.push_str(&number(&mark.replace('\n', " "), findings));
        rest = after;
    }
    filled + rest
}

fn number(mark: &str, findings: &[ArtefactFinding]) -> String {
    let Some((artefact, name)) = mark.split_once(": ") else { return NOT_RUN.to_owned() };
    let numbers = findings
        .iter()
        .filter(|finding| finding.artefact.name == artefact)
        .filter_map(|finding| finding.section.as_ref())
        .flat_map(|section| &section.numbers);
    let found = numbers.into_iter().find(|number| number.name.starts_with(name));
    found.map_or_else(|| NOT_RUN.to_owned(), Number::with_interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PAPERS;
    use outplay_arena::stats::Interval;
    use outplay_report::Section;

    fn findings() -> Vec<ArtefactFinding> {
        let artefact = &PAPERS[0].artefacts[0];
        let number = Number::percent("a: b (more)", 0.465, Interval { low: 0.423, high: 0.508 }, 1, 9);
        let section = Section { blocks: vec![Block::text("x")], numbers: vec![number] };
        vec![ArtefactFinding { artefact, section: Some(section) }]
    }

    #[test]
    fn marks_are_filled_in() {
        let name = PAPERS[0].artefacts[0].name;
        let text = format!(
            "# T\n\n## Contents\n\n[contents]\n\n## 1 One\n\nIt is {{{name}: a:\nb}}.\n\n[figure f]\n\n## 2 Two\n"
        );
        let run = EssayRun { paper: "p", scale: Scale::Smoke, seed: 3, findings: &findings() };
        let blocks = compose(&text, run);
        assert_eq!(
            blocks,
            [
                Block::Heading(1, Text::same("T")),
                Block::Heading(2, Text::same("Contents")),
                Block::Items(vec!["One".into(), "Two".into()]),
                Block::Heading(2, Text::same("1 One")),
                Block::text("It is 46.5% (42.3 – 50.8)."),
                Block::text(NOT_RUN),
                Block::Heading(2, Text::same("2 Two")),
            ]
        );
        assert_eq!(fill("{none: x} {open", &findings()), "(not run) open");
    }

    #[test]
    fn a_page_says_which_run_fills_it() {
        let run = EssayRun { paper: "p", scale: Scale::Full, seed: 0, findings: &[] };
        let conditions = |run: EssayRun<'_>| match compose("[conditions]\n", run).swap_remove(0) {
            Block::Text(text) => text.en.into_owned(),
            other => panic!("{other:?}"),
        };
        assert!(conditions(run).contains("`outplay reproduce p --scale full --seed 0`"));
        assert!(!conditions(run).contains("need not be true"));
        assert!(conditions(EssayRun { seed: 1, ..run }).contains("need not be true"));
        assert!(conditions(EssayRun { scale: Scale::Desk, ..run }).contains("scale desk"));
    }

    /// Whatever an essay names is an artefact of its paper.
    #[test]
    fn essays_name_what_there_is() {
        for paper in PAPERS {
            let Some(text) = paper.essay else { continue };
            for mark in text.split('{').skip(1) {
                let (artefact, _) = mark.split_once(':').unwrap();
                assert!(paper.artefacts.iter().any(|known| known.name == artefact), "{artefact}");
            }
        }
    }
}
