//! What is said of a recorded game, move by move: was it luck or a mistake?
//!
//! Belongs here: the form that every game's review has, and how the moves of open games are judged by a player. Does not
//! belong here: how a game with secrets judges its moves (in the game's own folder).

pub(crate) mod opinion;

use outplay_core::scene::Touch;
use outplay_core::{Game, MoveOf};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::record::Replay;
use crate::registry::PlayerFactory;

/// How a game is to be reviewed, as the user asked for it.
#[derive(Clone, Copy, Debug)]
pub struct ReviewPlan<'a> {
    /// Whose opinion it is, or who plays on where chances are found by trying.
    pub player: &'a str,
    /// How often it plays on, for each judgement.
    pub samples: u64,
    /// The seed of every random choice.
    pub seed: u64,
}

/// A recorded game that is to be judged.
pub struct Inquiry<'a, G: Game> {
    /// The game, which the referee has checked.
    pub replay: &'a Replay<G::State, MoveOf<G>>,
    /// How many of its moves were drawn at random.
    pub random_plies: usize,
    /// Whose opinion it is, or who plays on where chances are found by trying.
    pub player: &'a PlayerFactory<G::View>,
    /// How often it plays on, for each judgement.
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
    pub words: String,
}

/// What is said of one move.
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
    pub words: String,
    /// What the verdict rests on, by name.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
}
