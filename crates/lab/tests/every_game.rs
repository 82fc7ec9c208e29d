//! What every registered game must have: a golden playthrough, a perft suite, players that work.
//!
//! `UPDATE=1 cargo test -p outplay-lab --test every_game` rewrites the playthroughs; read the difference before
//! you keep it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use outplay_arena::GameRecord;
use outplay_arena::matches::MatchPlan;
use outplay_core::Seat;
use outplay_lab::registry::TrainPlan;
use outplay_lab::{AnyGame, Store, games, open_game};
use outplay_runtime::Watch;
use proptest::prelude::*;

fn suite(folder: &str, game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder).join(format!("{game}.txt"))
}

fn open(game: &str) -> (Box<dyn AnyGame>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open_game(game, &Arc::new(Store::at(folder.path()))).unwrap(), folder)
}

/// One random game, readable: every position, its moves, the move played, the outcome.
fn playthrough(board: &dyn AnyGame) -> String {
    let mut table = board.table(None, 1).unwrap();
    for seat in Seat::BOTH.into_iter().take(board.info().seats) {
        table.seat(seat, "random", Watch::nobody()).unwrap();
    }
    let mut text = String::new();
    loop {
        let now = table.snapshot();
        writeln!(text, "# {}\n{}\nposition {}", now.moves.len(), now.scene.to_text(), now.position).unwrap();
        if let Some(outcome) = now.outcome {
            writeln!(text, "{outcome}").unwrap();
            return text;
        }
        let legal = table.legal();
        writeln!(text, "{} has {} moves: {}", now.to_move_name, legal.len(), legal.join(" ")).unwrap();
        let mv = table.think(Watch::nobody(), None).unwrap().best;
        writeln!(text, "{} plays {mv}\n", now.to_move_name).unwrap();
        table.play(&mv).unwrap();
    }
}

/// The game whose random playthrough is short enough to be read.
fn readable_board(game: &str) -> &str {
    match game {
        "chess" => "chess:plies=40",
        "quoridor" => "quoridor:size=3,walls=2",
        "loderunner" => "loderunner:level=bury,guards=shortest,turns=40",
        _ => game,
    }
}

/// Play can go on from the text of a position: it offers the moves that the game itself offers there.
#[test]
fn a_position_that_is_read_back_has_the_same_moves() {
    for game in games() {
        let (board, _folder) = open(game.name);
        let mut table = board.table(None, 1).unwrap();
        for ply in 0..6 {
            let (legal, position) = (table.legal(), table.snapshot().position);
            let again = board.table(Some(&position), 2).unwrap();
            assert_eq!(again.legal(), legal, "{} after {ply} moves: {position}", game.name);
            let Some(mv) = legal.get(legal.len() / 2) else { break };
            table.play(mv).unwrap();
        }
    }
}

#[test]
fn every_game_has_its_golden_playthrough() {
    for entry in games() {
        let (board, _folder) = open(readable_board(entry.name));
        let text = playthrough(&*board);
        let path = suite("playthroughs", entry.name);
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let golden =
            fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} has no playthrough", entry.name));
        assert!(text == golden, "{} plays otherwise than {}:\n{text}", entry.name, path.display());
    }
}

#[test]
fn every_open_game_passes_its_perft_suite() {
    for entry in games() {
        let Ok(text) = fs::read_to_string(suite("perft", entry.name)) else {
            let (board, _folder) = open(entry.name);
            assert!(board.perft(None, 1).is_err(), "{} has no perft suite", entry.name);
            continue;
        };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [game, depth, leaves] = words[..] else { panic!("{line:?} is not a perft line") };
            let (board, _folder) = open(game);
            let report = board.perft(None, depth.parse().unwrap()).unwrap();
            assert_eq!(report.nodes, leaves.parse::<u64>().unwrap(), "{line}");
        }
    }
}

/// The usual board of a game, and small ones that offer more players.
fn boards(game: &str) -> Vec<&str> {
    match game {
        "quoridor" => vec![game, "quoridor:size=5", "quoridor:size=4,walls=2"],
        "minesweeper" => vec![game, "minesweeper:rows=4,cols=4,mines=2"],
        _ => vec![game],
    }
}

