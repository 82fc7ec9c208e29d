//! What reports are made of, before it is known whether they will be Markdown or HTML.
//!
//! Law: texts are plain, with `code` between backticks and no other mark.

use super::number::Number;

/// What an artefact has to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What is read, from top to bottom.
    pub blocks: Vec<Block>,
    /// The numbers on which the artefact is judged, and others worth knowing.
    pub numbers: Vec<Number>,
}

/// One thing below the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of this level, from 1.
    Heading(usize, String),
    /// A paragraph.
    Text(String),
    /// A paragraph that stands out.
    Note(Tone, String),
    /// A numbered list.
    Items(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture.
    Figure(Figure),
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// How something is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As it stands.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
}

/// A table, every row as long as its head.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// How many columns are words; the others are numbers.
    pub left: usize,
    /// What stands over the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How it is meant.
    pub tone: Tone,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), tone: Tone::Plain }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What its file is called, without an ending.
    pub name: String,
    /// What it shows, in words.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}
