//! Chess in the lab: its players, its networks, its sets of examples.

mod bench;
pub mod data;
mod engine;
pub mod learning;
pub mod openings;
mod outside;
pub mod pgn;
mod selfplay;
mod texel;

use outplay_core::{Referee, Rng, Seat, Text};
use outplay_games::chess::{Chess, DrawClock, MaterialEvaluator, PieceKind};

use crate::params::ParamType;
use crate::registry::{DataDef, Evaluation, EvaluationDef, GameDef, OpenGame, Preset, SearchDefaults};
use crate::{params, words};
use data::ChessDataParams;
use engine::ClassicParams;
use learning::neighbours::{KnnParams, KnownExamples};
use learning::network::{Classifier, ClassifierFileParams};
use learning::{CachedJudge, ChessEvaluationParams};

const NAME: &str = "chess";
const SUMMARY: Text = Text::new(
    "the game of kings, by the laws of FIDE; also Chess960 (ChessMate 2018)",
    "le jeu des rois, selon les règles de la FIDE ; aussi Chess960 (ChessMate 2018)",
);
const PRESETS: &[Preset] =
    &[Preset { title: Text::new("Standard", "Classique"), detail: "8 × 8", game: NAME }];

/// Chess on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(
        NAME,
        Text::new("Chess", "Échecs"),
        SUMMARY,
        ChessParams::default(),
        |spec, params, store| Ok(board(params.referee()).open(spec, store)),
    )
    .with_presets(PRESETS)
    .with_picture("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5")
}

params! {
    /// Where a game begins and when it is drawn.
    struct ChessParams {
        start: u16 = 518, in 0..=959,
            "the start position of Chess960 with this number; 518 is the usual one"
            | "la position de départ de Chess960 portant ce numéro ; 518 est l’habituelle";
        draws: DrawRule = DrawRule::Claimed,
            "a draw by the third repetition and fifty moves without progress, which a player may claim, or by the fifth and seventy-five"
            | "nulle à la troisième répétition et après cinquante coups sans progrès, qu’un joueur peut réclamer, ou à la cinquième et après soixante-quinze";
        plies: Option<u32> = None, in 1..=10_000,
            "a game of this many plies is a draw (no limit if not given)"
            | "une partie de tant de coups est nulle (sans limite, si non donné)";
    }
}

/// Which draws by repetition and by moves without progress count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawRule {
    /// Those that a player may claim.
    Claimed,
    /// Those that need no claim.
    Forced,
}

words!(DrawRule { "claimed" => DrawRule::Claimed, "forced" => DrawRule::Forced });

impl DrawRule {
    const fn of(clock: DrawClock) -> Self {
        match clock {
            DrawClock::Fifty => Self::Claimed,
            DrawClock::SeventyFive => Self::Forced,
        }
    }
}

impl ChessParams {
    fn referee(&self) -> Referee<Chess> {
        let (repetitions, clock) = match self.draws {
            DrawRule::Claimed => (3, DrawClock::Fifty),
            DrawRule::Forced => (5, DrawClock::SeventyFive),
        };
        Referee {
            start: Chess::start_960(self.start).with_draw_clock(clock),
            repetitions: Some(repetitions),
            max_plies: self.plies,
        }
    }
}

params! {
    /// The evaluator `material`.
    struct MaterialParams {
        pawn: u16 = 576, in 1..=10_000,
            "worth of a pawn, in thousandths of log-odds" | "valeur d’un pion, en millièmes de log-cote";
    }
    memory |_params| 0
}

