//! The rules: turns, steps, jumps, walls, the end.
//!
//! Laws: both pawns always have a way to their goal (pawns ignored), so there is always a pawn move; the key is
//! kept move by move and equals the one made from scratch; moves are visited pawn first, so that a search
//! may stop before it has paid for any wall.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Rng, Seat, View};

use super::cells::{Cells, Outline};
use super::keys::{BLACK_TO_MOVE, KEYS};
use super::notation::{move_name, tile_name};
use super::path::Passages;
use super::walls::Walls;

/// The most walls that a player may have in hand.
pub const MAX_WALLS: u8 = 10;

/// A move. Tiles and walls are numbered as in [`Cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// The pawn goes to this tile.
    To(u8),
    /// A wall along the row, north of this tile and of the one east of it.
    Horizontal(u8),
    /// A wall along the column, east of this tile and of the one north of it.
    Vertical(u8),
}

/// A Quoridor position.
///
/// ```
/// use outplay_core::{Position, View, PositionNotation};
/// use outplay_games::quoridor::Small;
///
/// let mut position = Small::start(5, 3).unwrap();
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

/// Everything that a position is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup<C> {
    /// Tiles along an edge.
    pub size: u8,
    /// Where the pawns stand, white's first.
    pub pawns: [u8; 2],
    /// Walls in hand.
    pub in_hand: [u8; 2],
    /// Whose turn it is.
    pub seat: Seat,
    /// Walls on the board.
    pub walls: Walls<C>,
}

