//! Gradients by finite differences, learning, files, checkpoints, and how far integers are from floats.

use outplay_core::{Change, Rng};
use proptest::prelude::*;

use super::pass::MirroredHeads;
use super::*;

fn shape(text: &str) -> PolicyValueShape {
    text.parse().unwrap()
}

/// A network whose every parameter is drawn, heads included.
fn drawn(text: &str, seed: u64) -> PolicyValueNetwork {
    let mut rng = Rng::new(seed);
    let mut network = PolicyValueNetwork::new(shape(text), &mut rng).unwrap();
    let (layout, shape) = (network.layout(), network.shape);
    for (head, outputs, inputs) in
        [(&layout.outcome, 3, shape.value_hidden), (&layout.policy, shape.slots, shape.hidden)]
    {
        for (output, input) in pairs(outputs, inputs) {
            *network.weight_mut(head, output, input) = (rng.unit() as f32 - 0.5) * 0.6;
        }
    }
    for (head, outputs) in
        [(&layout.value, shape.value_hidden), (&layout.outcome, 3), (&layout.policy, shape.slots)]
    {
        let biases = bytemuck::cast_slice_mut::<_, f32>(&mut network.parameters[head.biases.clone()]);
        biases[..outputs].iter_mut().for_each(|bias| *bias = (rng.unit() as f32 - 0.5) * 0.6);
    }
    network
}

/// A plain twin in double precision: the loss of a sample.
fn twin_loss(network: &PolicyValueNetwork, parameters: &[f64], sample: &PolicyValueSample<'_>) -> f64 {
    let (layout, shape) = (network.layout(), network.shape);
    let at = |range: &std::ops::Range<usize>, place: usize| parameters[range.start * LANES + place];
    let hidden: Vec<f64> = (0..shape.hidden)
        .map(|neuron| {
            let of_inputs: f64 = sample
                .on
                .iter()
                .map(|&input| at(&layout.first, input as usize * shape.hidden + neuron))
                .sum();
            let clipped = (of_inputs + at(&layout.first_bias, neuron)).clamp(0.0, 1.0);
            if shape.activation == SparseActivation::Squared { clipped * clipped } else { clipped }
        })
        .collect();
    let sum = |head: &Head, output: usize, inputs: &[f64]| -> f64 {
        let product =
            |(place, input): (usize, &f64)| input * at(&head.weights, head.window.place(output, place, 0));
        inputs.iter().enumerate().map(product).sum::<f64>() + at(&head.biases, output)
    };
    let value: Vec<f64> =
        (0..shape.value_hidden).map(|neuron| sum(&layout.value, neuron, &hidden).max(0.0)).collect();
    let outcome: Vec<f64> = (0..3).map(|place| sum(&layout.outcome, place, &value)).collect();
    let policy: Vec<f64> =
        sample.slots.iter().map(|&slot| sum(&layout.policy, slot.into(), &hidden)).collect();
    let entropy = |logits: &[f64], wanted: &[f32]| -> f64 {
        let all = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
        logits.iter().zip(wanted).map(|(logit, wanted)| f64::from(*wanted) * (all - logit)).sum()
    };
    entropy(&outcome, &sample.outcome) + f64::from(sample.policy_weight) * entropy(&policy, sample.policy)
}

#[test]
fn slopes_are_those_of_finite_differences() {
    for (text, weight) in [
        ("11 | sparse 32 squared | value 32 | policy 5", 1.0),
        ("11 | sparse 32 clipped | value 32 | policy 5", 0.5),
    ] {
        let network = drawn(text, 3);
        let sample = PolicyValueSample {
            on: &[0, 3, 7, 10],
            slots: &[4, 0, 2],
            policy: &[0.5, 0.2, 0.3],
            policy_weight: weight,
            outcome: [0.7, 0.1, 0.2],
        };
        let mut gradient = vec![Lanes::ZERO; network.parameters.len()];
        let mut mirrors = MirroredHeads::default();
        mirrors.update(&network.layout(), &network.parameters);
        let loss = PolicyValuePass::default().learn(&network, &mirrors, &[sample], 1.0, &mut gradient);
        let plain: Vec<f64> = network.numbers().iter().map(|&x| f64::from(x)).collect();
        let whole = twin_loss(&network, &plain, &sample);
        assert!((loss.value + loss.policy - whole).abs() < 1e-5, "{whole}");
        for (place, slope) in bytemuck::cast_slice::<_, f32>(&gradient).iter().enumerate() {
            let moved = |step: f64| {
                let mut plain = plain.clone();
                plain[place] += step;
                twin_loss(&network, &plain, &sample)
            };
            let expected = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!((f64::from(*slope) - expected).abs() < 1e-4, "{text}, {place}: {slope} {expected}");
        }
    }
}

