//! The boards on which tied knock-out matches are played again.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_arena::contest::MatchReport;
use outplay_arena::knockout::ReplayBoards;
use outplay_arena::matches::MatchPlan;
use outplay_arena::record::RecordSink;
use outplay_runtime::Watch;

use super::{AnyGame, open_game};
use crate::store::Store;

/// The other boards of a game, drawn from a seed.
pub struct OtherBoards<'a> {
    /// The usual board.
    pub game: &'a dyn AnyGame,
    /// The data directory.
    pub store: &'a Arc<Store>,
    /// The seed from which boards are drawn.
    pub seed: u64,
}

impl ReplayBoards for OtherBoards<'_> {
    fn run_match(
        &self,
        replay: u32,
        players: &[String; 2],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<Option<MatchReport>, WorkError> {
        let Some(spec) = self.game.other_board(replay, self.seed) else { return Ok(None) };
        let board = open_game(&spec, self.store)?;
        board.entrants(players, watch)?.run_match(&[0, 1], plan, records, watch).map(Some)
    }
}
