//! Many games of one player, for their scores.
//!
//! A game was won if it has the highest score that the board allows.
//!
//! Game i follows from the seed and i alone. Games of the same number begin alike for every player: with the
//! same first cell, if chance chooses it, and over the same mines, if the first cell is the same.

use outplay_core::{Game, Rng, Seat, Turn, View};
use outplay_games::minesweeper::{Minesweeper, VisibleBoard};
use rayon::prelude::*;

use super::vision::FirstCell;
use crate::registry::PlayerFactory;

/// The scores of these games, in their order, played on the threads of the pool it is called in.
pub fn play(
    game: &Minesweeper,
    player: &PlayerFactory<VisibleBoard>,
    first_cell: FirstCell,
    games: std::ops::Range<u64>,
    seed: u64,
) -> Vec<u16> {
    let play_one = |player: &mut Box<dyn outplay_core::Player<VisibleBoard>>, number: u64| {
        let mut chance = Rng::stream(seed, number);
        let mut state = game.start(&mut chance);
        let opening = game.view(&state).random_move(&mut chance, &mut Vec::new());
        if first_cell == FirstCell::Random {
            game.play(&mut state, opening);
        }
        player.new_game(Seat::First);
        while game.outcome(&state).is_none() {
            let mv = player.choose(game.view(&state), &mut Turn::new(&mut chance));
            game.play(&mut state, mv);
        }
        game.view(&state).score() as u16
    };
    games.into_par_iter().map_init(|| player(), |player, number| play_one(player, number)).collect()
}
