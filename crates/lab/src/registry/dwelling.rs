//! Who answers for a game of any type.
//!
//! Law: one implementation serves every game; what differs between games is in their [`Kit`]s.

use std::io::BufRead;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::{MoveOf, Rng};

use super::house::{House, MatchReport, PerftReport, TournamentReport, TrainPlan, Trial};
use super::{
    Answer, DataReport, DataRequest, EvaluationRequest, Factory, Kit, Listing, MethodEntry, PlayerEntry,
    Question,
};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::matches::{Contestant, GameOutcome, MatchPlan, resume_match};
use crate::ratings::rate;
use crate::record::{self, GameRecord, RecordError, RecordHeader, RecordSink, Told, ToldGames};
use crate::review::{Inquiry, Review, ReviewPlan};
use crate::spec::{Spec, Values, find_named};
use crate::store::Store;
use crate::table::{LiveTable, Snapshot, Table};
use crate::threads::Crew;
use crate::tournament::{TournamentPlan, resume_tournament};
use crate::training::{Run, Standing, TrainingReport};
use crate::watch::{Progress, Watch};

/// The house of any game.
pub(crate) struct Dwelling<G: Kit> {
    pub(crate) spec: Spec,
    pub(crate) game: Arc<G>,
    pub(crate) store: Arc<Store>,
}

impl<G: Kit> Dwelling<G> {
    fn hire(&self, player: &str, watch: Watch<'_>) -> Result<Factory<G::View>, LabError> {
        hire(&*self.game, player, &self.store, watch)
    }

    fn hire_all(&self, players: &[String], watch: Watch<'_>) -> Result<Vec<Factory<G::View>>, LabError> {
        players.iter().map(|player| self.hire(player, watch)).collect()
    }

    fn clerk<'a, 'r>(&'a self, sink: Option<&'a mut (dyn RecordSink + 'r)>) -> Clerk<'a, 'r, G> {
        Clerk { game: &*self.game, spec: self.spec.to_string(), sink, known: 0 }
    }

    /// The game in which a position occurs, which may have a board of its own.
    fn game_around(&self, position: Option<&str>) -> Result<Arc<G>, LabError> {
        Ok(match position {
            Some(text) => Arc::new(self.game.around(text)?),
            None => Arc::clone(&self.game),
        })
    }

    /// The game and where it begins: at a position, or at the set-up that the seed draws.
    fn begin(&self, position: Option<&str>, seed: u64) -> Result<(Arc<G>, G::State), LabError> {
        let game = self.game_around(position)?;
        let state = record::begin(&*game, position, seed)?;
        Ok((game, state))
    }

    /// The course among `entries` that a plan names, and what a run of it is known by.
    fn course<'e>(
        &self,
        entries: &'e [MethodEntry<G>],
        plan: &TrainPlan<'_>,
    ) -> Result<Course<'e, G>, LabError> {
        let spec: Spec = plan.method.parse()?;
        let entry = find_named("method", &spec.name, entries, |entry| entry.listing.name)?;
        let values = spec.resolve(&format!("method '{}'", spec.name), &entry.listing.params)?;
        let config = serde_json::json!({
            "game": self.spec(), "method": spec.to_string(), "seed": plan.seed,
        });
        Ok(Course { entry, values, config })
    }

    /// Follows a course to its end, or until stopped.
    fn follow(
        &self,
        course: Course<'_, G>,
        plan: &TrainPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<TrainingReport, LabError> {
        let Course { entry, values, config } = course;
        let run = Run::prepare(config, plan.out, plan.resume)?;
        let mut crew = Crew::new(plan.threads);
        let mut training = crew.work(|| (entry.begin)(&self.game, &values, plan.seed, &self.store, watch))?;
        run.make(&mut *training, &mut crew, watch)
    }
}

/// A method with its parameters.
struct Course<'e, G: Kit> {
    entry: &'e MethodEntry<G>,
    values: Values,
    config: serde_json::Value,
}

/// Methods and exams, which can be swept alike.
fn trials<G: Kit>() -> Vec<MethodEntry<G>> {
    G::methods().into_iter().chain(G::exams()).collect()
}

/// Writes games down for someone who wants them, or for nobody, and looks up what was written before.
struct Clerk<'a, 'r, G> {
    game: &'a G,
    spec: String,
    sink: Option<&'a mut (dyn RecordSink + 'r)>,
    /// How many games of the present match were written before.
    known: u64,
}

