//! The Universal Chess Interface, from the side of whoever asks.
//!
//! Law: an answer is a legal move or a fault; after a fault the engine is of no more use.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::{Position, Seat};
use outplay_games::chess::pgn::CommentScore;
use outplay_games::chess::{Chess, ChessMove};
use outplay_players::Budget;

use super::announced::Announced;
use super::program::{Fault, Heard, Program};

/// How an engine is called and treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The program with its arguments.
    pub command: String,
    /// Options by name, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// How long an answer may take, beyond the time that the engine was given to think.
    pub patience: Duration,
}

/// What an engine answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its move.
    pub best: ChessMove,
    /// What it thinks of the position, for the side to move.
    pub verdict: Option<CommentScore>,
    /// How deep it looked.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// What it expects, beginning with its move.
    pub line: Vec<ChessMove>,
}

/// An engine that has introduced itself.
pub struct Engine {
    program: Program,
    terms: Terms,
    /// Whether it has been told that castling is written as in Chess960.
    is_960: bool,
}

impl Engine {
    /// Starts an engine and sets its options.
    pub fn start(terms: &Terms) -> Result<Self, Fault> {
        let program = Program::start(&terms.command)?;
        let mut engine = Self { program, terms: terms.clone(), is_960: false };
        let mut known: Vec<Announced> = Vec::new();
        engine.ask("uci", "uciok", |line| known.extend(Announced::read(line)))?;
        for (name, value) in &terms.options {
            let Some(option) = known.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
                let names: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
                let (command, known) = (terms.command.clone(), names.join(", "));
                return Err(Fault::NoOption { command, name: name.clone(), known });
            };
            option.check(value).map_err(|expected| {
                let (command, name, value) = (terms.command.clone(), name.clone(), value.clone());
                Fault::BadValue { command, name, value, expected }
            })?;
            engine.program.say(&format!("setoption name {name} value {value}"));
        }
        engine.ask("isready", "readyok", |_| ())?;
        Ok(engine)
    }

    /// Lets it forget what it knows of earlier games.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.program.say("ucinewgame");
        self.ask("isready", "readyok", |_| ())
    }

    /// Its move after these ones. A raised flag makes it answer at once.
    pub fn go(
        &mut self,
        start: &Chess,
        moves: &[ChessMove],
        budget: &Budget,
        stop: Option<&AtomicBool>,
    ) -> Result<Reply, Fault> {
        let is_960 = !castles_as_usual(start);
        if is_960 != self.is_960 {
            self.program.say(&format!("setoption name UCI_Chess960 value {is_960}"));
            self.is_960 = is_960;
        }
        let (place, now) = written(start, moves, is_960);
        self.program.say(&place);
        let asked = written_budget(budget);
        self.program.say(&asked);
        let mut until = Instant::now() + budget.time.unwrap_or_default() + self.terms.patience;
        let (mut thought, mut stop) = (Thinking::default(), stop);
        loop {
            let line = match self.program.hear(until, stop) {
                Heard::Line(line) => line,
                Heard::Called => {
                    self.program.say("stop");
                    until = until.min(Instant::now() + self.terms.patience);
                    stop = None;
                    continue;
                }
                Heard::Late => return Err(self.late(&asked)),
                Heard::End => return Err(self.ended(&asked)),
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => thought.hear(&line),
                Some("bestmove") => {
                    let best = words.next().and_then(|word| now.read_uci(word).ok());
                    let nonsense = || Fault::Nonsense {
                        command: self.terms.command.clone(),
                        asked: asked.clone(),
                        answer: line.clone(),
                    };
                    return Ok(thought.conclude(&now, best.ok_or_else(nonsense)?));
                }
                _ => {}
            }
        }
    }

    /// Says a line and hears what comes until the expected word.
    fn ask(&mut self, asked: &str, expected: &str, mut hear: impl FnMut(&str)) -> Result<(), Fault> {
        self.program.say(asked);
        let until = Instant::now() + self.terms.patience;
        loop {
            match self.program.hear(until, None) {
                Heard::Line(line) if line.trim() == expected => return Ok(()),
                Heard::Line(line) => hear(&line),
                Heard::End => return Err(self.ended(asked)),
                Heard::Late | Heard::Called => return Err(self.late(asked)),
            }
        }
    }

    fn ended(&self, asked: &str) -> Fault {
        Fault::Ended { command: self.terms.command.clone(), asked: asked.to_owned() }
    }

    fn late(&self, asked: &str) -> Fault {
        let seconds = self.terms.patience.as_secs_f64();
        Fault::Silent { command: self.terms.command.clone(), asked: asked.to_owned(), seconds }
    }
}

/// Whether kings and rooks that may castle stand where they do in the usual game.
fn castles_as_usual(position: &Chess) -> bool {
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
fn written(start: &Chess, moves: &[ChessMove], is_960: bool) -> (String, Chess) {
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

fn written_budget(budget: &Budget) -> String {
    let depth = budget.depth.map(|depth| format!(" depth {depth}"));
    let nodes = budget.nodes.map(|nodes| format!(" nodes {nodes}"));
    let time = budget.time.map(|time| format!(" movetime {}", time.as_millis().max(1)));
    let limits: String = [depth, nodes, time].into_iter().flatten().collect();
    format!("go{limits}")
}

/// What an engine let us know while it thought.
#[derive(Default)]
struct Thinking {
    verdict: Option<CommentScore>,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl Thinking {
    /// Takes in an `info` line: the last exact verdict on the first line counts.
    fn hear(&mut self, line: &str) {
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

    fn conclude(self, now: &Chess, best: ChessMove) -> Reply {
        let (mut position, mut line) = (*now, Vec::new());
        for word in &self.line {
            let Ok(mv) = position.read_uci(word) else { break };
            line.push(mv);
            position.play(mv);
        }
        if line.first() != Some(&best) {
            line = vec![best];
        }
        Reply { best, verdict: self.verdict, depth: self.depth, nodes: self.nodes, line }
    }
}
