//! The report of a whole paper: the results, how they were made, and where we deviate from the document.

use super::{Artefact, Paper, Scale};
use outplay_report::prose;
use outplay_report::{Badge, reproduced_and_total};
use outplay_report::{Block, ReportCell, ReportTable, Section, Tone};

/// An artefact with the report of its finished run, if there is one.
pub(super) struct ArtefactFinding {
    pub(super) artefact: &'static Artefact,
    pub(super) section: Option<Section>,
}

impl ArtefactFinding {
    pub(super) fn badge(&self) -> Badge {
        self.section.as_ref().map_or(Badge::NotRun, |section| Badge::of(&section.numbers))
    }

    pub(super) fn reproduced_and_total(&self) -> (usize, usize) {
        self.section.as_ref().map_or((0, 0), |section| reproduced_and_total(&section.numbers))
    }

    /// The badge with its counts.
    fn verdict(&self) -> String {
        match self.reproduced_and_total() {
            (_, 0) => self.badge().words().to_owned(),
            (reproduced, total) => format!("{} ({reproduced} of {total} agree)", self.badge().words()),
        }
    }
}

/// The command that makes the artefact or paper again.
pub(super) fn command(what: &str, scale: Scale, seed: u64) -> String {
    format!("outplay reproduce {what} --scale {} --seed {seed}", scale.name())
}

/// The whole report.
pub(super) fn compose(paper: &Paper, scale: Scale, seed: u64, findings: &[ArtefactFinding]) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, paper.title.to_owned()),
        Block::text(paper.reference),
        Block::text(format!(
            "Scale {}, seed {seed}. Everything below is made by `{}`; the numbers follow from the seed alone{}.",
            scale.name(),
            command(paper.slug, scale, seed),
            but_for(paper.timed)
        )),
        summary(findings),
        Block::Heading(2, "How the numbers are made".to_owned()),
    ];
    blocks.extend(prose::read(paper.method));
    for finding in findings {
        let id = format!("{}/{}", paper.slug, finding.artefact.name);
        blocks.push(Block::Heading(2, finding.artefact.title.to_owned()));
        blocks.push(Block::Note(finding.badge().tone(), finding.verdict()));
        blocks.push(Block::text(format!("`{}`", command(&id, scale, seed))));
        if let Some(section) = &finding.section {
            blocks.extend(section.blocks.iter().cloned());
        }
    }
    blocks.push(Block::Heading(2, "Deviations".to_owned()));
    blocks.extend(prose::read(paper.deviations));
    blocks
}

/// Which artefacts are an exception, if any are.
fn but_for(timed: &[&str]) -> String {
    if timed.is_empty() {
        return String::new();
    }
    let names: Vec<String> = timed.iter().map(|name| format!("`{name}`")).collect();
    format!(", but for those of {}, which depend on the clock", names.join(" and "))
}

fn summary(findings: &[ArtefactFinding]) -> Block {
    let row = |finding: &ArtefactFinding| {
        let badge = finding.badge();
        let tone = if badge == Badge::NotRun { Tone::Plain } else { badge.tone() };
        vec![
            ReportCell::from(format!("`{}`", finding.artefact.name)),
            finding.artefact.title.into(),
            ReportCell { text: finding.verdict(), tone },
        ]
    };
    let head = ["artefact", "", "verdict"].map(String::from).to_vec();
    Block::Table(ReportTable { left: 3, head, rows: findings.iter().map(row).collect() })
}
