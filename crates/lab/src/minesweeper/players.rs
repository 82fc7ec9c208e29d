//! The players of Minesweeper: the name, parameters and factory of each.

use std::sync::Arc;

use outplay_core::{Game, Rng, Text};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Minesweeper, groups::GroupsPlayer};

use super::{optimal, subgrids, vision};
use crate::params::USUAL_MEMORY;
use crate::registry::{PlayerDef, PlayerRequest, random_player};
use crate::{params, words};

/// Those that can play on this board, the simplest first.
pub(super) fn of(game: &Minesweeper) -> Vec<PlayerDef<Minesweeper>> {
    let mut players = vec![random_player(), groups(), solver(), subgrids::player(), vision::player()];
    if optimal::can_solve(game, &game.start(&mut Rng::new(0))) {
        players.push(optimal::player());
    }
    players
}

fn groups() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "groups",
        Text::new(
            "the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)",
            "la case la moins probablement minée, exactement, égalités au hasard (Bourdet & Abadie 2025)",
        ),
        (),
        |_, ()| Ok(Arc::new(|| Box::new(GroupsPlayer::new()))),
    )
}

params! {
    /// How much work `solver` does.
    pub struct SolverParams {
        effort: EffortLevel = EffortLevel::Strong,
            "how much is searched before a guess; deep also plays out late guesses"
            | "combien est examiné avant de deviner ; deep joue la suite des paris tardifs";
        nodes: Option<u64> = None, in 0..=100_000_000,
            "sets of placements that one search of the endgame may look at, instead of the effort's own"
            | "ensembles de dispositions qu’une recherche de finale peut examiner, au lieu de ceux de l’effort";
    }
    // A search remembers every set it has looked at, in a hash table that takes up to 100 bytes for each as it grows.
    memory |solver| USUAL_MEMORY + ((solver.nodes.unwrap_or(0) * 100) >> 20) as u32
}

/// A named [`Effort`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffortLevel {
    /// [`Effort::FAST`].
    Fast,
    /// [`Effort::STRONG`].
    Strong,
    /// [`Effort::DEEP`].
    Deep,
}

words!(EffortLevel {
    "fast" => EffortLevel::Fast,
    "strong" => EffortLevel::Strong,
    "deep" => EffortLevel::Deep,
});

impl SolverParams {
    fn effort(&self) -> Effort {
        let effort = match self.effort {
            EffortLevel::Fast => Effort::FAST,
            EffortLevel::Strong => Effort::STRONG,
            EffortLevel::Deep => Effort::DEEP,
        };
        Effort { nodes: self.nodes.unwrap_or(effort.nodes), ..effort }
    }
}

fn solver() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "solver",
        Text::new(
            "plays to win: proven cells, forced guesses, exact endgames, guesses by what follows them",
            "joue pour gagner : cases prouvées, choix forcés, fins de partie exactes, paris selon ce qui les suit",
        ),
        SolverParams::default(),
        |request: &PlayerRequest<'_, Minesweeper>, params: &SolverParams| {
            let (first, effort) = (request.game.first(), params.effort());
            Ok(Arc::new(move || Box::new(Strategist::new(first, effort))))
        },
    )
}
