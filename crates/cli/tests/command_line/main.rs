//! The binary as a user meets it: results, refusals, interruptions.

mod chess;
mod exact;
mod hostile;
mod lab;
mod memory;
mod minesweeper;
mod recording;
mod students;
mod studio;
mod sweeping;
mod training;

use std::fs;
use std::path::Path;

use lab::Lab;
use serde_json::Value;

#[test]
fn bad_input_gets_one_sentence() {
    let lab = Lab::new();
    let out = lab.path("out");
    for (arguments, expected) in [
        (&["play", "ches"][..], "unknown game 'ches': expected one of"),
        (&["--port", "1", "games"], "--port stands before a command"),
        (&["perft", "pushover:size=6", "2"], "size=6: expected a whole number from 4 to 5"),
        (&["perft", "pushover:sise=4", "2"], "no parameter 'sise'"),
        (&["perft", "pushover", "x"], "'x'"),
        (&["perft", "pushover", "2", "--position", "xyz"], "'xyz' is not a position"),
        (&["match", "pushover", "random", "expertt"], "unknown player 'expertt': expected one of random"),
        (&["match", "pushover", "random", "mcts:sim=3"], "no parameter 'sim'"),
        (&["match", "pushover", "random", "mcts:sims=0"], "sims=0: expected a whole number from 1"),
        (&["match", "pushover", "random", "mcts:time=3"], "time=3: expected a time such as"),
        (&["match", "pushover", "random", "expert:eval=net"], "no parameter 'eval'"),
        (&["match", "pushover", "random", "minimax:eval=foo"], "unknown evaluator 'foo'"),
        (&["match", "pushover", "random", "net:file=/nonexistent"], "/nonexistent"),
        (&["match", "pushover", "random"], "1 players were named, but the game expects 2"),
        (&["match", "pushover", "random", "random", "--games", "0"], "'0'"),
        (
            &["match", "pushover", "random", "random", "--threads", "0"],
            "'0' for '--threads <T>': expected a whole number from 1 to 1024",
        ),
        (&["match", "pushover", "random", "random", "--sprt", "5"], "--sprt 5: expected two Elo"),
        (&["match", "pushover", "random", "random", "--sprt", "5,1"], "--sprt 5,1"),
        (&["match", "pushover", "random", "human"], "unknown player 'human'"),
        (&["tournament", "pushover", "random", "random"], "named twice"),
        (&["perft", "chess", "abc"], "'abc' for '<DEPTH>': expected a whole number from 0 to 100"),
        (
            &["match", "pushover", "random", "random", "--games", "abc"],
            "'abc' for '--games <GAMES>': expected a whole number from 1 on",
        ),
        (&["match", "pushover", "random", "random", "--games", "0"], "expected a whole number from 1 on"),
        (
            &["reproduce", "mueller-1992", "--seed", "abc"],
            "'abc' for '--seed <SEED>': expected a whole number from 0 on",
        ),
        (
            &["tournoi", "abc", "x.npz"],
            "'abc' for '<GAMES>': expected a whole number from 1 to 1000000000000",
        ),
        (&["perft", "chess:plies=3", "5"], "depth 5: chess:plies=3 is over after 3 plies"),
        (&["solve", "pushover:size=5"], "pushover:size=5 has no exact solver"),
        (&["solve", "pushover", "--position", "oooo"], "'oooo' is not a position"),
        (&["analyse", "pushover", "--position", "oooo............Ao"], "the game is over"),
        (&["train", "pushover", "adam", "--out", &out], "unknown method 'adam': expected one of bfgs"),
        (&["train", "pushover", "bfgs", "hidden=0", "--out", &out], "hidden=0"),
        (&["train", "pushover", "bfgs", "--out", &out, "--resume"], "holds no run"),
        (&["sweep", "chess", "knn", "k=0..3", "--out", &out], "k=0: expected a whole number from 1"),
        (&["sweep", "chess", "knn", "k=3", "--out", &out], "nothing is swept"),
        (&["sweep", "chess", "knn", "k=1..3"], "--out"),
        (
            &["sweep", "chess", "nets", "rate=0.1,0.2", "--out", &out],
            "unknown method 'nets': expected one of net",
        ),
        (&["sweep", "chess", "net", "speed=1,2", "--out", &out], "method 'net' has no parameter 'speed'"),
        (
            &["sweep", "chess", "knn", "k=1,2", "--measure", "beauty", "--out", &out],
            "unknown measure 'beauty'",
        ),
        (&["sweep", "chess", "knn", "k=1,2", "data=/nonexistent", "--out", &out], "/nonexistent"),
        (&["sweep", "pushover", "bfgs", "hidden=1,2", "--out", &out, "--resume"], "holds no sweep"),
        (&["data", "pushover"], "--out"),
        (&["data", "pushover", "--describe", "/nonexistent"], "/nonexistent"),
        (&["train", "minesweeper", "subgrids", "layers=3-x", "--out", &out], "layers=3-x: expected widths"),
        (&["train", "minesweeper", "subgrids", "samples=15", "--out", &out], "samples=15"),
        (&["train", "minesweeper:rows=5", "subgrids", "--out", &out], "at least 6×6 cells"),
        (&["data", "minesweeper", "flags=maybe", "--out", &out], "flags=maybe: expected one of yes, no"),
        (&["evaluate", "minesweeper", "/nonexistent"], "/nonexistent"),
        (&["evaluate", "pushover", "/nonexistent"], "has no measure for its networks: expected 'match'"),
        (&["match", "minesweeper", "subgrids:playful=3"], "playful=3: expected a number from 0 to 2"),
        (
            &["play", "loderunner:level=walk,difficulty=3"],
            "difficulty= is for generated levels, and this one is there already: expected none",
        ),
        (&["play", "loderunner:level=walk,file=/nonexistent"], "expected level= or file="),
        (&["reproduce", "newton-1687"], "unknown paper 'newton-1687'"),
        (&["reproduce", "mueller-1992/table-9"], "table-9"),
        (&["reproduce", "--scale", "huge"], "'huge'"),
        (&["frobnicate"], "'frobnicate'"),
        (&["games", "--frob"], "'--frob'"),
        (&["replay", "/nonexistent"], "/nonexistent"),
    ] {
        let sentence = lab.refusal(arguments);
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
    }
    assert!(!Path::new(&out).exists(), "a refused command writes nothing");
}

