//! Networks that follow the moves of a game say the same as networks that see each position anew, bit for bit.

use outplay_core::{Rng, SeatEncoder};
use outplay_games::chess::Chess;
use outplay_games::connectfour::ConnectFour;
use outplay_games::othello::Othello;
use outplay_games::pushover::Pushover;
use outplay_games::quoridor::{LargeQuoridor, SmallQuoridor};
use outplay_games::tictactoe::TicTacToe;
use outplay_lab::learning::SelfPlayGame;
use outplay_lab::zero::ZeroNetwork;
use outplay_nn::{PolicyValueNetwork, PolicyValueShape, SparseActivation};
use outplay_players::PolicyValue;
use rayon::prelude::*;

/// Random games of each game.
const GAMES: u64 = 100_000;
/// Longer games are left.
const MOST_PLIES: usize = 150;

/// Follows random games from this start with a network that has learnt nothing.
fn follow<P: SelfPlayGame>(start: &P) {
    let encoder = start.seat_encoder();
    let shape = PolicyValueShape {
        inputs: encoder.inputs(),
        hidden: 32,
        activation: SparseActivation::Squared,
        value_hidden: 32,
        slots: encoder.slots(),
    };
    let network = PolicyValueNetwork::new(shape, &mut Rng::new(1)).unwrap();
    let network = ZeroNetwork::new(start, &network).unwrap();
    let networks = || [network.policy_value(), network.policy_value()];
    (0..GAMES).into_par_iter().for_each_init(networks, |[following, anew], number| {
        let (mut rng, mut scratch) = (Rng::stream(3, number), Vec::new());
        let mut position = start.clone();
        following.begin(&position);
        for ply in 0..MOST_PLIES {
            anew.begin(&position);
            let said = following.points(ply, &position);
            assert!(said == anew.points(0, &position), "game {number}, ply {ply}: {position:?}");
            if position.outcome().is_some() {
                break;
            }
            let mv = position.random_move(&mut rng, &mut scratch);
            following.step(ply, &position, mv);
            position.play(mv);
        }
    });
}

#[test]
fn sums_follow_games_of_placements() {
    follow(&TicTacToe::START);
    follow(&ConnectFour::START);
    follow(&Othello::start(8));
}

#[test]
fn sums_follow_pushover() {
    follow(&Pushover::<4>::START);
    follow(&Pushover::<5>::START);
}

#[test]
fn sums_follow_quoridor() {
    follow(&SmallQuoridor::start(5, 3).unwrap());
    follow(&LargeQuoridor::start(9, 10).unwrap());
}

#[test]
fn sums_follow_chess() {
    follow(&Chess::start());
}
