//! Knock-outs of real games.

use std::sync::Arc;

use outplay_arena::knockout::{Bracket, KnockoutPlan, KnockoutReport, Tie, run_knockout};
use outplay_arena::record::GameRecord;
use outplay_lab::registry::OtherBoards;
use outplay_lab::{Store, open_game};
use outplay_runtime::Watch;

fn play(game: &str, players: &[&str], threads: usize) -> (KnockoutReport, Vec<GameRecord>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(folder.path()));
    let players: Vec<String> = players.iter().map(|&name| name.to_owned()).collect();
    let plan = KnockoutPlan { places: 16, seed: 4, threads: Some(threads) };
    let mut games = Vec::new();
    let mut write = |record: &GameRecord| games.push(record.clone());
    let any_game = open_game(game, &store).unwrap();
    let entrants = any_game.entrants(&players, Watch::nobody()).unwrap();
    let replays = OtherBoards { game: &*any_game, store: &store, seed: plan.seed };
    let mut seen = Vec::new();
    let mut show = |bracket: &Bracket| seen.push(bracket.clone());
    let report =
        run_knockout(&*entrants, &replays, &plan, Some(&mut write), &mut show, Watch::nobody()).unwrap();
    check_brackets(&seen, &report);
    (report, games)
}

/// The final is shown from its draw on, leg by leg, and the last picture is what came of it.
fn check_brackets(seen: &[Bracket], report: &KnockoutReport) {
    let (first, last) = (&seen[0], &seen[seen.len() - 1]);
    assert!(first.rounds[0].iter().all(|slot| slot.players.len() == 2 && slot.winner.is_none()));
    assert!(first.rounds[1..].iter().flatten().all(|slot| slot.players.is_empty()));
    let legs = |bracket: &Bracket| bracket.rounds.iter().flatten().map(|slot| slot.legs.len()).sum::<usize>();
    assert!(seen.windows(2).all(|pair| legs(&pair[1]) <= legs(&pair[0]) + 1));
    for (slot, tie) in last.rounds.iter().flatten().zip(report.rounds.iter().flatten()) {
        assert_eq!((&slot.players[..], slot.winner.as_ref()), (&tie.players[..], Some(&tie.winner)));
        assert_eq!((slot.legs.len(), slot.settled_by), (tie.legs.len(), Some(tie.settled_by)));
    }
}

#[test]
fn a_tournament_is_played_to_its_end_and_every_game_is_recorded() {
    let players = ["random", "greedy:eval=even", "greedy", "minimax:depth=2", "alphabeta:depth=3"];
    let (report, games) = play("quoridor:size=5,walls=3", &players, 1);
    assert_eq!((report.ranking.len(), report.rounds.len()), (5, 2));
    assert!(report.ranking.is_sorted_by(|a, b| a.wins >= b.wins));
    let ties: Vec<&Tie> = report.rounds.iter().flatten().collect();
    let legs: usize = ties.iter().map(|tie| tie.legs.len()).sum();
    assert_eq!(games.len(), 2 * (10 + legs));
    for tie in ties {
        let last = tie.legs.last().unwrap();
        assert!(tie.settled_by != "games" || last.wins.contains(&2), "{tie:?}");
        assert!(tie.legs[..tie.legs.len() - 1].iter().all(|leg| !leg.wins.contains(&2)), "{tie:?}");
        assert!(tie.legs.iter().skip(1).all(|leg| leg.game.contains("board=")), "{tie:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(folder.path()));
    for record in &games {
        open_game(&record.game, &store).unwrap().replay(record).unwrap();
    }
    assert_eq!(report.champion, report.rounds[1][0].winner);
    let (again, records) = play("quoridor:size=5,walls=3", &players, 2);
    assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&report).unwrap());
    assert_eq!(records, games);
}

/// Two random players: a double win is luck, and yet one of them goes on.
#[test]
fn a_game_of_one_board_is_played_again_from_random_moves() {
    let (report, _) = play("pushover", &["alphabeta:depth=1", "alphabeta:depth=1,table=1"], 1);
    let tie = &report.rounds[0][0];
    let openings = [0, 2, 4, 6, 2, 4, 6, 2];
    assert!(tie.legs.iter().zip(openings).all(|(leg, plies)| leg.random_plies == plies), "{tie:?}");
    assert!(tie.players.contains(&tie.winner));
}
