//! The solution of Push-over 4×4: proved by its equations, and compared with an exhaustive search.
//!
//! Everything that needs a whole solution is checked in one test, so that each rule is solved once per process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use outplay_core::{ForcedResult, Oracle, Outcome, Player, Position, Rng, Score, Seat, Turn, Value, View};
use outplay_games::pushover::solver::{
    PushoverSolution, PushoverSolutionError, RepetitionRule, SolverProgress,
};
use outplay_games::pushover::{Pushover, PushoverBoard, PushoverMove};
use outplay_players::Perfect;
use rayon::prelude::*;

fn solve(rule: RepetitionRule) -> PushoverSolution {
    PushoverSolution::solve(rule, &|_| (), &AtomicBool::new(false)).expect("nobody stops it")
}

#[test]
fn the_game_is_solved() {
    let solution = solve(RepetitionRule::Forbidden);
    assert_eq!(solution.value(&Pushover::START), Value::Win(17), "the first player wins");
    for (entry, value) in solution.moves(&Pushover::START) {
        let corner = matches!(entry.0 % 4, 0 | 3);
        assert_eq!(value, Value::Win(if corner { 19 } else { 17 }), "{entry:?}");
    }
    assert_eq!(solution.bellman_violations(), 0);
    the_census_is_known(&solution);
    a_search_that_tries_everything_agrees(&solution);
    public_answers_agree_with_each_other(&solution);
    mirrored_positions_are_worth_the_same(&solution);
    a_forbidden_board_can_matter(&solution);
    lines_end_when_they_should(&solution);
    files_are_read_back(&solution);
    damaged_files_are_refused(&solution);
    lies_are_found(&solution);
    perfect_play_drops_nothing(&Arc::new(solution));
}

#[test]
fn the_game_without_the_rule_is_solved() {
    let solution = solve(RepetitionRule::Allowed);
    assert_eq!(solution.value(&Pushover::START), Value::Draw);
    assert_eq!(solution.bellman_violations(), 0);
    the_census_is_known(&solution);
    a_search_that_tries_everything_agrees(&solution);
    mirrored_positions_are_worth_the_same(&solution);
    files_are_read_back(&solution);
    let mut rng = Rng::new(7);
    let mut perfect = Perfect::new(Arc::new(solution.clone()));
    for game in sample(RepetitionRule::Forbidden, 5000, 7) {
        let position = game.position(RepetitionRule::Forbidden);
        assert_eq!(solution.moves(&position).len(), 16, "nothing is forbidden");
        assert_eq!(solution.moves(&position)[0].1, solution.value(&position));
        let mv = perfect.choose(&position, &mut Turn::new(&mut rng));
        assert!(position.is_legal(mv), "a player obeys the rules of the table");
    }
}

#[test]
fn a_raised_flag_stops_it() {
    let stop = AtomicBool::new(true);
    assert_eq!(
        PushoverSolution::solve(RepetitionRule::Forbidden, &|_| panic!("nothing is solved"), &stop),
        None
    );

    stop.store(false, Ordering::Relaxed);
    let heard = Mutex::new(Vec::new());
    let watch = |progress: SolverProgress| {
        heard.lock().unwrap().push(progress);
        stop.store(true, Ordering::Relaxed);
    };
    assert_eq!(PushoverSolution::solve(RepetitionRule::Forbidden, &watch, &stop), None);
    let heard = heard.into_inner().unwrap();
    assert_eq!(heard[0], SolverProgress { done: 1 << 16, total: 5_864_611 }, "the full boards come first");
    assert!(heard.len() <= 4, "no new shape is begun: {heard:?}");
}

fn the_census_is_known(solution: &PushoverSolution) {
    let census = solution.census();
    assert_eq!(census.finished, 9_228_284);
    assert_eq!(census.finished + census.boards.total(), 3u64.pow(16));
    let numbers = [&census.boards, &census.restricted].map(|tally| (tally.wins, tally.losses, tally.draws));
    let longest = [&census.boards, &census.restricted].map(|tally| tally.longest.as_ref());
    match solution.rule() {
        RepetitionRule::Forbidden => {
            assert_eq!(numbers, [(24_017_572, 9_738_993, 61_872), (24_918_748, 13_505_044, 112_616)]);
            assert_eq!(longest.map(|longest| longest.map(|longest| longest.plies)), [Some(35), Some(33)]);
        }
        RepetitionRule::Allowed => {
            assert_eq!(numbers, [(20_510_338, 6_304_531, 7_003_568), (0, 0, 0)]);
            assert_eq!(longest.map(|longest| longest.map(|longest| longest.plies)), [Some(15), None]);
        }
    }
    for longest in longest.into_iter().flatten() {
        assert_eq!(solution.value(&longest.example), Value::Win(longest.plies));
        assert_eq!(solution.principal_variation(&longest.example, 99).len(), longest.plies as usize);
    }
}

