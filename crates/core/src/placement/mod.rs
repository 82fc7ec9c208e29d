//! Games in which a move puts a piece on an empty cell, or passes: Connect Four, Othello, tic-tac-toe.
//!
//! A game says where its pieces stand ([`PlacementPosition`]). Its texts, its drawing, the position editor and what
//! networks see ([`PlacementEncoder`], [`PlacementSeatEncoder`]) follow from that.
//!
//! A position is written row by row from the top, `/` between rows, `.` for an empty cell; the side to move follows
//! after a blank if the pieces do not tell it. Letters of either case, `-` for `.`, and no `/` are read as well.

mod seat_encoder;

pub use seat_encoder::{GridSymmetry, PlacementSeatEncoder};

use crate::scene::{
    Cell, Draft, EditablePosition, Grid, Meaning, Palette, Place, Reserve, Scene, Shape, Touch,
};
use crate::{Change, Encoder, MalformedPosition, Outcome, Position, PositionNotation, Seat, Text, errors};

/// A position of pieces of two seats, at most 64 cells, each numbered by its bit.
pub trait PlacementPosition: Position {
    /// What the game calls its seats, in the order of play.
    const SEAT_NAMES: [Text; 2];
    /// How texts show the pieces of each seat.
    const SYMBOLS: [char; 2] = ['x', 'o'];
    /// What texts of positions have between two rows.
    const ROW_SEPARATOR: &'static str = "/";
    /// How drawings show them.
    const SHAPES: [Shape; 2] = [Shape::Disc; 2];
    /// Whether the number of pieces tells whose turn it is: both seats have as many, or the first has one more.
    const SEAT_FOLLOWS: bool = true;
    /// Whether the side with more pieces is ahead, so that they are counted beside the board.
    const COUNTED: bool = false;
    /// Whether drawings say below the board how the game stands.
    const CAPTIONED: bool = true;
    /// The symmetries of the board besides the identity. With any, the slot of a move that puts a piece is the piece's bit.
    const SYMMETRIES: &'static [GridSymmetry] = &[];
    /// The lines that a side wants to fill, all of one length, at most 128: networks are shown how each of them stands.
    const LINES: &'static [u64] = &[];
    /// How many sets of cells networks are shown besides the pieces.
    const CELL_SETS: usize = 0;

    /// The empty board.
    fn grid(&self) -> Grid;

    /// The cell of a bit.
    fn cell(bit: u8) -> Cell;

    /// The pieces of a seat.
    fn pieces(&self, seat: Seat) -> u64;

    /// The position with these pieces on a board like this one, or why there is none. Where the pieces tell whose turn it
    /// is, their numbers have been checked.
    fn set_up(&self, pieces: [u64; 2], to_move: Seat) -> Result<Self, MalformedPosition>;

    /// The bit on which a move puts a piece; `None` for a pass.
    fn placed(mv: Self::Move) -> Option<u8>;

    /// The pieces of the other side that a move turns into the mover's.
    fn turned(&self, _mv: Self::Move) -> u64 {
        0
    }

    /// The name of the move that puts a piece on this cell.
    fn move_name(grid: &Grid, cell: Cell) -> String {
        grid.cell_name(cell)
    }

    /// The cells of the lines that won.
    fn winning_line(&self) -> u64 {
        0
    }

    /// Visits sets of cells that matter to the side to move, each at most once and with its number below
    /// [`CELL_SETS`](Self::CELL_SETS). The symmetries of the board apply to them.
    fn each_cell_set(&self, _visit: impl FnMut(usize, u64)) {}
}

errors! {
    /// Why a text is not a position.
    pub enum PlacementError {
        Position { text: String, reason: MalformedPosition } =
            "'{text}' is not a position: {reason}" | "« {text} » n’est pas une position : {reason}",
        Symbol { found: char, first: char, second: char } =
            "'{found}' is not {first} or {second}" | "« {found} » n’est ni {first} ni {second}",
        Cells { found: usize, expected: usize } =
            "it has {found} cells, expected {expected}" | "elle a {found} cases, attendu {expected}",
        CellsAndSide { found: usize, expected: usize } =
            "it has {found} cells, expected {expected} and the side to move" | "elle a {found} cases, attendu {expected} et le trait",
        Pieces { firsts: u32, first: char, seconds: u32, second: char } =
            "it has {firsts} {first} and {seconds} {second}, expected as many of each or one {first} more"
            | "elle a {firsts} {first} et {seconds} {second}, attendu autant de chaque ou un {first} de plus",
    }
}

