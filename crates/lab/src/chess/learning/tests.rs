//! Small sets, learnt from end to end.

use outplay_runtime::WorkError;
use std::io::Write;
use std::path::Path;

use outplay_core::{Evaluator, Position, Rng, Score, View};
use outplay_games::chess::dataset::{ClassBounds, ExampleSetWriter, GameExamples, PackedExample};
use outplay_games::chess::pgn::PgnResult;
use outplay_games::chess::{Chess, MaterialEvaluator};
use outplay_nn::Network;

use super::division::{DividedSet, Division, Labels, Split};
use super::foresight::BatchJudge;
use super::neighbours::{KnownExamples, Sees, best_k};
use super::network::{Classifier, ClassifierInput};
use super::train::{ClassifierConfig, ClassifierTraining};
use super::*;
use crate::registry::{DataReport, EvaluationRequest};
use outplay_runtime::Watch;
use outplay_training::Training;

/// Games of random moves, every position judged by its material.
fn material_games(games: u64) -> Vec<GameExamples> {
    let game = |number| {
        let (mut rng, mut scratch) = (Rng::stream(7, number), Vec::new());
        let (mut position, mut examples) = (Chess::start(), Vec::new());
        while examples.len() < 80 && position.outcome().is_none() {
            position.play(position.random_move(&mut rng, &mut scratch));
            let score = -MaterialEvaluator { pawn: 100 }.score(&position).value();
            examples.extend(PackedExample::new(&position, score as i16));
        }
        GameExamples { examples, result: PgnResult::Open }
    };
    (0..games).map(game).collect()
}

fn division(split: Split) -> Division {
    Division { split, test: 0.3, bounds: ClassBounds::default(), labels: Labels::Mover }
}

#[test]
fn no_game_is_both_learnt_from_and_in_the_test() {
    let set = material_games(40);
    let games_of = |split| {
        let divided = DividedSet::divide(&set, &division(split), 1).unwrap();
        let keys = |part: &division::Part| part.positions.iter().map(Position::key).collect::<Vec<_>>();
        let (training, test) = (keys(&divided.training), keys(&divided.test));
        let shared = set.iter().filter(|lesson| {
            let key = |at: usize| lesson.examples[at].position().unwrap().key();
            let all: Vec<u64> = (30..lesson.examples.len()).map(key).collect();
            all.iter().any(|key| training.contains(key)) && all.iter().any(|key| test.contains(key))
        });
        (shared.count(), divided.test.len())
    };
    let (shared, tested) = games_of(Split::Game);
    assert_eq!(shared, 0);
    assert!(tested > 300, "{tested}");
    assert!(games_of(Split::Position).0 > 30);
    // What chooses lies between the two, so that no game reaches from one to the other.
    assert_eq!(games_of(Split::Sequential).0, 0);
}

/// The set in its own order: what is learnt from, what chooses, the test. No seed changes it.
#[test]
fn a_sequential_test_is_the_end_of_the_set() {
    let set = material_games(40);
    let divided = DividedSet::divide(&set, &division(Split::Sequential), 1).unwrap();
    let DividedSet { training, validation, test } = &divided;
    let in_order: Vec<u64> =
        [training, validation, test].iter().flat_map(|part| &part.positions).map(Position::key).collect();
    let all: Vec<u64> =
        set.iter().flat_map(|game| &game.examples).map(|example| example.position().unwrap().key()).collect();
    assert_eq!(in_order, all);
    let share = |part: &division::Part| part.len() as f64 / all.len() as f64;
    for (part, expected) in [(training, 0.63), (validation, 0.07), (test, 0.3)] {
        assert!((share(part) - expected).abs() < 1.0 / all.len() as f64, "{} of {expected}", share(part));
    }
    let another = DividedSet::divide(&set, &division(Split::Sequential), 2).unwrap();
    assert_eq!(another.test.positions, test.positions);
}

