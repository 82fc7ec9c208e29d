//! Players, evaluators, and what passes between a player and the table at each turn.
//!
//! Law: a player owes the same move for the same views since the game began, the same turn and generator, whoever
//! watches.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Game, Position, Rng, Score, Seat, View};

/// A way to choose moves.
pub trait Player<V: View>: Send {
    /// Forgets every earlier game: what follows depends only on what follows.
    fn new_game(&mut self, seat: Seat);

    /// A legal move; the game is not over.
    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move;
}

/// A judgement of positions, and of the moves that are worth a thought in them.
pub trait Evaluator<P: Position>: Send {
    /// Names the seat for which the following positions are judged. A search says it once, before it begins;
    /// a judgement that values its own chances and the enemy's differently needs it, others ignore it.
    fn serve(&mut self, seat: Seat);

    /// The worth of the position to the side to move there.
    fn score(&mut self, position: &P) -> Score;

    /// The worth of many positions at once, appended in order; for evaluators that are faster in batches.
    fn scores(&mut self, positions: &[P], out: &mut Vec<Score>) {
        out.extend(positions.iter().map(|position| self.score(position)));
    }

    /// Visits the legal moves that a search of `depth` more plies should look at, each with its promise: the greater,
    /// the earlier it is tried. Returns how many of them, in the order in which they are tried, deserve the whole depth; the
    /// rest may be looked at less closely. At least one move is visited, and every one that wins at once.
    ///
    /// A judge who knows nothing of moves lets all of them be looked at alike.
    #[inline]
    fn consider(&mut self, position: &P, _depth: u32, mut visit: impl FnMut(P::Move, i32)) -> usize {
        let _ = position.each_move(|mv| {
            visit(mv, 0);
            ControlFlow::<()>::Continue(())
        });
        usize::MAX
    }

    /// The next move of a game such as the judge would expect it, the game not being over: any legal move, unless the
    /// judge knows better. `scratch` is room for a list.
    #[inline]
    fn expect(&mut self, position: &P, rng: &mut Rng, scratch: &mut Vec<P::Move>) -> P::Move {
        position.random_move(rng, scratch)
    }
}

/// What a player is given at its turn beside the view.
pub struct Turn<'a, M> {
    /// The source of the player's random choices.
    pub rng: &'a mut Rng,
    /// Keys of the positions before the present one, oldest first.
    pub past: &'a [u64],
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// The game is drawn after so many more plies.
    pub plies_left: Option<u32>,
    stop: Option<&'a AtomicBool>,
    watcher: Option<&'a mut dyn FnMut(Thought<M>)>,
    forfeit: Option<String>,
}

impl<'a, M> Turn<'a, M> {
    /// A turn with no past, no limits and nobody watching.
    pub fn new(rng: &'a mut Rng) -> Self {
        Self { rng, past: &[], repetitions: None, plies_left: None, stop: None, watcher: None, forfeit: None }
    }

    /// The turn of whoever moves in this state of a game.
    pub fn at<G: Game>(game: &G, state: &'a G::State, rng: &'a mut Rng) -> Self {
        Self {
            past: game.past(state),
            repetitions: game.repetitions(),
            plies_left: game.plies_left(state),
            ..Self::new(rng)
        }
    }

    /// A flag that, once raised, asks the player to answer with the best it has.
    #[must_use]
    pub fn stoppable(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Someone who wants to see the thoughts: once or more, the last one being the conclusion.
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

    /// Gives the game up, because the player cannot go on: one sentence says why. The move that it returns all the same
    /// is not played.
    pub fn forfeit(&mut self, reason: impl Into<String>) {
        self.forfeit = Some(reason.into());
    }

    /// Why the player gave the game up, if it did.
    pub fn forfeited(self) -> Option<String> {
        self.forfeit
    }

    /// Shows a thought, which is only put together if someone watches.
    pub fn show(&mut self, thought: impl FnOnce() -> Thought<M>) {
        if let Some(watcher) = &mut self.watcher {
            watcher(thought());
        }
    }
}

/// What a player thinks of the position before it: the same words for every method.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// Moves considered, best first.
    pub candidates: Vec<Candidate<M>>,
    /// How far it looked, in plies; 0 where that means nothing.
    pub depth: u32,
    /// Positions visited, or simulations made.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
}

/// One move under consideration.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The share of points the player to move expects from it, from 0 to 1.
    pub value: f64,
    /// The certain result or the log-odds, where the method has one.
    pub score: Option<Score>,
    /// How much of its attention the player gave to the move, as a share of 1.
    pub weight: f64,
    /// The expected continuation, beginning with the move itself.
    pub line: Vec<M>,
}

impl<M: Copy> Candidate<M> {
    /// A candidate known by its score.
    pub fn scored(mv: M, score: Score, weight: f64, line: Vec<M>) -> Self {
        Self { mv, value: score.chance(), score: Some(score), weight, line }
    }

    /// A candidate known by an expectation.
    pub fn expected(mv: M, value: f64, weight: f64, line: Vec<M>) -> Self {
        Self { mv, value, score: None, weight, line }
    }
}
