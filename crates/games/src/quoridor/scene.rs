//! Quoridor as a drawing: tiles, pawns, walls in their grooves, goal rows, walls in hand; positions set up by hand.

use outplay_core::scene::{
    Cell, Counter, Draft, Edge, EdgeDirection, EdgeTouch, EditablePosition, Grid, GridStyle, Meaning,
    Palette, PaletteItem, Place, Reserve, Scene, Shape, Touch,
};
use outplay_core::{MalformedPosition, Outcome, Position, Seat, Text, View};

use super::cells::Cells;
use super::notation::move_name;
use super::rules::{MAX_WALLS, Quoridor, QuoridorMove};
use super::setup::{QuoridorSetup, SetupError};
use super::text::QuoridorPositionError;
use super::walls::Walls;
use crate::colours::{SEAT_NAMES, colour};

/// How many tiles a wall runs along.
const WALL_LENGTH: u8 = 2;

fn tile<C: Cells>(cell: u8, size: u8) -> Cell {
    let (column, row) = C::column_row(cell);
    Cell::new(column, size - 1 - row)
}

/// The number of a tile on the board.
fn number<C: Cells>(cell: Cell, size: u8) -> Option<u8> {
    (cell.column < size && cell.row < size).then(|| C::cell(cell.column, size - 1 - cell.row))
}

/// Where a wall stands. Its tile is the one south-west of its middle.
fn edge<C: Cells>(wall: QuoridorMove, size: u8) -> Option<Edge> {
    match wall {
        QuoridorMove::Pawn(_) => None,
        QuoridorMove::Horizontal(slot) => Some(Edge::right(tile::<C>(slot, size), WALL_LENGTH)),
        QuoridorMove::Vertical(slot) => {
            let Cell { column, row } = tile::<C>(slot, size);
            Some(Edge::down(Cell::new(column + 1, row.checked_sub(1)?), WALL_LENGTH))
        }
    }
}

/// The wall that would stand there; none at the rim.
fn wall_at<C: Cells>(edge: Edge, size: u8) -> Option<QuoridorMove> {
    let Cell { column, row } = edge.cell;
    let wall = match edge.direction {
        EdgeDirection::Right => QuoridorMove::Horizontal(number::<C>(edge.cell, size)?),
        EdgeDirection::Down => {
            QuoridorMove::Vertical(number::<C>(Cell::new(column.checked_sub(1)?, row.checked_add(1)?), size)?)
        }
    };
    let is_inside = match edge.direction {
        EdgeDirection::Right => row > 0 && column + 1 < size,
        EdgeDirection::Down => column < size,
    };
    (is_inside && edge.length == WALL_LENGTH).then_some(wall)
}

fn grid(size: u8) -> Grid {
    let grid = Grid::new(size, size, GridStyle::Grooved).lettered();
    Grid { can_flip: true, edge_touch: EdgeTouch::Pairs, ..grid }
}

impl<C: Cells> Quoridor<C> {
    fn edges(&self) -> Vec<Edge> {
        self.walls().iter().filter_map(|(wall, _)| edge::<C>(wall, self.size())).collect()
    }

    pub(super) fn drawn(&self) -> Scene {
        let size = self.size();
        let mut scene = Scene::new(grid(size));
        scene.symbols = Some(['W', 'B']);
        scene.walls = self.edges();
        for seat in Seat::BOTH {
            scene.put(tile::<C>(self.pawn(seat), size), Shape::Pawn, Some(seat));
            for cell in self.goal(seat).iter() {
                scene.mark(Place::Cell(tile::<C>(cell, size)), Meaning::Goal(seat));
            }
        }
        scene.caption = vec![self.status()];
        scene
    }

    fn status(&self) -> String {
        let seat = |seat: Seat| format!("{} {}", SEAT_NAMES[seat.index()], self.in_hand(seat));
        let turn = match self.outcome() {
            Some(Outcome::Win(winner)) => format!("{} has arrived", SEAT_NAMES[winner.index()]),
            _ => format!("{} to move", SEAT_NAMES[self.seat().index()]),
        };
        format!("walls in hand: {}, {}; {turn}", seat(Seat::First), seat(Seat::Second))
    }

    pub(super) fn walls_in_hand(&self) -> [Vec<Reserve>; 2] {
        Seat::BOTH.map(|seat| {
            let count = i32::from(self.in_hand(seat));
            vec![Reserve { shape: Shape::Wall, owner: Some(seat), count }]
        })
    }

    pub(super) fn touched(&self, mv: QuoridorMove) -> Vec<Touch> {
        match mv {
            QuoridorMove::Pawn(cell) => vec![Touch::Cell(tile::<C>(cell, self.size()))],
            wall => edge::<C>(wall, self.size()).map(Touch::Edge).into_iter().collect(),
        }
    }

    /// Tiles and walls have a name wherever they are on the board.
    pub(super) fn attempted(&self, touches: &[Touch]) -> Option<String> {
        let mv = match *touches {
            [Touch::Cell(cell)] => QuoridorMove::Pawn(number::<C>(cell, self.size())?),
            [Touch::Edge(edge)] => wall_at::<C>(edge, self.size())?,
            _ => return None,
        };
        Some(move_name::<C>(mv))
    }
}

/// What the editor calls the numbers of walls in hand.
const WALLS_IN_HAND: [Text; 2] =
    [Text::new("Walls of White", "Murs des Blancs"), Text::new("Walls of Black", "Murs des Noirs")];

impl<C: Cells> EditablePosition for Quoridor<C> {
    fn palette(&self) -> Palette {
        let pawn = |seat| PaletteItem { shape: Shape::Pawn, owner: Some(seat), unique: true };
        let counter = |title| Counter { title, min: 0, max: i32::from(MAX_WALLS) };
        let cleared = Self::start(self.size(), 0).map_or_else(|_| self.draft(), |start| start.draft());
        Palette {
            pieces: vec![Seat::BOTH.map(pawn).to_vec()],
            walls: true,
            counters: WALLS_IN_HAND.map(counter).to_vec(),
            two_sided: true,
            cleared,
        }
    }

    fn draft(&self) -> Draft {
        let counters = Seat::BOTH.map(|seat| i32::from(self.in_hand(seat))).to_vec();
        Draft { pieces: self.drawn().pieces, walls: self.edges(), to_move: self.seat(), counters }
    }

    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition> {
        let size = self.size();
        self.palette().check(&grid(size), draft)?;
        read_setup(draft, size)
            .and_then(Self::set_up)
            .map_err(|reason| MalformedPosition::new(QuoridorPositionError::Draft { reason }))
    }
}

/// The setup in a draft that consists of what the palette offers.
fn read_setup<C: Cells>(draft: &Draft, size: u8) -> Result<QuoridorSetup<C>, SetupError> {
    let mut pawns = [0; 2];
    for seat in Seat::BOTH {
        let piece = draft.pieces.iter().find(|piece| piece.owner == Some(seat));
        let cell = piece.and_then(|piece| number::<C>(piece.cell, size));
        pawns[seat.index()] = cell.ok_or_else(|| SetupError::NoPawn { side: colour(seat) })?;
    }
    let name = |&edge: &Edge| wall_at::<C>(edge, size).map(move_name::<C>).ok_or(SetupError::WallMisplaced);
    let names = draft.walls.iter().map(name).collect::<Result<Vec<_>, _>>()?;
    let walls = Walls::read(names.iter().map(String::as_str), size)?;
    let in_hand = [0, 1].map(|seat: usize| draft.counters[seat] as u8);
    Ok(QuoridorSetup { size, pawns, in_hand, seat: draft.to_move, walls })
}