/// Samples in which the even inputs that are on decide everything.
struct Lesson {
    on: Vec<Vec<u32>>,
    policies: Vec<[f32; 3]>,
}

impl Lesson {
    fn new(count: u64) -> Self {
        let mut lesson = Self { on: Vec::new(), policies: Vec::new() };
        for number in 0..count {
            let mut rng = Rng::stream(5, number);
            let on: Vec<u32> = (0..12).filter(|_| rng.below(2) == 0).collect();
            let class = on.iter().filter(|&&input| input % 2 == 0).count() % 3;
            let mut policy = [0.0; 3];
            policy[class] = 1.0;
            lesson.on.push(on);
            lesson.policies.push(policy);
        }
        lesson
    }

    fn samples(&self) -> Vec<PolicyValueSample<'_>> {
        self.on
            .iter()
            .zip(&self.policies)
            .map(|(on, policy)| PolicyValueSample {
                on,
                slots: &[0, 1, 2],
                policy,
                policy_weight: 1.0,
                outcome: *policy,
            })
            .collect()
    }
}

fn trainer() -> PolicyValueTrainer {
    let network =
        PolicyValueNetwork::new(shape("12 | sparse 32 squared | value 32 | policy 3"), &mut Rng::new(1));
    PolicyValueTrainer::new(network.unwrap(), 1e-4, 0.99)
}

#[test]
fn both_heads_learn_what_there_is_to_learn() {
    let lesson = Lesson::new(512);
    let samples = lesson.samples();
    let mut trainer = trainer();
    let first = trainer.step(0.01, &samples);
    assert!((first.policy - 3f64.ln()).abs() < 1e-5 && (first.value - 3f64.ln()).abs() < 1e-5, "{first:?}");
    let mut last = first;
    for _ in 0..400 {
        last = trainer.step(0.01, &samples);
    }
    assert!(last.policy < 0.1 && last.value < 0.1, "{last:?}");
    let averaged = trainer.averaged();
    let right = |sample: &&PolicyValueSample<'_>| {
        let (outcome, logits) = averaged.answer(sample.on, sample.slots);
        let best = |numbers: &[f32]| (0..3).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        let class = best(sample.policy);
        best(&logits) == class && best(&[outcome.win, outcome.draw, outcome.loss]) == class
    };
    assert!(samples.iter().filter(right).count() > 490);
}

#[test]
fn threads_and_checkpoints_change_nothing() {
    let lesson = Lesson::new(300);
    let samples = lesson.samples();
    let run = |threads: usize, restored: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut trainer = trainer();
            for step in 0..6 {
                if restored && step == 3 {
                    let kept = trainer.checkpoint();
                    trainer = self::trainer();
                    trainer.restore(&kept).unwrap();
                }
                trainer.step(0.01, &samples[step * 30..][..100]);
            }
            trainer.checkpoint()
        })
    };
    let alone = run(1, false);
    assert_eq!(alone, run(3, false));
    assert_eq!(alone, run(2, true));
    let mut damaged = alone.clone();
    damaged[40] ^= 1;
    assert!(trainer().restore(&damaged).is_err());
}

#[test]
fn files_keep_everything_and_refuse_the_rest() {
    for text in
        ["5 | sparse 32 squared | value 64 | policy 17", "40 | sparse 96 clipped | value 32 | policy 3"]
    {
        let mut network = drawn(text, 8);
        network.note("game", "connectfour");
        let bytes = network.to_safetensors();
        assert_eq!(PolicyValueNetwork::from_safetensors(&bytes).unwrap(), network);
        assert!(PolicyValueNetwork::from_safetensors(&bytes[..bytes.len() - 1]).is_err());
    }
    let other: crate::Network =
        crate::Network::new("3 | dense 2 relu | dense 1 sigmoid".parse().unwrap(), &mut Rng::new(1)).unwrap();
    let refusal = PolicyValueNetwork::from_safetensors(&other.to_safetensors(&[])).unwrap_err();
    assert!(refusal.to_string().contains("3 | dense 2 relu"), "{refusal}");
}

