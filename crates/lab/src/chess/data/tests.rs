//! Sets made from games, and games made by engines.

use std::sync::atomic::AtomicBool;

use super::*;

fn make(
    spec: &str,
    out: &Path,
    resume: bool,
    threads: usize,
    watch: Watch<'_>,
) -> Result<DataReport, WorkError> {
    let spec: Spec = spec.parse().unwrap();
    data(&DataRequest::Make { spec: &spec, seed: 1, out, resume, threads: Some(threads) }, watch)
}

const GAMES: &str = "1. f3 {book} e5 {+0.10/3} 2. g4 {-M1/9} Qh4# {+M1/1} 0-1\n\n[White \"x\"]\n\n1. e4 {+0.30/8} e9 *\n\n\
                     [White \"y\"]\n\n1. d4 {+3.30/8} d5 {-0.60/8} 1/2-1/2\n";

#[test]
fn games_become_a_set_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, out) = (folder.path().join("a.pgn"), folder.path().join("set"));
    fs::write(&pgn, GAMES).unwrap();
    let made = make(&format!("data:pgn={}", pgn.display()), &out, false, 1, Watch::nobody()).unwrap();
    assert_eq!(
        (&made["games"], &made["positions"], &made["damaged_games"]),
        (&2.into(), &4.into(), &1.into())
    );
    assert_eq!(made["by_class"], serde_json::json!([1, 1, 1, 0, 1, 0]));
    let damage = made["first_damage"].as_str().unwrap();
    assert!(damage.contains("a.pgn, line 5, column 17: the move 'e9'"), "{damage}");
    let described = describe(&out).unwrap();
    assert_eq!(described["by_class"], made["by_class"]);
    assert!(described["made_by"].as_str().unwrap().starts_with("outplay data chess pgn="));
    let mates = format!("data:pgn={},mates=yes,book=even", folder.path().display());
    let made = make(&mates, &out, false, 1, Watch::nobody()).unwrap();
    assert_eq!(
        (&made["games"], &made["positions"], &made["games_left_out"]),
        (&1.into(), &3.into(), &1.into())
    );
}

#[test]
fn a_compressed_set_is_the_same_set() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, plain, packed] = ["a.pgn", "set", "set.gz"].map(|name| folder.path().join(name));
    fs::write(&pgn, GAMES).unwrap();
    make(&format!("data:pgn={}", pgn.display()), &plain, false, 1, Watch::nobody()).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&fs::read(&plain).unwrap()).unwrap();
    let bytes = encoder.finish().unwrap();
    fs::write(&packed, &bytes).unwrap();
    assert_eq!(open(&packed).unwrap(), open(&plain).unwrap());
    assert_eq!(describe(&packed).unwrap(), describe(&plain).unwrap());
    fs::write(&packed, &bytes[..bytes.len() / 2]).unwrap();
    let refusal = open(&packed).unwrap_err().to_string();
    assert!(refusal.contains("cut short"), "{refusal}");
}

/// A game of which nothing is taken is no game of the set; a source without any is refused, and writes nothing.
#[test]
fn games_without_verdicts_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, out) = (folder.path().join("a.pgn"), folder.path().join("set"));
    fs::write(&pgn, "1. e4 {+0.30/8} *\n\n[White \"x\"]\n\n1. d4 *\n").unwrap();
    let made = make(&format!("data:pgn={}", pgn.display()), &out, false, 1, Watch::nobody()).unwrap();
    assert_eq!((&made["games"], &made["games_left_out"]), (&1.into(), &1.into()));
    assert_eq!(describe(&out).unwrap()["games"], 1);
    fs::remove_file(&out).unwrap();
    for text in ["", "1. d4 *\n"] {
        fs::write(&pgn, text).unwrap();
        let refusal = make(&format!("data:pgn={}", pgn.display()), &out, false, 1, Watch::nobody());
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains("a.pgn holds no position with a verdict"), "{refusal}");
        assert!(!out.exists());
    }
}

/// An engine in the shell's language that plays 1. e4 e5 and fails wherever it is told to, by the number of games begun.
#[cfg(unix)]
#[test]
fn a_game_in_which_the_engine_fails_is_given_up_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let play = |failing: &str, out: &str| {
        let _ = fs::remove_file(path("count"));
        let text = format!(
            "n=$(cat {count} 2>/dev/null || echo 0)\nwhile read -r line; do case \"$line\" in\nuci) echo uciok;;\n\
             isready) echo readyok;;\nquit) exit;;\nucinewgame) n=$((n+1)); echo $n > {count};;\n\
             position*e2e4) move=e7e5;;\nposition*) move=e2e4;;\n\
             go*) case $n in {failing}) exit;; esac; echo info depth 1 score cp 10; echo bestmove $move;;\nesac; done\n",
            count = path("count").display(),
        );
        fs::write(path("engine.sh"), text).unwrap();
        let spec = format!("data:engine=sh {},games=5,opening=0,plies=2", path("engine.sh").display());
        make(&spec, &path(out), false, 1, Watch::nobody())
    };
    let made = play("2|3|4", "set").unwrap();
    assert_eq!((&made["games"], &made["games_given_up"]), (&4.into(), &1.into()));
    let fault = made["first_fault"].as_str().unwrap();
    assert!(fault.starts_with("game 2 was given up after 3 tries: the engine 'sh"), "{fault}");
    let hopeless = play("*", "nothing").unwrap_err().to_string();
    assert!(hopeless.starts_with("game 3 was given up after 3 tries"), "{hopeless}");
}