/// Why a set-up is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No board of this size.
    #[error("no board is {0}×{0}, expected a size from 3 to {1}")]
    Size(u8, u32),
    /// Too many walls in hand.
    #[error("{0} has {1} walls in hand, expected at most 10")]
    InHand(&'static str, u8),
    /// A pawn beside the board.
    #[error("the pawn of {0} is not on the board")]
    Pawn(&'static str),
    /// Two pawns on one tile.
    #[error("both pawns stand on one tile")]
    SameTile,
    /// The name of no wall.
    #[error("'{0}' is not a wall, expected one such as b2h or b2v")]
    NotAWall(String),
    /// A wall named twice.
    #[error("the wall '{0}' stands there twice")]
    WallTwice(String),
    /// A wall beside the board, and the last tile of which one can bear the name.
    #[error("the wall {0} is not on the board, expected one of a1 to {1}")]
    WallOutside(String, String),
    /// Walls that overlap or cross.
    #[error("the walls {0} and {1} overlap or cross")]
    WallsMeet(String, String),
    /// A pawn without a way.
    #[error("the walls leave {0} no way to the opposite row")]
    NoWay(&'static str),
    /// The winner is to move, or there are two.
    #[error("{0} has already arrived, so it cannot be its turn")]
    Arrived(&'static str),
}

/// A pawn has no more than so many steps: three beside the opponent and two jumps around him.
pub(super) const MOST_STEPS: usize = 5;

pub(super) const SEAT_NAMES: [&str; 2] = ["white", "black"];

impl<C: Cells> Quoridor<C> {
    /// The start of a game: pawns in the middle of their rows, so many walls in hand each. On boards of even size
    /// white stands left of the middle and black right of it, so that either has the same view of the board.
    pub fn start(size: u8, walls: u8) -> Result<Self, Fault> {
        Self::start_behind(size, walls, Walls::NONE)
    }

    /// The same with walls already placed.
    pub fn start_behind(size: u8, in_hand: u8, walls: Walls<C>) -> Result<Self, Fault> {
        Self::check_size(size)?;
        let pawns = [C::cell((size - 1) / 2, 0), C::cell(size / 2, size - 1)];
        Self::set_up(Setup { size, pawns, in_hand: [in_hand; 2], seat: Seat::First, walls })
    }

    /// Refuses sizes without a board.
    pub(super) fn check_size(size: u8) -> Result<(), Fault> {
        let possible = (3..=C::STRIDE).contains(&u32::from(size));
        if possible { Ok(()) } else { Err(Fault::Size(size, C::STRIDE)) }
    }

    /// The position of a set-up, or what is wrong with it.
    pub fn set_up(setup: Setup<C>) -> Result<Self, Fault> {
        let Setup { size, pawns, in_hand, seat, walls } = setup;
        Self::check_size(size)?;
        let mut position = Self { walls, key: 0, pawns, in_hand, seat, size };
        for (seat, name) in Seat::BOTH.into_iter().zip(SEAT_NAMES) {
            let (column, row) = C::place(pawns[seat.index()]);
            if column >= size || row >= size {
                return Err(Fault::Pawn(name));
            }
            if in_hand[seat.index()] > MAX_WALLS {
                return Err(Fault::InHand(name, in_hand[seat.index()]));
            }
        }
        if pawns[0] == pawns[1] {
            return Err(Fault::SameTile);
        }
        position.check_walls()?;
        for (seat, name) in Seat::BOTH.into_iter().zip(SEAT_NAMES) {
            if position.distance(seat).is_none() {
                return Err(Fault::NoWay(name));
            }
        }
        if position.has_arrived(seat) {
            return Err(Fault::Arrived(SEAT_NAMES[seat.index()]));
        }
        position.key = position.key_from_scratch();
        Ok(position)
    }

    /// The position of a set-up whose walls, size and hands are known to be right; none if pawns cannot stand so.
    pub(super) fn stand(setup: Setup<C>) -> Option<Self> {
        let Setup { size, pawns, in_hand, seat, walls } = setup;
        let mut position = Self { walls, key: 0, pawns, in_hand, seat, size };
        let passages = position.passages();
        let has_way = |seat: Seat| passages.reaches(C::only(position.pawn(seat)), position.goal(seat));
        if pawns[0] == pawns[1] || position.has_arrived(seat) || !Seat::BOTH.into_iter().all(has_way) {
            return None;
        }
        position.key = position.key_from_scratch();
        Some(position)
    }

    fn check_walls(&self) -> Result<(), Fault> {
        let (outline, mut placed) = (self.outline(), Walls::NONE);
        for (mv, wall) in self.walls.each() {
            if ((wall.horizontal | wall.vertical) & outline.slots).is_empty() {
                let last = tile_name::<C>(C::cell(self.size - 2, self.size - 2));
                return Err(Fault::WallOutside(move_name::<C>(mv), last));
            }
            if placed.free(outline).and(wall).is_empty() {
                let meets = |other: &(Move, Walls<C>)| other.1.free(outline).and(wall).is_empty();
                let (other, _) = placed.each().find(meets).expect("what is not free is taken by a wall");
                return Err(Fault::WallsMeet(move_name::<C>(other), move_name::<C>(mv)));
            }
            placed = placed.or(wall);
        }
        Ok(())
    }

    /// What the position is made of.
    pub const fn setup(&self) -> Setup<C> {
        let Self { walls, pawns, in_hand, seat, size, .. } = *self;
        Setup { size, pawns, in_hand, seat, walls }
    }

    /// Tiles along an edge.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The walls on the board.
    pub const fn walls(&self) -> Walls<C> {
        self.walls
    }

    /// Where a seat's pawn stands.
    pub const fn pawn(&self, seat: Seat) -> u8 {
        self.pawns[seat.index()]
    }

    /// How many walls a seat has in hand.
    pub const fn in_hand(&self, seat: Seat) -> u8 {
        self.in_hand[seat.index()]
    }

    /// The ways that the walls leave.
    #[inline]
    pub fn passages(&self) -> Passages<C> {
        Passages::between(self.walls, self.outline())
    }

    /// How many steps a seat's pawn is away from its goal, the other pawn ignored.
    #[inline]
    pub fn distance(&self, seat: Seat) -> Option<u32> {
        self.passages().distance(C::only(self.pawn(seat)), self.goal(seat))
    }

    /// The distances of both pawns, white's first.
    #[inline]
    pub fn distances(&self) -> [u32; 2] {
        self.distances_behind(Walls::NONE)
    }

    /// The same behind one more wall that leaves both a way.
    #[inline]
    pub(super) fn distances_behind(&self, wall: Walls<C>) -> [u32; 2] {
        let passages = Passages::between(self.walls.or(wall), self.outline());
        passages.distances(self.pawns.map(C::only), self.outline().goals)
    }

    /// The tiles to which the pawn of the side to move may go.
    #[inline]
    pub fn steps(&self) -> C {
        let (mine, theirs) = (self.pawn(self.seat), self.pawn(!self.seat));
        let (me, other) = (C::only(mine), C::only(theirs));
        let passages = self.passages();
        let near = passages.beside(me);
        if (near & other).is_empty() {
            return near;
        }
        let (ahead, back) = (theirs.saturating_sub(mine), mine.saturating_sub(theirs));
        let beyond = other << u32::from(ahead) >> u32::from(back);
        let around = passages.beside(other);
        let jumps = if (around & beyond).is_empty() { around & !me } else { beyond };
        (near & !other) | jumps
    }

    /// Where a wall would neither overlap nor cross another; some of these may take away the last way of a pawn.
    #[inline]
    pub fn free_walls(&self) -> Walls<C> {
        self.walls.free(self.outline())
    }

    /// Whether a seat's pawn still has a way with this wall beside those that stand.
    #[inline]
    pub fn leaves_way(&self, wall: Walls<C>, seat: Seat) -> bool {
        let passages = Passages::between(self.walls.or(wall), self.outline());
        passages.reaches(C::only(self.pawn(seat)), self.goal(seat))
    }

    /// The walls that may be placed, turns and hands aside. Only a wall that touches two things and stands
    /// across a known shortest way has to be tried.
    pub fn legal_walls(&self) -> Walls<C> {
        self.legal_among(self.free_walls(), |seat| self.guards(seat))
    }

    /// The walls that would stand across one shortest way of a seat's pawn.
    #[inline]
    pub(super) fn guards(&self, seat: Seat) -> Walls<C> {
        self.passages().guards(C::only(self.pawn(seat)), self.goal(seat))
    }

    /// Those of these free places where a wall may be placed, turns and hands aside, given the [`guards`](Self::guards) of
    /// both seats.
    #[inline]
    pub(super) fn legal_among(&self, mut legal: Walls<C>, guards: impl Fn(Seat) -> Walls<C>) -> Walls<C> {
        let joints = legal.and(self.walls.joints(self.outline()));
        if joints.is_empty() {
            return legal;
        }
        for seat in Seat::BOTH {
            let doubtful = joints.and(guards(seat));
            for slot in doubtful.horizontal.each() {
                if !self.leaves_way(Walls::horizontal(slot), seat) {
                    legal.horizontal = legal.horizontal & !C::only(slot);
                }
            }
            for slot in doubtful.vertical.each() {
                if !self.leaves_way(Walls::vertical(slot), seat) {
                    legal.vertical = legal.vertical & !C::only(slot);
                }
            }
        }
        legal
    }

    /// Whether this one wall may be placed, turns and hands aside.
    #[inline]
    pub(super) fn admits(&self, wall: Walls<C>) -> bool {
        let outline = self.outline();
        if self.walls.free(outline).and(wall).is_empty() {
            return false;
        }
        self.walls.joints(outline).and(wall).is_empty()
            || Seat::BOTH.into_iter().all(|seat| self.leaves_way(wall, seat))
    }

    #[inline]
    pub(super) fn outline(&self) -> &'static Outline<C> {
        C::outline(self.size)
    }

    #[inline]
    pub(super) fn goal(&self, seat: Seat) -> C {
        self.outline().goals[seat.index()]
    }

    #[inline]
    fn has_arrived(&self, seat: Seat) -> bool {
        self.goal(seat).has(self.pawn(seat))
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.seat == Seat::Second { BLACK_TO_MOVE } else { 0 };
        for seat in [0, 1] {
            key ^= KEYS.pawns[seat][usize::from(self.pawns[seat])];
            key ^= KEYS.in_hand[seat][usize::from(self.in_hand[seat])];
        }
        key = self.walls.horizontal.each().fold(key, |key, wall| key ^ KEYS.horizontal[usize::from(wall)]);
        self.walls.vertical.each().fold(key, |key, wall| key ^ KEYS.vertical[usize::from(wall)])
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
    type Move = Move;

    const SLOTS: usize = 3 * (C::STRIDE * C::STRIDE) as usize;

    fn slot(mv: Move) -> usize {
        let tiles = Self::SLOTS / 3;
        match mv {
            Move::To(cell) => usize::from(cell),
            Move::Horizontal(slot) => tiles + usize::from(slot),
            Move::Vertical(slot) => 2 * tiles + usize::from(slot),
        }
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn each_move<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        for cell in self.steps().each() {
            visit(Move::To(cell))?;
        }
        if self.in_hand(self.seat) == 0 {
            return ControlFlow::Continue(());
        }
        let walls = self.legal_walls();
        for slot in walls.horizontal.each() {
            visit(Move::Horizontal(slot))?;
        }
        for slot in walls.vertical.each() {
            visit(Move::Vertical(slot))?;
        }
        ControlFlow::Continue(())
    }

    fn move_count(&self) -> usize {
        if self.outcome().is_some() {
            return 0;
        }
        let walls = if self.in_hand(self.seat) == 0 { 0 } else { self.legal_walls().count() };
        (self.steps().count() + walls) as usize
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        let bits = C::STRIDE * C::STRIDE;
        match mv {
            Move::To(cell) | Move::Horizontal(cell) | Move::Vertical(cell) if u32::from(cell) >= bits => {
                false
            }
            Move::To(cell) => self.steps().has(cell),
            Move::Horizontal(slot) => self.in_hand(self.seat) > 0 && self.admits(Walls::horizontal(slot)),
            Move::Vertical(slot) => self.in_hand(self.seat) > 0 && self.admits(Walls::vertical(slot)),
        }
    }

    /// Draws among the pawn's steps and all places of walls until the move is legal: uniform over legal moves,
    /// and only the wall that is drawn has to be proven harmless.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        let steps = self.steps();
        let step_count = steps.count() as usize;
        if self.in_hand(self.seat) == 0 {
            return Move::To(steps.nth::<MOST_STEPS>(rng.below(step_count)));
        }
        let slots = usize::from(self.size - 1).pow(2);
        loop {
            let drawn = rng.below(step_count + 2 * slots);
            let Some(place) = drawn.checked_sub(step_count) else {
                return Move::To(steps.nth::<MOST_STEPS>(drawn));
            };
            let slot = |place: usize| self.outline().slot_numbers[place & 63];
            let (mv, wall) = if place < slots {
                (Move::Horizontal(slot(place)), Walls::horizontal(slot(place)))
            } else {
                (Move::Vertical(slot(place - slots)), Walls::vertical(slot(place - slots)))
            };
            if self.admits(wall) {
                return mv;
            }
        }
    }
}

impl<C: Cells> Position for Quoridor<C> {
    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        match mv {
            Move::To(cell) => {
                let (keys, pawn) = (&KEYS.pawns[self.seat.index()], &mut self.pawns[self.seat.index()]);
                self.key ^= keys[usize::from(*pawn & 127)] ^ keys[usize::from(cell & 127)];
                *pawn = cell;
            }
            Move::Horizontal(slot) => {
                self.walls = self.walls.or(Walls::horizontal(slot));
                self.key ^= KEYS.horizontal[usize::from(slot & 127)];
                self.spend_wall();
            }
            Move::Vertical(slot) => {
                self.walls = self.walls.or(Walls::vertical(slot));
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
