//! The one implementation of [`AnyGame`], for a game of any type. What differs between games is in their [`BoardDef`]s.

use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::scene::Draft;
use outplay_core::{MoveOf, Notation, Rng, View};

use super::any_game::{AnyGame, BoardInfo, MatchReport, PerftReport, TournamentReport, TrainPlan, Trial};
use super::board::{BoardDef, MethodDef, PlayerFactory};
use super::{Answer, DataReport, DataRequest, EvaluationRequest, Question};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::{Feature, LabError};
use crate::registry::board::ToldGames;
use crate::review::{Inquiry, Review, ReviewPlan};
use crate::spec::{Spec, Values, find_named};
use crate::store::Store;
use crate::table::{LiveTable, Snapshot, Table};
use crate::training::{Run, RunState, TrainingReport};
use outplay_arena::matches::{Contestant, GameOutcome, MatchPlan, resume_match};
use outplay_arena::ratings::rate;
use outplay_arena::record;
use outplay_arena::record::{GameRecord, GameTranscript, RecordError, RecordHeader, RecordSink};
use outplay_arena::tournament::{TournamentPlan, resume_tournament};
use outplay_runtime::WorkerPool;
use outplay_runtime::{Progress, Watch};

/// A board of a game, with its types.
pub(crate) struct TypedGame<G: Notation> {
    spec: Spec,
    info: BoardInfo,
    board: Arc<BoardDef<G>>,
    store: Arc<Store>,
}

impl<G: Notation> TypedGame<G> {
    pub(crate) fn new(spec: Spec, board: BoardDef<G>, store: Arc<Store>) -> Self {
        let trial = |def: &MethodDef<G>| Trial { listing: def.listing.clone(), measures: def.measures };
        let info = BoardInfo {
            spec: spec.to_string(),
            seats: board.game.seats(),
            seat_names: board.game.seat_names(),
            opponent: board.opponent,
            analyst: board.analyst,
            reviewer: board.reviewer,
            players: board.players.iter().map(|def| def.listing.clone()).collect(),
            evaluators: board.evaluators.clone(),
            methods: board.methods.iter().map(trial).collect(),
            exams: board.exams.iter().map(trial).collect(),
            data: board.data.as_ref().map(|def| def.listing.clone()),
            evaluation: board.evaluation.as_ref().map(|def| def.listing.clone()),
            features: board.features(),
            is_solved: board.can_solve(&board.game.start(&mut Rng::new(0))),
            formats: board.formats.iter().map(|format| format.info).collect(),
            has_secrets: board.has_secrets,
            palette: board.editor.map(|editor| (editor.palette)(&board.game)),
        };
        Self { spec, info, board: Arc::new(board), store }
    }

    fn make_players(
        &self,
        players: &[String],
        watch: Watch<'_>,
    ) -> Result<Vec<PlayerFactory<G::View>>, LabError> {
        players.iter().map(|player| self.board.make_player(player, &self.store, watch)).collect()
    }

    fn recorder<'a, 'r>(&'a self, sink: Option<&'a mut (dyn RecordSink + 'r)>) -> MatchRecorder<'a, 'r, G> {
        MatchRecorder { game: &self.board.game, spec: &self.info.spec, sink, known: 0 }
    }

    /// The board on which a position occurs, which may be another one than this.
    fn board_of(&self, position: Option<&str>) -> Result<Arc<BoardDef<G>>, LabError> {
        Ok(match (position, self.board.board_of) {
            (Some(text), Some(board_of)) => Arc::new(board_of(&self.board.game, text)?),
            _ => Arc::clone(&self.board),
        })
    }

    /// The board and the state in which a game begins: at a position, or as the seed sets it up.
    fn begin(&self, position: Option<&str>, seed: u64) -> Result<(Arc<BoardDef<G>>, G::State), LabError> {
        let board = self.board_of(position)?;
        let state = record::begin(&board.game, position, seed)?;
        Ok((board, state))
    }

    /// The refusal of what this board does not have.
    fn lacks(&self, feature: Feature) -> LabError {
        LabError::Absent { game: self.spec.to_string(), feature }
    }

    /// The method or exam that a plan names, with its parameters and what a run of it is identified by.
    fn planned<'e>(
        &self,
        mut defs: impl Iterator<Item = &'e MethodDef<G>> + Clone,
        plan: &TrainPlan<'_>,
    ) -> Result<PlannedTraining<'e, G>, LabError> {
        let spec: Spec = plan.method.parse()?;
        let all: Vec<&MethodDef<G>> = defs.by_ref().collect();
        let def = *find_named("method", &spec.name, &all, |def| def.listing.name)?;
        let values = spec.resolve(&format!("method '{}'", spec.name), &def.listing.params)?;
        let config = serde_json::json!({
            "game": self.info.spec, "method": spec.to_string(), "seed": plan.seed,
        });
        Ok(PlannedTraining { def, values, config })
    }

    /// Trains to the end, or until stopped.
    fn run_training(
        &self,
        planned: PlannedTraining<'_, G>,
        plan: &TrainPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<TrainingReport, LabError> {
        let PlannedTraining { def, values, config } = planned;
        let run = Run::prepare(config, plan.out, plan.resume)?;
        let mut crew = WorkerPool::new(plan.threads);
        let begin = || (def.begin)(&self.board.game, &values, plan.seed, &self.store, watch);
        let mut training = crew.work(begin)?;
        run.make(&mut *training, &mut crew, watch)
    }
}

