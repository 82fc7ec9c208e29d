//! A network as a safetensors file.
//!
//! A file has tensors `layers.K.weight` (outputs × inputs, for convolutions × side × side) and `layers.K.bias`
//! (outputs), K from 0, those of a residual layer `layers.K.inner.…` and `layers.K.outer.…`, in the network's
//! precision. Its metadata names the architecture: under `plan` its line or, for dense layers in double precision,
//! under `activations` one name per layer; besides, whatever the caller noted.
//!
//! The same network and notes give the same bytes (the metadata is sorted by key); whatever is read is a whole,
//! finite network or an error. Where files are is the caller's.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use outplay_core::{ForeignWords, errors};
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};

use crate::activation::{Activation, UnknownActivation};
use crate::error::ShapeError;
use crate::network::{AffineLayer, Architecture, Network, affine_layers};
use crate::scalar::{self, Scalar};

/// The metadata keys that belong to the format.
const ACTIVATIONS: &str = "activations";
pub(crate) const PLAN: &str = "plan";

/// What the metadata says, by key.
type Words = BTreeMap<String, String>;

errors! {
    /// Bytes that are not a network.
    #[derive(Clone, PartialEq, Eq)]
    pub enum NetworkFileError {
        Container { reason: ForeignWords } =
            "this is not a whole safetensors file: {reason}" | "ce n’est pas un fichier safetensors entier : {reason}",
        NoPlan =
            "the file's metadata names no `plan`" | "les métadonnées du fichier ne donnent pas `plan`",
        Activation { reason: UnknownActivation } =
            "the file's metadata asks for an activation we do not have: {reason}"
            | "les métadonnées du fichier demandent une activation que nous n’avons pas : {reason}",
        Missing { name: String } = "the file has no tensor `{name}`" | "le fichier n’a pas de tenseur `{name}`",
        Unexpected { name: String } =
            "the file has a tensor `{name}` that belongs to no layer"
            | "le fichier a un tenseur `{name}` qui n’appartient à aucune couche",
        WrongType { name: String, found: String, expected: &'static str } =
            "tensor `{name}` holds {found} numbers, not {expected}"
            | "le tenseur `{name}` contient des nombres {found}, et non {expected}",
        NotAMatrix { name: String, found: Vec<usize> } =
            "tensor `{name}` has shape [{found}], which does not fit outputs × inputs"
            | "le tenseur `{name}` est de forme [{found}], qui ne convient pas à sorties × entrées",
        OtherInputs { name: String, found: Vec<usize>, inputs: usize } =
            "tensor `{name}` has shape [{found}], which does not fit {inputs} inputs"
            | "le tenseur `{name}` est de forme [{found}], qui ne convient pas à {inputs} entrées",
        OtherOutputs { name: String, found: Vec<usize>, outputs: usize } =
            "tensor `{name}` has shape [{found}], which does not fit {outputs} outputs"
            | "le tenseur `{name}` est de forme [{found}], qui ne convient pas à {outputs} sorties",
        NotAsPlanned { name: String, found: Vec<usize>, planned: Vec<usize> } =
            "tensor `{name}` has shape [{found}], which does not fit the plan's [{planned}]"
            | "le tenseur `{name}` est de forme [{found}], qui ne convient pas à celle du plan, [{planned}]",
        NotFinite { name: String } =
            "tensor `{name}` holds a number that is not finite" | "le tenseur `{name}` contient un nombre qui n’est pas fini",
        Shape { reason: ShapeError } =
            "the tensors make no network: {reason}" | "les tenseurs ne font pas un réseau : {reason}",
    }
}

impl From<UnknownActivation> for NetworkFileError {
    fn from(reason: UnknownActivation) -> Self {
        Self::Activation { reason }
    }
}

impl From<ShapeError> for NetworkFileError {
    fn from(reason: ShapeError) -> Self {
        Self::Shape { reason }
    }
}

impl<T: Scalar> Network<T> {
    /// The bytes of a file that holds this network, what was noted about it before, and these further notes.
    /// Of two values under one key the later stays; the keys `plan` and `activations` are the format's own.
    pub fn to_safetensors(&self, notes: &[(&str, &str)]) -> Vec<u8> {
        let mut words = self.notes.clone();
        words.extend(notes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())));
        words.remove(PLAN);
        words.remove(ACTIVATIONS);
        match self.architecture().plain_dense() {
            Some((_, activations)) if T::DTYPE == f64::DTYPE => {
                let names: Vec<_> = activations.into_iter().map(Activation::name).collect();
                words.insert(ACTIVATIONS.to_owned(), names.join(" "));
            }
            _ => {
                words.insert(PLAN.to_owned(), self.architecture().to_string());
            }
        }
        let mut file = Writer::new(&words);
        for layer in affine_layers(self.architecture()) {
            for (name, sizes, place) in layer.tensors() {
                file.add(name, &sizes, &self.parameters()[place]);
            }
        }
        file.finish()
    }

    /// The network that a file holds, with its notes.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (tensors, mut words) = open(bytes)?;
        let architecture = match (words.remove(PLAN), words.remove(ACTIVATIONS)) {
            (Some(line), _) => line.parse()?,
            (None, Some(names)) => dense_architecture::<T>(&tensors, &names)?,
            (None, None) => return Err(NetworkFileError::NoPlan),
        };
        let layers = affine_layers(&architecture);
        nothing_else(&tensors, layers.iter().flat_map(AffineLayer::tensors).map(|(name, ..)| name))?;
        // Memory for the network is only taken when the file has proved to hold as much.
        let mut parameters = Vec::new();
        for (name, sizes, _) in layers.iter().flat_map(AffineLayer::tensors) {
            let (found, tensor) = read::<T>(&tensors, &name)?;
            if found != sizes {
                return Err(NetworkFileError::NotAsPlanned { name, found, planned: sizes });
            }
            parameters.extend(tensor);
        }
        let mut network = Self::from_parameters(architecture, parameters)?;
        network.notes = words;
        Ok(network)
    }
}

