//! The parts of a report, independent of the output format (Markdown or HTML).
//!
//! Texts are plain, with `code` between backticks and no other markup. What frames a report is in both languages; what only one report
//! says is in English.

use outplay_core::Text;

use super::number::Number;

/// The report of one artefact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its content, from top to bottom.
    pub blocks: Vec<Block>,
    /// The numbers on which the artefact is judged, and others worth knowing.
    pub numbers: Vec<Number>,
}

/// One block of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of this level, from 1.
    Heading(usize, Text),
    /// A paragraph.
    Text(Text),
    /// A paragraph that stands out.
    Note(Tone, Text),
    /// A numbered list.
    Items(Vec<String>),
    /// A table.
    Table(ReportTable),
    /// A picture.
    Figure(Figure),
}

impl Block {
    /// A paragraph in English.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::same(text.into()))
    }
}

/// How a text is highlighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Not highlighted.
    #[default]
    Plain,
    /// A good result.
    Good,
    /// A bad result.
    Bad,
}

/// A table, every row as long as its head.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportTable {
    /// How many columns, from the left, are text; the others are numbers.
    pub left: usize,
    /// The column headings.
    pub head: Vec<Text>,
    /// The rows.
    pub rows: Vec<Vec<ReportCell>>,
}

/// Column headings in English.
pub fn english<T: Into<String>>(head: impl IntoIterator<Item = T>) -> Vec<Text> {
    head.into_iter().map(|text| Text::same(text.into())).collect()
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportCell {
    /// Its text.
    pub text: Text,
    /// How it is highlighted.
    pub tone: Tone,
}

impl<T: Into<String>> From<T> for ReportCell {
    fn from(text: T) -> Self {
        Self { text: Text::same(text.into()), tone: Tone::Plain }
    }
}

impl ReportCell {
    /// A cell that is highlighted.
    pub fn toned(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: Text::same(text.into()), tone }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its file, without an extension.
    pub name: String,
    /// Its caption.
    pub caption: String,
    /// The SVG.
    pub svg: String,
}