/// What the material says can be learnt by neighbours that are shown the balance.
#[test]
fn neighbours_learn_the_balance() {
    let divided = DividedSet::divide(&material_games(120), &division(Split::Game), 1).unwrap();
    let accuracy = |sees| {
        let known = KnownExamples::new(&divided.training, sees, 5);
        let confusions = known.confusions(&divided.test, 5, Watch::nobody()).unwrap();
        confusions[best_k(&confusions, 1, 5) - 1].accuracy()
    };
    let (oriented, document) = (accuracy(Sees::Oriented), accuracy(Sees::Document));
    assert!(oriented > 0.75 && oriented > document, "{oriented} {document}");
}

/// The document's numbers do not say who has moved; so they tell more of White's chances, and a judge gives them to the mover.
#[test]
fn white_labels_can_be_told_without_knowing_who_has_moved() {
    let set = material_games(120);
    let told = |labels| {
        let divided = DividedSet::divide(&set, &Division { labels, ..division(Split::Position) }, 1).unwrap();
        let mut known = KnownExamples::new(&divided.training, Sees::Document, 5);
        let accuracy = known.confusions(&divided.test, 5, Watch::nobody()).unwrap()[4].accuracy();
        let mut worths = Vec::new();
        known.judge(&divided.test.positions, &mut worths);
        let men = divided
            .test
            .positions
            .iter()
            .map(|position| -MaterialEvaluator { pawn: 100 }.score(position).value());
        let clear: Vec<_> = worths.into_iter().zip(men).filter(|(_, men)| men.abs() >= 900).collect();
        let agree = clear.iter().filter(|(worth, men)| worth.signum() == men.signum()).count();
        (accuracy, agree as f64 / clear.len() as f64)
    };
    let (mover, white) = (told(Labels::Mover), told(Labels::White));
    assert!(white.0 > mover.0 + 0.05 && white.1 > 0.9 && mover.1 < 0.8, "{mover:?} {white:?}");
}

/// No engine says it, but a file can.
#[test]
fn the_least_score_can_be_turned_round() {
    let example = PackedExample::new(&Chess::start(), i16::MIN).unwrap();
    let set = [GameExamples { examples: vec![example], result: PgnResult::Open }];
    let division = Division::nothing_kept(ClassBounds::default(), Labels::White);
    let divided = DividedSet::divide(&set, &division, 0).unwrap();
    assert_eq!(divided.training.scores, [i16::MAX]);
}

/// A course whose every size is small.
fn config(sight: ClassifierInput) -> ClassifierConfig {
    ClassifierConfig {
        sight,
        conv: [8, 8],
        dense: vec![32, 16, 16],
        drop: 0.1,
        rate: 0.003,
        batch: 64,
        epochs: 4,
        division: division(Split::Game),
    }
}

fn finish(teaching: &mut ClassifierTraining) -> serde_json::Value {
    loop {
        let step = teaching.step(Watch::nobody()).unwrap();
        if step.finished {
            return step.record;
        }
    }
}

#[test]
fn networks_learn_and_go_on_from_a_checkpoint() {
    let set = material_games(120);
    let mut whole = ClassifierTraining::new(config(ClassifierInput::Planes), &set, 1).unwrap();
    let record = finish(&mut whole);
    let commonest = {
        let classes = &whole.divided().test.classes;
        let count = |class: u8| classes.iter().map(|&other| usize::from(other == class)).sum::<usize>();
        (0..6).map(count).max().unwrap() as f64 / classes.len() as f64
    };
    let accuracy = record["test_accuracy"].as_f64().unwrap();
    assert!(accuracy > commonest + 0.05, "{accuracy} beside {commonest}");

    let mut part = ClassifierTraining::new(config(ClassifierInput::Planes), &set, 1).unwrap();
    part.step(Watch::nobody()).unwrap();
    let mut rest = ClassifierTraining::new(config(ClassifierInput::Planes), &set, 1).unwrap();
    rest.restore(&part.checkpoint()).unwrap();
    finish(&mut rest);
    assert_eq!(rest.product(), whole.product());

    let mut read = Classifier::read(&whole.product(), Text::same("the product")).unwrap();
    let positions = &whole.divided().test.positions[..40];
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    whole.classifier().judge(positions, &mut ours);
    read.judge(positions, &mut theirs);
    assert_eq!(ours, theirs);
    assert!(
        Classifier::read(b"nothing", Text::same("x"))
            .err()
            .unwrap()
            .to_string()
            .starts_with("x is not a network")
    );
}

