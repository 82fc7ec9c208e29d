//! Matches and tournaments that were interrupted and resumed, and ones that share the machine with others.

use outplay_runtime::WorkError;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use outplay_arena::knockout::{Bracket, KnockoutPlan, run_knockout};
use outplay_arena::matches::{Contestant, MatchPlan, MatchResult, resume_match, run_match};
use outplay_arena::record::{GameRecord, RecordError, RecordHeader, RecordSink};
use outplay_arena::tournament::TournamentPlan;
use outplay_core::{Player, Seat, Turn};
use outplay_lab::registry::OtherBoards;
use outplay_lab::{AnyGame, Store, open_game};
use outplay_runtime::{Allowance, Watch};

use crate::toy::{Crosses, Greedy, Random, crosses};

const RANDOM: Contestant<'_, Crosses> = Contestant { name: "random", make: &|| Box::new(Random) };
const GREEDY: Contestant<'_, Crosses> = Contestant { name: "greedy", make: &|| Box::new(Greedy) };

fn plan(games: u64, threads: usize) -> MatchPlan {
    MatchPlan { games, seed: 3, random_plies: 1, threads: Some(threads), ..MatchPlan::default() }
}

fn play(plan: &MatchPlan) -> MatchResult<u8> {
    run_match(&crosses(), &[GREEDY, RANDOM], plan, &mut |_| (), &AtomicBool::new(false)).unwrap()
}

#[test]
fn whoever_comes_and_goes_changes_no_game() {
    let alone = play(&plan(3000, 1));
    let (cores, over) = (Allowance::new(4), AtomicBool::new(false));
    let shared = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                cores.share(|| thread::sleep(Duration::from_micros(300)));
                thread::sleep(Duration::from_micros(300));
            }
        });
        let result = cores.share(|| play(&plan(3000, 4)));
        over.store(true, Ordering::Relaxed);
        result
    });
    assert_eq!(shared, alone);
}

/// Counts the games that it is asked to play.
struct Counting(Arc<AtomicU64>);

impl Player<Crosses> for Counting {
    fn new_game(&mut self, _: Seat) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        Random.choose(view, turn)
    }
}

#[test]
fn games_that_are_known_are_counted_and_not_played_again() {
    let begun = Arc::new(AtomicU64::new(0));
    let counting = || -> Box<dyn Player<Crosses>> { Box::new(Counting(Arc::clone(&begun))) };
    let players = [Contestant { name: "counting", make: &counting }, RANDOM];
    let go_on = |known: &[_], threads| {
        let (mut seen, never) = (Vec::new(), AtomicBool::new(false));
        begun.store(0, Ordering::Relaxed);
        let mut observe =
            |progress: &outplay_arena::matches::MatchProgress<'_, u8>| seen.push(progress.game.clone());
        let plan = plan(21, threads);
        let result = resume_match(&crosses(), &players, &plan, known.to_vec(), &mut observe, &never).unwrap();
        assert_eq!((seen == result.games, begun.load(Ordering::Relaxed)), (true, 21 - known.len() as u64));
        result
    };
    let whole = go_on(&[], 1);
    for known in 0..=whole.games.len() {
        for threads in [1, 3] {
            assert_eq!(go_on(&whole.games[..known], threads), whole);
        }
    }
}

/// Keeps games in memory.
#[derive(Default)]
struct Kept {
    known: VecDeque<GameRecord>,
    written: Vec<GameRecord>,
}

