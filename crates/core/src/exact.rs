//! Exact values of positions under best play, and the interface of whatever knows them.
//!
//! A value is the side to move's. Distances assume best play: the winner wins as fast and the loser loses as slowly as
//! possible.

use crate::{Position, Score};

/// The exact value of a position for the side to move, with the distance in plies.
///
/// ```
/// use outplay_core::Value;
/// assert_eq!(Value::Loss(4).to_mover(), Value::Win(5));
/// assert_eq!(Value::Win(9).within(Some(8)), Value::Draw);
/// assert!(Value::Win(3).score() > Value::Win(5).score());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies; 0 if it has already won.
    Win(u32),
    /// The side to move loses in this many plies; 0 if it has already lost.
    Loss(u32),
    /// Neither side can force a win.
    Draw,
}

impl Value {
    /// The value as a score, by which values are ordered.
    pub const fn score(self) -> Score {
        match self {
            Self::Win(plies) => Score::win_in(plies),
            Self::Loss(plies) => Score::loss_in(plies),
            Self::Draw => Score::EVEN,
        }
    }

    /// The value when the game is drawn after `plies_left` more plies: a result that is farther away becomes a draw. A
    /// nearer one does not change, since the distance is that of best play for both sides.
    #[must_use]
    pub fn within(self, plies_left: Option<u32>) -> Self {
        let too_far = |plies| plies_left.is_some_and(|left| plies > left);
        if self.distance().is_some_and(too_far) { Self::Draw } else { self }
    }

    /// The plies to the end; `None` for a draw.
    pub const fn distance(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// This position's value for the player whose move led to it, counted from before that move.
    #[must_use]
    pub const fn to_mover(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::Draw => Self::Draw,
        }
    }

    /// Whether the other value is the same result, at any distance.
    pub const fn agrees(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Win(_), Self::Win(_)) | (Self::Loss(_), Self::Loss(_)) | (Self::Draw, Self::Draw)
        )
    }
}

/// A solution of a game: it knows the exact value of every position.
///
/// The referee's limits (length, repetition) are not part of the values.
pub trait Oracle<P: Position>: Send + Sync {
    /// The value of the position to the side to move; that of a finished one has distance 0.
    fn value(&self, position: &P) -> Value;

    /// Every move with its value for the player who makes it, counted from before the move; best first, equal moves in
    /// the order of the game.
    fn moves(&self, position: &P) -> Vec<(P::Move, Value)>;

    /// Best play from the position to its end, `max_len` plies at most: always the first of
    /// [`moves`](Self::moves).
    fn principal_variation(&self, position: &P, max_len: usize) -> Vec<P::Move> {
        let (mut line, mut position) = (Vec::new(), position.clone());
        while line.len() < max_len
            && let Some(&(mv, _)) = self.moves(&position).first()
        {
            line.push(mv);
            position.play(mv);
        }
        line
    }

    /// A move of the position and best play after it, `max_len` plies at most.
    fn line_after(&self, position: &P, first: P::Move, max_len: usize) -> Vec<P::Move> {
        let rest = self.principal_variation(&position.after(first), max_len.saturating_sub(1));
        std::iter::once(first).chain(rest).collect()
    }
}
