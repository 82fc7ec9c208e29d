//! The speeds of Push-over, for `outplay bench`.

use outplay_core::Referee;
use outplay_games::pushover::solver::{PushoverSolution, RepetitionRule};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert};

use super::database::{self, ExpertGames};
use super::network::{Encoding, PushoverNetwork};
use super::train::{PushoverTraining, PushoverTrainingConfig, Winners};
use crate::bench::{
    Measurement, alphabeta_nodes, perft_leaves, random_playouts, rate, sample_positions, seconds, simulations,
};
use crate::learning::{NetworkTraining, SelfPlayGame, TrainingConfig};
use outplay_runtime::{Watch, WorkError};

/// Everything that is measured on this board; the document's trainings on its own board only.
pub(super) fn measure<const N: usize>(
    game: &Referee<Pushover<N>>,
    watch: Watch<'_>,
) -> Result<Vec<Measurement>, WorkError>
where
    Pushover<N>: SelfPlayGame,
{
    let name = |what: &str| format!("pushover {N}×{N}: {what}");
    let start = &game.start;
    let positions = sample_positions(start, 16, 6);
    let expert = PushoverExpert::<N>::new(ExpertWeights::default());
    let (nodes, signature) = alphabeta_nodes(&positions, expert, 6);
    let max_plies = game.max_plies.unwrap_or(u32::MAX);
    let mut results = vec![
        Measurement::new(name("random playouts"), random_playouts(start, max_plies), "moves/s"),
        Measurement::new(name("perft"), perft_leaves(start, 5), "leaves/s"),
        Measurement::new(name("MCTS from the start"), simulations(start, game.max_plies), "simulations/s"),
        Measurement::new(name("alpha-beta with the expert, depth 6"), nodes, "nodes/s"),
        Measurement::new(name("alpha-beta signature"), signature as f64, "nodes"),
        Measurement::new(name("self-play by TD(λ), 40 hidden neurons"), self_play_games(game), "games/s"),
    ];
    if N == 4 {
        results.extend(measure_learning(game, &positions, watch)?);
        results.push(Measurement::new(name("exact solution, all cores"), solution_seconds(watch)?, "s"));
    }
    Ok(results)
}

/// Games per second of a network that learns by self-play with the parameters of INFO-F-106.
fn self_play_games<P: SelfPlayGame>(game: &Referee<P>) -> f64 {
    let mut training = NetworkTraining::new(game, TrainingConfig::of_document("colours", 100_000), 0);
    rate(|_| {
        training.learn(200, Watch::nobody()).expect("nobody stops it");
        200
    })
}

fn measure_learning<const N: usize>(
    game: &Referee<Pushover<N>>,
    positions: &[Pushover<N>],
    watch: Watch<'_>,
) -> Result<Vec<Measurement>, WorkError> {
    let name = |what: &str| format!("pushover {N}×{N}: {what}");
    let database = database::play(game, ExpertGames::of_document(0), watch)?.positions;
    let mut outcome = Ok(());
    let mut train = |encoding| {
        seconds(|run| {
            let config = PushoverTrainingConfig::of_document(encoding, Winners::Any);
            let taught =
                PushoverTraining::new(&database, config, run as u64).and_then(PushoverTraining::finish);
            outcome = std::mem::replace(&mut outcome, Ok(())).and(taught.map(drop));
        })
    };
    let (cells, features) = (train(Encoding::Cells), train(Encoding::Features));
    outcome?;
    let net = PushoverTraining::new(
        &database,
        PushoverTrainingConfig::of_document(Encoding::Cells, Winners::Any),
        0,
    )?
    .finish()?;
    let (nodes, _) = alphabeta_nodes(positions, PushoverNetwork::<N>::new(&net, Encoding::Cells)?, 5);
    Ok(vec![
        Measurement::new(name("BFGS, 16–16–1 on 3000 positions"), cells, "s"),
        Measurement::new(name("BFGS, 44–30–1 on 3000 positions"), features, "s"),
        Measurement::new(name("alpha-beta with a network, depth 5"), nodes, "nodes/s"),
    ])
}

fn solution_seconds(watch: Watch<'_>) -> Result<f64, WorkError> {
    let mut stopped = false;
    let time = seconds(|_| {
        stopped |= PushoverSolution::solve(RepetitionRule::Forbidden, &|_| {}, watch.stop_flag()).is_none();
    });
    if stopped { Err(WorkError::Stopped) } else { Ok(time) }
}
