//! How fast searches with a network are, for `outplay bench`.

use outplay_core::{Player, Referee, Rng, Seat, Turn};
use outplay_nn::{PolicyValueNetwork, PolicyValueShape, SparseActivation};
use outplay_players::{Budget, Puct, Zero};

use super::network::{ZeroNetwork, shape_for};
use super::training::VALUE_HIDDEN;
use crate::bench::{Measurement, rate};
use crate::learning::SelfPlayGame;

/// Simulations of `zero` a second on one core, from a fresh tree each time: each evaluates a position, and the policy too where
/// the search goes on. The network has so many hidden neurons and has learnt nothing, so the trees are as broad as they can be.
pub(crate) fn measure<P: SelfPlayGame>(name: &str, game: &Referee<P>, hidden: usize) -> Measurement {
    const BUDGET: u64 = 20_000;
    let shape = PolicyValueShape {
        inputs: 0,
        hidden,
        activation: SparseActivation::Squared,
        value_hidden: VALUE_HIDDEN,
        slots: 0,
    };
    let network = PolicyValueNetwork::new(shape_for(&game.start, &shape), &mut Rng::new(1));
    let network = ZeroNetwork::new(&game.start, &network.expect("whole widths")).expect("small weights");
    let mut player = Zero::new(network.policy_value(), Budget::nodes(BUDGET), Puct::default());
    let simulations = rate(|run| {
        let mut rng = Rng::new(run as u64);
        let mut turn = Turn::new(&mut rng);
        turn.plies_left = game.max_plies;
        player.new_game(Seat::First);
        player.choose(&game.start, &mut turn);
        BUDGET
    });
    Measurement::new(format!("{name}: zero, {hidden} hidden neurons"), simulations, "simulations/s")
}
