//! All tables: those in memory, those on disk, and the players that think at them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use outplay_core::Seat;
use outplay_lab::{House, LabError, Opinion, Store, open_game};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::document::{OpinionInfo, TableInfo, TableSummary};
use super::live::{Given, Live, Saved, Thinking};
use super::memory::{Memory, size_of, tidy};
use super::mind::Mind;
use super::timing::{Control, Times};
use crate::database::{Database, Shelf};
use crate::jobs::Models;
use crate::live::Payload;
use crate::refusal::{Code, Refusal};
use crate::terms::{self, HUMAN};
use crate::{bounds, clock};

/// A table that several may look at.
pub(crate) type Shared = Arc<Mutex<Live>>;

/// All tables.
pub(crate) struct Hall {
    database: Arc<Database>,
    store: Arc<Store>,
    models: Models,
    threads: usize,
    open: Mutex<HashMap<String, Shared>>,
    /// Turns of those whom a person waits for.
    thinkers: Arc<Semaphore>,
    /// Turns of those who play among themselves: however many games there are, a person does not wait behind them.
    unattended: Arc<Semaphore>,
    memory: Memory,
    runtime: Handle,
}

/// What someone who thinks is given.
struct Task {
    number: u64,
    seat: Seat,
    player: String,
    given: Given,
    moves: Vec<String>,
    house: Arc<dyn House>,
    stop: Arc<AtomicBool>,
}