/// How far a logit in integers may be from the same in floats: what rounding the weights, the sums and the activations can
/// come to at worst.
fn bound(network: &PolicyValueNetwork, integers: &IntegerNetwork, on: usize, row: &[f32]) -> f32 {
    let steepest = if network.shape.activation == SparseActivation::Squared { 2.0 } else { 1.0 };
    let sum = (on + 1) as f32 * 0.5 * integers.unit();
    let activation = steepest * sum + 0.5 / 256.0;
    let weight = 0.5 * integers.policy_weight_unit();
    row.iter().map(|weight| weight.abs()).sum::<f32>() * activation + row.len() as f32 * weight + 1e-4
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn integers_stay_near_floats(seed: u64, on in proptest::collection::btree_set(0u32..40, 0..20), is_squared: bool) {
        let name = if is_squared { "squared" } else { "clipped" };
        let network = drawn(&format!("40 | sparse 64 {name} | value 32 | policy 9"), seed);
        let integers = IntegerNetwork::new(&network, 20).unwrap();
        let on: Vec<u32> = on.into_iter().collect();
        let slots: Vec<u16> = (0..9).collect();
        let (outcome, logits) = network.answer(&on, &slots);
        let (mut accumulator, mut activations) = (integers.accumulator(), Activations::default());
        integers.set(&on[..on.len() / 2], &mut accumulator);
        integers.activate(&accumulator, &on[on.len() / 2..], &mut activations);
        let (answer, mut found) = (integers.outcome(&activations), Vec::new());
        integers.logits(&activations, &slots, &mut found);
        let layout = network.layout();
        for ((expected, found), &slot) in logits.iter().zip(&found).zip(&slots) {
            let row: Vec<f32> =
                (0..64).map(|input| network.weight(&layout.policy, slot.into(), input)).collect();
            let bound = bound(&network, &integers, on.len(), &row);
            prop_assert!((expected - found).abs() <= bound, "{expected} {found} {bound}");
            prop_assert!((expected - found).abs() <= 0.1, "{expected} {found}");
        }
        prop_assert!((outcome.points() - answer.points()).abs() < 0.03, "{outcome:?} {answer:?}");
    }

    #[test]
    fn changed_sums_are_sums_made_anew(
        seed: u64, changed in proptest::collection::vec(proptest::collection::btree_set(0u32..40, 0..6), 1..20)
    ) {
        let integers = IntegerNetwork::new(&drawn("40 | sparse 64 squared | value 32 | policy 9", seed), 40).unwrap();
        let (mut kept, mut anew) = (integers.accumulator(), integers.accumulator());
        let mut next = kept.clone();
        let mut on = std::collections::BTreeSet::new();
        for inputs in changed {
            let changes: Vec<Change> =
                inputs.iter().map(|&input| Change { input, on: !on.contains(&input) }).collect();
            for change in &changes {
                if change.on { on.insert(change.input); } else { on.remove(&change.input); }
            }
            integers.change(&kept, &changes, &mut next);
            std::mem::swap(&mut kept, &mut next);
            integers.set(&on.iter().copied().collect::<Vec<_>>(), &mut anew);
            prop_assert!(kept == anew);
        }
    }
}

#[test]
fn weights_too_large_for_integers_are_refused() {
    let mut network = drawn("40 | sparse 32 squared | value 32 | policy 9", 1);
    let first = network.layout().first;
    let weights = bytemuck::cast_slice_mut::<_, f32>(&mut network.parameters[first]);
    (0..40).for_each(|input| weights[input * 32 + 7] = 100.0);
    let refusal = IntegerNetwork::new(&network, 40).unwrap_err();
    assert_eq!(refusal, ShapeError::SumsTooLarge { neuron: 7 });
    assert!(IntegerNetwork::new(&network, 15).is_ok());
}
