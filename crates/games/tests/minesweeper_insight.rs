//! Dead cells, forced guesses and the search of the endgame against brute force on tiny boards.

mod minesweeper_boards;

use std::collections::HashMap;

use minesweeper_boards::scattered;
use outplay_core::Rng;
use outplay_games::minesweeper::endgame::{EndgameBudget, win_chance};
use outplay_games::minesweeper::insight::{dead_cells, forced_guesses};
use outplay_games::minesweeper::{BoardCell, CellSet, Solver, VisibleBoard};

/// A tiny random board.
fn tiny(rng: &mut Rng) -> Option<VisibleBoard> {
    let (rows, cols) = (1 + rng.below(4), 2 + rng.below(4));
    let seen = scattered(rows, cols, 30, rng);
    (!seen.is_won() && seen.masked_count() <= 10).then_some(seen)
}

/// Every placement that fits a board, by brute force; and what its cells show under each.
struct Brute {
    masked: Vec<BoardCell>,
    placements: Vec<u32>,
    shows: Vec<Vec<Option<u8>>>,
    known: HashMap<(Vec<usize>, u32), u32>,
}

impl Brute {
    fn new(seen: &VisibleBoard) -> Self {
        let masked: Vec<BoardCell> = seen.masked().iter().collect();
        let mined = |placement: u32, cell: BoardCell| {
            masked.iter().position(|&other| other == cell).is_some_and(|bit| placement >> bit & 1 == 1)
        };
        let number =
            |placement, cell| seen.neighbours(cell).filter(|&near| mined(placement, near)).count() as u8;
        let unmasked: Vec<(BoardCell, u8)> = CellSet::full(seen.rows(), seen.cols())
            .iter()
            .filter_map(|cell| match seen.shown(cell) {
                outplay_games::minesweeper::CellContent::Number(number) => Some((cell, number)),
                _ => None,
            })
            .collect();
        let fits = |&placement: &u32| {
            placement.count_ones() as usize == seen.mines()
                && unmasked.iter().all(|&(cell, shown)| number(placement, cell) == shown)
        };
        let placements: Vec<u32> = (0..1 << masked.len()).filter(fits).collect();
        let show = |placement, cell| (!mined(placement, cell)).then(|| number(placement, cell));
        let shows =
            placements.iter().map(|&placement| masked.iter().map(|&cell| show(placement, cell)).collect());
        Self { shows: shows.collect(), masked: masked.clone(), placements, known: HashMap::new() }
    }

    /// Placements won by best play, given those still possible and the cells unmasked.
    fn won(&mut self, possible: Vec<usize>, unmasked: u32) -> u32 {
        let is_over = |&place: &usize| self.placements[place] | unmasked == (1 << self.masked.len()) - 1;
        if possible.is_empty() || possible.iter().any(is_over) {
            return possible.len() as u32;
        }
        let key = (possible, unmasked);
        if let Some(&won) = self.known.get(&key) {
            return won;
        }
        let best = (0..self.masked.len()).filter(|cell| unmasked >> cell & 1 == 0);
        let best = best.map(|cell| self.play(&key.0, unmasked, cell)).max().unwrap();
        self.known.insert(key, best);
        best
    }

    /// Placements won by best play that continues with this cell. There is no cascade: best play unmasks what a 0
    /// would unmask.
    fn play(&mut self, possible: &[usize], unmasked: u32, cell: usize) -> u32 {
        (0..=8)
            .map(|number| {
                let shows = |&place: &usize| self.shows[place][cell] == Some(number);
                let part: Vec<usize> = possible.iter().copied().filter(shows).collect();
                self.won(part, unmasked | 1 << cell)
            })
            .sum()
    }

    fn chance_of(&mut self, cell: BoardCell) -> f64 {
        let all: Vec<usize> = (0..self.placements.len()).collect();
        let bit = self.masked.iter().position(|&other| other == cell).unwrap();
        f64::from(self.play(&all, 0, bit)) / all.len() as f64
    }

    fn chance(&mut self) -> f64 {
        let all: Vec<usize> = (0..self.placements.len()).collect();
        let total = all.len() as f64;
        f64::from(self.won(all, 0)) / total
    }

