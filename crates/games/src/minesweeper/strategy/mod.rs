//! The player `solver`: it plays to win the game, not only to survive the next cell.
//!
//! Cells proven safe are unmasked first. When there are none it must guess, and takes, in this order: a guess that
//! cannot be avoided ([`insight::forced_guesses`]), the best play of the endgame if few placements are left
//! (`endgame`), or else the best cell by a one-ply look-ahead over the numbers it could show (`guess`), or by
//! playouts from the best of them (`playout`).
//!
//! Invariant: it knows what the player sees and the rule of the first click, nothing else. The same board gives the
//! same choice, unless the player is stopped: the mines of playouts are drawn from a generator seeded by the board.

mod guess;
mod opening;
mod playout;
mod safe_cells;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use outplay_core::{Candidate, Player, Rng, Seat, Thought, Turn};

use super::endgame::{EndgameSearch, PlacementTable};
use super::insight;
use super::rules::FirstClick;
use super::{Action, BoardCell, NEVER, Solver, VisibleBoard};
pub use guess::GuessConfig;
use guess::Guesser;
pub use playout::{PlayoutConfig, Playouts};
use safe_cells::SafeCellCache;

/// How much work is done before a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The greatest number of placements of an endgame that is searched.
    pub placements: usize,
    /// The greatest number of sets of placements that one search visits.
    pub nodes: u64,
    /// How guesses are evaluated.
    pub guessing: GuessConfig,
    /// When playouts are used to choose a guess.
    pub playout: PlayoutConfig,
}

impl Effort {
    /// Everything that was measured to help at reasonable speed.
    pub const STRONG: Self = Self {
        placements: 4000,
        nodes: 100_000,
        guessing: GuessConfig { margin: 0.85, most: 30, far: 6, progress: 0.1 },
        playout: PlayoutConfig::NEVER,
    };
    /// Larger endgames are searched and playouts used for late guesses: far slower, for a little more.
    pub const DEEP: Self = Self {
        placements: 20_000,
        nodes: 300_000,
        guessing: GuessConfig { margin: 0.8, ..Self::STRONG.guessing },
        playout: PlayoutConfig { within: 12.0, draws: 300, cells: 12 },
    };
    /// What helps most for its time.
    pub const FAST: Self = Self {
        placements: 100,
        nodes: 1_000,
        guessing: GuessConfig { margin: 0.95, most: 8, far: 2, progress: 0.1 },
        playout: PlayoutConfig::NEVER,
    };
}

/// A cell with its value, comparable with others of the same board.
type ValuedCell = (BoardCell, f64);

/// Why a cell was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChoiceReason {
    /// It is the first cell.
    First,
    /// The cell is certainly safe.
    Proven,
    /// The guess cannot be avoided, or the cell begins the best play of a part of the board.
    Forced,
    /// It begins the best play of all that is left, which wins with this probability.
    Endgame(f64),
    /// It had the highest estimated value.
    LookAhead,
}

/// The player.
pub struct Strategist {
    effort: Effort,
    first: FirstClick,
    solver: Solver,
    safe_cells: SafeCellCache,
    /// The cells compared for the last choice, best first.
    compared: Vec<ValuedCell>,
    reason: ChoiceReason,
    playouts: Option<Box<Playouts>>,
    nodes: u64,
}

impl Strategist {
    /// A player of games with this rule of the first click.
    pub fn new(first: FirstClick, effort: Effort) -> Self {
        Self {
            effort,
            first,
            solver: Solver::new(),
            safe_cells: SafeCellCache::default(),
            compared: Vec::new(),
            reason: ChoiceReason::First,
            playouts: None,
            nodes: 0,
        }
    }

    /// Why the last cell was chosen.
    pub const fn reason(&self) -> ChoiceReason {
        self.reason
    }

    /// The cells compared for the last choice with their values, the choice first.
    pub fn compared(&self) -> &[(BoardCell, f64)] {
        &self.compared
    }

    fn decide(&mut self, view: &VisibleBoard, stop: &AtomicBool) -> BoardCell {
        self.compared.clear();
        self.nodes = 0;
        if view.score() == 0 && !view.is_lost() {
            return self.opening(view);
        }
        self.reason = ChoiceReason::Proven;
        self.safe_cells.see(view);
        if let Some(cell) = self.safe_cells.next_safe(view) {
            self.compared.push((cell, 1.0));
            return cell;
        }
        let (safe_cells, compared) = (&mut self.safe_cells, &mut self.compared);
        let proven = self.solver.each_safe(view, stop, |cell| {
            safe_cells.prove(cell);
            compared.push((cell, 1.0));
        });
        if proven.is_err() {
            self.reason = ChoiceReason::LookAhead;
            let masked = view.masked().iter().next().expect("an unfinished game has a masked cell");
            self.compared.push((masked, 0.0));
            return masked;
        }
        self.safe_cells.next_safe(view).unwrap_or_else(|| self.guess(view, stop))
    }

