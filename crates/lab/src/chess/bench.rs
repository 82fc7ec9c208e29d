//! The speeds of chess, for `outplay bench`.

use outplay_core::Open;
use outplay_games::chess::{Chess, Material};

use crate::bench::{
    Measurement, alphabeta_nodes, perft_leaves, random_games, random_playouts, sample_positions, simulations,
};

/// Random games are cut off here, should they never end.
const LONGEST: u32 = 1000;

/// Everything that is measured.
pub(super) fn measure(game: &Open<Chess>) -> Vec<Measurement> {
    let start = &game.start;
    let name = |what: &str| format!("chess: {what}");
    let positions = sample_positions(start, 16, 12);
    let (nodes, signature) = alphabeta_nodes(&positions, Material::default(), 4);
    vec![
        Measurement::new(name("random games"), random_games(start, LONGEST), "games/s"),
        Measurement::new(name("random playouts"), random_playouts(start, LONGEST), "moves/s"),
        Measurement::new(name("perft"), perft_leaves(start, 5), "leaves/s"),
        Measurement::new(name("MCTS from the start"), simulations(start, Some(LONGEST)), "simulations/s"),
        Measurement::new(name("alpha-beta by material, depth 4"), nodes, "nodes/s"),
        Measurement::new(name("alpha-beta signature"), signature as f64, "nodes"),
    ]
}
