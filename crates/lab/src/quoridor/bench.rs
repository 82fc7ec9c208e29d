//! The speeds of Quoridor, for `outplay bench`.

use outplay_core::Referee;
use outplay_games::quoridor::{Cells, PathEvaluator, PathWeights, Quoridor, SmallQuoridor};
use outplay_players::staged::StagedSolution;

use super::referee;
use crate::bench::{
    Measurement, alphabeta_nodes, perft_leaves, random_games, random_playouts, rate, sample_positions,
    simulations,
};
use crate::learning::{NetworkTraining, SelfPlayGame, TrainingConfig};
use crate::zero::measure_search;
use outplay_runtime::{Watch, WorkError};

/// Everything that is measured on this board; and with the classic one also on the students' 5×5 with three walls, and
/// how fast a small board is solved.
pub(super) fn measure<C: Cells>(
    game: &Referee<Quoridor<C>>,
    watch: Watch<'_>,
) -> Result<Vec<Measurement>, WorkError> {
    let mut results = measure_board(game);
    if game.start.size() == 9 {
        results.push(measure_search("quoridor 9×9", game, 256));
        let start = |walls| SmallQuoridor::start(5, walls);
        results.extend(measure_board(&referee(start(3)?, None)));
        for (walls, hidden) in [(1, 40), (3, 100)] {
            let name = format!("quoridor 5×5/{walls}: self-play by TD(λ), {hidden} hidden neurons");
            results.push(Measurement::new(name, self_play_games(&start(walls)?, hidden), "games/s"));
        }
        let name = "quoridor 5×5/1: exact solution, all cores";
        results.push(Measurement::new(name, solved_positions(&start(1)?, watch)?, "positions/s"));
    }
    Ok(results)
}

fn measure_board<C: Cells>(game: &Referee<Quoridor<C>>) -> Vec<Measurement> {
    let start = &game.start;
    let (size, walls) = (start.size(), start.setup().in_hand[0]);
    let name = |what: &str| format!("quoridor {size}×{size}/{walls}: {what}");
    let max_plies = game.max_plies.unwrap_or(u32::MAX);
    let positions = sample_positions(start, 16, 6);
    let (nodes, signature) = alphabeta_nodes(&positions, PathEvaluator::new(PathWeights::default()), 2);
    vec![
        Measurement::new(name("random games"), random_games(start, max_plies), "games/s"),
        Measurement::new(name("random playouts"), random_playouts(start, max_plies), "moves/s"),
        Measurement::new(name("perft"), perft_leaves(start, 3), "leaves/s"),
        Measurement::new(name("MCTS from the start"), simulations(start, game.max_plies), "simulations/s"),
        Measurement::new(name("alpha-beta by paths, depth 2"), nodes, "nodes/s"),
        Measurement::new(name("alpha-beta signature"), signature as f64, "nodes"),
    ]
}

/// Games per second of a network that learns by self-play with the parameters of INFO-F-106.
fn self_play_games<P: SelfPlayGame>(start: &P, hidden: usize) -> f64 {
    let game = Referee { start: start.clone(), repetitions: None, max_plies: Some(100) };
    let config = TrainingConfig { hidden, ..TrainingConfig::of_document(P::ENCODINGS[0], 100_000) };
    let mut training = NetworkTraining::new(&game, config, 0);
    rate(|_| {
        training.learn(200, Watch::nobody()).expect("nobody stops it");
        200
    })
}

/// Places of the table that are solved in a second.
fn solved_positions(start: &SmallQuoridor, watch: Watch<'_>) -> Result<f64, WorkError> {
    let mut stopped = false;
    let rate = rate(|_| {
        let solution = StagedSolution::solve(start, &|_, _| (), watch.stop_flag());
        stopped |= solution.is_err();
        solution.map_or(1, |solution| solution.size() as u64)
    });
    if stopped { Err(WorkError::Stopped) } else { Ok(rate) }
}
