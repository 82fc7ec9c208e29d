//! What matches guarantee.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_arena::matches::{
    Contestant, GameOutcome, MatchError, MatchPlan, MatchProgress, MatchResult, run_match, set_up,
};
use outplay_arena::record::{GameRecord, RecordError, RecordHeader};
use outplay_arena::stats::{Sprt, SprtVerdict};
use outplay_core::{Game, Outcome, Player, Seat, Turn, View};

use crate::toy::{Crosses, Doors, Greedy, Lazy, Perfect, Random, SeenDoors, crosses};

type Make = dyn Fn() -> Box<dyn Player<Crosses>> + Sync;

const RANDOM: Contestant<'_, Crosses> = Contestant { name: "random", make: &|| Box::new(Random) };
const GREEDY: Contestant<'_, Crosses> = Contestant { name: "greedy", make: &|| Box::new(Greedy) };
const LAZY: Contestant<'_, Crosses> = Contestant { name: "lazy", make: &|| Box::new(Lazy) };
const PERFECT: Contestant<'_, Crosses> = Contestant { name: "perfect", make: &|| Box::new(Perfect) };
const GUEST: Contestant<'_, SeenDoors> = Contestant { name: "guest", make: &|| Box::new(Random) };

fn play(players: [Contestant<'_, Crosses>; 2], plan: &MatchPlan) -> MatchResult<u8> {
    run_match(&crosses(), &players, plan, &mut |_| (), &AtomicBool::new(false)).unwrap()
}

fn plan(games: u64, random_plies: u32, threads: usize) -> MatchPlan {
    MatchPlan { games, seed: 11, random_plies, threads: Some(threads), ..MatchPlan::default() }
}

/// The whole result as text: the numbers and every record.
fn written(result: &MatchResult<u8>) -> String {
    let header = RecordHeader { game: "crosses", players: &["a", "b"], seed: 11 };
    let records: Vec<GameRecord> =
        result.games.iter().map(|game| GameRecord::from_outcome(&crosses(), &header, game)).collect();
    format!(
        "{}\n{}",
        serde_json::to_string(&result.summary()).unwrap(),
        serde_json::to_string(&records).unwrap()
    )
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let sprt = Some(Sprt::new(0.0, 100.0).unwrap());
    let plans = [
        plan(101, 2, 1),
        MatchPlan { fixed_seats: true, ..plan(60, 1, 1) },
        MatchPlan { sprt, ..plan(5000, 1, 1) },
        MatchPlan { sprt, fixed_seats: true, ..plan(5000, 1, 1) },
    ];
    for plan in plans {
        let alone = written(&play([GREEDY, RANDOM], &plan));
        for threads in [2, 5] {
            let threads = Some(threads);
            assert_eq!(written(&play([GREEDY, RANDOM], &MatchPlan { threads, ..plan.clone() })), alone);
        }
        let another_seed = MatchPlan { seed: 12, ..plan };
        assert_ne!(written(&play([GREEDY, RANDOM], &another_seed)), alone);
    }
}

#[test]
fn pairs_share_the_opening_and_swap_the_seats() {
    let result = play([GREEDY, RANDOM], &plan(80, 3, 2));
    let opening = |game: &GameOutcome<u8>| game.moves[..3].to_vec();
    for pair in result.games.chunks(2) {
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
        assert_eq!(pair[0].setup, pair[1].setup);
        assert_eq!([pair[0].first_named, pair[1].first_named], Seat::BOTH);
    }
    assert!(result.games.chunks(2).any(|pair| pair[0].moves != pair[1].moves));
    assert!(result.games.windows(3).any(|games| opening(&games[0]) != opening(&games[2])));
    assert!(result.games.iter().zip(0..).all(|(game, index)| game.index == index && game.opening_plies == 3));
}

#[test]
fn fixed_seats_give_every_game_its_own_opening() {
    let result = play([GREEDY, RANDOM], &MatchPlan { fixed_seats: true, ..plan(40, 3, 2) });
    assert!(result.games.iter().all(|game| game.first_named == Seat::First));
    assert!(result.games.chunks(2).any(|games| games[0].moves[..3] != games[1].moves[..3]));
    assert_eq!(result.standing.pairs, None);
    assert_eq!(result.standing.by_seat[1].games(), 0);
}

#[test]
fn openings_never_end_the_game() {
    let result = play([RANDOM, RANDOM], &plan(300, 7, 2));
    assert!(result.games.iter().all(|game| game.plies() > 7));
    let too_many =
        run_match(&crosses(), &[RANDOM, RANDOM], &plan(2, 9, 1), &mut |_| (), &AtomicBool::new(false));
    let error = too_many.unwrap_err();
    assert_eq!(error, MatchError::NoOpening { plies: 9, tries: 1000 });
    assert!(error.to_string().starts_with("9 random plies"), "{error}");
}

#[test]
fn the_numbers_agree_with_the_games() {
    let result = play([PERFECT, GREEDY], &plan(61, 1, 2));
    let standing = &result.standing;
    let points: f64 = result.games.iter().map(GameOutcome::points).sum();
    assert_eq!(standing.tally().points(), points);
    assert_eq!((standing.tally().games(), standing.pairs.unwrap().pairs()), (61, 30));
    assert_eq!(standing.by_seat.map(|tally| tally.games()), [31, 30]);
    let plies: usize = result.games.iter().map(GameOutcome::plies).sum();
    assert_eq!(standing.average_plies(), Some(plies as f64 / 61.0));
    assert!(!result.interrupted && result.sprt.is_none());
    let summary = serde_json::to_value(result.summary()).unwrap();
    assert_eq!(summary["games"], 61);
    assert_eq!(summary["wins"].as_u64().unwrap(), standing.tally().wins);
    assert!(summary["elo_low"].as_f64().unwrap() > 0.0, "perfect play beats greed: {summary}");
}

#[test]
fn an_empty_match_has_no_numbers_but_null() {
    let summary = serde_json::to_value(play([RANDOM, RANDOM], &plan(0, 0, 3)).summary()).unwrap();
    assert_eq!(summary["games"], 0);
    for field in ["elo", "elo_low", "elo_high", "score", "superiority", "average_plies"] {
        assert!(summary[field].is_null(), "{field}");
    }
    assert_eq!(summary["interrupted"], false);
}

#[test]
fn the_sequential_test_ends_the_match() {
    let sprt = Some(Sprt::new(0.0, 50.0).unwrap());
    let result = play([PERFECT, RANDOM], &MatchPlan { sprt, ..plan(5000, 2, 3) });
    assert_eq!(result.sprt.unwrap().verdict, SprtVerdict::AcceptH1);
    assert!(result.games.len() < 1000 && result.games.len().is_multiple_of(2), "{}", result.games.len());
    assert!(!result.interrupted);
    let equal =
        play([RANDOM, RANDOM], &MatchPlan { sprt: Some(Sprt::new(0.0, 100.0).unwrap()), ..plan(5000, 0, 3) });
    assert_eq!(equal.sprt.unwrap().verdict, SprtVerdict::AcceptH0);
}

#[test]
fn a_game_that_is_played_again_is_no_further_evidence() {
    let once = play([LAZY, LAZY], &plan(2, 0, 1)).summary();
    let often = play([LAZY, LAZY], &plan(200, 0, 2)).summary();
    assert_eq!((often.games, often.distinct_games, once.distinct_games), (200, 2, 2));
    assert_eq!((often.score, often.elo, often.superiority), (once.score, once.elo, once.superiority));
    assert_eq!((often.score_low, often.score_high), (once.score_low, once.score_high));

    let sprt = Some(Sprt::new(0.0, 100.0).unwrap());
    for fixed_seats in [false, true] {
        let test = MatchPlan { sprt, fixed_seats, ..plan(2000, 0, 2) };
        let result = play([LAZY, LAZY], &test);
        assert_eq!(result.sprt.unwrap().verdict, SprtVerdict::Continue, "nothing is settled by one game");
        assert_eq!(result.games.len(), 2000);
    }
    let sweep = play([LAZY, LAZY], &MatchPlan { fixed_seats: true, ..plan(200, 0, 2) }).summary();
    assert_eq!((sweep.distinct_games, sweep.score), (1, Some(1.0)));
    assert!(sweep.score_low.unwrap() < 0.5, "{sweep:?}");
}

#[test]
fn different_games_are_told_apart() {
    let result = play([GREEDY, RANDOM], &plan(300, 1, 2));
    let mut games: Vec<_> = result.games.iter().map(|game| (game.first_named, &game.moves)).collect();
    games.sort();
    games.dedup();
    assert_eq!(result.standing.distinct_games(), games.len() as u64);
    assert!((200..=300).contains(&games.len()), "{}", games.len());

    // The same doors are opened every time; what differs is where the trap was.
    let lazy = Contestant { name: "lazy", make: &|| Box::new(Lazy) as Box<dyn Player<SeenDoors>> };
    let never = AtomicBool::new(false);
    let doors = run_match(&Doors, &[lazy], &plan(300, 0, 2), &mut |_| (), &never).unwrap();
    assert_eq!(doors.standing.distinct_games(), 4);
}

#[test]
fn games_are_observed_in_order_as_they_are_counted() {
    for threads in [1, 2, 5] {
        let mut seen = Vec::new();
        let mut observer = |progress: &MatchProgress<'_, u8>| {
            assert_eq!(progress.standing.tally().games(), progress.game.index + 1);
            assert_eq!(progress.planned, 50);
            seen.push(progress.game.clone());
        };
        let never = AtomicBool::new(false);
        let result = run_match(&crosses(), &[GREEDY, RANDOM], &plan(50, 1, threads), &mut observer, &never);
        assert_eq!(seen, result.unwrap().games);
    }
}

