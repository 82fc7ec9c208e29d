//! The review of a recorded game, move by move: was it luck or a mistake?
//!
//! The form that all reviews have, and how a player judges the moves of open games. Games with secrets judge their
//! moves in their own folders.

pub(crate) mod opinion;

use outplay_core::scene::Touch;
use outplay_core::{Game, MoveOf, Text, serialize_english};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::registry::PlayerFactory;
use outplay_arena::record::Replay;

/// How a game is to be reviewed, as the user asked for it.
#[derive(Clone, Copy, Debug)]
pub struct ReviewPlan<'a> {
    /// The player that judges, or that plays the playouts where chances are estimated.
    pub player: &'a str,
    /// The number of playouts for each judgement.
    pub samples: u64,
    /// The seed of every random choice.
    pub seed: u64,
}

/// A recorded game that is to be judged.
pub struct Inquiry<'a, G: Game> {
    /// The game, which the referee has checked.
    pub replay: &'a Replay<G::State, MoveOf<G>>,
    /// The number of random moves at its start.
    pub random_plies: usize,
    /// The player that judges, or that plays the playouts where chances are estimated.
    pub player: &'a PlayerFactory<G::View>,
    /// The number of playouts for each judgement.
    pub samples: u64,
    /// The seed of every random choice.
    pub seed: u64,
}

/// The review of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The moves, from the first.
    pub moves: Vec<MoveReview>,
    /// What came of it, in a word that programs may rely on.
    pub verdict: &'static str,
    /// The same in a sentence.
    #[serde(serialize_with = "serialize_english")]
    pub words: Text,
}

/// The review of one move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReview {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What a hand touches to play it.
    #[serde(skip)]
    pub touches: Vec<Touch>,
    /// What it was, in a word that programs may rely on.
    pub verdict: &'static str,
    /// The same for people.
    #[serde(serialize_with = "serialize_english")]
    pub words: Text,
    /// What the verdict rests on, by name.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
}
