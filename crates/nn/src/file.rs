//! A network as a safetensors file.
//!
//! Belongs here: the bytes, and the checks of bytes from outside. Does not belong here: where files lie.
//!
//! Layout of an [`Mlp`]: tensors `layers.K.weight` (outputs × inputs) and `layers.K.bias` (outputs) in double
//! precision, K from 0; in the metadata, under `activations`, one name per layer separated by spaces, and
//! whatever the caller adds.
//!
//! Layout of a [`Network`]: the same tensors in single precision, those of convolutions outputs × inputs ×
//! side × side, those of a residual layer `layers.K.inner.…` and `layers.K.outer.…`; in the metadata, under
//! `plan`, the plan's line, and whatever the caller adds.
//!
//! Law: the same network and metadata give the same bytes (the metadata is sorted by key); whatever is read
//! is a whole, finite network or a sentence.

use std::collections::BTreeMap;

use safetensors::SafeTensors;
use serde_json::{Map, Value, json};

use crate::activation::{Activation, UnknownActivation};
use crate::bytes::{self, Number};
use crate::error::ShapeError;
use crate::mlp::{Mlp, Shape};
use crate::network::{Network, Plan, stages};

/// The metadata keys that belong to these formats.
const ACTIVATIONS: &str = "activations";
const PLAN: &str = "plan";

/// What the metadata says, by key.
type Words = BTreeMap<String, String>;

/// Bytes that are not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFileError {
    /// Not the container format, or a damaged one.
    #[error("this is not a whole safetensors file: {0}")]
    Container(String),
    /// The metadata does not say what the layers are.
    #[error("the file's metadata names no `activations`")]
    NoActivations,
    /// The metadata does not say what the network is.
    #[error("the file's metadata names no `plan`")]
    NoPlan,
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
    #[error("tensor `{name}` holds {found} numbers, not {expected}")]
    WrongType {
        /// The tensor.
        name: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
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
        let mut words: Words = metadata.iter().cloned().collect();
        words.insert(ACTIVATIONS.to_owned(), activations.join(" "));
        let mut file = Writer::new(&words);
        for (index, layer) in self.layers().enumerate() {
            let (inputs, outputs) = (layer.shape.inputs, layer.shape.outputs);
            file.add(format!("layers.{index}.weight"), &[outputs, inputs], layer.weights);
            file.add(format!("layers.{index}.bias"), &[outputs], layer.biases);
        }
        file.finish()
    }

    /// The network that a file holds, and the caller's words about it, sorted by key.
    pub fn from_safetensors(bytes: &[u8]) -> Result<(Self, Vec<(String, String)>), NetworkFileError> {
        let (tensors, mut words) = open(bytes)?;
        let names = words.remove(ACTIVATIONS).ok_or(NetworkFileError::NoActivations)?;
        let activations = names.split_whitespace().map(str::parse).collect::<Result<Vec<Activation>, _>>()?;
        let layers: Vec<_> = (0..activations.len()).map(|index| format!("layers.{index}")).collect();
        nothing_else(&tensors, layers.iter().map(String::as_str))?;
        let mut sizes = Vec::new();
        let mut parameters = Vec::new();
        for layer in &layers {
            let (weight_name, bias_name) = (format!("{layer}.weight"), format!("{layer}.bias"));
            let (weight_shape, weights) = read::<f64>(&tensors, &weight_name)?;
            let (bias_shape, biases) = read::<f64>(&tensors, &bias_name)?;
            let [outputs, inputs] = weight_shape[..] else {
                return Err(misfit(weight_name, weight_shape, "outputs × inputs".to_owned()));
            };
            if bias_shape != [outputs] {
                return Err(misfit(bias_name, bias_shape, format!("{outputs} outputs")));
            }
            match sizes.last() {
                None => sizes.push(inputs),
                Some(&before) if before == inputs => {}
                Some(before) => return Err(misfit(weight_name, weight_shape, format!("{before} inputs"))),
            }
            sizes.push(outputs);
            parameters.extend(weights.into_iter().chain(biases));
        }
        let network = Self::from_parameters(Shape::new(&sizes, &activations)?, parameters)?;
        Ok((network, words.into_iter().collect()))
    }
}

