//! Why a line of an interface cannot be obeyed. Interfaces are told in English.

use outplay_core::errors;
use outplay_games::chess::FenError;
use outplay_runtime::MemoryError;

/// The most characters of the input that an answer repeats.
const MAX_QUOTED: usize = 80;

/// The text as an answer may repeat it: cut if it is long, and without control characters.
pub(super) fn quote(text: &str) -> String {
    let mut rest = text.chars();
    let plain = |char: char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char };
    let mut quoted: String = rest.by_ref().take(MAX_QUOTED).map(plain).collect();
    if rest.next().is_some() {
        quoted.pop();
        quoted.push('…');
    }
    quoted
}

errors! {
    /// Why a line cannot be obeyed.
    #[derive(Clone, PartialEq, Eq)]
    pub(super) enum UciError {
        LongLine { most: usize } =
            "a line of more than {most} bytes was skipped, expected a shorter one"
            | "une ligne de plus de {most} octets a été sautée, attendu une plus courte",
        NoCommand { word: String } =
            "'{word}' is no command, expected uci, isready, setoption, ucinewgame, position, go, stop, ponderhit or quit"
            | "« {word} » n’est pas une commande, attendu uci, isready, setoption, ucinewgame, position, go, stop, ponderhit ou quit",
        NoOptionName =
            "setoption without a name, expected 'setoption name … value …'"
            | "setoption sans nom, attendu « setoption name … value … »",
        NoOption { name: String } =
            "there is no option '{name}', expected Hash, Threads, MultiPV, Skill, Move Overhead, Seed, Ponder, UCI_Chess960 or \
             Clear Hash"
            | "il n’y a pas d’option « {name} », attendu Hash, Threads, MultiPV, Skill, Move Overhead, Seed, Ponder, UCI_Chess960 ou \
               Clear Hash",
        NumberOption { name: String, value: String, least: usize, most: usize } =
            "option {name} '{value}': expected a whole number from {least} to {most}"
            | "option {name} « {value} » : attendu un nombre entier de {least} à {most}",
        FlagOption { name: String, value: String } =
            "option {name} '{value}': expected true or false" | "option {name} « {value} » : attendu true ou false",
        Memory { reason: MemoryError } = "{reason}" | "{reason}",
        Position { text: String } =
            "position '{text}' cannot be read, expected 'startpos' or 'fen …'"
            | "la position « {text} » ne peut être lue, attendu « startpos » ou « fen … »",
        NoPosition { reason: Box<UciError> } =
            "the last position was refused, so there is no move: {reason}"
            | "la dernière position a été refusée, il n’y a donc pas de coup : {reason}",
        Fen { reason: FenError } = "{reason}" | "{reason}",
        Move { text: String, fen: String } =
            "the move '{text}' cannot be played in {fen}" | "le coup « {text} » ne peut être joué dans {fen}",
        GoWord { word: String, known: &'static [&'static str] } =
            "go {word}: expected one of {known}" | "go {word} : attendu un de {known}",
        GoNumber { words: String } =
            "{words}: expected a whole number, so the least is taken"
            | "{words} : attendu un nombre entier, le plus petit est donc pris",
    }
}

impl From<MemoryError> for UciError {
    fn from(reason: MemoryError) -> Self {
        Self::Memory { reason }
    }
}

impl From<FenError> for UciError {
    fn from(reason: FenError) -> Self {
        Self::Fen { reason }
    }
}
