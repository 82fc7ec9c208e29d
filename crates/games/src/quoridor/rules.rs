//! The rules: pawn moves, jumps, walls, the end of the game.
//!
//! Both pawns always have a path to their goal (ignoring pawns), so there is always a pawn move. The key is updated
//! incrementally and equals the one computed from scratch. Pawn moves are visited first, so that a search may stop before
//! it pays for walls.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Rng, Seat, View};

use super::cells::{BoardMasks, Cells};
use super::paths::Passages;
use super::setup::QuoridorSetup;
use super::walls::Walls;
use super::zobrist::{BLACK_TO_MOVE, KEYS};

/// The greatest number of walls in a player's hand.
pub const MAX_WALLS: u8 = 10;

/// A move. Tiles and walls are numbered as in [`Cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuoridorMove {
    /// The pawn moves to this tile.
    Pawn(u8),
    /// A wall along the row, north of this tile and of the one east of it.
    Horizontal(u8),
    /// A wall along the column, east of this tile and of the one north of it.
    Vertical(u8),
}

/// A Quoridor position.
///
/// ```
/// use outplay_core::{Position, View, PositionNotation};
/// use outplay_games::quoridor::SmallQuoridor;
///
/// let mut position = SmallQuoridor::start(5, 3).unwrap();
/// assert_eq!(position.moves().len(), 35);
/// for mv in ["c2", "c3h", "b2"] {
///     position.play(position.read_move(mv).unwrap());
/// }
/// assert_eq!(position.write(), "5 b2:3 c5:2 black c3h");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quoridor<C> {
    walls: Walls<C>,
    key: u64,
    pawns: [u8; 2],
    in_hand: [u8; 2],
    seat: Seat,
    size: u8,
}

/// The greatest number of pawn moves: three steps and two diagonal jumps around the opponent.
pub(super) const MAX_PAWN_TARGETS: usize = 5;

impl<C: Cells> Quoridor<C> {
    /// Builds the position of a setup whose tiles and hands are on the board; nothing else is checked.
    pub(super) fn of_setup(setup: QuoridorSetup<C>) -> Self {
        let QuoridorSetup { size, pawns, in_hand, seat, walls } = setup;
        let mut position = Self { walls, key: 0, pawns, in_hand, seat, size };
        position.key = position.compute_key();
        position
    }

    /// Builds the position of a setup whose size, walls and hands are known to be valid; `None` if the pawns' tiles are not.
    pub(super) fn set_up_trusted(setup: QuoridorSetup<C>) -> Option<Self> {
        let QuoridorSetup { size, pawns, in_hand, seat, walls } = setup;
        let mut position = Self { walls, key: 0, pawns, in_hand, seat, size };
        let passages = position.passages();
        let has_way = |seat: Seat| passages.reaches(C::single(position.pawn(seat)), position.goal(seat));
        if pawns[0] == pawns[1] || position.has_arrived(seat) || !Seat::BOTH.into_iter().all(has_way) {
            return None;
        }
        position.key = position.compute_key();
        Some(position)
    }

    /// The components of the position.
    pub const fn setup(&self) -> QuoridorSetup<C> {
        let Self { walls, pawns, in_hand, seat, size, .. } = *self;
        QuoridorSetup { size, pawns, in_hand, seat, walls }
    }

    /// Tiles along an edge.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The walls on the board.
    pub const fn walls(&self) -> Walls<C> {
        self.walls
    }

    /// The tile of a seat's pawn.
    pub const fn pawn(&self, seat: Seat) -> u8 {
        self.pawns[seat.index()]
    }

    /// How many walls a seat has in hand.
    pub const fn in_hand(&self, seat: Seat) -> u8 {
        self.in_hand[seat.index()]
    }

    /// The passages that the walls leave open.
    #[inline]
    pub fn passages(&self) -> Passages<C> {
        Passages::between(self.walls, self.masks())
    }

    /// How many steps a seat's pawn is away from its goal, the other pawn ignored.
    #[inline]
    pub fn distance(&self, seat: Seat) -> Option<u32> {
        self.passages().distance(C::single(self.pawn(seat)), self.goal(seat))
    }

    /// The distances of both pawns, white's first.
    #[inline]
    pub fn distances(&self) -> [u32; 2] {
        self.distances_with_wall(Walls::EMPTY)
    }

    /// The distances with one more wall that leaves both pawns a path.
    #[inline]
    pub(super) fn distances_with_wall(&self, wall: Walls<C>) -> [u32; 2] {
        let passages = Passages::between(self.walls.union(wall), self.masks());
        passages.distances(self.pawns.map(C::single), self.masks().goals)
    }

