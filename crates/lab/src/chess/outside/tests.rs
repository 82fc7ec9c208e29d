//! Programs that behave, and programs that do not.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::Position;
use outplay_players::Budget;

use crate::store::Store;
use outplay_arena::contest::MatchReport;
use outplay_arena::matches::MatchPlan;
use outplay_games::chess::Chess;
use outplay_games::chess::pgn::CommentScore;
use outplay_runtime::Watch;
use outplay_uci::driver::{EngineConfig, EngineError, UciEngine};

/// A program in the shell's language: it introduces itself, notes its number down, and answers `go` by `answer`.
fn script(folder: &Path, answer: &str) -> String {
    let path = folder.join("engine.sh");
    let pids = folder.join("pids");
    let text = format!(
        "echo $$ >> {pids}\nwhile read -r line; do case \"$line\" in\nuci) echo 'id name fake'; \
         echo 'option name Skill Level type spin default 20 min 0 max 20'; echo uciok;;\n\
         isready) echo readyok;;\nquit) exit;;\ngo*) {answer};;\nesac; done\n",
        pids = pids.display(),
    );
    fs::write(&path, text).unwrap();
    format!("sh {}", path.display())
}

fn duel(engine: &str, games: u64) -> Result<MatchReport, String> {
    let data = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(data.path()));
    let board = crate::open_game("chess:plies=30", &store).unwrap();
    let plan = MatchPlan { games, seed: 1, threads: Some(2), ..MatchPlan::default() };
    let players = [engine.to_owned(), "random".to_owned()];
    let entrants = board.entrants(&players, Watch::nobody()).map_err(|error| error.to_string())?;
    entrants.run_match_of_all(&plan, None, Watch::nobody()).map_err(|error| error.to_string())
}

/// Whether a process still does anything.
fn is_alive(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state
        .rsplit(')')
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

/// Whether a process goes on although it was told to end: the system may take a moment to end one.
fn stays(pid: &str) -> bool {
    let begun = Instant::now();
    while is_alive(pid) && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    is_alive(pid)
}

#[test]
fn a_program_that_misbehaves_loses_the_game_and_the_match_goes_on() {
    for (answer, reason) in [
        ("sleep 1000 & echo $! >> $(dirname $0)/pids; wait", "did not answer 'go depth 1' within 0.4 s"),
        ("exit 1", "ended before it answered 'go depth 1'"),
        ("echo bestmove banana", "answered 'bestmove banana' to 'go depth 1': expected a legal move"),
        ("echo 'bestmove (none)'", "answered 'bestmove (none)'"),
        ("echo bestmove e2e5", "answered 'bestmove e2e5'"),
        ("while :; do echo info depth 1; done", "did not answer"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let command = script(folder.path(), answer);
        let report = duel(&format!("uci:command={command},depth=1,timeout=400ms"), 4).unwrap();
        assert_eq!(report.summary.forfeits, [4, 0], "{answer}");
        assert_eq!((report.summary.games, report.summary.tally.losses), (4, 4), "{answer}");
        let why = report.summary.forfeit_reason.unwrap();
        assert!(why.starts_with("the engine 'sh ") && why.contains(reason), "{answer}: {why}");
        let pids = fs::read_to_string(folder.path().join("pids")).unwrap();
        assert!(pids.lines().count() >= 2, "{answer}: {pids}");
        assert!(!pids.lines().any(stays), "{answer}: a process is left of {pids}");
    }
}

#[test]
fn a_program_that_does_not_introduce_itself_loses_in_time() {
    let begun = Instant::now();
    let report = duel("uci:command=sleep 1000,timeout=200ms", 2).unwrap();
    assert_eq!(report.summary.forfeits, [2, 0]);
    assert!(report.summary.forfeit_reason.unwrap().contains("did not answer 'uci' within 0.2 s"));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn mistakes_in_the_command_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let command = script(folder.path(), "echo bestmove e2e4");
    for (engine, sentence) in [
        ("uci".to_owned(), "has no command: expected one such as uci:command=stockfish"),
        ("uci:command=no-such-program".to_owned(), "the engine 'no-such-program' cannot be started"),
        (
            format!("uci:command={command},options=Skil=3"),
            "has no option 'Skil': expected one of Skill Level",
        ),
        (format!("uci:command={command},options=Skill"), "options=Skill: expected options such as"),
        (
            format!("uci:command={command},options=Skill Level=banana"),
            "does not take Skill Level=banana: expected a whole number from 0 to 20",
        ),
    ] {
        let refusal = duel(&engine, 1).unwrap_err();
        assert!(refusal.contains(sentence), "{engine}: {refusal}");
    }
}

#[test]
fn verdicts_and_lines_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let answer = "echo info depth 7 multipv 1 score cp 35 nodes 99 pv e2e4 e7e5 e9; \
                  echo info depth 7 multipv 2 score cp 5 pv d2d4; \
                  echo info depth 8 score cp 300 lowerbound pv a2a3; echo bestmove e2e4 ponder e7e5";
    let terms = EngineConfig {
        command: script(folder.path(), answer),
        options: vec![("skill level".to_owned(), "3".to_owned())],
        patience: Duration::from_secs(5),
    };
    let start = Chess::start();
    let mut engine = UciEngine::start(&terms).unwrap();
    engine.new_game().unwrap();
    let reply = engine.go(&start, &[], &Budget::depth(7), None).unwrap();
    assert_eq!((reply.verdict, reply.depth, reply.nodes), (Some(CommentScore::Centipawns(35)), 7, 99));
    let texts: Vec<String> = reply.line.iter().map(|&mv| start.uci(mv, false)).collect();
    assert_eq!(texts, ["e2e4", "e7e5"]);
    let fault = engine.go(&start.after(reply.best), &[], &Budget::depth(7), None).unwrap_err();
    assert!(matches!(fault, EngineError::Nonsense { .. }), "{fault}");
}

/// A real engine, where there is one (`cargo xtask test` sees to it): legal games to the end, in Chess960 too.
#[test]
fn stockfish_plays_whole_games() {
    if !outplay_testing::has_stockfish() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(data.path()));
    let plan = MatchPlan { games: 4, seed: 1, threads: Some(2), ..MatchPlan::default() };
    let players = ["uci:command=stockfish,depth=3,options=Hash=4".to_owned(), "random".to_owned()];
    for game in ["chess", "chess:start=0"] {
        let board = crate::open_game(game, &store).unwrap();
        let report = board
            .entrants(&players, Watch::nobody())
            .unwrap()
            .run_match_of_all(&plan, None, Watch::nobody())
            .unwrap();
        assert_eq!((report.summary.tally.wins, report.summary.forfeits), (4, [0, 0]), "{game}");
    }
}