#[test]
fn a_raised_flag_leaves_whole_pairs_from_the_beginning() {
    let whole = play([GREEDY, RANDOM], &plan(400, 1, 1));
    for threads in [1, 2, 5] {
        let stop = AtomicBool::new(false);
        let mut raise_at_eleven = |progress: &MatchProgress<'_, u8>| {
            stop.fetch_or(progress.game.index == 10, Ordering::Relaxed);
        };
        let result =
            run_match(&crosses(), &[GREEDY, RANDOM], &plan(400, 1, threads), &mut raise_at_eleven, &stop)
                .unwrap();
        assert!(result.interrupted);
        let counted = result.games.len();
        assert!((12..400).contains(&counted) && counted.is_multiple_of(2), "{counted}");
        assert_eq!(result.games, whole.games[..counted]);
    }
}

#[test]
fn a_flag_raised_before_the_match_leaves_nothing() {
    let stop = AtomicBool::new(true);
    let result = run_match(&crosses(), &[GREEDY, RANDOM], &plan(10, 0, 2), &mut |_| (), &stop).unwrap();
    assert!(result.interrupted && result.games.is_empty());
}

/// Follows the flag: answers only once it is raised.
struct Stubborn;

impl Player<Crosses> for Stubborn {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        while !turn.is_stopped() {
            std::thread::yield_now();
        }
        view.moves()[0]
    }
}

