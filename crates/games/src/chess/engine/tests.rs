//! What the engine promises: mates, legal lines, reproducible answers, repetition, the stop flag.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::{Outcome, Player, Position, Rng, Seat, Thought, Turn};

use super::*;

fn engine() -> ChessEngine {
    ChessEngine::new(1, 2, &ClassicEvaluator::default())
}

fn best(fen: &str, limits: &SearchLimits) -> (String, EngineScore) {
    let position = Chess::from_fen(fen).unwrap();
    let variations = engine().search(&SearchRequest::new(position), limits, SearchSignals::default(), |_| {});
    (position.san(variations[0].line[0]), variations[0].score)
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

#[test]
fn mates_are_found_and_counted() {
    let (mv, score) = best("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &depth(3));
    assert_eq!((mv.as_str(), score.mate_in()), ("Ra8#", Some(1)));
    let (_, score) = best("7k/8/8/8/8/8/R7/1R5K w - - 0 1", &depth(6));
    assert_eq!(score.mate_in(), Some(2), "two rooks, one rank after the other");
    let (_, score) = best("7k/8/8/8/8/8/R7/1R5K b - - 0 1", &depth(7));
    assert_eq!(score.mate_in(), Some(-3));
    let (mv, score) = best("8/8/8/8/8/8/pk6/2Q1K3 b - - 0 1", &depth(4));
    assert_eq!((mv.as_str(), score.mate_in()), ("Kxc1", None));
}

/// Also where an iteration that has just found a better move is stopped.
#[test]
fn what_is_played_was_said_last() {
    let mut changes = 0;
    for fen in ["rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1", Chess::start().fen().as_str()] {
        let position = Chess::from_fen(fen).unwrap();
        for nodes in (500..6000).step_by(100) {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
            let mut said = Vec::new();
            let hear = |report: &SearchInfo<'_>| said.push((report.depth, report.variations[0].line[0]));
            let played =
                engine().search(&SearchRequest::new(position), &limits, SearchSignals::default(), hear);
            assert_eq!(said.last().unwrap().1, played[0].line[0], "{fen} {nodes}");
            changes += usize::from(said.windows(2).last().is_some_and(|last| last[0].1 != last[1].1));
        }
    }
    assert!(changes > 0, "no last word was another move");
}

/// Also after a move that failed high before its own line was searched, such as a mate.
#[test]
fn all_that_is_said_can_be_played() {
    let fens = ["4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", "7k/8/8/8/8/8/R7/1R5K b - - 0 1", &Chess::start().fen()];
    for fen in fens {
        let start = Chess::from_fen(fen).unwrap();
        for (nodes, candidates) in [(500, 1), (2000, 3), (5000, 1), (20_000, 1), (20_000, 3)] {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
            let request = SearchRequest { candidates, ..SearchRequest::new(start) };
            let hear = |report: &SearchInfo<'_>| {
                for variation in report.variations {
                    let mut position = start;
                    for &mv in &variation.line {
                        assert!(position.is_legal(mv), "{fen}, {nodes} nodes: {:?}", variation.line);
                        position.play(mv);
                    }
                }
            };
            engine().search(&request, &limits, SearchSignals::default(), hear);
        }
    }
}

#[test]
fn tactics_are_seen() {
    // A knight's fork of king and queen.
    let (mv, _) = best("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &depth(4));
    assert_eq!(mv, "Nc7+");
}

/// The third occurrence is a draw, which only the past in the request can tell.
#[test]
fn repetition_is_known_from_the_past() {
    let mut position = Chess::from_fen("7k/8/8/8/8/R7/8/2K5 w - - 0 1").unwrap();
    let mut past = Vec::new();
    for mv in ["Kb1", "Kg8", "Kc1", "Kh8", "Kb1", "Kg8", "Kc1"] {
        past.push(position.key());
        position.play(position.read_san(mv).unwrap());
    }
    let back = vec![position.read_san("Kh8").unwrap()];
    let score = |past: Vec<u64>| {
        let request = SearchRequest { past, moves: back.clone(), ..SearchRequest::new(position) };
        engine().search(&request, &depth(5), SearchSignals::default(), |_| {})[0].score
    };
    assert!(score(Vec::new()) < EngineScore(-200));
    assert_eq!(score(past).centipawns(), Some(0));
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let position = Chess::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let request = SearchRequest { candidates: 3, ..SearchRequest::new(position.unwrap()) };
    let limits = SearchLimits { nodes: Some(20_000), ..SearchLimits::default() };
    let mut engine = engine();
    let mut answer = || {
        engine.clear();
        let mut nodes = 0;
        let lines = engine.search(&request, &limits, SearchSignals::default(), |report| nodes = report.nodes);
        assert!(nodes <= 20_000);
        (lines, nodes)
    };
    let first = answer();
    assert_eq!(first, answer());
    assert_eq!(first.0.len(), 3);
    assert!(first.0.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn a_raised_flag_is_answered_with_a_move() {
    let stop = AtomicBool::new(true);
    let signals = SearchSignals { stop: Some(&stop), pondering: None };
    let begun = Instant::now();
    let lines =
        engine().search(&SearchRequest::new(Chess::start()), &SearchLimits::default(), signals, |_| {});
    assert!(Chess::start().is_legal(lines[0].line[0]));
    assert!(begun.elapsed().as_millis() < 1000);
}

/// Boards on which captures go on for ever.
const CROWDED: [&str; 2] = [
    "Nn1nnbk1/1NnNb1B1/5n2/2B3B1/n1nbN1B1/n1N1n3/nnNN4/K2NnB2 b - - 98 1",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
];

/// Also in the first iteration, with one thread and with several. The bound is wide, because other tests run beside.
#[test]
fn crowded_boards_are_answered_within_the_limits() {
    let nodes = SearchLimits { nodes: Some(100), ..SearchLimits::default() };
    let time = TimeControl::Move(Duration::from_millis(20));
    let time = SearchLimits { time: Some(time), ..SearchLimits::default() };
    for fen in CROWDED {
        for (limits, threads) in [(nodes, 1), (nodes, 2), (time, 1), (time, 2)] {
            let position = Chess::from_fen(fen).unwrap();
            let mut engine = ChessEngine::new(threads, 2, &ClassicEvaluator::default());
            for candidates in [1, usize::MAX] {
                let request = SearchRequest { candidates, ..SearchRequest::new(position) };
                let (begun, mut said) = (Instant::now(), None);
                let hear = |report: &SearchInfo<'_>| said = Some(report.variations[0].line[0]);
                let lines = engine.search(&request, &limits, SearchSignals::default(), hear);
                assert!(begun.elapsed().as_millis() < 1000, "{fen}: {:?}", begun.elapsed());
                assert!(position.is_legal(lines[0].line[0]));
                assert_eq!(said, Some(lines[0].line[0]));
                assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
            }
        }
    }
}

/// A search of few plies ends by itself.
#[test]
fn quiescence_has_an_end() {
    for fen in CROWDED {
        let begun = Instant::now();
        best(fen, &depth(1));
        assert!(begun.elapsed().as_secs() < 30, "{fen}: {:?}", begun.elapsed());
    }
}

/// A search that is stopped before it has searched a move answers with the one that it would have searched first: the queen
/// takes the piece that is not defended.
#[test]
fn a_search_of_nothing_has_an_answer() {
    let position = Chess::from_fen("4k3/8/2p5/3r4/8/8/3Q3n/4K3 w - - 0 1").unwrap();
    let (request, limits) = (SearchRequest::new(position), SearchLimits::default());
    let control = SearchControl::new(&limits, 1, None, None);
    control.stop_all();
    let table = SharedTranspositionTable::new(1);
    let mut state = SearchThreadState::new(ClassicEvaluator::default());
    let mut thread = SearchThread::new(&mut state, &table, &control, &request, 0);
    let mut said = Vec::new();
    let lines = thread.iterative_deepening(&limits, |report| said.push(report.depth));
    assert_eq!((said, lines.len()), (vec![0], 1));
    assert_eq!(position.san(lines[0].line[0]), "Qxh2");
}

#[test]
fn several_threads_give_a_legal_line() {
    let mut engine = ChessEngine::new(3, 2, &ClassicEvaluator::default());
    let request = SearchRequest::new(Chess::start());
    let limits = SearchLimits { nodes: Some(30_000), ..SearchLimits::default() };
    let lines = engine.search(&request, &limits, SearchSignals::default(), |_| {});
    let mut position = request.position;
    for &mv in &lines[0].line {
        assert!(position.is_legal(mv));
        position.play(mv);
    }
}

/// Whole games, every line of every answer legal, at several strengths.
#[test]
fn games_are_played_to_their_end() {
    for (game, noise) in [(0, 0.0), (1, 200.0)] {
        let mut rng = Rng::stream(3, game);
        let mut position = Chess::start_960(rng.below(960) as u16);
        let limits = SearchLimits { nodes: Some(400), ..SearchLimits::default() };
        let mut player = EnginePlayer::new(engine(), limits).with_noise(noise);
        player.new_game(Seat::First);
        let mut past = Vec::new();
        while position.outcome().is_none() && past.len() < 250 {
            let mut watcher = |thought: Thought<ChessMove>| {
                for candidate in thought.candidates {
                    let mut position = position;
                    for mv in candidate.line {
                        assert!(position.is_legal(mv), "{mv:?} in {}", position.fen());
                        position.play(mv);
                    }
                }
            };
            let mut turn = Turn::new(&mut rng).watched(&mut watcher);
            (turn.past, turn.repetitions) = (&past, Some(3));
            let mv = player.choose(&position, &mut turn);
            past.push(position.key());
            position.play(mv);
        }
        assert!(!matches!(position.outcome(), Some(Outcome::Win(_))) || position.in_check());
    }
}
