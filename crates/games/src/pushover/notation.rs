//! How Push-over is written: the document's letters, lines and pictures.
//!
//! A position is the document's `+ooo...+...o....Eo`: the cells row by row, the letter of the last move (`-`
//! if it is not known), the side that just moved. Where the board before the last move may not be recreated,
//! it stands in front, cells only: `+ooo...+...o....>++oo...+...o....A+`. Without it nothing is forbidden.
//! The document prints its two examples one cell short (`+ooo...+...o...Eo`), so on the 4×4 board a last empty
//! cell may be left out when reading.
//!
//! Occupied cells stay occupied, and a piece leaves only over a full row or column; so where no row or column is
//! full, every piece that was ever played is still there, and texts with other numbers of pieces are refused.

use outplay_core::scene::{Scene, Touch};
use outplay_core::{IllegalMove, MalformedPosition, Position, PositionNotation, Seat, View};

use super::{Pushover, PushoverBoard, PushoverMove};

const SEAT_NAMES: [&str; 2] = ["o", "+"];
pub(super) const PIECES: [char; 2] = ['o', '+'];

impl<const N: usize> PositionNotation for Pushover<N> {
    const SEAT_NAMES: [&'static str; 2] = SEAT_NAMES;

    fn write_move(&self, mv: PushoverMove) -> String {
        letter(mv).to_string()
    }

    fn read_move(&self, text: &str) -> Result<PushoverMove, IllegalMove> {
        let entry = read_letter::<N>(text).ok_or_else(|| {
            IllegalMove(format!("'{text}' is not a move: expected a letter from A to {}", last_letter::<N>()))
        })?;
        if self.outcome().is_some() {
            return Err(IllegalMove(format!("the move '{text}' cannot be played: the game is over")));
        }
        if self.repeats(entry) {
            return Err(IllegalMove(format!(
                "the move '{}' is forbidden by the rule against repetition: it would recreate the configuration \
                 that followed {}'s own previous move",
                letter(entry),
                SEAT_NAMES[self.seat().index()],
            )));
        }
        Ok(entry)
    }

    fn write(&self) -> String {
        let mover = !self.seat();
        let mut text = String::new();
        if let Some(before) = self.forbidden() {
            text.extend(cells(before, self.seat()));
            text.push('>');
        }
        text.extend(cells(self.board(), self.seat()));
        text.push(self.last().map_or('-', letter));
        text.push(PIECES[mover.index()]);
        text
    }

    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition> {
        read_position(text.trim()).map_err(|error| MalformedPosition(error.message::<N>(text)))
    }

    fn draw(&self) -> Scene {
        self.drawn()
    }

    fn touches(&self, mv: PushoverMove) -> Vec<Touch> {
        Self::touched(mv)
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        Self::attempted(touches)
    }
}

/// The letter of an entry.
pub(super) fn letter(entry: PushoverMove) -> char {
    char::from(b'A' + entry.0)
}

fn last_letter<const N: usize>() -> char {
    letter(PushoverMove(4 * N as u8 - 1))
}

fn read_letter<const N: usize>(text: &str) -> Option<PushoverMove> {
    let [byte] = text.trim().as_bytes() else { return None };
    let index = byte.to_ascii_uppercase().checked_sub(b'A')?;
    ((index as usize) < 4 * N).then_some(PushoverMove(index))
}

/// The cells of a board seen by `seat`, row by row.
fn cells<const N: usize>(board: PushoverBoard<N>, seat: Seat) -> impl Iterator<Item = char> {
    (0..N * N).map(move |cell| match (board.mine >> cell & 1, board.theirs >> cell & 1) {
        (1, _) => PIECES[seat.index()],
        (_, 1) => PIECES[(!seat).index()],
        _ => '.',
    })
}

/// Why a text is not a position.
enum PushoverTextError {
    Length,
    Cell(char),
    Letter(char),
    Mover(char),
    NoPieceAtEntry(char, char),
    Pieces { o: u32, plus: u32, expected: &'static str },
    NotBefore,
    LineBefore,
}

impl PushoverTextError {
    fn message<const N: usize>(&self, text: &str) -> String {
        let cells = N * N;
        let why = match self {
            Self::Length => {
                format!("expected {cells} cells, the letter of the last move and the side that moved")
            }
            Self::Cell(found) => format!("'{found}' is not a cell, expected 'o', '+' or '.'"),
            Self::Letter(found) => {
                format!(
                    "'{found}' is not an entry, expected a letter from A to {} or '-'",
                    last_letter::<N>()
                )
            }
            Self::Mover(found) => format!("'{found}' is not a side, expected 'o' or '+' last"),
            Self::NoPieceAtEntry(entry, mover) => {
                format!("after the move {entry} a piece of {mover} must stand at that entry")
            }
            Self::Pieces { o, plus, expected } => format!(
                "it has {o} o and {plus} +, but no row or column is full, so nothing was pushed out: expected {expected}"
            ),
            Self::NotBefore => {
                "the board before '>' does not lead to the other one by the last move".to_owned()
            }
            Self::LineBefore => "the game was already over on the board before '>'".to_owned(),
        };
        format!("'{text}' is not a position on the {N}×{N} board: {why}")
    }
}

fn read_position<const N: usize>(text: &str) -> Result<Pushover<N>, PushoverTextError> {
    let (before, present) = match text.split_once('>') {
        Some((before, present)) => (Some(before), present),
        None => (None, text),
    };
    let mut present: Vec<char> = present.chars().collect();
    if N == 4 && present.len() == N * N + 1 {
        present.insert(N * N - 1, '.');
    }
    if present.len() != N * N + 2 {
        return Err(PushoverTextError::Length);
    }
    let mover = match present[N * N + 1] {
        'o' => Seat::First,
        '+' => Seat::Second,
        other => return Err(PushoverTextError::Mover(other)),
    };
    let board = read_cells(&present[..N * N], !mover)?;
    check_pieces(board, mover)?;
    let last = match present[N * N] {
        '-' => None,
        other if other.is_ascii_uppercase() => {
            Some(read_letter::<N>(other.encode_utf8(&mut [0; 4])).ok_or(PushoverTextError::Letter(other))?)
        }
        other => return Err(PushoverTextError::Letter(other)),
    };
    if let Some(entry) = last
        && board.theirs & PushoverBoard::<N>::entry_cell(entry) == 0
    {
        return Err(PushoverTextError::NoPieceAtEntry(letter(entry), PIECES[mover.index()]));
    }
    let before = before.map(|before| read_before(before, !mover, board, last)).transpose()?;
    Ok(Pushover::set_up(board, before, !mover, last))
}

/// Refuses numbers of pieces that no play leads to. The board is seen by the side to move.
fn check_pieces<const N: usize>(board: PushoverBoard<N>, mover: Seat) -> Result<(), PushoverTextError> {
    let full = |(mine, theirs): (u32, u32)| mine | theirs == (1 << N) - 1;
    if (0..N).any(|i| full(board.row(i)) || full(board.column(i))) {
        return Ok(());
    }
    let (o, plus, expected, possible) = match mover {
        Seat::First => {
            let (o, plus) = (board.theirs.count_ones(), board.mine.count_ones());
            (o, plus, "one o more than + after a move of o", o == plus + 1)
        }
        Seat::Second => {
            let (o, plus) = (board.mine.count_ones(), board.theirs.count_ones());
            (o, plus, "as many of each after a move of +", o == plus)
        }
    };
    if possible { Ok(()) } else { Err(PushoverTextError::Pieces { o, plus, expected }) }
}

/// The board before the last move, seen by the side to move now.
fn read_before<const N: usize>(
    text: &str,
    seat: Seat,
    board: PushoverBoard<N>,
    last: Option<PushoverMove>,
) -> Result<PushoverBoard<N>, PushoverTextError> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() != N * N {
        return Err(PushoverTextError::Length);
    }
    let before = read_cells(&chars, seat)?;
    if PushoverBoard::<N>::has_line(before.mine) || PushoverBoard::<N>::has_line(before.theirs) {
        return Err(PushoverTextError::LineBefore);
    }
    let leads_here = |entry| before.flipped().push(entry).flipped() == board;
    let possible = last.map_or_else(|| PushoverBoard::<N>::entries().any(leads_here), leads_here);
    if possible { Ok(before) } else { Err(PushoverTextError::NotBefore) }
}

fn read_cells<const N: usize>(chars: &[char], seat: Seat) -> Result<PushoverBoard<N>, PushoverTextError> {
    let mut board = PushoverBoard::EMPTY;
    for (cell, &char) in chars.iter().enumerate() {
        let owner = match char {
            '.' => continue,
            'o' => Seat::First,
            '+' => Seat::Second,
            other => return Err(PushoverTextError::Cell(other)),
        };
        let side = if owner == seat { &mut board.mine } else { &mut board.theirs };
        *side |= 1 << cell;
    }
    Ok(board)
}
