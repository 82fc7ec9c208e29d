//! The players of a contest on a board of any game, and the records of what they play.

use outplay_runtime::WorkError;
use std::sync::{Mutex, PoisonError};

use outplay_arena::contest::{Entrants, MatchReport, TournamentReport};
use outplay_arena::matches::{
    Contestant, GameOutcome, MatchPlan, MatchProgress, resume_match, seat_of_first_named,
};
use outplay_arena::ratings::rate;
use outplay_arena::record::{GameRecord, RecordError, RecordHeader, RecordSink};
use outplay_arena::tournament::{TournamentPlan, TournamentProgress, resume_tournament};
use outplay_core::{MoveOf, Notation, Seat};
use outplay_runtime::{MemoryError, MemoryReservation, Progress, Watch, WorkerPool};

use super::board::PlayerFactory;
use crate::store::Store;

/// Players that were made for a board.
pub(super) struct MadePlayers<'a, G: Notation> {
    pub(super) game: &'a G,
    /// The game as the user wrote it.
    pub(super) spec: &'a str,
    pub(super) names: Vec<String>,
    pub(super) factories: Vec<PlayerFactory<G::View>>,
    /// The MiB that each of them may come to use.
    pub(super) memory: Vec<u32>,
    /// Has the memory that all works share.
    pub(super) store: &'a Store,
}

impl<G: Notation> MadePlayers<'_, G> {
    fn contestant(&self, place: usize) -> Contestant<'_, G::View> {
        Contestant { name: &self.names[place], make: &*self.factories[place] }
    }

    /// Reserves memory for games between these players, played on so many threads: each thread has players of its own, of whom two
    /// at most play at a time. It does not wait: a player may hold an exact solution, and with it memory.
    fn reserve(
        &self,
        places: impl Iterator<Item = usize>,
        threads: usize,
    ) -> Result<MemoryReservation, MemoryError> {
        let mut largest: Vec<(u32, usize)> = places.map(|place| (self.memory[place], place)).collect();
        largest.sort_unstable_by(|a, b| b.cmp(a));
        largest.truncate(2);
        let names: Vec<&str> = largest.iter().map(|&(_, place)| self.names[place].as_str()).collect();
        let sum = largest.iter().fold(0_u32, |sum, (memory, _)| sum.saturating_add(*memory));
        let needed = sum.saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX));
        self.store.try_reserve(&names.join(" – "), needed)
    }

    fn recorder<'a, 'r>(&'a self, sink: Option<&'a mut (dyn RecordSink + 'r)>) -> MatchRecorder<'a, 'r, G> {
        MatchRecorder { game: self.game, spec: self.spec, sink, known: 0 }
    }
}

impl<G: Notation> Entrants for MadePlayers<'_, G> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn run_match(
        &self,
        places: &[usize],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, WorkError> {
        let contestants: Vec<Contestant<'_, G::View>> =
            places.iter().map(|&place| self.contestant(place)).collect();
        let names: Vec<&str> = contestants.iter().map(|contestant| contestant.name).collect();
        let threads = WorkerPool::for_pieces(plan.threads, plan.games).most();
        let _memory = self.reserve(places.iter().copied(), threads)?;
        let mut recorder = self.recorder(records);
        let known = recorder.open(&names, plan.seed, plan.is_paired(names.len()))?;
        let mut observe = |progress: &MatchProgress<'_, _>| {
            if recorder.write(&names, plan.seed, progress.game) {
                let done = progress.standing.tally().games();
                watch.show(Progress { task: "playing", done, total: progress.planned, unit: "games" });
            }
        };
        let result = resume_match(self.game, &contestants, plan, known, &mut observe, watch.stop_flag())?;
        let players = names.iter().map(|&name| name.to_owned()).collect();
        Ok(MatchReport { game: self.spec.to_owned(), players, seed: plan.seed, summary: result.summary() })
    }

    fn run_tournament(
        &self,
        plan: &TournamentPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<TournamentReport, WorkError> {
        let _memory = self.reserve(0..self.names.len(), WorkerPool::new(plan.threads).most())?;
        let recorder = Mutex::new(self.recorder(records));
        let recorder = || recorder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        let names = |entrants: [usize; 2]| entrants.map(|entrant| self.names[entrant].as_str());
        let mut recall = |entrants: [usize; 2], seed: u64| recorder().open(&names(entrants), seed, true);
        let mut observe = |progress: &TournamentProgress<'_, _>| {
            done += 1;
            if recorder().write(&names(progress.entrants), progress.seed, progress.game.game) {
                let total = progress.pairings as u64 * progress.game.planned;
                watch.show(Progress { task: "playing", done, total, unit: "games" });
            }
        };
        let entrants: Vec<Contestant<'_, G::View>> =
            (0..self.names.len()).map(|place| self.contestant(place)).collect();
        let stop = watch.stop_flag();
        let tournament = resume_tournament(self.game, &entrants, plan, &mut recall, &mut observe, stop)?;
        Ok(TournamentReport {
            game: self.spec.to_owned(),
            seed: plan.seed,
            distinct_games: tournament.distinct_games(),
            table: tournament.cross_table(),
            ratings: rate(&tournament.encounters(), true),
            interrupted: tournament.interrupted,
        })
    }
}

/// Writes the games of a match to a sink, if there is one, and looks up those that were written before.
struct MatchRecorder<'a, 'r, G> {
    game: &'a G,
    spec: &'a str,
    sink: Option<&'a mut (dyn RecordSink + 'r)>,
    /// How many games of the present match were written before.
    known: u64,
}

impl<G: Notation> MatchRecorder<'_, '_, G> {
    /// The games of a match that were written before it begins or goes on. Two players of one name are told apart by the order of
    /// the games.
    fn open(
        &mut self,
        players: &[&str],
        seed: u64,
        paired: bool,
    ) -> Result<Vec<GameOutcome<MoveOf<G>>>, RecordError> {
        let header = RecordHeader { game: self.spec, players, seed };
        let records = self.sink.as_mut().map_or_else(|| Ok(Vec::new()), |sink| sink.recall(&header))?;
        self.known = records.len() as u64;
        let seat = |record: &GameRecord| match players {
            [first, second] if first == second => seat_of_first_named(paired, record.index),
            [first, ..] if record.players.first().is_some_and(|player| player != first) => Seat::Second,
            _ => Seat::First,
        };
        records.iter().map(|record| record.to_outcome(self.game, seat(record))).collect()
    }

    /// Writes a game and says whether it is new.
    fn write(&mut self, players: &[&str], seed: u64, played: &GameOutcome<MoveOf<G>>) -> bool {
        let is_new = played.index >= self.known;
        if let Some(sink) = self.sink.as_mut().filter(|_| is_new) {
            let header = RecordHeader { game: self.spec, players, seed };
            sink.keep(&GameRecord::from_outcome(self.game, &header, played));
        }
        is_new
    }
}
