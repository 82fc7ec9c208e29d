//! Players who meet on one board, whatever the game: matches and tournaments with their reports.

use outplay_runtime::{Watch, WorkError};
use serde::Serialize;

use crate::matches::{MatchPlan, MatchSummary};
use crate::ratings::Ratings;
use crate::record::RecordSink;
use crate::tournament::{CrossTable, TournamentPlan};

/// Players who have come to one board. They are made once, whatever they play there.
pub trait Entrants {
    /// Their names, as the user wrote them.
    fn names(&self) -> &[String];

    /// Plays a match between the entrants at these places. Every game goes to `records` as soon as it counts.
    fn run_match(
        &self,
        places: &[usize],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, WorkError>;

    /// Plays every pairing of a tournament. Every game goes to `records` as soon as it counts.
    fn run_tournament(
        &self,
        plan: &TournamentPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<TournamentReport, WorkError>;
}

impl dyn Entrants + '_ {
    /// Plays a match between all of them.
    pub fn run_match_of_all(
        &self,
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, WorkError> {
        let all: Vec<usize> = (0..self.names().len()).collect();
        self.run_match(&all, plan, records, watch)
    }
}

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The game.
    pub game: String,
    /// The players, the first-named first.
    pub players: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The numbers.
    #[serde(flatten)]
    pub summary: MatchSummary,
}

/// A tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// How many different games there are among all of them.
    pub distinct_games: u64,
    /// Who made how many points against whom.
    #[serde(flatten)]
    pub table: CrossTable,
    /// The players by strength.
    pub ratings: Ratings,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}
