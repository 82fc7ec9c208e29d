//! Evaluations of models: the request is resolved, checked against the memory, and run.

use std::path::PathBuf;

use outplay_core::Text;
use outplay_lab::registry::{Evaluation, EvaluationRequest};
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, BoardError, Feature};
use outplay_runtime::{Watch, WorkError};
use serde_json::json;

use super::errors::JobError;
use super::runner::{JobEnd, JobRunner};
use crate::refusal::Refusal;
use crate::specs;

/// An evaluation that can be run.
pub(super) struct PlannedEvaluation {
    board: Box<dyn AnyGame>,
    path: PathBuf,
    spec: Spec,
}

impl JobRunner {
    /// Refuses an evaluation that cannot be run.
    pub(super) fn planned_evaluation(
        &self,
        game: &str,
        model: &str,
        text: &str,
    ) -> Result<PlannedEvaluation, Refusal> {
        let board = self.open_board(game)?;
        let Some(listing) = &board.info().evaluation else {
            let (game, feature) = (game.to_owned(), Feature::Evaluation);
            return Err(WorkError::from(BoardError::Absent { game, feature }).into());
        };
        let spec = specs::evaluation(listing, text, self.threads_per_player, &|id| self.files.path(id))?;
        let path = self.files.path(model).ok_or_else(|| JobError::NoModel { model: model.to_owned() })?;
        let checked = self.store.memory().check(text, board.evaluation_memory(&path, &spec)?);
        checked.map_err(WorkError::from)?;
        board.check_evaluation(&path).map_err(|reason| {
            // The path is the studio's own; the client knows the identifier.
            let hidden = |text: &str| text.replace(&*path.to_string_lossy(), model).into();
            let said = Text::of(&reason);
            let reason = Text { en: hidden(&said.en), fr: hidden(&said.fr) };
            JobError::Unmeasurable { model: model.to_owned(), reason }
        })?;
        Ok(PlannedEvaluation { board, path, spec })
    }
}

impl PlannedEvaluation {
    pub(super) fn run(&self, seed: Option<u64>, threads: usize, watch: Watch<'_>) -> Result<JobEnd, Refusal> {
        let Self { board, path, spec } = self;
        let request =
            EvaluationRequest { path, spec, seed, draws: board.draws_evaluations(), threads: Some(threads) };
        match board.evaluate(&request, watch) {
            Ok(Evaluation { report, figures }) => {
                Ok(JobEnd::Finished(json!({ "numbers": report, "figures": figures })))
            }
            Err(WorkError::Stopped) => Ok(JobEnd::Interrupted(None)),
            Err(error) => Err(error.into()),
        }
    }
}
