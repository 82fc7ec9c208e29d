//! A scene as plain text for the terminal: no colour, no gestures, the last move not marked.
//!
//! The board comes first, each line with a newline; the caption follows, without a newline at its end.

use super::{Cell, Edge, EdgeDirection, GridStyle, LabelSide, Meaning, Piece, Scene, Shape};
use crate::Seat;

impl Scene {
    /// The board in characters, several lines.
    ///
    /// Grooved boards have a frame, and walls between their tiles. Boards with the columns' names on top are set as tables, wide
    /// enough for names of two letters. All others have a blank between cells.
    pub fn to_text(&self) -> String {
        let drawing = TextDrawing::of(self);
        let (margin, board) = if self.grid.style == GridStyle::Grooved {
            (2, drawing.framed())
        } else if self.grid.column_labels_at == LabelSide::Top {
            (3, drawing.table())
        } else {
            let widest = self.grid.row_labels.iter().map(String::len).max();
            (widest.unwrap_or(1), drawing.compact())
        };
        let board = board.iter().map(|(label, line)| format!("{label:>margin$} {}\n", line.trim_end()));
        let caption = self.caption.iter().map(|line| format!("{:margin$} {line}", ""));
        board.collect::<String>() + &caption.collect::<Vec<_>>().join("\n")
    }
}

/// A line of the board after the label that stands before it.
type LabelledLine<'s> = (&'s str, String);

struct TextDrawing<'s> {
    scene: &'s Scene,
    columns: u8,
    rows: u8,
    /// What lies on top of each cell, row by row.
    tops: Vec<Option<&'s Piece>>,
}

impl<'s> TextDrawing<'s> {
    fn of(scene: &'s Scene) -> Self {
        let (columns, rows) = (scene.grid.columns, scene.grid.rows);
        let mut tops = vec![None; usize::from(columns) * usize::from(rows)];
        for piece in &scene.pieces {
            tops[index(piece.cell, columns)] = Some(piece);
        }
        Self { scene, columns, rows, tops }
    }

