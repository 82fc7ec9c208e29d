//! Minesweeper at the terminal: boards pasted in, chances and reasons, recorded games judged.

use std::fs;

use serde_json::{Value, json};

use crate::lab::Lab;

/// A board of any size may be given by a file; what is known of it needs no player.
#[test]
fn a_minesweeper_board_is_surveyed() {
    let lab = Lab::new();
    let (board, bad) = (lab.path("board.txt"), lab.path("bad.txt"));
    fs::write(&board, "mines 1\n1..\n").unwrap();
    let known = lab.json(&["analyse", "minesweeper", "--position", &board]);
    assert_eq!((&known["rows"], &known["cols"], &known["mines"]), (&1.into(), &3.into(), &1.into()));
    assert_eq!(known["probability"], json!([null, 1.0, 0.0]));
    assert_eq!(
        (&known["best"], &known["safe"][0], &known["mined"][0]),
        (&"c1".into(), &"c1".into(), &"b1".into())
    );
    assert_eq!((&known["solutions"], &known["why"]["b1"][0]), (&"1".into(), &"a1".into()));
    fs::write(&bad, "mines 1\n2..\n").unwrap();
    assert!(lab.refusal(&["analyse", "minesweeper", "--position", &bad]).contains("a1"));
    assert!(lab.refusal(&["play", "minesweeper:rows=2,cols=2,mines=4"]).contains("4 mines"));
    assert!(lab.refusal(&["perft", "minesweeper", "1"]).contains("without secrets"));
}

/// The seed lays the mines: the same game again, or another one, and its record replays.
#[test]
fn a_minesweeper_game_is_recorded_and_replayed() {
    let lab = Lab::new();
    let games = lab.path("games");
    let result = lab.json(&["match", "minesweeper", "groups", "--games", "30", "--record", &games]);
    assert_eq!((result["games"].as_u64(), result["distinct_games"].as_u64()), (Some(30), Some(30)));
    assert!(result["wins"].as_u64().unwrap() > 15);
    let replay = lab.run(&["replay", &games, "--game", "30"]);
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
    let screen = |seed| lab.typed(&["play", "minesweeper", "--seed", seed], "a1\nquit\n");
    assert_eq!(screen("1"), screen("1"));
    assert_ne!(screen("1"), screen("2"));
}

/// What is drawn for people: chances in place of masks, and the reasons.
#[test]
fn a_surveyed_board_is_readable() {
    let lab = Lab::new();
    let board = lab.path("board.txt");
    fs::write(&board, "mines 3\n..1..\n111..\n000..\n").unwrap();
    let output = lab.run(&["analyse", "minesweeper", "--position", &board]);
    let page = String::from_utf8(output.stdout).unwrap();
    for line in [
        "  1 50% 50%   1 50% 50%",
        "  3              ok 50%",
        "certainly empty: d2 d3",
        "d2 is empty by the number at c3",
        "dead, unmasking them tells nothing: a1 b1 e2",
    ] {
        assert!(page.contains(line), "{line}:\n{page}");
    }
    fs::write(&board, "mines 2\n1.\n1.\n11\n1.\n1.\n").unwrap();
    let known = lab.json(&["analyse", "minesweeper", "--position", &board]);
    assert_eq!(known["dead"], json!(["b1", "b2", "b4", "b5"]));
    assert_eq!(known["win_chance"]["b1"], 0.5);
    assert_eq!(known["guesses"][0]["chance"], 0.5);
    // Far from the end nobody knows how often the best play wins.
    assert_eq!(lab.json(&["analyse", "minesweeper"])["win_chance"], Value::Null);
}

#[test]
fn an_impossible_board_names_its_cells() {
    let lab = Lab::new();
    let board = lab.path("board.txt");
    for (text, why) in [
        ("mines 1\n2..\n", "the number at a1 cannot be satisfied by the cells around it"),
        ("mines 2\n1.0..\n", "the numbers at a1 and c1 contradict each other"),
        ("mines x\n...\n", "expected a first line like 'mines 99'"),
        ("mines 1\n..?\n", "'?' at c1 is not a cell"),
    ] {
        fs::write(&board, text).unwrap();
        let sentence = lab.refusal(&["analyse", "minesweeper", "--position", &board]);
        assert!(sentence.contains(why), "{text:?}: {sentence}");
    }
}

