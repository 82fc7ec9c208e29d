//! One engine that is driven through the Universal Chess Interface.
//!
//! An answer is a legal move or an error. After an error the engine must not be used any more.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::{Position, Seat};
use outplay_games::chess::pgn::CommentScore;
use outplay_games::chess::{Chess, ChessMove};
use outplay_players::Budget;

use super::engine_option::EngineOption;
use super::process::{EngineError, EngineProcess, ReadResult};

/// The command that starts an engine, its options, and how long it may take to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// The program with its arguments.
    pub command: String,
    /// Options by name, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// How long an answer may take, beyond the time that the engine was given to think.
    pub patience: Duration,
}

/// The answer of an engine to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReply {
    /// Its move.
    pub best: ChessMove,
    /// Its score of the position, for the side to move.
    pub verdict: Option<CommentScore>,
    /// The depth of its search.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Its principal variation, beginning with its move.
    pub line: Vec<ChessMove>,
}

/// A running engine that has answered `uci`.
pub struct UciEngine {
    process: EngineProcess,
    config: EngineConfig,
    /// Whether it has been told that castling is written as in Chess960.
    is_960: bool,
}

impl UciEngine {
    /// Starts an engine and sets its options.
    pub fn start(config: &EngineConfig) -> Result<Self, EngineError> {
        let process = EngineProcess::start(&config.command)?;
        let mut engine = Self { process, config: config.clone(), is_960: false };
        let mut known: Vec<EngineOption> = Vec::new();
        engine.ask("uci", "uciok", |line| known.extend(EngineOption::read(line)))?;
        for (name, value) in &config.options {
            let Some(option) = known.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
                let (command, name) = (config.command.clone(), name.clone());
                let known = known.into_iter().map(|option| option.name).collect();
                return Err(EngineError::NoOption { command, name, known });
            };
            option.check(value).map_err(|expected| {
                let (command, name, value) = (config.command.clone(), name.clone(), value.clone());
                EngineError::BadValue { command, name, value, expected }
            })?;
            engine.process.send(&format!("setoption name {name} value {value}"));
        }
        engine.ask("isready", "readyok", |_| ())?;
        Ok(engine)
    }

    /// Tells it that a new game begins, so that it forgets earlier ones.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.process.send("ucinewgame");
        self.ask("isready", "readyok", |_| ())
    }

    /// Its move after these moves. Raising `stop` makes it answer at once.
    pub fn go(
        &mut self,
        start: &Chess,
        moves: &[ChessMove],
        budget: &Budget,
        stop: Option<&AtomicBool>,
    ) -> Result<EngineReply, EngineError> {
        let is_960 = !has_standard_castling(start);
        if is_960 != self.is_960 {
            self.process.send(&format!("setoption name UCI_Chess960 value {is_960}"));
            self.is_960 = is_960;
        }
        let (place, now) = position_command(start, moves, is_960);
        self.process.send(&place);
        let asked = go_command(budget);
        self.process.send(&asked);
        let mut until = Instant::now() + budget.time.unwrap_or_default() + self.config.patience;
        let (mut report, mut stop) = (SearchReport::default(), stop);
        loop {
            let line = match self.process.receive(until, stop) {
                ReadResult::Line(line) => line,
                ReadResult::Cancelled => {
                    self.process.send("stop");
                    until = until.min(Instant::now() + self.config.patience);
                    stop = None;
                    continue;
                }
                ReadResult::TimedOut => return Err(self.timed_out(&asked)),
                ReadResult::Ended => return Err(self.ended(&asked)),
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => report.read_info(&line),
                Some("bestmove") => {
                    let best = words.next().and_then(|word| now.read_uci(word).ok());
                    let nonsense = || EngineError::Nonsense {
                        command: self.config.command.clone(),
                        asked: asked.clone(),
                        answer: line.clone(),
                    };
                    return Ok(report.into_reply(&now, best.ok_or_else(nonsense)?));
                }
                _ => {}
            }
        }
    }

    /// Sends a line and reads lines up to the expected one; `on_line` gets those before it.
    fn ask(&mut self, asked: &str, expected: &str, mut on_line: impl FnMut(&str)) -> Result<(), EngineError> {
        self.process.send(asked);
        let until = Instant::now() + self.config.patience;
        loop {
            match self.process.receive(until, None) {
                ReadResult::Line(line) if line.trim() == expected => return Ok(()),
                ReadResult::Line(line) => on_line(&line),
                ReadResult::Ended => return Err(self.ended(asked)),
                ReadResult::TimedOut | ReadResult::Cancelled => return Err(self.timed_out(asked)),
            }
        }
    }

    fn ended(&self, asked: &str) -> EngineError {
        EngineError::Ended { command: self.config.command.clone(), asked: asked.to_owned() }
    }

    fn timed_out(&self, asked: &str) -> EngineError {
        let seconds = self.config.patience.as_secs_f64();
        EngineError::Silent { command: self.config.command.clone(), asked: asked.to_owned(), seconds }
    }
}