/// The dense layers with these activations, of the widths that the tensors have.
fn dense_architecture<T: Scalar>(
    tensors: &SafeTensors<'_>,
    names: &str,
) -> Result<Architecture, NetworkFileError> {
    let activations = names.split_whitespace().map(str::parse).collect::<Result<Vec<Activation>, _>>()?;
    let names = |index: usize| [format!("layers.{index}.weight"), format!("layers.{index}.bias")];
    nothing_else(tensors, (0..activations.len()).flat_map(names))?;
    let mut widths = Vec::new();
    for [weight_name, bias_name] in (0..activations.len()).map(names) {
        let (weight_shape, _) = read::<T>(tensors, &weight_name)?;
        let (bias_shape, _) = read::<T>(tensors, &bias_name)?;
        let [outputs, inputs] = weight_shape[..] else {
            return Err(NetworkFileError::NotAMatrix { name: weight_name, found: weight_shape });
        };
        if bias_shape != [outputs] {
            return Err(NetworkFileError::OtherOutputs { name: bias_name, found: bias_shape, outputs });
        }
        match widths.last() {
            None => widths.push(inputs),
            Some(&before) if before == inputs => {}
            Some(&inputs) => {
                return Err(NetworkFileError::OtherInputs { name: weight_name, found: weight_shape, inputs });
            }
        }
        widths.push(outputs);
    }
    Ok(Architecture::from_widths(&widths, &activations)?)
}

impl AffineLayer {
    /// Its tensors: name, sizes, and where their numbers are among the parameters.
    fn tensors(&self) -> impl Iterator<Item = (String, Vec<usize>, Range<usize>)> {
        let weight = (format!("{}.weight", self.name), self.weight_sizes(), self.weights.clone());
        let bias = (format!("{}.bias", self.name), vec![self.outputs], self.biases.clone());
        std::iter::once(weight).chain(self.has_bias().then_some(bias))
    }
}

/// A file in the making. Written by hand because the library keeps metadata in a map without order.
pub(crate) struct Writer {
    header: Map<String, Value>,
    data: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(words: &Words) -> Self {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!(words));
        Self { header, data: Vec::new() }
    }

    pub(crate) fn add<T: Scalar>(&mut self, name: String, shape: &[usize], numbers: &[T]) {
        let begin = self.data.len();
        scalar::put(&mut self.data, numbers);
        let place = [begin, self.data.len()];
        let entry = json!({ "dtype": T::DTYPE, "shape": shape, "data_offsets": place });
        self.header.insert(name, entry);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let mut text = Value::Object(self.header).to_string();
        // The data begins at a multiple of eight bytes.
        text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes().chain(self.data));
        bytes
    }
}

/// The tensors and the metadata of a file.
pub(crate) fn open(bytes: &[u8]) -> Result<(SafeTensors<'_>, Words), NetworkFileError> {
    let container = |error: safetensors::SafeTensorError| NetworkFileError::Container {
        reason: ForeignWords::of(&error),
    };
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
    Ok((tensors, header.metadata().clone().unwrap_or_default().into_iter().collect()))
}

/// Refuses the first tensor, by name, that is none of these.
pub(crate) fn nothing_else(
    tensors: &SafeTensors<'_>,
    known: impl Iterator<Item = String>,
) -> Result<(), NetworkFileError> {
    let known: HashSet<_> = known.collect();
    let unknown = tensors.names().into_iter().filter(|&name| !known.contains(name)).min();
    unknown.map_or(Ok(()), |name| Err(NetworkFileError::Unexpected { name: name.to_owned() }))
}

/// A tensor's sizes and numbers.
pub(crate) fn read<T: Scalar>(
    tensors: &SafeTensors<'_>,
    name: &str,
) -> Result<(Vec<usize>, Vec<T>), NetworkFileError> {
    let tensor = tensors.tensor(name).map_err(|_| NetworkFileError::Missing { name: name.to_owned() })?;
    let found = tensor.dtype().to_string();
    if found != T::DTYPE {
        let expected = T::DTYPE;
        return Err(NetworkFileError::WrongType { name: name.to_owned(), found, expected });
    }
    let numbers: Vec<T> = scalar::get(tensor.data());
    if numbers.iter().any(|x| !x.is_finite()) {
        return Err(NetworkFileError::NotFinite { name: name.to_owned() });
    }
    Ok((tensor.shape().to_vec(), numbers))
}