/// The player as it is asked to play: one that takes a second a move is asked to take less, and one that has no network
/// for the board is given one that has learnt from a few games.
fn as_asked(board: &dyn AnyGame, player: &str, folder: &Path) -> String {
    let spec = board.info().spec.as_str();
    match (spec.split(':').next().unwrap_or(spec), player) {
        ("quoridor", "expert") => "expert:level=4".to_owned(),
        ("chess", "engine") => "engine:level=4".to_owned(),
        ("loderunner", "mcts") => "mcts:sims=20,cut=8".to_owned(),
        (_, "net" | "selftaught" | "zero")
            if board.entrants(&[player.to_owned()], Watch::nobody()).is_err() =>
        {
            let out = folder.join(player);
            let method = match player {
                "zero" => "zero:games=20,generation=10,sims=4,check=0",
                _ => "td-lambda:games=20",
            };
            let plan = TrainPlan { method, seed: 1, out: &out, resume: false, threads: None };
            board.train(&plan, Watch::nobody()).unwrap();
            format!("{player}:file={}", out.display())
        }
        _ => player.to_owned(),
    }
}

#[test]
fn every_player_of_every_game_plays_a_game_and_has_an_opinion() {
    for entry in games() {
        for board in boards(entry.name) {
            let (board, folder) = open(board);
            // A program from outside may not be there; `lab/src/chess/outside` has tests of its own.
            for player in board.info().players.iter().filter(|player| player.name != "uci") {
                let named = as_asked(&*board, player.name, folder.path());
                let names = vec![named.clone(); board.info().seats];
                let plan = MatchPlan { games: 2, random_plies: 4, ..MatchPlan::default() };
                let mut records = 0;
                let mut replay = |record: &GameRecord| {
                    assert_eq!(board.replay(record).unwrap().len(), record.plies + 1);
                    records += 1;
                };
                let report = board
                    .entrants(&names, Watch::nobody())
                    .unwrap()
                    .run_match_of_all(&plan, Some(&mut replay), Watch::nobody())
                    .unwrap();
                assert_eq!((report.summary.games, records), (2, 2), "{} of {}", player.name, entry.name);
                let opinion = board.table(None, 0).unwrap().advise(&named, Watch::nobody(), None).unwrap();
                assert!(
                    opinion.candidates.iter().any(|candidate| candidate.mv == opinion.best),
                    "{}",
                    player.name
                );
            }
            for named in [board.info().opponent, board.info().analyst, board.info().reviewer] {
                board.entrants(&[named.to_owned()], Watch::nobody()).unwrap();
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let (board, _folder) = open("pushover");
    let players = ["mcts:sims=50,threads=2".to_owned(), "alphabeta:depth=3,eval=net".to_owned()];
    let play = |threads| {
        let plan =
            MatchPlan { games: 12, seed: 5, random_plies: 4, threads: Some(threads), ..MatchPlan::default() };
        let mut text = String::new();
        let mut write = |record: &GameRecord| text += &serde_json::to_string(record).unwrap();
        let report = board
            .entrants(&players, Watch::nobody())
            .unwrap()
            .run_match_of_all(&plan, Some(&mut write), Watch::nobody())
            .unwrap();
        text + &serde_json::to_string(&report).unwrap()
    };
    assert_eq!(play(1), play(2));
    assert_eq!(play(1), play(5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A damaged record is refused by the reader or the referee, or is that of another game; nothing panics.
    #[test]
    fn damaged_records_are_refused_or_games(
        seed in 0_u64..20,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        position in prop::option::of("[o+.A-Po]{0,20}|.{0,20}"),
    ) {
        for entry in games() {
            let (board, folder) = open(entry.name);
            let mut texts = Vec::new();
            let mut write = |record: &GameRecord| {
                let record = GameRecord { position: position.clone(), ..record.clone() };
                texts.push(serde_json::to_vec(&record).unwrap());
            };
            let plan = MatchPlan { games: 1, seed, ..MatchPlan::default() };
            let players = vec!["random".to_owned(); board.info().seats];
            board.entrants(&players, Watch::nobody()).unwrap().run_match_of_all(&plan, Some(&mut write), Watch::nobody()).unwrap();
            let mut text = texts.remove(0);
            for (place, byte) in &damage {
                let place = place.index(text.len());
                text[place] = *byte;
            }
            let Ok(record) = serde_json::from_slice::<GameRecord>(&text) else { continue };
            let Ok(board) = open_game(&record.game, &Arc::new(Store::at(folder.path()))) else { continue };
            if let Ok(snapshots) = board.replay(&record) {
                prop_assert_eq!(snapshots.last().unwrap().result, Some(record.outcome));
            }
        }
    }
}