/// Whether the kings and rooks that may castle stand on their squares of standard chess.
fn has_standard_castling(position: &Chess) -> bool {
    Seat::BOTH.into_iter().all(|seat| {
        let rooks = position.castling_rooks(seat);
        let king_is_usual = position.king(seat).file() == 4 || rooks.iter().all(Option::is_none);
        let usual = |rook: Option<outplay_games::chess::ChessSquare>, file| {
            rook.is_none_or(|rook| rook.file() == file)
        };
        king_is_usual && usual(rooks[0], 0) && usual(rooks[1], 7)
    })
}

/// The `position` command for these moves, and where they lead.
fn position_command(start: &Chess, moves: &[ChessMove], is_960: bool) -> (String, Chess) {
    let mut text = format!("position fen {}", start.fen());
    let mut now = *start;
    if !moves.is_empty() {
        text.push_str(" moves");
    }
    for &mv in moves {
        text.push(' ');
        text.push_str(&now.uci(mv, is_960));
        now.play(mv);
    }
    (text, now)
}

fn go_command(budget: &Budget) -> String {
    let depth = budget.depth.map(|depth| format!(" depth {depth}"));
    let nodes = budget.nodes.map(|nodes| format!(" nodes {nodes}"));
    let time = budget.time.map(|time| format!(" movetime {}", time.as_millis().max(1)));
    let limits: String = [depth, nodes, time].into_iter().flatten().collect();
    format!("go{limits}")
}

/// What the `info` lines of a search said.
#[derive(Default)]
struct SearchReport {
    verdict: Option<CommentScore>,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl SearchReport {
    /// Reads an `info` line. The last exact score of the first variation counts.
    fn read_info(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str| words.iter().position(|word| *word == name).map(|at| &words[at + 1..]);
        let number = |name: &str| after(name)?.first()?.parse::<i64>().ok();
        if let Some(nodes) = number("nodes") {
            self.nodes = nodes.max(0) as u64;
        }
        let is_bound = words.iter().any(|word| ["upperbound", "lowerbound"].contains(word));
        if is_bound || number("multipv").is_some_and(|place| place != 1) {
            return;
        }
        let Some([kind, value, ..]) = after("score") else { return };
        let Ok(value) = value.parse::<i32>() else { return };
        self.verdict = match *kind {
            "cp" => Some(CommentScore::Centipawns(value)),
            "mate" => Some(CommentScore::Mate(value)),
            _ => return,
        };
        self.depth = number("depth").unwrap_or(0).clamp(0, 1000) as u32;
        self.line = after("pv").unwrap_or_default().iter().map(|word| (*word).to_owned()).collect();
    }

    fn into_reply(self, now: &Chess, best: ChessMove) -> EngineReply {
        let (mut position, mut line) = (*now, Vec::new());
        for word in &self.line {
            let Ok(mv) = position.read_uci(word) else { break };
            line.push(mv);
            position.play(mv);
        }
        if line.first() != Some(&best) {
            line = vec![best];
        }
        EngineReply { best, verdict: self.verdict, depth: self.depth, nodes: self.nodes, line }
    }
}
