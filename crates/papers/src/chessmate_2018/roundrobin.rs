//! The comparison of the document's evaluators in its search by their games, and of players beyond it.

use outplay_core::Text;
use outplay_runtime::WorkError;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Interval;
use outplay_arena::tournament::TournamentPlan;
use outplay_lab::Store;
use outplay_lab::registry::open_game;
use outplay_report::{Block, Number, Section};

/// The tournament.
pub(super) struct RoundRobin;

#[derive(Serialize)]
pub(super) struct Config {
    game: String,
    players: Vec<String>,
    games: u64,
    random_plies: u32,
}

/// A player's strength.
#[derive(Serialize, Deserialize)]
struct Rated {
    name: String,
    elo: f64,
    low: f64,
    high: f64,
    games: u64,
}

impl Experiment for RoundRobin {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (plies, depth, sims, nodes, games) = match scale {
            Scale::Smoke => (16, 1, 10, 20, 2),
            Scale::Desk => (200, 2, 500, 2000, 20),
            Scale::Full => (300, 3, 2000, 20_000, 12),
        };
        let over = |judge: &str| format!("alphabeta:depth={depth},eval={judge}");
        let players = vec![
            "random".to_owned(),
            over("material"),
            over("net"),
            over("knn"),
            format!("mcts:sims={sims},cut=30,eval=material"),
            format!("mcts:sims={sims},cut=30,result=threshold,eval=material"),
            over("classic"),
            format!("engine:nodes={nodes}"),
        ];
        Config { game: format!("chess:plies={plies}"), players, games, random_plies: 4 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        recorder.once("ratings", || {
            let store = Arc::new(Store::at(conditions.store.root()));
            let plan = TournamentPlan {
                games: config.games,
                seed: conditions.seed_of("tournament"),
                random_plies: config.random_plies,
                threads: conditions.threads,
            };
            let any_game = open_game(&config.game, &store)?;
            let players = any_game.entrants(&config.players, conditions.watch)?;
            let report = players.run_tournament(&plan, None, conditions.watch)?;
            if report.interrupted {
                return Err(WorkError::Stopped);
            }
            let rated = report.ratings.players.iter().map(|player| Rated {
                name: player.name.clone(),
                elo: player.elo.elo,
                low: player.elo.elo_low,
                high: player.elo.elo_high,
                games: player.games,
            });
            Ok(rated.collect::<Vec<_>>())
        })?;
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let rated: Vec<Rated> = records.get("ratings")?;
        let number = |rated: &Rated| {
            let interval = Interval { low: rated.low, high: rated.high };
            Number::new(rated.name.clone(), "Elo", rated.elo, interval, rated.games).digits(0)
        };
        let numbers: Vec<Number> = rated.iter().map(number).collect();
        let blocks = vec![
            Block::text(format!(
                "{}: {} games a pairing, colours swapped, from {} random plies.",
                config.game, config.games, config.random_plies
            )),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        ];
        Ok(Section { blocks, numbers })
    }
}
