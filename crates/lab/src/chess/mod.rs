//! Chess in the lab: its entry in the registry, its players.
//!
//! Belongs here: what joins the game to the methods. Does not belong here: rules (in `games`), methods (in
//! `players`).

mod bench;
mod data;
mod engine;
pub(crate) mod learning;
pub mod openings;
mod outside;
pub mod pgn;
mod texel;
pub mod uci;

use std::io::BufRead;
use std::sync::Arc;

use outplay_core::{Referee, Rng};
use outplay_games::chess::{Chess, DrawClock, Material};
use outplay_players::EvenEvaluator;

use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::record::ToldGames;
use crate::registry::{
    Answer, DataReport, DataRequest, Dwelling, EvaluationRequest, EvaluatorEntry, EvaluatorUser, GameEntry,
    Hosted, House, Judged, Listing, MethodEntry, PlayerEntry, Question, names, open_players,
};
use crate::spec::{Kind, Param, Spec, Values};
use crate::store::Store;
use crate::watch::Watch;
use learning::Foreseeing;
use learning::neighbours::Known;
use learning::network::Classifier;

/// The line of chess in the registry.
pub(crate) const ENTRY: GameEntry = GameEntry {
    name: "chess",
    summary: "the game of kings, by the laws of FIDE; also Chess960 (ChessMate 2018)",
    params: &[
        Param {
            name: "start",
            kind: Kind::Whole(0, 959),
            default: Some("518"),
            help: "the start position of Chess960 with this number; 518 is the usual one",
        },
        Param {
            name: "draws",
            kind: Kind::Word(&["claimed", "forced"]),
            default: Some("claimed"),
            help: "a draw by the third repetition and fifty moves without progress, which a player may claim, or by the fifth and seventy-five",
        },
        Param {
            name: "plies",
            kind: Kind::Whole(1, 10_000),
            default: None,
            help: "a game of this many moves of either side is a draw (no limit, if not given)",
        },
    ],
    open,
};

#[expect(clippy::unnecessary_wraps, reason = "other games refuse some parameters")]
fn open(spec: Spec, values: &Values, store: Arc<Store>) -> Result<Box<dyn House>, LabError> {
    let (repetitions, clock) = match values.word("draws") {
        "forced" => (5, DrawClock::SeventyFive),
        _ => (3, DrawClock::Fifty),
    };
    let game = Referee {
        start: Chess::start_960(values.whole("start") as u16).drawn_after(clock),
        repetitions: Some(repetitions),
        max_plies: values.optional_whole("plies").map(|plies| plies as u32),
    };
    Ok(Box::new(Dwelling { spec, game: Arc::new(game), store }))
}

const MATERIAL: EvaluatorEntry = EvaluatorEntry {
    name: "material",
    summary: "counts the pieces: queen 9.5, rook 5, bishop 3.5, knight 3, pawn 1 (ChessMate 2018)",
    params: &[Param {
        name: "pawn",
        kind: Kind::Whole(1, 10_000),
        default: Some("576"),
        help: "worth of a pawn, in thousandths of log-odds",
    }],
};
const EVEN: EvaluatorEntry = EvaluatorEntry { name: "even", summary: "knows nothing", params: &[] };
const CLASSIC: EvaluatorEntry = EvaluatorEntry {
    name: "classic",
    summary: "material, places, mobility, pawns, kings and threats",
    params: &[engine::WEIGHTS],
};
const NET: EvaluatorEntry = EvaluatorEntry {
    name: "net",
    summary: "a network that tells six classes of positions apart; their expected worth (ChessMate 2018)",
    params: learning::network::PARAMS,
};
const KNN: EvaluatorEntry = EvaluatorEntry {
    name: "knn",
    summary: "the positions of a set that look most alike, and what they were worth (ChessMate 2018)",
    params: learning::neighbours::PARAMS,
};
const EVALUATORS: [EvaluatorEntry; 5] = [MATERIAL, CLASSIC, NET, KNN, EVEN];

impl Judged for Chess {
    const EVALUATORS: &'static [EvaluatorEntry] = &EVALUATORS;
    const NAMES: &'static [&'static str] = &names(&EVALUATORS);
    const DEPTH: u32 = 3;
    const LEAVES: (&'static str, &'static str) = ("random", "0.5");
    /// Random games of chess are long and their ends say little of where they began.
    const CUT: Option<&'static str> = Some("30");

    fn with_evaluator<U: EvaluatorUser<Self>>(
        &self,
        name: &str,
        values: &Values,
        _store: &Store,
        user: U,
    ) -> Result<U::Output, LabError> {
        Ok(match name {
            "net" => user.take(Foreseeing::new(Classifier::of(values)?)),
            "knn" => user.take(Foreseeing::new(Known::of(values)?)),
            "material" => user.take(Material { pawn: values.whole("pawn") as i32 }),
            "classic" => user.take(engine::judge(values)?),
            _ => user.take(EvenEvaluator),
        })
    }
}

