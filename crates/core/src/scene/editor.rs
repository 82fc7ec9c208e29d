//! Setting up positions by hand: what can be put on the board, and how a [`Draft`] becomes a position.
//!
//! A draft is what the editor shows and may be impossible. Here it is checked only against
//! the [`Palette`]; the game checks the rest and says in one sentence what is wrong.

use serde::{Deserialize, Serialize};

use super::{Cell, Edge, Grid, Piece, Scene, Shape};
use crate::{MalformedPosition, Notation, PositionHistory, PositionNotation, Referee, Seat, Text, errors};

/// A game whose positions can be set up by hand.
pub trait Editable: Notation {
    /// What the editor offers.
    fn palette(&self) -> Palette;

    /// The present position as the editor shows it. What came before it is not part of a draft.
    fn draft(&self, state: &Self::State) -> Draft;

    /// The text of the position that was set up, or the reason why it cannot occur. Where a counter belongs to the game rather
    /// than to the position (Minesweeper's mines), the text may be of another game than this one.
    fn read_draft(&self, draft: &Draft) -> Result<String, MalformedPosition>;
}

/// A position that can be set up by hand: all that an open game needs to be [`Editable`].
pub trait EditablePosition: PositionNotation {
    /// See [`Editable::palette`].
    fn palette(&self) -> Palette;

    /// See [`Editable::draft`]. By default what is drawn, without counters.
    fn draft(&self) -> Draft {
        let Scene { pieces, walls, .. } = self.draw();
        Draft { pieces, walls, to_move: self.seat(), counters: Vec::new() }
    }

    /// The position that was set up, on a board like this one. See [`Editable::read_draft`].
    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition>;
}

impl<P: EditablePosition> Editable for Referee<P> {
    fn palette(&self) -> Palette {
        self.start.palette()
    }

    fn draft(&self, state: &PositionHistory<P>) -> Draft {
        state.now.draft()
    }

    fn read_draft(&self, draft: &Draft) -> Result<String, MalformedPosition> {
        self.start.read_draft(draft).map(|position| position.write())
    }
}

/// What the position editor offers for a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Palette {
    /// The pieces that can be put on cells, row by row as the palette shows them.
    pub pieces: Vec<Vec<PaletteItem>>,
    /// Whether walls can be put on edges.
    pub walls: bool,
    /// Numbers that belong to a position beside what stands on the board: walls in hand, castling rights (0 or 1), mines.
    pub counters: Vec<Counter>,
    /// Whether the side to move can be chosen.
    pub two_sided: bool,
    /// The empty board of the editor: only what cannot be removed stands on it.
    pub cleared: Draft,
}

/// A piece that can be put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PaletteItem {
    /// What it looks like.
    pub shape: Shape,
    /// Whose it is.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub owner: Option<Seat>,
    /// Whether there is only one of it, so that putting it elsewhere moves it.
    pub unique: bool,
}

/// A number of a position that is being set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Counter {
    /// What the editor calls it.
    pub title: Text,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
}

/// A position that is being set up by hand: what the editor shows, before the game has judged whether it can occur.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    /// What stands on the cells. Of several on one cell, the last one counts.
    pub pieces: Vec<Piece>,
    /// What stands on the lines.
    pub walls: Vec<Edge>,
    /// Whose turn it is.
    pub to_move: Seat,
    /// The counters, in the order of the [`Palette`].
    pub counters: Vec<i32>,
}