impl RecordSink for Kept {
    fn recall(&mut self, header: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError> {
        let mut recalled = Vec::new();
        while let Some(record) = self.known.pop_front_if(|record| header.covers(record)) {
            recalled.push(record);
        }
        Ok(recalled)
    }

    fn keep(&mut self, record: &GameRecord) {
        assert!(self.known.is_empty(), "a game is played before all that are known were asked for");
        self.written.push(record.clone());
    }
}

/// Holds a contest, cuts it off after any number of games, and goes on: the same games, the same words.
fn check_every_cut(contest: impl Fn(&mut Kept, Watch<'_>) -> Result<String, WorkError>) {
    let mut kept = Kept::default();
    let (report, all) = (contest(&mut kept, Watch::nobody()).unwrap(), kept.written);
    for cut in (0..=all.len()).step_by(3).chain([all.len()]) {
        let mut kept = Kept { known: all[..cut].to_vec().into(), written: Vec::new() };
        assert_eq!(contest(&mut kept, Watch::nobody()).unwrap(), report);
        assert_eq!(kept.written, all[cut..]);
    }
}

fn named(players: &[&str]) -> Vec<String> {
    players.iter().map(ToString::to_string).collect()
}

fn in_words(report: &impl serde::Serialize) -> String {
    serde_json::to_string(report).unwrap()
}

fn open(folder: &tempfile::TempDir, game: &str) -> Box<dyn AnyGame> {
    open_game(game, &Arc::new(Store::at(folder.path()))).unwrap()
}

#[test]
fn a_tournament_that_was_cut_off_comes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let board = open(&folder, "pushover");
    let players = named(&["random", "greedy", "alphabeta:depth=1"]);
    let plan = TournamentPlan { games: 5, seed: 2, random_plies: 2, threads: Some(2) };
    check_every_cut(|kept, watch| {
        board
            .entrants(&players, watch)?
            .run_tournament(&plan, Some(kept), watch)
            .map(|report| in_words(&report))
    });
}

#[test]
fn a_match_of_two_players_of_one_name_comes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let board = open(&folder, "pushover");
    for fixed_seats in [false, true] {
        let plan = MatchPlan { fixed_seats, ..plan(6, 2) };
        check_every_cut(|kept, watch| {
            let entrants = board.entrants(&named(&["random", "random"]), watch)?;
            entrants.run_match_of_all(&plan, Some(kept), watch).map(|report| in_words(&report))
        });
    }
}

#[test]
fn a_knockout_that_was_cut_off_comes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let board = open(&folder, "quoridor:size=3,walls=1");
    let players = named(&["random", "greedy", "minimax:depth=1", "alphabeta:depth=2"]);
    let plan = KnockoutPlan { places: 4, seed: 4, threads: Some(2) };
    let store = Arc::new(Store::at(folder.path()));
    let replays = OtherBoards { game: &*board, store: &store, seed: plan.seed };
    check_every_cut(|kept, watch| {
        let mut last = String::new();
        let mut show = |bracket: &Bracket| last = in_words(bracket);
        let entrants = board.entrants(&players, watch)?;
        let report = run_knockout(&*entrants, &replays, &plan, Some(kept), &mut show, watch)?;
        Ok(in_words(&report) + &last)
    });
}

#[test]
fn games_of_a_game_for_one_belong_to_the_player_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let board = open(&folder, "minesweeper:rows=4,cols=4,mines=2");
    check_every_cut(|kept, watch| {
        let mut reports = String::new();
        for player in ["random", "solver"] {
            let report = board.entrants(&named(&[player]), watch)?.run_match_of_all(
                &plan(7, 2),
                Some(&mut *kept),
                watch,
            )?;
            reports += &in_words(&report);
        }
        Ok(reports)
    });
}

#[test]
fn a_record_that_is_no_game_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let board = open(&folder, "pushover");
    let (players, plan) = (named(&["random", "greedy"]), plan(4, 1));
    let mut kept = Kept::default();
    let entrants = board.entrants(&players, Watch::nobody()).unwrap();
    entrants.run_match_of_all(&plan, Some(&mut kept), Watch::nobody()).unwrap();
    let mut known = VecDeque::from(kept.written);
    known[1].moves.truncate(1);
    known[1].plies = 1;
    let mut kept = Kept { known, written: Vec::new() };
    let refused = entrants.run_match_of_all(&plan, Some(&mut kept), Watch::nobody()).unwrap_err().to_string();
    assert_eq!(refused, "the record stops after 1 moves, but the game is not over");
    assert!(kept.written.is_empty());
}
