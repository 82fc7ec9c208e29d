//! All tables: those in memory and those on disk. What happens at them while players think is in [`super::thinking`].

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outplay_lab::{AnyGame, Store, open_game};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::clocks::{TableClocks, TimeControl};
use super::document::{TableInfo, TableSummary};
use super::errors::StudioTableError;
use super::open_table::OpenTable;
use super::player_memory::{PlayerMemory, unload_idle_players};
use super::saved_table::{GameStart, SavedTable};
use crate::bounds::{self, BoundError};
use crate::clock;
use crate::database::{DocumentKind, StudioDatabase};
use crate::jobs::JobFiles;
use crate::refusal::{Refusal, Resource};
use crate::socket::TopicMessage;
use crate::specs::{self, HUMAN};

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
    pub(super) awaited: Arc<Semaphore>,
    /// Permits to think where programs play each other: however many such games there are, a person does not wait for them.
    pub(super) unattended: Arc<Semaphore>,
    pub(super) memory: PlayerMemory,
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
        let (open, memory) = (Mutex::default(), PlayerMemory::of(store.memory()));
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
        let id = saved.id.clone();
        let table = self.keep(id, Arc::new(Mutex::new(OpenTable::set_up(saved, board, spec)?)));
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
        let unknown = || Refusal::unknown(Resource::Table, id);
        if !clock::is_id(id) {
            return Err(unknown());
        }
        let saved: SavedTable = self.database.get(DocumentKind::Table, id)?.ok_or_else(unknown)?;
        let (board, spec) = (self.open_board(&saved.game_start.game)?, specs::parse(&saved.game_start.game)?);
        // Another request may have loaded it in the meantime.
        let table = self.keep(id.to_owned(), Arc::new(Mutex::new(OpenTable::set_up(saved, board, spec)?)));
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
            return Err(Refusal::unknown(Resource::Table, id));
        }
        if let Some(table) = self.open().remove(id) {
            let mut live = lock(&table);
            live.cancel_thinking();
            live.updates.send_replace(TopicMessage::gone(&format!("table:{id}"), Resource::Table, id));
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
            return Err(StudioTableError::TimeIsUp.into());
        }
        if let Err(refusal) = change(&mut live) {
            self.resume_play(table, &mut live);
            return Err(refusal);
        }
        self.settle(table, &mut live)?;
        Ok(publish(&live))
    }

    pub(super) fn settle(self: &Arc<Self>, table: &SharedTable, live: &mut OpenTable) -> Result<(), Refusal> {
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
        let board = Arc::clone(&lock(&table).board);
        self.check_seats(&*board, &seats)?;
        self.change(&table, |live| {
            live.seat_players(seats);
            Ok(())
        })
    }
}

/// Sends the table to all who follow it.
pub(super) fn publish(live: &OpenTable) -> TableInfo {
    let document = live.document();
    live.updates.send_replace(TopicMessage::of(&format!("table:{}", document.id), "table", &document));
    document
}
