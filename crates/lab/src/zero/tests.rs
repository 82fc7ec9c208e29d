//! Trainings whole and in pieces, on one thread and on several; what they reach; files that fit and files that do not.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Outcome, Rng, Seat};
use outplay_games::tictactoe::TicTacToe;
use outplay_players::{ZeroGame, ZeroPosition};
use outplay_runtime::{Progress, Watch, WorkError};
use outplay_training::TrainingReport;
use proptest::prelude::*;

use super::buffer::{Batch, ReplayBuffer};
use crate::learning::SelfPlayGame;
use crate::registry::{AnyGame, TrainPlan, open_game};
use crate::store::Store;

fn board(game: &str, folder: &Path) -> Box<dyn AnyGame> {
    open_game(game, &Arc::new(Store::at(folder))).unwrap()
}

fn train(
    game: &str,
    method: &str,
    out: &Path,
    threads: usize,
    resume: bool,
    watch: Watch<'_>,
) -> Result<TrainingReport, WorkError> {
    let plan = TrainPlan { method, seed: 5, out, resume, threads: Some(threads) };
    board(game, out.parent().unwrap()).train(&plan, watch)
}

fn bytes_of(out: &Path) -> [Vec<u8>; 2] {
    [out.to_owned(), out.with_extension("run").join("records.jsonl")].map(|path| fs::read(path).unwrap())
}

#[test]
fn a_training_gives_the_same_bytes_on_any_threads_and_after_any_stop() {
    let folder = tempfile::tempdir().unwrap();
    for (game, extra) in [
        ("pushover", "gate=8,buffer=300"),
        ("connectfour", "full=0.5,quick=4,resign=0.1"),
        ("quoridor:size=3,walls=1", "root=dirichlet,random=3"),
    ] {
        let method =
            format!("zero:games=60,generation=12,sims=8,hidden=32,batch=64,every=24,check=6,{extra}");
        let [one, two, parts] = ["one", "two", "parts"].map(|name| folder.path().join(name));
        train(game, &method, &one, 1, false, Watch::nobody()).unwrap();
        train(game, &method, &two, 2, false, Watch::nobody()).unwrap();
        assert_eq!(bytes_of(&one), bytes_of(&two), "{game}");
        let mut resume = false;
        loop {
            let stop = AtomicBool::new(false);
            let show = |_: Progress<'_>| stop.store(true, Ordering::Relaxed);
            if train(game, &method, &parts, 1, resume, Watch::new(&stop, &show)).unwrap().finished {
                break;
            }
            resume = true;
        }
        assert_eq!(bytes_of(&parts), bytes_of(&one), "{game}");
        for out in [&one, &two, &parts] {
            fs::remove_file(out).unwrap();
            fs::remove_dir_all(out.with_extension("run")).unwrap();
        }
    }
}

/// The method in small: tic-tac-toe from nothing to perfect play.
#[test]
fn tic_tac_toe_is_learnt_to_perfection() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net");
    let method = "zero:games=10000,sims=32,random=4,every=10000,check=0,exam=400";
    let report = train("tictactoe", method, &out, 2, false, Watch::nobody()).unwrap();
    let share = |exam: &str| report.last[exam]["share"].as_f64().unwrap();
    assert_eq!(share("exam"), 1.0, "{}", report.last);
    assert!(share("network_exam") > 0.9, "{}", report.last);
}

#[test]
fn files_of_other_boards_and_useless_parameters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [net, text, again] = ["net", "text", "again"].map(|name| folder.path().join(name));
    let begin = |method: &str, out: &Path| {
        train("tictactoe", method, out, 1, false, Watch::nobody()).map_err(|error| error.to_string())
    };
    begin("zero:games=4,generation=2,sims=2,check=0,hidden=32", &net).unwrap();
    fs::write(&text, "nonsense").unwrap();
    let refusal = |game: &str, player: &str| {
        board(game, folder.path()).entrants(&[player.to_owned()], Watch::nobody()).err().unwrap().to_string()
    };
    let other = refusal("connectfour", &format!("zero:file={}", net.display()));
    assert!(other.contains("is not a network to play with: it has no whole number COLUMNS"), "{other}");
    let nonsense = refusal("tictactoe", &format!("zero:file={}", text.display()));
    assert!(nonsense.contains("this is not a whole safetensors file"), "{nonsense}");
    for (parameters, expected) in [
        ("hidden=64", "hidden= has no effect with from=: expected one of them"),
        ("noise=0.1", "noise= has no effect with root=gumbel: expected one of them"),
        (
            "root=dirichlet,considered=4",
            "considered= has no effect with root=dirichlet: expected one of them",
        ),
        ("quick=4", "quick= has no effect with full=1: expected one of them"),
    ] {
        let method = format!("zero:games=4,from={},{parameters}", net.display());
        assert_eq!(begin(&method, &again).unwrap_err(), expected);
    }
    assert_eq!(
        begin("zero:hidden=60", &again).unwrap_err(),
        "a policy–value network needs layers of a multiple of 32 neurons, not 60"
    );
    // A training that continues says how the network was made before.
    begin(&format!("zero:games=2,generation=2,sims=3,check=0,from={}", net.display()), &again).unwrap();
    let network = outplay_nn::PolicyValueNetwork::from_safetensors(&fs::read(&again).unwrap()).unwrap();
    let history = network.notes().get("history").unwrap();
    assert_eq!(
        history,
        "zero games=4 generation=2 hidden=32 sims=2 check=0, seed 5, after 4 games; then zero games=2 generation=2 sims=3 \
         check=0, seed 5, after 2 games"
    );
}

