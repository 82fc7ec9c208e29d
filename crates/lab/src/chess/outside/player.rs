//! The player `uci`: plays what an external program answers.
//!
//! A program that hangs, dies or answers nonsense loses the game, not the match: the next game begins with a fresh
//! process.

use outplay_runtime::WorkError;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::{Candidate, Player, Position, Referee, Score, Seat, Text, Thought, Turn, View, errors};
use outplay_games::chess::pgn::CommentScore;
use outplay_games::chess::{Chess, ChessMove, MaterialEvaluator};
use outplay_players::Budget;
use outplay_uci::driver::{EngineConfig, EngineError, EngineReply, UciEngine};

use crate::params;
use crate::params::{ParamKind, ParamType, Program};
use crate::registry::{PlayerDef, PlayerFactory};

params! {
    /// An external program and its limits.
    struct UciParams {
        command: Option<Program> = None,
            "the engine, such as stockfish; quotes keep blanks together"
            | "le moteur, tel que stockfish ; des guillemets droits protègent les espaces";
        depth: Option<u32> = None, in 1..=200, "plies to look ahead" | "demi-coups à regarder";
        nodes: Option<u64> = None, in 1..=1_000_000_000_000, "positions per move" | "positions par coup";
        time: Option<Duration> = None,
            "time per move (100ms if no limit is given)"
            | "temps par coup (100ms si aucune limite n’est donnée)";
        options: Option<EngineOptions> = None,
            in Text::new("options such as Skill Level=5;Hash=16", "des options telles que Skill Level=5;Hash=16"),
            "the engine's own options, separated by semicolons"
            | "les options propres au moteur, séparées par des points-virgules";
        timeout: Duration = Duration::from_secs(10),
            "an answer that takes longer, beyond the time that was given, loses the game"
            | "une réponse qui tarde davantage, au-delà du temps donné, perd la partie";
    }
}

/// Options of an engine, by name: `Skill Level=5;Hash=16`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineOptions(pub(crate) Vec<(String, String)>);

impl ParamType for EngineOptions {
    /// Examples of such options.
    type Range = Text;

    fn kind(examples: &Text) -> ParamKind {
        ParamKind::Text(examples.clone())
    }

    fn read(text: &str, _: &Text) -> Option<Self> {
        let option = |text: &str| {
            let (name, value) = text.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        text.split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(option)
            .collect::<Option<_>>()
            .map(Self)
    }

    fn write(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(";")
    }
}

errors! {
    /// Why there is no such player.
    pub enum UciPlayerError {
        NoCommand =
            "the player 'uci' has no command: expected one such as uci:command=stockfish"
            | "le joueur « uci » n’a pas de commande : attendu une commande telle que uci:command=stockfish",
    }
}

/// The player's entry.
pub(crate) fn player() -> PlayerDef<Referee<Chess>> {
    PlayerDef::new(
        "uci",
        Text::new(
            "any program that speaks the Universal Chess Interface",
            "tout programme qui parle l’Universal Chess Interface",
        ),
        UciParams::default(),
        |_, params| make(params),
    )
}

fn make(params: &UciParams) -> Result<PlayerFactory<Chess>, WorkError> {
    let Program(command) = params.command.clone().ok_or(UciPlayerError::NoCommand)?;
    let EngineOptions(options) = params.options.clone().unwrap_or_default();
    let terms = EngineConfig { command, options, patience: params.timeout };
    check_engine(&terms)?;
    let mut budget = Budget { depth: params.depth, nodes: params.nodes, time: params.time };
    if budget == Budget::UNLIMITED {
        budget.time = Some(Duration::from_millis(100));
    }
    Ok(Arc::new(move || Box::new(UciPlayer { terms: terms.clone(), budget, engine: None, line: None })))
}

/// Tries the engine once: a missing program or an unknown option is the user's mistake.
/// One that misbehaves is left to lose its games.
pub(crate) fn check_engine(terms: &EngineConfig) -> Result<(), EngineError> {
    match UciEngine::start(terms) {
        Err(
            fault @ (EngineError::NoStart { .. }
            | EngineError::NoOption { .. }
            | EngineError::BadValue { .. }),
        ) => Err(fault),
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
