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

use outplay_core::{PositionNotation, Referee, Text, errors};
use outplay_games::quoridor::{
    BOARDS, Cells, MAX_WALLS, MoveSelection, NamedBoard, PathEvaluator, PathWeights, Quoridor, SetupError,
    StartColumns, Walls,
};

use crate::learning::LearntNetwork;
use crate::params::ModelFile;
use crate::registry::{
    AnyGame, BoardDef, EvaluatorDef, GameDef, OpenGame, PlayoutChoice, Preset, SearchDefaults,
};
use crate::spec::Spec;
use crate::store::Store;
use crate::{params, words};
use console::QuoridorConsole;
use outplay_runtime::WorkError;

const NAME: &str = "quoridor";
const SUMMARY: Text = Text::new(
    "reach the opposite row first; walls lengthen the other's way (INFO-F-106 2019)",
    "atteindre le premier la rangée opposée ; les murs allongent le chemin de l’autre (INFO-F-106 2019)",
);

static PRESETS: [Preset; 4] = [
    Preset { title: Text::new("Standard", "Classique"), detail: "9 × 9", game: NAME },
    Preset { title: Text::new("Small", "Petit"), detail: "7 × 7", game: "quoridor:size=7" },
    Preset { title: Text::new("Tournament", "Tournoi"), detail: "5 × 5", game: "quoridor:size=5,walls=3" },
    Preset { title: Text::new("Corridor", "Couloir"), detail: "5 × 5", game: "quoridor:board=corridor" },
];

/// Quoridor on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(NAME, Text::new("Quoridor", "Quoridor"), SUMMARY, QuoridorParams::default(), open)
        .with_presets(&PRESETS)
        .with_training_board("quoridor:size=5,walls=3")
        .with_picture("5 c2:2 c4:1 white b2h d3v a3h")
}

params! {
    /// A board of Quoridor.
    struct QuoridorParams {
        size: Option<u8> = None, in 3..=9,
            "tiles along an edge (9, or 5 with a named board)" | "cases le long d’un bord (9, ou 5 avec un plateau nommé)";
        walls: Option<u8> = None, in 0..=MAX_WALLS,
            "walls that each player has in hand (an eighth of the tiles: 10 on 9×9, 3 on 5×5; none with board=)"
            | "murs que chaque joueur a en main (un huitième des cases : 10 sur 9×9, 3 sur 5×5 ; aucun avec board=)";
        board: Option<Vec<String>> = None, in WALLS_EXPECTED,
            "walls already placed: by name a board of 5×5, or one by one"
            | "murs déjà posés : par son nom un plateau de 5×5, ou un par un";
        start: StartColumns = StartColumns::Mirrored,
            "on boards of even size: white begins left of the middle and black right of it, or both left of it"
            | "sur les plateaux de taille paire : les blancs commencent à gauche du milieu et les noirs à droite, \
               ou les deux à gauche";
        plies: Option<u32> = None, in 1..=10_000,
            "a game of this many moves is a draw (four times the number of tiles)"
            | "une partie de tant de coups est nulle (quatre fois le nombre de cases)";
    }
}

words!(StartColumns { "mirrored" => StartColumns::Mirrored, "same" => StartColumns::Same });

errors! {
    /// Why there is no such board.
    pub enum QuoridorBoardError {
        SizeOfNamed { size: u8, expected: u8 } =
            "size={size}: expected {expected} with this board" | "size={size} : attendu {expected} avec ce plateau",
        NotAWall { board: String, fault: SetupError, expected: Text } =
            "board={board}: {fault}; or give {expected}" | "board={board} : {fault} ; ou {expected}",
        Setup { board: String, fault: SetupError } = "board={board}: {fault}" | "board={board} : {fault}",
    }
}

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

const WALLS_EXPECTED: Text = Text::new(
    "corridor, hourglass, snake, shields, staircase, pinwheel, pocket, empty, offset or zigzag, or walls such as b2h-c3v",
    "corridor, hourglass, snake, shields, staircase, pinwheel, pocket, empty, offset ou zigzag, ou des murs tels que b2h-c3v",
);

fn open(spec: Spec, params: &QuoridorParams, store: Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> {
    let named = params.board.as_deref().and_then(|words| match words {
        [name] => BOARDS.iter().find(|board| board.name == name),
        _ => None,
    });
    let size = params.size.unwrap_or(if named.is_some() { NamedBoard::SIZE } else { 9 });
    if named.is_some() && size != NamedBoard::SIZE {
        return Err(QuoridorBoardError::SizeOfNamed { size, expected: NamedBoard::SIZE }.into());
    }
    let usual = if params.board.is_some() { 0 } else { size * size / 8 };
    let plan = Plan {
        size,
        in_hand: params.walls.unwrap_or(usual),
        placed: named.map_or_else(
            || params.board.iter().flatten().map(String::as_str).collect(),
            |board| board.walls.split_whitespace().collect(),
        ),
        columns: params.start,
        plies: params.plies,
    };
    Ok(on_cells!(size, C => offered(plan.referee::<C>()?).open(spec, store)))
}

/// A game as the user asked for it.
struct Plan<'a> {
    size: u8,
    in_hand: u8,
    placed: Vec<&'a str>,
    columns: StartColumns,
    plies: Option<u32>,
}

