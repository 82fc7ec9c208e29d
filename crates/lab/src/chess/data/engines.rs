//! The engines that play the games of a set: a program that speaks UCI, or our own in this process.
//!
//! Both are asked in the same way, so that `engine=own` plays the games of `engine=outplay uci` with a table of one
//! mebibyte.

use std::sync::atomic::AtomicBool;

use outplay_core::PositionHistory;
use outplay_games::chess::engine::{ChessEngine, SearchInfo, SearchLimits, SearchRequest, SearchSignals};
use outplay_games::chess::pgn::CommentScore;
use outplay_games::chess::{Chess, ChessMove, ClassicEvaluator};
use outplay_players::Budget;

use crate::chess::outside::check_engine;
use outplay_uci::driver::{EngineConfig, EngineError, EngineReply, UciEngine};

/// What `engine=` is for our own engine.
pub(super) const OWN: &str = "own";
/// The size of its transposition table in mebibytes. Games are searched a few plies deep and it is cleared before each.
const OWN_HASH: usize = 1;

/// The engine of a plan.
pub(super) enum EngineChoice {
    Own,
    Program(EngineConfig),
}

impl EngineChoice {
    pub(super) fn of(config: EngineConfig) -> Self {
        if config.command == OWN { Self::Own } else { Self::Program(config) }
    }

    /// What games call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Own => "Outplay".to_owned(),
            Self::Program(config) => config.command.clone(),
        }
    }

    /// Tries a program once.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        match self {
            Self::Own => Ok(()),
            Self::Program(config) => check_engine(config),
        }
    }

    pub(super) fn start(&self) -> Result<PlayingEngine, EngineError> {
        Ok(match self {
            Self::Own => {
                PlayingEngine::Own(Box::new(ChessEngine::new(1, OWN_HASH, &ClassicEvaluator::default())))
            }
            Self::Program(config) => PlayingEngine::Program(Box::new(UciEngine::start(config)?)),
        })
    }
}

/// An engine that has been started.
pub(super) enum PlayingEngine {
    Own(Box<ChessEngine>),
    Program(Box<UciEngine>),
}

impl PlayingEngine {
    /// Forgets earlier games.
    pub(super) fn new_game(&mut self) -> Result<(), EngineError> {
        match self {
            Self::Own(engine) => {
                engine.clear();
                Ok(())
            }
            Self::Program(engine) => engine.new_game(),
        }
    }

    /// Its move in a game that came from `start` by these moves to `state`.
    pub(super) fn go(
        &mut self,
        start: &Chess,
        moves: &[ChessMove],
        state: &PositionHistory<Chess>,
        budget: &Budget,
        stop: &AtomicBool,
    ) -> Result<EngineReply, EngineError> {
        match self {
            Self::Own(engine) => Ok(own_reply(engine, state, budget, stop)),
            Self::Program(engine) => engine.go(start, moves, budget, Some(stop)),
        }
    }
}

/// Our engine's answer, with the score and depth of its last iteration.
fn own_reply(
    engine: &mut ChessEngine,
    state: &PositionHistory<Chess>,
    budget: &Budget,
    stop: &AtomicBool,
) -> EngineReply {
    let request = SearchRequest { past: state.past.clone(), ..SearchRequest::new(state.now) };
    let limits = SearchLimits { depth: budget.depth, nodes: budget.nodes, ..SearchLimits::default() };
    let signals = SearchSignals { stop: Some(stop), pondering: None };
    let (mut depth, mut nodes) = (0, 0);
    let report = |info: &SearchInfo<'_>| (depth, nodes) = (info.depth, info.nodes);
    let variations = engine.search(&request, &limits, signals, report);
    let best = &variations[0];
    let mate = best.score.mate_in().map(CommentScore::Mate);
    let verdict = mate.or(best.score.centipawns().map(CommentScore::Centipawns));
    EngineReply { best: best.line[0], verdict, depth, nodes, line: best.line.clone() }
}
