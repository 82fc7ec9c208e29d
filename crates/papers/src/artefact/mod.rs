//! Experiments that reproduce a document: run, recorded, compared, reported.
//!
//! What all documents share is here, from the run's folder to the page that shows its numbers:
//!
//! - A run follows from its configuration and its seed alone, and gives the same bytes on any number of threads; a paper
//!   names the few artefacts that depend on the clock.
//! - A stopped run continues where it stopped, and loses at most one unit of work.
//! - A report follows from records alone: it never plays, trains or reads the clock.

mod conditions;
mod essay;
mod page;
mod published;
mod records;
mod reproduce;

use outplay_core::Text;
use outplay_runtime::WorkError;
use serde::Serialize;

use outplay_lab::spec::{Noun, SpecError, find_named};
use outplay_report::Section;

pub use conditions::Conditions;
pub(crate) use conditions::fingerprint;
pub use published::{Published, PublishedError};
pub use records::{Recorder, Records};
pub use reproduce::{ArtefactSummary, PaperReport, records_file, reproduce};

/// How much work a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Seconds: shows that everything works, and little else.
    Smoke,
    /// Minutes: rough numbers.
    Desk,
    /// The document's own size.
    Full,
}

impl Scale {
    /// All scales, the quickest first.
    pub const ALL: [Self; 3] = [Self::Smoke, Self::Desk, Self::Full];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Desk => "desk",
            Self::Full => "full",
        }
    }

    /// The choice for this scale, of one for each.
    pub fn choose<T>(self, [smoke, desk, full]: [T; 3]) -> T {
        match self {
            Self::Smoke => smoke,
            Self::Desk => desk,
            Self::Full => full,
        }
    }

    /// The scale of this name.
    pub fn named(name: &str) -> Result<Self, SpecError> {
        find_named(Noun::Scale, name, &Self::ALL, |scale| scale.name()).copied()
    }
}

/// What an artefact does. A run sees its scale only through the configuration, which is what names its folder.
pub trait Experiment: Sync {
    /// Everything that decides the outcome, except the seed.
    type Config: Serialize;

    /// The configuration at this scale.
    fn config(&self, scale: Scale) -> Self::Config;

    /// Runs the experiment, unit by unit, through the recorder.
    fn run(
        &self,
        config: &Self::Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError>;

    /// The report of a finished run, compared with the published numbers.
    fn report(
        &self,
        config: &Self::Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError>;
}

/// One table or figure of one document.
pub struct Artefact {
    /// Its name within the document, as in `mueller-1992/table-4.1`.
    pub name: &'static str,
    /// What it shows.
    pub title: Text,
    pub(crate) experiment: &'static dyn AnyExperiment,
}

/// A document and what is made of it.
pub struct Paper {
    /// Its name on the command line and in folders.
    pub slug: &'static str,
    /// Its title.
    pub title: Text,
    /// Who, where, when.
    pub reference: Text,
    /// How our numbers are made and compared: paragraphs and numbered items of Markdown.
    pub method: &'static str,
    /// The document's own numbers, as TOML.
    pub published: &'static str,
    /// Where we deviate from the document, in the same form.
    pub deviations: &'static str,
    /// A page of prose about it, in which numbers are filled in, if there is one.
    pub essay: Option<&'static str>,
    /// Its tables and figures, in the document's order.
    pub artefacts: &'static [Artefact],
    /// The names of the artefacts that depend on the clock, so that another run gives other numbers.
    pub timed: &'static [&'static str],
    /// The published numbers that training curves are compared with while they are drawn.
    pub ghosts: &'static [Ghost],
}

/// A published number that a training curve should reach.
pub struct Ghost {
    /// The game.
    pub game: &'static str,
    /// The method.
    pub method: &'static str,
    /// The name of the curve in the training's records.
    pub curve: &'static str,
    /// Under which artefact the number was published.
    pub artefact: &'static str,
    /// Its name there.
    pub key: &'static str,
    /// The factor from its unit to the unit of the curve.
    pub unit: f64,
}

impl Ghost {
    /// The number, in units of the curve.
    pub fn value(&self, published: &Published) -> Result<f64, WorkError> {
        let missing = || PublishedError::NoNumber { key: self.key, artefact: self.artefact };
        let numbers: toml::Table = published.of(self.artefact)?.ok_or_else(missing)?;
        let number = numbers.get(self.key).and_then(toml::Value::as_float).ok_or_else(missing)?;
        Ok(number * self.unit)
    }
}

/// An experiment with its configuration type erased.
pub(crate) trait AnyExperiment: Sync {
    fn config(&self, scale: Scale) -> serde_json::Value;

    fn run(&self, conditions: &Conditions<'_>, recorder: &mut Recorder<'_>) -> Result<(), WorkError>;

    fn report(&self, scale: Scale, records: &Records, published: &Published) -> Result<Section, WorkError>;
}

impl<E: Experiment> AnyExperiment for E {
    fn config(&self, scale: Scale) -> serde_json::Value {
        serde_json::to_value(Experiment::config(self, scale)).expect("a configuration is plain data")
    }

    fn run(&self, conditions: &Conditions<'_>, recorder: &mut Recorder<'_>) -> Result<(), WorkError> {
        Experiment::run(self, &Experiment::config(self, conditions.scale), conditions, recorder)
    }

    fn report(&self, scale: Scale, records: &Records, published: &Published) -> Result<Section, WorkError> {
        Experiment::report(self, &Experiment::config(self, scale), records, published)
    }
}
