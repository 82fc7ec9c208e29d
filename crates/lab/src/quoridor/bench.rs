//! The speeds of Quoridor, for `outplay bench`.

use outplay_core::Open;
use outplay_games::quoridor::{Cells, PathJudge, PathWeights, Quoridor, Small};

use super::referee;
use crate::bench::{
    Measurement, alphabeta_nodes, perft_leaves, random_games, random_playouts, sample_positions, simulations,
};
use crate::error::LabError;

/// Everything that is measured on this board; and with the classic one also on the students' 5×5 with three walls.
pub(super) fn measure<C: Cells>(game: &Open<Quoridor<C>>) -> Result<Vec<Measurement>, LabError> {
    let mut results = measure_board(game);
    if game.start.size() == 9 {
        let start = Small::start(5, 3).map_err(|fault| LabError::refused(fault.to_string()))?;
        results.extend(measure_board(&referee(start, None)));
    }
    Ok(results)
}

fn measure_board<C: Cells>(game: &Open<Quoridor<C>>) -> Vec<Measurement> {
    let start = &game.start;
    let (size, walls) = (start.size(), start.setup().in_hand[0]);
    let name = |what: &str| format!("quoridor {size}×{size}/{walls}: {what}");
    let max_plies = game.max_plies.unwrap_or(u32::MAX);
    let positions = sample_positions(start, 16, 6);
    let (nodes, signature) = alphabeta_nodes(&positions, PathJudge::new(PathWeights::default()), 2);
    vec![
        Measurement::new(name("random games"), random_games(start, max_plies), "games/s"),
        Measurement::new(name("random playouts"), random_playouts(start, max_plies), "moves/s"),
        Measurement::new(name("perft"), perft_leaves(start, 3), "leaves/s"),
        Measurement::new(name("MCTS from the start"), simulations(start, game.max_plies), "simulations/s"),
        Measurement::new(name("alpha-beta by paths, depth 2"), nodes, "nodes/s"),
        Measurement::new(name("alpha-beta signature"), signature as f64, "nodes"),
    ]
}