impl<G: Kit> Clerk<'_, '_, G> {
    /// The games of a match that were written before it begins or goes on.
    fn open(&mut self, players: &[&str], seed: u64) -> Result<Vec<GameOutcome<MoveOf<G>>>, RecordError> {
        let header = RecordHeader { game: &self.spec, players, seed };
        let records = self.sink.as_mut().map_or_else(Vec::new, |sink| sink.recall(&header));
        let first = players.first().copied().unwrap_or_default();
        self.known = records.len() as u64;
        records.iter().map(|record| record.to_outcome(self.game, first)).collect()
    }

    /// Writes a game down. Says whether it is new.
    fn write(&mut self, players: &[&str], seed: u64, played: &GameOutcome<MoveOf<G>>) -> bool {
        let is_new = played.index >= self.known;
        if let Some(sink) = self.sink.as_mut().filter(|_| is_new) {
            let header = RecordHeader { game: &self.spec, players, seed };
            sink.keep(&GameRecord::from_outcome(self.game, &header, played));
        }
        is_new
    }
}

/// The factory of the player that the user wrote.
fn hire<G: Kit>(
    game: &G,
    player: &str,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Factory<G::View>, LabError> {
    let players = G::players();
    let spec = match bare_file(player, &players) {
        Some(spec) => spec,
        None => player.parse()?,
    };
    let entry = find_named("player", &spec.name, &players, |entry| entry.listing.name)?;
    (entry.hire)(game, &spec, store, watch)
}

/// A file of a network that is named without a player: whoever follows such files plays it.
fn bare_file<G: Kit>(text: &str, players: &[PlayerEntry<G>]) -> Option<Spec> {
    let is_file = Path::new(text).extension().is_some_and(|end| end.eq_ignore_ascii_case("npz"));
    let names_a_player =
        text.split_once(':').is_some_and(|(name, _)| players.iter().any(|entry| entry.listing.name == name));
    let spec = || Spec { name: "net".to_owned(), values: vec![("file".to_owned(), text.to_owned())] };
    (is_file && !names_a_player).then(spec)
}

fn contestants<'a, V: outplay_core::View>(
    players: &'a [String],
    factories: &'a [Factory<V>],
) -> Vec<Contestant<'a, V>> {
    let contestant = |(name, make): (&'a String, &'a Factory<V>)| Contestant { name, make: &**make };
    players.iter().zip(factories).map(contestant).collect()
}

impl<G: Kit> House for Dwelling<G> {
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn seat_names(&self) -> [&'static str; 2] {
        self.game.seat_names()
    }

