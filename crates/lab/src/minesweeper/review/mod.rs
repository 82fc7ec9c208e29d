//! Luck or mistake: a recorded game of Minesweeper, judged move by move.
//!
//! Decides what each move was and how the game ended. [`chances`] finds the chances of winning and [`words`] writes the
//! sentences. A move is judged by what its player saw, never by where the mines were.

mod candidates;
mod chances;
mod words;

use outplay_core::Rng;
use outplay_games::minesweeper::{
    Action, BoardCell, CellContent, FirstClick, Minesweeper, MinesweeperState, Probabilities, Solver,
    VisibleBoard,
    insight::{ForcedGuess, forced_guesses},
};
use outplay_runtime::WorkError;

use crate::review::{Inquiry, Review};
use chances::{Compared, Trials};
use outplay_runtime::{Progress, Watch};

/// What a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ActionVerdict {
    /// Drawn at random before the player took over.
    Opening,
    /// A flag placed or taken away: it risks nothing.
    Flag,
    /// Nothing it unmasks could be mined.
    Proven,
    /// Nothing was certain, and no other cell was found to be better.
    BestGuess,
    /// Another cell wins more often.
    WorseGuess,
    /// A certain mine, or a risk where a cell was certainly empty; but not a guess that had to be made sooner or
    /// later.
    Blunder,
    /// The board is too entangled to say.
    Unjudged,
}

/// One move judged.
struct JudgedAction {
    kind: ActionVerdict,
    action: Action,
    /// The chance that it hits a mine.
    risk: Option<f64>,
    /// A cell that was certainly empty, where one was left aside.
    left_aside: Option<BoardCell>,
    /// How often it wins, beside the best that was tried.
    compared: Option<Compared>,
}

/// The review of a game.
pub(super) fn of(
    game: &Minesweeper,
    inquiry: &Inquiry<'_, Minesweeper>,
    watch: Watch<'_>,
) -> Result<Review, WorkError> {
    let mut judge = ActionJudge {
        game,
        solver: Solver::new(),
        trials: Trials { game, player: inquiry.player, samples: inquiry.samples, watch },
    };
    let (states, moves) = (&inquiry.replay.states, &inquiry.replay.moves);
    let mut judgements = Vec::with_capacity(moves.len());
    for (ply, (state, &action)) in states.iter().zip(moves).enumerate() {
        watch.show(Progress { task: "judging", done: ply as u64, total: moves.len() as u64, unit: "moves" });
        let seed = Rng::stream(inquiry.seed, ply as u64).seed();
        judgements.push(if ply < inquiry.random_plies {
            JudgedAction::plain(ActionVerdict::Opening, action)
        } else {
            judge.judge(state, action, seed)?
        });
    }
    let end = states.last().and_then(|end| outplay_core::Game::outcome(game, end));
    Ok(words::review(game, states, &judgements, end))
}

struct ActionJudge<'a> {
    game: &'a Minesweeper,
    solver: Solver,
    trials: Trials<'a>,
}

impl ActionJudge<'_> {
    fn judge(
        &mut self,
        state: &MinesweeperState,
        action: Action,
        seed: u64,
    ) -> Result<JudgedAction, WorkError> {
        let seen = state.seen();
        if let Action::Flag(_) | Action::Unflag(_) = action {
            return Ok(JudgedAction::plain(ActionVerdict::Flag, action));
        }
        let Ok(known) = self.solver.solve(seen).cloned() else {
            return Ok(JudgedAction::plain(ActionVerdict::Unjudged, action));
        };
        let by_rule = state.mines().is_none() && self.game.first() != FirstClick::Any;
        let targets = targets(seen, action);
        if !by_rule && targets.iter().all(|&cell| known.safe().contains(cell)) {
            return Ok(JudgedAction {
                risk: Some(0.0),
                ..JudgedAction::plain(ActionVerdict::Proven, action)
            });
        }
        let left_aside = known.safe().iter().next();
        let is_mine = !by_rule && targets.iter().any(|&cell| known.mined().contains(cell));
        let candidates = match left_aside {
            Some(safe) => vec![action, Action::Unmask(safe)],
            None => candidates::of(state, action, &known, self.trials.player, seed),
        };
        let compared = self.trials.compare(state, &candidates, seed)?;
        let is_forced = |guess: &ForcedGuess| targets.iter().all(|cell| guess.cells.contains(cell));
        let is_free = compared.is_free()
            || forced_guesses(&mut self.solver, seen).is_ok_and(|guesses| guesses.iter().any(is_forced));
        let left_aside = left_aside.filter(|_| is_mine || !is_free);
        let kind = if is_mine || left_aside.is_some() {
            ActionVerdict::Blunder
        } else if compared.is_worse() {
            ActionVerdict::WorseGuess
        } else if by_rule {
            ActionVerdict::Proven
        } else {
            ActionVerdict::BestGuess
        };
        let risk = if by_rule { 0.0 } else { risk(&targets, &known, &compared) };
        Ok(JudgedAction { kind, action, risk: Some(risk), left_aside, compared: Some(compared) })
    }
}

impl JudgedAction {
    const fn plain(kind: ActionVerdict, action: Action) -> Self {
        Self { kind, action, risk: None, left_aside: None, compared: None }
    }
}

/// The cells that the move unmasks by itself.
fn targets(seen: &VisibleBoard, action: Action) -> Vec<BoardCell> {
    match action {
        Action::Chord(number) => {
            seen.neighbours(number).filter(|&cell| seen.shown(cell) == CellContent::Masked).collect()
        }
        other => vec![other.cell()],
    }
}

/// The chance that one of the cells is mined: exact of one cell, as often as it happened of several.
fn risk(targets: &[BoardCell], known: &Probabilities, compared: &Compared) -> f64 {
    match targets {
        [only] => known.of(*only).unwrap_or(0.0),
        several if several.iter().any(|&cell| known.mined().contains(cell)) => 1.0,
        _ => compared.exploded.unwrap_or(0.0),
    }
}