/// A game on one row of three cells and one mine, of which the first may be it: a corner wins twice as often as
/// the middle.
#[test]
fn a_recorded_game_is_judged() {
    let lab = Lab::new();
    let file = lab.path("games");
    let play = |seed: &str, words: &str| {
        let game = "minesweeper:rows=1,cols=3,mines=1,first=any";
        lab.typed(&["play", game, "--seed", seed, "--record", &file], words);
    };
    // With the middle survived, either side may hold the mine.
    (0..20).for_each(|seed| play(&seed.to_string(), "b1\na1\n"));
    let games = fs::read_to_string(&file).unwrap().lines().count() as u64;
    let judged: Vec<Value> = (1..=games)
        .map(|number| lab.json(&["analyse", "minesweeper", "--game", &file, "--number", &number.to_string()]))
        .collect();
    for game in &judged {
        let first = &game["moves"][0];
        assert_eq!((&first["move"], &first["verdict"]), (&"b1".into(), &"worse-guess".into()));
        assert!((first["cost"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12, "{first}");
        assert_eq!((&first["exact"], &first["best"]), (&true.into(), &"a1".into()));
        if game["moves"].as_array().unwrap().len() == 1 {
            assert_eq!(game["verdict"], "mistake");
        } else {
            assert_eq!(game["moves"][1]["verdict"], "best-guess");
            assert!(game["verdict"] == "luck" || game["verdict"] == "won", "{game}");
        }
    }
    for verdict in ["mistake", "luck", "won"] {
        assert!(judged.iter().any(|game| game["verdict"] == verdict), "{verdict}");
    }
    let people = String::from_utf8(lab.run(&["analyse", "minesweeper", "--game", &file]).stdout).unwrap();
    assert!(people.starts_with(&format!("game 1 of {games}, minesweeper:rows=1")), "{people}");
    assert!(people.contains("worse guess: a mine with 33.3%, wins 33.3%; a1 wins 33.3 points"), "{people}");
}

/// A board on which a cell is certainly empty and another certainly mined: any other move is a blunder.
#[test]
fn a_needless_risk_is_a_blunder() {
    let lab = Lab::new();
    let file = lab.path("games");
    let position = "mines 3\n1....\n11...\n00...\n";
    let known = lab.json(&["analyse", "minesweeper", "--position", position]);
    let (safe, mined) = (known["safe"][0].as_str().unwrap(), known["mined"][0].as_str().unwrap());
    let play = ["play", "minesweeper", "--position", position, "--record", &file];
    lab.typed(&play, format!("{safe}\n{mined}\n"));
    let game = lab.json(&["analyse", "minesweeper", "--game", &file]);
    let [first, second] = [0, 1].map(|ply| game["moves"][ply]["verdict"].as_str().unwrap());
    assert_eq!([first, second], ["proven-safe", "blunder"]);
    assert_eq!((&game["moves"][1]["risk"], &game["moves"][1]["win_chance"]), (&1.0.into(), &0.0.into()));
    assert_eq!(game["verdict"], "mistake");
    assert!(game["words"].as_str().unwrap().contains("a proven mine"), "{game}");
}

/// Where every way to go on cannot be searched, chances are found by playing: the same for the same seed.
#[test]
fn sampled_chances_repeat() {
    let lab = Lab::new();
    let file = lab.path("games");
    lab.json(&["match", "minesweeper:mines=20", "random", "--games", "2", "--record", &file]);
    let judge = |seed: &str| {
        lab.json(&["analyse", "minesweeper", "--game", &file, "--samples", "40", "--seed", seed])
    };
    let game = judge("1");
    assert_eq!(game, judge("1"));
    assert_ne!(game, judge("2"));
    assert_eq!((&game["moves"][0]["samples"], &game["moves"][0]["risk"]), (&40.into(), &0.0.into()));
}

#[test]
fn what_cannot_be_reviewed_is_said() {
    let lab = Lab::new();
    let (mines, pushes) = (lab.path("mines"), lab.path("pushes"));
    lab.json(&["match", "minesweeper", "random", "--games", "2", "--record", &mines]);
    lab.json(&["match", "pushover", "random", "random", "--games", "2", "--record", &pushes]);
    for (arguments, expected) in [
        (&["analyse", "pushover", "--game", &pushes, "--number", "3"][..], "--number 3"),
        (&["analyse", "minesweeper", "--game", &pushes], "is one of pushover: expected minesweeper"),
        (&["analyse", "minesweeper", "--game", &mines, "--number", "3"], "--number 3"),
        (&["analyse", "minesweeper", "--game", "/nonexistent"], "/nonexistent"),
        (&["analyse", "minesweeper", "--game", &mines, "--player", "nobody"], "unknown player 'nobody'"),
        (&["analyse", "minesweeper", "--game", &mines, "--samples", "1"], "1"),
        (&["analyse", "minesweeper", "--game", &mines, "--position", "x"], "--position"),
        (&["analyse", "minesweeper", "--number", "1"], "--game"),
    ] {
        let sentence = lab.refusal(arguments);
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
    }
}

/// One row of three cells: a corner wins two placements of three, the middle one; with a safe first click all.
#[test]
fn tiny_boards_are_solved() {
    let lab = Lab::new();
    let solution = lab.json(&["solve", "minesweeper:rows=1,cols=3,mines=1,first=any"]);
    assert_eq!((&solution["value"], &solution["distance"]), (&(2.0 / 3.0).into(), &Value::Null));
    let moves: Vec<(&Value, f64)> = solution["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| (&mv["move"], mv["value"].as_f64().unwrap()))
        .collect();
    assert_eq!(moves, [(&"a1".into(), 2.0 / 3.0), (&"c1".into(), 2.0 / 3.0), (&"b1".into(), 1.0 / 3.0)]);
    assert_eq!(solution["counts"], json!({ "placements": 3, "placements_won": 2 }));
    let position = "mines 1\n1.\n1.";
    assert_eq!(lab.json(&["solve", "minesweeper", "--position", position])["value"], 0.5);
    let people = String::from_utf8(lab.run(&["solve", "minesweeper:rows=4,cols=4,mines=3"]).stdout).unwrap();
    assert!(people.contains("player to move: wins 87.9121%"), "{people}");
    let sentence = lab.refusal(&["solve", "minesweeper"]);
    assert!(
        sentence.contains("a board of 100 cells is too large to be solved: expected at most 28"),
        "{sentence}"
    );
    let match_ = ["match", "minesweeper:rows=4,cols=4,mines=3", "optimal", "--games", "300"];
    assert!(lab.json(&match_)["score_high"].as_f64().unwrap() > 0.879);
    let sentence = lab.refusal(&["match", "minesweeper:rows=5,cols=5,mines=12", "optimal"]);
    assert!(sentence.contains("unknown player 'optimal': expected one of random, "), "{sentence}");
}

/// Boards without guesses are won by taking only certain cells; boards that cannot exist are refused at once.
#[test]
fn boards_without_guesses_are_won() {
    let lab = Lab::new();
    let games = lab.path("games");
    let expert = "minesweeper:rows=16,cols=30,mines=99,guess=no";
    let result = lab.json(&["match", expert, "groups", "--games", "6", "--record", &games]);
    assert_eq!((&result["wins"], &result["losses"]), (&6.into(), &0.into()));
    assert!(lab.run(&["replay", &games, "--game", "6"]).status.success());
    let review = lab.json(&["analyse", "minesweeper", "--game", &games, "--samples", "2"]);
    let moves = review["moves"].as_array().unwrap();
    assert!(moves[1..].iter().all(|mv| mv["verdict"] == "proven-safe"), "{review}");
    for (game, expected) in [
        (
            "minesweeper:rows=2,cols=2,mines=2,guess=no",
            "no board of 2×2 cells with 2 mines was found that needs no guess",
        ),
        ("minesweeper:first=any,guess=no", "expected a first click that is safe or a 0"),
        ("minesweeper:guess=maybe", "expected one of yes, no"),
    ] {
        let sentence = lab.refusal(&["play", game]);
        assert!(sentence.contains(expected), "{sentence}");
    }
    let screen =
        lab.typed(&["play", "minesweeper:rows=2,cols=4,mines=4,guess=no", "--seed", "1"], "c1\nquit\n");
    assert!(screen.contains("no board without a guess was found: this one needs one"), "{screen}");
}

/// A guess that had to be made sooner or later costs nothing, though a safe cell was left aside for it.
#[test]
fn a_forced_guess_taken_early_is_no_mistake() {
    let lab = Lab::new();
    let (board, games) = (lab.path("board.txt"), lab.path("games"));
    fs::write(&board, "mines 2\n.1001..\n.1001..\n").unwrap();
    lab.typed(
        &["play", "minesweeper", "--position", &board, "--record", &games, "--seed", "1"],
        "a2\na1\nquit\n",
    );
    let game = lab.json(&["analyse", "minesweeper", "--game", &games]);
    let first = &game["moves"][0];
    assert_eq!(
        (&first["move"], &first["verdict"], &first["cost"]),
        (&"a2".into(), &"best-guess".into(), &json!(0.0))
    );
    assert_ne!(game["verdict"], "mistake", "{game}");
}

#[test]
fn the_score_and_a_promise_that_could_not_be_kept_are_told() {
    let lab = Lab::new();
    let end = |game| {
        let lines = lab.typed(&["play", game, "--first", "solver", "--seed", "1", "--json"], "");
        serde_json::from_str::<Value>(lines.lines().last().unwrap()).unwrap()
    };
    let won = end("minesweeper:rows=6,cols=6,mines=3,guess=no");
    assert_eq!(
        (&won["score"], &won["highest_score"], &won["needs_guess"]),
        (&33.into(), &33.into(), &false.into())
    );
    assert_eq!(end("minesweeper:rows=1,cols=3,mines=1,first=any")["highest_score"], 2);
}

/// The chance that a cell is empty is what every player but `optimal` says of it.
#[test]
fn the_value_of_a_cell_is_its_chance_to_be_empty() {
    let lab = Lab::new();
    let board = lab.path("board.txt");
    fs::write(&board, "mines 2\n.1001..\n.1001..\n").unwrap();
    for player in ["groups", "solver", "solver:effort=fast"] {
        let known = lab.json(&["analyse", "minesweeper", "--position", &board, "--player", player]);
        for candidate in known["candidates"].as_array().unwrap() {
            let cell = candidate["move"].as_str().unwrap();
            let row = cell[1..].parse::<usize>().unwrap() - 1;
            let place = 7 * row + (cell.as_bytes()[0] - b'a') as usize;
            let mined = known["probability"][place].as_f64().unwrap();
            assert!(
                (candidate["value"].as_f64().unwrap() - (1.0 - mined)).abs() < 1e-9,
                "{player}: {candidate}"
            );
        }
    }
}

#[test]
fn an_evaluation_draws_its_figures() {
    let lab = Lab::new();
    let (net, folder) = (lab.path("net.safetensors"), lab.path("figures"));
    let lesson = ["train", "minesweeper", "subgrids", "samples=200", "masks=2", "layers=4"];
    lab.json(&[&lesson[..], &["flags=yes", "--out", &net]].concat());
    let few = ["evaluate", "minesweeper", &net, "samples=100", "games=5"];
    let drawn = lab.json(&[&few[..], &["heat=2", "--svg", &folder]].concat());
    assert_eq!(drawn, lab.json(&few), "figures change no number");
    assert!(lab.refusal(&[&few[..], &["heat=2"]].concat()).contains("heat=2 has no effect"));
    for name in ["network-errors", "network-scatter", "scores", "heat-map"] {
        let svg = std::fs::read_to_string(format!("{folder}/{name}.svg")).unwrap();
        assert!(svg.starts_with("<svg"), "{name}");
    }
    let plain = lab.path("plain.safetensors");
    lab.json(&[&lesson[..], &["--out", &plain]].concat());
    let folder = lab.path("without");
    lab.json(&["evaluate", "minesweeper", &plain, "samples=100", "games=5", "--svg", &folder]);
    assert!(!std::path::Path::new(&format!("{folder}/heat-map.svg")).exists(), "it uses no flags");
    let refusal = lab.refusal(&["evaluate", "chess", &plain, "--svg", &folder]);
    assert!(refusal.contains("chess has no figures"), "{refusal}");
}

#[test]
fn groups_counts_as_the_document_does_where_it_is_asked_to() {
    let lab = Lab::new();
    for way in ["method=gauss-jordan", "method=naive", "weights=printed", "weights=printed,method=naive"] {
        let player = format!("groups:{way}");
        assert_eq!(
            lab.json(&["match", "minesweeper:rows=4,cols=4,mines=3", &player, "--games", "5"])["games"],
            5
        );
    }
    let refusal = lab.refusal(&["match", "minesweeper", "groups:method=simplex", "--games", "1"]);
    assert!(refusal.contains("simplex") && refusal.contains("gauss-jordan"), "{refusal}");
    let board = "mines 1\n.11.\n....";
    let seen = lab.json(&["analyse", "minesweeper", "--position", board]);
    let texts = seen.to_string();
    assert!(texts.contains("by_formula") && texts.contains("by_listing"), "{texts}");
}

#[test]
fn flags_of_the_game_do_not_matter_to_an_evaluation() {
    let lab = Lab::new();
    let net = lab.path("net.safetensors");
    lab.json(&[
        "train",
        "minesweeper",
        "subgrids",
        "samples=200",
        "masks=2",
        "layers=4",
        "flags=yes",
        "--out",
        &net,
    ]);
    let evaluate = |game| lab.json(&["evaluate", game, &net, "samples=100", "games=5"]);
    assert_eq!(evaluate("minesweeper:flags=yes"), evaluate("minesweeper"));
}
