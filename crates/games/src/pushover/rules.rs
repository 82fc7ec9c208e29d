//! The rules: turns, wins, and the rule against repetition.
//!
//! Equal positions have equal futures. The last move is only for display and is not compared. The previous board is
//! remembered only if it has as many pieces, because otherwise it cannot come back.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Rng, Seat, View};

use super::board::{PushoverBoard, PushoverMove};

/// A Push-over position on an `N`×`N` board.
///
/// ```
/// use outplay_core::{Position, View};
/// use outplay_games::pushover::{Pushover, PushoverMove};
///
/// let mut position = Pushover::<4>::START;
/// for letter in *b"AEAE" {
///     position.play(PushoverMove(letter - b'A'));
/// }
/// assert_eq!(position.moves().len(), 16);
/// assert_eq!(position.outcome(), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pushover<const N: usize> {
    board: PushoverBoard<N>,
    forbidden: PushoverBoard<N>,
    seat: Seat,
    ended: Ended,
    last: Option<PushoverMove>,
}

/// Who has a line, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    No,
    /// The side to move won: the other one's push completed its line.
    Won,
    /// The side that just moved won.
    Lost,
}

/// Unequal to every board that a push can make.
const NOTHING: u32 = u32::MAX;

impl<const N: usize> Pushover<N> {
    /// The empty board.
    pub const START: Self = Self {
        board: PushoverBoard::EMPTY,
        forbidden: PushoverBoard { mine: NOTHING, theirs: NOTHING },
        seat: Seat::First,
        ended: Ended::No,
        last: None,
    };

    /// Sets up a position. `before`, seen by the side to move, is the board that it may not recreate; it is dropped if no push
    /// can bring it back.
    pub fn set_up(
        board: PushoverBoard<N>,
        before: Option<PushoverBoard<N>>,
        seat: Seat,
        last: Option<PushoverMove>,
    ) -> Self {
        let kept = before.filter(|before| before.pieces() == board.pieces());
        let forbidden = kept.unwrap_or(Self::START.forbidden);
        Self { board, forbidden, seat, ended: Ended::of(board), last }
    }

    /// The board, seen by the side to move.
    pub const fn board(&self) -> PushoverBoard<N> {
        self.board
    }

    /// The board that the side to move may not recreate, seen by it, if any.
    pub fn forbidden(&self) -> Option<PushoverBoard<N>> {
        (self.forbidden.mine != NOTHING).then_some(self.forbidden)
    }

    /// The entry of the last move, if it is known.
    pub const fn last(&self) -> Option<PushoverMove> {
        self.last
    }

    /// Whether pushing here would recreate the configuration that followed the same player's previous move.
    #[inline]
    pub fn repeats(&self, entry: PushoverMove) -> bool {
        self.forbidden.mine != NOTHING && self.board.push(entry) == self.forbidden
    }
}

impl Ended {
    /// If both sides have a line, the one that just moved wins.
    #[inline]
    fn of<const N: usize>(board: PushoverBoard<N>) -> Self {
        if PushoverBoard::<N>::has_line(board.theirs) {
            Self::Lost
        } else if PushoverBoard::<N>::has_line(board.mine) {
            Self::Won
        } else {
            Self::No
        }
    }
}

impl<const N: usize> View for Pushover<N> {
    type Move = PushoverMove;

    const SLOTS: usize = 4 * N;

    fn slot(mv: PushoverMove) -> usize {
        mv.0 as usize
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn each_move<B>(&self, mut visit: impl FnMut(PushoverMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended == Ended::No {
            for entry in PushoverBoard::<N>::entries() {
                if !self.repeats(entry) {
                    visit(entry)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_legal(&self, mv: PushoverMove) -> bool {
        self.ended == Ended::No && (mv.0 as usize) < 4 * N && !self.repeats(mv)
    }

    /// Draws entries until one is allowed: at most one board is forbidden, so the first nearly always is.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<PushoverMove>) -> PushoverMove {
        loop {
            let entry = PushoverMove(rng.below(4 * N) as u8);
            if !self.repeats(entry) {
                return entry;
            }
        }
    }
}

impl<const N: usize> Position for Pushover<N> {
    #[inline]
    fn play(&mut self, mv: PushoverMove) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        let pushed = self.board.push(mv);
        // Pieces leave only when another comes in over a full line, so a board with fewer pieces is gone for good.
        let kept = pushed.pieces() == self.board.pieces();
        self.forbidden = if kept { self.board.flipped() } else { Self::START.forbidden };
        self.board = pushed.flipped();
        self.seat = !self.seat;
        self.ended = Ended::of(self.board);
        self.last = Some(mv);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.ended {
            Ended::No => None,
            Ended::Won => Some(Outcome::Win(self.seat)),
            Ended::Lost => Some(Outcome::Win(!self.seat)),
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let wide = |board: PushoverBoard<N>| u64::from(board.mine) | u64::from(board.theirs) << 32;
        let now = (wide(self.board) ^ (self.seat.index() as u64) << 63).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let before = wide(self.forbidden).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (now ^ now >> 35 ^ before ^ before.rotate_left(29)).wrapping_mul(0x2545_f491_4f6c_dd1d);
        mixed ^ mixed >> 32
    }
}

impl<const N: usize> PartialEq for Pushover<N> {
    fn eq(&self, other: &Self) -> bool {
        (self.board, self.forbidden, self.seat) == (other.board, other.forbidden, other.seat)
    }
}

impl<const N: usize> Eq for Pushover<N> {}

impl<const N: usize> Hash for Pushover<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.board, self.forbidden, self.seat).hash(state);
    }
}
