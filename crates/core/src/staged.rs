//! Games that go through stages: play may go round in circles within a stage and never returns to one that it left.
//!
//! Of Quoridor a stage is the walls, on the board and in hand; within it only the pawns and the turn vary. Such a game
//! can be solved stage by stage, the last ones first.

use std::fmt::Debug;

use crate::Position;

/// A position of a game that goes through stages.
///
/// Laws:
/// - a move either stays in the stage or leads to one of smaller [`height`](Self::height); which one depends only on
///   the stage, the seat and the move;
/// - symmetries keep values: a position and its image are worth the same to the side to move;
/// - `Self::at(p.stage(), p.place(identity))` is `p` again.
pub trait Staged: Position {
    /// What never comes back once it has changed.
    type Stage: Copy + Ord + Debug + Send + Sync + 'static;

    /// A symmetry of the game; the default is the identity.
    type Symmetry: Copy + Default + Debug + Send + Sync + 'static;

    /// The stage of this position.
    fn stage(&self) -> Self::Stage;

    /// How far the stage is from the last ones.
    fn height(stage: Self::Stage) -> u32;

    /// The stages to which one move can lead from the stage; some may be impossible, none may be missing.
    fn later(stage: Self::Stage) -> Vec<Self::Stage>;

    /// Of all stages that symmetries join, the one that stands for them, and a symmetry that leads to it.
    fn represent(stage: Self::Stage) -> (Self::Stage, Self::Symmetry);

    /// How many places a stage has: the same number in every stage of a game.
    fn places(stage: Self::Stage) -> usize;

    /// The place of this position's image within the image's stage.
    fn place(&self, symmetry: Self::Symmetry) -> usize;

    /// The position at a place, if there is one; it need not be one that play can reach.
    fn at(stage: Self::Stage, place: usize) -> Option<Self>;
}
