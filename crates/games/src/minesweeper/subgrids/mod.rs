//! Salamone's sub-grids: the 5×5 surroundings of a masked cell, from which a network predicts whether the cell is
//! mined.
//!
//! Here are sub-grids and their codes, how training examples are drawn, masked and ordered, and the AIs that play by
//! predictions. Networks and their training are elsewhere; here they are only a [`MinePredictor`].
//!
//! The procedure is the document's (N. Salamone, *Apprentissage automatique du jeu du démineur*, UMONS 2018); where
//! its text is silent, `papers/salamone-2018/deviations.md` says what was chosen.

mod agent;
mod ai;
mod game_source;
mod lockstep;
mod mask;
mod sample_set;
mod sampler;
mod subgrid;

pub use agent::{AgentAction, FlagPolicy, SubgridAgent};
pub use ai::{MinePredictor, SubgridAi};
pub use lockstep::{begin_at_random, play_lockstep};
pub use mask::{MaskCount, Masking};
pub use sample_set::{BadSet, SampleOrder, SampleSet, SampleSetConfig, SampleSource};
pub use sampler::{Centre, MineRange, SourceBoard, SubgridSampler};
pub use subgrid::{BadSubgrid, CELLS, CENTRE, SIDE, Subgrid, code};
