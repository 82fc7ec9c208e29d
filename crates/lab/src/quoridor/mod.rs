//! Quoridor in the lab: its players, its networks, its exact values.

mod bench;
mod console;
pub mod exact;
mod grounds;
mod levels;
mod networks;
pub mod nine;
pub mod tournoi;

use std::sync::Arc;

use outplay_core::{PositionNotation, Referee};
use outplay_games::quoridor::{
    BOARDS, Cells, MAX_WALLS, MoveSelection, NamedBoard, PathEvaluator, PathWeights, Quoridor, SetupError,
    Walls,
};

use crate::error::LabError;
use crate::learning::{LearntNetwork, SelfPlayGame};
use crate::registry::{AnyGame, BoardDef, EvaluatorDef, GameDef, OpenGame, Preset, SearchDefaults};
use crate::spec::{Param, ParamKind, Spec, Values};
use crate::store::Store;
use console::QuoridorConsole;

const NAME: &str = "quoridor";
const SUMMARY: &str = "reach the opposite row first; walls lengthen the other's way (INFO-F-106 2019)";

/// Quoridor on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(NAME, "Quoridor", SUMMARY, PARAMS, open)
        .with_presets(&[
            Preset { title: "Standard", detail: "9 × 9", game: NAME },
            Preset { title: "Small", detail: "7 × 7", game: "quoridor:size=7" },
            Preset { title: "Tournament", detail: "5 × 5", game: "quoridor:size=5,walls=3" },
            Preset { title: "Corridor", detail: "5 × 5", game: "quoridor:board=corridor" },
        ])
        .with_training_board("quoridor:size=5,walls=3")
        .with_picture("5 c2:2 c4:1 white b2h d3v a3h")
}

const PARAMS: &[Param] = &[
    Param {
        name: "size",
        kind: ParamKind::Whole(3, 9),
        default: None,
        help: "tiles along an edge (9, or 5 with a named board)",
    },
    Param {
        name: "walls",
        kind: ParamKind::Whole(0, MAX_WALLS as i64),
        default: None,
        help: "walls that each player has in hand (an eighth of the tiles: 10 on 9×9, 3 on 5×5; none with board=)",
    },
    Param {
        name: "board",
        kind: ParamKind::Words(WALLS_EXPECTED),
        default: None,
        help: "walls already placed: by name a board of 5×5, or one by one",
    },
    Param {
        name: "plies",
        kind: ParamKind::Whole(1, 10_000),
        default: None,
        help: "a game of this many moves is a draw (four times the number of tiles)",
    },
];

/// Evaluates an expression with `$cells` as the smallest set of cells that holds a board of this size.
#[macro_export]
macro_rules! on_cells {
    ($size:expr, $cells:ident => $said:expr) => {
        if u32::from($size) <= <u64 as outplay_games::quoridor::Cells>::STRIDE {
            type $cells = u64;
            $said
        } else {
            type $cells = u128;
            $said
        }
    };
}
pub use crate::on_cells;

const WALLS_EXPECTED: &str =
    "corridor, hourglass, snake, shields, staircase, pinwheel or pocket, or walls such as b2h-c3v";

fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn AnyGame>, LabError> {
    let board = values.optional_words("board");
    let named = board.and_then(|words| match words {
        [name] => BOARDS.iter().find(|board| board.name == name),
        _ => None,
    });
    let whole = |name| values.optional_whole(name).map(|value| value as u8);
    let size = whole("size").unwrap_or(if named.is_some() { NamedBoard::SIZE } else { 9 });
    if named.is_some() && size != NamedBoard::SIZE {
        return Err(LabError::refused(format!("size={size}: expected {} with this board", NamedBoard::SIZE)));
    }
    let usual = if board.is_some() { 0 } else { size * size / 8 };
    let plan = Plan {
        size,
        in_hand: whole("walls").unwrap_or(usual),
        placed: named.map_or_else(
            || board.unwrap_or_default().iter().map(String::as_str).collect(),
            |board| board.walls.split_whitespace().collect(),
        ),
        plies: values.optional_whole("plies").map(|plies| plies as u32),
    };
    Ok(on_cells!(size, C => offered(plan.referee::<C>()?).open(spec, store)))
}

/// A game as the user asked for it.
struct Plan<'a> {
    size: u8,
    in_hand: u8,
    placed: Vec<&'a str>,
    plies: Option<u32>,
}

impl Plan<'_> {
    fn referee<C: Cells>(&self) -> Result<Referee<Quoridor<C>>, LabError> {
        let refused = |why: String| LabError::refused(format!("board={}: {why}", self.placed.join("-")));
        let start = Walls::read(self.placed.iter().copied(), self.size)
            .and_then(|walls| Quoridor::start_with_walls(self.size, self.in_hand, walls))
            .map_err(|fault| match fault {
                SetupError::NotAWall(_) => refused(format!("{fault}; or give {WALLS_EXPECTED}")),
                _ => refused(fault.to_string()),
            })?;
        Ok(referee(start, self.plies))
    }
}

/// The referee: a position that occurs three times is a draw, and so is a game of `plies` moves, by default four
/// times as many as the board has tiles.
pub fn referee<C: Cells>(start: Quoridor<C>, plies: Option<u32>) -> Referee<Quoridor<C>> {
    let usual = 4 * u32::from(start.size()).pow(2);
    Referee { start, repetitions: Some(3), max_plies: Some(plies.unwrap_or(usual)) }
}

