//! What all games without secrets do alike in the lab, said once.
//!
//! Law: a game says here what is its own; whatever follows from its positions being open follows for all of them.

use std::io::BufRead;

use outplay_core::{Referee, Rng};

use super::{
    Answer, DataReport, DataRequest, EvaluationRequest, Facts, Judged, Kit, Listing, MethodEntry,
    PlayerEntry, Question, Survey, open_divide, open_evaluators,
};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::record::ToldGames;
use crate::review::{Inquiry, Review, opinion};
use crate::store::Store;
use crate::watch::Watch;

/// An open game's own part of its [`Kit`]; what is the same in both is explained there.
pub trait Hosted: Judged {
    /// The game's name, for refusals.
    const NAME: &'static str;
    /// See [`Kit::OPPONENT`].
    const OPPONENT: &'static str;
    /// See [`Kit::ANALYST`].
    const ANALYST: &'static str;
    /// See [`Kit::REVIEWER`].
    const REVIEWER: &'static str;
    /// See [`Kit::HAS_KO`].
    const HAS_KO: bool;

    /// See [`Kit::players`].
    fn players() -> Vec<PlayerEntry<Referee<Self>>>;

    /// See [`Kit::methods`].
    fn methods() -> Vec<MethodEntry<Referee<Self>>>;

    /// See [`Kit::exams`].
    fn exams() -> Vec<MethodEntry<Referee<Self>>>;

    /// See [`Kit::chores`].
    fn chores() -> Vec<Listing>;

    /// See [`Kit::around`].
    fn around(game: &Referee<Self>, position: &str) -> Result<Referee<Self>, LabError>;

    /// See [`Kit::solve`].
    fn solve(
        game: &Referee<Self>,
        question: &Question<'_, Referee<Self>>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError>;

    /// See [`Kit::bench`].
    fn bench(game: &Referee<Self>, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError>;

    /// See [`Kit::data`].
    fn data(
        game: &Referee<Self>,
        request: &DataRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<DataReport, LabError>;

    /// See [`Kit::evaluate`]; [`judged_by_playing`] where there is nothing else to measure.
    fn evaluate(
        game: &Referee<Self>,
        request: &EvaluationRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<DataReport, LabError>;

    /// See [`Kit::console`].
    fn console() -> Result<Box<dyn Console>, LabError>;

    /// See [`Kit::read_games`].
    fn read_games<'a>(source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError>;

    /// See [`Kit::another_board`].
    fn another_board(game: &Referee<Self>, replay: u32, rng: &mut Rng) -> Option<String>;
}

/// What is said where games are written down as records only.
pub(crate) fn told_by_records(name: &str) -> LabError {
    LabError::refused(format!(
        "games of {name} are told by records: expected lines of JSON, as --record writes them"
    ))
}

/// What is said where networks show what they are worth by playing only.
pub(crate) fn judged_by_playing<P: Hosted>() -> LabError {
    LabError::refused(format!("players of {} are evaluated by playing: expected 'match'", P::NAME))
}

impl<P: Hosted> Kit for Referee<P> {
    const OPPONENT: &'static str = P::OPPONENT;
    const ANALYST: &'static str = P::ANALYST;
    const REVIEWER: &'static str = P::REVIEWER;
    const HAS_KO: bool = P::HAS_KO;

    fn players() -> Vec<PlayerEntry<Self>> {
        P::players()
    }

    fn evaluators() -> Vec<Listing> {
        open_evaluators::<P>()
    }

    fn methods() -> Vec<MethodEntry<Self>> {
        P::methods()
    }

    fn exams() -> Vec<MethodEntry<Self>> {
        P::exams()
    }

    fn chores() -> Vec<Listing> {
        P::chores()
    }

    fn around(&self, position: &str) -> Result<Self, LabError> {
        P::around(self, position)
    }

    fn facts(&self, _: &Self::State) -> Facts {
        Facts::new()
    }

    fn survey(&self, _: &Self::State) -> Result<Survey, LabError> {
        Ok(Survey::default())
    }

    fn review(&self, inquiry: &Inquiry<'_, Self>, watch: Watch<'_>) -> Result<Review, LabError> {
        opinion::of(self, inquiry, watch)
    }

    fn divide(&self, state: &Self::State, depth: u32) -> Option<Vec<(String, u64)>> {
        Some(open_divide(state, depth))
    }

    fn solve(
        &self,
        question: &Question<'_, Self>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError> {
        P::solve(self, question, store, watch)
    }

    fn bench(&self, _: &Store, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        P::bench(self, watch)
    }

    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        P::data(self, request, watch)
    }

    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        P::evaluate(self, request, watch)
    }

    fn console(&self) -> Result<Box<dyn Console>, LabError> {
        P::console()
    }

    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        P::read_games(source)
    }

    fn another_board(&self, replay: u32, rng: &mut Rng) -> Option<String> {
        P::another_board(self, replay, rng)
    }
}
