//! The parameters that all methods of self-play share: how moves are chosen while learning, and in which games.

use outplay_core::{PositionNotation, Referee};
use outplay_players::{Exploration, Ramp};

use super::LearningError;
use crate::params::Tracked;
use crate::{params, words};

/// How moves are chosen while learning. `A` is what else changes over the training. `eps` and `alpha` are each method's own, for
/// their defaults differ.
pub(super) type ExplorationParams<A> = (NoiseParams, (A, ScheduleParams));

params! {
    /// How far moves are from the best ones.
    pub(super) struct NoiseParams {
        epsilon_end as "eps-end": Option<f64> = None, in 0.0..=1.0,
            "final value of eps (constant if not given)" | "valeur finale d’eps (constante si non donnée)";
        noise: f64 = 0.0, in 0.0..=10.0,
            "standard deviation of the noise added to the value of each move"
            | "écart-type de ce qui est ajouté à la valeur de chaque coup";
        noise_end as "noise-end": Option<f64> = None, in 0.0..=10.0,
            "final value of noise (constant if not given)" | "valeur finale de noise (constante si non donnée)";
    }
}

params! {
    /// How the learning rate of a network changes.
    pub(super) struct RateParams {
        alpha_end as "alpha-end": Option<f64> = None, in 0.0..=1.0,
            "final value of alpha (constant if not given)" | "valeur finale d’alpha (constante si non donnée)";
    }
}

params! {
    /// When the way to choose moves changes.
    pub(super) struct ScheduleParams {
        over: Option<u64> = None, in 1..=1_000_000_000_000,
            "games after which eps-end, noise-end and alpha-end are reached (all if not given)"
            | "parties au bout desquelles eps-end, noise-end et alpha-end sont atteints (toutes, si non donné)";
        soft_games as "softmax": Tracked<u64> = 0.into(), in 0..=1_000_000_000_000,
            "number of first games whose moves are chosen by soft-max instead"
            | "premières parties où les coups sont tirés par soft-max";
        temperature: Tracked<f64> = 1.0.into(), in 0.0001..=1000.0,
            "temperature of soft-max" | "température de soft-max";
    }
}

impl ScheduleParams {
    /// A number that goes from one value to another, if there is another, in a training of so many games.
    pub(super) fn ramp(&self, from: f64, end: Option<f64>, games: u64) -> Ramp {
        match end {
            Some(to) => Ramp { from, to, games: self.over.unwrap_or(games) },
            None => Ramp::constant(from),
        }
    }
}

/// How moves are chosen, with this share of random ones at first.
pub(super) fn exploration<A>(
    (noise, (_, schedule)): &ExplorationParams<A>,
    epsilon: f64,
    games: u64,
) -> Exploration {
    Exploration {
        epsilon: schedule.ramp(epsilon, noise.epsilon_end, games),
        noise: schedule.ramp(noise.noise, noise.noise_end, games),
        soft_games: *schedule.soft_games,
        temperature: *schedule.temperature,
    }
}

/// Refuses what would have no effect: a schedule without an end, a temperature that nothing is drawn by.
pub(super) fn check_exploration<A>(
    (noise, (_, schedule)): &ExplorationParams<A>,
    alpha_end: Option<f64>,
) -> Result<(), LearningError> {
    let ends = [noise.epsilon_end, noise.noise_end, alpha_end];
    if schedule.over.is_some() && ends.iter().all(Option::is_none) {
        return Err(LearningError::OverAlone);
    }
    if schedule.temperature.is_given() && !schedule.soft_games.is_given() {
        return Err(LearningError::TemperatureAlone);
    }
    Ok(())
}

params! {
    /// Which games are learnt from.
    pub(super) struct LearningGameParams {
        repetition: RepeatedPositions = RepeatedPositions::Ignored,
            "whether a repeated position ends a learning game as the referee says; no document's does"
            | "si une position répétée finit une partie d’apprentissage comme le dit l’arbitre ; dans aucun document";
        plies: Option<u32> = None, in 1..=1_000_000,
            "a learning game of this many moves is a draw (the referee's number, if not given)"
            | "une partie d’apprentissage de tant de coups est nulle (le nombre de l’arbitre, si non donné)";
    }
}

/// Whether repeated positions end a learning game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RepeatedPositions {
    Ignored,
    Counted,
}

words!(RepeatedPositions { "ignored" => RepeatedPositions::Ignored, "counted" => RepeatedPositions::Counted });

impl LearningGameParams {
    /// The referee of learning games. A learner that may always go back and forth to a draw learns little else.
    pub(super) fn referee<P: PositionNotation>(&self, game: &Referee<P>) -> Referee<P> {
        let mut learning = game.clone();
        if self.repetition == RepeatedPositions::Ignored {
            learning.repetitions = None;
        }
        learning.max_plies = self.plies.or(learning.max_plies);
        learning
    }
}
