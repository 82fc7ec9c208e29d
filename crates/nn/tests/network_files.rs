//! Networks in single precision on their way to bytes and back, and bytes that are no network.

use outplay_core::Rng;
use outplay_nn::{Architecture, Extent, Network, NetworkFileError, Predictor};
use proptest::prelude::*;
use serde_json::{Value, json};

fn network(plan: &str, seed: u64) -> Network {
    Network::new(plan.parse().unwrap(), &mut Rng::new(seed)).unwrap()
}

/// A file with this header and so many zero bytes of data.
fn container(header: &Value, data: usize) -> Vec<u8> {
    let text = header.to_string();
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), &vec![0; data]].concat()
}

/// A file of one dense layer of two inputs and one output; `change` may spoil its header first.
fn spoilt(data: usize, change: impl FnOnce(&mut Value)) -> NetworkFileError {
    let mut header = json!({
        "__metadata__": { "plan": "2 | dense 1 sigmoid" },
        "layers.0.weight": { "dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8] },
        "layers.0.bias": { "dtype": "F32", "shape": [1], "data_offsets": [8, 12] },
    });
    assert!(Network::<f32>::from_safetensors(&container(&header, 12)).is_ok());
    change(&mut header);
    Network::<f32>::from_safetensors(&container(&header, data)).unwrap_err()
}

#[test]
fn a_network_comes_back_with_its_notes() {
    let plan = "3 | conv 17 side 3 relu | residual side 5 tanh | conv 2 side 1 identity";
    let before = network(plan, 1);
    let bytes = before.to_safetensors(&[("made", "by hand"), ("seed", "1")]);
    let after = Network::<f32>::from_safetensors(&bytes).unwrap();
    assert_eq!((after.note("made"), after.note("plan")), (Some("by hand"), None));
    assert_eq!(after.notes().collect::<Vec<_>>(), [("made", "by hand"), ("seed", "1")]);
    assert_eq!(after.to_safetensors(&[]), bytes);
    assert_ne!(after.to_safetensors(&[("seed", "2")]), bytes);
    let extent = Extent { samples: 2, rows: 4, cols: 6 };
    let inputs: Vec<f32> = (0..extent.cells() * 3).map(|i| (i % 7) as f32).collect();
    let answer = |network: &Network| {
        let mut outputs = vec![0.0; extent.cells() * 2];
        Predictor::new(network).predict(extent, &inputs, &mut outputs);
        outputs
    };
    assert_eq!(answer(&after), answer(&before));
}

#[test]
fn other_readers_find_the_tensors() {
    let bytes = network("3 | conv 4 side 3 relu | residual side 5 relu", 1).to_safetensors(&[]);
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("layers.0.weight").unwrap().shape(), [4, 3, 3, 3]);
    assert_eq!(file.tensor("layers.1.inner.weight").unwrap().shape(), [4, 4, 5, 5]);
    assert_eq!(file.tensor("layers.1.outer.bias").unwrap().shape(), [4]);
}

#[test]
fn each_fault_has_its_sentence() {
    use NetworkFileError as E;
    assert!(matches!(Network::<f32>::from_safetensors(b""), Err(E::Container { .. })));
    assert!(matches!(spoilt(11, |_| ()), E::Container { .. }));
    assert_eq!(spoilt(12, |h| h["__metadata__"] = json!({})), E::NoPlan);
    let unknown = spoilt(12, |h| h["__metadata__"]["plan"] = json!("2 | swirl 1 relu"));
    assert!(unknown.to_string().contains("`swirl 1 relu`"), "{unknown}");
    let missing = spoilt(12, |h| h["__metadata__"]["plan"] = json!("2 | dense 1 relu | dense 1 relu"));
    assert_eq!(missing, E::Missing { name: "layers.1.weight".to_owned() });
    let stranger = json!({ "dtype": "F32", "shape": [0], "data_offsets": [12, 12] });
    assert_eq!(spoilt(12, |h| h["spy"] = stranger), E::Unexpected { name: "spy".to_owned() });
    let larger = spoilt(12, |h| h["__metadata__"]["plan"] = json!("2 | dense 500000000 sigmoid"));
    assert!(larger.to_string().contains("too many weights"), "{larger}");
    let wider = spoilt(12, |h| h["__metadata__"]["plan"] = json!("2 | dense 300000000 sigmoid"));
    assert_eq!(
        wider.to_string(),
        "tensor `layers.0.weight` has shape [1, 2], which does not fit the plan's [300000000, 2]"
    );
    let double = json!({ "dtype": "F64", "shape": [1], "data_offsets": [8, 16] });
    assert_eq!(
        spoilt(16, |h| h["layers.0.bias"] = double).to_string(),
        "tensor `layers.0.bias` holds F64 numbers, not F32"
    );
}

