//! The one implementation of [`AnyGame`], for a game of any type. What differs between games is in their [`BoardDef`]s.

use outplay_runtime::WorkError;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use outplay_core::scene::Draft;
use outplay_core::{Notation, PerftCount, Rng};

use super::any_game::{AnyGame, BoardInfo, PerftReport, TrainPlan, Trial};
use super::board::{BoardDef, EvaluationDef, MethodDef};
use super::made_players::MadePlayers;
use super::{Answer, DataReport, DataRequest, Evaluation, EvaluationRequest, Question};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::{BoardError, Feature};
use crate::params::USUAL_MEMORY;
use crate::registry::board::ToldGames;
use crate::review::{Inquiry, Review, ReviewPlan};
use crate::spec::{Noun, Spec, find_named};
use crate::store::Store;
use crate::table::{LiveTable, Snapshot, Table};
use outplay_arena::contest::Entrants;
use outplay_arena::record;
use outplay_arena::record::{GameRecord, GameTranscript};
use outplay_runtime::files::OutputLock;
use outplay_runtime::{Watch, WorkerPool};
use outplay_training::{Run, RunState, TrainingReport};

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
            is_real_time: board.game.idle_move().is_some(),
            palette: board.editor.map(|editor| (editor.palette)(&board.game)),
        };
        Self { spec, info, board: Arc::new(board), store }
    }

    /// The board on which a position occurs, which may be another one than this.
    fn board_of(&self, position: Option<&str>) -> Result<Arc<BoardDef<G>>, WorkError> {
        Ok(match (position, self.board.board_of) {
            (Some(text), Some(board_of)) => Arc::new(board_of(&self.board.game, text)?),
            _ => Arc::clone(&self.board),
        })
    }

    /// The board and the state in which a game begins: at a position, or as the seed sets it up.
    fn begin(&self, position: Option<&str>, seed: u64) -> Result<(Arc<BoardDef<G>>, G::State), WorkError> {
        let board = self.board_of(position)?;
        let state = record::begin(&board.game, position, seed)?;
        Ok((board, state))
    }

    /// The refusal of what this board does not have.
    fn lacks(&self, feature: Feature) -> WorkError {
        BoardError::Absent { game: self.spec.to_string(), feature }.into()
    }

    fn evaluation(&self) -> Result<&EvaluationDef<G>, WorkError> {
        self.board.evaluation.as_ref().ok_or_else(|| self.lacks(Feature::Evaluation))
    }

    /// The method or exam that a plan names, with its parameters and what a run of it is identified by.
    fn planned<'e>(
        &self,
        mut defs: impl Iterator<Item = &'e MethodDef<G>> + Clone,
        plan: &TrainPlan<'_>,
    ) -> Result<PlannedTraining<'e, G>, WorkError> {
        let spec: Spec = plan.method.parse()?;
        let all: Vec<&MethodDef<G>> = defs.by_ref().collect();
        let def = *find_named(Noun::Method, &spec.name, &all, |def| def.listing.name)?;
        spec.check(&Noun::Method.named(&spec.name), &def.listing.params)?;
        let config = serde_json::json!({
            "game": self.info.spec, "method": spec.to_string(), "seed": plan.seed,
        });
        Ok(PlannedTraining { def, spec, config })
    }

    /// Trains to the end, or until stopped.
    fn run_training(
        &self,
        planned: PlannedTraining<'_, G>,
        plan: &TrainPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<TrainingReport, WorkError> {
        let PlannedTraining { def, spec, config } = planned;
        let memory = (def.memory)(&spec)?;
        let _memory = self.store.reserve(plan.method, memory, watch.stop_flag())?;
        let run = Run::prepare(config, plan.out, plan.resume)?;
        let mut crew = WorkerPool::new(plan.threads);
        let begin = || (def.begin)(&self.board.game, &spec, plan.seed, &self.store, watch);
        let mut training = crew.work(begin)?;
        run.make(&mut *training, &mut crew, watch)
    }
}

/// A method with its parameters, as the user wrote it.
struct PlannedTraining<'e, G: Notation> {
    def: &'e MethodDef<G>,
    spec: Spec,
    config: serde_json::Value,
}

impl<G: Notation> AnyGame for TypedGame<G> {
    fn info(&self) -> &BoardInfo {
        &self.info
    }

    fn player_memory(&self, player: &str) -> Result<u32, WorkError> {
        let spec = self.board.player_spec(player)?;
        Ok((self.board.find_player(&spec)?.memory)(&spec)?)
    }

    fn method_memory(&self, method: &str) -> Result<u32, WorkError> {
        let spec: Spec = method.parse()?;
        let def = find_named(Noun::Method, &spec.name, &self.board.methods, |def| def.listing.name)?;
        Ok((def.memory)(&spec)?)
    }

    fn table(&self, position: Option<&str>, seed: u64) -> Result<Box<dyn Table>, WorkError> {
        let (board, state) = self.begin(position, seed)?;
        Ok(Box::new(LiveTable::new(board, state, seed, Arc::clone(&self.store))))
    }

