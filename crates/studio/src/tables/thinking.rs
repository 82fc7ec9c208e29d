//! The players that think at tables: when they begin, where they run, and how their moves are played.
//!
//! Players think on blocking threads, never under the lock of their table.

use outplay_runtime::{MemoryReservation, Progress, Watch, WorkError};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use outplay_core::Seat;
use outplay_lab::{AnyGame, Opinion};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::collection::{SharedTable, StudioTables, lock, publish};
use super::document::OpinionInfo;
use super::errors::StudioTableError;
use super::open_table::{OpenTable, ThinkingPlayer};
use super::saved_table::GameStart;
use super::seated_player::SeatedPlayer;
use crate::refusal::Refusal;
use crate::specs::HUMAN;
use crate::{bounds, clock};

/// What a player needs to think about a position.
struct ThinkTask {
    number: u64,
    seat: Seat,
    player: String,
    game_start: GameStart,
    moves: Vec<String>,
    board: Arc<dyn AnyGame>,
    stop: Arc<AtomicBool>,
}

/// The player, to be asked again, and its opinion.
type ThinkResult = (Option<SeatedPlayer>, Result<Opinion, WorkError>);

impl StudioTables {
    /// Lets the player to move think, if it is a program.
    pub(super) fn start_thinking(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) {
        let Some((seat, name)) = live.next_program() else { return };
        let name = name.to_owned();
        let player = match self.player(&*live.board, &name) {
            Ok(player) => player,
            Err(refusal) => {
                live.fail(refusal);
                return;
            }
        };
        let task = ThinkTask {
            number: clock::random_u64(),
            seat,
            player,
            game_start: live.saved.game_start.clone(),
            moves: live.saved.moves.clone(),
            board: Arc::clone(&live.board),
            stop: Arc::default(),
        };
        live.saved.rev += 1;
        live.thinking = Some(ThinkingPlayer {
            number: task.number,
            player: name,
            began: clock::now(),
            stop: Arc::clone(&task.stop),
            preparation: None,
            so_far: None,
        });
        let is_awaited = live.saved.seats.iter().any(|seat| seat == HUMAN);
        let turns = Arc::clone(if is_awaited { &self.awaited } else { &self.unattended });
        // Else it would be over before anyone has seen it.
        let is_watched = !is_awaited && live.board.info().is_real_time;
        let pause = if is_watched { bounds::WATCHED_TURN } else { Duration::ZERO };
        let (tables, table) = (Arc::clone(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
            sleep(pause).await;
            let Ok(_permit) = turns.acquire_owned().await else { return };
            let _ = tokio::task::spawn_blocking(move || tables.think_and_play(&task, &table)).await;
        });
    }

    /// Lets a player think and plays its move.
    fn think_and_play(self: &Arc<Self>, task: &ThinkTask, table: &Weak<Mutex<OpenTable>>) {
        // Taken only now: while it waits for its turn, others may unload it to get its memory.
        let Some(seated) = table.upgrade().map(|table| lock(&table).players[task.seat.index()].take()) else {
            return;
        };
        let shown = Mutex::new(Instant::now());
        let is_time = || {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let is_time = shown.elapsed() >= bounds::THOUGHT_INTERVAL;
            if is_time {
                *shown = Instant::now();
            }
            is_time
        };
        let show_preparation = |progress: Progress<'_>| {
            if is_time() {
                show_thinking(table, task.number, |player| player.preparation = Some(progress.into()));
            }
        };
        let mut on_opinion = |opinion: Opinion| {
            if is_time() {
                show_thinking(table, task.number, |player| {
                    player.preparation = None;
                    player.so_far = Some(OpinionInfo::of(&player.player, opinion));
                });
            }
        };
        let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.think(task, seated, Watch::new(&task.stop, &show_preparation), &mut on_opinion)
        }));
        if let Some(table) = table.upgrade() {
            self.conclude(&table, task.seat, task.number, thought.ok());
        }
    }

    /// Asks a player for its move; loads it if it was unloaded, and makes it if the seat has none.
    fn think(
        &self,
        task: &ThinkTask,
        seated: Option<SeatedPlayer>,
        watch: Watch<'_>,
        on_opinion: &mut dyn FnMut(Opinion),
    ) -> ThinkResult {
        let ThinkTask { seat, player, game_start, board, .. } = task;
        let seated = seated.filter(|seated| seated.is(*seat, player));
        let loaded = seated
            .map_or_else(|| SeatedPlayer::new(&**board, game_start, *seat, player), Ok)
            .and_then(|mut seated| {
                if seated.is_unloaded() {
                    seated.load(self.reserve_player(&**board, player, &task.stop)?, watch)?;
                }
                Ok(seated)
            });
        match loaded {
            Ok(mut seated) => {
                let opinion = seated.think(&task.moves, watch, Some(on_opinion));
                (opinion.is_ok().then_some(seated), opinion)
            }
            Err(error) => (None, Err(error)),
        }
    }

    /// Reserves memory for a player while it is loaded; blocks until there is enough or `stop` is raised. While it waits, idle players
    /// are unloaded: they are made anew and told the moves when they are next asked.
    pub(crate) fn reserve_player(
        &self,
        board: &dyn AnyGame,
        player: &str,
        stop: &AtomicBool,
    ) -> Result<MemoryReservation, WorkError> {
        let unload_idle = || self.unload_idle(Duration::ZERO);
        self.memory.reserve(player, board.player_memory(player)?, stop, unload_idle)
    }

    /// Unloads the players that were not asked for this long.
    pub(super) fn unload_idle(&self, pause: Duration) {
        let tables: Vec<SharedTable> = self.open().values().cloned().collect();
        for table in tables {
            lock(&table).players.iter_mut().flatten().for_each(|seated| seated.unload_after(pause));
        }
    }

    /// Plays the move that a player found, if it was not cancelled meanwhile.
    fn conclude(
        self: &Arc<Self>,
        table: &SharedTable,
        seat: Seat,
        number: u64,
        thought: Option<ThinkResult>,
    ) {
        let mut live = lock(table);
        let is_asked = live.thinking.as_ref().is_some_and(|thinking| thinking.number == number);
        let (seated, opinion) = thought.map_or((None, None), |(seated, opinion)| (seated, Some(opinion)));
        if is_asked || live.players[seat.index()].is_none() {
            live.players[seat.index()] = seated;
        }
        if !is_asked {
            return live.unload_if_over();
        }
        let player = live.thinking.take().map(|thinking| thinking.player).unwrap_or_default();
        if let Err(refusal) = self.apply(table, &mut live, |live| play_best(live, player, opinion)) {
            live.fail(refusal);
        }
        publish(&live);
    }
}