#[test]
fn weights_must_be_finite() {
    let mut bytes = network("2 | dense 1 relu", 1).to_safetensors(&[]);
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    let refusal = Network::<f32>::from_safetensors(&bytes).unwrap_err();
    assert_eq!(refusal, NetworkFileError::NotFinite { name: "layers.0.bias".to_owned() });
}

#[test]
fn new_networks_begin_within_the_bounds_of_their_rules() {
    let largest = |plan: &str, tensor: &str| {
        let bytes = network(plan, 3).to_safetensors(&[]);
        let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let numbers = file.tensor(tensor).unwrap().data().as_chunks().0.to_vec();
        numbers.into_iter().map(|bytes| f32::from_le_bytes(bytes).abs()).fold(0.0, f32::max)
    };
    let within = |found: f32, bound: f32| (0.98 * bound..=bound).contains(&found);
    assert!(within(largest("30 | dense 50 relu | dense 1 relu", "layers.0.weight"), (6.0f32 / 80.0).sqrt()));
    assert!(within(largest("5 | conv 40 side 3 relu", "layers.0.weight"), (6.0f32 / 45.0).sqrt()));
    let residual = "5 | residual side 3 relu";
    assert!(within(largest(residual, "layers.0.inner.weight"), (6.0f32 / 45.0).sqrt()));
    for zero in ["layers.0.outer.weight", "layers.0.inner.bias"] {
        assert_eq!(largest(residual, zero), 0.0);
    }
}

fn plans() -> impl Strategy<Value = Architecture> {
    let dense = (1..40usize).prop_map(|n| format!(" | dense {n} relu"));
    let conv =
        (1..40usize, 0..3usize).prop_map(|(n, half)| format!(" | conv {n} side {} tanh", 2 * half + 1));
    let sparse = (1..40usize).prop_map(|n| vec![format!(" | sparse {n} swish no-bias")]);
    let residual = Just(" | residual side 3 sigmoid".to_owned());
    let layers = prop_oneof![
        sparse,
        proptest::collection::vec(dense, 1..4),
        proptest::collection::vec(prop_oneof![conv, residual], 1..4)
    ];
    (1..40usize, layers).prop_map(|(inputs, layers)| format!("{inputs}{}", layers.concat()).parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_network_comes_back(plan in plans(), seed: u64) {
        let before = Network::new(plan, &mut Rng::new(seed)).unwrap();
        prop_assert_eq!(Network::<f32>::from_safetensors(&before.to_safetensors(&[])), Ok(before));
    }

    #[test]
    fn changed_bytes_never_panic(at: prop::sample::Index, value: u8) {
        let mut bytes = network("2 | conv 3 side 3 relu | conv 1 side 1 sigmoid", 1).to_safetensors(&[("by", "us")]);
        let at = at.index(bytes.len());
        bytes[at] = value;
        let _ = Network::<f32>::from_safetensors(&bytes);
    }

    #[test]
    fn cut_files_are_refused(at: prop::sample::Index) {
        let bytes = network("2 | dense 3 relu | dense 1 sigmoid", 1).to_safetensors(&[]);
        prop_assert!(Network::<f32>::from_safetensors(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn random_bytes_are_refused(bytes: Vec<u8>) {
        prop_assert!(Network::<f32>::from_safetensors(&bytes).is_err());
    }
}