#[test]
fn players_see_the_flag_and_hasty_games_do_not_count() {
    let stop = AtomicBool::new(false);
    let stubborn = Contestant { name: "stubborn", make: &|| Box::new(Stubborn) as Box<dyn Player<Crosses>> };
    let result = std::thread::scope(|scope| {
        let playing =
            scope.spawn(|| run_match(&crosses(), &[stubborn, RANDOM], &plan(4, 0, 2), &mut |_| (), &stop));
        std::thread::sleep(std::time::Duration::from_millis(20));
        stop.store(true, Ordering::Relaxed);
        playing.join().unwrap()
    });
    assert!(result.unwrap().games.is_empty());
}

/// Notes what it is told, and plays like [`Random`].
struct Witness<'a> {
    seats: &'a Mutex<Vec<Seat>>,
    seat: Seat,
}

impl Player<Crosses> for Witness<'static> {
    fn new_game(&mut self, seat: Seat) {
        self.seat = seat;
        self.seats.lock().unwrap().push(seat);
    }

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        assert_eq!(view.seat(), self.seat);
        let plies = 9 - view.moves().len();
        assert_eq!(turn.past.len(), plies);
        assert_eq!((turn.repetitions, turn.plies_left), (Some(3), Some(20 - plies as u32)));
        assert!(turn.stop_flag().is_some());
        Random.choose(view, turn)
    }
}

#[test]
fn players_are_told_their_seat_and_the_way_so_far() {
    static SEATS: Mutex<Vec<Seat>> = Mutex::new(Vec::new());
    let make: &Make = &|| Box::new(Witness { seats: &SEATS, seat: Seat::First });
    play([Contestant { name: "witness", make }, RANDOM], &plan(5, 2, 1));
    let (first, second) = (Seat::First, Seat::Second);
    assert_eq!(*SEATS.lock().unwrap(), [first, second, first, second, first]);
}

/// Plays on a taken square with its third move.
#[derive(Default)]
struct Cheat {
    moves: u32,
}

impl Player<Crosses> for Cheat {
    fn new_game(&mut self, _seat: Seat) {
        self.moves = 0;
    }

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        self.moves += 1;
        let taken = (0..9).find(|&square| !view.is_legal(square));
        taken.filter(|_| self.moves == 3).unwrap_or_else(|| Random.choose(view, turn))
    }
}

