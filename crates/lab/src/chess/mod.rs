//! Chess in the lab: its players, its networks, its sets of examples.

mod bench;
mod data;
mod engine;
pub mod learning;
pub mod openings;
mod outside;
pub mod pgn;
mod texel;

use outplay_core::{Referee, Rng, Seat};
use outplay_games::chess::{Chess, DrawClock, MaterialEvaluator, PieceKind};

use crate::registry::{
    DataDef, EvaluationDef, GameDef, Listing, MethodDef, OpenGame, Preset, SearchDefaults,
};
use crate::spec::{Param, ParamKind, Values};
use learning::CachedJudge;
use learning::neighbours::KnownExamples;
use learning::network::Classifier;

const NAME: &str = "chess";
const SUMMARY: &str = "the game of kings, by the laws of FIDE; also Chess960 (ChessMate 2018)";

/// Chess on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(NAME, "Chess", SUMMARY, PARAMS, |spec, values, store| {
        Ok(board(referee(values)).open(spec, store))
    })
    .with_presets(&[Preset { title: "Standard", detail: "8 × 8", game: NAME }])
    .with_picture("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5")
}

const PARAMS: &[Param] = &[
    Param {
        name: "start",
        kind: ParamKind::Whole(0, 959),
        default: Some("518"),
        help: "the start position of Chess960 with this number; 518 is the usual one",
    },
    Param {
        name: "draws",
        kind: ParamKind::Word(&["claimed", "forced"]),
        default: Some("claimed"),
        help: "a draw by the third repetition and fifty moves without progress, which a player may claim, or by the fifth and seventy-five",
    },
    Param {
        name: "plies",
        kind: ParamKind::Whole(1, 10_000),
        default: None,
        help: "a game of this many plies is a draw (no limit if not given)",
    },
];

fn referee(values: &Values) -> Referee<Chess> {
    let (repetitions, clock) = match values.word("draws") {
        "forced" => (5, DrawClock::SeventyFive),
        _ => (3, DrawClock::Fifty),
    };
    Referee {
        start: Chess::start_960(values.whole("start") as u16).with_draw_clock(clock),
        repetitions: Some(repetitions),
        max_plies: values.optional_whole("plies").map(|plies| plies as u32),
    }
}

const MATERIAL_PARAMS: &[Param] = &[Param {
    name: "pawn",
    kind: ParamKind::Whole(1, 10_000),
    default: Some("576"),
    help: "worth of a pawn, in thousandths of log-odds",
}];

/// A board with all that it offers.
fn board(referee: Referee<Chess>) -> OpenGame<Chess> {
    // Random games of chess are long and their ends say little of where they began.
    let defaults = SearchDefaults { depth: 3, cut: Some("30"), ..SearchDefaults::default() };
    with_evaluators(OpenGame::refereed(NAME, SUMMARY, referee))
        .search_defaults(defaults)
        .opponents("engine", "engine:nodes=1000000,candidates=8", "engine:nodes=5000")
        .player(engine::player())
        .player(outside::player())
        .method(MethodDef::new(
            "net",
            "a network that tells six classes of positions apart, for eval=net (ChessMate 2018)",
            learning::train::PARAMS.to_vec(),
            learning::MEASURES,
            |_, values, seed, _, _| learning::train::begin(values, seed),
        ))
        .method(texel::method())
        .exam(MethodDef::new(
            "knn",
            "nearest neighbours that tell six classes of positions apart (ChessMate 2018)",
            learning::exam::params(),
            learning::MEASURES,
            |_, values, seed, _, _| learning::exam::begin(values, seed),
        ))
        .data(DataDef {
            listing: Listing {
                name: "data",
                summary: "positions with an engine's verdicts, from annotated games or from games that an engine plays",
                params: data::PARAMS.to_vec(),
            },
            run: |_, request, watch| data::data(request, watch),
        })
        .evaluation(EvaluationDef {
            listing: Listing {
                name: "evaluate",
                summary: "how well a network, or the neighbours in a set, tell classes of positions apart",
                params: learning::EVALUATION_PARAMS.to_vec(),
            },
            run: |_, request, watch| learning::evaluate(request, watch),
        })
        .editor()
        .game_files(pgn::FORMATS, |source| Box::new(pgn::read(source)), pgn::read_text)
        .can_win(|state, seat| has_more_than_a_king(&state.now, seat))
        .other_board(other_board)
        .bench(|game, _, _| bench::measure(game))
}

fn with_evaluators(game: OpenGame<Chess>) -> OpenGame<Chess> {
    game.evaluator(
        "material",
        "counts the pieces: queen 9.5, rook 5, bishop 3.5, knight 3, pawn 1 (ChessMate 2018)",
        MATERIAL_PARAMS,
        |values| Ok(MaterialEvaluator { pawn: values.whole("pawn") as i32 }),
    )
    .evaluator(
        "classic",
        "material, places, mobility, pawns, kings and threats",
        &[engine::WEIGHTS],
        engine::judge,
    )
    .evaluator(
        "net",
        "a network that tells six classes of positions apart; their expected worth (ChessMate 2018)",
        learning::network::PARAMS,
        |values| Ok(CachedJudge::new(Classifier::of(values)?)),
    )
    .evaluator(
        "knn",
        "the positions of a set that look most alike, and what they were worth (ChessMate 2018)",
        learning::neighbours::PARAMS,
        |values| Ok(CachedJudge::new(KnownExamples::of(values)?)),
    )
}

/// Whether a side has more than its king: else it cannot win on time.
fn has_more_than_a_king(position: &Chess, seat: Seat) -> bool {
    PieceKind::ALL.iter().any(|&kind| kind != PieceKind::King && !position.pieces(seat, kind).is_empty())
}

/// Another start position of Chess960, by the same rules.
fn other_board(game: &Referee<Chess>, _replay: u32, rng: &mut Rng) -> String {
    let draws = match game.start.draw_clock() {
        DrawClock::Fifty => "claimed",
        DrawClock::SeventyFive => "forced",
    };
    let plies = game.max_plies.map_or(String::new(), |plies| format!(",plies={plies}"));
    format!("chess:start={},draws={draws}{plies}", rng.below(960))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Store;
    use crate::spec::Spec;

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
        let values = "material".parse::<Spec>().unwrap().resolve("material", MATERIAL_PARAMS).unwrap();
        assert_eq!(values.whole("pawn") as i32, MaterialEvaluator::default().pawn);
    }
}
