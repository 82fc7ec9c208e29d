//! The players of Lode Runner: the name, parameters and factory of each.

use std::sync::Arc;

use outplay_core::Text;
use outplay_games::loderunner::planner::RunnerPlanner;
use outplay_games::loderunner::{GreedyRunner, LodeRunner};

use super::mcts;
use crate::registry::{PlayerDef, random_player};

/// All of them, the simplest first.
pub(super) fn all() -> Vec<PlayerDef<LodeRunner>> {
    vec![random_player(), greedy(), mcts::player(), planner()]
}

fn greedy() -> PlayerDef<LodeRunner> {
    PlayerDef::new(
        "greedy",
        Text::new(
            "the shortest way to the nearest gold, with no thought of guards",
            "le plus court chemin vers l’or le plus proche, sans souci des gardes",
        ),
        (),
        |_, ()| Ok(Arc::new(|| Box::new(GreedyRunner))),
    )
}

fn planner() -> PlayerDef<LodeRunner> {
    PlayerDef::new(
        "planner",
        Text::new(
            "plans to the next gold through the exact rules with several models of guards; remembers nothing",
            "planifie jusqu’au prochain or par les règles exactes avec plusieurs modèles de gardes ; ne retient rien",
        ),
        (),
        |_, ()| Ok(Arc::new(|| Box::new(RunnerPlanner))),
    )
}
