//! What tournaments guarantee.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_arena::matches::Contestant;
use outplay_arena::ratings::rate;
use outplay_arena::tournament::{
    TournamentError, TournamentPlan, TournamentProgress, TournamentResult, run_tournament,
};

use crate::toy::{Crosses, Greedy, Lazy, Perfect, Random, crosses};

const RANDOM: Contestant<'_, Crosses> = Contestant { name: "random", make: &|| Box::new(Random) };
const GREEDY: Contestant<'_, Crosses> = Contestant { name: "greedy", make: &|| Box::new(Greedy) };
const PERFECT: Contestant<'_, Crosses> = Contestant { name: "perfect", make: &|| Box::new(Perfect) };

fn plan(games: u64, threads: usize) -> TournamentPlan {
    TournamentPlan { games, seed: 5, random_plies: 1, threads: Some(threads) }
}

fn play(entrants: &[Contestant<'_, Crosses>], plan: &TournamentPlan) -> TournamentResult<u8> {
    run_tournament(&crosses(), entrants, plan, &mut |_| (), &AtomicBool::new(false)).unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let entrants = [RANDOM, GREEDY, PERFECT];
    let alone = play(&entrants, &plan(20, 1));
    for threads in [2, 5] {
        let together = play(&entrants, &plan(20, threads));
        assert_eq!(together, alone);
        let text =
            |tournament: &TournamentResult<u8>| serde_json::to_string(&tournament.cross_table()).unwrap();
        assert_eq!(text(&together), text(&alone));
    }
}

#[test]
fn the_cross_table_adds_up() {
    let table = play(&[RANDOM, GREEDY, PERFECT], &plan(40, 2)).cross_table();
    for (a, row) in table.cells.iter().enumerate() {
        for (b, cell) in row.iter().enumerate() {
            assert_eq!(cell.is_none(), a == b);
            let Some(cell) = cell else { continue };
            assert_eq!(cell.tally.reversed(), table.cells[b][a].unwrap().tally);
            assert_eq!((cell.tally.games(), cell.tally.points()), (40, cell.points));
        }
    }
    let names: Vec<&str> = table.standings.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["perfect", "greedy", "random"]);
    assert_eq!(table.standings.iter().map(|row| row.points).sum::<f64>(), 120.0);
    assert!(table.standings.iter().all(|row| row.games == 80));
}

#[test]
fn a_newcomer_at_the_end_changes_no_other_pairing() {
    let few = play(&[RANDOM, GREEDY], &plan(10, 1));
    let more = play(&[RANDOM, GREEDY, PERFECT], &plan(10, 1));
    assert_eq!(few.pairings[..], more.pairings[..1]);
    assert_ne!(more.pairings[0].seed, more.pairings[1].seed);
}

#[test]
fn ratings_follow_the_results() {
    let tournament = play(&[RANDOM, GREEDY, PERFECT], &plan(60, 2));
    let ratings = rate(&tournament.encounters(), true);
    let names: Vec<&str> = ratings.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["perfect", "greedy", "random"]);
    assert!(ratings.players.iter().all(|player| player.games == 120));
    assert!(ratings.players[0].elo.elo_low > ratings.players[2].elo.elo_high);
}

#[test]
fn games_that_repeat_each_other_are_counted_as_such() {
    const FIRST: Contestant<'_, Crosses> = Contestant { name: "first", make: &|| Box::new(Lazy) };
    const OTHER: Contestant<'_, Crosses> = Contestant { name: "other", make: &|| Box::new(Lazy) };
    let repeated = play(&[FIRST, OTHER], &TournamentPlan { random_plies: 0, ..plan(60, 1) });
    assert_eq!(repeated.distinct_games(), 2);
    let ratings = rate(&repeated.encounters(), true);
    assert_eq!((ratings.games, ratings.distinct_games), (60, 2));
    let once = play(&[FIRST, OTHER], &TournamentPlan { random_plies: 0, ..plan(2, 1) });
    assert_eq!(ratings.sitting_first, rate(&once.encounters(), true).sitting_first);
}

#[test]
fn progress_counts_and_the_flag_stops() {
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let mut observer = |progress: &TournamentProgress<'_, u8>| {
        seen.push((progress.pairing, progress.entrants, progress.game.game.index));
        assert_eq!(progress.pairings, 3);
        stop.fetch_or(progress.pairing == 1 && progress.game.game.index == 3, Ordering::Relaxed);
    };
    let entrants = [RANDOM, GREEDY, PERFECT];
    let result = run_tournament(&crosses(), &entrants, &plan(100, 1), &mut observer, &stop).unwrap();
    assert!(result.interrupted);
    assert_eq!(
        result.pairings.iter().map(|pairing| pairing.result.games.len()).collect::<Vec<_>>(),
        [100, 4]
    );
    assert_eq!(seen.len(), 104);
    assert_eq!(seen[103], (1, [0, 2], 3));
    assert_eq!(result.cross_table().cells[1][2], None);
}

#[test]
fn bad_lists_are_refused() {
    let refused = |entrants: &[Contestant<'_, Crosses>]| {
        run_tournament(&crosses(), entrants, &plan(2, 1), &mut |_| (), &AtomicBool::new(false)).unwrap_err()
    };
    assert!(matches!(refused(&[RANDOM]), TournamentError::TooFew { players: 1 }));
    assert!(matches!(refused(&[]), TournamentError::TooFew { players: 0 }));
    let twice = refused(&[RANDOM, GREEDY, RANDOM]);
    assert_eq!(twice.to_string(), "the player \"random\" was named twice: expected different names");
    let plan = TournamentPlan { random_plies: 9, ..plan(2, 1) };
    let failed = run_tournament(&crosses(), &[RANDOM, GREEDY], &plan, &mut |_| (), &AtomicBool::new(false))
        .unwrap_err();
    assert!(failed.to_string().starts_with("random against greedy: 9 random plies"), "{failed}");
}