#[test]
fn an_illegal_move_names_the_player_and_the_move() {
    let cheat =
        Contestant { name: "cheat:often", make: &|| Box::new(Cheat::default()) as Box<dyn Player<Crosses>> };
    let error = |threads| {
        let never = AtomicBool::new(false);
        run_match(&crosses(), &[RANDOM, cheat], &plan(50, 0, threads), &mut |_| (), &never).unwrap_err()
    };
    let alone = error(1);
    assert!(matches!(&alone, MatchError::IllegalMove { player, .. } if player == "cheat:often"), "{alone}");
    assert!(alone.to_string().starts_with("cheat:often answered with the illegal move "), "{alone}");
    for threads in [2, 5] {
        assert_eq!(error(threads), alone);
    }
}

#[test]
fn wrong_numbers_are_refused() {
    let never = AtomicBool::new(false);
    let one = run_match(&crosses(), &[RANDOM], &plan(1, 0, 1), &mut |_| (), &never).unwrap_err();
    assert_eq!(one, MatchError::Seats { expected: 2, given: 1 });
    assert_eq!(one.to_string(), "1 players were named, but the game expects 2");
    let none = run_match(&crosses(), &[RANDOM, RANDOM], &plan(1, 0, 0), &mut |_| (), &never).unwrap_err();
    assert_eq!(none, MatchError::NoThreads);
}

#[test]
#[should_panic(expected = "out of players")]
fn a_panic_comes_through() {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let make: &Make = &|| {
        assert!(MADE.fetch_add(1, Ordering::Relaxed) < 1, "out of players");
        Box::new(Random)
    };
    let panicking = Contestant { name: "panicking", make };
    play([panicking, RANDOM], &plan(100_000, 0, 2));
}

#[test]
fn one_player_games_take_one_player() {
    let never = AtomicBool::new(false);
    let run = |threads| run_match(&Doors, &[GUEST], &plan(600, 1, threads), &mut |_| (), &never).unwrap();
    let result = run(1);
    assert_eq!((run(2), run(5)), (result.clone(), result.clone()));
    assert_eq!(result.standing.pairs, None);
    // One random door that was no trap, then two more of five.
    let score = result.standing.estimate().unwrap().score_interval();
    assert!(score.contains(0.6), "{score:?}");
    let traps: Vec<_> = result.games.iter().map(|game| Doors.outcome(&replayed(game))).collect();
    assert!(traps.iter().zip(&result.games).all(|(outcome, game)| *outcome == Some(game.outcome)));
    assert!(run_match(&Doors, &[GUEST, GUEST], &plan(1, 0, 1), &mut |_| (), &never).is_err());
}

fn replayed(game: &GameOutcome<u8>) -> <Doors as Game>::State {
    let mut state = set_up(&Doors, game.setup);
    game.moves.iter().for_each(|&mv| Doors.play(&mut state, mv));
    state
}

/// Gives up at its second turn.
struct Faint(u32);

impl Player<Crosses> for Faint {
    fn new_game(&mut self, _seat: Seat) {
        self.0 = 0;
    }

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        self.0 += 1;
        if self.0 == 2 {
            turn.forfeit("it fainted");
        }
        view.moves()[0]
    }
}

#[test]
fn a_game_that_is_given_up_is_lost_and_the_match_goes_on() {
    let faint = Contestant { name: "faint", make: &|| Box::new(Faint(0)) };
    let result = play([RANDOM, faint], &plan(10, 0, 2));
    assert_eq!(result.standing.forfeits, [0, 10]);
    assert_eq!(result.summary().forfeit_reason.as_deref(), Some("it fainted"));
    assert_eq!(result.standing.tally().wins, 10);
    let header = RecordHeader { game: "crosses", players: &["a", "b"], seed: 11 };
    for game in &result.games {
        let record = GameRecord::from_outcome(&crosses(), &header, game);
        assert_eq!(record.forfeit.as_deref(), Some("it fainted"));
        assert_eq!(record.replay(&crosses()).unwrap().moves.len(), game.plies());
        let silent = GameRecord { forfeit: None, ..record.clone() };
        assert!(matches!(silent.replay(&crosses()), Err(RecordError::Unfinished { .. })));
        let turned = GameRecord { outcome: Outcome::Win(!game.first_named), ..record };
        assert!(matches!(turned.replay(&crosses()), Err(RecordError::Outcome { .. })));
    }
}
