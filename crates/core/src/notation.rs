//! How a game is written down and drawn: moves, positions, scenes.
//!
//! What is written can be read back, and what cannot be read is refused in one sentence that names it.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::scene::{Gesture, Key, KeyedMove, Mark, Meaning, Reserve, Scene, Shape, Touch};
use crate::{
    Game, Language, Localize, LocalizedError, MoveOf, Position, PositionHistory, Referee, Text, View, errors,
};

/// Declares an error that holds the error of any game.
macro_rules! refusals {
    ($($(#[$comment:meta])* $name:ident)*) => {$(
        $(#[$comment])*
        #[derive(Clone, Debug)]
        pub struct $name(Arc<dyn LocalizedError>);

        impl $name {
            /// Refuses the text for this reason.
            pub fn new(reason: impl LocalizedError + 'static) -> Self {
                Self(Arc::new(reason))
            }
        }

        impl Localize for $name {
            fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.localize(language, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.localize(Language::English, f)
            }
        }

        impl Error for $name {}
    )*};
}

refusals! {
    /// A move that cannot be played: the sentence names the text, the rule, and what was expected.
    IllegalMove
    /// A position text that cannot be read or cannot occur.
    MalformedPosition
}

errors! {
    /// Why a text names no move that can be played. The reasons are the game's own.
    pub enum MoveError {
        NotLegal { text: String, legal: Vec<String> } =
            "'{text}' is not a legal move: expected one of {legal}" | "« {text} » n’est pas un coup légal : attendu un de {legal}",
        Unreadable { text: String, reason: Box<dyn LocalizedError> } =
            "'{text}' is not a move: {reason}" | "« {text} » n’est pas un coup : {reason}",
        GameOver { text: String } =
            "the move '{text}' cannot be played: the game is over" | "le coup « {text} » ne peut être joué : la partie est finie",
        Forbidden { text: String, reason: Box<dyn LocalizedError> } =
            "the move '{text}' cannot be played: {reason}" | "le coup « {text} » ne peut être joué : {reason}",
    }
}

impl IllegalMove {
    /// The text is not written as a move is.
    pub fn unreadable(text: &str, reason: impl LocalizedError + 'static) -> Self {
        Self::new(MoveError::Unreadable { text: text.to_owned(), reason: Box::new(reason) })
    }

    /// No move can be played any more.
    pub fn game_over(text: &str) -> Self {
        Self::new(MoveError::GameOver { text: text.to_owned() })
    }

    /// A rule forbids the move.
    pub fn forbidden(text: &str, reason: impl LocalizedError + 'static) -> Self {
        Self::new(MoveError::Forbidden { text: text.to_owned(), reason: Box::new(reason) })
    }
}

/// The texts of a game.
pub trait Notation: Game {
    /// The move in the game's notation.
    fn write_move(&self, state: &Self::State, mv: MoveOf<Self>) -> String;

    /// The legal move that the text names, or the reason why there is none.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<MoveOf<Self>, IllegalMove>;

    /// The position as one text from which play can go on.
    fn write_position(&self, state: &Self::State) -> String;

    /// The game that continues from the position in the text.
    fn read_position(&self, text: &str) -> Result<Self::State, MalformedPosition>;

    /// What the game calls its seats, in the order of play.
    fn seat_names(&self) -> [Text; 2];

    /// The board as it stands: a scene without gestures, the last move not marked.
    fn draw(&self, state: &Self::State) -> Scene;

    /// What a hand touches to play the move. It depends on the board's shape, not on what stands there, so that the last move
    /// can be shown on the board after it.
    fn touches(&self, mv: MoveOf<Self>) -> Vec<Touch>;

    /// What tells the move from others with the same touches, if there are any.
    fn choice(&self, _mv: MoveOf<Self>) -> Option<Shape> {
        None
    }

    /// The moves that keys play at once, legal now or not, in games that are played with keys rather than by touching places.
    fn keys(&self) -> Vec<(Key, MoveOf<Self>)> {
        Vec::new()
    }

    /// The cells that a line of moves from this state leads through, as marks, in games whose moves do not name them.
    fn trace(&self, _state: &Self::State, _line: &[MoveOf<Self>]) -> Vec<Mark> {
        Vec::new()
    }

    /// The move that is played where a turn passes without any, in games that can also be played in real time.
    fn idle_move(&self) -> Option<MoveOf<Self>> {
        None
    }

    /// The text of the move that these touches would mean if it were legal: [`read_move`](Self::read_move) says why it is not.
    /// `None` where they mean no move at all.
    fn attempted_move(&self, _state: &Self::State, _touches: &[Touch]) -> Option<String> {
        None
    }

    /// The board with all that a player needs: the last move marked, a gesture for every legal move. No gesture once the
    /// game is over.
    fn scene(&self, state: &Self::State, last: Option<MoveOf<Self>>) -> Scene {
        let mut scene = self.draw(state);
        for touch in last.into_iter().flat_map(|mv| self.touches(mv)) {
            scene.mark(touch.place(), Meaning::LastMove);
        }
        if self.outcome(state).is_none() {
            let gesture = |mv| Gesture {
                mv: self.write_move(state, mv),
                touches: self.touches(mv),
                choice: self.choice(mv),
            };
            scene.gestures = self.view(state).moves().into_iter().map(gesture).collect();
            let keyed = |(key, mv)| KeyedMove { key, mv: self.write_move(state, mv) };
            scene.keys = self.keys().into_iter().map(keyed).collect();
            scene.idle = self.idle_move().map(|mv| self.write_move(state, mv));
        }
        scene
    }
}

/// A position with texts: all that the [`Notation`] of a game without hidden information needs.
pub trait PositionNotation: Position {
    /// What the game calls its seats, in the order of play.
    const SEAT_NAMES: [Text; 2];

    /// See [`Notation::write_move`].
    fn write_move(&self, mv: Self::Move) -> String;

    /// See [`Notation::read_move`]. By default the legal move that is written like this, in small or capital letters.
    fn read_move(&self, text: &str) -> Result<Self::Move, IllegalMove> {
        let is_meant = |mv: &Self::Move| self.write_move(*mv).eq_ignore_ascii_case(text.trim());
        let moves = self.moves();
        if moves.is_empty() {
            return Err(IllegalMove::game_over(text));
        }
        moves.iter().copied().find(is_meant).ok_or_else(|| {
            let legal = moves.iter().map(|&mv| self.write_move(mv)).collect();
            IllegalMove::new(MoveError::NotLegal { text: text.to_owned(), legal })
        })
    }

    /// See [`Notation::write_position`].
    fn write(&self) -> String;

    /// The position in the text, on a board like this one. See [`Notation::read_position`].
    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition>;

    /// See [`Notation::draw`]. What lies beside the board is not in it: see [`reserves`](Self::reserves).
    fn draw(&self) -> Scene;

    /// What each side has beside the board, in a game that began at `start`.
    fn reserves(&self, _start: &Self) -> [Vec<Reserve>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// See [`Notation::touches`].
    fn touches(&self, mv: Self::Move) -> Vec<Touch>;

    /// See [`Notation::choice`].
    fn choice(&self, _mv: Self::Move) -> Option<Shape> {
        None
    }

    /// See [`Notation::attempted_move`].
    fn attempted_move(&self, _touches: &[Touch]) -> Option<String> {
        None
    }
}

impl<P: PositionNotation> Notation for Referee<P> {
    fn write_move(&self, state: &PositionHistory<P>, mv: P::Move) -> String {
        state.now.write_move(mv)
    }

    fn read_move(&self, state: &PositionHistory<P>, text: &str) -> Result<P::Move, IllegalMove> {
        if self.outcome(state).is_some() {
            return Err(IllegalMove::game_over(text));
        }
        state.now.read_move(text)
    }

    fn write_position(&self, state: &PositionHistory<P>) -> String {
        state.now.write()
    }

    fn read_position(&self, text: &str) -> Result<PositionHistory<P>, MalformedPosition> {
        self.start.read_like(text).map(PositionHistory::from)
    }

    fn seat_names(&self) -> [Text; 2] {
        P::SEAT_NAMES
    }

    fn draw(&self, state: &PositionHistory<P>) -> Scene {
        Scene { reserves: state.now.reserves(&state.start), ..state.now.draw() }
    }

    fn touches(&self, mv: P::Move) -> Vec<Touch> {
        self.start.touches(mv)
    }

    fn choice(&self, mv: P::Move) -> Option<Shape> {
        self.start.choice(mv)
    }

    fn attempted_move(&self, state: &PositionHistory<P>, touches: &[Touch]) -> Option<String> {
        state.now.attempted_move(touches)
    }
}
