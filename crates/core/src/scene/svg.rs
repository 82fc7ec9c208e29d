//! A scene as a complete SVG document: one light palette, no scripts, no fonts beyond the reader's own.
//!
//! Every piece has a title that names it and its cell, for readers who do not see it.

use super::shapes::{self, SIDE};
use super::{Cell, Edge, EdgeDirection, GridStyle, LabelSide, Mark, Meaning, Piece, Place, Reserve, Scene};

const PAPER: &str = "#faf9f6";
const INK: &str = "#4a4741";
const RULE: &str = "#a8a294";
const LIGHT_SQUARE: &str = "#f0ebdf";
const DARK_SQUARE: &str = "#bfb294";
const GOAL: &str = "#e3d9c1";
const WALL: &str = "#7a4b2a";
const PLATE: &str = "#5f83b3";
const LAST_MOVE: &str = "#e0912f";
const DANGER: &str = "#d2463b";
const SUCCESS: &str = "#3c9a55";

/// The margin around the board, for labels.
const MARGIN: f64 = 26.0;
/// The height of a line of reserves or of the caption.
const STRIP: f64 = 26.0;
/// By how much a tile is smaller than its cell on each side; a wall fills the groove between tiles.
const GROOVE: f64 = 4.0;

impl Scene {
    /// The board as an SVG document: pieces, walls, marks, labels, reserves and caption.
    pub fn to_svg(&self) -> String {
        let has_reserves = self.reserves.iter().flatten().any(|reserve| reserve.count != 0);
        let strip = if has_reserves { STRIP } else { 0.0 };
        let drawing = SvgDrawing { scene: self, top: MARGIN + strip };
        let (width, height) = (f64::from(self.grid.columns) * SIDE, f64::from(self.grid.rows) * SIDE);
        let bottom = drawing.top + height + MARGIN;
        let total_width = (width + 2.0 * MARGIN).max(if self.caption.is_empty() { 0.0 } else { 320.0 });
        let total_height = bottom + strip + self.caption.len() as f64 * STRIP;
        let parts = [
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total_width} {total_height}\" \
                 width=\"{total_width}\" height=\"{total_height}\" font-family=\"sans-serif\" role=\"img\">"
            ),
            format!("<rect width=\"{total_width}\" height=\"{total_height}\" fill=\"{PAPER}\"/>"),
            drawing.board(),
            drawing.marks(SvgDrawing::below),
            self.pieces.iter().map(|&piece| drawing.piece(piece)).collect(),
            self.walls.iter().map(|&wall| drawing.wall(wall)).collect(),
            drawing.marks(SvgDrawing::above),
            drawing.labels(),
            reserves(&self.reserves[1], 4.0),
            reserves(&self.reserves[0], bottom),
            drawing.caption(bottom + strip),
            "</svg>".to_owned(),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n") + "\n"
    }
}

struct SvgDrawing<'s> {
    scene: &'s Scene,
    /// The upper rim of the board.
    top: f64,
}

