//! Games that go through stages: positions may repeat within a stage, but play never returns to a stage it has left.
//!
//! In Quoridor, for example, a stage is the set of walls on the board and in hand; within it only the pawns and the turn
//! vary. Such a game can be solved stage by stage, the last stages first.

use std::fmt::Debug;

use crate::Position;

/// A position of a game that goes through stages.
///
/// Invariants:
/// - a move either stays in the stage or leads to one of smaller [`height`](Self::height); which one depends only on
///   the stage, the seat and the move;
/// - symmetries keep values: a position and its image have the same value for the side to move;
/// - `Self::at(p.stage(), p.place(identity))` is `p` again.
pub trait StagedPosition: Position {
    /// The part of the position that never comes back once it has changed.
    type Stage: Copy + Ord + Debug + Send + Sync + 'static;

    /// A symmetry of the game; the default is the identity.
    type Symmetry: Copy + Default + Debug + Send + Sync + 'static;

    /// The stage of this position.
    fn stage(&self) -> Self::Stage;

    /// How far the stage is from the last stages of the game.
    fn height(stage: Self::Stage) -> u32;

    /// The stages that one move can lead to from this stage; a superset is allowed.
    fn later(stage: Self::Stage) -> Vec<Self::Stage>;

    /// The canonical stage among all images of this one under symmetries, and a symmetry that leads to it.
    fn canonical(stage: Self::Stage) -> (Self::Stage, Self::Symmetry);

    /// How many places a stage has; the same number for every stage of a game. A place is the index of a position within
    /// its stage.
    fn places(stage: Self::Stage) -> usize;

    /// The place of this position's image within the image's stage.
    fn place(&self, symmetry: Self::Symmetry) -> usize;

    /// The position at a place, if there is one; play need not be able to reach it.
    fn at(stage: Self::Stage, place: usize) -> Option<Self>;
}
