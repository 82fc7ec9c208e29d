//! The JSON shapes of exact answers and reviews.

use outplay_core::Text;
use outplay_core::scene::Touch;
use outplay_lab::registry::{Answer, Facts, MoveAnswer, Worth};
use outplay_lab::review::{MoveReview, Review};
use serde::Serialize;
use utoipa::ToSchema;

use crate::schemas::WorthSchema;

/// The exact value of a position and of its moves.
#[derive(Serialize, ToSchema)]
#[schema(as = Answer)]
pub(crate) struct AnswerInfo {
    #[schema(value_type = WorthSchema)]
    value: Worth,
    /// Plies to the end under best play; null for a draw and for a chance.
    #[schema(required = true)]
    distance: Option<u32>,
    moves: Vec<AnswerMoveInfo>,
    line: Vec<String>,
    /// What the answer rests on, by name.
    #[schema(value_type = std::collections::HashMap<String, serde_json::Value>)]
    counts: Facts,
}

/// A move with its exact value to the player who makes it.
#[derive(Serialize, ToSchema)]
#[schema(as = AnswerMove)]
struct AnswerMoveInfo {
    #[serde(rename = "move")]
    mv: String,
    touches: Vec<Touch>,
    #[schema(value_type = WorthSchema)]
    value: Worth,
    #[schema(required = true)]
    distance: Option<u32>,
}

impl AnswerInfo {
    pub(crate) fn of(answer: Answer) -> Self {
        let Answer { value, distance, moves, line, counts } = answer;
        let answer_move =
            |MoveAnswer { mv, touches, value, distance }| AnswerMoveInfo { mv, touches, value, distance };
        Self { value, distance, moves: moves.into_iter().map(answer_move).collect(), line, counts }
    }
}

/// What the moves of a game were worth.
#[derive(Serialize, ToSchema)]
#[schema(as = Review)]
pub(crate) struct ReviewInfo {
    verdict: &'static str,
    words: Text,
    moves: Vec<ReviewedMoveInfo>,
}

/// What is said of one move.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewedMove)]
struct ReviewedMoveInfo {
    #[serde(rename = "move")]
    mv: String,
    touches: Vec<Touch>,
    verdict: &'static str,
    words: Text,
    /// What the verdict rests on, by name.
    #[serde(flatten)]
    #[schema(ignore)]
    facts: Facts,
}

impl ReviewInfo {
    pub(crate) fn of(review: Review) -> Self {
        let reviewed = |MoveReview { mv, touches, verdict, words, facts }| ReviewedMoveInfo {
            mv,
            touches,
            verdict,
            words,
            facts,
        };
        let moves = review.moves.into_iter().map(reviewed).collect();
        Self { verdict: review.verdict, words: review.words, moves }
    }
}