errors! {
    /// Why a draft is not made of what the palette offers.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DraftError {
        OffBoard { column: u8, row: u8 } =
            "the position cannot be set up: a piece stands in column {column} and row {row}, beside the board"
            | "la position ne peut être composée : une pièce est à la colonne {column} et à la rangée {row}, hors du plateau",
        NotOffered { piece: Piece } =
            "the position cannot be set up: the palette has no {piece}"
            | "la position ne peut être composée : la palette n’a pas de {piece}",
        NotUnique { piece: Piece } =
            "the position cannot be set up: there is more than one {piece}"
            | "la position ne peut être composée : « {piece} » y est plus d’une fois",
        Wall =
            "the position cannot be set up: a wall stands where none can be"
            | "la position ne peut être composée : un mur est là où il ne peut y en avoir",
        CounterCount { found: usize, expected: usize } =
            "the position cannot be set up: {found} counters are given, expected {expected}"
            | "la position ne peut être composée : {found} nombres sont donnés, attendu {expected}",
        Counter { title: Text, count: i32, min: i32, max: i32 } =
            "the position cannot be set up: '{title}' is {count}, expected from {min} to {max}"
            | "la position ne peut être composée : « {title} » est {count}, attendu de {min} à {max}",
    }
}

impl Palette {
    /// These pieces, any number of each, and nothing else.
    pub fn of_pieces(pieces: &[(Shape, Seat)], two_sided: bool, cleared: Draft) -> Self {
        let item = |&(shape, seat)| PaletteItem { shape, owner: Some(seat), unique: false };
        let pieces = vec![pieces.iter().map(item).collect()];
        Self { pieces, walls: false, counters: Vec::new(), two_sided, cleared }
    }

    /// Refuses a draft that is not made of what the palette offers for this grid.
    pub fn check(&self, grid: &Grid, draft: &Draft) -> Result<(), MalformedPosition> {
        self.find_fault(grid, draft).map_or(Ok(()), |fault| Err(MalformedPosition::new(fault)))
    }

    fn find_fault(&self, grid: &Grid, draft: &Draft) -> Option<DraftError> {
        if let Some(fault) = draft.pieces.iter().find_map(|&piece| self.piece_fault(grid, draft, piece)) {
            return Some(fault);
        }
        if draft.walls.iter().any(|&wall| !self.walls || !grid.contains_edge(wall)) {
            return Some(DraftError::Wall);
        }
        if draft.counters.len() != self.counters.len() {
            let (found, expected) = (draft.counters.len(), self.counters.len());
            return Some(DraftError::CounterCount { found, expected });
        }
        let mut counters = self.counters.iter().zip(&draft.counters);
        let wrong = counters.find(|&(counter, count)| !(counter.min..=counter.max).contains(count));
        let fault = |Counter { title, min, max }, count| DraftError::Counter { title, count, min, max };
        wrong.map(|(counter, &count)| fault(counter.clone(), count))
    }

    fn piece_fault(&self, grid: &Grid, draft: &Draft, piece: Piece) -> Option<DraftError> {
        if !grid.contains(piece.cell) {
            let Cell { column, row } = piece.cell;
            return Some(DraftError::OffBoard { column, row });
        }
        let Some(item) = self.item(piece) else {
            return Some(DraftError::NotOffered { piece });
        };
        let is_another =
            |other: &Piece| (other.shape, other.owner) == (piece.shape, piece.owner) && *other != piece;
        let is_repeated = item.unique && draft.pieces.iter().any(is_another);
        is_repeated.then_some(DraftError::NotUnique { piece })
    }

    fn item(&self, piece: Piece) -> Option<&PaletteItem> {
        let mut items = self.pieces.iter().flatten();
        items.find(|item| (item.shape, item.owner) == (piece.shape, piece.owner))
    }
}

impl Draft {
    /// A position that consists of pieces and the side to move.
    pub const fn of_pieces(pieces: Vec<Piece>, to_move: Seat) -> Self {
        Self { pieces, walls: Vec::new(), to_move, counters: Vec::new() }
    }

    /// What stands on a cell.
    pub fn piece_on(&self, cell: Cell) -> Option<&Piece> {
        self.pieces.iter().rev().find(|piece| piece.cell == cell)
    }

    /// The cells row by row: the symbol of the seat whose piece stands there, or `.`.
    pub fn symbols(&self, grid: &Grid, symbols: [char; 2]) -> String {
        let owner = |cell| self.piece_on(cell).and_then(|piece| piece.owner);
        grid.cells().map(|cell| owner(cell).map_or('.', |seat| symbols[seat.index()])).collect()
    }
}
