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
use outplay_core::{IllegalMove, MalformedPosition, Position, PositionNotation, Seat, Text, View, errors};

use super::{Pushover, PushoverBoard, PushoverMove};

const SEAT_NAMES: [Text; 2] = [Text::new("o", "o"), Text::new("+", "+")];
pub(super) const PIECES: [char; 2] = ['o', '+'];

errors! {
    /// Why a text names no move that can be played.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PushoverMoveError {
        Unreadable { last: char } = "expected a letter from A to {last}" | "attendu une lettre de A à {last}",
        Repetition { letter: char, side: Text } =
            "the move '{letter}' is forbidden by the rule against repetition: it would recreate the configuration \
             that followed {side}'s own previous move"
            | "le coup « {letter} » est interdit par la règle contre la répétition : il recréerait la configuration \
               qui suivait le coup précédent de {side}",
    }

    /// Why a text is not a position.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PushoverTextError {
        Position { text: String, size: usize, reason: Box<PushoverTextError> } =
            "'{text}' is not a position on the {size}×{size} board: {reason}"
            | "« {text} » n’est pas une position du plateau {size}×{size} : {reason}",
        Length { cells: usize } =
            "expected {cells} cells, the letter of the last move and the side that moved"
            | "attendu {cells} cases, la lettre du dernier coup et le camp qui a joué",
        Cell { found: char } =
            "'{found}' is not a cell, expected 'o', '+' or '.'" | "« {found} » n’est pas une case, attendu « o », « + » ou « . »",
        Letter { found: char, last: char } =
            "'{found}' is not an entry, expected a letter from A to {last} or '-'"
            | "« {found} » n’est pas une entrée, attendu une lettre de A à {last} ou « - »",
        Mover { found: char } =
            "'{found}' is not a side, expected 'o' or '+' last" | "« {found} » n’est pas un camp, attendu « o » ou « + » à la fin",
        NoPieceAtEntry { entry: char, mover: char } =
            "after the move {entry} a piece of {mover} must stand at that entry"
            | "après le coup {entry}, un pion de {mover} doit se trouver à cette entrée",
        PiecesAfterO { o: u32, plus: u32 } =
            "it has {o} o and {plus} +, but no row or column is full, so nothing was pushed out: expected one o more \
             than + after a move of o"
            | "elle a {o} o et {plus} +, mais aucune ligne n’est pleine, donc rien n’est sorti : attendu un o de plus \
               que de + après un coup de o",
        PiecesAfterPlus { o: u32, plus: u32 } =
            "it has {o} o and {plus} +, but no row or column is full, so nothing was pushed out: expected as many of \
             each after a move of +"
            | "elle a {o} o et {plus} +, mais aucune ligne n’est pleine, donc rien n’est sorti : attendu autant de \
               chaque après un coup de +",
        NotBefore =
            "the board before '>' does not lead to the other one by the last move"
            | "le plateau avant « > » ne mène pas à l’autre par le dernier coup",
        LineBefore =
            "the game was already over on the board before '>'" | "la partie était déjà finie sur le plateau avant « > »",
    }
}

impl<const N: usize> PositionNotation for Pushover<N> {
    const SEAT_NAMES: [Text; 2] = SEAT_NAMES;

    fn write_move(&self, mv: PushoverMove) -> String {
        letter(mv).to_string()
    }

    fn read_move(&self, text: &str) -> Result<PushoverMove, IllegalMove> {
        let unreadable = PushoverMoveError::Unreadable { last: last_letter::<N>() };
        let entry = read_letter::<N>(text).ok_or_else(|| IllegalMove::unreadable(text, unreadable))?;
        if self.outcome().is_some() {
            return Err(IllegalMove::game_over(text));
        }
        if self.repeats(entry) {
            let (letter, side) = (letter(entry), SEAT_NAMES[self.seat().index()].clone());
            return Err(IllegalMove::new(PushoverMoveError::Repetition { letter, side }));
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
        read_position(text.trim()).map_err(|reason| {
            let (text, reason) = (text.to_owned(), Box::new(reason));
            MalformedPosition::new(PushoverTextError::Position { text, size: N, reason })
        })
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
        return Err(PushoverTextError::Length { cells: N * N });
    }
    let mover = match present[N * N + 1] {
        'o' => Seat::First,
        '+' => Seat::Second,
        other => return Err(PushoverTextError::Mover { found: other }),
    };
    let board = read_cells(&present[..N * N], !mover)?;
    check_pieces(board, mover)?;
    let last = match present[N * N] {
        '-' => None,
        found => {
            let entry =
                read_letter::<N>(found.encode_utf8(&mut [0; 4])).filter(|_| found.is_ascii_uppercase());
            Some(entry.ok_or(PushoverTextError::Letter { found, last: last_letter::<N>() })?)
        }
    };
    if let Some(entry) = last
        && board.theirs & PushoverBoard::<N>::entry_cell(entry) == 0
    {
        let (entry, mover) = (letter(entry), PIECES[mover.index()]);
        return Err(PushoverTextError::NoPieceAtEntry { entry, mover });
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
    match mover {
        Seat::First => {
            let (o, plus) = (board.theirs.count_ones(), board.mine.count_ones());
            if o == plus + 1 { Ok(()) } else { Err(PushoverTextError::PiecesAfterO { o, plus }) }
        }
        Seat::Second => {
            let (o, plus) = (board.mine.count_ones(), board.theirs.count_ones());
            if o == plus { Ok(()) } else { Err(PushoverTextError::PiecesAfterPlus { o, plus }) }
        }
    }
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
        return Err(PushoverTextError::Length { cells: N * N });
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
            other => return Err(PushoverTextError::Cell { found: other }),
        };
        let side = if owner == seat { &mut board.mine } else { &mut board.theirs };
        *side |= 1 << cell;
    }
    Ok(board)
}