    fn opening(&mut self, view: &VisibleBoard) -> BoardCell {
        self.reason = ChoiceReason::First;
        let cell = opening::cell(view, self.first);
        self.compared.push((cell, 1.0));
        cell
    }

    fn guess(&mut self, view: &VisibleBoard, stop: &AtomicBool) -> BoardCell {
        self.reason = ChoiceReason::Forced;
        if let Some(forced) = insight::forced_in(&self.solver, view, stop).first() {
            self.compared.extend(forced.cells.iter().map(|&cell| (cell, forced.chance)));
            return forced.best;
        }
        if let Some(cell) = self.finish(view, stop) {
            return cell;
        }
        self.reason = ChoiceReason::LookAhead;
        let is_late = self.solver.known().log10_solutions() <= self.effort.playout.within;
        let mut guesser = Guesser::new(&mut self.solver, view, &self.effort.guessing, stop);
        guesser.evaluate(&mut self.compared);
        self.nodes += guesser.nodes;
        if is_late {
            self.compare_by_playouts(view, stop);
        }
        self.compared[0].0
    }

    /// Moves the cell that is best by playouts to the front. The same board gives the same playouts.
    fn compare_by_playouts(&mut self, view: &VisibleBoard, stop: &AtomicBool) {
        let PlayoutConfig { draws, cells, .. } = self.effort.playout;
        let best: Vec<BoardCell> = self.compared.iter().take(cells).map(|&(cell, _)| cell).collect();
        let playouts = self.playouts.get_or_insert_with(|| Box::new(Playouts::new(Effort::FAST)));
        let compared = playouts.compare(view, &best, draws, &mut Rng::new(view.key()), stop);
        let chosen = compared.ok().and_then(|compared| compared.first().copied());
        if let Some((chosen, chance)) = chosen {
            self.compared.retain(|&(cell, _)| cell != chosen);
            self.compared.insert(0, (chosen, chance));
        }
    }

    /// The probability that a cell is empty, shown as its value whatever it was chosen for.
    fn chances_of_being_empty(
        &self,
        view: &VisibleBoard,
        stop: &AtomicBool,
    ) -> impl Fn(BoardCell) -> f64 + use<> {
        let is_first = view.score() == 0 && !view.is_lost();
        let by_rule = is_first && self.first != FirstClick::Any;
        let known = Solver::new().solve_unless(stop, view).ok().cloned();
        move |cell| {
            let mined = known.as_ref().and_then(|known| known.of(cell)).unwrap_or(0.5);
            if by_rule { 1.0 } else { 1.0 - mined }
        }
    }

    /// The best play of the endgame. No enclosed region that could be searched is left.
    fn finish(&mut self, view: &VisibleBoard, stop: &AtomicBool) -> Option<BoardCell> {
        let most = self.effort.placements;
        if self.solver.known().log10_solutions() > (most as f64).log10() + 1e-9 {
            return None;
        }
        let regions = self.solver.regions(view);
        let region = regions.last()?;
        let table = PlacementTable::new(&self.solver.placements(view, region, most)?, region.cells(), stop)?;
        let mut search = EndgameSearch::new(&table, self.effort.nodes, stop);
        let (best, won) = search.best_cell().ok()?;
        self.nodes += search.nodes();
        let cell = region.cells()[best];
        let chance = f64::from(won) / table.placements() as f64;
        if regions.len() == 1 {
            self.reason = ChoiceReason::Endgame(chance);
        }
        self.compared.push((cell, chance));
        Some(cell)
    }
}

impl Player<VisibleBoard> for Strategist {
    fn new_game(&mut self, _seat: Seat) {
        self.safe_cells.forget();
    }

    fn choose(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        let stop = turn.stop_flag().unwrap_or(&NEVER);
        let cell = self.decide(view, stop);
        if let Some(place) = self.compared.iter().position(|&(other, _)| other == cell) {
            self.compared[..=place].rotate_right(1);
        }
        let action_on = |cell| {
            let has_flag = view.flagged().contains(cell);
            if has_flag { Action::Unflag(cell) } else { Action::Unmask(cell) }
        };
        turn.show(|| {
            let empty = self.chances_of_being_empty(view, stop);
            let candidate = |&(other, _): &ValuedCell| {
                let mv = action_on(other);
                Candidate::expected(mv, empty(other), if other == cell { 1.0 } else { 0.0 }, vec![mv])
            };
            Thought {
                candidates: self.compared.iter().map(candidate).collect(),
                depth: 1,
                nodes: self.nodes + self.compared.len() as u64,
                elapsed: start.elapsed(),
            }
        });
        action_on(cell)
    }
}
