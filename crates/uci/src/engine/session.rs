//! One interface at the other end: its position, its options, the search that is under way.
//!
//! Law: while a search runs it owns the engine; whoever needs the engine stops the search first and waits for its answer.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use outplay_core::{Position, PositionHistory, Rng, View};
use outplay_games::chess::engine::{
    ChessEngine, PrincipalVariation, SearchInfo, SearchLimits, SearchRequest, SearchSignals, TimeControl,
    pick_with_noise,
};
use outplay_games::chess::{Chess, ChessMove, ClassicEvaluator, DrawClock};

use super::command::{self, Command, Go};
use super::options::{Effect, Options};
use outplay_games::chess::engine::{LEVELS, Level};
use outplay_runtime::{check_memory, own_threads};

/// Flags that the search looks at.
#[derive(Default)]
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// The answer waits for `stop`, whatever the search found.
    waits: AtomicBool,
}

/// A search under way.
struct Running<'scope> {
    flags: Arc<Flags>,
    thread: ScopedJoinHandle<'scope, ChessEngine>,
}

/// The conversation with one interface.
pub(super) struct Session<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Mutex<W>,
    options: Options,
    line: PositionHistory<Chess>,
    engine: Option<ChessEngine>,
    running: Option<Running<'scope>>,
    /// Games begun before this one.
    games: u64,
    rng: Rng,
}

impl<'scope, 'env, W: Write + Send> Session<'scope, 'env, W> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>, output: &'env Mutex<W>) -> Self {
        Self {
            scope,
            output,
            options: Options::default(),
            line: PositionHistory::from(Chess::start()),
            engine: None,
            running: None,
            games: 0,
            rng: Rng::stream(Options::default().seed as u64, 0),
        }
    }

    /// Obeys a line; false if it was the last.
    pub(super) fn hear(&mut self, line: &str) -> bool {
        match command::read(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                self.halt();
                return false;
            }
            Ok(Some(command)) => {
                if let Err(why) = self.obey(command) {
                    say(self.output, &format!("info string {why}"));
                }
            }
            Err(why) => say(self.output, &format!("info string {why}")),
        }
        true
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => {
                let mut words =
                    format!("id name Outplay {}\nid author the Outplay authors\n", env!("CARGO_PKG_VERSION"));
                words += &Options::announce().join("\n");
                say(self.output, &format!("{words}\nuciok"));
            }
            Command::IsReady => {
                if self.running.is_none() {
                    self.take_engine();
                }
                say(self.output, "readyok");
            }
            Command::NewGame => {
                self.halt();
                self.games += 1;
                self.reseed();
                self.line = PositionHistory::from(Chess::start());
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => self.line = set_up(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go),
            Command::Stop => self.halt(),
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.flags.pondering.store(false, Ordering::Relaxed);
                }
            }
            Command::Quit => {}
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let mut options = self.options.clone();
        let effect = options.set(name, value)?;
        let Options { hash, threads, .. } = options;
        if hash != self.options.hash {
            check_memory(&format!("option Hash '{hash}'"), hash).map_err(|refusal| refusal.to_string())?;
        }
        self.options = options;
        match effect {
            Effect::Nothing => {}
            Effect::Reseed => self.reseed(),
            Effect::Forget => {
                self.halt();
                self.engine.iter_mut().for_each(ChessEngine::clear);
            }
            Effect::Rebuild => {
                self.halt();
                self.engine = None;
            }
        }
        let used = own_threads(threads);
        if used < threads && effect == Effect::Rebuild {
            let sentence = format!("option Threads '{threads}': {used} are used, one for each core");
            say(self.output, &format!("info string {sentence}"));
        }
        Ok(())
    }

    /// Every game of a session has mistakes of its own, and the same ones whenever the session is repeated.
    fn reseed(&mut self) {
        self.rng = Rng::stream(self.options.seed as u64, self.games);
    }

    /// The lines have ended: a search that ends by itself may do so.
    pub(super) fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            let waits = running.flags.waits.load(Ordering::Relaxed);
            if waits || running.flags.pondering.load(Ordering::Relaxed) {
                running.flags.stop.store(true, Ordering::Relaxed);
            }
            self.engine = running.thread.join().ok();
        }
    }

    /// Stops the search, if there is one, and waits for its answer.
    fn halt(&mut self) {
        if let Some(running) = self.running.take() {
            running.flags.stop.store(true, Ordering::Relaxed);
            self.engine = running.thread.join().ok();
        }
    }

    fn take_engine(&mut self) -> &mut Option<ChessEngine> {
        let Options { threads, hash, .. } = self.options;
        self.engine.get_or_insert_with(|| {
            ChessEngine::new(own_threads(threads), hash, &ClassicEvaluator::default())
        });
        &mut self.engine
    }

    fn go(&mut self, go: &Go) {
        self.halt();
        let question = self.search_request(go);
        let Level { nodes, blur } = LEVELS[self.options.skill - 1];
        let mut limits = limits(go, &question.position, Duration::from_millis(self.options.overhead as u64));
        limits.nodes = [limits.nodes, nodes].into_iter().flatten().min();
        let is_free = limits == SearchLimits::default();
        let flags = Arc::new(Flags::default());
        flags.pondering.store(go.ponder, Ordering::Relaxed);
        flags.waits.store(go.infinite || is_free, Ordering::Relaxed);
        let Some(mut engine) = self.take_engine().take() else { return };
        let task = Task {
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
        self.running = Some(Running { flags, thread });
    }

    /// What is to be answered; of the words that cannot be obeyed the interface is told.
    fn search_request(&self, go: &Go) -> SearchRequest {
        let PositionHistory { now, past, .. } = &self.line;
        let mut moves = now.moves_ignoring_draws();
        let (mut only, mut slips) = (Vec::new(), go.slips.clone());
        for text in &go.only {
            read_move(now, text).map_or_else(|slip| slips.push(slip), |mv| only.push(mv));
        }
        if !only.is_empty() {
            moves.retain(|mv| only.contains(mv));
        }
        for slip in slips {
            say(self.output, &format!("info string {slip}"));
        }
        SearchRequest {
            position: now.with_draw_clock(if now.halfmove_clock() < 100 {
                DrawClock::Fifty
            } else {
                DrawClock::SeventyFive
            }),
            past: past.clone(),
            repetitions: Some(3),
            plies_left: None,
            moves,
            candidates: self.options.multi_pv,
        }
    }
}

