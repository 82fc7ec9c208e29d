//! A network with its board, of any size: what the console does with it.

use std::path::Path;
use std::sync::Arc;

use outplay_core::{PositionHistory, Referee, Seat, Text};
use outplay_games::quoridor::{Cells, Quoridor};
use outplay_players::{ActionSelection, LearningConfig};

use super::super::referee;
use crate::console::AI;
use crate::learning::{LearnersOpponent, LearntNetwork, NetworkTraining, OpponentChoice};
use crate::registry::{BoardDef, PlayerDef};
use crate::review::opinion;
use crate::store::Store;
use crate::table::{LiveTable, Table};
use outplay_arena::matches::{Contestant, MatchPlan, MatchSummary, run_match};
use outplay_runtime::{Progress, Watch, WorkError};
use outplay_training::Training;

/// A network with its board, whatever the board's size.
pub(super) trait Ai {
    fn describe(&self) -> String;
    fn change(&mut self, learning: LearningConfig);
    /// Has it learn against another from now on, who sits in both seats by turns, or against itself.
    fn meet(&mut self, other: Option<&OpponentChoice>, store: &Store) -> Result<(), WorkError>;
    /// The games played: fewer if the opponent leaves.
    fn learn(&mut self, games: u64, watch: Watch<'_>) -> Result<u64, WorkError>;
    fn file(&self) -> Vec<u8>;
    fn compare(
        &self,
        path: &Path,
        plan: &MatchPlan,
        epsilon: f64,
        watch: Watch<'_>,
    ) -> Result<MatchSummary, WorkError>;
    fn table(&self, seed: u64, seat: Seat, store: &Arc<Store>) -> Result<Box<dyn Table>, WorkError>;
}

/// Games between two looks at the stop flag.
const BATCH: u64 = 500;

impl<C: Cells> Ai for NetworkTraining<Quoridor<C>> {
    fn describe(&self) -> String {
        let (start, net) = (&self.game().start, self.kernel());
        let (size, walls) = (start.size(), start.in_hand(Seat::First));
        let shape = format!("{}–{}–1, {}", net.inputs(), net.hidden(), net.activation().name());
        let walls = if walls == 1 { "1 wall".to_owned() } else { format!("{walls} walls") };
        format!("an AI for {size}×{size} with {walls} each: {shape}, after {} games here", self.games())
    }

    fn change(&mut self, learning: LearningConfig) {
        self.set_learning(learning);
    }

    fn meet(&mut self, other: Option<&OpponentChoice>, store: &Store) -> Result<(), WorkError> {
        let start = self.game().start;
        let opponent = other
            .map(|choice| LearnersOpponent::new(choice, Seat::Second, true, 0.0, &start, store))
            .transpose()?;
        self.set_opponent(opponent);
        Ok(())
    }

    fn learn(&mut self, games: u64, watch: Watch<'_>) -> Result<u64, WorkError> {
        let begun = self.games();
        let mut done = 0;
        while done < games {
            let learnt = NetworkTraining::learn(self, BATCH.min(games - done), watch);
            done = self.games() - begun;
            match learnt {
                Err(WorkError::Stopped) if self.is_deserted() => break,
                learnt => learnt?,
            };
            watch.show(Progress { task: "training", done, total: games, unit: "games" });
        }
        Ok(done)
    }

    fn file(&self) -> Vec<u8> {
        self.product()
    }

    fn compare(
        &self,
        path: &Path,
        plan: &MatchPlan,
        epsilon: f64,
        watch: Watch<'_>,
    ) -> Result<MatchSummary, WorkError> {
        let choice = ActionSelection::Greedy { epsilon, noise: 0.0 };
        let ends = self.learning().ends;
        let mine = self.players(choice);
        let other = LearntNetwork::open(&self.game().start, path)?.factory(choice, ends);
        let contestants =
            [Contestant { name: AI, make: &*mine }, Contestant { name: "other", make: &*other }];
        let game = referee(self.game().start, None);
        let mut show = |progress: &outplay_arena::matches::MatchProgress<'_, _>| {
            let done = progress.standing.tally().games();
            watch.show(Progress { task: "comparing", done, total: progress.planned, unit: "games" });
        };
        let result = run_match(&game, &contestants, plan, &mut show, watch.stop_flag())?;
        if result.interrupted { Err(WorkError::Stopped) } else { Ok(result.summary()) }
    }

    fn table(&self, seed: u64, seat: Seat, store: &Arc<Store>) -> Result<Box<dyn Table>, WorkError> {
        let ai = self.players(ActionSelection::BEST);
        let summary = Text::new("the network of this console", "le réseau de cette console");
        let player = PlayerDef::new(AI, summary, (), move |_, ()| Ok(Arc::clone(&ai)));
        let mut table = table_on(self.game().start, seed, vec![player], store);
        table.seat(seat, AI, Watch::nobody())?;
        Ok(table)
    }
}

/// A table at which only these players can sit.
pub(super) fn table_on<C: Cells>(
    start: Quoridor<C>,
    seed: u64,
    players: Vec<PlayerDef<Referee<Quoridor<C>>>>,
    store: &Arc<Store>,
) -> Box<dyn Table> {
    let board = BoardDef { players, ..BoardDef::new(referee(start, None), opinion::of) };
    Box::new(LiveTable::new(Arc::new(board), PositionHistory::from(start), seed, Arc::clone(store)))
}