    fn table(&self) -> Vec<LabelledLine<'s>> {
        let heads = self.scene.grid.column_labels.iter().map(|label| format!("{label:>2} ")).collect();
        let mut lines = vec![("", heads)];
        for row in 0..self.rows {
            let cells = self.cells_of(row).map(|cell| format!("{:>2} ", self.symbol(cell))).collect();
            lines.push((self.row_label(row), cells));
        }
        lines
    }

    /// Names of edges stand beside the cells, on whichever sides have any.
    fn compact(&self) -> Vec<LabelledLine<'s>> {
        let left: Vec<&str> =
            (0..self.rows).map(|row| self.edge_label(Edge::down(Cell::new(0, row), 1))).collect();
        let has_left = left.iter().any(|label| !label.is_empty());
        let start = |label: &str| if has_left { format!("{label:>1}") } else { String::new() };
        let spaced = |labels: Vec<&str>| {
            let labels: String = labels.iter().map(|label| format!(" {label:>1}")).collect();
            ("", start("") + &labels)
        };
        let beside = |row: u8| -> Vec<&str> {
            (0..self.columns).map(|column| self.edge_label(Edge::right(Cell::new(column, row), 1))).collect()
        };
        let mut lines = vec![spaced(beside(0))];
        for (row, left) in (0..self.rows).zip(left) {
            let cells: String = self.cells_of(row).map(|cell| format!(" {}", self.symbol(cell))).collect();
            let right = self.edge_label(Edge::down(Cell::new(self.columns, row), 1));
            lines.push((self.row_label(row), format!("{}{cells} {right}", start(left))));
        }
        lines.push(spaced(beside(self.rows)));
        lines.push(spaced(self.scene.grid.column_labels.iter().map(String::as_str).collect()));
        lines.retain(|(_, line)| !line.trim().is_empty());
        lines
    }

    fn framed(&self) -> Vec<LabelledLine<'s>> {
        let rim = format!("+{}+", "-".repeat((4 * usize::from(self.columns)).saturating_sub(1)));
        let mut lines = vec![("", rim.clone())];
        for row in 0..self.rows {
            if row > 0 {
                lines.push(("", format!("|{}|", self.groove_above(row))));
            }
            lines.push((self.row_label(row), format!("|{}|", self.tiles(row))));
        }
        lines.push(("", rim));
        lines.push(("", self.scene.grid.column_labels.iter().map(|label| format!(" {label:>2} ")).collect()));
        lines
    }

    /// A row of tiles with the walls between them.
    fn tiles(&self, row: u8) -> String {
        let tile = |cell: Cell| {
            let wall = if self.stands(cell.column + 1, |wall| covers(wall.cell.row, wall.length, row)) {
                "#"
            } else {
                " "
            };
            format!(" {} {}", self.symbol(cell), self.unless_last(cell, wall))
        };
        self.cells_of(row).map(tile).collect()
    }

    /// The walls above a row, and the middles of those that go through.
    fn groove_above(&self, row: u8) -> String {
        let gap = |cell: Cell| {
            let (column, corner) = (cell.column, cell.column + 1);
            let is_closed = self.lies(row, |wall| covers(wall.cell.column, wall.length, column));
            let middle = if self.lies(row, |wall| passes(wall.cell.column, wall.length, corner)) {
                "="
            } else if self.stands(corner, |wall| passes(wall.cell.row, wall.length, row)) {
                "#"
            } else {
                " "
            };
            format!("{}{}", if is_closed { "===" } else { "   " }, self.unless_last(cell, middle))
        };
        self.cells_of(row).map(gap).collect()
    }

    /// Whether there is such a wall left of this column.
    fn stands(&self, column: u8, such: impl Fn(&Edge) -> bool) -> bool {
        let is_there = |wall: &&Edge| wall.direction == EdgeDirection::Down && wall.cell.column == column;
        self.scene.walls.iter().filter(is_there).any(such)
    }

    /// Whether there is such a wall above this row.
    fn lies(&self, row: u8, such: impl Fn(&Edge) -> bool) -> bool {
        let is_there = |wall: &&Edge| wall.direction == EdgeDirection::Right && wall.cell.row == row;
        self.scene.walls.iter().filter(is_there).any(such)
    }

    /// What stands between a cell and the next, if there is one.
    const fn unless_last<'t>(&self, cell: Cell, text: &'t str) -> &'t str {
        if cell.column + 1 < self.columns { text } else { "" }
    }

    fn cells_of(&self, row: u8) -> impl Iterator<Item = Cell> + use<> {
        (0..self.columns).map(move |column| Cell { column, row })
    }

    fn row_label(&self, row: u8) -> &'s str {
        self.scene.grid.row_labels.get(usize::from(row)).map_or("", String::as_str)
    }

    fn edge_label(&self, edge: Edge) -> &'s str {
        let label = self.scene.grid.edge_labels.iter().find(|label| label.edge == edge);
        label.map_or("", |label| label.label.as_str())
    }

    /// The character for what lies on top of a cell.
    fn symbol(&self, cell: Cell) -> char {
        let Some(piece) = self.tops[index(cell, self.columns)] else { return '.' };
        match (piece.shape, self.scene.symbols, piece.owner) {
            (Shape::Mine, ..) if self.scene.is_marked(cell, Meaning::Exploded) => '*',
            (_, Some(symbols), Some(owner)) => symbols[owner.index()],
            (shape, None, Some(Seat::Second)) => letter(shape).to_ascii_lowercase(),
            (shape, ..) => letter(shape),
        }
    }
}

const fn index(cell: Cell, columns: u8) -> usize {
    cell.row as usize * columns as usize + cell.column as usize
}

/// Whether a stretch runs along this cell.
const fn covers(start: u8, length: u8, cell: u8) -> bool {
    start <= cell && cell < start + length
}

/// Whether a stretch runs through this corner, not only up to it.
const fn passes(start: u8, length: u8, corner: u8) -> bool {
    start < corner && corner < start + length
}

/// The letter of a shape, in capitals where the second seat's is small.
const fn letter(shape: Shape) -> char {
    match shape {
        Shape::Disc | Shape::Nought => 'O',
        Shape::Cross => 'X',
        Shape::Pawn => 'P',
        Shape::Knight => 'N',
        Shape::Bishop => 'B',
        Shape::Rook => 'R',
        Shape::Queen => 'Q',
        Shape::King => 'K',
        Shape::Cover => '.',
        Shape::Flag => 'F',
        Shape::Mine => 'o',
        Shape::Wall => '#',
        Shape::Brick => '=',
        Shape::Stone => '@',
        Shape::Ladder => 'H',
        Shape::Phantom => ':',
        Shape::Rope => '-',
        Shape::Gold => '$',
        Shape::Hole => '_',
        Shape::Runner => '&',
        Shape::Guard => 'G',
        Shape::Digit(0) => ' ',
        Shape::Digit(number) => (b'0' + number % 10) as char,
    }
}