/// Plays the move of an opinion; without one, the player has crashed.
fn play_best(
    live: &mut OpenTable,
    player: String,
    opinion: Option<Result<Opinion, WorkError>>,
) -> Result<(), Refusal> {
    let Some(opinion) = opinion else { return Err(StudioTableError::Crashed { player }.into()) };
    let opinion = opinion?;
    let (ply, best) = (live.saved.moves.len(), opinion.best.clone());
    let said = OpinionInfo::of(&player, opinion);
    live.make(&best)?;
    live.saved.opinion = Some(OpinionInfo { ply: Some(ply), ..said });
    Ok(())
}

/// Publishes how far a player is, if it was not cancelled.
fn show_thinking(table: &Weak<Mutex<OpenTable>>, number: u64, change: impl FnOnce(&mut ThinkingPlayer)) {
    let Some(table) = table.upgrade() else { return };
    let mut live = lock(&table);
    let Some(player) = live.thinking.as_mut().filter(|thinking| thinking.number == number) else { return };
    change(player);
    live.saved.rev += 1;
    publish(&live);
}

/// Unloads idle players now and then, until the tables are dropped.
pub(super) async fn unload_idle_players(tables: Weak<StudioTables>) {
    loop {
        sleep(bounds::PLAYER_STAYS / 4).await;
        let Some(tables) = tables.upgrade() else { return };
        let _ = spawn_blocking(move || tables.unload_idle(bounds::PLAYER_STAYS)).await;
    }
}

#[cfg(test)]
mod tests {
    use outplay_lab::{Store, open_game};
    use tokio::runtime::Handle;

    use super::*;
    use crate::database::StudioDatabase;
    use crate::jobs::JobFiles;

    const PROGRAM: &str = "alphabeta:depth=1";

    fn tables(folder: &std::path::Path) -> Arc<StudioTables> {
        let database = Arc::new(StudioDatabase::open(&folder.join("studio.sqlite")).unwrap());
        StudioTables::new(
            database,
            Arc::new(Store::at(folder)),
            JobFiles::below(folder),
            1,
            Handle::current(),
        )
    }

    fn table(tables: &Arc<StudioTables>, seats: [&str; 2]) -> SharedTable {
        let game_start = GameStart { game: "chess".to_owned(), start: None, seed: 1 };
        let seats = seats.map(str::to_owned).to_vec();
        tables.find(&tables.create(game_start, seats, Vec::new(), None).unwrap().id).unwrap()
    }

    async fn reach(table: &SharedTable, ply: usize) {
        let reached = async {
            while lock(table).saved.moves.len() < ply {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), reached).await.expect("moves are made");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn players_leave_for_others_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        let one = open_game("chess", &tables.store).unwrap().player_memory(PROGRAM).unwrap();
        let all_but_one = tables.memory.try_reserve("others", tables.memory.total() - one).unwrap();
        let awaited = [(); 2].map(|()| table(&tables, [HUMAN, PROGRAM]));
        for (round, mv) in ["a4", "b4", "c4"].into_iter().enumerate() {
            for table in &awaited {
                tables.change(table, |live| live.play(mv, 2 * round)).unwrap();
                reach(table, 2 * round + 2).await;
            }
        }
        for table in [(); 5].map(|()| table(&tables, [PROGRAM; 2])) {
            reach(&table, 6).await;
            let id = lock(&table).saved.id.clone();
            tables.remove(&id).unwrap();
        }
        drop(all_but_one);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn players_remember_for_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        reach(&table(&tables, [PROGRAM, HUMAN]), 1).await;
        for (pause, is_free) in [(bounds::PLAYER_STAYS, false), (Duration::ZERO, true)] {
            tables.unload_idle(pause);
            assert_eq!(tables.memory.try_reserve("all", tables.memory.total()).is_ok(), is_free);
        }
    }
    #[tokio::test(flavor = "multi_thread")]
    async fn players_leave_when_their_game_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables(folder.path());
        let game_start = GameStart { game: "tictactoe".to_owned(), start: None, seed: 1 };
        let seats = vec![PROGRAM.to_owned(); 2];
        let id = tables.create(game_start, seats, Vec::new(), None).unwrap().id;
        let table = tables.find(&id).unwrap();
        let is_over = async {
            while lock(&table).outcome().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), is_over).await.expect("the game ends");
        assert!(tables.memory.try_reserve("all", tables.memory.total()).is_ok());
    }
}