fn position(seed: u64) -> ZeroPosition {
    let mut rng = Rng::new(seed);
    let count = 1 + rng.below(9);
    let mut slots: Vec<u16> = (0..300).collect();
    rng.shuffle(&mut slots);
    slots.truncate(count);
    let shares: Vec<f32> = (0..count).map(|_| (rng.unit() as f32).powi(4)).collect();
    let sum: f32 = shares.iter().sum();
    let mut on: Vec<u32> = (0..400).collect();
    rng.shuffle(&mut on);
    on.truncate(rng.below(30));
    ZeroPosition {
        seat: if rng.below(2) == 0 { Seat::First } else { Seat::Second },
        on,
        slots,
        policy: shares.into_iter().map(|share| share / sum).collect(),
        is_full: rng.below(4) > 0,
        points: rng.unit() as f32,
    }
}

proptest! {
    /// What is drawn from the buffer is what was put there, but for rounding.
    #[test]
    fn positions_are_kept(seed in 0..1000u64, outcome in 0..3usize, mix in 0.0..1.0f32) {
        let told = position(seed);
        let outcome = [Outcome::Win(Seat::First), Outcome::Draw, Outcome::Win(Seat::Second)][outcome];
        let points = outcome.points(told.seat) as f32;
        let game = ZeroGame { positions: vec![told.clone()], outcome, is_resigned: false, would_resign: None };
        let mut buffer = ReplayBuffer::default();
        buffer.add(0, &[game], 10);
        let mut batch = Batch::default();
        buffer.draw(1, mix, &[], &mut Rng::new(1), &mut batch);
        let samples = batch.samples();
        let sample = &samples[0];
        let mut on = told.on.clone();
        on.sort_unstable();
        prop_assert_eq!(sample.on, &on[..]);
        prop_assert_eq!(sample.policy_weight > 0.0, told.is_full);
        prop_assert_eq!(sample.slots.len(), told.slots.len());
        for (&slot, &share) in told.slots.iter().zip(&told.policy) {
            let place = sample.slots.iter().position(|&other| other == slot).unwrap();
            prop_assert!(!told.is_full || (sample.policy[place] - share).abs() < 2e-4);
        }
        let [win, draw, loss] = sample.outcome;
        prop_assert!((win + draw + loss - 1.0).abs() < 1e-5);
        let expected = mix * told.points + (1.0 - mix) * points;
        prop_assert!((win + draw / 2.0 - expected).abs() < 1e-4);
    }
}

#[test]
fn the_buffer_forgets_the_oldest_and_knows_what_it_needs() {
    let games = |count: u64| -> Vec<ZeroGame> {
        let game = |seed| ZeroGame {
            positions: vec![position(seed), position(seed + 1)],
            outcome: Outcome::Draw,
            is_resigned: false,
            would_resign: None,
        };
        (0..count).map(game).collect()
    };
    let mut buffer = ReplayBuffer::default();
    for generation in 0..6 {
        buffer.add(generation, &games(5), 25);
    }
    assert_eq!((buffer.len(), buffer.generations()), (30, 3..6));
    let segments = buffer.segments();
    assert_eq!(ReplayBuffer::of(&segments, 3..6).unwrap().len(), 30);
    assert!(ReplayBuffer::of(&segments[1..], 3..6).is_none(), "one is missing");
    let mut damaged = segments;
    let bytes = damaged[0].bytes[..damaged[0].bytes.len() - 1].to_vec();
    damaged[0].bytes = bytes.into();
    assert!(ReplayBuffer::of(&damaged, 3..6).is_none(), "one is cut short");
}

#[test]
fn symmetries_move_inputs_and_slots_alike() {
    use outplay_core::{Position, SeatEncoder, View};
    let encoder = TicTacToe::START.seat_encoder();
    // A corner and its images: with the first move in a corner, all symmetries show a corner.
    let after = TicTacToe::START.after(0);
    let mut on = Vec::new();
    encoder.each_on(&after, after.seat(), |input| on.push(input));
    let slots: Vec<u16> = after.moves().into_iter().map(|mv| encoder.slot(&after, mv)).collect();
    let policy = vec![1.0 / 8.0; 8];
    let position = ZeroPosition { seat: after.seat(), on, slots, policy, is_full: true, points: 0.5 };
    let game = ZeroGame {
        positions: vec![position],
        outcome: Outcome::Draw,
        is_resigned: false,
        would_resign: None,
    };
    let mut buffer = ReplayBuffer::default();
    buffer.add(0, &[game], 10);
    let mut batch = Batch::default();
    buffer.draw(400, 0.0, &encoder.symmetries(), &mut Rng::new(1), &mut batch);
    let mut seen = std::collections::HashSet::new();
    for sample in batch.samples() {
        let free: u16 = (0..9).find(|slot| !sample.slots.contains(slot)).unwrap();
        seen.insert((sample.on[0], free));
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}