/// A game with its whole history: the boards so far, each seen by the side to move there.
#[derive(Clone)]
struct History(Vec<PushoverBoard<4>>);

impl History {
    fn board(&self) -> PushoverBoard<4> {
        self.0[self.0.len() - 1]
    }

    /// The board that followed the mover's own previous move, seen by the mover.
    fn own_previous(&self) -> Option<PushoverBoard<4>> {
        self.0.len().checked_sub(2).map(|previous| self.0[previous].flipped())
    }

    fn legal(&self, rule: RepetitionRule) -> Vec<PushoverMove> {
        let repeats = |entry| Some(self.board().push(entry)) == self.own_previous();
        PushoverBoard::<4>::entries()
            .filter(|&entry| rule == RepetitionRule::Allowed || !repeats(entry))
            .collect()
    }

    fn play(&mut self, entry: PushoverMove) {
        self.0.push(self.board().push(entry).flipped());
    }

    fn mover_has_lost(&self) -> bool {
        PushoverBoard::<4>::has_line(self.board().theirs)
    }

    fn mover_has_won(&self) -> bool {
        !self.mover_has_lost() && PushoverBoard::<4>::has_line(self.board().mine)
    }

    fn is_over(&self) -> bool {
        self.mover_has_lost() || self.mover_has_won()
    }

    fn any_move(&mut self, rule: RepetitionRule, test: impl Fn(&mut Self) -> bool) -> bool {
        self.legal(rule).into_iter().any(|entry| {
            self.play(entry);
            let found = test(self);
            self.0.pop();
            found
        })
    }

    fn wins_within(&mut self, plies: u32, rule: RepetitionRule) -> bool {
        if self.is_over() || plies == 0 {
            return self.mover_has_won();
        }
        self.any_move(rule, |next| next.loses_within(plies - 1, rule))
    }

    fn loses_within(&mut self, plies: u32, rule: RepetitionRule) -> bool {
        if self.is_over() || plies == 0 {
            return self.mover_has_lost();
        }
        !self.any_move(rule, |next| !next.wins_within(plies - 1, rule))
    }

    /// The result that can be forced within `depth` plies, with its exact distance.
    fn forced(&mut self, depth: u32, rule: RepetitionRule) -> Option<Value> {
        (0..=depth).find_map(|plies| {
            let won = self.wins_within(plies, rule).then_some(Value::Win(plies));
            won.or_else(|| self.loses_within(plies, rule).then_some(Value::Loss(plies)))
        })
    }

    fn position(&self, rule: RepetitionRule) -> Pushover<4> {
        let before = self.own_previous().filter(|_| rule == RepetitionRule::Forbidden);
        Pushover::set_up(self.board(), before, Seat::First, None)
    }
}

/// Unfinished positions from random games, half of them begun on random boards.
fn sample(rule: RepetitionRule, count: usize, seed: u64) -> Vec<History> {
    let mut rng = Rng::new(seed);
    let mut sample = Vec::new();
    while sample.len() < count {
        let mut game = History(vec![PushoverBoard::EMPTY]);
        if rng.below(2) == 0 {
            let occupied = rng.below(1 << 16) | rng.below(1 << 16) | rng.below(1 << 16);
            let mine = (occupied & rng.below(1 << 16)) as u32;
            game = History(vec![PushoverBoard { mine, theirs: occupied as u32 & !mine }]);
        }
        for _ in 0..rng.below(20) {
            if !game.is_over() {
                game.play(rng.pick(&game.legal(rule)));
            }
        }
        if !game.is_over() {
            sample.push(game);
        }
    }
    sample
}

fn a_search_that_tries_everything_agrees(solution: &PushoverSolution) {
    let rule = solution.rule();
    let depth = 6;
    let agrees = |game: &History| {
        let position = game.position(rule);
        let forced = game.clone().forced(depth, rule);
        let value = solution.value(&position);
        let expected = value.distance().filter(|&distance| distance <= depth).map(|_| value);
        assert_eq!(forced, expected, "{value:?} in {position:?}");
        value
    };
    let values: Vec<Value> = sample(rule, 6000, 1).par_iter().map(agrees).collect();
    for distance in 1..=depth {
        let hits = values.iter().filter(|value| value.distance() == Some(distance)).count();
        assert!(hits > 10, "{hits} positions at the distance {distance}");
    }
    let undecided = values.iter().filter(|value| value.distance().is_none_or(|plies| plies > depth)).count();
    assert!(undecided > 200, "{undecided} positions beyond the search");
}