/// A board with all that it offers.
fn board(referee: Referee<Chess>) -> OpenGame<Chess> {
    // Random games of chess are long and their ends say little of where they began.
    let defaults = SearchDefaults { depth: 3, cut: Some(30), ..SearchDefaults::default() };
    with_evaluators(OpenGame::refereed(NAME, SUMMARY, referee))
        .search_defaults(defaults)
        .opponents("engine", "engine:nodes=1000000,candidates=8", "engine:nodes=5000")
        .player(engine::player())
        .player(outside::player())
        .method(learning::train::method())
        .method(texel::method())
        .self_play("net")
        .exam(learning::exam::exam())
        .data(DataDef::new(
            Text::new(
                "positions with an engine's verdicts, from annotated games or from games that an engine plays",
                "des positions jugées par un moteur, tirées de parties annotées ou de parties qu’un moteur joue",
            ),
            ChessDataParams::default(),
            |_, request, watch| data::data(request, watch),
        ))
        .evaluation(
          EvaluationDef::new(
            Text::new(
                "how well a network, or the neighbours in a set, tell classes of positions apart",
                "comment un réseau, ou les voisins dans un ensemble, distinguent des classes de positions",
            ),
            ChessEvaluationParams::default(),
            learning::check_evaluation,
            |_, request, watch| {
                Ok(Evaluation { report: learning::evaluate(request, watch)?, figures: Vec::new() })
            },
          ).with_growth(learning::SET_GROWTH)
        )
        .editor()
        .game_files(pgn::FORMATS, |source| Box::new(pgn::read(source)), pgn::read_text)
        .can_win(|state, seat| has_more_than_a_king(&state.now, seat))
        .other_board(other_board)
        .bench(|game, _, _| bench::measure(game))
}

fn with_evaluators(game: OpenGame<Chess>) -> OpenGame<Chess> {
    game.evaluator(
        "material",
        Text::new(
            "counts the pieces: queen 9.5, rook 5, bishop 3.5, knight 3, pawn 1 (ChessMate 2018)",
            "compte les pièces : dame 9,5, tour 5, fou 3,5, cavalier 3, pion 1 (ChessMate 2018)",
        ),
        MaterialParams::default(),
        |params| Ok(MaterialEvaluator { pawn: i32::from(params.pawn) }),
    )
    .evaluator(
        "classic",
        Text::new(
            "material, places, mobility, pawns, kings and threats",
            "matériel, places, mobilité, pions, rois et menaces",
        ),
        ClassicParams::default(),
        ClassicParams::evaluator,
    )
    .evaluator(
        "net",
        Text::new(
            "a network that tells six classes of positions apart; their expected worth (ChessMate 2018)",
            "un réseau qui distingue six classes de positions ; leur valeur moyenne (ChessMate 2018)",
        ),
        ClassifierFileParams::default(),
        |params| Ok(CachedJudge::new(Classifier::of(params)?)),
    )
    .evaluator(
        "knn",
        Text::new(
            "the positions of a set that look most alike, and what they were worth (ChessMate 2018)",
            "les positions d’un ensemble qui ressemblent le plus, et ce qu’elles valaient (ChessMate 2018)",
        ),
        KnnParams::default(),
        |params| Ok(CachedJudge::new(KnownExamples::of(params)?)),
    )
}

/// Whether a side has more than its king: else it cannot win on time.
fn has_more_than_a_king(position: &Chess, seat: Seat) -> bool {
    PieceKind::ALL.iter().any(|&kind| kind != PieceKind::King && !position.pieces(seat, kind).is_empty())
}

/// Another start position of Chess960, by the same rules.
fn other_board(game: &Referee<Chess>, _replay: u32, rng: &mut Rng) -> String {
    let draws = DrawRule::of(game.start.draw_clock()).write();
    let plies = game.max_plies.map_or(String::new(), |plies| format!(",plies={plies}"));
    format!("chess:start={},draws={draws}{plies}", rng.below(960))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Store;

    #[test]
    fn games_are_what_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        let start = |game: &str| {
            let any_game = crate::open_game(game, &store).map_err(|error| error.to_string())?;
            Ok::<_, String>(any_game.table(None, 0).unwrap().snapshot().position)
        };
        assert_eq!(start("chess").unwrap(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(
            start("chess:start=0").unwrap(),
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
        );
        assert!(start("chess:start=960").unwrap_err().contains("start=960"));
    }

    /// A tie is played again by the same rules from another start.
    #[test]
    fn another_board_keeps_the_rules() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        let any_game = crate::open_game("chess:draws=forced,plies=200", &store).unwrap();
        let another = any_game.other_board(0, 1).unwrap();
        assert!(another.ends_with(",draws=forced,plies=200"), "{another}");
        assert_ne!(any_game.other_board(1, 1), Some(another.clone()));
        crate::open_game(&another, &store).unwrap();
    }

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        assert_eq!(i32::from(MaterialParams::default().pawn), MaterialEvaluator::default().pawn);
    }
}