    /// The tiles to which the pawn of the side to move may go.
    #[inline]
    pub fn pawn_targets(&self) -> C {
        let (mine, theirs) = (self.pawn(self.seat), self.pawn(!self.seat));
        let (me, other) = (C::single(mine), C::single(theirs));
        let passages = self.passages();
        let near = passages.neighbours(me);
        if (near & other).is_empty() {
            return near;
        }
        let (ahead, back) = (theirs.saturating_sub(mine), mine.saturating_sub(theirs));
        let beyond = other << u32::from(ahead) >> u32::from(back);
        let around = passages.neighbours(other);
        let jumps = if (around & beyond).is_empty() { around & !me } else { beyond };
        (near & !other) | jumps
    }

    /// The walls that would neither overlap nor cross another; some of these may cut off a pawn.
    #[inline]
    pub fn free_walls(&self) -> Walls<C> {
        self.walls.free_slots(self.masks())
    }

    /// Whether a seat's pawn still has a path after this wall is added.
    #[inline]
    pub fn leaves_path(&self, wall: Walls<C>, seat: Seat) -> bool {
        let passages = Passages::between(self.walls.union(wall), self.masks());
        passages.reaches(C::single(self.pawn(seat)), self.goal(seat))
    }

    /// The legal walls, ignoring turn and hand. Only a wall that touches two things and blocks a known shortest path needs a
    /// path search.
    pub fn legal_walls(&self) -> Walls<C> {
        self.filter_legal_walls(self.free_walls(), |seat| self.blocking_walls(seat))
    }

    /// The walls that would block one particular shortest path of a seat's pawn.
    #[inline]
    pub(super) fn blocking_walls(&self, seat: Seat) -> Walls<C> {
        self.passages().blocking_walls(C::single(self.pawn(seat)), self.goal(seat))
    }

    /// The legal walls among these free ones, ignoring turn and hand, given the [`blocking_walls`](Self::blocking_walls) of
    /// both seats.
    #[inline]
    pub(super) fn filter_legal_walls(
        &self,
        mut legal: Walls<C>,
        guards: impl Fn(Seat) -> Walls<C>,
    ) -> Walls<C> {
        let joints = legal.intersection(self.walls.joints(self.masks()));
        if joints.is_empty() {
            return legal;
        }
        for seat in Seat::BOTH {
            let doubtful = joints.intersection(guards(seat));
            for slot in doubtful.horizontal.iter() {
                if !self.leaves_path(Walls::horizontal(slot), seat) {
                    legal.horizontal = legal.horizontal & !C::single(slot);
                }
            }
            for slot in doubtful.vertical.iter() {
                if !self.leaves_path(Walls::vertical(slot), seat) {
                    legal.vertical = legal.vertical & !C::single(slot);
                }
            }
        }
        legal
    }

    /// Whether this wall is legal, ignoring turn and hand.
    #[inline]
    pub(super) fn is_wall_legal(&self, wall: Walls<C>) -> bool {
        let outline = self.masks();
        if self.walls.free_slots(outline).intersection(wall).is_empty() {
            return false;
        }
        self.walls.joints(outline).intersection(wall).is_empty()
            || Seat::BOTH.into_iter().all(|seat| self.leaves_path(wall, seat))
    }

    #[inline]
    pub(super) fn masks(&self) -> &'static BoardMasks<C> {
        C::masks(self.size)
    }

    #[inline]
    pub(super) fn goal(&self, seat: Seat) -> C {
        self.masks().goals[seat.index()]
    }

    #[inline]
    pub(super) fn has_arrived(&self, seat: Seat) -> bool {
        self.goal(seat).contains(self.pawn(seat))
    }

    fn compute_key(&self) -> u64 {
        let mut key = if self.seat == Seat::Second { BLACK_TO_MOVE } else { 0 };
        for seat in [0, 1] {
            key ^= KEYS.pawns[seat][usize::from(self.pawns[seat])];
            key ^= KEYS.in_hand[seat][usize::from(self.in_hand[seat])];
        }
        key = self.walls.horizontal.iter().fold(key, |key, wall| key ^ KEYS.horizontal[usize::from(wall)]);
        self.walls.vertical.iter().fold(key, |key, wall| key ^ KEYS.vertical[usize::from(wall)])
    }

    #[inline]
    fn spend_wall(&mut self) {
        let seat = self.seat.index();
        let before = usize::from(self.in_hand[seat] & 15);
        self.in_hand[seat] -= 1;
        self.key ^= KEYS.in_hand[seat][before] ^ KEYS.in_hand[seat][(before - 1) & 15];
    }
}