    fn opponent(&self) -> &'static str {
        G::OPPONENT
    }

    fn analyst(&self) -> &'static str {
        G::ANALYST
    }

    fn reviewer(&self) -> &'static str {
        G::REVIEWER
    }

    fn players(&self) -> Vec<Listing> {
        G::players().into_iter().map(|entry| entry.listing).collect()
    }

    fn evaluators(&self) -> Vec<Listing> {
        G::evaluators()
    }

    fn methods(&self) -> Vec<Listing> {
        G::methods().into_iter().map(|entry| entry.listing).collect()
    }

    fn exams(&self) -> Vec<Listing> {
        G::exams().into_iter().map(|entry| entry.listing).collect()
    }

    fn trials(&self) -> Vec<Trial> {
        let trial = |entry: MethodEntry<G>| Trial { listing: entry.listing, measures: entry.measures };
        trials().into_iter().map(trial).collect()
    }

    fn chores(&self) -> Vec<Listing> {
        G::chores()
    }

    fn check_player(&self, player: &str, watch: Watch<'_>) -> Result<(), LabError> {
        self.hire(player, watch).map(drop)
    }

    fn table(&self, position: Option<&str>, seed: u64) -> Result<Box<dyn Table>, LabError> {
        let (game, state) = self.begin(position, seed)?;
        let (employer, store) = (Arc::clone(&game), Arc::clone(&self.store));
        let hire = move |player: &str| hire(&*employer, player, &store, Watch::nobody());
        Ok(Box::new(LiveTable::new(game, state, seed, hire)))
    }

    fn run_match(
        &self,
        players: &[String],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, LabError> {
        let factories = self.hire_all(players, watch)?;
        let names: Vec<&str> = players.iter().map(String::as_str).collect();
        let mut clerk = self.clerk(records);
        let known = clerk.open(&names, plan.seed)?;
        let mut observe = |progress: &crate::matches::Progress<'_, _>| {
            if clerk.write(&names, plan.seed, progress.game) {
                let done = progress.standing.tally().games();
                watch.show(Progress { task: "playing", done, total: progress.planned, unit: "games" });
            }
        };
        let contestants = contestants(players, &factories);
        let result = resume_match(&*self.game, &contestants, plan, known, &mut observe, watch.stop_flag())?;
        let (game, players) = (self.spec(), players.to_vec());
        Ok(MatchReport { game, players, seed: plan.seed, summary: result.summary() })
    }

    fn run_tournament(
        &self,
        players: &[String],
        plan: &TournamentPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<TournamentReport, LabError> {
        let factories = self.hire_all(players, watch)?;
        let clerk = Mutex::new(self.clerk(records));
        let clerk = || clerk.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        let names = |entrants: [usize; 2]| entrants.map(|entrant| players[entrant].as_str());
        let mut recall = |entrants: [usize; 2], seed: u64| clerk().open(&names(entrants), seed);
        let mut observe = |progress: &crate::tournament::TournamentProgress<'_, _>| {
            done += 1;
            if clerk().write(&names(progress.entrants), progress.seed, progress.game.game) {
                let total = progress.pairings as u64 * progress.game.planned;
                watch.show(Progress { task: "playing", done, total, unit: "games" });
            }
        };
        let entrants = contestants(players, &factories);
        let tournament =
            resume_tournament(&*self.game, &entrants, plan, &mut recall, &mut observe, watch.stop_flag())?;
        Ok(TournamentReport {
            game: self.spec(),
            seed: plan.seed,
            distinct_games: tournament.distinct_games(),
            table: tournament.cross_table(),
            ratings: rate(&tournament.encounters(), true),
            interrupted: tournament.interrupted,
        })
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<PerftReport, LabError> {
        let (game, state) = self.begin(position, 0)?;
        if let Some(left) = game.plies_left(&state).filter(|&left| depth > left) {
            return Err(LabError::refused(format!(
                "depth {depth}: {} is over after {left} plies, expected no more than that",
                self.spec
            )));
        }
        let divide = game.divide(&state, depth).ok_or_else(|| {
            LabError::refused(format!("perft needs a game without secrets, which {} is not", self.spec.name))
        })?;
        let nodes = if depth == 0 { 1 } else { divide.iter().map(|(_, leaves)| leaves).sum() };
        Ok(PerftReport { nodes, divide })
    }

    fn solve(&self, position: Option<&str>, no_ko: bool, watch: Watch<'_>) -> Result<Answer, LabError> {
        if no_ko && !G::HAS_KO {
            let name = &self.spec.name;
            return Err(LabError::refused(format!("{name} has no rule against repetition to leave out")));
        }
        let (game, state) = self.begin(position, 0)?;
        game.solve(&Question { state: &state, no_ko }, &self.store, watch)
    }

    fn train(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<TrainingReport, LabError> {
        let methods = G::methods();
        self.follow(self.course(&methods, plan)?, plan, watch)
    }

    fn attempt(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<serde_json::Value, LabError> {
        let entries = trials();
        let course = self.course(&entries, plan)?;
        let resume = match Run::standing(&course.config, plan.out)? {
            Standing::Finished(last) => return Ok(last),
            Standing::Unfinished => true,
            Standing::New => false,
        };
        let report = self.follow(course, &TrainPlan { resume, ..*plan }, watch)?;
        if report.finished { Ok(report.last) } else { Err(LabError::Stopped) }
    }

    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        self.game.bench(&self.store, watch)
    }

    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        self.game.data(request, watch)
    }

    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        self.game.evaluate(request, watch)
    }

    fn console(&self) -> Result<Box<dyn Console>, LabError> {
        self.game.console()
    }

    fn another_board(&self, replay: u32, seed: u64) -> Option<String> {
        self.game.another_board(replay, &mut Rng::stream(seed, u64::from(replay)))
    }

    fn replay(&self, record: &GameRecord) -> Result<Vec<Snapshot>, LabError> {
        let game = &*self.game_around(record.position.as_deref())?;
        let replay = record.replay(game)?;
        let written: Vec<String> =
            replay.states.iter().zip(&replay.moves).map(|(state, &mv)| game.write_move(state, mv)).collect();
        let snapshot = |(ply, state)| Snapshot::of(game, state, written[..ply].to_vec());
        Ok(replay.states.iter().enumerate().map(snapshot).collect())
    }

    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        self.game.read_games(source)
    }

    fn review(&self, told: &Told, plan: &ReviewPlan<'_>, watch: Watch<'_>) -> Result<Review, LabError> {
        let game = &*self.game_around(told.position.as_deref())?;
        let player = hire(game, plan.player, &self.store, watch)?;
        let inquiry = Inquiry {
            replay: &told.replay(game)?,
            random_plies: told.random_plies,
            player: &player,
            samples: plan.samples,
            seed: plan.seed,
        };
        game.review(&inquiry, watch)
    }

    fn fingerprint(&self, record: &GameRecord) -> Result<u64, LabError> {
        Ok(record.fingerprint(&*self.game_around(record.position.as_deref())?)?)
    }
}
