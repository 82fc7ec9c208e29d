//! The levels of play, from beginner to full strength.

/// What a level may look at, and by how much it mistakes what it sees.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Positions a move.
    pub nodes: Option<u64>,
    /// The deviation of its mistakes, in hundredths of a pawn.
    pub blur: f64,
}

const fn level(nodes: u64, blur: f64) -> Level {
    Level { nodes: Some(nodes), blur }
}

/// From beginner to full strength.
pub const LEVELS: [Level; 10] = [
    level(150, 420.0),
    level(300, 270.0),
    level(600, 180.0),
    level(1200, 120.0),
    level(2500, 80.0),
    level(5000, 50.0),
    level(10_000, 25.0),
    level(20_000, 0.0),
    level(100_000, 0.0),
    Level { nodes: None, blur: 0.0 },
];
