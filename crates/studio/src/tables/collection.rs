//! All tables: those in memory, those on disk, and the players that think at them.
//!
//! Players think on blocking threads, never under the lock of their table.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use outplay_core::Seat;
use outplay_lab::{AnyGame, LabError, Opinion, Store, open_game};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::clocks::{TableClocks, TimeControl};
use super::document::{OpinionInfo, TableInfo, TableSummary};
use super::open_table::{GameStart, OpenTable, SavedTable, ThinkingPlayer};
use super::player_memory::{PlayerMemory, unload_idle_players};
use super::seated_player::SeatedPlayer;
use crate::database::{DocumentKind, StudioDatabase};
use crate::jobs::JobFiles;
use crate::refusal::{Code, Refusal};
use crate::socket::TopicMessage;
use crate::specs::{self, HUMAN};
use crate::{bounds, clock};

/// A table in memory, shared by all who use it.
pub(crate) type SharedTable = Arc<Mutex<OpenTable>>;

/// All tables.
pub(crate) struct StudioTables {
    database: Arc<StudioDatabase>,
    store: Arc<Store>,
    files: JobFiles,
    threads: usize,
    open: Mutex<HashMap<String, SharedTable>>,
    /// Permits to think at tables where a person waits.
    awaited: Arc<Semaphore>,
    /// Permits to think where programs play each other: however many such games there are, a person does not wait for them.
    unattended: Arc<Semaphore>,
    memory: PlayerMemory,
    runtime: Handle,
}

/// What a player needs to think about a position.
struct ThinkTask {
    number: u64,
    seat: Seat,
    player: String,
    game_start: GameStart,
    moves: Vec<String>,
    house: Arc<dyn AnyGame>,
    stop: Arc<AtomicBool>,
}

