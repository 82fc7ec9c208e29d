//! Players, evaluators, and what a player is given and reports at each turn.
//!
//! Invariant: a player's move depends only on the views since the game began, the turn and the generator. It does not
//! depend on whether its thoughts are watched.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Game, Position, Rng, Score, Seat, View};

/// A way to choose moves.
pub trait Player<V: View>: Send {
    /// Starts a new game. The player forgets all earlier games.
    fn new_game(&mut self, seat: Seat);

    /// Chooses a legal move; the game is not over.
    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move;
}

/// A static evaluation of positions, and what it knows about which moves are plausible.
pub trait Evaluator<P: Position>: Send {
    /// Sets the seat that is to move at the root of the search. A search calls this once before it begins. Evaluators
    /// that weigh their own chances and the opponent's differently need it; most ignore it.
    fn set_root_seat(&mut self, seat: Seat);

    /// The score of the position for the side to move there.
    fn score(&mut self, position: &P) -> Score;

    /// The scores of many positions, appended in order; for evaluators that are faster in batches.
    fn scores(&mut self, positions: &[P], out: &mut Vec<Score>) {
        out.extend(positions.iter().map(|position| self.score(position)));
    }

    /// Visits the legal moves that a search of `depth` more plies should try, each with its priority: moves of higher
    /// priority are tried first. Returns how many moves, in the order of priority, deserve the full depth; a search may
    /// reduce the depth of the rest. At least one move is visited, and every move that wins at once.
    ///
    /// The default visits all legal moves with equal priority, all at full depth.
    #[inline]
    fn plausible_moves(&mut self, position: &P, _depth: u32, mut visit: impl FnMut(P::Move, i32)) -> usize {
        let _ = position.each_move(|mv| {
            visit(mv, 0);
            ControlFlow::<()>::Continue(())
        });
        usize::MAX
    }

    /// Draws a move for a playout; the game is not over. The default draws a uniformly random legal move; evaluators that
    /// know which moves are likely override it. `scratch` is room for a list.
    #[inline]
    fn playout_move(&mut self, position: &P, rng: &mut Rng, scratch: &mut Vec<P::Move>) -> P::Move {
        position.random_move(rng, scratch)
    }
}

/// What a player is given at its turn besides the view.
pub struct Turn<'a, M> {
    /// The source of the player's random choices.
    pub rng: &'a mut Rng,
    /// Keys of the earlier positions, oldest first.
    pub past: &'a [u64],
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// The game is drawn after this many more plies.
    pub plies_left: Option<u32>,
    stop: Option<&'a AtomicBool>,
    watcher: Option<&'a mut dyn FnMut(Thought<M>)>,
    forfeit: Option<String>,
}

impl<'a, M> Turn<'a, M> {
    /// A turn with no earlier positions, no limits and no watcher.
    pub fn new(rng: &'a mut Rng) -> Self {
        Self { rng, past: &[], repetitions: None, plies_left: None, stop: None, watcher: None, forfeit: None }
    }

    /// The turn of the player to move in this state of a game.
    pub fn at<G: Game>(game: &G, state: &'a G::State, rng: &'a mut Rng) -> Self {
        Self {
            past: game.past(state),
            repetitions: game.repetitions(),
            plies_left: game.plies_left(state),
            ..Self::new(rng)
        }
    }

    /// Adds a stop flag. Once it is set, the player answers with the best move found so far.
    #[must_use]
    pub fn stoppable(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Adds a watcher that is shown the player's thoughts, at least once; the last one is the conclusion.
    #[must_use]
    pub fn watched(mut self, watcher: &'a mut dyn FnMut(Thought<M>)) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// Whether the player should answer now.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The stop flag itself, for players that think on several threads.
    pub fn stop_flag(&self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Forfeits the game because the player cannot go on; one sentence says why. The move that the player returns is not
    /// played.
    pub fn forfeit(&mut self, reason: impl Into<String>) {
        self.forfeit = Some(reason.into());
    }

    /// Why the player forfeited the game, if it did.
    pub fn forfeited(self) -> Option<String> {
        self.forfeit
    }

    /// Shows a thought. The closure runs only if there is a watcher.
    pub fn show(&mut self, thought: impl FnOnce() -> Thought<M>) {
        if let Some(watcher) = &mut self.watcher {
            watcher(thought());
        }
    }
}

/// What a player thinks of the position, in a form common to all methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// Moves considered, best first.
    pub candidates: Vec<Candidate<M>>,
    /// Search depth in plies; 0 for methods that have none.
    pub depth: u32,
    /// Positions visited, or simulations run.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
}

/// One move under consideration.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The expected points of the player to move after it, from 0 to 1.
    pub value: f64,
    /// The forced result or the log-odds, if the method has one.
    pub score: Option<Score>,
    /// The share of the search effort, or of the probability of being played, that the move got; from 0 to 1.
    pub weight: f64,
    /// The principal variation, beginning with the move itself.
    pub line: Vec<M>,
}

impl<M: Copy> Candidate<M> {
    /// A candidate known by its score.
    pub fn scored(mv: M, score: Score, weight: f64, line: Vec<M>) -> Self {
        Self { mv, value: score.chance(), score: Some(score), weight, line }
    }

    /// A candidate known by its expected points.
    pub fn expected(mv: M, value: f64, weight: f64, line: Vec<M>) -> Self {
        Self { mv, value, score: None, weight, line }
    }
}