impl Hosted for Chess {
    const NAME: &'static str = ENTRY.name;
    const OPPONENT: &'static str = "engine";
    const ANALYST: &'static str = "engine:nodes=1000000,candidates=8";
    const REVIEWER: &'static str = "engine:nodes=5000";
    const HAS_KO: bool = false;

    fn players() -> Vec<PlayerEntry<Referee<Self>>> {
        let mut players = open_players();
        players.push(engine::entry());
        players.push(outside::player());
        players
    }

    fn methods() -> Vec<MethodEntry<Referee<Self>>> {
        let net = MethodEntry {
            listing: Listing {
                name: "net",
                summary: "a network that tells six classes of positions apart, for eval=net (ChessMate 2018)",
                params: learning::teach::PARAMS.to_vec(),
            },
            measures: learning::MEASURES,
            begin: |_, values, seed, _, _| learning::teach::begin(values, seed),
        };
        vec![net, texel::method()]
    }

    fn exams() -> Vec<MethodEntry<Referee<Self>>> {
        let knn = MethodEntry {
            listing: Listing {
                name: "knn",
                summary: "nearest neighbours that tell six classes of positions apart (ChessMate 2018)",
                params: learning::exam::params(),
            },
            measures: learning::MEASURES,
            begin: |_, values, seed, _, _| learning::exam::begin(values, seed),
        };
        vec![knn]
    }

    fn chores() -> Vec<Listing> {
        vec![
            Listing {
                name: "data",
                summary: "positions with an engine's verdicts, from annotated games or from games that an engine plays",
                params: data::PARAMS.to_vec(),
            },
            Listing {
                name: "evaluate",
                summary: "how well a network, or the neighbours in a set, tell classes of positions apart",
                params: learning::EVALUATION_PARAMS.to_vec(),
            },
        ]
    }

    fn around(game: &Referee<Self>, _position: &str) -> Result<Referee<Self>, LabError> {
        Ok(game.clone())
    }

    fn solve(
        _: &Referee<Self>,
        _: &Question<'_, Referee<Self>>,
        _: &Store,
        _: Watch<'_>,
    ) -> Result<Answer, LabError> {
        Err(LabError::refused("chess has no exact solver: expected 'analyse' for a player's opinion"))
    }

    fn bench(game: &Referee<Self>, _: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        bench::measure(game)
    }

    fn data(_: &Referee<Self>, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        data::data(request, watch)
    }

    fn evaluate(
        _: &Referee<Self>,
        request: &EvaluationRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<DataReport, LabError> {
        learning::evaluate(request, watch)
    }

    fn console() -> Result<Box<dyn Console>, LabError> {
        Err(LabError::refused("chess has no console: expected quoridor"))
    }

    fn read_games<'a>(source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        Ok(Box::new(pgn::read(source)))
    }

    fn another_board(game: &Referee<Self>, _replay: u32, rng: &mut Rng) -> Option<String> {
        let draws = match game.start.draw_clock() {
            DrawClock::Fifty => "claimed",
            DrawClock::SeventyFive => "forced",
        };
        let plies = game.max_plies.map_or(String::new(), |plies| format!(",plies={plies}"));
        Some(format!("chess:start={},draws={draws}{plies}", rng.below(960)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_what_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        let start = |game: &str| {
            let house = crate::open_game(game, &store).map_err(|error| error.to_string())?;
            Ok::<_, String>(house.table(None, 0).unwrap().snapshot().position)
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
        let house = crate::open_game("chess:draws=forced,plies=200", &store).unwrap();
        let another = house.another_board(0, 1).unwrap();
        assert!(another.ends_with(",draws=forced,plies=200"), "{another}");
        assert_ne!(house.another_board(1, 1), Some(another.clone()));
        crate::open_game(&another, &store).unwrap();
    }

    /// The defaults that a user is shown are those of the types that a program uses.
    #[test]
    fn defaults_are_written_once_in_effect() {
        let values = "material".parse::<Spec>().unwrap().resolve("material", MATERIAL.params).unwrap();
        assert_eq!(values.whole("pawn") as i32, Material::default().pawn);
    }
}
