//! Lode Runner as a drawing: tiles, gold, the runner, the guards, and the gold that is left beside the board.

use outplay_core::scene::{Cell, Grid, GridStyle, LabelSide, Mark, Meaning, Place, Reserve, Scene, Shape};
use outplay_core::{Game, Outcome, Seat};

use super::moment::Fate;
use super::physics::RunnerAction;
use super::planner::{places, plan};
use super::rules::{LodeRunner, LodeRunnerState};
use super::terrain::{Spot, Terrain, Tile};
use super::text::column_letters;
use super::view::LodeRunnerView;

pub(super) fn drawn(terrain: &Terrain, spot: Spot) -> Cell {
    Cell::new(terrain.col(spot) as u8, terrain.row(spot) as u8)
}

pub(super) fn grid(rows: usize, cols: usize) -> Grid {
    Grid {
        column_labels: (0..cols).map(column_letters).collect(),
        column_labels_at: LabelSide::Top,
        row_labels: (1..=rows).map(|row| row.to_string()).collect(),
        ..Grid::new(cols as u8, rows as u8, GridStyle::Plain)
    }
}

/// What stands for a tile; nothing for an empty cell.
fn shape_of(view: &LodeRunnerView, spot: Spot) -> Option<Shape> {
    let moment = view.moment();
    match view.terrain().tile(spot) {
        Tile::Brick if moment.open.contains(spot) => Some(Shape::Hole),
        Tile::Brick => Some(Shape::Brick),
        Tile::Solid => Some(Shape::Stone),
        Tile::Ladder => Some(Shape::Ladder),
        Tile::Rope => Some(Shape::Rope),
        Tile::ExitLadder if moment.has_exits() => Some(Shape::Ladder),
        Tile::ExitLadder => Some(Shape::Phantom),
        Tile::Empty => None,
    }
}

/// What the player sees.
fn draw_seen(view: &LodeRunnerView) -> Scene {
    let (terrain, moment) = (view.terrain(), view.moment());
    let mut scene = Scene::new(grid(terrain.rows(), terrain.cols()));
    for spot in terrain.spots() {
        if let Some(shape) = shape_of(view, spot) {
            scene.put(drawn(terrain, spot), shape, None);
        }
    }
    for gold in moment.gold.iter() {
        scene.put(drawn(terrain, gold), Shape::Gold, None);
    }
    for guard in moment.guards().iter().filter(|guard| guard.is_in_play()) {
        scene.put(drawn(terrain, guard.at), Shape::Guard, Some(Seat::Second));
    }
    scene.put(drawn(terrain, moment.runner), Shape::Runner, Some(Seat::First));
    scene.reserves[0] = vec![Reserve { shape: Shape::Gold, owner: None, count: moment.gold_left() as i32 }];
    scene
}

impl LodeRunner {
    pub(super) fn drawn(&self, state: &LodeRunnerState) -> Scene {
        let (view, outcome) = (state.seen(), self.outcome(state));
        let mut scene = draw_seen(view);
        let runner = Place::Cell(drawn(view.terrain(), view.moment().runner));
        scene.caption.push(match (view.moment().fate, outcome) {
            (Fate::Won, _) => "the runner has left with all the gold".to_owned(),
            (Fate::Caught, _) => "a guard has caught the runner".to_owned(),
            (Fate::Buried, _) => "a hole has closed over the runner".to_owned(),
            (Fate::Running, Some(_)) => format!("time is up after {} turns", state.turns()),
            (Fate::Running, None) => format!("{} gold left", view.moment().gold_left()),
        });
        if outcome.is_none() && self.shows_plan() {
            scene.marks.extend(plan_marks(view, &plan(view)));
        }
        if outcome == Some(Outcome::Win(Seat::Second)) {
            scene.mark(runner, Meaning::Exploded);
        }
        scene
    }
}

/// The cells that a plan leads through, each with the turn at whose end the runner is there: drawn as if guards did not move.
pub(super) fn plan_marks(view: &LodeRunnerView, plan: &[RunnerAction]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (number, spot) in places(view, plan).into_iter().enumerate() {
        let at = Place::Cell(drawn(view.terrain(), spot));
        if !marks.iter().any(|mark| mark.at == at) {
            marks.push(Mark { at, meaning: Meaning::Plan(number as u16 + 1) });
        }
    }
    marks
}
