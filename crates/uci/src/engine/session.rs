//! One UCI session: its position, its options and the running search.
//!
//! While a search runs it owns the engine. Anything that needs the engine first stops the search and waits for its answer.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use outplay_core::{Position, PositionHistory, Rng, Seat, View};
use outplay_games::chess::engine::{
    ChessEngine, PrincipalVariation, SearchInfo, SearchLimits, SearchRequest, SearchSignals, TimeControl,
    pick_with_noise,
};
use outplay_games::chess::{Chess, ChessMove, ClassicEvaluator, DrawClock};

use super::command::{self, GoParams, UciCommand};
use super::error::{UciError, quote};
use super::options::{OptionEffect, UciOptions};
use outplay_games::chess::engine::{LEVELS, Level};
use outplay_runtime::files::MAX_LINE_BYTES;
use outplay_runtime::{check_memory, own_threads};

/// The flags that a search reads.
#[derive(Default)]
struct SearchFlags {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// The answer waits for `stop`, even if the search has ended.
    waits: AtomicBool,
}

/// A search on its own thread.
struct RunningSearch<'scope> {
    flags: Arc<SearchFlags>,
    thread: ScopedJoinHandle<'scope, ChessEngine>,
}

/// The state of one session.
pub(super) struct UciSession<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Mutex<W>,
    options: UciOptions,
    /// The position and its past, or why the last one was refused.
    line: Result<PositionHistory<Chess>, UciError>,
    engine: Option<ChessEngine>,
    running: Option<RunningSearch<'scope>>,
    /// Games begun before this one.
    games: u64,
    rng: Rng,
}