impl SvgDrawing<'_> {
    /// The top left corner of a cell.
    fn corner(&self, cell: Cell) -> (f64, f64) {
        (MARGIN + f64::from(cell.column) * SIDE, self.top + f64::from(cell.row) * SIDE)
    }

    /// A rectangle in a cell, at a distance from its sides.
    fn square(&self, cell: Cell, inset: f64, paint: &str) -> String {
        let ((x, y), side) = (self.corner(cell), SIDE - 2.0 * inset);
        let (x, y) = (x + inset, y + inset);
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" {paint}/>")
    }

    fn board(&self) -> String {
        let grid = &self.scene.grid;
        let (x, y) = self.corner(Cell::new(0, 0));
        let (width, height) = (f64::from(grid.columns) * SIDE, f64::from(grid.rows) * SIDE);
        let ground = match grid.style {
            GridStyle::Grooved => DARK_SQUARE,
            GridStyle::Holes => PLATE,
            GridStyle::Plain | GridStyle::Checkered => LIGHT_SQUARE,
        };
        let frame = format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{ground}\" stroke=\"{RULE}\"/>"
        );
        let cells = grid.cells().map(|cell| match grid.style {
            GridStyle::Plain => self.square(cell, 0.0, &format!("fill=\"none\" stroke=\"{RULE}\"")),
            GridStyle::Checkered if (cell.column + cell.row) % 2 == 0 => String::new(),
            GridStyle::Checkered => self.square(cell, 0.0, &format!("fill=\"{DARK_SQUARE}\"")),
            GridStyle::Grooved => self.square(cell, GROOVE, &format!("rx=\"4\" fill=\"{LIGHT_SQUARE}\"")),
            GridStyle::Holes => self.ring(cell, 18.0, &format!("fill=\"{PAPER}\"")),
        });
        frame + &cells.collect::<String>()
    }

    fn ring(&self, cell: Cell, radius: f64, paint: &str) -> String {
        let (x, y) = self.corner(cell);
        let (x, y) = (x + SIDE / 2.0, y + SIDE / 2.0);
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>")
    }

    fn piece(&self, piece: Piece) -> String {
        let (x, y) = self.corner(piece.cell);
        let (name, place) = (piece.name(), self.scene.grid.cell_name(piece.cell));
        let title = if place.is_empty() { name } else { format!("{name} on {}", escaped(&place)) };
        let shape = shapes::drawn(piece.shape, piece.owner);
        format!("<g transform=\"translate({x} {y})\"><title>{title}</title>{shape}</g>\n")
    }

    /// Where an edge starts and ends.
    fn ends(&self, edge: Edge) -> [(f64, f64); 2] {
        let ((x, y), length) = (self.corner(edge.cell), f64::from(edge.length) * SIDE);
        match edge.direction {
            EdgeDirection::Right => [(x, y), (x + length, y)],
            EdgeDirection::Down => [(x, y), (x, y + length)],
        }
    }

    /// A line along an edge, a little shorter than the edge.
    fn line(&self, edge: Edge, colour: &str, thickness: f64) -> String {
        let [(x1, y1), (x2, y2)] = self.ends(edge);
        let (dx, dy) = match edge.direction {
            EdgeDirection::Right => (GROOVE, 0.0),
            EdgeDirection::Down => (0.0, GROOVE),
        };
        format!(
            "<path d=\"M{} {}L{} {}\" stroke=\"{colour}\" stroke-width=\"{thickness}\"/>",
            x1 + dx,
            y1 + dy,
            x2 - dx,
            y2 - dy
        )
    }

    fn wall(&self, wall: Edge) -> String {
        self.line(wall, WALL, 2.0 * GROOVE - 1.0)
    }

    fn marks(&self, drawn: fn(&Self, &Mark) -> String) -> String {
        self.scene.marks.iter().map(|mark| drawn(self, mark)).collect()
    }

    /// The part of a mark that lies under the pieces.
    fn below(&self, mark: &Mark) -> String {
        let Place::Cell(cell) = mark.at else { return String::new() };
        match mark.meaning {
            Meaning::Goal(_) => self.square(cell, GROOVE, &format!("rx=\"4\" fill=\"{GOAL}\"")),
            Meaning::Check => self.ring(cell, 21.0, &format!("fill=\"{DANGER}\" fill-opacity=\"0.55\"")),
            Meaning::Exploded => self.square(cell, 0.5, &format!("fill=\"{DANGER}\"")),
            _ => String::new(),
        }
    }

    /// The part of a mark that lies over the pieces.
    fn above(&self, mark: &Mark) -> String {
        let cell = match mark.at {
            Place::Cell(cell) => cell,
            Place::Edge(edge) => return self.line(edge, LAST_MOVE, 4.0),
        };
        let frame = |colour: &str| {
            self.square(cell, 2.0, &format!("rx=\"3\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\""))
        };
        match mark.meaning {
            Meaning::LastMove => frame(LAST_MOVE),
            Meaning::WinningLine => frame(SUCCESS),
            Meaning::WrongFlag => {
                let (x, y) = self.corner(cell);
                format!(
                    "<path transform=\"translate({x} {y})\" d=\"M8 8L37 37M37 8L8 37\" stroke=\"{DANGER}\" stroke-width=\"3\"/>"
                )
            }
            Meaning::MineProbability(chance) => {
                let (x, y) = self.corner(cell);
                let colour = if chance < 0.5 { SUCCESS } else { DANGER };
                let tint = format!("fill=\"{colour}\" fill-opacity=\"{:.2}\"", 0.15 + (chance - 0.5).abs());
                let percent = format!("{:.0}%", 100.0 * chance);
                self.square(cell, 2.0, &tint) + &text(x + SIDE / 2.0, y + SIDE / 2.0, 11.0, &percent)
            }
            Meaning::Plan(turn) => {
                let (x, y) = self.corner(cell);
                let opacity = 0.7 * 12.0 / (12.0 + f64::from(turn));
                let dot = format!("fill=\"{SUCCESS}\" fill-opacity=\"{opacity:.2}\"");
                format!("<circle cx=\"{}\" cy=\"{}\" r=\"6\" {dot}/>", x + SIDE / 2.0, y + SIDE / 2.0)
            }
            Meaning::Goal(_) | Meaning::Check | Meaning::Exploded => String::new(),
        }
    }

    /// The names of columns, rows and edges.
    fn labels(&self) -> String {
        let grid = &self.scene.grid;
        let (left, top) = self.corner(Cell::new(0, 0));
        let bottom = top + f64::from(grid.rows) * SIDE;
        let head = if grid.column_labels_at == LabelSide::Top { top - 13.0 } else { bottom + 13.0 };
        let middle = |start: f64, place: usize| start + (place as f64 + 0.5) * SIDE;
        let columns = grid.column_labels.iter().enumerate();
        let columns = columns.map(|(column, label)| text(middle(left, column), head, 13.0, label));
        let rows = grid.row_labels.iter().enumerate();
        let rows = rows.map(|(row, label)| text(left - 13.0, middle(top, row), 13.0, label));
        let edges = grid.edge_labels.iter().map(|label| self.edge_label(label.edge, &label.label));
        columns.chain(rows).chain(edges).collect()
    }

    /// The name of an edge stands outside the board, or on the edge if that is inside.
    fn edge_label(&self, edge: Edge, label: &str) -> String {
        let [(x1, y1), (x2, y2)] = self.ends(edge);
        let (x, y) = (x1.midpoint(x2), y1.midpoint(y2));
        let outwards = |place: u8, last: u8| match place {
            0 => -13.0,
            _ if place == last => 13.0,
            _ => 0.0,
        };
        match edge.direction {
            EdgeDirection::Right => text(x, y + outwards(edge.cell.row, self.scene.grid.rows), 13.0, label),
            EdgeDirection::Down => {
                text(x + outwards(edge.cell.column, self.scene.grid.columns), y, 13.0, label)
            }
        }
    }

    fn caption(&self, top: f64) -> String {
        let line = |(number, line): (usize, &String)| {
            let y = top + (number as f64 + 0.65) * STRIP;
            format!("<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"13\" fill=\"{INK}\">{}</text>", escaped(line))
        };
        self.scene.caption.iter().enumerate().map(line).collect()
    }
}

/// What lies beside the board, in one line.
fn reserves(reserves: &[Reserve], top: f64) -> String {
    let some = reserves.iter().filter(|reserve| reserve.count != 0).enumerate();
    let drawn = some.map(|(place, reserve)| {
        let x = MARGIN + 52.0 * place as f64;
        let name = Piece { cell: Cell::new(0, 0), shape: reserve.shape, owner: reserve.owner }.name();
        let (shape, count) = (shapes::drawn(reserve.shape, reserve.owner), reserve.count);
        format!(
            "<g transform=\"translate({x} {top}) scale(0.5)\"><title>{count} {name}</title>{shape}</g>{}",
            text(x + 34.0, top + 12.0, 13.0, &count.to_string())
        )
    });
    drawn.collect()
}

/// A text around a point.
fn text(x: f64, y: f64, size: f64, content: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"{INK}\">\
         {}</text>",
        escaped(content)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