/// The legal move that an interface writes so, the game being over or not.
fn read_move(position: &Chess, text: &str) -> Result<ChessMove, String> {
    let moves = position.moves_ignoring_draws();
    let written = |is_960| moves.iter().find(|&&mv| position.uci(mv, is_960) == text).copied();
    written(true)
        .or_else(|| written(false))
        .ok_or_else(|| format!("the move '{text}' cannot be played in {}", position.fen()))
}

/// The position that follows from a start and moves.
fn set_up(fen: Option<&str>, moves: &[String]) -> Result<PositionHistory<Chess>, String> {
    let start = match fen {
        None => Chess::start(),
        Some(fen) => Chess::from_fen(fen).map_err(|bad| bad.to_string())?,
    };
    let mut line = PositionHistory::from(start);
    for text in moves {
        let mv = read_move(&line.now, text)?;
        line.past.push(line.now.key());
        line.now.play(mv);
    }
    Ok(line)
}

/// What the engine may spend; `overhead` of a clock is kept back for whatever lies between the engine and the clock.
fn limits(go: &Go, position: &Chess, overhead: Duration) -> SearchLimits {
    let side = position.seat().index();
    let time = match (go.move_time, go.time[side]) {
        _ if go.infinite => None,
        // What lies between the interface and the engine takes a moment, too.
        (Some(time), _) => Some(TimeControl::Move(time.saturating_sub(Duration::from_millis(2)))),
        (None, Some(left)) => Some(TimeControl::Game {
            left: left.saturating_sub(overhead),
            increment: go.increment[side].unwrap_or_default(),
            moves_to_go: go.moves_left,
        }),
        (None, None) => None,
    };
    SearchLimits { depth: go.depth, nodes: go.nodes, time, mate: go.mate }
}

/// One search, to be answered by `bestmove`.
struct Task {
    question: SearchRequest,
    limits: SearchLimits,
    blur: f64,
    shown: usize,
    is_960: bool,
    rng: Rng,
    flags: Arc<Flags>,
}

impl Task {
    fn run<W: Write>(mut self, engine: &mut ChessEngine, output: &Mutex<W>) {
        if self.question.moves.is_empty() {
            let score = if self.question.position.in_check() { "mate 0" } else { "cp 0" };
            say(output, &format!("info depth 0 score {score}"));
            self.wait();
            say(output, "bestmove 0000");
            return;
        }
        if self.blur > 0.0 {
            self.question.candidates = usize::MAX;
        }
        let signals = SearchSignals { stop: Some(&self.flags.stop), pondering: Some(&self.flags.pondering) };
        let show = |report: &SearchInfo<'_>| say(output, &self.info(report));
        let variations = engine.search(&self.question, &self.limits, signals, show);
        self.wait();
        let PrincipalVariation { line, .. } =
            &variations[pick_with_noise(&variations, self.blur, &mut self.rng)];
        let texts = self.texts(line);
        let ponder = texts.get(1).map_or(String::new(), |reply| format!(" ponder {reply}"));
        say(output, &format!("bestmove {}{ponder}", texts[0]));
    }

    /// An answer that was found early waits until it is asked for.
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

    /// What is said of an iteration: a line for each candidate.
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

/// Writes one or more lines at once. An interface that has gone away hears nothing, and will end its lines.
fn say<W: Write>(output: &Mutex<W>, text: &str) {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}
