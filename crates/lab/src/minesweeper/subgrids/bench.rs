//! The speeds of Salamone's method, for `outplay bench`.

use outplay_core::Rng;
use outplay_games::minesweeper::subgrids::{CELLS, FlagPolicy, MinePredictor, SampleSet, SampleSetConfig};
use outplay_runtime::WorkError;

use super::config::SubgridTrainingConfig;
use super::game_of;
use super::network::SubgridNetwork;
use super::scores::network_scores;
use super::train::SubgridTraining;
use crate::bench::{Measurement, rate, seconds};
use outplay_runtime::{ThreadError, Watch};
use outplay_training::Training;

/// Everything that is measured.
pub(in crate::minesweeper) fn measure(watch: Watch<'_>) -> Result<Vec<Measurement>, WorkError> {
    let name = |what: &str| format!("minesweeper sub-grids: {what}");
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(ThreadError::from)?;
    let network = SubgridNetwork::shipped()?;
    let game = game_of(10, 10, 10)?;
    let mut outcome = Ok(());
    let games = one_thread.install(|| {
        rate(|run| {
            let played = network_scores(&game, &network, FlagPolicy::BEST, 100, run as u64, watch);
            outcome = std::mem::replace(&mut outcome, Ok(())).and(played.map(drop));
            100
        })
    });
    outcome?;
    Ok(vec![
        Measurement::new(
            name("drawn and masked, one thread"),
            one_thread.install(drawn_and_masked),
            "samples/s",
        ),
        Measurement::new(
            name("training, batch 10, one thread"),
            one_thread.install(|| training(10))?,
            "samples/s",
        ),
        Measurement::new(name("training, batch 2000, all cores"), training(2000)?, "samples/s"),
        Measurement::new(
            name("all cells of a 10×10 board, one thread"),
            1000.0 * board_seconds(&network),
            "ms",
        ),
        Measurement::new(name("10×10/10 in step, one thread"), games, "games/s"),
    ])
}

/// The whole way from chance to a network's inputs.
fn drawn_and_masked() -> f64 {
    const GRIDS: usize = 5000;
    rate(|run| {
        let plan =
            SampleSetConfig { grids: GRIDS, seed: run as u64, ..SubgridTrainingConfig::of_document().set };
        let set = SampleSet::draw(plan).expect("the document's board has sub-grids");
        let samples = set.len() as usize;
        let (mut inputs, mut targets) = (vec![0.0; samples * CELLS], vec![0.0; samples]);
        set.fill(|i| i, &mut inputs, &mut targets);
        std::hint::black_box((inputs, targets));
        samples as u64
    })
}

/// Samples that the document's network learns in a second, drawing them included.
fn training(batch: usize) -> Result<f64, WorkError> {
    let config = SubgridTrainingConfig {
        batch,
        epochs: u64::MAX / 1_000_000_000,
        ..SubgridTrainingConfig::of_document()
    };
    let mut teaching = SubgridTraining::new(config, 0)?;
    let mut before = 0;
    let mut outcome = Ok(());
    let speed = rate(|_| match teaching.step(Watch::nobody()) {
        Ok(step) => {
            let learnt = step.record["samples"].as_u64().unwrap_or(before);
            learnt - std::mem::replace(&mut before, learnt)
        }
        Err(error) => {
            outcome = Err(error);
            1
        }
    });
    outcome.map(|()| speed)
}

/// The time in which all cells of a board but one are judged.
fn board_seconds(network: &SubgridNetwork) -> f64 {
    const BOARDS: u32 = 200;
    let mut rng = Rng::new(1);
    let inputs: Vec<f32> = (0..99 * CELLS).map(|_| rng.below(13) as f32 - 4.0).collect();
    let mut predictions = vec![0.0; 99];
    let mut judge = network.judge();
    seconds(|_| (0..BOARDS).for_each(|_| judge.predict(&inputs, &mut predictions))) / f64::from(BOARDS)
}
