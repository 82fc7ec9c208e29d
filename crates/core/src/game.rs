//! Views, positions and games: what a player knows, what a search can simulate, and what the referee decides.
//!
//! Trait bounds express which method can play which game. A method that needs only a [`View`] plays any game; a method
//! that looks ahead needs a [`Position`], which a game with hidden information does not offer.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::{Outcome, Rng, Seat};

/// Everything that the player to move may know.
pub trait View: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move, small enough to be copied freely.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Move slots are numbered below this.
    const SLOTS: usize;

    /// A small number that names a move wherever it is legal, for tables kept per move (history, policies).
    fn slot(mv: Self::Move) -> usize;

    /// Whose turn it is.
    fn seat(&self) -> Seat;

    /// Visits the legal moves in a fixed order, until the visitor breaks.
    fn each_move<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Appends the legal moves.
    fn moves_into(&self, out: &mut Vec<Self::Move>) {
        let _ = self.each_move(|mv| {
            out.push(mv);
            ControlFlow::<()>::Continue(())
        });
    }

    /// The legal moves, in a new vector.
    fn moves(&self) -> Vec<Self::Move> {
        let mut out = Vec::new();
        self.moves_into(&mut out);
        out
    }

    /// How many legal moves there are. Games that can count without visiting override this.
    fn move_count(&self) -> usize {
        let mut count = 0;
        let _ = self.each_move(|_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// Whether the move may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.each_move(|legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            .is_break()
    }

    /// A uniformly random legal move; the game is not over. Games that can draw one without listing all moves override
    /// this; the default uses `scratch` for the list.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Self::Move {
        scratch.clear();
        self.moves_into(scratch);
        rng.pick(scratch)
    }
}

/// A view that hides nothing: the future can be simulated by copying and playing on.
pub trait Position: View {
    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended by the position alone; repetition and length are the referee's.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of the position: equal positions have equal keys, different ones very likely do not.
    fn key(&self) -> u64;

    /// The position after a legal move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
}

/// The move type of a game.
pub type MoveOf<G> = <<G as Game>::View as View>::Move;

/// The rules around a view: set-up, hidden state, and the end of the game. Parameters live in `self`.
pub trait Game: Send + Sync + 'static {
    /// The full state, hidden information included.
    type State: Clone + Send + Sync;
    /// What the player to move sees of it.
    type View: View;

    /// A new game; a random set-up, if any, is drawn here.
    fn start(&self, rng: &mut Rng) -> Self::State;

    /// What the player to move may know.
    fn view<'s>(&self, state: &'s Self::State) -> &'s Self::View;

    /// Plays a legal move.
    fn play(&self, state: &mut Self::State, mv: MoveOf<Self>);

    /// How the game ended, by every rule including the referee's own (repetition, length).
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Keys of the earlier positions, oldest first.
    fn past<'s>(&self, state: &'s Self::State) -> &'s [u64];

    /// How many seats have a player in them: 2, or 1 where the second is nature.
    fn seats(&self) -> usize {
        2
    }

    /// A position that occurs this many times is a draw, if the game counts repetitions.
    fn repetitions(&self) -> Option<u32> {
        None
    }

    /// How many plies are left before the referee calls a draw, if the length is limited.
    fn plies_left(&self, _state: &Self::State) -> Option<u32> {
        None
    }
}