const PATH_PARAMS: &[Param] = &[
    Param {
        name: "step",
        kind: ParamKind::Whole(0, 10_000),
        default: Some("400"),
        help: "worth of a step, in thousandths of log-odds",
    },
    Param {
        name: "wall",
        kind: ParamKind::Whole(0, 10_000),
        default: Some("800"),
        help: "worth of a wall in hand, in thousandths of log-odds",
    },
    Param {
        name: "moves",
        kind: ParamKind::Word(&["near", "all"]),
        default: Some("near"),
        help: "searches look at steps and at walls near pawns, ways and other walls, or at all moves",
    },
];

const NET_PARAMS: &[Param] = &[Param {
    name: "file",
    kind: ParamKind::File,
    default: None,
    help: "a trained network (what comes with the program for this board, if none is given)",
}];

/// The same on a board for which no network comes with the program.
const OWN_NET_PARAMS: &[Param] = &[NET_PARAMS[0].needed()];

/// A board with all that it offers.
fn offered<C: Cells>(referee: Referee<Quoridor<C>>) -> OpenGame<Quoridor<C>> {
    let net_params = if referee.start.shipped().is_some() { NET_PARAMS } else { OWN_NET_PARAMS };
    OpenGame::refereed(NAME, SUMMARY, referee)
        .evaluator(
            "path",
            "who is nearer to the goal, and who has more walls in hand",
            PATH_PARAMS,
            |values| Ok(path_judge(values)),
        )
        .evaluator_def(EvaluatorDef::new(
            "net",
            "a network trained by self-play",
            net_params,
            |board, values| Ok(Box::new(LearntNetwork::given(board, values)?.evaluator())),
        ))
        .search_defaults(SearchDefaults { depth: 4, playout: "none", exploration: "0.3", cut: None })
        .opponents("expert:level=10", "alphabeta:depth=3,candidates=20", "alphabeta:depth=3")
        .self_play("net")
        .player(levels::expert())
        .solver(
            false,
            exact::is_solvable,
            |request| exact::around(request.game, request.position, request.store, request.watch),
            exact::counts,
        )
        .editor()
        .console(|| Box::new(QuoridorConsole::default()))
        .board_of(board_of)
        .other_board(grounds::another)
        .bench(|game, _, watch| bench::measure(game, watch))
}

/// The same as a list of players and methods.
pub fn board_def<C: Cells>(referee: Referee<Quoridor<C>>) -> BoardDef<Referee<Quoridor<C>>> {
    offered(referee).into_board()
}

/// A position that cannot follow from the start, because of its walls, begins a game of its own.
#[expect(clippy::unnecessary_wraps, reason = "Minesweeper refuses some positions")]
fn board_of<C: Cells>(
    game: &Referee<Quoridor<C>>,
    position: &str,
) -> Result<BoardDef<Referee<Quoridor<C>>>, LabError> {
    let referee = match game.start.read_like(position) {
        Ok(start) if !game.start.may_lead_to(&start) => Referee { start, ..game.clone() },
        _ => game.clone(),
    };
    Ok(board_def(referee))
}

fn path_judge(values: &Values) -> PathEvaluator {
    let weight = |name| values.whole(name) as i32;
    let outlook = if values.word("moves") == "all" { MoveSelection::All } else { MoveSelection::Relevant };
    PathEvaluator::new(PathWeights { step: weight("step"), wall: weight("wall") }).with_selection(outlook)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        let values = "path".parse::<Spec>().unwrap().resolve("path", PATH_PARAMS).unwrap();
        let PathWeights { step, wall } = PathWeights::default();
        assert_eq!(["step", "wall"].map(|name| values.whole(name) as i32), [step, wall]);
        let names = BOARDS.map(|board| board.name);
        let (last, others) = names.split_last().unwrap();
        assert_eq!(WALLS_EXPECTED, format!("{} or {last}, or walls such as b2h-c3v", others.join(", ")));
    }

    #[test]
    fn games_are_what_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        let start = |game: &str| {
            let any_game = crate::open_game(game, &store).map_err(|error| error.to_string())?;
            Ok::<_, String>(any_game.table(None, 0).unwrap().snapshot().position)
        };
        assert_eq!(start("quoridor").unwrap(), "9 e1:10 e9:10 white");
        assert_eq!(start("quoridor:size=5").unwrap(), "5 c1:3 c5:3 white");
        assert_eq!(start("quoridor:size=4,walls=0").unwrap(), "4 b1:0 c4:0 white");
        assert_eq!(start("quoridor:board=corridor").unwrap(), "5 c1:0 c5:0 white b1v c1v b3v c3v");
        let own = start("quoridor:size=9,walls=1,board=b2h-c3v").unwrap();
        assert_eq!(own, "9 e1:1 e9:1 white b2h c3v");
        let refusal = |game: &str| start(game).unwrap_err();
        assert!(refusal("quoridor:size=7,board=snake").contains("size=7: expected 5"));
        assert!(refusal("quoridor:board=maze").contains("'maze' is not a wall"));
        assert!(refusal("quoridor:board=maze").contains("corridor"));
        assert!(refusal("quoridor:board=b2h-c2h").contains("board=b2h-c2h: the walls b2h and c2h overlap"));
        assert!(refusal("quoridor:board=b2h-").contains("such as b2h-c3v"));
        assert_eq!(refusal("quoridor:board=b2h-b2h"), "board=b2h-b2h: the wall 'b2h' stands there twice");
    }
}
