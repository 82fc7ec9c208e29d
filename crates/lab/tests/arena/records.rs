//! What records guarantee.

use std::sync::atomic::AtomicBool;

use outplay_arena::matches::{Contestant, MatchPlan, run_match, set_up};
use outplay_arena::record::{GameRecord, RecordError, RecordHeader};
use outplay_core::conformance::{check_game, check_position};
use outplay_core::{Game, Notation, Outcome, Seat, View};
use outplay_runtime::files::{JsonLinesAppender, JsonLinesReader};
use proptest::prelude::*;

use crate::toy::{Crosses, Doors, Random, SeenDoors, crosses};

const RANDOM: Contestant<'_, Crosses> = Contestant { name: "random", make: &|| Box::new(Random) };
const GUEST: Contestant<'_, SeenDoors> = Contestant { name: "guest", make: &|| Box::new(Random) };

fn records(games: u64, seed: u64) -> Vec<GameRecord> {
    let plan = MatchPlan { games, seed, random_plies: 2, threads: Some(1), ..MatchPlan::default() };
    let result =
        run_match(&crosses(), &[RANDOM, RANDOM], &plan, &mut |_| (), &AtomicBool::new(false)).unwrap();
    let header = RecordHeader { game: "crosses", players: &["one", "two"], seed };
    result.games.iter().map(|game| GameRecord::from_outcome(&crosses(), &header, game)).collect()
}

/// The first record whose game had this outcome.
fn record_of(outcome: Outcome) -> GameRecord {
    records(100, 1).into_iter().find(|record| record.outcome == outcome).unwrap()
}

#[test]
fn the_toys_are_games() {
    check_game(&crosses(), 50, 20, 1);
    check_position(&Crosses::default(), 50, 20, 1);
    check_game(&Doors, 50, 20, 1);
}

#[test]
fn records_survive_the_file_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let written = records(40, 3);
    let mut appender = JsonLinesAppender::open(&path).unwrap();
    for record in &written {
        appender.append(record).unwrap();
    }
    let read: Vec<GameRecord> = JsonLinesReader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(read, written);
    for record in &read {
        let replay = record.replay(&crosses()).unwrap();
        assert_eq!((replay.states.len(), replay.moves.len()), (record.plies + 1, record.plies));
    }
    assert_eq!(read[0].players, ["one", "two"]);
    assert_eq!(read[1].players, ["two", "one"]);
}

#[test]
fn a_record_reads_as_one_would_write_it() {
    let text = r#"{"format":1,"game":"crosses","players":["a","b"],"seed":7,"index":0,"setup":5,"random_plies":0,"moves":["0","3","1","4","2"],"outcome":"first","plies":5}"#;
    let record: GameRecord = serde_json::from_str(text).unwrap();
    assert_eq!(record.outcome, Outcome::Win(Seat::First));
    assert!(record.replay(&crosses()).is_ok());
    assert_eq!(serde_json::to_string(&record).unwrap(), text);
}

#[test]
fn a_record_may_begin_elsewhere() {
    let record = GameRecord {
        position: Some("3/24".to_owned()),
        moves: vec!["2".to_owned()],
        plies: 1,
        random_plies: 0,
        ..record_of(Outcome::Win(Seat::First))
    };
    assert_eq!(record.replay(&crosses()).unwrap().states.len(), 2);
    let unreadable = GameRecord { position: Some("3".to_owned()), ..record };
    let error = unreadable.replay(&crosses()).unwrap_err();
    assert!(matches!(error, RecordError::Position { .. }) && error.to_string().contains("\"3\""), "{error}");
}

#[test]
fn hidden_things_come_back_by_the_set_up_number() {
    let plan = MatchPlan { games: 50, seed: 4, threads: Some(1), ..MatchPlan::default() };
    let result = run_match(&Doors, &[GUEST], &plan, &mut |_| (), &AtomicBool::new(false)).unwrap();
    let header = RecordHeader { game: "doors", players: &["guest"], seed: 4 };
    for game in &result.games {
        let record = GameRecord::from_outcome(&Doors, &header, game);
        assert!(record.replay(&Doors).is_ok());
        assert!(record.setup < 1 << 53);
    }
}

