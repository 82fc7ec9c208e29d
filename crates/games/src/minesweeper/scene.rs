//! Minesweeper as a drawing: covers, flags, numbers, the count of mines not flagged, and the mines once the game is over;
//! boards set up by hand.
//!
//! While a game runs, a scene is made from what the player sees and nothing else.

use outplay_core::scene::{
    self, Counter, Draft, Editable, Grid, GridStyle, LabelSide, Meaning, Palette, PaletteItem, Place,
    Reserve, Scene, Shape, Touch,
};
use outplay_core::{Game, MalformedPosition, Outcome, Seat, Text};

use super::grid::{BoardCell, CellSet};
use super::rules::{Minesweeper, MinesweeperState};
use super::visible_board::{Action, CellContent, VisibleBoard};

const fn drawn(cell: BoardCell) -> scene::Cell {
    scene::Cell::new(cell.col, cell.row)
}

fn grid(rows: usize, cols: usize) -> Grid {
    Grid {
        column_labels: (0..cols).map(BoardCell::column_letters).collect(),
        column_labels_at: LabelSide::Top,
        row_labels: (1..=rows).map(|row| row.to_string()).collect(),
        ..Grid::new(cols as u8, rows as u8, GridStyle::Plain)
    }
}

fn put(scene: &mut Scene, cell: BoardCell, shapes: &[Shape]) {
    for &shape in shapes {
        scene.put(drawn(cell), shape, None);
    }
}

/// What the player sees.
fn draw_seen(seen: &VisibleBoard) -> Scene {
    let mut scene = Scene::new(grid(seen.rows(), seen.cols()));
    for cell in CellSet::full(seen.rows(), seen.cols()).iter() {
        match seen.shown(cell) {
            CellContent::Masked => put(&mut scene, cell, &[Shape::Cover]),
            CellContent::Flag => put(&mut scene, cell, &[Shape::Cover, Shape::Flag]),
            CellContent::Number(number) => put(&mut scene, cell, &[Shape::Digit(number)]),
            CellContent::Mine => {
                put(&mut scene, cell, &[Shape::Mine]);
                scene.mark(Place::Cell(drawn(cell)), Meaning::Exploded);
            }
        }
    }
    scene.reserves[0] = vec![Reserve { shape: Shape::Mine, owner: None, count: seen.unflagged_mines() }];
    scene
}

/// What comes to light when the game is over: the mines that no flag marks, and flags where none is.
fn disclose(scene: &mut Scene, seen: &VisibleBoard, mines: &CellSet) {
    for piece in &mut scene.pieces {
        let cell = BoardCell { row: piece.cell.row, col: piece.cell.column };
        if piece.shape == Shape::Cover && mines.contains(cell) && !seen.flagged().contains(cell) {
            piece.shape = Shape::Mine;
        }
    }
    for cell in seen.flagged().iter().filter(|&cell| !mines.contains(cell)) {
        scene.mark(Place::Cell(drawn(cell)), Meaning::WrongFlag);
    }
}

impl Minesweeper {
    pub(super) fn drawn(&self, state: &MinesweeperState) -> Scene {
        let (seen, outcome) = (state.seen(), self.outcome(state));
        let mut scene = draw_seen(seen);
        if let Some(mines) = outcome.and(state.mines()) {
            disclose(&mut scene, seen, mines);
        }
        scene.caption.push(match outcome {
            None => format!("{} mines not flagged", seen.unflagged_mines()),
            Some(Outcome::Win(Seat::First)) => "every empty cell is unmasked".to_owned(),
            Some(_) => format!("a mine: {} empty cells were unmasked", seen.score()),
        });
        if state.needs_guess() {
            scene.caption.push("no board without a guess was found: this one needs one".to_owned());
        }
        scene
    }

    pub(super) fn touched(mv: Action) -> Vec<Touch> {
        let cell = drawn(mv.cell());
        vec![match mv {
            Action::Unmask(_) | Action::Chord(_) => Touch::Cell(cell),
            Action::Flag(_) | Action::Unflag(_) => Touch::Second(cell),
        }]
    }

    /// A tap unmasks, or plays the chord of a number where flags are in the game; the second button places and removes flags.
    pub(super) fn attempted(&self, seen: &VisibleBoard, touches: &[Touch]) -> Option<Action> {
        let &[touch @ (Touch::Cell(at) | Touch::Second(at))] = touches else { return None };
        let cell = BoardCell { row: at.row, col: at.column };
        if !seen.holds(cell) {
            return None;
        }
        Some(match (touch, seen.shown(cell)) {
            (Touch::Second(_), CellContent::Flag) => Action::Unflag(cell),
            (Touch::Second(_), _) => Action::Flag(cell),
            (_, CellContent::Number(1..)) if self.has_flags() => Action::Chord(cell),
            _ => Action::Unmask(cell),
        })
    }
}

impl Editable for Minesweeper {
    fn palette(&self) -> Palette {
        let item = |shape| PaletteItem { shape, owner: None, unique: false };
        let cleared = VisibleBoard::masked_board(self.rows(), self.cols(), self.mines(), self.has_flags());
        Palette {
            pieces: vec![
                [Shape::Cover, Shape::Flag, Shape::Digit(0)].map(item).to_vec(),
                (1..=8).map(|number| item(Shape::Digit(number))).collect(),
            ],
            walls: false,
            counters: vec![Counter {
                title: Text::new("Mines", "Mines"),
                min: 1,
                max: (self.rows() * self.cols()) as i32 - 1,
            }],
            two_sided: false,
            cleared: draft_of(&cleared),
        }
    }

    fn draft(&self, state: &MinesweeperState) -> Draft {
        draft_of(state.seen())
    }

    /// An empty cell is an open one without a number.
    fn read_draft(&self, draft: &Draft) -> Result<String, MalformedPosition> {
        let grid = grid(self.rows(), self.cols());
        self.palette().check(&grid, draft)?;
        let symbol = |cell| match draft.piece_on(cell).map(|piece| piece.shape) {
            Some(Shape::Cover) => '.',
            Some(Shape::Flag) => 'F',
            Some(Shape::Digit(number)) => char::from(b'0' + number),
            _ => '0',
        };
        let cells: Vec<char> = grid.cells().map(symbol).collect();
        let rows = cells.chunks(self.cols()).map(|row| row.iter().collect::<String>());
        let head = format!("mines {}", draft.counters[0]);
        let text = std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n");
        text.parse::<VisibleBoard>().map_err(MalformedPosition::new)?;
        Ok(text)
    }
}

/// The board as the editor shows it. Mines that ended a game are covered again.
fn draft_of(seen: &VisibleBoard) -> Draft {
    let mut pieces = draw_seen(seen).pieces;
    for piece in &mut pieces {
        if piece.shape == Shape::Mine {
            piece.shape = Shape::Cover;
        }
    }
    Draft { pieces, walls: Vec::new(), to_move: Seat::First, counters: vec![seen.mines() as i32] }
}
