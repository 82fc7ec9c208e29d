//! Every way in which what a user asked of the lab can fail, each a single sentence.

use outplay_core::{IllegalMove, MalformedPosition};

use crate::files::FileError;
use crate::matches::MatchError;
use crate::pool::PoolError;
use crate::record::RecordError;
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
    /// A match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A tournament.
    #[error(transparent)]
    Tournament(#[from] crate::tournament::TournamentError),
    /// A recorded game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Recorded games that cannot be rated.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Anything that is particular to one command: the sentence says it all.
    #[error("{0}")]
    Refused(String),
    /// The user stopped the work; what was done so far is safe.
    #[error("stopped before the end")]
    Stopped,
}

impl LabError {
    /// A refusal in a sentence of its own.
    pub fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }
}