#[test]
fn damaged_files_are_refused_by_name_and_line() {
    let lab = Lab::new();
    let (network, database, games) = (lab.path("net"), lab.path("db"), lab.path("games"));
    fs::write(&network, b"not a network").unwrap();
    assert!(lab.refusal(&["match", "pushover", "random", &format!("net:file={network}")]).contains(&network));
    fs::write(&database, "o...............Ao  0.142\nrubbish here\n").unwrap();
    let sentence =
        lab.refusal(&["train", "pushover", "bfgs", &format!("db={database}"), "--out", &lab.path("out")]);
    assert!(sentence.contains("line 2") && sentence.contains("rubbish"), "{sentence}");
    assert!(lab.refusal(&["data", "pushover", "--describe", &database]).contains("line 2"));
    fs::write(&games, "{\"format\":1}\n{}\n").unwrap();
    assert!(lab.refusal(&["ratings", &games]).contains("line 1"));
}

#[test]
fn a_full_disk_loses_nothing() {
    if !Path::new("/dev/full").exists() {
        outplay_testing::skip("there is no /dev/full");
        return;
    }
    let sentence = Lab::new().refusal(&["data", "pushover", "games=5", "--out", "/dev/full"]);
    assert!(sentence.contains("/dev/full") && sentence.contains("space"), "{sentence}");
}

#[test]
fn listings_name_every_parameter() {
    let lab = Lab::new();
    let games = lab.json(&["games"]);
    let pushover = games.as_array().unwrap().iter().find(|game| game["name"] == "pushover").unwrap();
    assert_eq!(pushover["parameters"][0]["default"], "4");
    let offer = lab.json(&["players", "pushover"]);
    let names: Vec<&str> =
        offer["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "random",
            "greedy",
            "minimax",
            "alphabeta",
            "mcts",
            "expert",
            "net",
            "selftaught",
            "table",
            "zero",
            "perfect"
        ]
    );
    assert_eq!(offer["methods"][0]["name"], "bfgs");
    assert_eq!(offer["chores"][0]["name"], "data");
}

#[test]
fn questions_have_the_promised_fields() {
    let lab = Lab::new();
    assert_eq!(lab.json(&["perft", "pushover", "4"])["nodes"], 65536);
    let divided = lab.json(&["perft", "pushover", "3", "--divide"]);
    assert_eq!(divided["divide"].as_array().unwrap().len(), 16);

    let analysis = lab.json(&["analyse", "pushover", "--player", "alphabeta:depth=4,candidates=16"]);
    assert_eq!(analysis["candidates"].as_array().unwrap().len(), 16);
    assert!(analysis["value"].as_f64().is_some());
    assert_eq!(analysis["best"], analysis["candidates"][0]["move"]);

    let solution = lab.json(&["solve", "pushover"]);
    assert_eq!((&solution["value"], &solution["distance"]), (&"win".into(), &17.into()));
    assert_eq!(solution["moves"].as_array().unwrap().len(), 16);
    assert_eq!(solution["line"].as_array().unwrap().len(), 17);
    assert!(solution["counts"]["boards"]["wins"].as_u64().unwrap() > 0);
    let without = lab.json(&["solve", "pushover", "--no-ko"]);
    assert_eq!((&without["value"], &without["distance"]), (&"draw".into(), &Value::Null));
}

