//! Levels set up by hand.
//!
//! A draft shows the board and no delays. Every hole is taken as just dug, and a guard in it as just fallen into it. Gold that a
//! guard has is shown below the guard. The end of a game is undone as far as the board goes on without it.

use outplay_core::scene::{Cell, Draft, Editable, Grid, Palette, PaletteItem, Piece, Shape};
use outplay_core::{MalformedPosition, Seat};

use super::moment::Fate;
use super::rules::{LodeRunner, LodeRunnerState};
use super::scene::{drawn, grid};
use super::terrain::Tile;
use super::text::{column_letters, read_position};
use super::view::LodeRunnerView;

impl Editable for LodeRunner {
    fn palette(&self) -> Palette {
        let item = |shape| PaletteItem { shape, owner: None, unique: false };
        let tiles = [Shape::Brick, Shape::Stone, Shape::Ladder, Shape::Rope, Shape::Phantom, Shape::Hole];
        Palette {
            pieces: vec![
                tiles.map(item).to_vec(),
                vec![
                    item(Shape::Gold),
                    PaletteItem { owner: Some(Seat::Second), ..item(Shape::Guard) },
                    PaletteItem { shape: Shape::Runner, owner: Some(Seat::First), unique: true },
                ],
            ],
            walls: false,
            counters: Vec::new(),
            two_sided: false,
            cleared: Draft::of_pieces(Vec::new(), Seat::First),
        }
    }

    fn draft(&self, state: &LodeRunnerState) -> Draft {
        Draft::of_pieces(pieces_of(state.seen()), Seat::First)
    }

    fn read_draft(&self, draft: &Draft) -> Result<String, MalformedPosition> {
        let (rows, cols) = self.size();
        let grid = grid(rows, cols);
        self.palette().check(&grid, draft)?;
        let view = read_position(&position_of(draft, &grid, self), self.delays());
        Ok(view.map_err(MalformedPosition::new)?.to_string())
    }
}

fn pieces_of(view: &LodeRunnerView) -> Vec<Piece> {
    let (terrain, moment) = (view.terrain(), view.moment());
    let mut pieces = Vec::new();
    let guards = || moment.guards().iter().filter(|guard| guard.is_in_play() && guard.at != moment.runner);
    for spot in terrain.spots() {
        let mut put = |shape, owner| pieces.push(Piece { cell: drawn(terrain, spot), shape, owner });
        let is_buried = moment.fate == Fate::Buried && spot == moment.runner;
        match terrain.tile(spot) {
            Tile::Brick if is_buried || moment.open.contains(spot) => put(Shape::Hole, None),
            Tile::Brick => put(Shape::Brick, None),
            Tile::Solid => put(Shape::Stone, None),
            Tile::Ladder => put(Shape::Ladder, None),
            Tile::Rope => put(Shape::Rope, None),
            Tile::ExitLadder => put(Shape::Phantom, None),
            Tile::Empty => {}
        }
        let guard = guards().find(|guard| guard.at == spot);
        if moment.gold.contains(spot) || guard.is_some_and(|guard| guard.has_gold) {
            put(Shape::Gold, None);
        }
        if guard.is_some() {
            put(Shape::Guard, Some(Seat::Second));
        }
        if spot == moment.runner {
            put(Shape::Runner, Some(Seat::First));
        }
    }
    pieces
}

/// The text of the position that a draft shows.
fn position_of(draft: &Draft, grid: &Grid, game: &LodeRunner) -> String {
    let delays = game.delays();
    let on = |cell: Cell, shape| draft.pieces.iter().any(|piece| piece.cell == cell && piece.shape == shape);
    let name = |cell: Cell| format!("{}{}", column_letters(cell.column.into()), cell.row + 1);
    let (mut words, mut gold, mut tiles) = (Vec::new(), Vec::new(), String::new());
    let mut has_left = false;
    for cell in grid.cells() {
        if cell.column == 0 {
            tiles.push('\n');
        }
        tiles.push(tile_letter(draft, cell));
        let is_hole = on(cell, Shape::Hole);
        if on(cell, Shape::Runner) {
            words.insert(0, format!("runner={}", name(cell)));
            has_left = cell.row == 0;
        }
        if on(cell, Shape::Gold) {
            gold.push(name(cell));
        }
        if on(cell, Shape::Guard) {
            let held = if is_hole { format!(":trapped={}", delays.trap) } else { String::new() };
            words.push(format!("guard={}{held}", name(cell)));
        }
        if is_hole {
            words.push(format!("hole={}:{}", name(cell), delays.open));
        }
    }
    if !gold.is_empty() {
        words.push(format!("gold={}", gold.join(",")));
    } else if has_left {
        words.push("fate=won".to_owned());
    }
    if delays.rest > 0 {
        words.push(format!("rest={}", delays.rest));
    }
    words.join(" ") + &tiles
}

/// The last tile that was put on a cell. A hole is a brick that is open.
fn tile_letter(draft: &Draft, cell: Cell) -> char {
    let letter = |piece: &Piece| match piece.shape {
        Shape::Brick | Shape::Hole => Some('b'),
        Shape::Stone => Some('B'),
        Shape::Ladder => Some('#'),
        Shape::Rope => Some('-'),
        Shape::Phantom => Some('H'),
        _ => None,
    };
    draft.pieces.iter().rev().filter(|piece| piece.cell == cell).find_map(letter).unwrap_or('.')
}
