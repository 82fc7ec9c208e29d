//! The features of the evaluation: the names of the weights, and their indices in the table.
//!
//! The groups follow one another and fill the table without a gap, so a weight is identified by its index alone.

/// A group of weights with one name.
#[derive(Clone, Copy, Debug)]
pub struct WeightGroup {
    /// Its name, as in files of weights.
    pub name: &'static str,
    /// The index of its first weight.
    pub first: usize,
    /// How many weights there are.
    pub len: usize,
}

macro_rules! groups {
    ($($constant:ident $name:literal $len:literal;)*) => {
        groups!(@place 0; $($constant $len;)*);
        /// All groups, in the order of their indices.
        pub const GROUPS: &[WeightGroup] = &[$(WeightGroup { name: $name, first: $constant, len: $len },)*];
    };
    (@place $at:expr; $constant:ident $len:literal; $($rest:tt)*) => {
        pub(super) const $constant: usize = $at;
        groups!(@place $at + $len; $($rest)*);
    };
    (@place $at:expr;) => {
        /// How many weights there are.
        pub const FEATURES: usize = $at;
    };
}

groups! {
    MATERIAL "material: pawn, knight, bishop, rook, queen" 5;
    PAWN_SQUARE "pawn by square" 64;
    KNIGHT_SQUARE "knight by square" 64;
    BISHOP_SQUARE "bishop by square" 64;
    ROOK_SQUARE "rook by square" 64;
    QUEEN_SQUARE "queen by square" 64;
    KING_SQUARE "king by square" 64;
    KNIGHT_MOBILITY "knight by squares it may go to" 9;
    BISHOP_MOBILITY "bishop by squares it may go to" 14;
    ROOK_MOBILITY "rook by squares it may go to" 15;
    QUEEN_MOBILITY "queen by squares it may go to" 28;
    BISHOP_PAIR "two bishops" 1;
    BISHOP_PAWNS "own pawns on the bishop's colour" 1;
    OUTPOST "knight, bishop on an outpost" 2;
    SHIELDED "minor piece behind a pawn" 1;
    ROOK_FILE "rook on an open, a half-open file" 2;
    DOUBLED "doubled pawn" 1;
    ISOLATED "isolated pawn" 1;
    BACKWARD "backward pawn" 1;
    PHALANX "pawns abreast by rank" 8;
    SUPPORTED "supported pawn by rank" 8;
    PASSED "passed pawn by rank" 8;
    PASSED_BLOCKED "passed pawn with a piece before it, by rank" 8;
    PASSED_FREE "passed pawn that may go on unattacked, by rank" 8;
    PASSED_OWN_KING "passed pawn by the own king's distance" 8;
    PASSED_ENEMY_KING "passed pawn by the enemy king's distance" 8;
    KING_SHELTER "king's shelter: pawn's rank by the file's distance from the edge" 32;
    PAWN_STORM "enemy pawn's rank before the king, free or blocked" 16;
    KING_DANGER "danger to the king by attack" 48;
    PAWN_THREAT "pawn attacks knight, bishop, rook, queen" 4;
    MINOR_THREAT "minor piece attacks pawn, knight, bishop, rook, queen" 5;
    ROOK_THREAT "rook attacks pawn, knight, bishop, rook, queen" 5;
    KING_THREAT "king attacks something undefended" 1;
    HANGING "something attacked and undefended" 1;
    PUSH_THREAT "a pawn's step would attack a piece" 1;
    MOP_UP_EDGE "bare enemy king by its distance from the centre" 1;
    MOP_UP_KINGS "bare enemy king by the kings' nearness" 1;
    TEMPO "to be on the move" 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fill_the_table() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.first, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, FEATURES);
    }
}
