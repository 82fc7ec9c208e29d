//! Makes the artefacts of a paper and reports on them.
//!
//! A report covers the whole paper. An artefact without a finished run at this scale and seed is shown as not run.

use outplay_runtime::WorkError;
use std::path::{Path, PathBuf};

use outplay_core::{Text, serialize_english};
use serde::Serialize;

use super::conditions::Conditions;
use super::essay::{self, EssayRun};
use super::page::{ArtefactFinding, command, compose};
use super::published::Published;
use super::{Artefact, Paper, Scale};
use outplay_lab::Store;
use outplay_report::{Badge, Block, Number};
use outplay_report::{html, markdown};
use outplay_runtime::Watch;
use outplay_runtime::files::{OutputLock, make_folder, write_atomically};

/// The report of a paper.
#[derive(Clone, Debug, Serialize)]
pub struct PaperReport {
    /// Its slug.
    pub paper: &'static str,
    /// Its title.
    #[serde(serialize_with = "serialize_english")]
    pub title: Text,
    /// The scale of the runs.
    pub scale: Scale,
    /// Their seed.
    pub seed: u64,
    /// The report as Markdown.
    pub markdown: PathBuf,
    /// The report as one HTML file.
    pub html: PathBuf,
    /// The figures of the Markdown.
    pub figures: Vec<PathBuf>,
    /// The page of prose, as Markdown and as HTML, if the paper has one.
    pub essay: Option<[PathBuf; 2]>,
    /// All artefacts of the paper, also those that were not asked for.
    pub artefacts: Vec<ArtefactSummary>,
}

/// The summary of an artefact.
#[derive(Clone, Debug, Serialize)]
pub struct ArtefactSummary {
    /// `paper/artefact`.
    pub id: String,
    /// What it shows.
    #[serde(serialize_with = "serialize_english")]
    pub title: Text,
    /// The verdict.
    pub badge: Badge,
    /// Numbers that agree with the document's.
    pub reproduced: usize,
    /// Numbers that the document gives.
    pub total: usize,
    /// All numbers.
    pub numbers: Vec<Number>,
    /// The command that makes it again.
    pub command: String,
}

/// Runs these artefacts of a paper, each from where it stopped, and reports on all that the paper has.
pub fn reproduce(
    paper: &'static Paper,
    artefacts: &[&'static Artefact],
    scale: Scale,
    seed: u64,
    store: &Store,
    threads: Option<usize>,
    watch: Watch<'_>,
) -> Result<PaperReport, WorkError> {
    let conditions = Conditions { paper: paper.slug, artefact: "", scale, seed, threads, store, watch };
    for artefact in artefacts {
        conditions.run(artefact)?;
    }
    let published = Published::read(paper.published)?;
    let folder = store.path("reports").join(paper.slug).join(scale.name());
    make_folder(&folder.join("figures"))?;
    // Whichever process reports last has seen what the others made.
    let _lock = OutputLock::wait(&folder.join("report.md"))?;
    let find = |artefact: &'static Artefact| {
        let records = conditions.records(artefact)?;
        let section = records.map(|records| artefact.experiment.report(scale, &records, &published));
        Ok(ArtefactFinding { artefact, section: section.transpose()? })
    };
    let findings: Vec<ArtefactFinding> =
        paper.artefacts.iter().map(find).collect::<Result<_, WorkError>>()?;
    let (markdown, html, figures) = write(&folder, paper, &compose(paper, scale, seed, &findings))?;
    let run = EssayRun { paper: paper.slug, scale, seed, findings: &findings };
    let essay = paper.essay.map(|text| write_essay(&folder, paper, &essay::compose(text, run)));
    let essay = essay.transpose()?;
    let artefacts = findings.into_iter().map(|finding| summarise(paper, finding, scale, seed)).collect();
    Ok(PaperReport {
        paper: paper.slug,
        title: paper.title.clone(),
        scale,
        seed,
        markdown,
        html,
        figures,
        essay,
        artefacts,
    })
}

/// Where the records of an artefact's run at this scale and seed are, if there are any.
pub fn records_file(
    paper: &'static Paper,
    artefact: &'static Artefact,
    scale: Scale,
    seed: u64,
    store: &Store,
) -> Option<PathBuf> {
    let (paper, watch) = (paper.slug, Watch::nobody());
    let conditions = Conditions { paper, artefact: artefact.name, scale, seed, threads: None, store, watch };
    Some(conditions.records_path(artefact)).filter(|path| path.is_file())
}

fn summarise(paper: &Paper, finding: ArtefactFinding, scale: Scale, seed: u64) -> ArtefactSummary {
    let (reproduced, total) = finding.reproduced_and_total();
    let id = format!("{}/{}", paper.slug, finding.artefact.name);
    ArtefactSummary {
        command: command(&id, scale, seed),
        id,
        title: finding.artefact.title.clone(),
        badge: finding.badge(),
        reproduced,
        total,
        numbers: finding.section.map(|section| section.numbers).unwrap_or_default(),
    }
}

/// Writes the report: figures first, so that no link ever points to a missing file.
fn write(
    folder: &Path,
    paper: &Paper,
    blocks: &[Block],
) -> Result<(PathBuf, PathBuf, Vec<PathBuf>), WorkError> {
    let figures = blocks.iter().filter_map(|block| match block {
        Block::Figure(figure) => Some(put(folder, &format!("figures/{}.svg", figure.name), &figure.svg)),
        _ => None,
    });
    let figures = figures.collect::<Result<Vec<_>, WorkError>>()?;
    let markdown = put(folder, "report.md", &markdown::write(blocks))?;
    let html = put(folder, "report.html", &html::write(&paper.title.en, blocks))?;
    Ok((markdown, html, figures))
}

/// Writes the page of prose, whose figures are the report's.
fn write_essay(folder: &Path, paper: &Paper, blocks: &[Block]) -> Result<[PathBuf; 2], WorkError> {
    let markdown = put(folder, "essay.md", &markdown::write(blocks))?;
    Ok([markdown, put(folder, "essay.html", &html::write(&paper.title.en, blocks))?])
}

fn put(folder: &Path, name: &str, text: &str) -> Result<PathBuf, WorkError> {
    let path = folder.join(name);
    write_atomically(&path, |writer| writer.write_all(text.as_bytes()))?;
    Ok(path)
}
