//! The rules: first click, cascade, flags, chords, the end.
//!
//! Invariant: a game is determined by its seed and its moves. Mines are drawn at the first unmasking, from the
//! state's own generator, so that the rule of the first click can be kept.

use outplay_core::{Game, Outcome, Rng, Seat, errors};

use super::grid::{BoardCell, CellSet, MAX_SIDE, cells_of_row};
use super::mine_field::MineField;
use super::no_guess::{self, GeneratedField};
use super::visible_board::{Action, CellContent, VisibleBoard};

/// The rule for the first unmasked cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FirstClick {
    /// Anything, a mine included.
    Any,
    /// Not a mine.
    #[default]
    Safe,
    /// A 0: neither a mine nor beside one.
    Zero,
}

errors! {
    /// Why a game cannot be set up.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadGame {
        Size { rows: usize, cols: usize } =
            "a board of {rows}×{cols} cells cannot be played: expected from 1 to {MAX_SIDE} rows and columns"
            | "un plateau de {rows}×{cols} cases ne peut être joué : attendu de 1 à {MAX_SIDE} lignes et colonnes",
        Mines { mines: usize, most: usize } =
            "{mines} mines cannot be laid: expected from 1 to {most} with this board and first click"
            | "{mines} mines ne peuvent être posées : attendu de 1 à {most} avec ce plateau et ce premier clic",
        GuessFirst =
            "a board without guesses cannot begin with one: expected a first click that is safe or a 0"
            | "un plateau sans hasard ne peut commencer par un pari : attendu un premier clic sûr ou un 0",
        NoProof { rows: usize, cols: usize, mines: usize } =
            "no board of {rows}×{cols} cells with {mines} mines was found that needs no guess: expected other mines"
            | "aucun plateau sans hasard de {rows}×{cols} cases à {mines} mines n’a été trouvé : attendu un autre nombre de mines",
        NoRoom { rows: usize, cols: usize } =
            "a board of {rows}×{cols} cells has no room for a mine with this first click"
            | "un plateau de {rows}×{cols} cases n’a pas de place pour une mine avec ce premier clic",
    }
}

/// The referee of Minesweeper.
///
/// ```
/// use outplay_core::{Game, Rng};
/// use outplay_games::minesweeper::{Action, BoardCell, FirstClick, Minesweeper};
///
/// let game = Minesweeper::new(9, 9, 10, FirstClick::Zero).unwrap();
/// let mut state = game.start(&mut Rng::new(7));
/// game.play(&mut state, Action::Unmask(BoardCell::parse("e5").unwrap()));
/// assert!(game.view(&state).score() >= 9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minesweeper {
    rows: usize,
    cols: usize,
    mines: usize,
    first: FirstClick,
    has_flags: bool,
    is_provable: bool,
}

/// A game in progress: the hidden field, once it is laid, and the visible board.
#[derive(Clone, Debug)]
pub struct MinesweeperState {
    field: Option<MineField>,
    chance: Rng,
    seen: VisibleBoard,
    past: Vec<u64>,
    needs_guess: bool,
}

impl MinesweeperState {
    /// A game that continues from a visible board, over these mines; without them they are drawn at the first
    /// unmasking.
    pub fn set_up(seen: VisibleBoard, mines: Option<CellSet>, chance: Rng) -> Self {
        let field = mines.map(|mines| MineField::new(mines, seen.cols()));
        Self { field, chance, seen, past: Vec::new(), needs_guess: false }
    }

    /// What the player sees.
    pub const fn seen(&self) -> &VisibleBoard {
        &self.seen
    }

    /// Whether the board needs a guess although the game promised none: no better board was found within the limits.
    pub const fn needs_guess(&self) -> bool {
        self.needs_guess
    }

    /// The mines, once they are laid: for the referee and for after the game.
    pub fn mines(&self) -> Option<&CellSet> {
        self.field.as_ref().map(MineField::mines)
    }
}

