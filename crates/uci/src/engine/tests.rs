//! UCI sessions over in-memory pipes, without a process.

use std::io::{BufReader, Read};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use outplay_runtime::files::MAX_LINE_BYTES;

use super::serve;

/// What is answered to a script by an interface that waits for the answer to every `go`.
fn answers(script: &str) -> Vec<String> {
    let (lines, input) = mpsc::channel();
    let (heard, output) = mpsc::channel();
    let server = thread::spawn(move || serve(BufReader::new(LineReceiver(input)), LineSender(heard)));
    let mut answers = Vec::new();
    for line in script.lines() {
        // After `quit` nobody reads.
        let _ = lines.send(format!("{line}\n").into_bytes());
        while line.starts_with("go") {
            let text = output.recv_timeout(Duration::from_mins(1)).unwrap();
            answers.extend(text.lines().map(str::to_owned));
            if text.starts_with("bestmove") {
                break;
            }
        }
    }
    drop(lines);
    server.join().unwrap().unwrap();
    answers
        .extend(output.iter().flat_map(|text: String| text.lines().map(str::to_owned).collect::<Vec<_>>()));
    answers.retain(|line| !line.is_empty());
    answers
}

/// What is answered to a script that ends without waiting for anything.
fn answers_at_once(script: &[u8]) -> String {
    let mut output = Vec::new();
    serve(script, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn best(script: &str) -> String {
    let answers = answers(script);
    let bests: Vec<&String> = answers.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(bests.len(), 1, "{answers:?}");
    bests[0].split(' ').nth(1).unwrap().to_owned()
}

#[test]
fn an_introduction() {
    let answers = answers("uci\nisready\nquit\nisready\n");
    assert!(answers[0].starts_with("id name Outplay"));
    assert!(answers.iter().any(|line| line.starts_with("option name Hash type spin default 16 min 1")));
    assert_eq!(&answers[answers.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn a_search_says_what_it_sees() {
    let answers = answers("setoption name MultiPV value 2\nposition startpos moves e2e4 e7e5\ngo depth 4\n");
    for part in [
        " depth 4 ",
        " seldepth ",
        " multipv 2 ",
        " score cp ",
        " nodes ",
        " nps ",
        " hashfull ",
        " time ",
        " pv ",
    ] {
        assert!(
            answers.iter().any(|line| line.starts_with("info") && line.contains(part)),
            "{part}: {answers:?}"
        );
    }
    assert!(answers.last().unwrap().starts_with("bestmove "));
}

#[test]
fn mates_and_finished_games() {
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n";
    assert_eq!(best(&format!("{mate}go mate 1\n")), "a1a8");
    assert!(answers(&format!("{mate}go depth 5\n")).iter().any(|line| line.contains("score mate 1")));
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "cp 0")]
    {
        let answers = answers(&format!("position fen {fen}\ngo depth 3\n"));
        assert_eq!(answers, [format!("info depth 0 score {score}"), "bestmove 0000".to_owned()]);
    }
}

/// An interface may play on where a draw could be claimed.
#[test]
fn drawn_games_go_on() {
    assert_eq!(best("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\ngo depth 3\n").len(), 4);
    assert_eq!(best("position fen 7k/8/8/8/8/8/R7/K7 w - - 120 99 moves a2b2\ngo depth 3\n").len(), 4);
}

#[test]
fn only_some_moves() {
    assert_eq!(best("go depth 3 searchmoves a2a3\n"), "a2a3");
    assert_eq!(best("go nodes 500 searchmoves h2h4 a2a3\n").len(), 4);
}

/// What cannot be obeyed is named, and all else stays as it was.
#[test]
fn nothing_is_lost_by_bad_input() {
    let script = "position startpos moves e2e5\nposition fen 8/8 w\nposition startpos moves e2e4\n\
                  setoption name Hash value none\nfly\ngo depth two\ngo depth 2 searchmoves e2e4\ngo depth 2\n";
    let answers = answers(script);
    let said = |text: &str| answers.iter().any(|line| line.starts_with("info string") && line.contains(text));
    for text in [
        "'e2e5' cannot be played",
        "ranks",
        "option Hash 'none'",
        "'fly' is no command",
        "depth two",
        "'e2e4'",
    ] {
        assert!(said(text), "{text}: {answers:?}");
    }
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove")).count(), 3, "one for each go");
    let mv = answers.last().unwrap().split(' ').nth(1).unwrap();
    assert!(matches!(mv.as_bytes()[1], b'7' | b'8'), "black's move: {mv}");
}

/// A position that was refused is not answered by a move of the one before.
#[test]
fn a_refused_position_has_no_move() {
    let long = format!("position startpos moves{}", " e2e4".repeat(MAX_LINE_BYTES / 5));
    for position in ["position startpos moves e2e5", "position fen 8/8 w", "position here", "position", &long]
    {
        let script = format!("position startpos moves d2d4\n{position}\ngo depth 2\ngo nodes 100\n");
        let answers = answers_at_once(script.as_bytes());
        let lines: Vec<&str> = answers.lines().collect();
        assert_eq!(lines.len(), 5, "{answers}");
        for (said, answer) in [(lines[1], lines[2]), (lines[3], lines[4])] {
            assert!(said.starts_with("info string the last position was refused"), "{answers}");
            assert_eq!(answer, "bestmove 0000");
        }
    }
    for way_out in ["ucinewgame", "position startpos"] {
        assert_eq!(best(&format!("position here\n{way_out}\ngo depth 2\n")).len(), 4);
    }
}

/// Searches that have not ended when the input does are answered at once.
#[test]
fn the_end_of_the_input_stops_the_search() {
    for go in ["go depth 60", "go movetime 100000", "go infinite", "go ponder wtime 60000", "go"] {
        let begun = Instant::now();
        let answers = answers_at_once(format!("{go}\n").as_bytes());
        assert!(answers.lines().last().unwrap().starts_with("bestmove "), "{go}: {answers}");
        assert!(begun.elapsed().as_secs() < 5, "{go}: {:?}", begun.elapsed());
    }
}

/// A clock for the other side alone, or an increment alone, is a limit too.
#[test]
fn a_clock_of_either_side_is_a_limit() {
    for clock in ["btime 500", "wtime 500", "btime 500 binc 10", "binc 200", "winc 200 movestogo 3"] {
        let begun = Instant::now();
        assert_eq!(best(&format!("go {clock}\n")).len(), 4);
        assert!(begun.elapsed().as_secs() < 5, "{clock}: {:?}", begun.elapsed());
    }
}

/// However much is said, the answer is short, and holds nothing that a terminal would obey.
#[test]
fn answers_are_short() {
    let commands = [
        "",
        "go depth 1 ",
        "go depth ",
        "go depth 1 searchmoves ",
        "position ",
        "position fen ",
        "setoption name ",
    ];
    let words = ["foo ", "x", "\u{1b}[2J", "depth x ", "8/8/8/8/8/8/8/8 "];
    for command in commands {
        for word in words {
            for length in [MAX_LINE_BYTES - command.len() - word.len(), 10 << 20] {
                let line = format!("{command}{}\nisready\n", word.repeat(length / word.len()));
                let answers = answers_at_once(line.as_bytes());
                assert!(answers.len() < 3000, "{command}{word}: {} bytes", answers.len());
                assert!(!answers.contains(|char: char| char.is_control() && char != '\n'), "{command}{word}");
                assert!(
                    answers.contains("info string") && answers.contains("readyok"),
                    "{command}: {answers}"
                );
                assert_eq!(command.starts_with("go"), answers.contains("bestmove"), "{command}: {answers}");
            }
        }
    }
}

#[test]
fn long_games_fit_into_a_line() {
    let game = " g1f3 g8f6 f3g1 f6g8".repeat(10_000);
    assert_eq!(answers_at_once(format!("position startpos moves{game}\n").as_bytes()), "");
}

#[test]
fn chess_960_castles_onto_the_rook() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves ";
    assert_eq!(best(&format!("{position}e1g1\n")), "e1g1");
    assert_eq!(best(&format!("setoption name UCI_Chess960 value true\n{position}e1h1\n")), "e1h1");
}

#[test]
fn weak_levels_answer() {
    for skill in 1..=9 {
        let mv = best(&format!("setoption name Skill value {skill}\ngo nodes 300\n"));
        assert_eq!(mv.len(), 4);
    }
}

/// No `go` stays without an answer, whatever it says.
#[test]
fn slips_are_told_and_answered() {
    for go in ["go wtime 100 btime 100 foo", "go depth", "go depth x", "go depth -3", "go movetime soon"] {
        let answers = answers(&format!("{go}\n"));
        assert!(answers[0].starts_with("info string go "), "{go}: {answers:?}");
        assert!(answers.last().unwrap().starts_with("bestmove "), "{go}: {answers:?}");
    }
}

/// A hash size that the machine cannot give is refused, and the engine keeps what it has.
#[test]
fn no_table_is_too_large_for_the_engine_to_survive() {
    let answers = answers("setoption name Hash value 65536\nsetoption name Hash value 2\ngo depth 1\n");
    assert!(answers.last().unwrap().starts_with("bestmove "), "{answers:?}");
}

/// More threads than cores do not keep the engine from its clock.
#[test]
fn time_is_kept_with_many_threads() {
    let begun = Instant::now();
    let answers = answers("setoption name Threads value 256\nisready\ngo movetime 300\n");
    assert!(begun.elapsed().as_millis() < 1500, "{:?}", begun.elapsed());
    assert!(answers[0].contains("option Threads '256'") || answers[0] == "readyok", "{answers:?}");
}

/// Weak levels play another game every time, and the same ones in a session that is repeated.
#[test]
fn mistakes_differ_from_game_to_game() {
    let session = |seed: u32| {
        let game = "ucinewgame\nposition startpos\ngo nodes 100\nstop\n";
        let script =
            format!("setoption name Seed value {seed}\nsetoption name Skill value 1\n{}", game.repeat(12));
        let moves = answers(&script).into_iter().filter(|line| line.starts_with("bestmove"));
        moves.map(|line| line[9..13].to_owned()).collect::<Vec<_>>()
    };
    let games = session(0);
    assert_eq!(games.len(), 12);
    assert!(games.iter().any(|mv| *mv != games[0]), "{games:?}");
    assert_eq!(session(0), games);
    assert_ne!(session(1), games);
}

/// Lines that arrive while the other end is watched.
struct LineReceiver(Receiver<Vec<u8>>);

impl Read for LineReceiver {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Ok(line) = self.0.recv() else { return Ok(0) };
        buffer[..line.len()].copy_from_slice(&line);
        Ok(line.len())
    }
}

struct LineSender(mpsc::Sender<String>);

impl std::io::Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A search without limits answers `stop` at once, and not before; so does one that ponders.
#[test]
fn stop_is_answered_at_once() {
    for (go, end) in [
        ("go infinite", "stop"),
        ("go depth 1 infinite", "stop"),
        ("go ponder movetime 1", "ponderhit"),
        ("go ponder wtime 1000 btime 1000", "stop"),
    ] {
        let (lines, input) = mpsc::channel();
        let (heard, output) = mpsc::channel();
        let server =
            std::thread::spawn(move || serve(BufReader::new(LineReceiver(input)), LineSender(heard)));
        let tell = |line: &str| lines.send(format!("{line}\n").into_bytes()).unwrap();
        tell(go);
        let early = std::time::Duration::from_millis(150);
        while let Ok(text) = output.recv_timeout(early) {
            assert!(!text.starts_with("bestmove"), "{go}: answered too early");
        }
        let begun = Instant::now();
        tell(end);
        let mut texts = output.iter();
        assert!(texts.any(|text| text.starts_with("bestmove")), "{go}");
        assert!(begun.elapsed().as_millis() < 500, "{go}: {:?}", begun.elapsed());
        drop(lines);
        server.join().unwrap().unwrap();
    }
}