/// The architecture of a network that sees this and drops so much.
fn architecture(sight: ClassifierInput, drop: f64) -> String {
    let config = ClassifierConfig { drop, ..config(sight) };
    let training = ClassifierTraining::new(config, &material_games(3), 1).unwrap();
    let network: Network = Network::from_safetensors(&training.product()).unwrap();
    network.architecture().to_string()
}

#[test]
fn dropout_lies_between_dense_layers_and_a_list_is_not_convolved() {
    assert_eq!(
        architecture(ClassifierInput::Document, 0.8),
        "1 | conv 8 side 3 relu | pool 2 | conv 8 side 3 relu | pool 2 | flatten 2 2 | dense 32 relu | drop 800 | \
         dense 16 relu | drop 800 | dense 16 relu | dense 6 identity"
    );
    assert_eq!(
        architecture(ClassifierInput::List, 0.2),
        "128 | dense 32 relu | drop 200 | dense 16 relu | drop 200 | dense 16 relu | dense 6 identity"
    );
    assert!(!architecture(ClassifierInput::Planes, 0.0).contains("drop"));
}

/// The list tells the balance of material, and its network reads back.
#[test]
fn networks_learn_from_a_list_of_pieces() {
    let set = material_games(120);
    let division = Division { labels: Labels::White, ..division(Split::Sequential) };
    let config = ClassifierConfig { division, epochs: 6, ..config(ClassifierInput::List) };
    let mut teaching = ClassifierTraining::new(config, &set, 1).unwrap();
    let told = finish(&mut teaching)["test_accuracy"].as_f64().unwrap();
    assert!(told > 0.5, "{told}");
    assert_eq!(teaching.samples(), 6 * teaching.divided().training.len() as u64);
    let mut read = Classifier::read(&teaching.product(), Text::same("the product")).unwrap();
    let positions = &teaching.divided().test.positions[..40];
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    teaching.classifier().judge(positions, &mut ours);
    read.judge(positions, &mut theirs);
    assert_eq!(ours, theirs);
    let known = KnownExamples::new(&teaching.divided().training, Sees::List, 5);
    let neighbours = known.confusions(&teaching.divided().test.spread(300), 5, Watch::nobody()).unwrap();
    assert_eq!(neighbours[4].total(), 300);
    assert!(neighbours[4].accuracy() > 0.3, "{}", neighbours[4].accuracy());
}

fn write_set(path: &Path, divided: &[GameExamples]) {
    let mut bytes = Vec::new();
    let mut writer = ExampleSetWriter::new(&mut bytes, "").unwrap();
    for lesson in divided {
        writer.add(lesson).unwrap();
    }
    writer.finish().unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn exam(path: &Path, parameters: &[&str], seed: Option<u64>) -> Result<DataReport, WorkError> {
    let text = format!("evaluation:{}", parameters.join(","));
    let spec = if parameters.is_empty() { "evaluation" } else { &text }.parse().unwrap();
    evaluate(&EvaluationRequest { path, spec: &spec, seed, draws: false, threads: None }, Watch::nobody())
}

/// Neighbours are measured alike in a set and in its compressed file.
#[test]
fn a_compressed_set_is_a_set() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, compressed] = ["plain.set", "compressed.set.gz"].map(|name| folder.path().join(name));
    write_set(&plain, &material_games(40));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&std::fs::read(&plain).unwrap()).unwrap();
    std::fs::write(&compressed, encoder.finish().unwrap()).unwrap();
    check_evaluation(&compressed).unwrap();
    let [plain, compressed] = [plain, compressed].map(|path| exam(&path, &["most=3"], None).unwrap());
    assert_eq!(plain, compressed);
}