impl Network {
    /// The bytes of a file that holds this network, what was noted about it before, and these further notes.
    /// Of two values under one key the later stays; the key `plan` is the format's own.
    pub fn to_bytes(&self, notes: &[(&str, &str)]) -> Vec<u8> {
        let mut words = self.notes.clone();
        words.extend(notes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())));
        words.insert(PLAN.to_owned(), self.plan().to_string());
        let parameters = bytemuck::cast_slice::<_, f32>(self.parameters());
        let mut file = Writer::new(&words);
        for stage in self.stages() {
            let weights: Vec<f32> = stage.weight_places().map(|place| parameters[place]).collect();
            file.add(format!("{}.weight", stage.name), &stage.weight_sizes(), &weights);
            file.add(format!("{}.bias", stage.name), &[stage.outputs], &parameters[stage.bias_places()]);
        }
        file.finish()
    }

    /// The network that a file holds, with its notes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (tensors, mut words) = open(bytes)?;
        let plan: Plan = words.remove(PLAN).ok_or(NetworkFileError::NoPlan)?.parse()?;
        let stages = stages(&plan);
        nothing_else(&tensors, stages.iter().map(|stage| stage.name.as_str()))?;
        // Room for the plan is only made when the file has proved to hold as much.
        let mut numbers = Vec::new();
        for stage in stages {
            let sizes = [("weight", stage.weight_sizes()), ("bias", vec![stage.outputs])];
            for (part, expected) in sizes {
                let name = format!("{}.{part}", stage.name);
                let (found, tensor) = read::<f32>(&tensors, &name)?;
                if found != expected {
                    return Err(misfit(name, found, format!("the plan's {expected:?}")));
                }
                numbers.extend(tensor);
            }
        }
        let mut network = Self::zero(plan)?;
        network.set_numbers(&numbers);
        network.notes = words;
        Ok(network)
    }
}

/// A file in the making. Written by hand because the library keeps metadata in a map without order.
struct Writer {
    header: Map<String, Value>,
    data: Vec<u8>,
}

impl Writer {
    fn new(words: &Words) -> Self {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!(words));
        Self { header, data: Vec::new() }
    }

    fn add<T: Number>(&mut self, name: String, shape: &[usize], numbers: &[T]) {
        let begin = self.data.len();
        bytes::put(&mut self.data, numbers);
        let place = [begin, self.data.len()];
        let entry = json!({ "dtype": T::DTYPE.to_string(), "shape": shape, "data_offsets": place });
        self.header.insert(name, entry);
    }

    fn finish(self) -> Vec<u8> {
        let mut text = Value::Object(self.header).to_string();
        // The data begins at a multiple of eight bytes.
        text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes().chain(self.data));
        bytes
    }
}

/// The tensors and the metadata of a file.
fn open(bytes: &[u8]) -> Result<(SafeTensors<'_>, Words), NetworkFileError> {
    let container = |error: safetensors::SafeTensorError| NetworkFileError::Container(error.to_string());
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
    Ok((tensors, header.metadata().clone().unwrap_or_default().into_iter().collect()))
}

/// Refuses the first tensor, by name, that is neither the weight nor the bias of a layer.
fn nothing_else<'a>(
    tensors: &SafeTensors<'_>,
    layers: impl Iterator<Item = &'a str>,
) -> Result<(), NetworkFileError> {
    let known: std::collections::HashSet<_> =
        layers.flat_map(|layer| [format!("{layer}.weight"), format!("{layer}.bias")]).collect();
    let unknown = tensors.names().into_iter().filter(|&name| !known.contains(name)).min();
    unknown.map_or(Ok(()), |name| Err(NetworkFileError::Unexpected(name.to_owned())))
}

/// A tensor's sizes and numbers.
fn read<T: Number>(tensors: &SafeTensors<'_>, name: &str) -> Result<(Vec<usize>, Vec<T>), NetworkFileError> {
    let tensor = tensors.tensor(name).map_err(|_| NetworkFileError::Missing(name.to_owned()))?;
    if tensor.dtype() != T::DTYPE {
        let (found, expected) = (tensor.dtype().to_string(), T::DTYPE.to_string());
        return Err(NetworkFileError::WrongType { name: name.to_owned(), found, expected });
    }
    let numbers: Vec<T> = bytes::get(tensor.data());
    if numbers.iter().any(|x| !x.is_number()) {
        return Err(NetworkFileError::NotFinite(name.to_owned()));
    }
    Ok((tensor.shape().to_vec(), numbers))
}

fn misfit(name: String, found: Vec<usize>, expected: String) -> NetworkFileError {
    NetworkFileError::WrongShape { name, found, expected }
}
