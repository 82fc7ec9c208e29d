//! All tables: those in memory and those on disk. What happens at them while players think is in [`super::thinking`].

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use outplay_lab::{AnyGame, Store, open_game};
use outplay_runtime::MemoryBudget;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::clocks::{TableClocks, TimeControl};
use super::document::{TableInfo, TableSummary};
use super::errors::StudioTableError;
use super::open_table::OpenTable;
use super::saved_table::{GameStart, SavedTable};
use super::thinking::unload_idle_players;
use crate::bounds::{self, BoundError};
use crate::clock;
use crate::database::{DocumentKind, StudioDatabase};
use crate::jobs::JobFiles;
use crate::refusal::{Refusal, Resource};
use crate::socket::TopicMessage;
use crate::specs::{self, HUMAN};

/// How long a game that is lost on time waits until it is saved again, where that was not possible.
const SAVE_AGAIN: Duration = Duration::from_secs(1);

/// A table in memory, shared by all who use it.
pub(crate) type SharedTable = Arc<Mutex<OpenTable>>;

/// All tables.
pub(crate) struct StudioTables {
    database: Arc<StudioDatabase>,
    pub(super) store: Arc<Store>,
    files: JobFiles,
    threads: usize,
    open: Mutex<HashMap<String, SharedTable>>,
    /// Permits to think at tables where a person waits.
    pub(super) awaited: Arc<Semaphore>,
    /// Permits to think where programs play each other: however many such games there are, a person does not wait for them.
    pub(super) unattended: Arc<Semaphore>,
    /// The memory that all players at tables and in analyses may use together: a part of the studio's.
    pub(super) memory: Arc<MemoryBudget>,
    pub(super) runtime: Handle,
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
        // Nothing is reserved yet when the studio opens.
        let memory = store.memory().set_aside(bounds::player_memory(store.memory().total()));
        let open = Mutex::default();
        let tables = Self { database, store, files, threads, open, awaited, unattended, memory, runtime };
        let tables = Arc::new(tables);
        tables.runtime.spawn(unload_idle_players(Arc::downgrade(&tables)));
        tables
    }

    pub(super) fn open(&self) -> MutexGuard<'_, HashMap<String, SharedTable>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game that a request names.
    pub(crate) fn open_board(&self, game: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
        specs::parse(game)?;
        Ok(Arc::from(open_game(game, &self.store)?))
    }

    /// The player that a request names, in the form that the lab reads.
    pub(crate) fn player(&self, board: &dyn AnyGame, text: &str) -> Result<String, Refusal> {
        specs::player(board, text, self.threads, &|id| self.files.path(id))
    }

    fn check_seats(&self, board: &dyn AnyGame, seats: &[String]) -> Result<(), Refusal> {
        if seats.len() != board.info().seats {
            return Err(StudioTableError::Seats { given: seats.len(), expected: board.info().seats }.into());
        }
        for player in seats.iter().filter(|player| *player != HUMAN) {
            self.player(board, player)?;
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
        let board = self.open_board(&game_start.game)?;
        self.check_seats(&*board, &seats)?;
        control.map_or(Ok(()), |control| control.check(seats.len()))?;
        if moves.len() > bounds::MOVES {
            return Err(BoundError::Moves { given: moves.len(), most: bounds::MOVES }.into());
        }
        if self.database.count(DocumentKind::Table)? >= bounds::TABLES {
            return Err(BoundError::Tables { most: bounds::TABLES }.into());
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
        let mut live = OpenTable::set_up(saved, board, spec)?;
        live.mark_changed();
        self.database.insert(DocumentKind::Table, &live.saved.id, live.saved.updated, &live.saved)?;
        let table = self.keep(live)?;
        let mut live = lock(&table);
        self.resume_play(&table, &mut live);
        Ok(publish(&live))
    }

    /// Adds a table to those in memory, unless it is there already, and drops idle ones that exceed the bound.
    /// Returns the one that is in memory.
    fn keep(&self, live: OpenTable) -> Result<SharedTable, Refusal> {
        let id = live.saved.id.clone();
        let mut open = self.open();
        if let Some(known) = open.get(&id) {
            return Ok(Arc::clone(known));
        }
        // It may have been removed since it was read. Asked under the lock: `remove` then finds in memory what is added here.
        if !self.database.has(DocumentKind::Table, &id)? {
            return Err(Refusal::unknown(Resource::Table, &id));
        }
        let table = Arc::new(Mutex::new(live));
        open.insert(id, Arc::clone(&table));
        drop_idle(&mut open);
        Ok(table)
    }

    /// The table with this identifier, from memory or from disk.
    pub(crate) fn find(self: &Arc<Self>, id: &str) -> Result<SharedTable, Refusal> {
        if let Some(table) = self.open().get(id) {
            return Ok(Arc::clone(table));
        }
        let unknown = || Refusal::unknown(Resource::Table, id);
        if !clock::is_id(id) {
            return Err(unknown());
        }
        let saved: SavedTable = self.database.get(DocumentKind::Table, id)?.ok_or_else(unknown)?;
        let (board, spec) = (self.open_board(&saved.game_start.game)?, specs::parse(&saved.game_start.game)?);
        // Another request may have loaded it in the meantime.
        let table = self.keep(OpenTable::set_up(saved, board, spec)?)?;
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
            lock(table).close();
        }
    }

    /// Removes a table. What is still under way at it changes nothing and shows nothing.
    pub(crate) fn remove(&self, id: &str) -> Result<(), Refusal> {
        let known = clock::is_id(id) && self.database.remove(DocumentKind::Table, id)?;
        if !known {
            return Err(Refusal::unknown(Resource::Table, id));
        }
        let removed = self.open().remove(id);
        if let Some(table) = removed {
            let mut live = lock(&table);
            live.is_removed = true;
            live.close();
            live.updates.send_replace(TopicMessage::gone(&format!("table:{id}"), Resource::Table, id));
        }
        Ok(())
    }

    /// Changes a table, saves it, lets the next player think, and publishes it. If it cannot be saved, nothing has changed.
    pub(crate) fn change(
        self: &Arc<Self>,
        table: &SharedTable,
        change: impl FnOnce(&mut OpenTable) -> Result<(), Refusal>,
    ) -> Result<TableInfo, Refusal> {
        let mut live = lock(table);
        let is_late = self.apply(table, &mut live, change)?;
        let document = publish(&live);
        if is_late { Err(StudioTableError::TimeIsUp.into()) } else { Ok(document) }
    }

    /// Changes a table, saves it and lets the next player think. If the time of the side to move is up, that is saved in place of the
    /// change, and the answer is true. If nothing could be saved, the table is as before.
    pub(super) fn apply(
        self: &Arc<Self>,
        table: &SharedTable,
        live: &mut OpenTable,
        change: impl FnOnce(&mut OpenTable) -> Result<(), Refusal>,
    ) -> Result<bool, Refusal> {
        let backup = live.backup();
        live.trouble = None;
        let is_late = live.stop_clock();
        let changed = if is_late { Ok(()) } else { change(live) };
        let saved = changed.and_then(|()| {
            live.mark_changed();
            self.database.update(DocumentKind::Table, &live.saved.id, live.saved.updated, &live.saved)
        });
        if let Err(refusal) = saved {
            live.restore(backup);
            return Err(refusal);
        }
        live.stop_cancelled();
        live.unload_if_over();
        self.resume_play(table, live);
        Ok(is_late)
    }

    /// Lets the next player think and starts its clock.
    fn resume_play(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) {
        self.start_thinking(table, live);
        live.start_clock();
        self.set_alarm(table, live, Duration::ZERO);
    }

    /// Sees to it that a program is asked for its move in time, and that the game ends when the time of the side to move is up.
    fn set_alarm(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable, earliest: Duration) {
        if let Some(alarm) = live.alarm.take() {
            alarm.abort();
        }
        let Some((share, left)) = live.time_limits() else { return };
        let thinking = live.thinking.as_ref().map(|thinking| Arc::clone(&thinking.stop));
        let (tables, table) = (Arc::clone(self), Arc::downgrade(table));
        let wait = async move {
            tokio::time::sleep(share).await;
            if let Some(stop) = thinking {
                stop.store(true, Ordering::Relaxed);
            }
            tokio::time::sleep(left.max(earliest).saturating_sub(share)).await;
            let on_time_up = move || table.upgrade().map(|table| tables.on_time_up(&table));
            let _ = tokio::task::spawn_blocking(on_time_up).await;
        };
        live.alarm = Some(self.runtime.spawn(wait).abort_handle());
    }

    /// Called when the time of the side to move may be up. Where that cannot be saved, it is tried again.
    fn on_time_up(self: &Arc<Self>, table: &SharedTable) {
        let mut live = lock(table);
        let Some((_, left)) = live.time_limits() else { return };
        if !left.is_zero() {
            return self.set_alarm(table, &mut live, Duration::ZERO);
        }
        if let Err(refusal) = self.apply(table, &mut live, |_| Ok(())) {
            live.show_trouble(refusal);
            self.set_alarm(table, &mut live, SAVE_AGAIN);
        }
        publish(&live);
    }

    /// Asks the player that is thinking to move now.
    pub(crate) fn hurry(self: &Arc<Self>, id: &str) -> Result<TableInfo, Refusal> {
        let table = self.find(id)?;
        let live = lock(&table);
        live.hurry()?;
        Ok(live.document())
    }

    /// Seats other players.
    pub(crate) fn seat(self: &Arc<Self>, id: &str, seats: Vec<String>) -> Result<TableInfo, Refusal> {
        let table = self.find(id)?;
        let board = Arc::clone(&lock(&table).board);
        self.check_seats(&*board, &seats)?;
        self.change(&table, |live| {
            live.seat_players(seats);
            Ok(())
        })
    }
}

/// Drops the tables that have been idle for longest, if there are more than may be kept.
fn drop_idle(open: &mut HashMap<String, SharedTable>) {
    let surplus = open.len().saturating_sub(bounds::IDLE_TABLES);
    if surplus == 0 {
        return;
    }
    let mut idle: Vec<(i64, String)> = open
        .iter()
        .filter(|(_, table)| Arc::strong_count(table) == 1)
        .filter_map(|(id, table)| {
            let live = table.try_lock().ok()?;
            let needed = live.thinking.is_some() || live.updates.receiver_count() > 0;
            (!needed).then(|| (live.saved.updated, id.clone()))
        })
        .collect();
    idle.sort_unstable();
    for (_, id) in idle.into_iter().take(surplus) {
        open.remove(&id);
    }
}

/// Sends the table to all who follow it.
pub(super) fn publish(live: &OpenTable) -> TableInfo {
    let document = live.document();
    if !live.is_removed {
        live.updates.send_replace(TopicMessage::of(&format!("table:{}", document.id), "table", &document));
    }
    document
}
