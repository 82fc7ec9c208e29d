//! The games of a step, and how good a learner is after them: a short match against a reference, and an exam from the
//! exact solution where there is one.
//!
//! Invariants:
//! - game i of a training draws from `Rng::stream(seed, i)`;
//! - a check is played by the game's own referee, whatever rules end the learning games, and depends on the training's
//!   seed and the games learnt from, never on the threads.

use std::ops::Range;
use std::path::PathBuf;

use outplay_core::{Learner, Outcome, PositionNotation, Referee, Rng, Seat};
use outplay_players::{ActionSelection, SelfPlayResult, learning_game};
use serde_json::{Value, json};

use super::{LearnersOpponent, SelfPlayGame};
use crate::exactness::Exam;
use crate::params;
use crate::registry::{Measure, PlayerFactory};
use crate::store::Store;
use outplay_arena::matches::{Contestant, MatchPlan, run_match};
use outplay_runtime::{Watch, WorkError};

params! {
    /// How a learner is checked, in every training by self-play.
    pub(super) struct CheckParams {
        every: u64 = 1000, in 1..=1_000_000_000,
            "games between two checks, which are also the steps of the run"
            | "parties entre deux contrôles, qui sont aussi les pas de l’entraînement";
        games as "check": u64 = 100, in 0..=1_000_000,
            "games of each check against the reference, colours alternating"
            | "parties de chaque contrôle contre la référence, couleurs alternées";
        epsilon as "check-eps": f64 = 0.05, in 0.0..=1.0,
            "share of random moves in a check, of the learner and of a reference from a file"
            | "part de coups au hasard lors d’un contrôle, de l’élève et d’une référence lue d’un fichier";
        against: Option<PathBuf> = None,
            "what an earlier training learnt, as the reference (a player of random moves if none is given)"
            | "ce qu’un entraînement précédent a appris, comme référence (un joueur au hasard si rien n’est donné)";
        problems as "exam": u64 = 0, in 0..=1_000_000,
            "positions in which each check counts the moves that keep the exact value (needs a board that can be solved)"
            | "positions où chaque contrôle compte les coups qui gardent la valeur exacte (demande un plateau résoluble)";
    }
}

impl CheckParams {
    /// How the learner, and a reference from a file, choose moves in a check.
    pub(super) const fn choice(&self) -> ActionSelection {
        ActionSelection::Greedy { epsilon: self.epsilon, noise: 0.0 }
    }
}

/// The measures of a last check: the exam, if there was one, or the games against the reference.
pub(super) const MEASURES: &[Measure] =
    &[Measure::higher("exam", "/exam/share"), Measure::higher("check", "/check/score")];

/// The seed of the exam: all trainings of a game have the same one.
const EXAM_SEED: u64 = 0;

/// How a learner is checked.
pub(super) struct Check<P: PositionNotation> {
    game: Referee<P>,
    params: CheckParams,
    seed: u64,
    reference: PlayerFactory<P>,
    exam: Option<Exam<P>>,
}

impl<P: SelfPlayGame> Check<P> {
    /// The exam, if one is wanted, is set here, which may take the solving of the board.
    pub(super) fn new(
        game: &Referee<P>,
        params: &CheckParams,
        seed: u64,
        reference: PlayerFactory<P>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Self, WorkError> {
        let exam = match params.problems {
            0 => None,
            problems => Some(Exam::set(game, &game.start.oracle(store, watch)?, problems, EXAM_SEED)),
        };
        Ok(Self { game: game.clone(), params: params.clone(), seed, reference, exam })
    }
}

impl<P: PositionNotation> Check<P> {
    /// Games between two checks.
    pub(super) const fn every(&self) -> u64 {
        self.params.every
    }

    /// The check of a learner after this many games: `followed` gives players that choose in a given way.
    pub(super) fn record(
        &self,
        followed: impl Fn(ActionSelection) -> PlayerFactory<P>,
        learnt: u64,
        watch: Watch<'_>,
    ) -> Result<Checked, WorkError> {
        let seed = Rng::stream(!self.seed, learnt).seed();
        let play = || self.play(&followed(self.params.choice()), seed, watch);
        let matched = (self.params.games > 0).then(play).transpose()?;
        let exam = match &self.exam {
            Some(exam) => Some(exam.take(&followed(ActionSelection::BEST), seed, watch)?.record()),
            None => None,
        };
        Ok(Checked { matched, exam })
    }

    /// The points that the learner makes against the reference, with their interval.
    fn play(&self, learnt: &PlayerFactory<P>, seed: u64, watch: Watch<'_>) -> Result<Value, WorkError> {
        let contestants = [
            Contestant { name: "pupil", make: &**learnt },
            Contestant { name: "reference", make: &*self.reference },
        ];
        let plan = MatchPlan {
            games: self.params.games,
            seed,
            threads: Some(rayon::current_num_threads()),
            ..MatchPlan::default()
        };
        let result = run_match(&self.game, &contestants, &plan, &mut |_| {}, watch.stop_flag())?;
        let summary = result.summary();
        if summary.interrupted {
            return Err(WorkError::Stopped);
        }
        Ok(json!({
            "games": summary.games, "wins": summary.tally.wins, "draws": summary.tally.draws,
            "losses": summary.tally.losses, "score": summary.score, "score_low": summary.score_low,
            "score_high": summary.score_high,
        }))
    }
}

/// The results of a check, each `None` if not asked for.
#[derive(Default)]
pub(super) struct Checked {
    matched: Option<Value>,
    exam: Option<Value>,
}

/// The results of games that a learner learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfPlayTally {
    /// Won by the first seat.
    pub first: u64,
    /// Won by the second seat.
    pub second: u64,
    /// Won by nobody.
    pub draws: u64,
    /// The moves of all of them.
    pub plies: u64,
}

/// Plays the games of these numbers, against itself or an opponent, and learns from them. It stops if the opponent leaves.
pub(super) fn learn_from<P: SelfPlayGame, L: Learner<P>>(
    game: &Referee<P>,
    learner: &mut L,
    mut opponent: Option<&mut LearnersOpponent<P>>,
    seed: u64,
    games: Range<u64>,
    watch: Watch<'_>,
) -> Result<SelfPlayTally, WorkError> {
    let mut played = SelfPlayTally::default();
    for index in games {
        watch.check()?;
        let other = opponent.as_mut().map(|opponent| opponent.in_game(index));
        let Some(result) = learning_game(game, learner, other, &mut Rng::stream(seed, index)) else {
            if let Some(opponent) = opponent {
                opponent.has_left = true;
            }
            return Err(WorkError::Stopped);
        };
        played.count(result);
    }
    Ok(played)
}

impl SelfPlayTally {
    fn count(&mut self, game: SelfPlayResult) {
        match game.outcome {
            Outcome::Win(Seat::First) => self.first += 1,
            Outcome::Win(Seat::Second) => self.second += 1,
            Outcome::Draw => self.draws += 1,
        }
        self.plies += u64::from(game.plies);
    }

    /// The record of a step, with the number of games learnt from so far; `self` counts the step's own.
    pub(super) fn record(&self, learnt: u64, checked: Checked) -> Value {
        let games = self.first + self.second + self.draws;
        let step = json!({
            "games": games, "first_wins": self.first, "second_wins": self.second, "draws": self.draws,
            "plies_a_game": self.plies as f64 / games.max(1) as f64,
        });
        let mut record = json!({ "games": learnt, "last_step": step });
        for (name, what) in [("check", checked.matched), ("exam", checked.exam)] {
            if let Some(what) = what {
                record[name] = what;
            }
        }
        record
    }
}
