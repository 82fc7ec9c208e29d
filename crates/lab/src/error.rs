//! Every way in which what a user asked of the lab can fail, each a single sentence.

use std::fmt;

use outplay_arena::matches::MatchError;
use outplay_arena::record::RecordError;
use outplay_arena::tournament::TournamentError;
use outplay_core::{IllegalMove, MalformedPosition};
use outplay_runtime::files::FileError;
use outplay_runtime::{MemoryError, ThreadError};

use crate::pool::PoolError;
use crate::spec::SpecError;

/// Why something asked of the lab was not done.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A name or parameter.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A position text.
    #[error(transparent)]
    Position(#[from] MalformedPosition),
    /// A move text.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Worker threads.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// Memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A tournament.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A recorded game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Recorded games that cannot be rated.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The board does not have what was asked for.
    #[error("{game} has no {feature}")]
    Absent {
        /// The game as the user wrote it.
        game: String,
        /// What is not there.
        feature: Feature,
    },
    /// The game has no rule against repetition that a solver could leave out.
    #[error("{game} has no rule against repetition to leave out")]
    NoKoRule {
        /// The game.
        game: String,
    },
    /// Deeper than games can be.
    #[error("depth {depth}: {game} is over after {left} plies, expected no more than that")]
    PerftTooDeep {
        /// As asked for.
        depth: u32,
        /// The game.
        game: String,
        /// The plies that are left.
        left: u32,
    },
    /// Only long work can be resumed.
    #[error("such a data base is made in one go: leave out --resume")]
    NothingToResume,
    /// Anything that is particular to one command: the sentence says it all.
    #[error("{0}")]
    Refused(String),
    /// The user stopped the work; what was done so far is safe.
    #[error("stopped before the end")]
    Stopped,
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
    /// `console`.
    Console,
    /// A file format for games besides records.
    GameFiles,
    /// Facts about a position without asking any player.
    Survey,
    /// Positions set up by hand.
    Editor,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perft => "perft: expected a game without secrets",
            Self::Solver => "exact solver: expected 'analyse' for a player's opinion",
            Self::Data => "data base of examples",
            Self::Evaluation => {
                "measure for its networks: expected 'match', where they show what they are worth"
            }
            Self::Console => "console: expected quoridor",
            Self::Survey => "survey: expected minesweeper",
            Self::Editor => "editor: expected a position as text",
            Self::GameFiles => "file format of its own: expected lines of JSON, as --record writes them",
        })
    }
}

impl LabError {
    /// A refusal in a sentence of its own.
    pub fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }
}
