//! The report of a whole paper: the results, how they were made, and where we deviate from the document.

use super::{Artefact, Paper, Scale};
use outplay_core::Text;
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
    fn verdict(&self) -> Text {
        let Text { en, fr } = self.badge().words();
        match self.reproduced_and_total() {
            (_, 0) => Text { en, fr },
            (reproduced, total) => Text {
                en: format!("{en} ({reproduced} of {total} agree)").into(),
                fr: format!("{fr} ({reproduced} sur {total} en accord)").into(),
            },
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
        Block::Heading(1, paper.title.clone()),
        Block::Text(paper.reference.clone()),
        Block::Text(conditions(paper, scale, seed)),
        summary(findings),
        Block::Heading(2, Text::new("How the numbers are made", "Comment les nombres sont faits")),
    ];
    blocks.extend(prose::read(paper.method));
    for finding in findings {
        let id = format!("{}/{}", paper.slug, finding.artefact.name);
        blocks.push(Block::Heading(2, finding.artefact.title.clone()));
        blocks.push(Block::Note(finding.badge().tone(), finding.verdict()));
        blocks.push(Block::text(format!("`{}`", command(&id, scale, seed))));
        if let Some(section) = &finding.section {
            blocks.extend(section.blocks.iter().cloned());
        }
    }
    blocks.push(Block::Heading(2, Text::new("Deviations", "Écarts")));
    blocks.extend(prose::read(paper.deviations));
    blocks
}

/// What decides the numbers: scale, seed and command, and for which artefacts also the clock.
fn conditions(paper: &Paper, scale: Scale, seed: u64) -> Text {
    let (name, command) = (scale.name(), command(paper.slug, scale, seed));
    let timed: Vec<String> = paper.timed.iter().map(|name| format!("`{name}`")).collect();
    let but_for = if timed.is_empty() {
        Text::same("")
    } else {
        Text {
            en: format!(", but for those of {}, which depend on the clock", timed.join(" and ")).into(),
            fr: format!(", sauf ceux de {}, qui dépendent de la pendule", timed.join(" et ")).into(),
        }
    };
    Text {
        en: format!(
            "Scale {name}, seed {seed}. Everything below is made by `{command}`; the numbers follow from the seed alone{}.",
            but_for.en
        )
        .into(),
        fr: format!(
            "Échelle {name}, graine {seed}. Tout ce qui suit est fait par `{command}` ; les nombres ne dépendent que de la graine{}.",
            but_for.fr
        )
        .into(),
    }
}

fn summary(findings: &[ArtefactFinding]) -> Block {
    let row = |finding: &ArtefactFinding| {
        let badge = finding.badge();
        let tone = if badge == Badge::NotRun { Tone::Plain } else { badge.tone() };
        vec![
            ReportCell::from(format!("`{}`", finding.artefact.name)),
            ReportCell { text: finding.artefact.title.clone(), tone: Tone::Plain },
            ReportCell { text: finding.verdict(), tone },
        ]
    };
    let head = vec![Text::new("artefact", "résultat"), Text::same(""), Text::new("verdict", "verdict")];
    Block::Table(ReportTable { left: 3, head, rows: findings.iter().map(row).collect() })
}
