//! Chess as a drawing: squares, pieces, check, captured pieces, the material balance; positions set up by hand.
//!
//! A move is drawn from its square to its target. Castling from the usual places is the king's own move, as players are used
//! to; from other places of Chess960 it is drawn onto the rook, since the king may not move at all.

use outplay_core::scene::{
    Cell, Counter, Draft, EditablePosition, Grid, GridStyle, Meaning, Palette, PaletteItem, Place, Reserve,
    Scene, Shape, Touch,
};
use outplay_core::{MalformedPosition, Seat, Text, View};

use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::Chess;
use super::squares::ChessSquare;

/// The shape of each kind, in their order.
const SHAPES: [Shape; 6] =
    [Shape::Pawn, Shape::Knight, Shape::Bishop, Shape::Rook, Shape::Queen, Shape::King];

/// The kinds with their worth as people count it, in pawns.
const WORTH: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 1),
    (PieceKind::Knight, 3),
    (PieceKind::Bishop, 3),
    (PieceKind::Rook, 5),
    (PieceKind::Queen, 9),
];

const KING_HOME: u8 = 4;
const ROOK_HOMES: [u8; 2] = [0, 7];

/// The rights to castle as the editor counts them: their letters, whose they are, on which wing.
const RIGHTS: [(&str, Seat, usize); 4] =
    [("K", Seat::First, 1), ("Q", Seat::First, 0), ("k", Seat::Second, 1), ("q", Seat::Second, 0)];

/// The same rights for people.
const CASTLING_TITLES: [Text; 4] = [
    Text::new("White O-O", "Blancs O-O"),
    Text::new("White O-O-O", "Blancs O-O-O"),
    Text::new("Black O-O", "Noirs O-O"),
    Text::new("Black O-O-O", "Noirs O-O-O"),
];

fn cell(square: ChessSquare) -> Cell {
    Cell::new(square.file(), 7 - square.rank())
}

fn square(cell: Cell) -> Option<ChessSquare> {
    (cell.column < 8 && cell.row < 8).then(|| ChessSquare::new(cell.column, 7 - cell.row))
}

fn grid() -> Grid {
    Grid { can_flip: true, ..Grid::new(8, 8, GridStyle::Checkered).lettered() }
}

pub(super) fn draw(position: &Chess) -> Scene {
    let mut scene = Scene::new(grid());
    for at in position.occupied() {
        let (seat, kind) = position.piece_on(at).expect("occupied");
        scene.put(cell(at), SHAPES[kind.index()], Some(seat));
    }
    if position.in_check() {
        scene.mark(Place::Cell(cell(position.king(position.seat()))), Meaning::Check);
    }
    let count = |seat, kind| position.pieces(seat, kind).len() as i32;
    let ahead =
        |&(kind, worth): &(PieceKind, i32)| worth * (count(Seat::First, kind) - count(Seat::Second, kind));
    scene.lead = Some(WORTH.iter().map(ahead).sum());
    scene
}

/// What each side has taken, the least first.
pub(super) fn reserves(position: &Chess, start: &Chess) -> [Vec<Reserve>; 2] {
    Seat::BOTH.map(|taker| lost(start, position, !taker))
}

/// What a side has lost, the least first. Pieces beyond those it began with were pawns.
fn lost(start: &Chess, now: &Chess, seat: Seat) -> Vec<Reserve> {
    let count = |position: &Chess, kind| position.pieces(seat, kind).len() as i32;
    let missing = |kind| count(start, kind) - count(now, kind);
    let promoted: i32 = WORTH[1..].iter().map(|&(kind, _)| (-missing(kind)).max(0)).sum();
    let lost = WORTH.iter().map(|&(kind, _)| {
        let gone = missing(kind) - if kind == PieceKind::Pawn { promoted } else { 0 };
        Reserve { shape: SHAPES[kind.index()], owner: Some(seat), count: gone }
    });
    lost.filter(|reserve| reserve.count > 0).collect()
}

pub(super) fn touches(mv: ChessMove) -> Vec<Touch> {
    let is_usual = mv.from().file() == KING_HOME && ROOK_HOMES.contains(&mv.to().file());
    let to = match mv.kind() {
        MoveKind::Castling if is_usual => Chess::castling_targets(mv.from(), mv.to()).0,
        _ => mv.to(),
    };
    [mv.from(), to].map(|square| Touch::Cell(cell(square))).to_vec()
}

pub(super) fn choice(mv: ChessMove) -> Option<Shape> {
    mv.promoted().map(|kind| SHAPES[kind.index()])
}

/// From and to as programs write them; a pawn that reaches the last rank would be a queen.
pub(super) fn attempted_move(position: &Chess, touches: &[Touch]) -> Option<String> {
    let &[Touch::Cell(from), Touch::Cell(to)] = touches else { return None };
    let (from, to) = (square(from)?, square(to)?);
    let is_pawn = matches!(position.piece_on(from), Some((_, PieceKind::Pawn)));
    let promotion = if is_pawn && matches!(to.rank(), 0 | 7) { "q" } else { "" };
    Some(format!("{from}{to}{promotion}"))
}

impl EditablePosition for Chess {
    fn palette(&self) -> Palette {
        let row = |seat: Seat| {
            let item = |&shape: &Shape| PaletteItem { shape, owner: Some(seat), unique: false };
            SHAPES.iter().rev().map(item).collect()
        };
        let counters = CASTLING_TITLES.map(|title| Counter { title, min: 0, max: 1 }).to_vec();
        let cleared =
            Draft { pieces: Vec::new(), walls: Vec::new(), to_move: Seat::First, counters: vec![0; 4] };
        Palette { pieces: Seat::BOTH.map(row).to_vec(), walls: false, counters, two_sided: true, cleared }
    }

    fn draft(&self) -> Draft {
        let right =
            |(_, seat, wing): (_, Seat, usize)| i32::from(self.castling_rooks[seat.index()][wing].is_some());
        let counters = RIGHTS.map(right).to_vec();
        Draft { pieces: draw(self).pieces, walls: Vec::new(), to_move: self.seat(), counters }
    }

    /// What was played before is not known, so nothing can be taken en passant and the clocks begin anew.
    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition> {
        self.palette().check(&grid(), draft)?;
        let letter = |cell| {
            let piece = draft.piece_on(cell)?;
            let kind = PieceKind::ALL.into_iter().find(|kind| SHAPES[kind.index()] == piece.shape)?;
            Some(kind.fen_letter(piece.owner?))
        };
        let letters: Vec<char> = grid().cells().map(|cell| letter(cell).unwrap_or('1')).collect();
        let ranks: Vec<String> = letters.chunks(8).map(|rank| rank.iter().collect()).collect();
        let side = if draft.to_move == Seat::First { 'w' } else { 'b' };
        let given = RIGHTS.iter().zip(&draft.counters).filter(|&(_, &count)| count > 0);
        let rights: String = given.map(|((name, ..), _)| *name).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let fen = format!("{} {side} {rights} - 0 1", ranks.join("/"));
        let position = Self::from_fen(&fen).map_err(MalformedPosition::new)?;
        Ok(position.with_draw_clock(self.draw_clock()))
    }
}