/// A method with its parameters.
struct PlannedTraining<'e, G: Notation> {
    def: &'e MethodDef<G>,
    values: Values,
    config: serde_json::Value,
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
    /// The games of a match that were written before it begins or goes on.
    fn open(&mut self, players: &[&str], seed: u64) -> Result<Vec<GameOutcome<MoveOf<G>>>, RecordError> {
        let header = RecordHeader { game: self.spec, players, seed };
        let records = self.sink.as_mut().map_or_else(Vec::new, |sink| sink.recall(&header));
        let first = players.first().copied().unwrap_or_default();
        self.known = records.len() as u64;
        records.iter().map(|record| record.to_outcome(self.game, first)).collect()
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

fn contestants<'a, V: View>(
    players: &'a [String],
    factories: &'a [PlayerFactory<V>],
) -> Vec<Contestant<'a, V>> {
    let contestant = |(name, make): (&'a String, &'a PlayerFactory<V>)| Contestant { name, make: &**make };
    players.iter().zip(factories).map(contestant).collect()
}

impl<G: Notation> AnyGame for TypedGame<G> {
    fn info(&self) -> &BoardInfo {
        &self.info
    }

    fn check_player(&self, player: &str, watch: Watch<'_>) -> Result<(), LabError> {
        self.board.make_player(player, &self.store, watch).map(drop)
    }

    fn player_memory(&self, player: &str) -> Result<u32, LabError> {
        let spec = self.board.player_spec(player)?;
        let (def, values) = self.board.find_player(&spec)?;
        Ok((def.memory)(&values))
    }

    fn table(&self, position: Option<&str>, seed: u64) -> Result<Box<dyn Table>, LabError> {
        let (board, state) = self.begin(position, seed)?;
        Ok(Box::new(LiveTable::new(board, state, seed, Arc::clone(&self.store))))
    }

    fn run_match(
        &self,
        players: &[String],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, LabError> {
        let factories = self.make_players(players, watch)?;
        let names: Vec<&str> = players.iter().map(String::as_str).collect();
        let mut recorder = self.recorder(records);
        let known = recorder.open(&names, plan.seed)?;
        let mut observe = |progress: &outplay_arena::matches::MatchProgress<'_, _>| {
            if recorder.write(&names, plan.seed, progress.game) {
                let done = progress.standing.tally().games();
                watch.show(Progress { task: "playing", done, total: progress.planned, unit: "games" });
            }
        };
        let contestants = contestants(players, &factories);
        let result =
            resume_match(&self.board.game, &contestants, plan, known, &mut observe, watch.stop_flag())?;
        let (game, players) = (self.info.spec.clone(), players.to_vec());
        Ok(MatchReport { game, players, seed: plan.seed, summary: result.summary() })
    }

