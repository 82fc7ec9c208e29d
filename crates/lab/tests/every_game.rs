//! What every registered game must have: a golden playthrough, a perft suite, players that work.
//!
//! `UPDATE=1 cargo test -p outplay-lab --test every_game` rewrites the playthroughs; read the difference before
//! you keep it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use outplay_core::Seat;
use outplay_lab::matches::MatchPlan;
use outplay_lab::{GAMES, House, Store, Watch, open_game};

fn suite(folder: &str, game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder).join(format!("{game}.txt"))
}

fn open(game: &str) -> (Box<dyn House>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open_game(game, &Arc::new(Store::at(folder.path()))).unwrap(), folder)
}

/// One random game, readable: every position, its moves, the move played, the outcome.
fn playthrough(house: &dyn House) -> String {
    let mut table = house.table(None, 1).unwrap();
    for seat in Seat::BOTH.into_iter().take(house.seats()) {
        table.seat(seat, "random").unwrap();
    }
    let mut text = String::new();
    loop {
        let now = table.snapshot();
        writeln!(text, "# {}\n{}\nposition {}", now.moves.len(), now.picture, now.position).unwrap();
        if let Some(outcome) = now.outcome {
            writeln!(text, "{outcome}").unwrap();
            return text;
        }
        let legal = table.legal();
        writeln!(text, "{} has {} moves: {}", now.to_move_name, legal.len(), legal.join(" ")).unwrap();
        let mv = table.think(&AtomicBool::new(false)).unwrap().best;
        writeln!(text, "{} plays {mv}\n", now.to_move_name).unwrap();
        table.play(&mv).unwrap();
    }
}

#[test]
fn every_game_has_its_golden_playthrough() {
    for entry in GAMES {
        let (house, _folder) = open(entry.name);
        let text = playthrough(&*house);
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
    for entry in GAMES {
        let Ok(text) = fs::read_to_string(suite("perft", entry.name)) else {
            let (house, _folder) = open(entry.name);
            assert!(house.perft(None, 1).is_err(), "{} has no perft suite", entry.name);
            continue;
        };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [game, depth, leaves] = words[..] else { panic!("{line:?} is not a perft line") };
            let (house, _folder) = open(game);
            let report = house.perft(None, depth.parse().unwrap()).unwrap();
            assert_eq!(report.nodes, leaves.parse::<u64>().unwrap(), "{line}");
        }
    }
}

#[test]
fn every_player_of_every_game_plays_a_game_and_has_an_opinion() {
    for entry in GAMES {
        let (house, _folder) = open(entry.name);
        for player in house.players() {
            let names = vec![player.name.to_owned(); house.seats()];
            let plan = MatchPlan { games: 2, random_plies: 4, ..MatchPlan::default() };
            let report = house.run_match(&names, &plan, Watch::nobody()).unwrap();
            assert_eq!(report.summary.games, 2, "{} of {}", player.name, entry.name);
            for record in &report.records {
                assert_eq!(house.replay(record).unwrap().len(), record.plies + 1);
            }
            let opinion = house.table(None, 0).unwrap().advise(player.name, &AtomicBool::new(false)).unwrap();
            assert!(
                opinion.candidates.iter().any(|candidate| candidate.mv == opinion.best),
                "{}",
                player.name
            );
        }
        for named in [house.opponent(), house.analyst()] {
            house.check_player(named, Watch::nobody()).unwrap();
        }
    }
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let (house, _folder) = open("pushover");
    let players = ["mcts:sims=50,threads=2".to_owned(), "alphabeta:depth=3,eval=net".to_owned()];
    let play = |threads| {
        let plan =
            MatchPlan { games: 12, seed: 5, random_plies: 4, threads: Some(threads), ..MatchPlan::default() };
        let report = house.run_match(&players, &plan, Watch::nobody()).unwrap();
        serde_json::to_string(&report.records).unwrap() + &serde_json::to_string(&report).unwrap()
    };
    assert_eq!(play(1), play(2));
    assert_eq!(play(1), play(5));
}
