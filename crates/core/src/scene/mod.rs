//! A board as a drawing: the grid, the pieces on it, the marks, and the gestures that make moves.
//!
//! Each game describes its positions in this vocabulary. The page, the terminal and SVG export draw from it and know neither
//! rules nor notation. A scene says what is there and what it means; colours and sizes are up to the drawing.
//!
//! Invariant: every legal move has exactly one [`Gesture`], in the order in which the game lists its moves.

mod build;
mod editor;
mod shapes;
mod svg;
mod text;

use serde::{Deserialize, Serialize};

use crate::Seat;

pub use editor::{Counter, Draft, DraftError, Editable, EditablePosition, Palette, PaletteItem};

/// One position, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scene {
    /// The board without anything on it.
    pub grid: Grid,
    /// What stands on the cells. Of several on one cell, the later one lies on top.
    pub pieces: Vec<Piece>,
    /// What stands on the lines between cells.
    pub walls: Vec<Edge>,
    /// Overlays: the last move, a check, a winning line.
    pub marks: Vec<Mark>,
    /// What each side has beside the board, the first seat's first: walls in hand, captured pieces, mines not yet flagged.
    pub reserves: [Vec<Reserve>; 2],
    /// By how much the first seat is ahead, as people count what is on the board (chess: in pawns). `None` in games where nobody
    /// counts.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub lead: Option<i32>,
    /// The state of the game in English, line by line: for drawings that show nothing else of the game.
    pub caption: Vec<String>,
    /// How a text drawing writes the pieces of each side where all of a side are alike. `None`: by the letter of their shape.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub symbols: Option<[char; 2]>,
    /// The legal moves. Empty once the game is over.
    pub gestures: Vec<Gesture>,
    /// The moves that keys play at once, legal now or not. Empty once the game is over.
    pub keys: Vec<KeyedMove>,
    /// The move that is played where a turn passes without any, in games that can also be played in real time.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub idle: Option<String>,
}

/// The board without anything on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Grid {
    /// Cells from left to right.
    pub columns: u8,
    /// Cells from top to bottom.
    pub rows: u8,
    /// How the cells look.
    pub style: GridStyle,
    /// The names of the columns from left to right; empty if they have none.
    pub column_labels: Vec<String>,
    /// Where the names of the columns stand.
    pub column_labels_at: LabelSide,
    /// The names of the rows from top to bottom; empty if they have none.
    pub row_labels: Vec<String>,
    /// The names of single edges, beside which nothing else is written.
    pub edge_labels: Vec<EdgeLabel>,
    /// Where edges can be touched.
    pub edge_touch: EdgeTouch,
    /// Whether the second seat looks at the board from the other side.
    pub can_flip: bool,
}

/// How the cells of a grid look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum GridStyle {
    /// Squares, all alike.
    Plain,
    /// Light and dark squares, the top left one light.
    Checkered,
    /// Tiles with grooves between them, in which walls stand.
    Grooved,
    /// Round holes in a front plate, through which discs show.
    Holes,
}

/// Where the names of the columns stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LabelSide {
    /// Above the board: rows are counted downwards, as in a table.
    Top,
    /// Below the board: rows are counted upwards, as in chess.
    Bottom,
}

/// The name of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EdgeLabel {
    /// The edge.
    pub edge: Edge,
    /// Its name.
    pub label: String,
}

/// Which edges of a grid can be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EdgeTouch {
    /// None.
    None,
    /// The outer side of every cell at the border.
    Border,
    /// Inside the board, any edge that runs along two cells.
    Pairs,
}

/// A cell by its column from the left and its row from the top, both from 0, the board not flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cell {
    /// From the left.
    pub column: u8,
    /// From the top.
    pub row: u8,
}

/// A stretch of a grid line. It starts at the top left corner of `cell` (a cell just outside the grid names the last line) and runs
/// right or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Edge {
    /// The cell whose top left corner is the start.
    pub cell: Cell,
    /// Which way it runs.
    pub direction: EdgeDirection,
    /// How many cells it runs along.
    pub length: u8,
}

