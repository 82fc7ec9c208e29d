//! The player `zero`, and the evaluator with which other searches use its network.

use std::time::Duration;

use outplay_core::{Referee, Text};
use outplay_players::{Puct, tree_memory};

use super::network::{ZeroNetwork, ZeroSearchParams};
use crate::learning::SelfPlayGame;
use crate::params;
use crate::params::ModelFile;
use crate::registry::{EvaluatorDef, PlayerDef, PlayerRequest};

/// Simulations where neither they nor a time are given.
const USUAL_SIMULATIONS: u64 = 400;

params! {
    /// A tree search with a network.
    struct ZeroPlayerParams {
        file: ModelFile = ModelFile::Shipped,
            "what was learnt (what comes with the program, if none is given)"
            | "ce qui a été appris (ce qui est livré avec le programme, si rien n’est donné)";
        simulations as "sims": Option<u64> = None, in 1..=1_000_000_000_000,
            "simulations per move (400 if no time is given); 1 plays the network's first choice"
            | "simulations par coup (400 si aucun temps n’est donné) ; 1 joue le premier choix du réseau";
        time: Option<Duration> = None, "time per move" | "temps par coup";
        exploration as "c": f64 = Puct::default().exploration, in 0.0..=100.0,
            "exploration constant of PUCT, for values from 0 to 1" | "constante d’exploration de PUCT, pour des valeurs de 0 à 1";
        urgency as "fpu": f64 = Puct::default().first_play_urgency, in -1.0..=1.0,
            "by how much a move without visits is worth less than its position" | "de combien un coup sans visite vaut moins que sa position";
        temperature: f64 = 0.0, in 0.0..=100.0,
            "moves are drawn by their visits to the power of 1/temperature; 0 plays the best"
            | "les coups sont tirés selon leurs visites à la puissance 1/temperature ; 0 joue le meilleur";
        threads: usize = 1, in 1..=256, "independent trees whose visits are added up" | "arbres indépendants dont les visites s’additionnent";
    }
    memory |own| tree_memory(own.simulations.or(own.time.is_none().then_some(USUAL_SIMULATIONS)))
        .saturating_mul(own.threads as u32)
}

params! {
    /// The evaluation by a network with a value and a policy.
    struct ZeroEvaluatorParams {
        file: ModelFile = ModelFile::Shipped,
            "what was learnt (what comes with the program, if none is given)"
            | "ce qui a été appris (ce qui est livré avec le programme, si rien n’est donné)";
        policy: u32 = 3, in 1..=200,
            "depth from which on the network's policy orders the moves" | "profondeur à partir de laquelle la politique du réseau ordonne les coups";
        likely: usize = 8, in 1..=10_000,
            "how many of the likeliest moves are then searched to full depth"
            | "combien des coups les plus probables sont alors cherchés à pleine profondeur";
    }
}

/// What is used where no file is named: the network that comes with the program, if there is one.
fn default_file<P: SelfPlayGame>(board: &P) -> ModelFile {
    if board.shipped_zero().is_some() { ModelFile::Shipped } else { ModelFile::Needed }
}

/// The evaluator `zero`.
pub(crate) fn zero_evaluator<P: SelfPlayGame>(board: &P) -> EvaluatorDef<P> {
    EvaluatorDef::new(
        "zero",
        Text::new(
            "a network that taught itself: its value, and its policy for the order of moves",
            "un réseau qui s’est instruit lui-même : sa valeur, et sa politique pour l’ordre des coups",
        ),
        ZeroEvaluatorParams { file: default_file(board), ..ZeroEvaluatorParams::default() },
        |board, params: &ZeroEvaluatorParams| {
            let network = ZeroNetwork::given(board, &params.file)?;
            Ok(Box::new(network.evaluator(params.policy, params.likely)))
        },
    )
}

/// The player that follows a trained network.
pub(crate) fn zero_player<P: SelfPlayGame>(board: &P) -> PlayerDef<Referee<P>> {
    PlayerDef::new(
        "zero",
        Text::new(
            "tree search with a network that taught itself (AlphaZero)",
            "recherche arborescente avec un réseau qui s’est instruit lui-même (AlphaZero)",
        ),
        ZeroPlayerParams { file: default_file(board), ..ZeroPlayerParams::default() },
        |request: &PlayerRequest<'_, Referee<P>>, params: &ZeroPlayerParams| {
            let network = ZeroNetwork::given(&request.game.start, &params.file)?;
            Ok(network.factory(ZeroSearchParams {
                budget: ZeroSearchParams::budget(params.simulations, params.time, USUAL_SIMULATIONS),
                puct: Puct { exploration: params.exploration, first_play_urgency: params.urgency },
                temperature: params.temperature,
                trees: params.threads,
            }))
        },
    )
}