pub(crate) fn lock(table: &Shared) -> MutexGuard<'_, Live> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall {
    pub(crate) fn new(
        database: Arc<Database>,
        store: Arc<Store>,
        models: Models,
        threads: usize,
        runtime: Handle,
    ) -> Arc<Self> {
        let thinkers = Arc::new(Semaphore::new(bounds::AWAITED_PLAYERS));
        let unattended = Arc::new(Semaphore::new(bounds::UNATTENDED_PLAYERS));
        let (open, memory) = (Mutex::default(), Memory::new());
        let hall = Self { database, store, models, threads, open, thinkers, unattended, memory, runtime };
        let hall = Arc::new(hall);
        hall.runtime.spawn(tidy(Arc::downgrade(&hall)));
        hall
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Shared>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The house of the game that a request names.
    pub(crate) fn house(&self, game: &str) -> Result<Arc<dyn House>, Refusal> {
        terms::parse(game)?;
        Ok(Arc::from(open_game(game, &self.store)?))
    }

    /// The player of a request, as the lab reads it.
    pub(crate) fn player(&self, house: &dyn House, text: &str) -> Result<String, Refusal> {
        terms::player(house, text, self.threads, &|id| self.models.path(id))
    }

    fn check_seats(&self, house: &dyn House, seats: &[String]) -> Result<(), Refusal> {
        if seats.len() != house.seats() {
            let (given, expected) = (seats.len(), house.seats());
            return Err(Refusal::refused(format!("{given} players were named, but the game has {expected}")));
        }
        for player in seats.iter().filter(|player| *player != HUMAN) {
            self.player(house, player)?;
        }
        Ok(())
    }

    /// A new table.
    pub(crate) fn set_table(
        self: &Arc<Self>,
        given: Given,
        seats: Vec<String>,
        moves: Vec<String>,
        control: Option<Control>,
    ) -> Result<TableInfo, Refusal> {
        let house = self.house(&given.game)?;
        self.check_seats(&*house, &seats)?;
        control.map_or(Ok(()), |control| control.check(seats.len()))?;
        if moves.len() > bounds::MOVES {
            let refusal = format!("{} moves are too many: expected at most {}", moves.len(), bounds::MOVES);
            return Err(Refusal::refused(refusal));
        }
        if self.database.count(Shelf::Tables)? >= bounds::TABLES {
            let refusal = format!("there are {} tables already: remove some", bounds::TABLES);
            return Err(Refusal::new(Code::Busy, refusal));
        }
        let now = clock::now();
        let saved = Saved {
            id: clock::new_id(),
            rev: 0,
            given,
            seats,
            moves,
            undone: Vec::new(),
            resigned: None,
            paused: false,
            opinion: None,
            times: Times::new(control),
            created: now,
            updated: now,
            to_move: None,
            ended: None,
        };
        let spec = terms::parse(&saved.given.game)?;
        let id = saved.id.clone();
        let table = self.keep(id, Arc::new(Mutex::new(Live::set_up(saved, house, spec)?)));
        self.change(&table, |_| Ok(()))
    }

    /// Puts a table among those in memory, unless it is there already, and lets go of some that nobody needs there.
    /// Returns the one that is there.
    fn keep(&self, id: String, table: Shared) -> Shared {
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
                let needed = live.thinking.is_some() || live.shown.receiver_count() > 0;
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

    /// The table of this name, from memory or from disk.
    pub(crate) fn find(self: &Arc<Self>, id: &str) -> Result<Shared, Refusal> {
        if let Some(table) = self.open().get(id) {
            return Ok(Arc::clone(table));
        }
        let unknown = || Refusal::unknown("table", id);
        if !clock::is_id(id) {
            return Err(unknown());
        }
        let saved: Saved = self.database.get(Shelf::Tables, id)?.ok_or_else(unknown)?;
        let (house, spec) = (self.house(&saved.given.game)?, terms::parse(&saved.given.game)?);
        // Someone else may have been quicker.
        let table = self.keep(id.to_owned(), Arc::new(Mutex::new(Live::set_up(saved, house, spec)?)));
        {
            let mut live = lock(&table);
            self.set_going(&table, &mut live);
            publish(&live);
        }
        Ok(table)
    }

    /// Whoever wants to follow a table.
    pub(crate) fn follow(self: &Arc<Self>, id: &str) -> Result<watch::Receiver<Payload>, Refusal> {
        let table = self.find(id)?;
        let live = lock(&table);
        Ok(live.shown.subscribe())
    }

    /// The newest tables.
    pub(crate) fn list(&self, limit: usize) -> Result<Vec<TableSummary>, Refusal> {
        let saved: Vec<Saved> = self.database.newest(Shelf::Tables, limit)?;
        Ok(saved.into_iter().map(Saved::summary).collect())
    }

    /// Stops whoever thinks; at the next look at their tables they think again.
    pub(crate) fn close(&self) {
        for table in self.open().values() {
            lock(table).abandon();
        }
    }

    /// Removes a table.
    pub(crate) fn remove(&self, id: &str) -> Result<(), Refusal> {
        let known = clock::is_id(id) && self.database.remove(Shelf::Tables, id)?;
        if !known {
            return Err(Refusal::unknown("table", id));
        }
        if let Some(table) = self.open().remove(id) {
            let mut live = lock(&table);
            live.abandon();
            live.shown.send_replace(Payload::gone("table", id));
        }
        Ok(())
    }

    /// Changes a table, saves it, lets the next player think, and shows it.
    pub(crate) fn change(
        self: &Arc<Self>,
        table: &Shared,
        change: impl FnOnce(&mut Live) -> Result<(), Refusal>,
    ) -> Result<TableInfo, Refusal> {
        let mut live = lock(table);
        if live.stop_clock() {
            self.settle(table, &mut live)?;
            publish(&live);
            return Err(Refusal::refused("the time is up: the game is over"));
        }
        if let Err(refusal) = change(&mut live) {
            self.set_going(table, &mut live);
            return Err(refusal);
        }
        self.settle(table, &mut live)?;
        Ok(publish(&live))
    }

    fn settle(self: &Arc<Self>, table: &Shared, live: &mut Live) -> Result<(), Refusal> {
        live.touch();
        self.database.put(Shelf::Tables, &live.saved.id, live.saved.updated, &live.saved)?;
        self.set_going(table, live);
        Ok(())
    }

    /// Lets the next player think, and its clock run.
    fn set_going(self: &Arc<Self>, table: &Shared, live: &mut Live) {
        self.drive(table, live);
        live.start_clock();
        let Some((share, left)) = live.limits() else { return };
        let thinking = live.thinking.as_ref().map(|thinking| Arc::clone(&thinking.stop));
        let (hall, table) = (Arc::clone(self), Arc::downgrade(table));
        let wait = async move {
            tokio::time::sleep(share).await;
            if let Some(stop) = thinking {
                stop.store(true, Ordering::Relaxed);
            }
            tokio::time::sleep(left.saturating_sub(share)).await;
            let ring = move || table.upgrade().map(|table| hall.ring(&table));
            let _ = tokio::task::spawn_blocking(ring).await;
        };
        live.alarm = Some(self.runtime.spawn(wait).abort_handle());
    }

    /// The time of whoever is to move may be up.
    fn ring(self: &Arc<Self>, table: &Shared) {
        let mut live = lock(table);
        if !live.stop_clock() {
            self.set_going(table, &mut live);
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
            live.seat(seats);
            Ok(())
        })
    }

    /// Lets the player who is to move think, if one is.
    fn drive(self: &Arc<Self>, table: &Shared, live: &mut Live) {
        let Some((seat, name)) = live.waits_for() else { return };
        let name = name.to_owned();
        let player = match self.player(&*live.house, &name) {
            Ok(player) => player,
            Err(refusal) => {
                live.fail(refusal);
                return;
            }
        };
        let task = Task {
            number: clock::chance(),
            seat,
            player,
            given: live.saved.given.clone(),
            moves: live.saved.moves.clone(),
            house: Arc::clone(&live.house),
            stop: Arc::default(),
        };
        live.saved.rev += 1;
        live.thinking = Some(Thinking {
            number: task.number,
            player: name,
            began: clock::now(),
            stop: Arc::clone(&task.stop),
            so_far: None,
        });
        let is_awaited = live.saved.seats.iter().any(|seat| seat == HUMAN);
        let turns = Arc::clone(if is_awaited { &self.thinkers } else { &self.unattended });
        let (hall, table) = (Arc::clone(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
            let Ok(_permit) = turns.acquire_owned().await else { return };
            let work = move || {
                let (seat, number) = (task.seat, task.number);
                // Not before its turn: whoever waits for that keeps its room only as long as nobody else needs it.
                let Some(mind) = table.upgrade().map(|table| lock(&table).minds[seat.index()].take()) else {
                    return;
                };
                let mut heard = Instant::now();
                let mut hear = |opinion: Opinion| {
                    if heard.elapsed() >= bounds::THOUGHT_INTERVAL {
                        heard = Instant::now();
                        overhear(&table, number, opinion);
                    }
                };
                let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    hall.think(&task, mind, &mut hear)
                }));
                let Some(table) = table.upgrade() else { return };
                hall.conclude(&table, seat, number, thought.ok());
            };
            let _ = tokio::task::spawn_blocking(work).await;
        });
    }

    /// What a player thinks, who is waked if it rests or made if there is no other.
    fn think(&self, task: &Task, mind: Option<Mind>, hear: &mut dyn FnMut(Opinion)) -> Thought {
        let Task { seat, player, given, house, .. } = task;
        let mind = mind.filter(|mind| mind.is(*seat, player));
        let awake =
            mind.map_or_else(|| Mind::new(&**house, given, *seat, player), Ok).and_then(|mut mind| {
                if mind.rests() {
                    let make_room = || self.let_rest(Duration::ZERO);
                    mind.wake(self.memory.take(size_of(player), &self.runtime, make_room))?;
                }
                Ok(mind)
            });
        match awake {
            Ok(mut mind) => {
                let opinion = mind.think(&task.moves, &task.stop, Some(hear));
                (opinion.is_ok().then_some(mind), opinion)
            }
            Err(error) => (None, Err(error)),
        }
    }

    /// Lets the players go that were not asked for this long.
    pub(super) fn let_rest(&self, pause: Duration) {
        let tables: Vec<Shared> = self.open().values().cloned().collect();
        for table in tables {
            lock(&table).minds.iter_mut().flatten().for_each(|mind| mind.rest_after(pause));
        }
    }

    /// Hears what a player has to say, if it is still asked for.
    fn conclude(self: &Arc<Self>, table: &Shared, seat: Seat, number: u64, thought: Option<Thought>) {
        let mut live = lock(table);
        let is_asked = live.thinking.as_ref().is_some_and(|thinking| thinking.number == number);
        let (mut mind, opinion) = thought.map_or((None, None), |(mind, opinion)| (mind, Some(opinion)));
        if let Some(mind) = mind.as_mut().filter(|_| self.memory.is_wanted()) {
            mind.rest_after(Duration::ZERO);
        }
        if is_asked || live.minds[seat.index()].is_none() {
            live.minds[seat.index()] = mind;
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
        let broke_off =
            || Refusal::new(Code::Failed, format!("{player} broke off by a fault of the program"));
        let played = opinion.ok_or_else(broke_off).and_then(|opinion| {
            let opinion = opinion?;
            let (ply, best) = (live.saved.moves.len(), opinion.best.clone());
            let snapshot = live.snapshot();
            let said = OpinionInfo::of(&player, opinion, live.dress(), &live.scene(&snapshot));
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

/// The player, to be asked again, and what it said.
type Thought = (Option<Mind>, Result<Opinion, LabError>);

/// Shows what a player thinks so far, if it is still asked.
fn overhear(table: &Weak<Mutex<Live>>, number: u64, opinion: Opinion) {
    let Some(table) = table.upgrade() else { return };
    let mut live = lock(&table);
    let snapshot = live.snapshot();
    let Some(player) = live.thinking.as_ref().filter(|thinking| thinking.number == number) else { return };
    let said = OpinionInfo::of(&player.player, opinion, live.dress(), &live.scene(&snapshot));
    if let Some(thinking) = &mut live.thinking {
        thinking.so_far = Some(said);
    }
    live.saved.rev += 1;
    publish(&live);
}

/// Shows the table to all who look at it.
fn publish(live: &Live) -> TableInfo {
    let document = live.document();
    live.shown.send_replace(Payload::of(&format!("table:{}", document.id), "table", &document));
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "alphabeta:depth=1";

    fn hall(folder: &std::path::Path) -> Arc<Hall> {
        let database = Arc::new(Database::open(&folder.join("studio.sqlite")).unwrap());
        Hall::new(database, Arc::new(Store::at(folder)), Models::below(folder), 1, Handle::current())
    }

    fn table(hall: &Arc<Hall>, seats: [&str; 2]) -> Shared {
        let given = Given { game: "chess".to_owned(), start: None, seed: 1 };
        let seats = seats.map(str::to_owned).to_vec();
        hall.find(&hall.set_table(given, seats, Vec::new(), None).unwrap().id).unwrap()
    }

    async fn reach(table: &Shared, ply: usize) {
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
        let hall = hall(folder.path());
        let all_but_one =
            hall.memory.try_take(bounds::PLAYER_MEMORY - bounds::DEFAULT_PLAYER_MEMORY).unwrap();
        let tables = [(); 2].map(|()| table(&hall, [HUMAN, PROGRAM]));
        for (round, mv) in ["a4", "b4", "c4"].into_iter().enumerate() {
            for table in &tables {
                hall.change(table, |live| live.play(mv, 2 * round)).unwrap();
                reach(table, 2 * round + 2).await;
            }
        }
        for table in [(); 5].map(|()| table(&hall, [PROGRAM; 2])) {
            reach(&table, 6).await;
            let id = lock(&table).saved.id.clone();
            hall.remove(&id).unwrap();
        }
        drop(all_but_one);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn players_remember_for_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        reach(&table(&hall, [PROGRAM, HUMAN]), 1).await;
        for (pause, is_free) in [(bounds::PLAYER_STAYS, false), (Duration::ZERO, true)] {
            hall.let_rest(pause);
            assert_eq!(hall.memory.try_take(bounds::PLAYER_MEMORY).is_some(), is_free);
        }
    }
}