/// One ply of the equations through the rules' own type: legal moves, play, values.
fn public_answers_agree_with_each_other(solution: &PushoverSolution) {
    for game in sample(RepetitionRule::Forbidden, 20_000, 2) {
        let position = game.position(RepetitionRule::Forbidden);
        let moves = solution.moves(&position);
        let mut legal: Vec<PushoverMove> = moves.iter().map(|&(entry, _)| entry).collect();
        for &(entry, value) in &moves {
            assert_eq!(value.score(), -solution.value(&position.after(entry)).score().delayed(1));
        }
        assert!(moves.is_sorted_by(|(_, a), (_, b)| a.score() >= b.score()));
        assert_eq!(moves[0].1, solution.value(&position));
        legal.sort_unstable();
        assert_eq!(legal, position.moves());
    }
}

fn mirrored_positions_are_worth_the_same(solution: &PushoverSolution) {
    let turn_cell = |cell: usize| (cell % 4) * 4 + 3 - cell / 4;
    let flip_cell = |cell: usize| cell / 4 * 4 + 3 - cell % 4;
    let mapped = |board: PushoverBoard<4>, map: &dyn Fn(usize) -> usize| {
        let image = |side: u32| (0..16).filter(|cell| side >> cell & 1 != 0).map(|cell| 1 << map(cell)).sum();
        PushoverBoard { mine: image(board.mine), theirs: image(board.theirs) }
    };
    for mut game in sample(solution.rule(), 2000, 3) {
        let value = solution.value(&game.position(solution.rule()));
        for step in 0..8 {
            let map: &dyn Fn(usize) -> usize = if step % 4 == 3 { &flip_cell } else { &turn_cell };
            game = History(game.0.iter().map(|&board| mapped(board, map)).collect());
            assert_eq!(solution.value(&game.position(solution.rule())), value);
        }
    }
}

fn a_forbidden_board_can_matter(solution: &PushoverSolution) {
    let (mut restricted, mut slower, mut worse) = (0, 0, 0);
    for game in sample(RepetitionRule::Forbidden, 40_000, 4) {
        let position = game.position(RepetitionRule::Forbidden);
        if position.moves().len() == 16 {
            continue;
        }
        let free = Pushover::set_up(position.board(), None, Seat::First, None);
        let (free, bound) = (solution.value(&free), solution.value(&position));
        assert!(bound.score() <= free.score(), "a rule never helps the one it binds");
        restricted += 1;
        slower += usize::from(bound.score() < free.score());
        worse += usize::from(std::mem::discriminant(&bound) != std::mem::discriminant(&free));
    }
    assert!(restricted > 100 && slower > 10 && worse > 0, "{restricted} {slower} {worse}");
}

fn lines_end_when_they_should(solution: &PushoverSolution) {
    for game in sample(RepetitionRule::Forbidden, 1000, 5) {
        let mut position = game.position(RepetitionRule::Forbidden);
        let value = solution.value(&position);
        let line = solution.principal_variation(&position, 100);
        assert_eq!(line.len(), value.distance().unwrap_or(100) as usize);
        for entry in line {
            assert!(position.is_legal(entry));
            position.play(entry);
        }
        let expected = match value {
            Value::Win(_) => Some(Outcome::Win(Seat::First)),
            Value::Loss(_) => Some(Outcome::Win(Seat::Second)),
            Value::Draw => None,
        };
        assert_eq!(position.outcome(), expected);
        assert_eq!(solution.principal_variation(&game.position(RepetitionRule::Forbidden), 1).len(), 1);
    }
}

fn files_are_read_back(solution: &PushoverSolution) {
    let bytes = solution.to_bytes();
    let read = PushoverSolution::from_bytes(&bytes).expect("what was written can be read");
    assert!(read == *solution);
    assert_eq!(read.to_bytes(), bytes);
}

fn refusal(bytes: &[u8]) -> PushoverSolutionError {
    let error = PushoverSolution::from_bytes(bytes).expect_err("damaged bytes are refused");
    let sentence = error.to_string();
    assert!(!sentence.is_empty() && !sentence.contains('\n'));
    error
}