    fn run_tournament(
        &self,
        players: &[String],
        plan: &TournamentPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<TournamentReport, LabError> {
        let factories = self.make_players(players, watch)?;
        let recorder = Mutex::new(self.recorder(records));
        let recorder = || recorder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        let names = |entrants: [usize; 2]| entrants.map(|entrant| players[entrant].as_str());
        let mut recall = |entrants: [usize; 2], seed: u64| recorder().open(&names(entrants), seed);
        let mut observe = |progress: &outplay_arena::tournament::TournamentProgress<'_, _>| {
            done += 1;
            if recorder().write(&names(progress.entrants), progress.seed, progress.game.game) {
                let total = progress.pairings as u64 * progress.game.planned;
                watch.show(Progress { task: "playing", done, total, unit: "games" });
            }
        };
        let entrants = contestants(players, &factories);
        let tournament = resume_tournament(
            &self.board.game,
            &entrants,
            plan,
            &mut recall,
            &mut observe,
            watch.stop_flag(),
        )?;
        Ok(TournamentReport {
            game: self.info.spec.clone(),
            seed: plan.seed,
            distinct_games: tournament.distinct_games(),
            table: tournament.cross_table(),
            ratings: rate(&tournament.encounters(), true),
            interrupted: tournament.interrupted,
        })
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<PerftReport, LabError> {
        let (board, state) = self.begin(position, 0)?;
        let perft = board.perft.ok_or_else(|| self.lacks(Feature::Perft))?;
        if let Some(left) = board.game.plies_left(&state).filter(|&left| depth > left) {
            return Err(LabError::PerftTooDeep { depth, game: self.info.spec.clone(), left });
        }
        let divide = perft(&state, depth);
        let nodes = if depth == 0 { 1 } else { divide.iter().map(|(_, leaves)| leaves).sum() };
        Ok(PerftReport { nodes, divide })
    }

    fn solve(&self, position: Option<&str>, no_ko: bool, watch: Watch<'_>) -> Result<Answer, LabError> {
        let (board, state) = self.begin(position, 0)?;
        let solver = board.solver.as_ref().ok_or_else(|| self.lacks(Feature::Solver))?;
        if no_ko && !solver.has_ko {
            return Err(LabError::NoKoRule { game: self.spec.name.clone() });
        }
        (solver.solve)(&board.game, &Question { state: &state, no_ko }, &self.store, watch)
    }

    fn train(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<TrainingReport, LabError> {
        self.run_training(self.planned(self.board.methods.iter(), plan)?, plan, watch)
    }

    fn attempt(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<serde_json::Value, LabError> {
        let planned = self.planned(self.board.methods.iter().chain(&self.board.exams), plan)?;
        let resume = match Run::standing(&planned.config, plan.out)? {
            RunState::Finished(last) => return Ok(last),
            RunState::Unfinished => true,
            RunState::New => false,
        };
        let report = self.run_training(planned, &TrainPlan { resume, ..*plan }, watch)?;
        if report.finished { Ok(report.last) } else { Err(LabError::Stopped) }
    }

    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
        self.board.bench.map_or_else(|| Ok(Vec::new()), |bench| bench(&self.board.game, &self.store, watch))
    }

    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        let data = self.board.data.as_ref().ok_or_else(|| self.lacks(Feature::Data))?;
        (data.run)(&self.board.game, request, watch)
    }

    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
        let evaluation = self.board.evaluation.as_ref().ok_or_else(|| self.lacks(Feature::Evaluation))?;
        (evaluation.run)(&self.board.game, request, watch)
    }

    fn console(&self) -> Result<Box<dyn Console>, LabError> {
        self.board.console.map(|console| console()).ok_or_else(|| self.lacks(Feature::Console))
    }

    fn other_board(&self, replay: u32, seed: u64) -> Option<String> {
        let rng = &mut Rng::stream(seed, u64::from(replay));
        self.board.other_board.map(|other_board| other_board(&self.board.game, replay, rng))
    }

    fn replay(&self, record: &GameRecord) -> Result<Vec<Snapshot>, LabError> {
        let board = &*self.board_of(record.position.as_deref())?;
        let replay = record.replay(&board.game)?;
        let written: Vec<String> = replay
            .states
            .iter()
            .zip(&replay.moves)
            .map(|(state, &mv)| board.game.write_move(state, mv))
            .collect();
        let last = |ply: usize| ply.checked_sub(1).map(|before| replay.moves[before]);
        let snapshot = |(ply, state)| Snapshot::of(board, state, last(ply), written[..ply].to_vec());
        Ok(replay.states.iter().enumerate().map(snapshot).collect())
    }

    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError> {
        let reader = self.board.game_reader.ok_or_else(|| self.lacks(Feature::GameFiles))?;
        Ok(reader(source))
    }

    fn read_text(&self, text: &str) -> Option<Result<GameTranscript, LabError>> {
        self.board.text_reader.and_then(|read| read(text))
    }

    fn read_draft(&self, draft: &Draft) -> Result<String, LabError> {
        let editor = self.board.editor.ok_or_else(|| self.lacks(Feature::Editor))?;
        Ok((editor.read_draft)(&self.board.game, draft)?)
    }

    fn review(
        &self,
        told: &GameTranscript,
        plan: &ReviewPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<Review, LabError> {
        let board = &*self.board_of(told.position.as_deref())?;
        let player = board.make_player(plan.player, &self.store, watch)?;
        let replay = told.replay(&board.game)?;
        let inquiry = Inquiry {
            replay: &replay,
            random_plies: told.random_plies,
            player: &player,
            samples: plan.samples,
            seed: plan.seed,
        };
        let mut review = (board.review)(&board.game, &inquiry, watch)?;
        for (judged, &mv) in review.moves.iter_mut().zip(&replay.moves) {
            judged.touches = board.game.touches(mv);
        }
        Ok(review)
    }

    fn fingerprint(&self, record: &GameRecord) -> Result<u64, LabError> {
        Ok(record.fingerprint(&self.board_of(record.position.as_deref())?.game)?)
    }
}
