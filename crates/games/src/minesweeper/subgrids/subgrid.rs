//! A sub-grid and its codes.
//!
//! Cells are stored row by row as codes, which are also the inputs of the network.

use std::fmt;
use std::str::FromStr;

use outplay_core::errors;

/// Cells along an edge.
pub const SIDE: usize = 5;
/// Cells of a sub-grid.
pub const CELLS: usize = SIDE * SIDE;
/// The index of the centre.
pub const CENTRE: usize = CELLS / 2;

/// The document's codes (§3.2.2); an unmasked empty cell is its number, 0 to 8.
pub mod code {
    /// An unmasked mine: only in sub-grids without a mask.
    pub const MINE: i8 = -1;
    /// A cell that is not on the board.
    pub const WALL: i8 = -2;
    /// A masked cell without a flag.
    pub const MASKED: i8 = -3;
    /// A masked cell with a flag.
    pub const FLAGGED: i8 = -4;
}

/// The codes with the characters of texts.
const CHARACTERS: [(i8, char); 4] =
    [(code::MINE, '*'), (code::WALL, '#'), (code::MASKED, '.'), (code::FLAGGED, 'F')];

/// The surroundings of a cell, by their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subgrid(pub [i8; CELLS]);

impl Subgrid {
    /// Four bits a cell: a sub-grid as one number.
    pub fn pack(&self) -> u128 {
        self.0.iter().rev().fold(0, |packed, &code| packed << 4 | (code - code::FLAGGED) as u128)
    }

    /// The inverse of [`pack`](Self::pack).
    #[inline]
    pub fn unpack(packed: u128) -> Self {
        Self(std::array::from_fn(|cell| (packed >> (4 * cell) & 15) as i8 + code::FLAGGED))
    }

    /// The numbers that a network is given.
    #[inline]
    pub fn write_inputs(&self, inputs: &mut [f32]) {
        for (input, &code) in inputs.iter_mut().zip(&self.0) {
            *input = f32::from(code);
        }
    }
}

errors! {
    /// Why a text is no sub-grid.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadSubgrid {
        Length { text: String } =
            "'{text}' is no sub-grid: expected {CELLS} cells" | "« {text} » n’est pas une sous-grille : attendu {CELLS} cases",
        Character { found: char } =
            "'{found}' is no cell of a sub-grid: expected 0 to 8, '*', '#', '.' or 'F'"
            | "« {found} » n’est pas une case de sous-grille : attendu 0 à 8, « * », « # », « . » ou « F »",
    }
}

impl fmt::Display for Subgrid {
    /// Row by row: a digit, `*` mine, `#` wall, `.` masked, `F` flagged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &code in &self.0 {
            let special = CHARACTERS.iter().find(|(special, _)| *special == code);
            write!(
                f,
                "{}",
                special.map_or_else(|| char::from(b'0' + code as u8), |&(_, character)| character)
            )?;
        }
        Ok(())
    }
}

impl FromStr for Subgrid {
    type Err = BadSubgrid;

    fn from_str(text: &str) -> Result<Self, BadSubgrid> {
        if text.chars().count() != CELLS {
            return Err(BadSubgrid::Length { text: text.to_owned() });
        }
        let mut codes = [0; CELLS];
        for (place, character) in codes.iter_mut().zip(text.chars()) {
            let special = CHARACTERS.iter().find(|(_, known)| *known == character);
            let digit = || character.to_digit(9).map(|digit| digit as i8);
            let code = special.map(|&(code, _)| code).or_else(digit);
            *place = code.ok_or(BadSubgrid::Character { found: character })?;
        }
        Ok(Self(codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_subgrid() -> impl Strategy<Value = Subgrid> {
        prop::array::uniform25(code::FLAGGED..=8).prop_map(Subgrid)
    }

    proptest! {
        #[test]
        fn subgrids_survive_texts_and_packing(subgrid in any_subgrid()) {
            prop_assert_eq!(Subgrid::unpack(subgrid.pack()), subgrid);
            prop_assert_eq!(subgrid.to_string().parse::<Subgrid>(), Ok(subgrid));
        }

        #[test]
        fn other_texts_are_refused_or_read(text in "[0-9.F#*xé]{24,26}") {
            if let Ok(subgrid) = text.parse::<Subgrid>() {
                prop_assert_eq!(subgrid.to_string(), text);
            }
        }
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |text: &str| text.parse::<Subgrid>().unwrap_err().to_string();
        assert!(refusal("012").starts_with("'012' is no sub-grid"));
        assert!(refusal("9........................").starts_with("'9' is no cell"));
    }
}