/// The bytes with a valid checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn damaged_files_are_refused(solution: &PushoverSolution) {
    let bytes = solution.to_bytes();
    let mut rng = Rng::new(6);
    let cuts = (0..200).chain((0..200).map(|_| rng.below(bytes.len()))).chain([bytes.len() - 1]);
    for cut in cuts.collect::<Vec<_>>() {
        assert!(matches!(refusal(&bytes[..cut]), PushoverSolutionError::Length { .. }), "cut at {cut}");
    }
    assert!(matches!(refusal(&[&bytes[..], &[0]].concat()), PushoverSolutionError::Length { .. }));
    let flips = (0..30 * 8).chain((0..1000).map(|_| rng.below(bytes.len() * 8)));
    let mut damaged = bytes.clone();
    for bit in flips.collect::<Vec<_>>() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        let error = refusal(&damaged);
        match bit / 8 {
            ..=7 => assert_eq!(error, PushoverSolutionError::Magic),
            8 | 9 => assert!(matches!(error, PushoverSolutionError::Version { .. })),
            11..=18 => assert!(matches!(error, PushoverSolutionError::Length { .. })),
            _ => assert!(matches!(error, PushoverSolutionError::Checksum { .. })),
        }
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Changed bytes with a valid checksum.
fn lies_are_found(solution: &PushoverSolution) {
    let bytes = solution.to_bytes();
    let with = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        sealed(changed)
    };
    assert_eq!(refusal(&with(10, 2)), PushoverSolutionError::Rule { found: 2 });
    assert_eq!(refusal(&with(10, 1)), PushoverSolutionError::Favourites);
    assert!(matches!(refusal(&with(19, 0)), PushoverSolutionError::Record { .. }));
    assert!(matches!(refusal(&with(bytes.len() - 6, 16)), PushoverSolutionError::Record { .. }));
    let count = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let fewer = [&bytes[..11], &(count(11) - 2).to_le_bytes(), &(count(15) + 1).to_le_bytes(), &bytes[19..]];
    assert!(matches!(
        refusal(&sealed(fewer.concat())),
        PushoverSolutionError::Values
            | PushoverSolutionError::Favourites
            | PushoverSolutionError::Record { .. }
    ));

    let lie = with(19 + 1000, if bytes[19 + 1000] == 128 { 254 } else { 128 });
    let lie = PushoverSolution::from_bytes(&lie).expect("a possible record");
    assert!(lie.bellman_violations() > 0);
}

fn perfect_play_drops_nothing(solution: &Arc<PushoverSolution>) {
    let mut perfect = Perfect::new(Arc::clone(solution));
    let mut rng = Rng::new(8);
    for game in sample(RepetitionRule::Forbidden, 500, 9) {
        let mut position = game.position(RepetitionRule::Forbidden);
        perfect.new_game(Seat::First);
        let first_value = solution.value(&position);
        let mut plies = 0;
        while position.outcome().is_none() && plies < 60 {
            let value = solution.value(&position);
            if position.seat() == Seat::First {
                let mv = perfect.choose(&position, &mut Turn::new(&mut rng));
                position.play(mv);
                assert_eq!(value.score(), -solution.value(&position).score().delayed(1));
            } else {
                let mv = position.random_move(&mut rng, &mut Vec::new());
                position.play(mv);
            }
            plies += 1;
        }
        match first_value {
            Value::Win(distance) => {
                assert_eq!(position.outcome(), Some(Outcome::Win(Seat::First)));
                assert!(plies <= distance);
            }
            Value::Loss(_) => {}
            Value::Draw => assert_ne!(position.outcome(), Some(Outcome::Win(Seat::Second))),
        }
    }
    perfect_players_meet(&mut perfect);
}

fn perfect_players_meet(perfect: &mut Perfect<PushoverSolution>) {
    let mut rng = Rng::new(10);
    let mut first_moves = std::collections::HashSet::new();
    for _ in 0..50 {
        let (mut position, mut plies) = (Pushover::START, 0);
        while position.outcome().is_none() {
            let mut thoughts = Vec::new();
            let mut watcher = |thought| thoughts.push(thought);
            let mv = perfect.choose(&position, &mut Turn::new(&mut rng).watched(&mut watcher));
            let [thought] = &thoughts[..] else { panic!("one thought, not {}", thoughts.len()) };
            assert_eq!(thought.candidates.len(), position.moves().len());
            let chosen = thought.candidates.iter().find(|candidate| candidate.mv == mv).expect("considered");
            let forecast =
                if plies % 2 == 0 { ForcedResult::Win(17 - plies) } else { ForcedResult::Loss(17 - plies) };
            assert_eq!(chosen.score.and_then(Score::forced_result), Some(forecast));
            assert_eq!((chosen.line[0], chosen.line.len() as u32), (mv, 17 - plies));
            let weights: f64 = thought.candidates.iter().map(|candidate| candidate.weight).sum();
            assert!((weights - 1.0).abs() < 1e-9 && chosen.weight > 0.0);
            if plies == 0 {
                first_moves.insert(mv);
            }
            position.play(mv);
            plies += 1;
        }
        assert_eq!((plies, position.outcome()), (17, Some(Outcome::Win(Seat::First))));
    }
    assert!(first_moves.len() > 1, "equal moves are chosen by chance");
}
