//! The notation of Minesweeper.
//!
//! A cell is its column's letters (`a` to `z`, then `aa` to `bl`) and its row's number, counted from 1 at the top:
//! `c7`. To unmask it is written `c7`; `Fc7` flags it, `Uc7` removes the flag, `Cc7` plays the chord of the number
//! there. A position is the text of the visible board (see [`VisibleBoard`]'s `FromStr`). Reading one lays mines
//! under it, drawn uniformly from all placements that fit, by a generator seeded from the board alone; under a board
//! without numbers they are drawn at the first unmasking, as in a new game. A game without flags reads flags as plain
//! masks.

use outplay_core::scene::{Scene, Touch};
use outplay_core::{Game, IllegalMove, MalformedPosition, Notation, Rng, Text, View, errors};

use super::grid::BoardCell;
use super::rules::{Minesweeper, MinesweeperState};
use super::solver::Solver;
use super::text::BadBoard;
use super::visible_board::{Action, CellContent, VisibleBoard};

errors! {
    /// Why a text names no move that can be played.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MinesweeperMoveError {
        NotACell { last: BoardCell } = "expected a cell from a1 to {last}" | "attendu une case de a1 à {last}",
        NotAnAction { last: BoardCell } =
            "expected a cell from a1 to {last}, or one after F, U or C"
            | "attendu une case de a1 à {last}, seule ou après F, U ou C",
        NoFlags = "this game is played without flags" | "cette partie se joue sans drapeaux",
        Flagged { cell: BoardCell } = "{cell} has a flag" | "{cell} porte un drapeau",
        Unmasked { cell: BoardCell } = "{cell} is already unmasked" | "{cell} est déjà dévoilée",
        NotFlagged { cell: BoardCell } = "{cell} has no flag" | "{cell} ne porte pas de drapeau",
        Chord { cell: BoardCell, number: u8 } =
            "{cell} needs {number} flags around it and something to unmask"
            | "{cell} demande {number} drapeaux autour d’elle et une case à dévoiler",
        NoNumber { cell: BoardCell } =
            "{cell} shows no number above 0" | "{cell} ne montre pas de chiffre au-dessus de 0",
    }
}

impl Notation for Minesweeper {
    fn write_move(&self, _state: &MinesweeperState, mv: Action) -> String {
        let cell = mv.cell();
        match mv {
            Action::Unmask(_) => cell.to_string(),
            Action::Chord(_) => format!("C{cell}"),
            Action::Flag(_) => format!("F{cell}"),
            Action::Unflag(_) => format!("U{cell}"),
        }
    }

    fn read_move(&self, state: &MinesweeperState, text: &str) -> Result<Action, IllegalMove> {
        let text = text.trim();
        let action = read_action(text).filter(|action| state.seen().holds(action.cell()));
        let last = BoardCell::new(self.rows() - 1, self.cols() - 1);
        let action = action.ok_or_else(|| {
            let expected = if self.has_flags() {
                MinesweeperMoveError::NotAnAction { last }
            } else {
                MinesweeperMoveError::NotACell { last }
            };
            IllegalMove::unreadable(text, expected)
        })?;
        if self.outcome(state).is_some() {
            return Err(IllegalMove::game_over(text));
        }
        if state.seen().is_legal(action) {
            return Ok(action);
        }
        Err(IllegalMove::forbidden(text, self.refusal(state.seen(), action)))
    }

    fn write_position(&self, state: &MinesweeperState) -> String {
        state.seen().to_string()
    }

    fn read_position(&self, text: &str) -> Result<MinesweeperState, MalformedPosition> {
        let seen: VisibleBoard = text.parse().map_err(MalformedPosition::new)?;
        let found = (seen.rows(), seen.cols(), seen.mines());
        if found != (self.rows(), self.cols(), self.mines()) {
            return Err(MalformedPosition::new(BadBoard::OtherGame {
                rows: found.0,
                cols: found.1,
                mines: found.2,
                expected_rows: self.rows(),
                expected_cols: self.cols(),
                expected_mines: self.mines(),
            }));
        }
        let seen = if self.has_flags() { seen } else { seen.without_flags() };
        let mut chance = Rng::new(seen.key());
        if seen.score() == 0 && !seen.is_lost() {
            return Ok(MinesweeperState::set_up(seen, None, chance));
        }
        let mines = Solver::new().sample(&seen, &mut chance);
        let mines = mines.map_err(MalformedPosition::new)?;
        Ok(MinesweeperState::set_up(seen, Some(mines), chance))
    }

    fn seat_names(&self) -> [Text; 2] {
        [Text::new("player", "Joueur"), Text::new("nature", "Hasard")]
    }

    fn draw(&self, state: &MinesweeperState) -> Scene {
        self.drawn(state)
    }

    fn touches(&self, mv: Action) -> Vec<Touch> {
        Self::touched(mv)
    }

    fn attempted_move(&self, state: &MinesweeperState, touches: &[Touch]) -> Option<String> {
        self.attempted(state.seen(), touches).map(|action| self.write_move(state, action))
    }
}

impl Minesweeper {
    fn refusal(&self, seen: &VisibleBoard, action: Action) -> MinesweeperMoveError {
        let cell = action.cell();
        if !self.has_flags() && !matches!(action, Action::Unmask(_)) {
            return MinesweeperMoveError::NoFlags;
        }
        match (action, seen.shown(cell)) {
            (Action::Unmask(_) | Action::Flag(_), CellContent::Flag) => {
                MinesweeperMoveError::Flagged { cell }
            }
            (Action::Unmask(_) | Action::Flag(_), _) => MinesweeperMoveError::Unmasked { cell },
            (Action::Unflag(_), _) => MinesweeperMoveError::NotFlagged { cell },
            (Action::Chord(_), CellContent::Number(number @ 1..)) => {
                MinesweeperMoveError::Chord { cell, number }
            }
            (Action::Chord(_), _) => MinesweeperMoveError::NoNumber { cell },
        }
    }
}

fn read_action(text: &str) -> Option<Action> {
    let kind: fn(BoardCell) -> Action = match text.as_bytes().first()? {
        b'F' => Action::Flag,
        b'U' => Action::Unflag,
        b'C' => Action::Chord,
        _ => return BoardCell::parse(text).map(Action::Unmask),
    };
    BoardCell::parse(&text[1..]).map(kind)
}