impl Minesweeper {
    /// A game on `rows` × `cols` cells, without flags: a move is a cell to unmask.
    pub fn new(rows: usize, cols: usize, mines: usize, first: FirstClick) -> Result<Self, BadGame> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&cols) {
            return Err(BadGame::Size { rows, cols });
        }
        let spared = match first {
            FirstClick::Any | FirstClick::Safe => 1,
            FirstClick::Zero => rows.min(3) * cols.min(3),
        };
        let most = rows * cols - spared;
        if most == 0 {
            return Err(BadGame::NoRoom { rows, cols });
        }
        if !(1..=most).contains(&mines) {
            return Err(BadGame::Mines { mines, most });
        }
        Ok(Self { rows, cols, mines, first, has_flags: false, is_provable: false })
    }

    /// The same game with flags and chords among its moves.
    #[must_use]
    pub const fn with_flags(mut self) -> Self {
        self.has_flags = true;
        self
    }

    /// The same game on boards that can be solved without guessing. The first cell is then a 0 where there is room. A
    /// trial board is generated from a corner; the game is refused if none is found there.
    pub fn without_guesses(mut self) -> Result<Self, BadGame> {
        if self.first == FirstClick::Any {
            return Err(BadGame::GuessFirst);
        }
        self.is_provable = true;
        let trial = no_guess::lay(&self, BoardCell::new(0, 0), &mut Rng::new(0));
        let Self { rows, cols, mines, .. } = self;
        if trial.needs_guess { Err(BadGame::NoProof { rows, cols, mines }) } else { Ok(self) }
    }

    /// The game in which this board could be seen.
    pub fn like(seen: &VisibleBoard, first: FirstClick) -> Result<Self, BadGame> {
        let game = Self::new(seen.rows(), seen.cols(), seen.mines(), first)?;
        Ok(if seen.has_flags() { game.with_flags() } else { game })
    }

    /// How many rows the board has.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns it has.
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// How many mines are laid.
    pub const fn mines(&self) -> usize {
        self.mines
    }

    /// The rule of the first click.
    pub const fn first(&self) -> FirstClick {
        self.first
    }

    /// Whether boards are generated that can be solved without guessing.
    pub const fn is_provable(&self) -> bool {
        self.is_provable
    }

    /// Whether flags and chords are among the moves.
    pub const fn has_flags(&self) -> bool {
        self.has_flags
    }

    /// Lays the field under the first unmasked cell.
    fn lay(&self, first: BoardCell, chance: &mut Rng) -> GeneratedField {
        if self.is_provable {
            return no_guess::lay(self, first, chance);
        }
        let mut spared = CellSet::empty(self.rows);
        if self.first != FirstClick::Any {
            spared.insert(first);
        }
        if self.first == FirstClick::Zero {
            first.neighbours(self.rows, self.cols).for_each(|cell| spared.insert(cell));
        }
        GeneratedField { field: MineField::draw(self.cols, self.mines, &spared, chance), needs_guess: false }
    }
}

/// Unmasks a masked cell, with the cascade of a 0.
pub(super) fn unmask(seen: &mut VisibleBoard, field: &MineField, cell: BoardCell) {
    if field.mines().contains(cell) {
        return seen.explode(cell);
    }
    let number = field.number(cell);
    if number > 0 {
        return seen.reveal(cell, number);
    }
    let unmasked = field.cascade(cell, |row| seen.open_row(row));
    for (row, &word) in unmasked.iter().enumerate().take(seen.rows()) {
        for cell in cells_of_row(row, word) {
            seen.reveal(cell, field.number(cell));
        }
    }
}

impl Game for Minesweeper {
    type State = MinesweeperState;
    type View = VisibleBoard;

    fn start(&self, rng: &mut Rng) -> MinesweeperState {
        let seen = VisibleBoard::masked_board(self.rows, self.cols, self.mines, self.has_flags);
        MinesweeperState::set_up(seen, None, Rng::new(rng.seed()))
    }

    fn view<'s>(&self, state: &'s MinesweeperState) -> &'s VisibleBoard {
        &state.seen
    }

    fn play(&self, state: &mut MinesweeperState, mv: Action) {
        debug_assert!(outplay_core::View::is_legal(&state.seen, mv), "{mv:?}");
        state.past.push(state.seen.key());
        match mv {
            Action::Unmask(cell) => {
                let field = match &mut state.field {
                    Some(field) => field,
                    none => {
                        let laid = self.lay(cell, &mut state.chance);
                        state.needs_guess = laid.needs_guess;
                        none.insert(laid.field)
                    }
                };
                unmask(&mut state.seen, field, cell);
            }
            Action::Chord(number) => {
                let field = state.field.as_ref().expect("a number is seen only once mines are laid");
                for cell in number.neighbours(self.rows, self.cols) {
                    if state.seen.shown(cell) == CellContent::Masked {
                        unmask(&mut state.seen, field, cell);
                    }
                }
            }
            Action::Flag(cell) => state.seen.set_flag(cell, true),
            Action::Unflag(cell) => state.seen.set_flag(cell, false),
        }
    }

    fn outcome(&self, state: &MinesweeperState) -> Option<Outcome> {
        if state.seen.is_lost() {
            Some(Outcome::Win(Seat::Second))
        } else {
            state.seen.is_won().then_some(Outcome::Win(Seat::First))
        }
    }

    fn past<'s>(&self, state: &'s MinesweeperState) -> &'s [u64] {
        &state.past
    }

    fn seats(&self) -> usize {
        1
    }
}