    fn numbers_of(&self, bit: usize) -> Vec<u8> {
        let mut numbers: Vec<u8> = self.shows.iter().filter_map(|shows| shows[bit]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

fn each_tiny_board(seed: u64, tries: u64, mut check: impl FnMut(&VisibleBoard, Brute)) {
    let mut checked = 0;
    for number in 0..tries {
        if let Some(seen) = tiny(&mut Rng::stream(seed, number)) {
            check(&seen, Brute::new(&seen));
            checked += 1;
        }
    }
    assert!(checked * 3 > tries, "{checked} of {tries}");
}

#[test]
fn the_search_of_the_endgame_is_perfect_play() {
    let mut solver = Solver::new();
    each_tiny_board(1, 6000, |seen, mut brute| {
        let chances = win_chance(&mut solver, seen, EndgameBudget::default()).unwrap();
        let possible = brute.masked.iter().enumerate().filter(|&(bit, _)| !brute.numbers_of(bit).is_empty());
        assert_eq!(chances.len(), possible.count(), "{seen}");
        assert!((chances[0].1 - brute.chance()).abs() < 1e-12, "{seen}\n{chances:?} {}", brute.chance());
        for &(cell, chance) in &chances {
            let exact = brute.chance_of(cell);
            assert!((chance - exact).abs() < 1e-12, "{cell} of\n{seen}\n{chance} but {exact}");
        }
    });
}

#[test]
fn dead_cells_are_those_that_tell_nothing() {
    let (mut solver, mut found) = (Solver::new(), 0);
    each_tiny_board(2, 6000, |seen, brute| {
        let dead = dead_cells(&mut solver, seen).unwrap();
        for (bit, &cell) in brute.masked.iter().enumerate() {
            let numbers = brute.numbers_of(bit);
            let empty = brute.shows.iter().filter(|shows| shows[bit].is_some()).count();
            let is_guess = empty > 0 && empty < brute.shows.len();
            let unmasks = numbers == [0] && seen.neighbours(cell).any(|near| seen.masked().contains(near));
            let expected = is_guess && numbers.len() == 1 && !unmasks;
            assert_eq!(dead.contains(cell), expected, "{cell} of\n{seen}");
            found += u32::from(expected);
        }
    });
    assert!(found > 500, "{found}");
}

#[test]
fn nothing_is_lost_by_taking_a_forced_guess_at_once() {
    let (mut solver, mut found, mut large) = (Solver::new(), 0, 0);
    each_tiny_board(3, 12_000, |seen, mut brute| {
        for guess in forced_guesses(&mut solver, seen).unwrap() {
            let (best, chance) = (brute.chance_of(guess.best), brute.chance());
            assert!((best - chance).abs() < 1e-12, "{guess:?} of\n{seen}\n{best} but {chance}");
            assert!(guess.chance < 1.0 && chance <= guess.chance + 1e-12, "{guess:?} of\n{seen}\n{chance}");
            found += 1;
            large += u32::from(guess.cells.len() > 2);
        }
    });
    assert!(found > 500 && large > 50, "{found} of which {large} are large");
}

#[test]
fn without_placements_or_nodes_there_is_no_answer() {
    let seen: VisibleBoard = "mines 3\n1...\n....\n....".parse().unwrap();
    let mut solver = Solver::new();
    for (placements, nodes) in [(10, 200_000), (1000, 3)] {
        assert_eq!(win_chance(&mut solver, &seen, EndgameBudget { placements, nodes }), None);
    }
    assert!(win_chance(&mut solver, &seen, EndgameBudget::default()).is_some());
}

/// Two 50/50s: regions multiply.
#[test]
fn regions_are_games_of_their_own() {
    let seen: VisibleBoard = "mines 2\n.11.\n.11.".parse().unwrap();
    let chances = win_chance(&mut Solver::new(), &seen, EndgameBudget::default()).unwrap();
    assert_eq!(chances.iter().map(|&(_, chance)| chance).collect::<Vec<_>>(), [0.25; 4]);
    let forced = forced_guesses(&mut Solver::new(), &seen).unwrap();
    assert_eq!(forced.iter().map(|guess| guess.chance).collect::<Vec<_>>(), [0.5; 2]);
}
