//! The real board learnt by self-play: the strength of a network after a number of games.
//!
//! At full scale the first pupil is, game by game, the network that comes with the program.

use outplay_games::quoridor::LargeQuoridor;

use super::super::info_f_106_2019::graph::{GREEDY, RANDOM, all_curves, tenths};
use super::super::info_f_106_2019::study::{Config, SelfPlayStudy, TrainingVariant, Yardstick};
use crate::artefact::Scale;
use outplay_lab::learning::TrainingConfig;
use outplay_lab::quoridor::nine;

/// The curve.
pub(super) const NINE: SelfPlayStudy = SelfPlayStudy {
    name: "nine",
    remark: "9×9 with ten walls each; the course of the network that comes with the program (`models/README.md`), which at full \
             scale is the first pupil. Pupils look at each move but no further and draw one move in twenty blindly.",
    conclusion: Some(
        "random moves are beaten from the first measurement on, and level 3 of the expert more and more often. Against the \
                 greedy player the first two thirds of the games gain nothing, 25.6% after 15000 and 29.8% after 105000, the last \
                 third much, 58.6% (36.5 – 80.8), but pupils differ.",
    ),
    config: |scale| {
        let (games, pupils, measured) = match scale {
            Scale::Smoke => (20, 1, 2),
            Scale::Desk => (50_000, 2, 200),
            Scale::Full => (nine::GAMES, 4, 1000),
        };
        let course =
            TrainingConfig::of_td_lambda::<LargeQuoridor>(&nine::parameters(games)).expect("a course");
        Config {
            variants: vec![TrainingVariant::new("TD(λ)".to_owned(), 9, 10, course)],
            pupils,
            first_seed: Some(0),
            after: tenths(games),
            yardsticks: vec![GREEDY, EXPERT, RANDOM],
            games: measured,
        }
    },
    report: all_curves,
};

/// A search that counts paths, with some random moves.
const EXPERT: Yardstick =
    Yardstick::Match { label: "expert at level 3", opponent: "expert:level=3", epsilon: 0.05 };