/// The table of the exact solution is checked on load and rebuilt when it is damaged.
/// The board of a question, of a game that was played and of its last position goes into a picture.
#[test]
fn boards_are_drawn_as_svg() {
    let lab = Lab::new();
    let picture = |name: &str| lab.path(name);
    let board = "mines 1\n01.\n01.\n01.";
    lab.json(&["analyse", "minesweeper", "--position", board, "--svg", &picture("mines.svg")]);
    lab.json(&["solve", "pushover", "--svg", &picture("pushover.svg")]);
    let (games, last) = (picture("games.jsonl"), picture("last.svg"));
    lab.json(&["match", "chess:plies=10", "random", "random", "--games", "1", "--record", &games]);
    lab.run(&["replay", &games, "--svg", &last]);
    for name in ["mines.svg", "pushover.svg", "last.svg"] {
        let text = fs::read_to_string(lab.path(name)).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{name}: {text}");
    }
}

#[test]
fn a_damaged_table_is_rebuilt() {
    let lab = Lab::new();
    let before = lab.json(&["solve", "pushover"]);
    let path = lab.path("data/tables/pushover-4x4.bin");
    let good = fs::read(&path).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(lab.json(&["solve", "pushover"]), before);
    assert!(fs::read(&path).unwrap() == good);
}

#[test]
fn matches_repeat_on_any_number_of_threads_and_can_be_replayed_and_rated() {
    let lab = Lab::new();
    let (one, two) = (lab.path("one"), lab.path("two"));
    let play = |threads, record: &str| {
        let arguments =
            ["match", "pushover", "mcts:sims=40", "expert:depth=1", "--games", "20", "--seed", "9"];
        let options = ["--random-plies", "4", "--threads", threads, "--record", record];
        lab.json(&[&arguments[..], &options[..]].concat())
    };
    let result = play("1", &one);
    assert_eq!(result, play("3", &two));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let count = |name| result[name].as_u64().unwrap();
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (20, 20));
    assert!(["elo", "elo_low", "elo_high"].iter().all(|name| result.get(name).is_some()));

    let replay = lab.run(&["replay", &one, "--game", "7"]);
    assert!(replay.status.success());
    assert!(String::from_utf8_lossy(&replay.stdout).contains("wins"));
    let ratings = lab.json(&["ratings", &one, &two]);
    assert_eq!(ratings["players"].as_array().unwrap().len(), 2);
    assert!(lab.refusal(&["replay", &one, "--game", "21"]).contains("has 20 games"));
}

#[test]
fn tournaments_have_a_cross_table() {
    let lab = Lab::new();
    let players = ["tournament", "pushover", "random", "expert:depth=1", "expert:depth=2"];
    let result = lab.json(&[&players[..], &["--games", "10", "--random-plies", "4"]].concat());
    assert_eq!(result["standings"].as_array().unwrap().len(), 3);
    assert_eq!(result["ratings"]["players"][2]["name"], "random");
}

#[test]
fn sprt_ends_a_match_early() {
    let lab = Lab::new();
    let players = ["match", "pushover", "expert:depth=2", "random", "--games", "100000"];
    let result = lab.json(&[&players[..], &["--sprt", "0,50", "--random-plies", "2"]].concat());
    assert!(result["games"].as_u64().unwrap() < 1000);
    assert_eq!(result["sprt"]["verdict"], "accept_h1");
}

#[test]
fn sprt_takes_negative_numbers() {
    let lab = Lab::new();
    let players = ["match", "pushover", "random", "random", "--games", "2"];
    let result = lab.json(&[&players[..], &["--sprt", "-1,1"]].concat());
    assert_eq!((&result["sprt"]["elo0"], &result["sprt"]["elo1"]), (&(-1.0).into(), &1.0.into()));
}