    fn entrants(&self, players: &[String], watch: Watch<'_>) -> Result<Box<dyn Entrants + '_>, WorkError> {
        let make = |player: &String| self.board.make_player(player, &self.store, watch);
        let factories = players.iter().map(make).collect::<Result<_, _>>()?;
        let memory = players.iter().map(|player| self.player_memory(player)).collect::<Result<_, _>>()?;
        let (game, spec) = (&self.board.game, self.info.spec.as_str());
        let (names, store) = (players.to_vec(), &*self.store);
        Ok(Box::new(MadePlayers { game, spec, names, factories, memory, store }))
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<PerftReport, WorkError> {
        let (board, state) = self.begin(position, 0)?;
        let perft = board.perft.ok_or_else(|| self.lacks(Feature::Perft))?;
        if let Some(left) = board.game.plies_left(&state).filter(|&left| depth > left) {
            return Err(BoardError::PerftTooDeep { depth, game: self.info.spec.clone(), left }.into());
        }
        let divide = perft(&state, depth);
        let PerftCount { leaves, ended } = divide.iter().map(|&(_, count)| count).sum();
        let nodes = if depth == 0 { 1 } else { leaves };
        let divide = divide.into_iter().map(|(mv, count)| (mv, count.leaves)).collect();
        Ok(PerftReport { nodes, ended, divide })
    }

    fn solve(&self, position: Option<&str>, no_ko: bool, watch: Watch<'_>) -> Result<Answer, WorkError> {
        let (board, state) = self.begin(position, 0)?;
        let solver = board.solver.as_ref().ok_or_else(|| self.lacks(Feature::Solver))?;
        if no_ko && !solver.has_ko {
            return Err(BoardError::NoKoRule { game: self.spec.name.clone() }.into());
        }
        (solver.solve)(&board.game, &Question { state: &state, no_ko }, &self.store, watch)
    }

    fn train(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<TrainingReport, WorkError> {
        self.run_training(self.planned(self.board.methods.iter(), plan)?, plan, watch)
    }

    fn attempt(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<serde_json::Value, WorkError> {
        let planned = self.planned(self.board.methods.iter().chain(&self.board.exams), plan)?;
        let resume = match Run::standing(&planned.config, plan.out)? {
            RunState::Finished(last) => return Ok(last),
            RunState::Unfinished => true,
            RunState::New => false,
        };
        let report = self.run_training(planned, &TrainPlan { resume, ..*plan }, watch)?;
        if report.finished { Ok(report.last) } else { Err(WorkError::Stopped) }
    }

    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, WorkError> {
        self.board.bench.map_or_else(|| Ok(Vec::new()), |bench| bench(&self.board.game, &self.store, watch))
    }

    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, WorkError> {
        let data = self.board.data.as_ref().ok_or_else(|| self.lacks(Feature::Data))?;
        let (memory, out) = match *request {
            DataRequest::Make { spec, out, .. } => ((data.memory)(spec)?, Some(out)),
            // A set is described as it is read, game by game.
            DataRequest::Describe(_) => (USUAL_MEMORY, None),
        };
        let _memory = self.store.reserve("data", memory, watch.stop_flag())?;
        let _lock = out.map(OutputLock::take).transpose()?;
        (data.run)(&self.board.game, request, watch)
    }

    fn check_evaluation(&self, path: &Path) -> Result<(), WorkError> {
        (self.evaluation()?.check)(path)
    }

    fn draws_evaluations(&self) -> bool {
        self.board.evaluation.as_ref().is_some_and(|evaluation| evaluation.has_figures)
    }

    fn evaluation_memory(&self, path: &Path, spec: &Spec) -> Result<u32, WorkError> {
        self.evaluation()?.memory_for(path, spec)
    }

    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<Evaluation, WorkError> {
        let evaluation = self.evaluation()?;
        if request.draws && !evaluation.has_figures {
            return Err(self.lacks(Feature::Figures));
        }
        let memory = evaluation.memory_for(request.path, request.spec)?;
        let _memory = self.store.reserve(evaluation.listing.name, memory, watch.stop_flag())?;
        let run = || (evaluation.run)(&self.board.game, request, watch);
        WorkerPool::new(request.threads).work(run)
    }

    fn console(&self) -> Result<Box<dyn Console>, WorkError> {
        self.board.console.map(|console| console(&self.store)).ok_or_else(|| self.lacks(Feature::Console))
    }

    fn other_board(&self, replay: u32, seed: u64) -> Option<String> {
        let rng = &mut Rng::stream(seed, u64::from(replay));
        self.board.other_board.map(|other_board| other_board(&self.board.game, replay, rng))
    }

    fn replay(&self, record: &GameRecord) -> Result<Vec<Snapshot>, WorkError> {
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

    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, WorkError> {
        let reader = self.board.game_reader.ok_or_else(|| self.lacks(Feature::GameFiles))?;
        Ok(reader(source))
    }

    fn read_text(&self, text: &str) -> Option<Result<GameTranscript, WorkError>> {
        self.board.text_reader.and_then(|read| read(text))
    }

    fn read_draft(&self, draft: &Draft) -> Result<String, WorkError> {
        let editor = self.board.editor.ok_or_else(|| self.lacks(Feature::Editor))?;
        Ok((editor.read_draft)(&self.board.game, draft)?)
    }

    fn review(
        &self,
        told: &GameTranscript,
        plan: &ReviewPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<Review, WorkError> {
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

    fn fingerprint(&self, record: &GameRecord) -> Result<u64, WorkError> {
        Ok(record.fingerprint(&self.board_of(record.position.as_deref())?.game)?)
    }
}