#[test]
fn what_cannot_be_is_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("set");
    for (spec, sentence) in [
        ("data", "expected pgn=FILE or engine=COMMAND"),
        ("data:pgn=/no/such.pgn", "cannot read /no/such.pgn"),
        ("data:engine=no-such-engine", "the engine 'no-such-engine' cannot be started"),
        ("data:engine=own,options=Hash=1", "options= has no effect with engine=own"),
    ] {
        let refusal = make(spec, &out, false, 1, Watch::nobody()).unwrap_err().to_string();
        assert!(refusal.contains(sentence), "{spec}: {refusal}");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "{spec}");
    }
    fs::write(&out, "no set").unwrap();
    assert!(describe(&out).unwrap_err().to_string().ends_with("this is no set of chess positions"));
}

/// Our own engine needs no program; its set is made once, and an interrupted one goes on.
#[test]
fn our_own_engines_set_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, halves] = ["sets/whole", "halves"].map(|name| folder.path().join(name));
    let make = |out: &Path, watch| own_set("games=6,depth=2,plies=60", 3, out, Some(2), watch);
    let set = make(&whole, Watch::nobody()).unwrap();
    assert_eq!(set.len(), 6);
    let described = describe(&whole).unwrap();
    assert!(described["made_by"].as_str().unwrap().contains("engine=own"), "{described:?}");
    let stop = AtomicBool::new(true);
    assert_eq!(make(&whole, Watch::new(&stop, &|_| panic!("work has begun"))).unwrap(), set);
    let stop = AtomicBool::new(false);
    let after_one = |_: outplay_runtime::Progress<'_>| stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(make(&halves, Watch::new(&stop, &after_one)), Err(WorkError::Stopped)));
    assert_eq!(make(&halves, Watch::nobody()).unwrap(), set);
}

/// The same games on one thread and on two, and after a stop; a set cut short is named.
#[test]
fn stockfishs_games_are_the_same_however_they_are_played() {
    if outplay_testing::has_stockfish() {
        check_games_of("stockfish");
    }
}

#[test]
fn our_own_engines_games_are_the_same_however_they_are_played() {
    check_games_of("own");
}

fn check_games_of(engine: &str) {
    let folder = tempfile::tempdir().unwrap();
    let spec = &format!("data:engine={engine},games=4,depth=1,plies=40,blind=0.3");
    let [one, two, third] = ["one", "two", "three"].map(|name| folder.path().join(name));
    let made = make(spec, &one, false, 1, Watch::nobody()).unwrap();
    assert_eq!(made["games"], 4);
    make(spec, &two, false, 2, Watch::nobody()).unwrap();
    let bytes = fs::read(&one).unwrap();
    assert_eq!(fs::read(&two).unwrap(), bytes);

    let stop = AtomicBool::new(false);
    let after_one = |_: outplay_runtime::Progress<'_>| stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = make(spec, &third, false, 1, Watch::new(&stop, &after_one));
    assert!(matches!(stopped, Err(WorkError::Stopped)), "{stopped:?}");
    let again = make(spec, &third, false, 1, Watch::nobody()).unwrap_err().to_string();
    assert!(again.contains("add --resume"), "{again}");
    let five = format!("data:engine={engine},games=5");
    let other = make(&five, &third, true, 1, Watch::nobody()).unwrap_err().to_string();
    assert!(other.contains("other parameters"), "{other}");
    make(spec, &third, true, 1, Watch::nobody()).unwrap();
    assert_eq!(fs::read(&third).unwrap(), bytes);
    assert!(!folder.path().join("three.run").exists());

    fs::write(&two, &bytes[..bytes.len() - 100]).unwrap();
    let cut = describe(&two).unwrap_err().to_string();
    assert!(cut.contains("two: the set is cut short after 3 games"), "{cut}");

    let pgn = folder.path().join("games.pgn");
    make(spec, &pgn, false, 2, Watch::nobody()).unwrap();
    make(&format!("data:pgn={}", pgn.display()), &two, false, 1, Watch::nobody()).unwrap();
    assert_eq!(open(&two).unwrap(), open(&one).unwrap());
}
