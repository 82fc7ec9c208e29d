//! Lode Runner, the game of Bourdet & Abadie's introduction: take all the gold of a level and leave by the top, while guards
//! give chase. The second seat is the guards.
//!
//! Here are the rules turn by turn, levels as texts, a generator, and players made for this one game.
//!
//! Invariant: only [`LodeRunnerState`] knows which policy the guards follow. A [`LodeRunnerView`] holds the whole board now and
//! nothing else, and every player is given only that.

mod danger;
mod editor;
mod generator;
mod goal;
mod greedy;
mod levels;
mod moment;
mod notation;
mod order;
mod physics;
pub mod planner;
mod policies;
mod proof;
mod rules;
mod scene;
mod search;
mod stairs;
mod terrain;
mod text;
mod view;
mod ways;
mod world;

pub use generator::{BadPlan, LevelPlan, MAX_DIFFICULTY};
pub use greedy::GreedyRunner;
pub use levels::{LEVELS, NamedLevel};
pub use moment::{Delays, Fate, Guard, Hole, MAX_GUARDS, MAX_HOLES, Moment};
pub use notation::RunnerMoveError;
pub use physics::{GuardMind, GuardStep, Physics, RunnerAction};
pub use policies::{GuardPolicy, PolicyMind};
pub use proof::prove;
pub use rules::{GuardRule, LevelSource, LodeRunner, LodeRunnerState, without_guards};
pub use terrain::{MAX_COLS, MAX_ROWS, MAX_SPOTS, Spot, SpotSet, Terrain, Tile};
pub use text::{BadLevel, read_level, read_position, write_level};
pub use view::LodeRunnerView;
pub use world::{SampledWorld, WayEvaluator};