/// The bits that are set, in rising order.
#[inline]
pub fn bits(mut cells: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (cells != 0).then(|| cells.trailing_zeros() as u8);
        cells &= cells.wrapping_sub(1);
        lowest
    })
}

impl<P: PlacementPosition> PositionNotation for P {
    const SEAT_NAMES: [Text; 2] = <P as PlacementPosition>::SEAT_NAMES;

    fn write_move(&self, mv: P::Move) -> String {
        P::placed(mv).map_or_else(|| "pass".to_owned(), |bit| P::move_name(&self.grid(), P::cell(bit)))
    }

    fn write(&self) -> String {
        let cells: Vec<char> = self.draft().symbols(&self.grid(), P::SYMBOLS).chars().collect();
        let rows = cells.chunks(usize::from(self.grid().columns)).map(String::from_iter);
        let text = rows.collect::<Vec<_>>().join(P::ROW_SEPARATOR);
        if P::SEAT_FOLLOWS { text } else { format!("{text} {}", P::SYMBOLS[self.seat().index()]) }
    }

    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition> {
        read_cells(self, text.trim())
            .and_then(|(pieces, to_move)| self.set_up(pieces, to_move))
            .map_err(|reason| PlacementError::Position { text: text.to_owned(), reason })
            .map_err(MalformedPosition::new)
    }

    fn draw(&self) -> Scene {
        let mut scene = Scene::new(self.grid());
        scene.symbols = Some(P::SYMBOLS);
        for seat in Seat::BOTH {
            for bit in bits(self.pieces(seat)) {
                scene.put(P::cell(bit), P::SHAPES[seat.index()], Some(seat));
            }
        }
        for bit in bits(self.winning_line()) {
            scene.mark(Place::Cell(P::cell(bit)), Meaning::WinningLine);
        }
        scene.lead = P::COUNTED.then(|| count(self, Seat::First) - count(self, Seat::Second));
        scene.caption = if P::CAPTIONED { vec![caption(self)] } else { Vec::new() };
        scene
    }

    fn reserves(&self, _start: &Self) -> [Vec<Reserve>; 2] {
        let reserve = |seat: Seat| Reserve {
            shape: P::SHAPES[seat.index()],
            owner: Some(seat),
            count: count(self, seat),
        };
        Seat::BOTH.map(|seat| if P::COUNTED { vec![reserve(seat)] } else { Vec::new() })
    }

    fn touches(&self, mv: P::Move) -> Vec<Touch> {
        P::placed(mv).map(|bit| Touch::Cell(P::cell(bit))).into_iter().collect()
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        let &[Touch::Cell(cell)] = touches else { return None };
        Some(P::move_name(&self.grid(), cell))
    }
}

/// How the game stands, in one line.
fn caption<P: PlacementPosition>(position: &P) -> String {
    let name = |seat: Seat| <P as PlacementPosition>::SEAT_NAMES[seat.index()].clone();
    let status = match position.outcome() {
        Some(Outcome::Win(winner)) => format!("{} has won", name(winner)),
        Some(Outcome::Draw) => "a draw".to_owned(),
        None => format!("{} to move", name(position.seat())),
    };
    let counted = |seat| format!("{} ({}) {}", name(seat), P::SYMBOLS[seat.index()], count(position, seat));
    let counts = Seat::BOTH.map(counted).join(", ");
    if P::COUNTED { format!("{counts}; {status}") } else { status }
}

fn count(position: &impl PlacementPosition, seat: Seat) -> i32 {
    position.pieces(seat).count_ones() as i32
}

/// The bit of every cell, row by row.
fn bits_by_row<P: PlacementPosition>(grid: &Grid) -> impl Iterator<Item = u8> {
    grid.cells().map(|cell| (0..64).find(|&bit| P::cell(bit) == cell).expect("every cell has its bit"))
}

