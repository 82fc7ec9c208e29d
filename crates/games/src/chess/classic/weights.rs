//! The table of weights and its text format.
//!
//! A written table reads back as the same table. The hand-set default weights are only the starting point of tuning.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use outplay_core::errors;

use super::features::{
    BACKWARD, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, BISHOP_SQUARE, DOUBLED, FEATURES, GROUPS, HANGING,
    ISOLATED, KING_DANGER, KING_SHELTER, KING_SQUARE, KING_THREAT, KNIGHT_MOBILITY, KNIGHT_SQUARE, MATERIAL,
    MINOR_THREAT, MOP_UP_EDGE, MOP_UP_KINGS, OUTPOST, PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FREE,
    PASSED_OWN_KING, PAWN_SQUARE, PAWN_STORM, PAWN_THREAT, PHALANX, PUSH_THREAT, QUEEN_MOBILITY,
    QUEEN_SQUARE, ROOK_FILE, ROOK_MOBILITY, ROOK_SQUARE, ROOK_THREAT, SHIELDED, SUPPORTED, TEMPO,
};
use super::tapered::TaperedScore;

/// The weights of all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicWeights([TaperedScore; FEATURES]);

errors! {
    /// Why a text is not a table of weights.
    #[derive(Clone, PartialEq, Eq)]
    pub enum WeightsError {
        Group { line: usize, found: String, expected: &'static str } =
            "line {line}: '{found}' is no group of weights, expected '{expected}'"
            | "ligne {line} : « {found} » n’est pas un groupe de poids, attendu « {expected} »",
        Surplus { line: usize, found: String } =
            "line {line}: '{found}' is no group of weights, expected 'nothing more'"
            | "ligne {line} : « {found} » n’est pas un groupe de poids, rien n’était plus attendu",
        Count { line: usize, found: usize, expected: usize } =
            "line {line}: {found} weights, expected {expected}" | "ligne {line} : {found} poids, attendu {expected}",
        Weight { line: usize, text: String } =
            "line {line}: '{text}' is no weight, expected two whole numbers such as 12/-5"
            | "ligne {line} : « {text} » n’est pas un poids, attendu deux nombres entiers tels que 12/-5",
        Short { group: &'static str } = "the table ends before '{group}'" | "la table finit avant « {group} »",
    }
}

/// The greatest weight: sums of many must fit in sixteen bits.
const MAX_WEIGHT: i32 = 3000;

static TUNED: &str = include_str!("../../../../../models/chess-classic.txt");

impl ClassicWeights {
    /// The weights that come with the program.
    pub fn tuned() -> Arc<Self> {
        static READ: LazyLock<Arc<ClassicWeights>> = LazyLock::new(|| {
            Arc::new(ClassicWeights::read(TUNED).expect("the weights that come with the program"))
        });
        Arc::clone(&READ)
    }

    /// The weight of a feature.
    #[inline]
    pub fn of(&self, feature: usize) -> TaperedScore {
        self.0[feature]
    }

    /// A table from a function of the feature's index.
    pub fn from_fn(weight: impl FnMut(usize) -> TaperedScore) -> Self {
        Self(std::array::from_fn(weight))
    }

    /// The table as text: a line for each group.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for group in GROUPS {
            text.push_str(group.name);
            text.push_str(" =");
            for weight in &self.0[group.first..group.first + group.len] {
                let _ = write!(text, " {}/{}", weight.middlegame(), weight.endgame());
            }
            text.push('\n');
        }
        text
    }

    /// Reads a table. Empty lines and lines that begin with `#` are skipped.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self([TaperedScore::ZERO; FEATURES]);
        let mut groups = GROUPS.iter();
        for (number, text) in text.lines().enumerate() {
            let (line, text) = (number + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (name, list) = text.split_once('=').unwrap_or((text, ""));
            let name = name.trim();
            let Some(group) = groups.next() else {
                return Err(WeightsError::Surplus { line, found: name.to_owned() });
            };
            if group.name != name {
                return Err(WeightsError::Group { line, found: name.to_owned(), expected: group.name });
            }
            let list: Vec<&str> = list.split_ascii_whitespace().collect();
            let (found, expected) = (list.len(), group.len);
            if found != expected {
                return Err(WeightsError::Count { line, found, expected });
            }
            for (place, text) in weights.0[group.first..].iter_mut().zip(list) {
                let bad = || WeightsError::Weight { line, text: text.to_owned() };
                *place = read_pair(text).ok_or_else(bad)?;
            }
        }
        match groups.next() {
            Some(group) => Err(WeightsError::Short { group: group.name }),
            None => Ok(weights),
        }
    }
}

fn read_pair(text: &str) -> Option<TaperedScore> {
    let (middle, end) = text.split_once('/')?;
    let half = |text: &str| text.parse().ok().filter(|half| (-MAX_WEIGHT..=MAX_WEIGHT).contains(half));
    Some(TaperedScore::new(half(middle)?, half(end)?))
}

impl Default for ClassicWeights {
    /// Set by hand: the usual piece values, and linear functions for everything else.
    fn default() -> Self {
        let mut weights = Self([TaperedScore::ZERO; FEATURES]);
        weights.set_pieces();
        weights.set_piece_squares();
        weights.set_mobility();
        weights.set_pawns();
        weights.set_kings();
        weights.set_threats();
        weights
    }
}

impl ClassicWeights {
    fn set(&mut self, first: usize, pairs: &[(i32, i32)]) {
        for (place, &(middle, end)) in self.0[first..].iter_mut().zip(pairs) {
            *place = TaperedScore::new(middle, end);
        }
    }

