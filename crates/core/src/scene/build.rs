//! Helpers with which games build their scenes, and functions of a scene's parts.

use std::fmt;

use super::{
    Cell, Edge, EdgeDirection, EdgeTouch, Grid, GridStyle, LabelSide, Mark, Meaning, Piece, Place, Scene,
    Shape, Touch,
};
use crate::{In, Language, Localize, Seat};

impl Scene {
    /// A board with nothing on it.
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            pieces: Vec::new(),
            walls: Vec::new(),
            marks: Vec::new(),
            reserves: [Vec::new(), Vec::new()],
            lead: None,
            caption: Vec::new(),
            symbols: None,
            gestures: Vec::new(),
            keys: Vec::new(),
            idle: None,
        }
    }

    /// Puts a piece on a cell, on top of any other.
    pub fn put(&mut self, cell: Cell, shape: Shape, owner: Option<Seat>) {
        self.pieces.push(Piece { cell, shape, owner });
    }

    /// Marks a place, once.
    pub fn mark(&mut self, at: Place, meaning: Meaning) {
        let mark = Mark { at, meaning };
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    pub(super) fn is_marked(&self, cell: Cell, meaning: Meaning) -> bool {
        self.marks.contains(&Mark { at: Place::Cell(cell), meaning })
    }
}

impl Grid {
    /// A grid without labels that is not flipped for the second seat and whose edges cannot be touched.
    pub const fn new(columns: u8, rows: u8, style: GridStyle) -> Self {
        Self {
            columns,
            rows,
            style,
            column_labels: Vec::new(),
            column_labels_at: LabelSide::Bottom,
            row_labels: Vec::new(),
            edge_labels: Vec::new(),
            edge_touch: EdgeTouch::None,
            can_flip: false,
        }
    }

    /// The same grid with letters for the columns (26 at most) and numbers for the rows, `a1` at the bottom left.
    #[must_use]
    pub fn lettered(mut self) -> Self {
        self.column_labels =
            (0..self.columns).map(|column| char::from(b'a' + column % 26).to_string()).collect();
        self.row_labels = (1..=self.rows).rev().map(|row| row.to_string()).collect();
        self
    }

    /// Whether the cell is on the grid.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// Whether the whole edge lies on the grid's lines.
    pub fn contains_edge(&self, edge: Edge) -> bool {
        let Edge { cell: Cell { column, row }, direction, length } = edge;
        let (along, across) = match direction {
            EdgeDirection::Right => ((column, self.columns), (row, self.rows)),
            EdgeDirection::Down => ((row, self.rows), (column, self.columns)),
        };
        let end = u16::from(along.0) + u16::from(length);
        length > 0 && end <= u16::from(along.1) && across.0 <= across.1
    }

    /// The cells, row by row from the top left.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Cell { column, row }))
    }

    /// The labels of a cell's column and row, one after the other: `e4`.
    pub fn cell_name(&self, cell: Cell) -> String {
        let label =
            |labels: &[String], place: u8| labels.get(usize::from(place)).cloned().unwrap_or_default();
        label(&self.column_labels, cell.column) + &label(&self.row_labels, cell.row)
    }
}

impl Cell {
    /// The cell in this column from the left and row from the top.
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }

    /// The cell with this number, counted row by row from the top left, on a grid of so many columns.
    pub const fn nth(number: u8, columns: u8) -> Self {
        Self { column: number % columns, row: number / columns }
    }
}

impl Edge {
    /// An edge that runs to the right from the top left corner of the cell.
    pub const fn right(cell: Cell, length: u8) -> Self {
        Self { cell, direction: EdgeDirection::Right, length }
    }

    /// An edge that runs down from the top left corner of the cell.
    pub const fn down(cell: Cell, length: u8) -> Self {
        Self { cell, direction: EdgeDirection::Down, length }
    }
}

impl Touch {
    /// What is touched.
    pub const fn place(self) -> Place {
        match self {
            Self::Cell(cell) | Self::Second(cell) => Place::Cell(cell),
            Self::Edge(edge) => Place::Edge(edge),
        }
    }
}

impl Piece {
    /// Its English name: `king of the first seat`.
    pub fn name(self) -> String {
        In(Language::English, &self).to_string()
    }
}

impl Localize for Piece {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape.localize(language, f)?;
        f.write_str(match (language, self.owner) {
            (_, None) => "",
            (Language::English, Some(Seat::First)) => " of the first seat",
            (Language::English, Some(Seat::Second)) => " of the second seat",
            (Language::French, Some(Seat::First)) => " du premier joueur",
            (Language::French, Some(Seat::Second)) => " du second joueur",
        })
    }
}

impl Localize for Shape {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (english, french) = match self {
            Self::Disc => ("disc", "disque"),
            Self::Nought => ("nought", "rond"),
            Self::Cross => ("cross", "croix"),
            Self::Pawn => ("pawn", "pion"),
            Self::Knight => ("knight", "cavalier"),
            Self::Bishop => ("bishop", "fou"),
            Self::Rook => ("rook", "tour"),
            Self::Queen => ("queen", "dame"),
            Self::King => ("king", "roi"),
            Self::Cover => ("cover", "cache"),
            Self::Flag => ("flag", "drapeau"),
            Self::Mine => ("mine", "mine"),
            Self::Wall => ("wall", "mur"),
            Self::Brick => ("brick", "brique"),
            Self::Stone => ("stone", "pierre"),
            Self::Ladder => ("ladder", "échelle"),
            Self::Phantom => ("hidden ladder", "échelle cachée"),
            Self::Rope => ("rope", "corde"),
            Self::Gold => ("gold", "or"),
            Self::Hole => ("hole", "trou"),
            Self::Runner => ("runner", "coureur"),
            Self::Guard => ("guard", "garde"),
            Self::Digit(_) => ("number", "chiffre"),
        };
        f.write_str(match language {
            Language::English => english,
            Language::French => french,
        })?;
        if let Self::Digit(number) = self { write!(f, " {number}") } else { Ok(()) }
    }
}
