//! A network as a safetensors file.
//!
//! Belongs here: the bytes, and the checks of bytes from outside. Does not belong here: where files lie.
//!
//! Layout: tensors `layers.K.weight` (outputs × inputs) and `layers.K.bias` (outputs) in double precision, K
//! from 0; in the metadata, under `activations`, one name per layer separated by spaces, and whatever the
//! caller adds.
//!
//! Law: the same network and metadata give the same bytes (the metadata is sorted by key); whatever is read is
//! a whole, finite network or a sentence.

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors, tensor::Metadata};
use serde_json::{Map, Value, json};

use crate::activation::{Activation, UnknownActivation};
use crate::error::ShapeError;
use crate::mlp::{Layer, Mlp, Shape};

/// The metadata key that belongs to this format.
const ACTIVATIONS: &str = "activations";

/// Keys and values, sorted by key.
type Words = Vec<(String, String)>;

/// Bytes that are not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFileError {
    /// Not the container format, or a damaged one.
    #[error("this is not a whole safetensors file: {0}")]
    Container(String),
    /// The metadata does not say what the layers are.
    #[error("the file's metadata names no `activations`")]
    NoActivations,
    /// An activation of a later or another program.
    #[error("the file's metadata asks for an activation we do not have: {0}")]
    Activation(#[from] UnknownActivation),
    /// A layer without its tensor.
    #[error("the file has no tensor `{0}`")]
    Missing(String),
    /// A tensor that no layer needs.
    #[error("the file has a tensor `{0}` that belongs to no layer")]
    Unexpected(String),
    /// Another precision.
    #[error("tensor `{name}` holds {found} numbers, not F64")]
    WrongType {
        /// The tensor.
        name: String,
        /// What it holds.
        found: String,
    },
    /// Sizes that do not fit together.
    #[error("tensor `{name}` has shape {found:?}, which does not fit {expected}")]
    WrongShape {
        /// The tensor.
        name: String,
        /// Its sizes.
        found: Vec<usize>,
        /// What would fit.
        expected: String,
    },
    /// A weight that is not a number.
    #[error("tensor `{0}` holds a number that is not finite")]
    NotFinite(String),
    /// Tensors that make no network.
    #[error("the tensors make no network: {0}")]
    Shape(#[from] ShapeError),
}

impl Mlp {
    /// The bytes of a file that holds this network and these words about it. Of two values under one key the
    /// later stays; the key `activations` is the format's own.
    pub fn to_safetensors(&self, metadata: &[(String, String)]) -> Vec<u8> {
        let activations: Vec<_> = self.layers().map(|layer| layer.shape.activation.name()).collect();
        let mut words: BTreeMap<String, String> = metadata.iter().cloned().collect();
        words.insert(ACTIVATIONS.to_owned(), activations.join(" "));
        // Written by hand because the library keeps metadata in a map without order.
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!(words));
        let (mut data, mut offset) = (Vec::new(), 0);
        for (index, layer) in self.layers().enumerate() {
            for (name, shape, numbers) in tensors_of(index, &layer) {
                let end = offset + numbers.len() * 8;
                header.insert(name, json!({ "dtype": "F64", "shape": shape, "data_offsets": [offset, end] }));
                data.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
                offset = end;
            }
        }
        let mut text = Value::Object(header).to_string();
        // The data begins at a multiple of eight bytes.
        text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes().chain(data));
        bytes
    }

    /// The network that a file holds, and the caller's words about it, sorted by key.
    pub fn from_safetensors(bytes: &[u8]) -> Result<(Self, Vec<(String, String)>), NetworkFileError> {
        let container = |error: safetensors::SafeTensorError| NetworkFileError::Container(error.to_string());
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
        let (activations, words) = words_of(&header)?;
        if let Some(name) = unexpected(&tensors, activations.len()) {
            return Err(NetworkFileError::Unexpected(name));
        }
        let mut sizes = Vec::new();
        let mut parameters = Vec::new();
        for index in 0..activations.len() {
            let (weight_shape, weights) = read(&tensors, &format!("layers.{index}.weight"))?;
            let (bias_shape, biases) = read(&tensors, &format!("layers.{index}.bias"))?;
            let [outputs, inputs] = weight_shape[..] else {
                return Err(misfit(index, "weight", weight_shape, "outputs × inputs".to_owned()));
            };
            if bias_shape != [outputs] {
                return Err(misfit(index, "bias", bias_shape, format!("{outputs} outputs")));
            }
            match sizes.last() {
                None => sizes.push(inputs),
                Some(&before) if before == inputs => {}
                Some(before) => {
                    return Err(misfit(index, "weight", weight_shape, format!("{before} inputs")));
                }
            }
            sizes.push(outputs);
            parameters.extend(weights.into_iter().chain(biases));
        }
        Ok((Self::from_parameters(Shape::new(&sizes, &activations)?, parameters)?, words))
    }
}

/// A layer's tensors: name, sizes, numbers.
fn tensors_of<'a>(index: usize, layer: &Layer<'a>) -> [(String, Vec<usize>, &'a [f64]); 2] {
    let (inputs, outputs) = (layer.shape.inputs, layer.shape.outputs);
    [
        (format!("layers.{index}.weight"), vec![outputs, inputs], layer.weights),
        (format!("layers.{index}.bias"), vec![outputs], layer.biases),
    ]
}

/// The activations, and the caller's words in order.
fn words_of(header: &Metadata) -> Result<(Vec<Activation>, Words), NetworkFileError> {
    let mut words: BTreeMap<_, _> = header.metadata().clone().unwrap_or_default().into_iter().collect();
    let names = words.remove(ACTIVATIONS).ok_or(NetworkFileError::NoActivations)?;
    let activations = names.split_whitespace().map(str::parse).collect::<Result<Vec<Activation>, _>>()?;
    Ok((activations, words.into_iter().collect()))
}

/// The first name, in order, that no layer claims.
fn unexpected(tensors: &SafeTensors<'_>, layers: usize) -> Option<String> {
    let known: std::collections::HashSet<_> =
        (0..layers).flat_map(|k| [format!("layers.{k}.weight"), format!("layers.{k}.bias")]).collect();
    tensors.names().into_iter().filter(|&name| !known.contains(name)).min().map(str::to_owned)
}

/// A tensor's sizes and numbers.
fn read(tensors: &SafeTensors<'_>, name: &str) -> Result<(Vec<usize>, Vec<f64>), NetworkFileError> {
    let tensor = tensors.tensor(name).map_err(|_| NetworkFileError::Missing(name.to_owned()))?;
    if tensor.dtype() != Dtype::F64 {
        let found = tensor.dtype().to_string();
        return Err(NetworkFileError::WrongType { name: name.to_owned(), found });
    }
    let numbers: Vec<f64> =
        tensor.data().as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    if numbers.iter().any(|x| !x.is_finite()) {
        return Err(NetworkFileError::NotFinite(name.to_owned()));
    }
    Ok((tensor.shape().to_vec(), numbers))
}

fn misfit(index: usize, part: &str, found: Vec<usize>, expected: String) -> NetworkFileError {
    NetworkFileError::WrongShape { name: format!("layers.{index}.{part}"), found, expected }
}