impl Plan<'_> {
    fn referee<C: Cells>(&self) -> Result<Referee<Quoridor<C>>, WorkError> {
        let start = Walls::read(self.placed.iter().copied(), self.size)
            .and_then(|walls| Quoridor::start_in(self.columns, self.size, self.in_hand, walls))
            .map_err(|fault| WorkError::from(self.refused(fault)))?;
        Ok(referee(start, self.plies))
    }

    fn refused(&self, fault: SetupError) -> QuoridorBoardError {
        let board = self.placed.join("-");
        match fault {
            SetupError::NotAWall { .. } => {
                QuoridorBoardError::NotAWall { board, fault, expected: WALLS_EXPECTED }
            }
            _ => QuoridorBoardError::Setup { board, fault },
        }
    }
}

/// The referee: a position that occurs three times is a draw, and so is a game of `plies` moves, by default four
/// times as many as the board has tiles.
pub fn referee<C: Cells>(start: Quoridor<C>, plies: Option<u32>) -> Referee<Quoridor<C>> {
    let usual = 4 * u32::from(start.size()).pow(2);
    Referee { start, repetitions: Some(3), max_plies: Some(plies.unwrap_or(usual)) }
}

params! {
    /// The evaluation by paths.
    struct PathParams {
        step: u16 = 400, in 0..=10_000,
            "worth of a step, in thousandths of log-odds" | "valeur d’un pas, en millièmes de log-cote";
        wall: u16 = 800, in 0..=10_000,
            "worth of a wall in hand, in thousandths of log-odds" | "valeur d’un mur en main, en millièmes de log-cote";
        moves: MoveSelection = MoveSelection::Relevant,
            "searches look at steps and at walls near pawns, ways and other walls, or at all moves"
            | "les recherches regardent les pas et les murs proches des pions, des chemins et des autres murs, ou tous les coups";
    }
    memory |_params| 0
}

words!(MoveSelection { "near" => MoveSelection::Relevant, "all" => MoveSelection::All });

impl PathParams {
    fn weights(&self) -> PathWeights {
        PathWeights { step: self.step.into(), wall: self.wall.into() }
    }
}

params! {
    /// The evaluation by a network.
    struct QuoridorNetParams {
        file: ModelFile = ModelFile::Shipped,
            "a trained network (what comes with the program for this board, if none is given)"
            | "un réseau entraîné (celui livré pour ce plateau, si aucun n’est donné)";
    }
}

/// A board with all that it offers.
fn offered<C: Cells>(referee: Referee<Quoridor<C>>) -> OpenGame<Quoridor<C>> {
    let network = QuoridorNetParams { file: LearntNetwork::default_file(&referee.start) };
    OpenGame::refereed(NAME, SUMMARY, referee)
        .evaluator(
            "path",
            Text::new(
                "who is nearer to the goal, and who has more walls in hand",
                "qui est plus près du but, et qui a plus de murs en main",
            ),
            PathParams::default(),
            |params| Ok(PathEvaluator::new(params.weights()).with_selection(params.moves)),
        )
        .evaluator_def(EvaluatorDef::new(
            "net",
            Text::new("a network trained by self-play", "un réseau entraîné en jouant contre lui-même"),
            network,
            |board, params: &QuoridorNetParams| {
                Ok(Box::new(LearntNetwork::given(board, &params.file)?.evaluator()))
            },
        ))
        .search_defaults(SearchDefaults {
            depth: 4,
            playout: PlayoutChoice::None,
            exploration: 0.3,
            cut: None,
        })
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
        .console(|store| Box::new(QuoridorConsole::new(store)))
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
) -> Result<BoardDef<Referee<Quoridor<C>>>, WorkError> {
    let referee = match game.start.read_like(position) {
        Ok(start) if !game.start.may_lead_to(&start) => Referee { start, ..game.clone() },
        _ => game.clone(),
    };
    Ok(board_def(referee))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        assert_eq!(PathParams::default().weights(), PathWeights::default());
        let names = BOARDS.map(|board| board.name);
        let (last, others) = names.split_last().unwrap();
        let others = others.join(", ");
        assert_eq!(WALLS_EXPECTED.en, format!("{others} or {last}, or walls such as b2h-c3v"));
        assert_eq!(WALLS_EXPECTED.fr, format!("{others} ou {last}, ou des murs tels que b2h-c3v"));
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
        assert_eq!(start("quoridor:size=4,walls=0,start=same").unwrap(), "4 b1:0 b4:0 white");
        assert_eq!(start("quoridor:size=5,start=same").unwrap(), "5 c1:3 c5:3 white");
        assert_eq!(start("quoridor:board=empty").unwrap(), "5 c1:0 c5:0 white");
        assert_eq!(start("quoridor:board=offset").unwrap(), "5 c1:0 c5:0 white c2h b3h");
        assert_eq!(start("quoridor:board=corridor").unwrap(), "5 c1:0 c5:0 white b1v c1v b3v c3v");
        let own = start("quoridor:size=9,walls=1,board=b2h-c3v").unwrap();
        assert_eq!(own, "9 e1:1 e9:1 white b2h c3v");
        let refusal = |game: &str| start(game).unwrap_err();
        assert!(refusal("quoridor:size=7,board=snake").contains("size=7: expected 5"));
        assert!(refusal("quoridor:start=left").contains("start=left: expected one of mirrored, same"));
        assert!(refusal("quoridor:board=maze").contains("'maze' is not a wall"));
        assert!(refusal("quoridor:board=maze").contains("corridor"));
        assert!(refusal("quoridor:board=b2h-c2h").contains("board=b2h-c2h: the walls b2h and c2h overlap"));
        assert!(refusal("quoridor:board=b2h-").contains("such as b2h-c3v"));
        assert_eq!(refusal("quoridor:board=b2h-b2h"), "board=b2h-b2h: the wall 'b2h' stands there twice");
    }
}