#[test]
fn repeated_games_are_said_to_be_so_and_claim_nothing() {
    let lab = Lab::new();
    let players = ["match", "pushover", "alphabeta:depth=2", "alphabeta:depth=4", "--games"];
    let [once, often] = ["2", "60"].map(|games| lab.json(&[&players[..], &[games]].concat()));
    assert_eq!((&often["games"], &often["distinct_games"]), (&60.into(), &2.into()));
    for number in ["score", "elo", "elo_low", "elo_high", "superiority"] {
        assert_eq!(often[number], once[number], "{number}");
    }
    let people = String::from_utf8(lab.run(&[&players[..], &["60"]].concat()).stdout).unwrap();
    assert!(people.contains("only 2 different games among 60"), "{people}");
    let entrants = ["tournament", "pushover", "alphabeta:depth=2", "alphabeta:depth=4", "--games", "20"];
    assert_eq!(lab.json(&entrants)["distinct_games"], 2);
    let people = String::from_utf8(lab.run(&entrants).stdout).unwrap();
    assert!(people.contains("only 2 different games among 20"), "{people}");
}

#[test]
fn what_is_no_text_is_no_move() {
    let lab = Lab::new();
    let screen = lab.typed(&["play", "pushover", "--second", "human"], b"\xff\xfe\nmoves\nquit\n");
    let refused = screen.find("is not a move: expected a letter from A to P");
    assert!(refused.is_some_and(|place| screen[place..].contains("A B C D")), "{screen}");
}

#[test]
fn a_game_can_be_played_at_the_keyboard() {
    let lab = Lab::new();
    let screen =
        lab.typed(&["play", "pushover", "--second", "human"], "a\nundo\nhint\nmoves\nz\nb\nb\nquit\n");
    assert!(screen.contains("would play"), "{screen}");
    assert!(screen.contains("A B C D E F G H I J K L M N O P"), "{screen}");
    assert!(screen.contains("'z' is not a move: expected a letter from A to P"), "{screen}");
    let forbidden = lab.typed(
        &["play", "pushover", "--first", "human", "--second", "human", "--position", "+ooo...+...o...Eo"],
        "a\ne\nquit\n",
    );
    assert!(forbidden.contains("'E' is forbidden by the rule against repetition"), "{forbidden}");
    let against = lab.typed(&["play", "pushover", "--second", "random"], "undo\na\nundo\nb\nquit\n");
    assert!(against.contains("there is no move to take back") && against.contains("+ plays"), "{against}");
}

#[test]
fn the_tour_plays_a_game_to_its_end() {
    let lab = Lab::new();
    let output = lab.run(&["tour"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("wins after"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("What to try next"));
}

#[test]
fn data_bases_are_written_read_and_taught() {
    let lab = Lab::new();
    let (database, network) = (lab.path("games.txt"), lab.path("net"));
    let made = lab.json(&["data", "pushover", "games=60", "--out", &database, "--seed", "3"]);
    let told = lab.json(&["data", "pushover", "--describe", &database]);
    assert_eq!(made["positions"], told["positions"]);
    let lesson = ["train", "pushover", "bfgs", "positions=300", "iterations=20"];
    let taught = lab.json(&[&lesson[..], &[&format!("db={database}"), "--out", &network]].concat());
    assert_eq!(taught["samples"], 300);
    assert_eq!(taught["out"], network);
    let net = format!("net:file={network},depth=1");
    assert_eq!(lab.json(&["match", "pushover", &net, "random", "--games", "4"])["games"], 4);
}

#[test]
fn networks_of_subgrids_are_taught_evaluated_and_play() {
    let lab = Lab::new();
    let (set, network) = (lab.path("set"), lab.path("net"));
    let made = lab.json(&["data", "minesweeper", "samples=2000", "flags=yes", "--out", &set]);
    assert_eq!(lab.json(&["data", "minesweeper", "--describe", &set]), made);
    assert_eq!((&made["samples"], &made["mined_centres"]), (&2000.into(), &1000.into()));
    let lesson = ["train", "minesweeper", "subgrids", "samples=20000", "layers=32", "flags=yes"];
    let taught = lab.json(&[&lesson[..], &["--out", &network]].concat());
    assert_eq!((&taught["samples"], &taught["finished"]), (&20_000.into(), &true.into()));
    let evaluation = ["evaluate", "minesweeper", &network, "samples=1000", "games=50"];
    let found = lab.json(&evaluation);
    let mae = found["errors"]["mae"].as_f64().unwrap();
    assert!(mae < 0.48, "{mae}");
    assert_eq!(found["errors"]["distribution"].as_array().unwrap().len(), 10);
    assert!(found["scores"]["mean"].as_f64() > found["random"]["min"].as_f64());
    for game in ["minesweeper", "minesweeper:flags=yes,rows=7,cols=12"] {
        let player = format!("subgrids:file={network}");
        assert_eq!(lab.json(&["match", game, &player, "--games", "5"])["games"], 5);
    }
    fs::write(&network, b"not a network").unwrap();
    assert!(lab.refusal(&evaluation).contains("is not a network of sub-grids"));
}
