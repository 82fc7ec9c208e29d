//! The part of a level that never changes: bricks, solid walls, ladders, ropes, and where the exit ladders will be.
//!
//! A terrain is kept with a border of solid wall around it, so that every spot has four neighbours: the border below the
//! bottom row is the floor, and nobody climbs out at the top.

/// The most rows of a level.
pub const MAX_ROWS: usize = 28;
/// The most columns of a level.
pub const MAX_COLS: usize = 32;
/// Spots are numbered below this, border included.
pub const MAX_SPOTS: usize = (MAX_ROWS + 2) * (MAX_COLS + 2);
/// Words of a set of spots.
const WORDS: usize = MAX_SPOTS.div_ceil(64);

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Nothing.
    Empty,
    /// A brick, which can be dug.
    Brick,
    /// A wall, which cannot.
    Solid,
    /// A ladder.
    Ladder,
    /// A rope to hang from.
    Rope,
    /// A ladder that appears with the last gold; nothing until then.
    ExitLadder,
}

/// A cell of a level, numbered row by row with the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Spot(pub(super) u16);

impl Spot {
    /// The number of the spot, below [`MAX_SPOTS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tiles of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Terrain {
    rows: u8,
    cols: u8,
    tiles: Vec<Tile>,
}

impl Terrain {
    /// A terrain of these tiles, row by row; `rows` × `cols` of them, within [`MAX_ROWS`] and [`MAX_COLS`].
    pub fn new(rows: usize, cols: usize, inner: &[Tile]) -> Self {
        assert!((1..=MAX_ROWS).contains(&rows) && (1..=MAX_COLS).contains(&cols), "{rows}×{cols} cells");
        assert_eq!(inner.len(), rows * cols, "a tile for every cell");
        let mut terrain =
            Self { rows: rows as u8, cols: cols as u8, tiles: vec![Tile::Solid; (rows + 2) * (cols + 2)] };
        for (number, &tile) in inner.iter().enumerate() {
            let spot = terrain.spot(number / cols, number % cols);
            terrain.tiles[spot.index()] = tile;
        }
        terrain
    }

    /// How many rows there are.
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// How many columns there are.
    pub const fn cols(&self) -> usize {
        self.cols as usize
    }

    /// From one row to the next.
    #[inline]
    const fn stride(&self) -> u16 {
        self.cols as u16 + 2
    }

    /// The spot in this row from the top and column from the left.
    pub const fn spot(&self, row: usize, col: usize) -> Spot {
        Spot((row as u16 + 1) * self.stride() + col as u16 + 1)
    }

    /// The row of a spot inside the border, from the top.
    #[inline]
    pub const fn row(&self, spot: Spot) -> usize {
        (spot.0 / self.stride()) as usize - 1
    }

    /// The column of a spot inside the border, from the left.
    #[inline]
    pub const fn col(&self, spot: Spot) -> usize {
        (spot.0 % self.stride()) as usize - 1
    }

    /// Whether the spot is in the top row.
    #[inline]
    pub const fn is_top(&self, spot: Spot) -> bool {
        spot.0 < 2 * self.stride()
    }

    /// All spots inside the border, row by row.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<'_> {
        (0..self.rows()).flat_map(move |row| (0..self.cols()).map(move |col| self.spot(row, col)))
    }

    /// The tile as it was built: an exit ladder is one whether it has appeared or not.
    #[inline]
    pub fn tile(&self, spot: Spot) -> Tile {
        self.tiles[spot.index()]
    }

    /// The neighbour to the left.
    #[inline]
    pub const fn left(&self, spot: Spot) -> Spot {
        Spot(spot.0 - 1)
    }

    /// The neighbour to the right.
    #[inline]
    pub const fn right(&self, spot: Spot) -> Spot {
        Spot(spot.0 + 1)
    }

    /// The neighbour above.
    #[inline]
    pub const fn above(&self, spot: Spot) -> Spot {
        Spot(spot.0 - self.stride())
    }

    /// The neighbour below.
    #[inline]
    pub const fn below(&self, spot: Spot) -> Spot {
        Spot(spot.0 + self.stride())
    }
}

/// A set of spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SpotSet([u64; WORDS]);

impl SpotSet {
    /// Whether the spot is in the set.
    #[inline]
    pub const fn contains(&self, spot: Spot) -> bool {
        self.0[spot.index() / 64] >> (spot.index() % 64) & 1 == 1
    }

    /// Adds a spot.
    #[inline]
    pub fn insert(&mut self, spot: Spot) {
        self.0[spot.index() / 64] |= 1 << (spot.index() % 64);
    }

    /// Removes a spot.
    #[inline]
    pub fn remove(&mut self, spot: Spot) {
        self.0[spot.index() / 64] &= !(1 << (spot.index() % 64));
    }

    #[inline]
    pub(super) const fn words(&self) -> &[u64] {
        &self.0
    }

    /// How many spots there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The spots, in order.
    pub fn iter(&self) -> impl Iterator<Item = Spot> + use<'_> {
        self.0.iter().enumerate().flat_map(|(number, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(Spot((number * 64) as u16 + bit as u16))
            })
        })
    }
}
