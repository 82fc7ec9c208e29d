//! Training gives the same bytes, players make legal moves, refusals are clear.

use outplay_runtime::Watch;
use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Player, Rng, Seat, Text, Turn, View};
use outplay_games::minesweeper::{Action, FirstClick, Minesweeper, VisibleBoard};
use outplay_nn::Network;

use super::sight::plan;
use super::train::begin;
use super::{BoardChoice, FirstCell, NetPlayer, VisionNetwork, VisionTrainingParams};
use crate::params::Params;
use outplay_training::Training;

fn training(seed: u64) -> Box<dyn Training> {
    let game = Minesweeper::new(8, 8, 10, FirstClick::Safe).unwrap();
    let params =
        VisionTrainingParams { channels: 3, blocks: 1, batches: 25, cells: 500, ..Default::default() };
    begin(&game, &params, seed).unwrap()
}

fn finish(training: &mut dyn Training) -> Vec<u8> {
    while !training.step(Watch::nobody()).unwrap().finished {}
    training.product()
}

#[test]
fn a_training_that_was_interrupted_leaves_the_same_bytes_on_any_number_of_threads() {
    let whole = finish(&mut *training(5));
    let on_three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let parts = on_three.install(|| {
        let mut first = training(5);
        first.step(Watch::nobody()).unwrap();
        let mut second = training(6);
        second.restore(&first.checkpoint()).unwrap();
        assert!(second.restore(&first.checkpoint()[..20]).is_err());
        let mut third = training(5);
        third.restore(&first.checkpoint()).unwrap();
        finish(&mut *third)
    });
    assert!(whole == parts);
    assert!(whole != finish(&mut *training(6)));
}

#[test]
fn training_lowers_the_error_on_boards_never_seen() {
    let game = Minesweeper::new(6, 6, 5, FirstClick::Safe).unwrap();
    let boards = BoardChoice::Own;
    let params =
        VisionTrainingParams { channels: 8, blocks: 1, batches: 300, cells: 1000, rate: 0.004, boards };
    let mut training = begin(&game, &params, 1).unwrap();
    let mut errors = Vec::new();
    loop {
        let step = training.step(Watch::nobody()).unwrap();
        errors.push(step.record["error_on_frontier"].as_f64().unwrap());
        if step.finished {
            break;
        }
    }
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean(&errors[errors.len() - 5..]) < 0.7 * mean(&errors[..5]), "{errors:?}");
}

/// The pattern that every player knows: under 1 2 1 the outer cells are mined and the middle one is not.
#[test]
fn the_network_of_the_program_sees_what_is_plain() {
    let seen: VisibleBoard = "mines 2\n...\n121\n000\n".parse().unwrap();
    let mut sight = VisionNetwork::new(&VisionNetwork::shipped().unwrap());
    let mined: Vec<f32> =
        sight.look(&seen, &AtomicBool::new(false)).unwrap()[..3].iter().map(|answers| answers[0]).collect();
    assert!(mined[0] > 0.95 && mined[1] < 0.05 && mined[2] > 0.95, "{mined:?}");
}

#[test]
fn seen_from_all_sides_a_board_and_its_mirror_image_are_alike() {
    let network = Network::new(plan(4, 1), &mut Rng::new(7)).unwrap();
    let mut sight = VisionNetwork::new(&network);
    let boards = [
        ["mines 3\n1.2\n...\n..1\n", "mines 3\n1..\n...\n2.1\n"],
        ["mines 3\n1.2.\n....\n..1.\n", "mines 3\n.2.1\n....\n.1..\n"],
    ];
    let places: [fn(usize) -> usize; 2] =
        [|place| place % 3 * 3 + place / 3, |place| place / 4 * 4 + 3 - place % 4];
    for ([board, mirrored], place) in boards.into_iter().zip(places) {
        let never = AtomicBool::new(false);
        let mut look =
            |text: &str| sight.look_from_all_sides(&text.parse().unwrap(), &never).unwrap().to_vec();
        let (here, there) = (look(board), look(mirrored));
        for (index, answer) in here.iter().enumerate() {
            for (a, b) in answer.iter().zip(there[place(index)]) {
                assert!((a - b).abs() < 1e-6, "{board}");
            }
        }
        let plain = sight.look(&board.parse().unwrap(), &never).unwrap().to_vec();
        assert!(plain.iter().zip(&here).any(|(a, b)| (a[0] - b[0]).abs() > 1e-4));
    }
}

#[test]
fn every_move_is_legal_with_and_without_flags() {
    let network: Network = Network::new(plan(2, 0), &mut Rng::new(1)).unwrap();
    for flags in [false, true] {
        let game = Minesweeper::new(5, 9, 6, FirstClick::Any).unwrap();
        let game = if flags { game.with_flags() } else { game };
        let mut player = NetPlayer::new(VisionNetwork::new(&network), FirstCell::Random);
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut state = game.start(&mut rng);
            player.new_game(Seat::First);
            while game.outcome(&state).is_none() {
                if flags && seed % 2 == 0 && state.seen().flagged().is_empty() {
                    for cell in state.seen().masked().clone().iter() {
                        game.play(&mut state, Action::Flag(cell));
                    }
                }
                let mv = player.choose(game.view(&state), &mut Turn::new(&mut rng));
                assert!(game.view(&state).is_legal(mv), "{mv:?}");
                game.play(&mut state, mv);
            }
        }
    }
}

#[test]
fn a_network_of_another_kind_is_refused() {
    let network: Network = Network::new(plan(2, 0), &mut Rng::new(1)).unwrap();
    let refusal =
        |bytes: &[u8]| super::sight::read(bytes, Text::same("x.safetensors")).err().unwrap().to_string();
    assert!(
        refusal(&network.to_safetensors(&[]))
            .starts_with("x.safetensors holds another kind of network: expected")
    );
    assert!(refusal(b"nonsense").starts_with("x.safetensors: "));
}

#[test]
fn a_larger_network_needs_more_memory() {
    let memory = |channels, blocks| VisionTrainingParams { channels, blocks, ..Default::default() }.memory();
    assert!(memory(48, 5) < 1000, "{}", memory(48, 5));
    assert!(memory(512, 40) > 18_000, "{}", memory(512, 40));
}
