//! The exact values of small boards: compared with a solver that uses only the rules and visits every reachable position,
//! and proved by their equations.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_core::{Oracle, Outcome, Player, Position, Rng, Seat, StagedPosition, Turn, Value, View};
use outplay_games::quoridor::{
    BOARDS, Cells, LargeQuoridor, Quoridor, QuoridorSetup, QuoridorSymmetry, SmallQuoridor, Walls,
};
use outplay_players::staged::{StagedSolution, StagedSolveError};
use outplay_players::{Perfect, ReachableSolution};

fn solve<C: Cells>(start: &Quoridor<C>) -> StagedSolution<Quoridor<C>> {
    StagedSolution::solve(start, &|_, _| (), &AtomicBool::new(false)).expect("nobody stops it")
}

fn start(size: u8, walls: u8) -> SmallQuoridor {
    SmallQuoridor::start(size, walls).expect("a board")
}

#[test]
fn a_solution_that_knows_no_stages_agrees() {
    let boards = BOARDS.iter().map(|board| board.start(0).expect("a board"));
    let small = [(3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (5, 0)].map(|(size, walls)| start(size, walls));
    for start in small.into_iter().chain(boards) {
        let solution = solve(&start);
        let census = solution.value_counts();
        let truth = ReachableSolution::solve(&start, 10_000_000, &|_| (), &AtomicBool::new(false))
            .expect("few moves");
        assert!(truth.positions() as u64 <= census.finished + census.unfinished());
        let example = census.longest.expect("someone wins").example;
        assert!(start.may_lead_to(&example), "an example of this very board: {example:?}");
        for (position, value) in truth.each() {
            assert_eq!(solution.value(position), value, "{position:?}");
        }
    }
}

#[test]
fn values_satisfy_their_equations() {
    let solution = solve(&start(5, 1));
    assert_eq!(solution.violations(), 0);
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let mut position = start(5, 1);
        while position.outcome().is_none() {
            let moves = solution.moves(&position);
            assert_eq!(moves.len(), position.moves().len());
            assert_eq!(moves[0].1, solution.value(&position), "the best move keeps the value");
            symmetric_positions_are_worth_the_same(&solution, &position);
            position.play(position.random_move(&mut rng, &mut Vec::new()));
        }
    }
    let longest = solution.value_counts().longest.expect("someone wins");
    assert_eq!(solution.value(&longest.example), Value::Win(longest.plies));
    assert_eq!(solution.principal_variation(&longest.example, 200).len(), longest.plies as usize);
    perfect_play_drops_nothing(&Arc::new(solution));
}

/// Left and right exchanged, written out tile by tile.
fn mirrored(position: &SmallQuoridor) -> SmallQuoridor {
    let setup = position.setup();
    let flip = |cell: u8, last: u8| {
        let (column, row) = u64::column_row(cell);
        u64::cell(last - column, row)
    };
    let slots = |slots: u64| slots.iter().map(|slot| 1 << flip(slot, setup.size - 2)).sum();
    let walls = Walls { horizontal: slots(setup.walls.horizontal), vertical: slots(setup.walls.vertical) };
    let pawns = setup.pawns.map(|pawn| flip(pawn, setup.size - 1));
    SmallQuoridor::set_up(QuoridorSetup { pawns, walls, ..setup }).expect("a position like the first")
}

fn symmetric_positions_are_worth_the_same(
    solution: &StagedSolution<SmallQuoridor>,
    position: &SmallQuoridor,
) {
    assert_eq!(solution.value(&mirrored(position)), solution.value(position));
    for symmetry in QuoridorSymmetry::ALL {
        let image =
            SmallQuoridor::at(position.stage().image(symmetry), position.place(symmetry)).expect("an image");
        assert_eq!(solution.value(&image), solution.value(position), "{position:?} under {symmetry:?}");
        assert_eq!(image.move_count(), position.move_count());
        assert_eq!(SmallQuoridor::canonical(image.stage()).0, SmallQuoridor::canonical(position.stage()).0);
    }
    assert_eq!(
        SmallQuoridor::at(position.stage(), position.place(QuoridorSymmetry::default())),
        Some(*position)
    );
}

fn perfect_play_drops_nothing(solution: &Arc<StagedSolution<SmallQuoridor>>) {
    let mut perfect = Perfect::new(Arc::clone(solution));
    let mut rng = Rng::new(2);
    for game in 0..100 {
        let (mut position, seat) = (start(5, 1), Seat::BOTH[game % 2]);
        let mut promised = solution.value(&position);
        while position.outcome().is_none() {
            let mv = if position.seat() == seat {
                promised = solution.value(&position);
                perfect.choose(&position, &mut Turn::new(&mut rng))
            } else {
                position.random_move(&mut rng, &mut Vec::new())
            };
            position.play(mv);
            if position.seat() != seat {
                assert_eq!(solution.value(&position).to_mover(), promised);
            }
        }
        if let Value::Win(_) = promised {
            assert_eq!(position.outcome(), Some(Outcome::Win(seat)));
        }
    }
}

/// A position that occurred twice is a draw the third time: the winner avoids it, the loser seeks it.
#[test]
fn perfect_play_minds_repetition() {
    let solution = Arc::new(solve(&start(5, 0)));
    let mut perfect = Perfect::new(Arc::clone(&solution));
    let mut position = start(5, 0);
    if let Value::Win(_) = solution.value(&position) {
        position.play(solution.moves(&position)[0].0);
    }
    assert!(matches!(solution.value(&position), Value::Loss(_)), "the loser is to move");
    for mv in position.moves() {
        let past = [position.after(mv).key(); 2];
        let mut rng = Rng::new(3);
        let mut turn = Turn::new(&mut rng);
        (turn.past, turn.repetitions) = (&past, Some(3));
        assert_eq!(perfect.choose(&position, &mut turn), mv);
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| (solve(&start(4, 2)).to_bytes(), solve(&start(4, 2)).value_counts()))
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn both_widths_of_boards_agree() {
    let wide = solve(&LargeQuoridor::start(4, 1).expect("a board"));
    let narrow = solve(&start(4, 1));
    assert_eq!(wide.size(), narrow.size());
    let counts = |census: (u64, u64, u64, u64)| census;
    let (one, other) = (wide.value_counts(), narrow.value_counts());
    assert_eq!(
        counts((one.finished, one.wins, one.losses, one.draws)),
        counts((other.finished, other.wins, other.losses, other.draws))
    );
}

#[test]
fn a_raised_flag_stops_it() {
    let (stop, heard) = (AtomicBool::new(false), AtomicU64::new(0));
    let watch = |_, _| {
        heard.fetch_add(1, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    };
    assert_eq!(StagedSolution::solve(&start(5, 1), &watch, &stop).unwrap_err(), StagedSolveError::Stopped);
    assert!(heard.into_inner() <= 8, "no new stage is begun");
}

#[test]
fn a_game_covers_what_may_follow() {
    let solution = solve(&start(4, 1));
    let read =
        |text: &str| outplay_core::PositionNotation::read_like(&start(4, 1), text).expect("a position");
    for (text, covered) in [
        ("4 b1:1 c4:1 white", true),
        ("4 a2:0 c4:1 black b2h", true),
        ("4 a2:0 c4:0 black b2h c3v", true),
        ("4 b1:1 c4:1 white b2h", false),
        ("4 b1:2 c4:1 white", false),
        ("4 b1:0 c4:0 white", false),
    ] {
        let position: SmallQuoridor = read(text);
        assert_eq!(solution.covers(&position), covered, "{text}");
        assert_eq!(start(4, 1).may_lead_to(&position), covered, "{text}");
    }
}