pub(crate) fn lock(table: &SharedTable) -> MutexGuard<'_, OpenTable> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StudioTables {
    pub(crate) fn new(
        database: Arc<StudioDatabase>,
        store: Arc<Store>,
        files: JobFiles,
        threads: usize,
        runtime: Handle,
    ) -> Arc<Self> {
        let awaited = Arc::new(Semaphore::new(bounds::AWAITED_PLAYERS));
        let unattended = Arc::new(Semaphore::new(bounds::UNATTENDED_PLAYERS));
        let (open, memory) = (Mutex::default(), PlayerMemory::new());
        let tables = Self { database, store, files, threads, open, awaited, unattended, memory, runtime };
        let tables = Arc::new(tables);
        tables.runtime.spawn(unload_idle_players(Arc::downgrade(&tables)));
        tables
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, SharedTable>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game that a request names.
    pub(crate) fn house(&self, game: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
        specs::parse(game)?;
        Ok(Arc::from(open_game(game, &self.store)?))
    }

    /// The player that a request names, in the form that the lab reads.
    pub(crate) fn player(&self, house: &dyn AnyGame, text: &str) -> Result<String, Refusal> {
        specs::player(house, text, self.threads, &|id| self.files.path(id))
    }

    fn check_seats(&self, house: &dyn AnyGame, seats: &[String]) -> Result<(), Refusal> {
        if seats.len() != house.info().seats {
            let (given, expected) = (seats.len(), house.info().seats);
            return Err(Refusal::refused(format!("{given} players were named, but the game has {expected}")));
        }
        for player in seats.iter().filter(|player| *player != HUMAN) {
            self.player(house, player)?;
        }
        Ok(())
    }

    /// Makes a new table.
    pub(crate) fn create(
        self: &Arc<Self>,
        game_start: GameStart,
        seats: Vec<String>,
        moves: Vec<String>,
        control: Option<TimeControl>,
    ) -> Result<TableInfo, Refusal> {
        let house = self.house(&game_start.game)?;
        self.check_seats(&*house, &seats)?;
        control.map_or(Ok(()), |control| control.check(seats.len()))?;
        if moves.len() > bounds::MOVES {
            let refusal = format!("{} moves are too many: expected at most {}", moves.len(), bounds::MOVES);
            return Err(Refusal::refused(refusal));
        }
        if self.database.count(DocumentKind::Table)? >= bounds::TABLES {
            let refusal = format!("there are {} tables already: remove some", bounds::TABLES);
            return Err(Refusal::new(Code::Busy, refusal));
        }
        let now = clock::now();
        let saved = SavedTable {
            id: clock::new_id(),
            rev: 0,
            game_start,
            seats,
            moves,
            undone: Vec::new(),
            resigned: None,
            paused: false,
            opinion: None,
            times: TableClocks::new(control),
            created: now,
            updated: now,
            to_move: None,
            ended: None,
        };
        let spec = specs::parse(&saved.game_start.game)?;
        let id = saved.id.clone();
        let table = self.keep(id, Arc::new(Mutex::new(OpenTable::set_up(saved, house, spec)?)));
        self.change(&table, |_| Ok(()))
    }

    /// Adds a table to those in memory, unless it is there already, and drops idle ones that exceed the bound.
    /// Returns the one that is in memory.
    fn keep(&self, id: String, table: SharedTable) -> SharedTable {
        let mut open = self.open();
        let kept = Arc::clone(open.entry(id).or_insert(table));
        if open.len() <= bounds::IDLE_TABLES {
            return kept;
        }
        let mut idle: Vec<(i64, String)> = open
            .iter()
            .filter(|(_, other)| Arc::strong_count(other) == 1)
            .filter_map(|(id, other)| {
                let live = other.try_lock().ok()?;
                let needed = live.thinking.is_some() || live.updates.receiver_count() > 0;
                (!needed).then(|| (live.saved.updated, id.clone()))
            })
            .collect();
        idle.sort_unstable();
        let surplus = open.len() - bounds::IDLE_TABLES;
        for (_, id) in idle.into_iter().take(surplus) {
            open.remove(&id);
        }
        kept
    }

    /// The table with this identifier, from memory or from disk.
    pub(crate) fn find(self: &Arc<Self>, id: &str) -> Result<SharedTable, Refusal> {
        if let Some(table) = self.open().get(id) {
            return Ok(Arc::clone(table));
        }
        let unknown = || Refusal::unknown("table", id);
        if !clock::is_id(id) {
            return Err(unknown());
        }
        let saved: SavedTable = self.database.get(DocumentKind::Table, id)?.ok_or_else(unknown)?;
        let (house, spec) = (self.house(&saved.game_start.game)?, specs::parse(&saved.game_start.game)?);
        // Another request may have loaded it in the meantime.
        let table = self.keep(id.to_owned(), Arc::new(Mutex::new(OpenTable::set_up(saved, house, spec)?)));
        {
            let mut live = lock(&table);
            self.resume_play(&table, &mut live);
            publish(&live);
        }
        Ok(table)
    }

    /// The updates of a table.
    pub(crate) fn follow(self: &Arc<Self>, id: &str) -> Result<watch::Receiver<TopicMessage>, Refusal> {
        let table = self.find(id)?;
        let live = lock(&table);
        Ok(live.updates.subscribe())
    }

    /// The newest tables.
    pub(crate) fn list(&self, limit: usize) -> Result<Vec<TableSummary>, Refusal> {
        let saved: Vec<SavedTable> = self.database.newest(DocumentKind::Table, limit)?;
        Ok(saved.into_iter().map(SavedTable::summary).collect())
    }

    /// Stops all players; they think again when their table is next opened.
    pub(crate) fn close(&self) {
        for table in self.open().values() {
            lock(table).cancel_thinking();
        }
    }

    /// Removes a table.
    pub(crate) fn remove(&self, id: &str) -> Result<(), Refusal> {
        let known = clock::is_id(id) && self.database.remove(DocumentKind::Table, id)?;
        if !known {
            return Err(Refusal::unknown("table", id));
        }
        if let Some(table) = self.open().remove(id) {
            let mut live = lock(&table);
            live.cancel_thinking();
            live.updates.send_replace(TopicMessage::gone("table", id));
        }
        Ok(())
    }

    /// Changes a table, saves it, lets the next player think, and publishes it.
    pub(crate) fn change(
        self: &Arc<Self>,
        table: &SharedTable,
        change: impl FnOnce(&mut OpenTable) -> Result<(), Refusal>,
    ) -> Result<TableInfo, Refusal> {
        let mut live = lock(table);
        if live.stop_clock() {
            self.settle(table, &mut live)?;
            publish(&live);
            return Err(Refusal::refused("the time is up: the game is over"));
        }
        if let Err(refusal) = change(&mut live) {
            self.resume_play(table, &mut live);
            return Err(refusal);
        }
        self.settle(table, &mut live)?;
        Ok(publish(&live))
    }

    fn settle(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) -> Result<(), Refusal> {
        live.mark_changed();
        self.database.put(DocumentKind::Table, &live.saved.id, live.saved.updated, &live.saved)?;
        self.resume_play(table, live);
        Ok(())
    }

    /// Lets the next player think and starts its clock.
    fn resume_play(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) {
        self.start_thinking(table, live);
        live.start_clock();
        let Some((share, left)) = live.time_limits() else { return };
        let thinking = live.thinking.as_ref().map(|thinking| Arc::clone(&thinking.stop));
        let (tables, table) = (Arc::clone(self), Arc::downgrade(table));
        let wait = async move {
            tokio::time::sleep(share).await;
            if let Some(stop) = thinking {
                stop.store(true, Ordering::Relaxed);
            }
            tokio::time::sleep(left.saturating_sub(share)).await;
            let on_time_up = move || table.upgrade().map(|table| tables.on_time_up(&table));
            let _ = tokio::task::spawn_blocking(on_time_up).await;
        };
        live.alarm = Some(self.runtime.spawn(wait).abort_handle());
    }

    /// Called when the time of the side to move may be up.
    fn on_time_up(self: &Arc<Self>, table: &SharedTable) {
        let mut live = lock(table);
        if !live.stop_clock() {
            self.resume_play(table, &mut live);
        } else if let Err(refusal) = self.settle(table, &mut live) {
            live.fail(refusal);
        }
        publish(&live);
    }

    /// Seats other players.
    pub(crate) fn seat(self: &Arc<Self>, id: &str, seats: Vec<String>) -> Result<TableInfo, Refusal> {
        let table = self.find(id)?;
        let house = Arc::clone(&lock(&table).house);
        self.check_seats(&*house, &seats)?;
        self.change(&table, |live| {
            live.seat_players(seats);
            Ok(())
        })
    }

    /// Lets the player to move think, if it is a program.
    fn start_thinking(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) {
        let Some((seat, name)) = live.next_program() else { return };
        let name = name.to_owned();
        let player = match self.player(&*live.house, &name) {
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
            house: Arc::clone(&live.house),
            stop: Arc::default(),
        };
        live.saved.rev += 1;
        live.thinking = Some(ThinkingPlayer {
            number: task.number,
            player: name,
            began: clock::now(),
            stop: Arc::clone(&task.stop),
            so_far: None,
        });
        let is_awaited = live.saved.seats.iter().any(|seat| seat == HUMAN);
        let turns = Arc::clone(if is_awaited { &self.awaited } else { &self.unattended });
        let (tables, table) = (Arc::clone(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
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
        let mut shown = Instant::now();
        let mut on_opinion = |opinion: Opinion| {
            if shown.elapsed() >= bounds::THOUGHT_INTERVAL {
                shown = Instant::now();
                show_progress(table, task.number, opinion);
            }
        };
        let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.think(task, seated, &mut on_opinion)
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
        on_opinion: &mut dyn FnMut(Opinion),
    ) -> ThinkResult {
        let ThinkTask { seat, player, game_start, house, .. } = task;
        let seated = seated.filter(|seated| seated.is(*seat, player));
        let loaded = seated
            .map_or_else(|| SeatedPlayer::new(&**house, game_start, *seat, player), Ok)
            .and_then(|mut seated| {
                if seated.is_unloaded() {
                    let free_memory = || self.unload_idle(Duration::ZERO);
                    let size = house.player_memory(player)?.min(bounds::PLAYER_MEMORY);
                    seated.load(self.memory.take(size, &self.runtime, free_memory))?;
                }
                Ok(seated)
            });
        match loaded {
            Ok(mut seated) => {
                let opinion = seated.think(&task.moves, &task.stop, Some(on_opinion));
                (opinion.is_ok().then_some(seated), opinion)
            }
            Err(error) => (None, Err(error)),
        }
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
        let (mut seated, opinion) = thought.map_or((None, None), |(seated, opinion)| (seated, Some(opinion)));
        if let Some(seated) = seated.as_mut().filter(|_| self.memory.has_waiters()) {
            seated.unload_after(Duration::ZERO);
        }
        if is_asked || live.players[seat.index()].is_none() {
            live.players[seat.index()] = seated;
        }
        if !is_asked {
            return;
        }
        if live.stop_clock() {
            if let Err(refusal) = self.settle(table, &mut live) {
                live.fail(refusal);
            }
            publish(&live);
            return;
        }
        let player = live.thinking.take().map(|thinking| thinking.player).unwrap_or_default();
        let panicked = || Refusal::new(Code::Failed, format!("{player} broke off by a fault of the program"));
        let played = opinion.ok_or_else(panicked).and_then(|opinion| {
            let opinion = opinion?;
            let (ply, best) = (live.saved.moves.len(), opinion.best.clone());
            let said = OpinionInfo::of(&player, opinion);
            live.make(&best)?;
            live.saved.opinion = Some(OpinionInfo { ply: Some(ply), ..said });
            Ok(())
        });
        if let Err(refusal) = played.and_then(|()| self.settle(table, &mut live)) {
            live.fail(refusal);
        }
        publish(&live);
    }
}

/// The player, to be asked again, and its opinion.
type ThinkResult = (Option<SeatedPlayer>, Result<Opinion, LabError>);

/// Publishes what a player thinks so far, if it was not cancelled.
fn show_progress(table: &Weak<Mutex<OpenTable>>, number: u64, opinion: Opinion) {
    let Some(table) = table.upgrade() else { return };
    let mut live = lock(&table);
    let Some(player) = live.thinking.as_ref().filter(|thinking| thinking.number == number) else { return };
    let said = OpinionInfo::of(&player.player, opinion);
    if let Some(thinking) = &mut live.thinking {
        thinking.so_far = Some(said);
    }
    live.saved.rev += 1;
    publish(&live);
}

/// Sends the table to all who follow it.
fn publish(live: &OpenTable) -> TableInfo {
    let document = live.document();
    live.updates.send_replace(TopicMessage::of(&format!("table:{}", document.id), "table", &document));
    document
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let all_but_one =
            tables.memory.try_take(bounds::PLAYER_MEMORY - outplay_lab::registry::USUAL_MEMORY).unwrap();
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
            assert_eq!(tables.memory.try_take(bounds::PLAYER_MEMORY).is_some(), is_free);
        }
    }
}
