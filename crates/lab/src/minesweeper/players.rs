//! The players of Minesweeper: the name, parameters and factory of each.

use std::sync::Arc;

use outplay_core::{Game, Rng, Text};
use outplay_games::minesweeper::group_methods::{GroupMethod, GroupWeights};
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

params! {
    /// How `groups` computes its probabilities.
    pub struct GroupsParams {
        weights: GroupWeights = GroupWeights::Right,
            "right counts the mines off the frontier; printed leaves them out, as the document's formula does"
            | "right compte les mines hors de la frontière ; printed les oublie, comme la formule du document";
        method: GroupMethod = GroupMethod::Diagram,
            "diagram lists no solutions; gauss-jordan and naive list cases, up to a million, and play larger boards at \
             random; naive with weights=printed is Listing 2.1 with its faulty test"
            | "diagram n’énumère rien ; gauss-jordan et naive énumèrent des cas, jusqu’à un million, et jouent les \
               plateaux plus grands au hasard ; naive avec weights=printed est le listing 2.1 avec son test fautif";
    }
}

words!(GroupWeights {
    "right" => GroupWeights::Right,
    "printed" => GroupWeights::Printed,
});

words!(GroupMethod {
    "diagram" => GroupMethod::Diagram,
    "gauss-jordan" => GroupMethod::GaussJordan,
    "naive" => GroupMethod::Naive,
});

fn groups() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "groups",
        Text::new(
            "the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)",
            "la case la moins probablement minée, exactement, égalités au hasard (Bourdet & Abadie 2025)",
        ),
        GroupsParams::default(),
        |_, &GroupsParams { weights, method }| {
            Ok(Arc::new(move || Box::new(GroupsPlayer::with(method, weights))))
        },
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