/// Which way an edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EdgeDirection {
    /// To the right: it separates a row from the one below.
    Right,
    /// Downwards: it separates a column from the next.
    Down,
}

/// A piece on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Piece {
    /// Where it stands.
    pub cell: Cell,
    /// What it looks like.
    pub shape: Shape,
    /// Whose it is; nobody's if `None`.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub owner: Option<Seat>,
}

/// The shared set of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Shape {
    /// A flat round piece.
    Disc,
    /// A ring: the O of tic-tac-toe.
    Nought,
    /// The X of tic-tac-toe.
    Cross,
    /// A man of a board game, or a chess pawn.
    Pawn,
    /// A chess knight.
    Knight,
    /// A chess bishop.
    Bishop,
    /// A chess rook.
    Rook,
    /// A chess queen.
    Queen,
    /// A chess king.
    King,
    /// A tile that hides what is under it.
    Cover,
    /// A flag, on a cover.
    Flag,
    /// A mine.
    Mine,
    /// A wall, as a reserve or a tool of the editor.
    Wall,
    /// A brick of a wall.
    Brick,
    /// A stone that nothing breaks.
    Stone,
    /// A ladder.
    Ladder,
    /// A ladder that is not there yet.
    Phantom,
    /// A rope to hang from.
    Rope,
    /// A heap of gold.
    Gold,
    /// A hole in a floor.
    Hole,
    /// A person who runs.
    Runner,
    /// A person who gives chase.
    Guard,
    /// A number in an open cell. 0 says only that the cell is open: it is not written.
    Digit(u8),
}

/// Something to point out, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mark {
    /// Where.
    pub at: Place,
    /// What it says.
    pub meaning: Meaning,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Place {
    /// A cell.
    Cell(Cell),
    /// A stretch of a grid line.
    Edge(Edge),
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Meaning {
    /// The last move touched this place.
    LastMove,
    /// The king on this cell is in check.
    Check,
    /// The cell is part of the line that won.
    WinningLine,
    /// The seat wins by reaching this cell.
    Goal(Seat),
    /// The mine that ended the game.
    Exploded,
    /// A flag where no mine is.
    WrongFlag,
    /// The plan leads here, after this many turns.
    Plan(u16),
    /// The chance of a mine, from 0 (certainly safe) to 1 (certainly mined).
    MineProbability(f64),
}

/// Something that a side has beside the board, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reserve {
    /// What it looks like.
    pub shape: Shape,
    /// Whose colour it has, which of captured pieces is the other side's.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub owner: Option<Seat>,
    /// How many.
    pub count: i32,
}

/// A legal move as a gesture: touch these places, one after the other.
///
/// Two touches of cells are also a drag from the first to the second. Moves with the same touches differ in their `choice`, and a
/// chooser opens (promotion).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Gesture {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is touched, in order. Empty for a move without a place (a pass): the page shows a button.
    pub touches: Vec<Touch>,
    /// What the chooser shows where several moves have the same touches.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub choice: Option<Shape>,
}

/// A move that a key plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyedMove {
    /// The key.
    pub key: Key,
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
}

/// A key of the keyboard, named as browsers name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Key {
    /// The arrow to the left.
    ArrowLeft,
    /// The arrow to the right.
    ArrowRight,
    /// The arrow up.
    ArrowUp,
    /// The arrow down.
    ArrowDown,
    /// The letter z.
    #[serde(rename = "z")]
    Z,
    /// The letter x.
    #[serde(rename = "x")]
    X,
    /// The space bar.
    #[serde(rename = " ")]
    Space,
}

/// One touch of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Touch {
    /// A tap on a cell.
    Cell(Cell),
    /// The second mouse button, a long press, or the key `f` on a cell.
    Second(Cell),
    /// A tap on an edge.
    Edge(Edge),
}
