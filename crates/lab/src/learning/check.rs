//! The games of a step, and how good a pupil is after them: a short match against a reference.
//!
//! Laws of this room:
//! - game i of a training draws from `Rng::stream(seed, i)`;
//! - a check is played by the game's own referee, whatever the learning games are ended by, and depends on the
//!   training's seed and the games learnt from, never on the threads.

use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Learner, Outcome, Rng, Seat};
use outplay_players::{Choice, SelfPlayed, self_play};
use serde_json::{Value, json};

use crate::error::LabError;
use crate::matches::{Contestant, MatchPlan, run_match};
use crate::registry::Factory;
use crate::spec::{Kind, Param, Values};

/// What every training by self-play says of its checks.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "every",
        kind: Kind::Whole(1, 1_000_000_000),
        default: Some("1000"),
        help: "games between two checks, which are also the steps of the run",
    },
    Param {
        name: "check",
        kind: Kind::Whole(0, 1_000_000),
        default: Some("100"),
        help: "games of each check against the reference, colours alternating",
    },
    Param {
        name: "check-eps",
        kind: Kind::Real(0.0, 1.0),
        default: Some("0.05"),
        help: "share of random moves of the pupil, and of a reference from a file, in a check",
    },
    Param {
        name: "against",
        kind: Kind::File,
        default: None,
        help: "what an earlier training learnt, as the reference (a player of random moves if none is given)",
    },
];

/// How a pupil is checked.
pub(super) struct Check<G: Game> {
    game: G,
    pub(super) every: u64,
    games: u64,
    epsilon: f64,
    seed: u64,
    reference: Factory<G::View>,
}

impl<G: Game> Check<G> {
    pub(super) fn new(game: G, values: &Values, seed: u64, reference: Factory<G::View>) -> Self {
        Self {
            game,
            every: values.whole("every") as u64,
            games: values.whole("check") as u64,
            epsilon: values.real("check-eps"),
            seed,
            reference,
        }
    }

    /// How the pupil chooses in a check.
    pub(super) fn choice(&self) -> Choice {
        Choice::Greedy { epsilon: self.epsilon, noise: 0.0 }
    }

    /// The points that the pupil made against the reference, with their interval; nothing where nothing is played.
    pub(super) fn play(&self, pupil: &Factory<G::View>, learnt: u64) -> Result<Option<Value>, LabError> {
        if self.games == 0 {
            return Ok(None);
        }
        let contestants = [
            Contestant { name: "pupil", make: &**pupil },
            Contestant { name: "reference", make: &*self.reference },
        ];
        let plan = MatchPlan {
            games: self.games,
            seed: Rng::stream(!self.seed, learnt).seed(),
            threads: Some(rayon::current_num_threads()),
            ..MatchPlan::default()
        };
        let result = run_match(&self.game, &contestants, &plan, &mut |_| {}, &AtomicBool::new(false))?;
        let summary = result.summary();
        Ok(Some(json!({
            "games": summary.games, "wins": summary.tally.wins, "draws": summary.tally.draws,
            "losses": summary.tally.losses, "score": summary.score, "score_low": summary.score_low,
            "score_high": summary.score_high,
        })))
    }
}

/// What happened in games that a pupil learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Won by the first seat.
    pub first: u64,
    /// Won by the second seat.
    pub second: u64,
    /// Won by nobody.
    pub draws: u64,
    /// The moves of all of them.
    pub plies: u64,
}

/// Plays as many games as are asked for, and learns from them; `begun` were played before.
pub(super) fn learn_from<G: Game, L: Learner<G::View>>(
    game: &G,
    learner: &mut L,
    seed: u64,
    begun: u64,
    games: u64,
) -> Played {
    let mut played = Played::default();
    for index in begun..begun + games {
        played.count(self_play(game, learner, &mut Rng::stream(seed, index)));
    }
    played
}

impl Played {
    fn count(&mut self, game: SelfPlayed) {
        match game.outcome {
            Outcome::Win(Seat::First) => self.first += 1,
            Outcome::Win(Seat::Second) => self.second += 1,
            Outcome::Draw => self.draws += 1,
        }
        self.plies += u64::from(game.plies);
    }

    /// The record of a step.
    pub(super) fn record(&self, learnt: u64, check: Option<Value>) -> Value {
        let games = (self.first + self.second + self.draws).max(1);
        let mut record = json!({
            "games": learnt, "first_wins": self.first, "second_wins": self.second, "draws": self.draws,
            "plies_a_game": self.plies as f64 / games as f64,
        });
        if let Some(check) = check {
            record["check"] = check;
        }
        record
    }
}
