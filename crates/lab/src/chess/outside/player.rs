//! The player `uci`: plays what an external program answers.
//!
//! A program that hangs, dies or answers nonsense loses the game, not the match: the next game begins with a fresh
//! process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::{Candidate, Player, Position, Referee, Score, Seat, Thought, Turn, View};
use outplay_games::chess::pgn::CommentScore;
use outplay_games::chess::{Chess, ChessMove, MaterialEvaluator};
use outplay_players::Budget;
use outplay_uci::driver::{EngineConfig, EngineError, EngineReply, UciEngine};

use crate::error::LabError;
use crate::registry::{PlayerDef, PlayerFactory};
use crate::spec::{Param, ParamKind, Values};

const PARAMS: &[Param] = &[
    Param {
        name: "command",
        kind: ParamKind::Program,
        default: None,
        help: "the engine, such as stockfish; quotes keep blanks together",
    },
    Param { name: "depth", kind: ParamKind::Whole(1, 200), default: None, help: "plies to look ahead" },
    Param {
        name: "nodes",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "positions per move",
    },
    Param {
        name: "time",
        kind: ParamKind::Time,
        default: None,
        help: "time per move (100ms if no limit is given)",
    },
    Param {
        name: "options",
        kind: ParamKind::Text("options such as Skill Level=5;Hash=16"),
        default: None,
        help: "the engine's own options, separated by semicolons",
    },
    Param {
        name: "timeout",
        kind: ParamKind::Time,
        default: Some("10s"),
        help: "an answer that takes longer, beyond the time that was given, loses the game",
    },
];

/// The player's entry.
pub(crate) fn player() -> PlayerDef<Referee<Chess>> {
    PlayerDef::new(
        "uci",
        "any program that speaks the Universal Chess Interface",
        PARAMS.to_vec(),
        |request| make(request.values),
    )
}

fn make(values: &Values) -> Result<PlayerFactory<Chess>, LabError> {
    let command = values.optional_text("command").ok_or_else(|| {
        LabError::refused("the player 'uci' has no command: expected one such as uci:command=stockfish")
    })?;
    let terms = terms(command, values)?;
    check_engine(&terms)?;
    let mut budget = Budget {
        depth: values.optional_whole("depth").map(|depth| depth as u32),
        nodes: values.optional_whole("nodes").map(|nodes| nodes as u64),
        time: values.optional_time("time"),
    };
    if budget == Budget::UNLIMITED {
        budget.time = Some(Duration::from_millis(100));
    }
    Ok(Arc::new(move || Box::new(UciPlayer { terms: terms.clone(), budget, engine: None, line: None })))
}

/// The options that a text names, separated by semicolons.
pub(crate) fn options(text: &str) -> Result<Vec<(String, String)>, LabError> {
    let option = |text: &str| {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            LabError::refused(format!("options={text}: expected options such as Skill Level=5;Hash=16"))
        })?;
        Ok::<_, LabError>((name.trim().to_owned(), value.trim().to_owned()))
    };
    text.split(';').map(str::trim).filter(|text| !text.is_empty()).map(option).collect()
}

/// How the engine is treated, from parameters `options` and `timeout`.
fn terms(command: &str, values: &Values) -> Result<EngineConfig, LabError> {
    Ok(EngineConfig {
        command: command.to_owned(),
        options: options(values.optional_text("options").unwrap_or_default())?,
        patience: values.optional_time("timeout").unwrap_or(Duration::from_secs(10)),
    })
}

/// Tries the engine once: a missing program or an unknown option is the user's mistake.
/// One that misbehaves is left to lose its games.
pub(crate) fn check_engine(terms: &EngineConfig) -> Result<(), LabError> {
    match UciEngine::start(terms) {
        Err(
            fault @ (EngineError::NoStart { .. }
            | EngineError::NoOption { .. }
            | EngineError::BadValue { .. }),
        ) => Err(LabError::refused(fault.to_string())),
        _ => Ok(()),
    }
}

/// A program from outside as a player.
struct UciPlayer {
    terms: EngineConfig,
    budget: Budget,
    engine: Option<UciEngine>,
    line: Option<GameSoFar>,
}

/// The game as far as the player has seen it: engines want to know the way, for repetitions.
struct GameSoFar {
    start: Chess,
    moves: Vec<ChessMove>,
    now: Chess,
}

impl GameSoFar {
    const fn from(start: Chess) -> Self {
        Self { start, moves: Vec::new(), now: start }
    }

    fn play(&mut self, mv: ChessMove) {
        self.moves.push(mv);
        self.now.play(mv);
    }

    /// Goes on to a position one move ahead; false if none leads there.
    fn reaches(&mut self, view: &Chess) -> bool {
        let found = self.now.moves().into_iter().find(|&mv| self.now.after(mv) == *view);
        found.map(|mv| self.play(mv)).is_some()
    }
}

impl UciPlayer {
    fn answer(&mut self, view: &Chess, turn: &Turn<'_, ChessMove>) -> Result<EngineReply, EngineError> {
        if !self.line.as_mut().is_some_and(|line| line.reaches(view)) {
            self.line = Some(GameSoFar::from(*view));
        }
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(UciEngine::start(&self.terms)?),
        };
        let line = self.line.as_mut().expect("a line was begun");
        let reply = engine.go(&line.start, &line.moves, &self.budget, turn.stop_flag())?;
        line.play(reply.best);
        Ok(reply)
    }
}

impl Player<Chess> for UciPlayer {
    fn new_game(&mut self, _seat: Seat) {
        self.line = None;
        if self.engine.as_mut().is_some_and(|engine| engine.new_game().is_err()) {
            self.engine = None;
        }
    }

    fn choose(&mut self, view: &Chess, turn: &mut Turn<'_, ChessMove>) -> ChessMove {
        let begun = Instant::now();
        match self.answer(view, turn) {
            Ok(reply) => {
                turn.show(|| thought(&reply, begun.elapsed()));
                reply.best
            }
            Err(fault) => {
                self.engine = None;
                turn.forfeit(fault.to_string());
                view.moves()[0]
            }
        }
    }
}

fn thought(reply: &EngineReply, elapsed: Duration) -> Thought<ChessMove> {
    let candidate =
        reply.verdict.map(|verdict| Candidate::scored(reply.best, score(verdict), 1.0, reply.line.clone()));
    Thought { candidates: candidate.into_iter().collect(), depth: reply.depth, nodes: reply.nodes, elapsed }
}

/// A verdict on our scale.
fn score(verdict: CommentScore) -> Score {
    match verdict {
        CommentScore::Centipawns(hundredths) => {
            Score::eval(hundredths.saturating_mul(MaterialEvaluator::default().pawn) / 100)
        }
        CommentScore::Mate(moves) if moves > 0 => Score::win_in(2 * moves as u32 - 1),
        CommentScore::Mate(moves) => Score::loss_in(2 * moves.unsigned_abs()),
    }
}