#[test]
fn damage_is_named() {
    let good = record_of(Outcome::Win(Seat::Second));
    let last = good.moves.last().unwrap().clone();
    let with = |change: &dyn Fn(&mut GameRecord)| {
        let mut damaged = good.clone();
        change(&mut damaged);
        damaged.replay(&crosses()).unwrap_err()
    };
    let message = with(&|record| record.moves[3] = "x9".to_owned()).to_string();
    assert_eq!(message, r#"move 4 of the record, "x9", cannot be played: "x9" is not a number"#);
    let again = with(&|record| record.moves[1] = record.moves[0].clone());
    assert!(matches!(again, RecordError::Move { number: 2, .. }), "{again}");
    let longer = with(&|record| {
        record.moves.push(last.clone());
        record.plies += 1;
    });
    assert!(
        matches!(longer, RecordError::AfterTheEnd { number, .. } if number == good.plies + 1),
        "{longer}"
    );
    let shorter = with(&|record| {
        record.moves.pop();
        record.plies -= 1;
    });
    assert!(matches!(shorter, RecordError::Unfinished { plies } if plies == good.plies - 1), "{shorter}");
    let other = with(&|record| record.outcome = Outcome::Draw);
    assert_eq!(other.to_string(), "the record says draw, but its moves lead to second");
    assert!(matches!(with(&|record| record.plies += 1), RecordError::Counts { .. }));
    assert!(matches!(with(&|record| record.random_plies = 99), RecordError::Counts { .. }));
    assert_eq!(with(&|record| record.format = 2).to_string(), "the record has format 2, expected 1");
    let alone = with(&|record| record.players.truncate(1));
    assert!(matches!(alone, RecordError::Players { given: 1, expected: 2 }), "{alone}");
}

#[test]
fn unreadable_lines_are_refused() {
    let good = serde_json::to_string(&record_of(Outcome::Draw)).unwrap();
    assert!(serde_json::from_str::<GameRecord>(&good).is_ok());
    for (from, to) in [("\"draw\"", "\"tie\""), ("\"moves\"", "\"steps\""), ("\"plies\":", "\"plies\":-")] {
        assert!(good.contains(from));
        assert!(serde_json::from_str::<GameRecord>(&good.replace(from, to)).is_err(), "{to}");
    }
    let error = serde_json::from_str::<GameRecord>(&good.replace("\"draw\"", "\"tie\"")).unwrap_err();
    assert!(error.to_string().contains("`tie`") && error.to_string().contains("`first`"), "{error}");
}

/// Whether the record is that of a game of crosses, found by playing it.
fn is_game(record: &GameRecord) -> bool {
    let game = crosses();
    let begun = record.position.as_deref().map_or(Ok(set_up(&game, 0)), |text| game.read_position(text));
    let Ok(mut state) = begun else { return false };
    for text in &record.moves {
        let Ok(square) = text.parse() else { return false };
        if game.outcome(&state).is_some() || !game.view(&state).is_legal(square) {
            return false;
        }
        game.play(&mut state, square);
    }
    let counts = record.plies == record.moves.len() && record.random_plies <= record.plies;
    let form = record.format == GameRecord::FORMAT && record.players.len() == 2;
    counts && form && game.outcome(&state) == Some(record.outcome)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_record_goes_round(seed: u64, games in 1_u64..6) {
        for record in records(games, seed) {
            let text = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(&serde_json::from_str::<GameRecord>(&text).unwrap(), &record);
            prop_assert!(record.replay(&crosses()).is_ok());
        }
    }

    /// A record with one move changed is accepted exactly if a referee who knows nothing of records accepts it.
    #[test]
    fn a_changed_move_passes_only_as_a_game(seed: u64, place: prop::sample::Index, text in "[0-9a-z/]{0,3}|[0-8]") {
        let mut record = records(1, seed).remove(0);
        let place = place.index(record.moves.len());
        record.moves[place] = text;
        prop_assert_eq!(record.replay(&crosses()).is_ok(), is_game(&record), "{:?}", record.moves);
    }

    /// Whatever happens to a file of records, every line of it is read or refused, and every record that was
    /// read is replayed or refused.
    #[test]
    fn damaged_files_are_read_or_refused(
        seed: u64,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..6),
    ) {
        let written: Vec<String> =
            records(3, seed).iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect();
        let mut bytes = written.concat().into_bytes();
        for (place, byte, kind) in damage {
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                2 => bytes[place] = b"0123456789\"{}[],:-/n"[usize::from(byte) % 20],
                _ => bytes.truncate(place.max(1)),
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, &bytes).unwrap();
        for record in JsonLinesReader::<GameRecord>::open(&path).unwrap().flatten() {
            prop_assert_eq!(record.replay(&crosses()).is_ok(), is_game(&record));
        }
        // Who appends to it leaves it alone, or cuts off the torn end of what is a file of records.
        let whole = JsonLinesReader::<GameRecord>::open(&path).unwrap().all(|record| record.is_ok());
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        if let Ok(mut appender) = JsonLinesAppender::open(&path) {
            prop_assert!(whole);
            appender.append(&records(1, seed)[0]).unwrap();
            prop_assert_eq!(std::fs::read(&path).unwrap(), [&bytes[..end], written[0].as_bytes()].concat());
        } else {
            prop_assert!(!whole || end == 0);
            prop_assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    /// A record that was torn anywhere is known for what it is.
    #[test]
    fn a_torn_first_record_does_not_stop_the_appender(seed: u64, place: prop::sample::Index) {
        let record = records(1, seed).remove(0);
        let line = serde_json::to_string(&record).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, &line[..place.index(line.len() + 1)]).unwrap();
        JsonLinesAppender::open(&path).unwrap().append(&record).unwrap();
        prop_assert_eq!(std::fs::read_to_string(&path).unwrap(), line + "\n");
    }
}
