//! Why a board does not do what was asked, and what a board may lack.

use std::fmt;

use outplay_core::{Language, Localize, Text, errors};

errors! {
    /// Why a board does not do what was asked.
    pub enum BoardError {
        Absent { game: String, feature: Feature } = "{game} has no {feature}" | "{game} n’a pas cela : {feature}",
        NoKoRule { game: String } =
            "{game} has no rule against repetition to leave out" | "{game} n’a pas de règle contre la répétition à omettre",
        PerftTooDeep { depth: u32, game: String, left: u32 } =
            "depth {depth}: {game} is over after {left} plies, expected no more than that"
            | "profondeur {depth} : {game} est fini après {left} coups, attendu au plus autant",
        /// Only long work can be resumed.
        NothingToResume =
            "such a data base is made in one go: leave out --resume"
            | "une telle base se fait d’un trait : omettez --resume",
    }
}

/// Something that a board may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `perft`.
    Perft,
    /// `solve`.
    Solver,
    /// `data`.
    Data,
    /// `evaluate`.
    Evaluation,
    /// `evaluate --svg`.
    Figures,
    /// `console`.
    Console,
    /// A file format for games besides records.
    GameFiles,
    /// Facts about a position without asking any player.
    Survey,
    /// Positions set up by hand.
    Editor,
}

impl Localize for Feature {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Perft => {
                Text::new("perft: expected a game without secrets", "perft, attendu un jeu sans secrets")
            }
            Self::Solver => Text::new(
                "exact solver: expected 'analyse' for a player's opinion",
                "solution exacte, attendu « analyse » pour l’avis d’un joueur",
            ),
            Self::Data => Text::new("data base of examples", "base d’exemples"),
            Self::Evaluation => Text::new(
                "measure for its networks: expected 'match', where they show what they are worth",
                "mesure de ses réseaux, attendu « match », où ils montrent ce qu’ils valent",
            ),
            Self::Figures => Text::new(
                "figures of its evaluation: expected no --svg",
                "figures de son évaluation, --svg n’est pas attendu",
            ),
            Self::Console => Text::new("console: expected quoridor", "console, attendu quoridor"),
            Self::Survey => Text::new("survey: expected minesweeper", "relevé, attendu minesweeper"),
            Self::Editor => {
                Text::new("editor: expected a position as text", "éditeur, attendu une position en texte")
            }
            Self::GameFiles => Text::new(
                "file format of its own: expected lines of JSON, as --record writes them",
                "format de fichier propre, attendu des lignes JSON telles que --record les écrit",
            ),
        };
        text.localize(language, f)
    }
}
