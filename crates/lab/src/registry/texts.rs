//! What a game adds to its notation: an editor for positions, and file formats of its own for whole games.

use outplay_core::scene::{Draft, Editable, Palette};
use outplay_core::{Game, MalformedPosition, MoveOf, Outcome};
use outplay_runtime::WorkError;

use outplay_arena::record::GameTranscript;

/// How positions of a game are set up by hand.
pub struct EditorDef<G: Game> {
    /// What the editor offers.
    pub palette: fn(&G) -> Palette,
    /// The position as the editor shows it.
    pub draft: fn(&G, &G::State) -> Draft,
    /// The text of the position that was set up, or the reason why it cannot occur.
    pub read_draft: fn(&G, &Draft) -> Result<String, MalformedPosition>,
}

impl<G: Game> Clone for EditorDef<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for EditorDef<G> {}

impl<G: Editable> EditorDef<G> {
    /// The editor of a game that has one.
    pub fn of_game() -> Self {
        Self { palette: G::palette, draft: G::draft, read_draft: G::read_draft }
    }
}

/// A file format in which a game can be written.
pub struct GameFormat<G: Game> {
    /// What is known of it.
    pub info: FormatInfo,
    /// Writes a game; `None` if it cannot be written so.
    pub write: fn(&PlayedGame<'_, G>) -> Option<String>,
}

/// What is known of a file format for games.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// Its name, which is also the ending of its files.
    pub name: &'static str,
    /// The media type of its files.
    pub media_type: &'static str,
    /// Whether a file may hold many games.
    pub holds_many: bool,
}

/// A game as far as it was played.
pub struct PlayedGame<'a, G: Game> {
    /// All states, the first one included.
    pub states: &'a [G::State],
    /// The moves between them.
    pub moves: &'a [MoveOf<G>],
    /// Who played.
    pub players: &'a [String],
    /// How it ended, on the board or otherwise.
    pub result: Option<Outcome>,
}

/// Reads a text that may hold a game in a format of the game's own; `None` if it does not look like one.
pub type TextReader = fn(&str) -> Option<Result<GameTranscript, WorkError>>;