impl<C: Cells> View for Quoridor<C> {
    type Move = QuoridorMove;

    const SLOTS: usize = 3 * (C::STRIDE * C::STRIDE) as usize;

    fn slot(mv: QuoridorMove) -> usize {
        let tiles = Self::SLOTS / 3;
        match mv {
            QuoridorMove::Pawn(cell) => usize::from(cell),
            QuoridorMove::Horizontal(slot) => tiles + usize::from(slot),
            QuoridorMove::Vertical(slot) => 2 * tiles + usize::from(slot),
        }
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn each_move<B>(&self, mut visit: impl FnMut(QuoridorMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        for cell in self.pawn_targets().iter() {
            visit(QuoridorMove::Pawn(cell))?;
        }
        if self.in_hand(self.seat) == 0 {
            return ControlFlow::Continue(());
        }
        let walls = self.legal_walls();
        for slot in walls.horizontal.iter() {
            visit(QuoridorMove::Horizontal(slot))?;
        }
        for slot in walls.vertical.iter() {
            visit(QuoridorMove::Vertical(slot))?;
        }
        ControlFlow::Continue(())
    }

    fn move_count(&self) -> usize {
        if self.outcome().is_some() {
            return 0;
        }
        let walls = if self.in_hand(self.seat) == 0 { 0 } else { self.legal_walls().count() };
        (self.pawn_targets().count() + walls) as usize
    }

    fn is_legal(&self, mv: QuoridorMove) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        let bits = C::STRIDE * C::STRIDE;
        match mv {
            QuoridorMove::Pawn(cell) | QuoridorMove::Horizontal(cell) | QuoridorMove::Vertical(cell)
                if u32::from(cell) >= bits =>
            {
                false
            }
            QuoridorMove::Pawn(cell) => self.pawn_targets().contains(cell),
            QuoridorMove::Horizontal(slot) => {
                self.in_hand(self.seat) > 0 && self.is_wall_legal(Walls::horizontal(slot))
            }
            QuoridorMove::Vertical(slot) => {
                self.in_hand(self.seat) > 0 && self.is_wall_legal(Walls::vertical(slot))
            }
        }
    }

    /// Rejection sampling among pawn moves and all wall slots: uniform over legal moves, and only the wall that is drawn has to
    /// be checked.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<QuoridorMove>) -> QuoridorMove {
        let steps = self.pawn_targets();
        let step_count = steps.count() as usize;
        if self.in_hand(self.seat) == 0 {
            return QuoridorMove::Pawn(steps.nth::<MAX_PAWN_TARGETS>(rng.below(step_count)));
        }
        let slots = usize::from(self.size - 1).pow(2);
        loop {
            let drawn = rng.below(step_count + 2 * slots);
            let Some(place) = drawn.checked_sub(step_count) else {
                return QuoridorMove::Pawn(steps.nth::<MAX_PAWN_TARGETS>(drawn));
            };
            let slot = |place: usize| self.masks().slot_numbers[place & 63];
            let (mv, wall) = if place < slots {
                (QuoridorMove::Horizontal(slot(place)), Walls::horizontal(slot(place)))
            } else {
                (QuoridorMove::Vertical(slot(place - slots)), Walls::vertical(slot(place - slots)))
            };
            if self.is_wall_legal(wall) {
                return mv;
            }
        }
    }
}

impl<C: Cells> Position for Quoridor<C> {
    #[inline]
    fn play(&mut self, mv: QuoridorMove) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        match mv {
            QuoridorMove::Pawn(cell) => {
                let (keys, pawn) = (&KEYS.pawns[self.seat.index()], &mut self.pawns[self.seat.index()]);
                self.key ^= keys[usize::from(*pawn & 127)] ^ keys[usize::from(cell & 127)];
                *pawn = cell;
            }
            QuoridorMove::Horizontal(slot) => {
                self.walls = self.walls.union(Walls::horizontal(slot));
                self.key ^= KEYS.horizontal[usize::from(slot & 127)];
                self.spend_wall();
            }
            QuoridorMove::Vertical(slot) => {
                self.walls = self.walls.union(Walls::vertical(slot));
                self.key ^= KEYS.vertical[usize::from(slot & 127)];
                self.spend_wall();
            }
        }
        self.key ^= BLACK_TO_MOVE;
        self.seat = !self.seat;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let arrived = |seat: &Seat| self.has_arrived(*seat);
        Seat::BOTH.into_iter().find(arrived).map(Outcome::Win)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl<C: Cells> PartialEq for Quoridor<C> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.setup() == other.setup()
    }
}

impl<C: Cells> Eq for Quoridor<C> {}

impl<C: Cells> Hash for Quoridor<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}
