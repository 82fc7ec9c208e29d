//! Push-over as a drawing: pieces, the lettered entries around the board, the last push, the line that won; positions set up
//! by hand.

use outplay_core::scene::{
    Cell, Draft, Edge, EdgeLabel, EdgeTouch, EditablePosition, Grid, GridStyle, Meaning, Palette, Place,
    Scene, Shape, Touch,
};
use outplay_core::{MalformedPosition, Outcome, Position, PositionNotation, Seat, View};

use super::notation::{PIECES, letter};
use super::{Pushover, PushoverBoard, PushoverMove};

/// The border over which an entry pushes.
fn edge<const N: usize>(entry: PushoverMove) -> Edge {
    let (side, line, far) = (usize::from(entry.0) / N, entry.0 % N as u8, N as u8);
    match side {
        0 => Edge::down(Cell::new(0, line), 1),
        1 => Edge::down(Cell::new(far, line), 1),
        2 => Edge::right(Cell::new(line, 0), 1),
        _ => Edge::right(Cell::new(line, far), 1),
    }
}

fn grid<const N: usize>() -> Grid {
    let label = |entry| EdgeLabel { edge: edge::<N>(entry), label: letter(entry).to_string() };
    Grid {
        edge_labels: PushoverBoard::<N>::entries().map(label).collect(),
        edge_touch: EdgeTouch::Border,
        ..Grid::new(N as u8, N as u8, GridStyle::Plain)
    }
}

/// The cells of a bitboard.
fn cells<const N: usize>(side: u32) -> impl Iterator<Item = Cell> {
    let place = |bit: usize| Cell::new((bit % N) as u8, (bit / N) as u8);
    (0..N * N).filter(move |bit| side >> bit & 1 == 1).map(place)
}

/// The rows, columns and main diagonals of the board.
fn lines<const N: usize>() -> impl Iterator<Item = u32> {
    let line = |cell: &dyn Fn(usize) -> usize| (0..N).map(|i| 1 << cell(i)).sum::<u32>();
    let straight =
        (0..N).flat_map(move |at| [line(&|i| at * N + i), line(&|i| i * N + at)]).collect::<Vec<_>>();
    straight.into_iter().chain([line(&|i| i * N + i), line(&|i| i * N + N - 1 - i)])
}

impl<const N: usize> Pushover<N> {
    /// The pieces of a seat.
    fn pieces_of(&self, seat: Seat) -> u32 {
        if seat == self.seat() { self.board().mine } else { self.board().theirs }
    }

    pub(super) fn drawn(&self) -> Scene {
        let mut scene = Scene::new(grid::<N>());
        scene.symbols = Some(PIECES);
        for seat in Seat::BOTH {
            for cell in cells::<N>(self.pieces_of(seat)) {
                scene.put(cell, Shape::Disc, Some(seat));
            }
        }
        if let Some(entry) = self.last() {
            scene.mark(Place::Edge(edge::<N>(entry)), Meaning::LastMove);
        }
        scene.caption = vec![match self.outcome() {
            Some(Outcome::Win(winner)) => {
                let side = self.pieces_of(winner);
                for cell in lines::<N>().filter(|line| side & line == *line).flat_map(cells::<N>) {
                    scene.mark(Place::Cell(cell), Meaning::WinningLine);
                }
                format!("{} has a line", PIECES[winner.index()])
            }
            _ => format!("{} to move", PIECES[self.seat().index()]),
        }];
        scene
    }

    pub(super) fn attempted(touches: &[Touch]) -> Option<String> {
        let &[Touch::Edge(touched)] = touches else { return None };
        PushoverBoard::<N>::entries()
            .find(|&entry| edge::<N>(entry) == touched)
            .map(|entry| letter(entry).to_string())
    }

    pub(super) fn touched(entry: PushoverMove) -> Vec<Touch> {
        vec![Touch::Edge(edge::<N>(entry))]
    }
}

impl<const N: usize> EditablePosition for Pushover<N> {
    fn palette(&self) -> Palette {
        Palette::of_two_sides([Shape::Disc; 2], Self::START.draft())
    }

    /// How the board came about is not part of a draft, so nothing is forbidden to repeat.
    fn draft(&self) -> Draft {
        Draft::of_pieces(self.drawn().pieces, self.seat())
    }

    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition> {
        let grid = grid::<N>();
        self.palette().check(&grid, draft)?;
        let cells = draft.cells_text(&grid, PIECES);
        self.read_like(&format!("{cells}-{}", PIECES[(!draft.to_move).index()]))
    }
}