/// The exam of a network is the one of its training, however that divided its set.
#[test]
fn a_network_is_tested_on_what_was_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let [net, own, other] = ["net", "own", "other"].map(|name| folder.path().join(name));
    let games = material_games(61);
    write_set(&own, &games[..60]);
    write_set(&other, &games);
    let data = |path: &Path| format!("data={}", path.display());
    for (split, test) in [(Split::Game, 0.3), (Split::Sequential, 0.2), (Split::Position, 0.1)] {
        let division =
            Division { split, test, bounds: "-2/-1/0/1/2".parse().unwrap(), labels: Labels::White };
        let config = ClassifierConfig { division, epochs: 2, ..config(ClassifierInput::Planes) };
        let mut teaching = ClassifierTraining::new(config, &games[..60], 5).unwrap();
        let told = finish(&mut teaching)["test_accuracy"].as_f64().unwrap();
        std::fs::write(&net, teaching.product()).unwrap();
        let report = exam(&net, &[&data(&own)], None).unwrap();
        assert_eq!((report["accuracy"].as_f64(), report["seed"].as_u64()), (Some(told), Some(5)));
        assert_eq!(report["positions"], teaching.divided().test.len());
        let [low, high] = ["accuracy_low", "accuracy_high"].map(|end| report[end].as_f64().unwrap());
        assert!(low < told && told < high);
    }
    let whole: usize = games.iter().map(|game| game.examples.len()).sum();
    assert_eq!(exam(&net, &[&data(&other), "fresh=yes"], None).unwrap()["positions"], whole);
    let refusal = |set, more: &[&str], seed| {
        exam(&net, &[&[data(set).as_str()], more].concat(), seed).unwrap_err().to_string()
    };
    for (said, expected) in [
        (refusal(&other, &[], None), "is not the one that the network was taught with"),
        (refusal(&own, &["fresh=yes"], None), "was taught with this set"),
        (refusal(&own, &["split=game"], None), "split=game: the network was taught with split=position"),
        (refusal(&own, &["test=0.3"], None), "test=0.3: the network was taught with test=0.1"),
        (refusal(&own, &["labels=mover"], None), "labels=mover: the network was taught with labels=white"),
        (refusal(&own, &[], Some(1)), "seed=1: the network was taught with seed=5"),
        (refusal(&own, &["sees=document"], None), "sees= is for neighbours"),
    ] {
        assert!(said.contains(expected), "{said}");
    }
}

/// What leaves nothing to ask is refused, not answered with zeros.
#[test]
fn an_exam_without_questions_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    write_set(&set, &material_games(3));
    // A seed by which all of these games are learnt from.
    let seed = (0..100).find(|&seed| (0..3).all(|game| Rng::stream(seed, game).unit() > 0.4)).unwrap();
    let refusal = |parameters: &[&str]| exam(&set, parameters, Some(seed)).unwrap_err().to_string();
    assert!(refusal(&["test=0"]).starts_with("test=0: nothing is left to ask"));
    assert!(refusal(&[]).starts_with("test=0.3 leaves nothing to ask of 3 games"));
    assert!(refusal(&["fresh=yes"]).starts_with("fresh= is for networks"));
    let taught = ClassifierTraining::new(config(ClassifierInput::Planes), &material_games(3), seed)
        .err()
        .unwrap()
        .to_string();
    assert!(taught.starts_with("test=0.3 leaves nothing"), "{taught}");
    let division = Division { test: 0.0, ..division(Split::Game) };
    let mut teaching = ClassifierTraining::new(
        ClassifierConfig { division, ..config(ClassifierInput::Planes) },
        &material_games(3),
        seed,
    )
    .unwrap();
    assert_eq!(finish(&mut teaching).get("test_accuracy"), None);
}

/// Whatever is foreseen is what would be judged alone, and every move is visited once.
#[test]
fn foresight_changes_no_score() {
    let divided = DividedSet::divide(&material_games(20), &division(Split::Game), 1).unwrap();
    let known = KnownExamples::new(&divided.training, Sees::Oriented, 3);
    let mut foreseeing = CachedJudge::new(known.clone());
    for position in divided.test.positions.iter().filter(|position| position.outcome().is_none()).take(20) {
        let mut visited = Vec::new();
        foreseeing.plausible_moves(position, 1, |mv, promise| visited.push((mv, promise)));
        assert_eq!(visited.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), position.moves());
        for (mv, promise) in visited {
            let next = position.after(mv);
            if next.outcome().is_none() {
                let alone = CachedJudge::new(known.clone()).score(&next);
                assert_eq!(foreseeing.score(&next), alone);
                assert_eq!(promise, -alone.value() * 64);
            }
        }
    }
    assert_eq!(Score::EVEN.value(), 0);
}