    fn set_pieces(&mut self) {
        self.set(MATERIAL, &[(85, 100), (330, 310), (345, 330), (480, 540), (960, 980)]);
        self.set(BISHOP_PAIR, &[(25, 45)]);
        self.set(BISHOP_PAWNS, &[(-3, -6)]);
        self.set(OUTPOST, &[(25, 15), (15, 8)]);
        self.set(SHIELDED, &[(5, 3)]);
        self.set(ROOK_FILE, &[(30, 10), (12, 8)]);
        self.set(TEMPO, &[(15, 10)]);
        self.set(MOP_UP_EDGE, &[(10, 12)]);
        self.set(MOP_UP_KINGS, &[(4, 8)]);
    }

    fn set_piece_squares(&mut self) {
        for square in 0..64 {
            let (file, rank) = (square as i32 % 8, square as i32 / 8);
            // From 0 at the edge to 3 in the middle.
            let (across, along) = (file.min(7 - file), rank.min(7 - rank));
            let centre = across + along;
            let is_pawns = (1..7).contains(&rank);
            let pawn = if is_pawns { (4 * (across - 1) + 2 * (rank - 2), 6 * (rank - 2)) } else { (0, 0) };
            let rook = (3 * (across - 1), if rank == 6 { 12 } else { 0 });
            let king = (-12 * rank.min(3) + 10 * (2 - across), 10 * (centre - 3));
            let places = [
                (PAWN_SQUARE, pawn),
                (KNIGHT_SQUARE, (8 * (centre - 3), 7 * (centre - 3))),
                (BISHOP_SQUARE, (4 * (centre - 3), 3 * (centre - 3))),
                (ROOK_SQUARE, rook),
                (QUEEN_SQUARE, (2 * (centre - 3), 5 * (centre - 3))),
                (KING_SQUARE, king),
            ];
            for (first, value) in places {
                self.set(first + square, &[value]);
            }
        }
    }

    fn set_mobility(&mut self) {
        for (first, len, usual, slope) in [
            (KNIGHT_MOBILITY, 9, 4, (6, 6)),
            (BISHOP_MOBILITY, 14, 6, (5, 6)),
            (ROOK_MOBILITY, 15, 7, (3, 6)),
            (QUEEN_MOBILITY, 28, 13, (1, 4)),
        ] {
            for squares in 0..len {
                let above = squares as i32 - usual;
                self.set(first + squares, &[(slope.0 * above, slope.1 * above)]);
            }
        }
    }

    fn set_pawns(&mut self) {
        self.set(DOUBLED, &[(-8, -18)]);
        self.set(ISOLATED, &[(-10, -12)]);
        self.set(BACKWARD, &[(-8, -10)]);
        for rank in 1..7 {
            let step = rank as i32;
            self.set(PHALANX + rank, &[(2 * step, 2 * step)]);
            self.set(SUPPORTED + rank, &[(4 * step, 3 * step)]);
            self.set(PASSED + rank, &[(2 * step * step, 4 * step * step)]);
            self.set(PASSED_BLOCKED + rank, &[(-2 * step, -6 * step)]);
            self.set(PASSED_FREE + rank, &[(step, 6 * step)]);
        }
        for distance in 0..8 {
            let away = distance as i32 - 3;
            self.set(PASSED_OWN_KING + distance, &[(0, -6 * away)]);
            self.set(PASSED_ENEMY_KING + distance, &[(0, 10 * away)]);
        }
    }

    fn set_kings(&mut self) {
        for file in 0..4 {
            for rank in 0..8 {
                // Rank 0 stands for no pawn.
                let value = if rank == 0 { -25 } else { 20 - 8 * (rank as i32 - 1) };
                self.set(KING_SHELTER + 8 * file + rank, &[(value.max(-25), 0)]);
            }
        }
        for rank in 1..7 {
            self.set(PAWN_STORM + rank, &[(if rank < 4 { -12 * (4 - rank as i32) } else { 0 }, 0)]);
        }
        for units in 0..48 {
            let attack = units as i32;
            self.set(KING_DANGER + units, &[((attack * attack / 4).min(500), attack / 2)]);
        }
    }

    fn set_threats(&mut self) {
        self.set(PAWN_THREAT, &[(55, 40), (55, 40), (70, 40), (60, 40)]);
        self.set(MINOR_THREAT, &[(2, 10), (20, 25), (20, 25), (45, 20), (40, 20)]);
        self.set(ROOK_THREAT, &[(2, 10), (20, 20), (20, 20), (5, 5), (45, 20)]);
        self.set(KING_THREAT, &[(10, 30)]);
        self.set(HANGING, &[(30, 20)]);
        self.set(PUSH_THREAT, &[(15, 12)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_read_back() {
        let weights = ClassicWeights::default();
        assert_eq!(ClassicWeights::read(&weights.write()), Ok(weights));
        ClassicWeights::tuned();
    }

    #[test]
    fn bad_tables_are_refused() {
        let good = ClassicWeights::default().write();
        let refusal = |text: &str| ClassicWeights::read(text).unwrap_err().to_string();
        assert!(refusal("").contains("ends before 'material"));
        assert!(refusal(&good.replace("doubled", "tripled")).contains("'tripled pawn' is no group"));
        assert!(refusal(&good.replacen("85/100", "85", 1)).contains("'85' is no weight"));
        assert!(refusal(&good.replacen("85/100", "", 1)).contains("4 weights, expected 5"));
        assert!(refusal(&good.replacen("85/100", "85000/1", 1)).contains("'85000/1'"));
        assert!(refusal(&format!("{good}more = 1/1")).contains("expected 'nothing more'"));
    }
}
