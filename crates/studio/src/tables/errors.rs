//! Why a table does not do what was asked.

use outplay_core::{ForeignWords, errors};
use outplay_runtime::WorkError;

use crate::refusal::{Code, CodedError};

errors! {
    /// Why a table does not do what was asked.
    pub(crate) enum StudioTableError {
        Seats { given: usize, expected: usize } =
            "{given} players were named, but the game has {expected}" | "{given} joueurs sont nommés, mais le jeu en a {expected}",
        /// The move with this number, from 1, cannot be played.
        Move { number: usize, reason: WorkError } = "move {number}: {reason}" | "coup {number} : {reason}",
        NoMove =
            "no move: expected either its text or touches" | "aucun coup : attendu son texte ou les endroits touchés",
        /// The reason is the parser's.
        Touches { reason: ForeignWords } =
            "the touches cannot be read: {reason}" | "les endroits touchés ne peuvent être lus : {reason}",
        Untouchable = "no move is made by touching this" | "aucun coup ne se joue ainsi",
        /// The client has seen another position.
        Stale { at: usize, seen: usize } =
            "the table is at ply {at}, not {seen}: expected the present position"
            | "la partie en est au coup {at}, non au coup {seen} : attendu la position présente",
        GivenUp { mv: String } =
            "the move '{mv}' cannot be played: the game was given up"
            | "le coup « {mv} » ne peut être joué : la partie a été abandonnée",
        TimeWasUp { mv: String } =
            "the move '{mv}' cannot be played: the time was up" | "le coup « {mv} » ne peut être joué : le temps était écoulé",
        TimeIsUp = "the time is up: the game is over" | "le temps est écoulé : la partie est finie",
        Turn { player: String } =
            "it is the turn of {player}: stop it to move in its place"
            | "c’est le tour de {player} : arrêtez-le pour jouer à sa place",
        NothingToUndo = "there is no move to take back" | "il n’y a aucun coup à reprendre",
        NothingToRedo = "there is no move to play again" | "il n’y a aucun coup à rejouer",
        Ply { ply: usize, last: usize } =
            "ply {ply} is not of this game: expected 0 to {last}" | "le coup {ply} n’est pas de cette partie : attendu de 0 à {last}",
        NobodyThinks = "nobody is thinking" | "personne ne réfléchit",
        NothingToResign =
            "there is nothing to give up: the game is over" | "il n’y a rien à abandonner : la partie est finie",
        Crashed { player: String } =
            "{player} broke off by a fault of the program" | "{player} : interrompu par une faute du programme",
    }
}

impl CodedError for StudioTableError {
    fn code(&self) -> Code {
        match self {
            Self::NoMove | Self::Touches { .. } => Code::Malformed,
            Self::Stale { .. } => Code::Stale,
            Self::Crashed { .. } => Code::Failed,
            _ => Code::Refused,
        }
    }
}