impl<'scope, 'env, W: Write + Send> UciSession<'scope, 'env, W> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>, output: &'env Mutex<W>) -> Self {
        Self {
            scope,
            output,
            options: UciOptions::default(),
            line: Ok(PositionHistory::from(Chess::start())),
            engine: None,
            running: None,
            games: 0,
            rng: Rng::stream(UciOptions::default().seed as u64, 0),
        }
    }

    /// Handles a line; false after `quit`.
    pub(super) fn handle_line(&mut self, text: &str) -> bool {
        let done = match command::read(text) {
            Ok(Some(UciCommand::Quit)) => return false,
            Ok(Some(command)) => self.execute(command),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            self.explain(&error);
        }
        true
    }

    fn explain(&self, error: &UciError) {
        write_lines(self.output, &format!("info string {error}"));
    }

    /// Refuses a line that is too long. A `go` is answered all the same, and without its moves a position is not known.
    pub(super) fn refuse_long_line(&mut self, beginning: &str) {
        let error = UciError::LongLine { most: MAX_LINE_BYTES };
        let done = match command::read(beginning) {
            Ok(Some(command @ UciCommand::Go(_))) => self.execute(command),
            Ok(Some(UciCommand::Position { .. })) => {
                self.line = Err(error.clone());
                Ok(())
            }
            _ => Ok(()),
        };
        self.explain(done.as_ref().err().unwrap_or(&error));
    }

    fn execute(&mut self, command: UciCommand) -> Result<(), UciError> {
        match command {
            UciCommand::Uci => {
                let mut words =
                    format!("id name Outplay {}\nid author the Outplay authors\n", env!("CARGO_PKG_VERSION"));
                words += &UciOptions::announce().join("\n");
                write_lines(self.output, &format!("{words}\nuciok"));
            }
            UciCommand::IsReady => {
                if self.running.is_none() {
                    self.take_engine();
                }
                write_lines(self.output, "readyok");
            }
            UciCommand::NewGame => {
                self.stop_search();
                self.games += 1;
                self.reseed();
                self.line = Ok(PositionHistory::from(Chess::start()));
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            UciCommand::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            UciCommand::Position { setup, moves } => {
                self.line = set_up(&setup, &moves);
                self.line.as_ref().map_err(UciError::clone)?;
            }
            UciCommand::Go(go) => self.go(go),
            UciCommand::Stop => self.stop_search(),
            UciCommand::PonderHit => {
                if let Some(running) = &self.running {
                    running.flags.pondering.store(false, Ordering::Relaxed);
                }
            }
            UciCommand::Quit => {}
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), UciError> {
        let mut options = self.options.clone();
        let effect = options.set(name, value)?;
        let UciOptions { hash, threads, .. } = options;
        if hash != self.options.hash {
            check_memory(&format!("option Hash '{hash}'"), hash)?;
        }
        self.options = options;
        match effect {
            OptionEffect::Nothing => {}
            OptionEffect::Reseed => self.reseed(),
            OptionEffect::Forget => {
                self.stop_search();
                self.engine.iter_mut().for_each(ChessEngine::clear);
            }
            OptionEffect::Rebuild => {
                self.stop_search();
                self.engine = None;
            }
        }
        let used = own_threads(threads);
        if used < threads && effect == OptionEffect::Rebuild {
            let sentence = format!("option Threads '{threads}': {used} are used, one for each core");
            write_lines(self.output, &format!("info string {sentence}"));
        }
        Ok(())
    }

    /// The mistakes of weak levels differ from game to game, but not when the session is repeated.
    fn reseed(&mut self) {
        self.rng = Rng::stream(self.options.seed as u64, self.games);
    }

    /// Stops the search, if there is one, and waits for its answer.
    pub(super) fn stop_search(&mut self) {
        if let Some(running) = self.running.take() {
            running.flags.stop.store(true, Ordering::Relaxed);
            self.engine = running.thread.join().ok();
        }
    }

    fn take_engine(&mut self) -> &mut Option<ChessEngine> {
        let UciOptions { threads, hash, .. } = self.options;
        self.engine.get_or_insert_with(|| {
            ChessEngine::new(own_threads(threads), hash, &ClassicEvaluator::default())
        });
        &mut self.engine
    }

    fn go(&mut self, mut go: GoParams) {
        self.stop_search();
        let question = self.search_request(&mut go);
        let Level { nodes, blur } = LEVELS[self.options.skill - 1];
        let overhead = Duration::from_millis(self.options.overhead as u64);
        let mut limits = limits(&go, question.position.seat(), overhead);
        limits.nodes = [limits.nodes, nodes].into_iter().flatten().min();
        let is_free = limits == SearchLimits::default();
        let flags = Arc::new(SearchFlags::default());
        flags.pondering.store(go.ponder, Ordering::Relaxed);
        flags.waits.store(go.infinite || is_free, Ordering::Relaxed);
        let Some(mut engine) = self.take_engine().take() else { return };
        let task = SearchTask {
            has_position: self.line.is_ok(),
            question,
            limits,
            blur,
            shown: self.options.multi_pv,
            is_960: self.options.is_960,
            rng: Rng::new(self.rng.seed()),
            flags: Arc::clone(&flags),
        };
        let output = self.output;
        let thread = self.scope.spawn(move || {
            task.run(&mut engine, output);
            engine
        });
        self.running = Some(RunningSearch { flags, thread });
    }

    /// The search that `go` asks for, without moves if the last position was refused. What cannot be read is reported to the
    /// interface.
    fn search_request(&self, go: &mut GoParams) -> SearchRequest {
        let (PositionHistory { now, past, .. }, mut moves) = match &self.line {
            Ok(line) => (line.clone(), line.now.moves_ignoring_draws()),
            Err(reason) => {
                let error = UciError::NoPosition { reason: Box::new(reason.clone()) };
                write_lines(self.output, &format!("info string {error}"));
                go.only.clear();
                (PositionHistory::from(Chess::start()), Vec::new())
            }
        };
        let mut only = Vec::new();
        for text in std::mem::take(&mut go.only) {
            read_move(&now, &text).map_or_else(|error| go.add_error(error), |mv| only.push(mv));
        }
        if !only.is_empty() {
            moves.retain(|mv| only.contains(mv));
        }
        for error in go.errors() {
            write_lines(self.output, &format!("info string {error}"));
        }
        SearchRequest {
            position: now.with_draw_clock(if now.halfmove_clock() < 100 {
                DrawClock::Fifty
            } else {
                DrawClock::SeventyFive
            }),
            past,
            repetitions: Some(3),
            plies_left: None,
            moves,
            candidates: self.options.multi_pv,
        }
    }
}

/// The legal move with this notation; draw rules are ignored.
fn read_move(position: &Chess, text: &str) -> Result<ChessMove, UciError> {
    let moves = position.moves_ignoring_draws();
    let written = |is_960| moves.iter().find(|&&mv| position.uci(mv, is_960) == text).copied();
    written(true)
        .or_else(|| written(false))
        .ok_or_else(|| UciError::Move { text: quote(text), fen: position.fen() })
}

/// The position that follows from a start and moves.
fn set_up(setup: &str, moves: &[String]) -> Result<PositionHistory<Chess>, UciError> {
    let start = match setup.split_once(' ') {
        None if setup == "startpos" => Chess::start(),
        // No field of a FEN is longer than what may be quoted of it.
        Some(("fen", fields)) => {
            Chess::from_fen(&fields.split(' ').map(quote).collect::<Vec<_>>().join(" "))?
        }
        _ => return Err(UciError::Position { text: quote(setup) }),
    };
    let mut line = PositionHistory::from(start);
    for text in moves {
        let mv = read_move(&line.now, text)?;
        line.past.push(line.now.key());
        line.now.play(mv);
    }
    Ok(line)
}

/// The limits of the search. A clock or an increment that is given for one side counts for both, and an increment without
/// a clock is all the time there is. `overhead` is subtracted from the clock for delays between the engine and the
/// interface.
fn limits(go: &GoParams, seat: Seat, overhead: Duration) -> SearchLimits {
    let of_either = |times: [Option<Duration>; 2]| times[seat.index()].or(times[(!seat).index()]);
    let increment = of_either(go.increment);
    let time = match (go.move_time, of_either(go.time).or(increment)) {
        _ if go.infinite => None,
        // A small reserve for the delay between the interface and the engine.
        (Some(time), _) => Some(TimeControl::Move(time.saturating_sub(Duration::from_millis(2)))),
        (None, Some(left)) => Some(TimeControl::Game {
            left: left.saturating_sub(overhead),
            increment: increment.unwrap_or_default(),
            moves_to_go: go.moves_left,
        }),
        (None, None) => None,
    };
    SearchLimits { depth: go.depth, nodes: go.nodes, time, mate: go.mate }
}

/// One search, which is answered by `bestmove`.
struct SearchTask {
    /// The last position was accepted.
    has_position: bool,
    question: SearchRequest,
    limits: SearchLimits,
    blur: f64,
    shown: usize,
    is_960: bool,
    rng: Rng,
    flags: Arc<SearchFlags>,
}

impl SearchTask {
    fn run<W: Write>(mut self, engine: &mut ChessEngine, output: &Mutex<W>) {
        if self.question.moves.is_empty() {
            if self.has_position {
                let score = if self.question.position.in_check() { "mate 0" } else { "cp 0" };
                write_lines(output, &format!("info depth 0 score {score}"));
            }
            self.wait();
            write_lines(output, "bestmove 0000");
            return;
        }
        if self.blur > 0.0 {
            self.question.candidates = usize::MAX;
        }
        let signals = SearchSignals { stop: Some(&self.flags.stop), pondering: Some(&self.flags.pondering) };
        let show = |report: &SearchInfo<'_>| write_lines(output, &self.info(report));
        let variations = engine.search(&self.question, &self.limits, signals, show);
        self.wait();
        let PrincipalVariation { line, .. } =
            &variations[pick_with_noise(&variations, self.blur, &mut self.rng)];
        let texts = self.texts(line);
        let ponder = texts.get(1).map_or(String::new(), |reply| format!(" ponder {reply}"));
        write_lines(output, &format!("bestmove {}{ponder}", texts[0]));
    }

    /// While pondering, or in an infinite search, the answer waits for `stop` or `ponderhit`.
    fn wait(&self) {
        let is_up = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        while (is_up(&self.flags.pondering) || is_up(&self.flags.waits)) && !is_up(&self.flags.stop) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn texts(&self, line: &[ChessMove]) -> Vec<String> {
        let mut position = self.question.position;
        let text = |&mv: &ChessMove| {
            let text = position.uci(mv, self.is_960);
            position.play(mv);
            text
        };
        line.iter().map(text).collect()
    }

    /// The `info` lines of an iteration: one for each variation.
    fn info(&self, report: &SearchInfo<'_>) -> String {
        let milliseconds = report.elapsed.as_millis() as u64;
        let speed = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6)) as u64;
        let mut text = String::new();
        for (number, variation) in report.variations.iter().take(self.shown).enumerate() {
            let SearchInfo { depth, seldepth: deepest, nodes, hashfull: fullness, .. } = report;
            let score = match variation.score.mate_in() {
                Some(mate) => format!("mate {mate}"),
                None => format!("cp {}", variation.score.centipawns().unwrap_or(0)),
            };
            let line = self.texts(&variation.line).join(" ");
            let _ = writeln!(
                text,
                "info depth {depth} seldepth {deepest} multipv {} score {score} nodes {nodes} nps {speed} \
                 hashfull {fullness} time {milliseconds} pv {line}",
                number + 1
            );
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Writes one or more lines at once. Errors are ignored: an interface that is gone also ends the input.
fn write_lines<W: Write>(output: &Mutex<W>, text: &str) {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}
