//! Networks on their way to bytes and back, and bytes that are no network.

use outplay_core::Rng;
use outplay_nn::{Activation, Architecture, Network, NetworkFileError};

type Double = Network<f64>;
use proptest::prelude::*;
use serde_json::{Value, json};

fn sample() -> Double {
    let architecture = Architecture::dense(&[3, 4, 1], Activation::Tanh, Activation::Sigmoid).unwrap();
    Network::uniform(architecture, &mut Rng::new(1)).unwrap()
}

/// A file with this header and so many zero bytes of data.
fn container(header: &Value, data: usize) -> Vec<u8> {
    let text = header.to_string();
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), &vec![0; data]].concat()
}

fn refusal(bytes: &[u8]) -> NetworkFileError {
    Double::from_safetensors(bytes).unwrap_err()
}

/// A one-layer file of two inputs and one output; `change` may spoil its header first.
fn spoilt(data: usize, change: impl FnOnce(&mut Value)) -> NetworkFileError {
    let mut header = json!({
        "__metadata__": { "activations": "sigmoid" },
        "layers.0.weight": { "dtype": "F64", "shape": [1, 2], "data_offsets": [0, 16] },
        "layers.0.bias": { "dtype": "F64", "shape": [1], "data_offsets": [16, 24] },
    });
    assert!(Double::from_safetensors(&container(&header, 24)).is_ok());
    change(&mut header);
    refusal(&container(&header, data))
}

#[test]
fn a_network_comes_back_with_its_words() {
    let net = sample();
    let given = [("z", "last"), ("made", "\"quoted\" ± ünïcode\n"), ("a", "")];
    let bytes = net.to_safetensors(&given);
    let read = Double::from_safetensors(&bytes).unwrap();
    assert_eq!(read.parameters(), net.parameters());
    assert_eq!(read.architecture(), net.architecture());
    let mut sorted = given;
    sorted.sort_unstable();
    assert_eq!(read.notes().collect::<Vec<_>>(), sorted);
    let mut shuffled = given;
    shuffled.rotate_left(1);
    assert_eq!(net.to_safetensors(&shuffled), bytes, "the order of the words does not matter");
}

#[test]
fn the_activations_are_the_formats_own() {
    let net = sample();
    let bytes = net.to_safetensors(&[("activations", "relu relu"), ("plan", "2 | dense 1 relu")]);
    assert_eq!(Double::from_safetensors(&bytes), Ok(net));
}

#[test]
fn other_readers_find_the_tensors() {
    let bytes = sample().to_safetensors(&[]);
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("layers.0.weight").unwrap().shape(), [4, 3]);
    assert_eq!(file.tensor("layers.1.bias").unwrap().shape(), [1]);
    assert_eq!(u64::from_le_bytes(*bytes.first_chunk().unwrap()) % 8, 0);
}

#[test]
fn each_fault_has_its_sentence() {
    use NetworkFileError as E;
    assert!(matches!(refusal(b""), E::Container { .. }));
    assert!(matches!(spoilt(23, |_| ()), E::Container { .. }));
    assert_eq!(spoilt(24, |h| h["__metadata__"] = json!({})), E::NoPlan);
    let unknown = spoilt(24, |h| h["__metadata__"]["activations"] = json!("softmax"));
    assert!(unknown.to_string().contains("`softmax`"));
    let missing = spoilt(24, |h| h["__metadata__"]["activations"] = json!("sigmoid relu"));
    assert_eq!(missing, E::Missing { name: "layers.1.weight".to_owned() });
    let surplus = spoilt(24, |h| h["__metadata__"]["activations"] = json!(""));
    assert_eq!(surplus, E::Unexpected { name: "layers.0.bias".to_owned() });
    let stranger = json!({ "dtype": "F64", "shape": [0], "data_offsets": [24, 24] });
    assert_eq!(spoilt(24, |h| h["spy"] = stranger), E::Unexpected { name: "spy".to_owned() });
    let single = json!({ "dtype": "F32", "shape": [1], "data_offsets": [16, 20] });
    assert_eq!(
        spoilt(20, |h| h["layers.0.bias"] = single).to_string(),
        "tensor `layers.0.bias` holds F32 numbers, not F64"
    );
    let flat = spoilt(24, |h| h["layers.0.weight"]["shape"] = json!([2]));
    assert!(matches!(flat, E::NotAMatrix { name, .. } if name == "layers.0.weight"));
    let two = json!({ "dtype": "F64", "shape": [2], "data_offsets": [16, 32] });
    assert_eq!(
        spoilt(32, |h| h["layers.0.bias"] = two).to_string(),
        "tensor `layers.0.bias` has shape [2], which does not fit 1 outputs"
    );
    assert_eq!(
        refusal(&container(&json!({ "__metadata__": { "activations": "" } }), 0)).to_string(),
        "the tensors make no network: a network needs at least two layer sizes, not 0"
    );
}

#[test]
fn layers_must_follow_each_other() {
    let header = json!({
        "__metadata__": { "activations": "sigmoid sigmoid" },
        "layers.0.weight": { "dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8] },
        "layers.0.bias": { "dtype": "F64", "shape": [1], "data_offsets": [8, 16] },
        "layers.1.weight": { "dtype": "F64", "shape": [1, 2], "data_offsets": [16, 32] },
        "layers.1.bias": { "dtype": "F64", "shape": [1], "data_offsets": [32, 40] },
    });
    assert_eq!(
        refusal(&container(&header, 40)).to_string(),
        "tensor `layers.1.weight` has shape [1, 2], which does not fit 1 inputs"
    );
}

#[test]
fn weights_must_be_finite() {
    let bytes = sample().to_safetensors(&[]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut bytes = bytes.clone();
        let end = bytes.len();
        bytes[end - 8..].copy_from_slice(&bad.to_le_bytes());
        assert_eq!(refusal(&bytes), NetworkFileError::NotFinite { name: "layers.1.bias".to_owned() });
    }
}

proptest! {
    #[test]
    fn any_network_comes_back(
        sizes in proptest::collection::vec(1usize..9, 2..5),
        seed: u64,
        choices in proptest::collection::vec(0usize..Activation::ALL.len(), 4),
        key: String,
        value: String,
    ) {
        let layers = sizes[1..].iter().zip(choices);
        let layers = layers.map(|(size, i)| format!(" | dense {size} {}", Activation::ALL[i].name()));
        let line = format!("{}{}", sizes[0], layers.collect::<String>());
        let net = Double::uniform(line.parse().unwrap(), &mut Rng::new(seed)).unwrap();
        let read = Double::from_safetensors(&net.to_safetensors(&[(&key, &value)])).unwrap();
        prop_assert_eq!(read.parameters(), net.parameters());
        prop_assert_eq!(read.architecture(), net.architecture());
        prop_assert_eq!(read.notes().collect::<Vec<_>>(), [(key.as_str(), value.as_str())]);
    }

    #[test]
    fn changed_bytes_never_panic(at: prop::sample::Index, value: u8) {
        let mut bytes = sample().to_safetensors(&[("by", "us")]);
        let at = at.index(bytes.len());
        bytes[at] = value;
        if let Ok(net) = Double::from_safetensors(&bytes) {
            prop_assert!(net.parameters().iter().all(|p| p.is_finite()));
        }
    }

    #[test]
    fn cut_files_are_refused(at: prop::sample::Index) {
        let bytes = sample().to_safetensors(&[]);
        prop_assert!(Double::from_safetensors(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn random_bytes_are_refused(bytes: Vec<u8>) {
        prop_assert!(Double::from_safetensors(&bytes).is_err());
    }
}