/// The pieces of a text, and whose turn it is.
fn read_cells<P: PlacementPosition>(like: &P, text: &str) -> Result<([u64; 2], Seat), MalformedPosition> {
    let text = text.replace(['/', ' '], "").replace('-', ".");
    let mut symbols: Vec<char> = text.chars().collect();
    let named = symbols.pop_if(|_| !P::SEAT_FOLLOWS).map(seat_of::<P>).transpose()?;
    let grid = like.grid();
    let (found, expected) = (symbols.len(), usize::from(grid.columns) * usize::from(grid.rows));
    if found != expected {
        return Err(MalformedPosition::new(if P::SEAT_FOLLOWS {
            PlacementError::Cells { found, expected }
        } else {
            PlacementError::CellsAndSide { found, expected }
        }));
    }
    let mut pieces = [0; 2];
    for (bit, symbol) in bits_by_row::<P>(&grid).zip(symbols).filter(|&(_, symbol)| symbol != '.') {
        pieces[seat_of::<P>(symbol)?.index()] |= 1 << bit;
    }
    let to_move = named.map_or_else(|| seat_by_count::<P>(pieces), Ok)?;
    Ok((pieces, to_move))
}

/// Whose piece a symbol is.
fn seat_of<P: PlacementPosition>(found: char) -> Result<Seat, MalformedPosition> {
    let mut seats = Seat::BOTH.into_iter();
    let seat = seats.find(|seat| P::SYMBOLS[seat.index()].eq_ignore_ascii_case(&found));
    let [first, second] = P::SYMBOLS;
    seat.ok_or_else(|| MalformedPosition::new(PlacementError::Symbol { found, first, second }))
}

/// Whose turn it is, where the numbers of pieces tell it.
fn seat_by_count<P: PlacementPosition>(pieces: [u64; 2]) -> Result<Seat, MalformedPosition> {
    let [firsts, seconds] = pieces.map(u64::count_ones);
    match firsts.checked_sub(seconds) {
        Some(0) => Ok(Seat::First),
        Some(1) => Ok(Seat::Second),
        _ => {
            let [first, second] = P::SYMBOLS;
            Err(MalformedPosition::new(PlacementError::Pieces { firsts, first, seconds, second }))
        }
    }
}

impl<P: PlacementPosition> EditablePosition for P {
    fn palette(&self) -> Palette {
        let cleared = Draft::of_pieces(Vec::new(), Seat::First);
        let pieces = Seat::BOTH.map(|seat| (P::SHAPES[seat.index()], seat));
        Palette::of_pieces(&pieces, !P::SEAT_FOLLOWS, cleared)
    }

    fn draft(&self) -> Draft {
        Draft::of_pieces(self.draw().pieces, self.seat())
    }

    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition> {
        let grid = self.grid();
        self.palette().check(&grid, draft)?;
        let to_move = if P::SEAT_FOLLOWS { "" } else { &P::SYMBOLS[draft.to_move.index()].to_string() };
        self.read_like(&(draft.symbols(&grid, P::SYMBOLS) + to_move))
    }
}

/// One input for each piece of either seat on each cell, and one that is on while the second seat is to move. The value of
/// a network that sees this is the first seat's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementEncoder;

impl PlacementEncoder {
    fn piece<P: PlacementPosition>(seat: Seat, bit: u8) -> u32 {
        (P::SLOTS * seat.index()) as u32 + u32::from(bit)
    }
}

impl<P: PlacementPosition> Encoder<P> for PlacementEncoder {
    fn inputs(&self) -> usize {
        2 * P::SLOTS + 1
    }

    #[inline]
    fn each_on(&self, position: &P, mut visit: impl FnMut(u32)) {
        for seat in Seat::BOTH {
            bits(position.pieces(seat)).for_each(|bit| visit(Self::piece::<P>(seat, bit)));
        }
        if position.seat() == Seat::Second {
            visit(2 * P::SLOTS as u32);
        }
    }

    #[inline]
    fn each_change(&self, position: &P, mv: P::Move, mut visit: impl FnMut(Change)) {
        let (seat, turned) = (position.seat(), position.turned(mv));
        let mut change = |seat, bit, on| visit(Change { input: Self::piece::<P>(seat, bit), on });
        bits(turned).for_each(|bit| change(!seat, bit, false));
        P::placed(mv).into_iter().chain(bits(turned)).for_each(|bit| change(seat, bit, true));
        visit(Change { input: 2 * P::SLOTS as u32, on: seat == Seat::First });
    }
}
