//! The notation of Lode Runner: moves are words, positions are the texts of [`super::read_position`].

use outplay_core::scene::{Key, Mark, Scene, Touch};
use outplay_core::{Game, IllegalMove, MalformedPosition, Notation, Rng, Text, View, errors};

use super::physics::RunnerAction;
use super::rules::{GuardRule, LodeRunner, LodeRunnerState, without_guards};
use super::scene::plan_marks;
use super::text::read_position;

errors! {
    /// Why a text names no move that can be played.
    #[derive(Clone, PartialEq, Eq)]
    pub enum RunnerMoveError {
        Unknown =
            "expected left, right, up, down, dig-left, dig-right or wait"
            | "attendu left, right, up, down, dig-left, dig-right ou wait",
        Falling = "the runner falls and can only wait" | "le coureur tombe et ne peut qu’attendre",
        Digging = "the runner digs and can only wait" | "le coureur creuse et ne peut qu’attendre",
        Blocked = "nothing can be entered there" | "rien n’y peut être franchi",
        NoLadder = "no ladder leads up from here" | "aucune échelle ne monte d’ici",
        NoBrick =
            "there is no free brick to dig there" | "il n’y a pas de brique libre à creuser là",
    }
}

impl RunnerAction {
    /// The action as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
            Self::DigLeft => "dig-left",
            Self::DigRight => "dig-right",
            Self::Wait => "wait",
        }
    }
}

impl Notation for LodeRunner {
    fn write_move(&self, _state: &LodeRunnerState, mv: RunnerAction) -> String {
        mv.name().to_owned()
    }

    fn read_move(&self, state: &LodeRunnerState, text: &str) -> Result<RunnerAction, IllegalMove> {
        let text = text.trim();
        let action = RunnerAction::ALL.into_iter().find(|action| action.name().eq_ignore_ascii_case(text));
        let action = action.ok_or_else(|| IllegalMove::unreadable(text, RunnerMoveError::Unknown))?;
        if self.outcome(state).is_some() {
            return Err(IllegalMove::game_over(text));
        }
        if state.seen().is_legal(action) {
            return Ok(action);
        }
        Err(IllegalMove::forbidden(text, refusal(state, action)))
    }

    fn write_position(&self, state: &LodeRunnerState) -> String {
        state.seen().to_string()
    }

    /// The guards' policy is drawn anew, by a generator seeded from the position alone.
    fn read_position(&self, text: &str) -> Result<LodeRunnerState, MalformedPosition> {
        let seen = read_position(text, self.delays()).map_err(MalformedPosition::new)?;
        let seen = if self.guards() == GuardRule::Absent { without_guards(&seen) } else { seen };
        let mut rng = Rng::new(seen.key());
        Ok(self.set_up(seen, &mut rng))
    }

    fn seat_names(&self) -> [Text; 2] {
        [Text::new("runner", "Coureur"), Text::new("guards", "Gardes")]
    }

    fn draw(&self, state: &LodeRunnerState) -> Scene {
        self.drawn(state)
    }

    /// A move is a key, not a place.
    fn touches(&self, _mv: RunnerAction) -> Vec<Touch> {
        Vec::new()
    }

    fn keys(&self) -> Vec<(Key, RunnerAction)> {
        vec![
            (Key::ArrowLeft, RunnerAction::Left),
            (Key::ArrowRight, RunnerAction::Right),
            (Key::ArrowUp, RunnerAction::Up),
            (Key::ArrowDown, RunnerAction::Down),
            (Key::Z, RunnerAction::DigLeft),
            (Key::X, RunnerAction::DigRight),
            (Key::Space, RunnerAction::Wait),
        ]
    }

    fn trace(&self, state: &LodeRunnerState, line: &[RunnerAction]) -> Vec<Mark> {
        plan_marks(state.seen(), line)
    }

    fn idle_move(&self) -> Option<RunnerAction> {
        Some(RunnerAction::Wait)
    }
}

fn refusal(state: &LodeRunnerState, action: RunnerAction) -> RunnerMoveError {
    let (physics, moment) = (state.seen().physics(), state.seen().moment());
    if !physics.is_supported(moment, moment.runner, None) {
        return RunnerMoveError::Falling;
    }
    if moment.busy > 0 {
        return RunnerMoveError::Digging;
    }
    match action {
        RunnerAction::Up => RunnerMoveError::NoLadder,
        RunnerAction::DigLeft | RunnerAction::DigRight => RunnerMoveError::NoBrick,
        _ => RunnerMoveError::Blocked,
    }
}
