//! A policy–value network as a safetensors file.
//!
//! The tensors have the names and sizes of PyTorch's `Linear` layers: `first` (hidden × inputs), `value.0`, `value.1` (win,
//! draw, loss) and `policy`, each with `weight` and `bias`. The metadata has the shape under `plan`, and the notes.

use std::ops::Range;

use super::shape::{OUTCOMES, PolicyValueShape};
use super::{PolicyValueNetwork, pairs};
use crate::file::{NetworkFileError, PLAN, Writer, nothing_else, open, read};
use crate::network::{LANES, Lanes};

/// A tensor, and where its numbers are among those of the parameters, in the order of the file.
struct TensorPlaces {
    name: String,
    sizes: Vec<usize>,
    places: Vec<usize>,
}

fn tensors(shape: &PolicyValueShape) -> Vec<TensorPlaces> {
    let layout = shape.layout();
    let weight =
        |name: &str, [outputs, inputs]: [usize; 2], place: &dyn Fn(usize, usize) -> usize| TensorPlaces {
            name: format!("{name}.weight"),
            sizes: vec![outputs, inputs],
            places: pairs(outputs, inputs).map(|(output, input)| place(output, input)).collect(),
        };
    let bias = |name: &str, outputs: usize, lanes: &Range<usize>| TensorPlaces {
        name: format!("{name}.bias"),
        sizes: vec![outputs],
        places: (lanes.start * LANES..).take(outputs).collect(),
    };
    let first = layout.first.start * LANES;
    let mut tensors = vec![
        weight("first", [shape.hidden, shape.inputs], &|output, input| first + input * shape.hidden + output),
        bias("first", shape.hidden, &layout.first_bias),
    ];
    for (name, head, outputs, inputs) in [
        ("value.0", &layout.value, shape.value_hidden, shape.hidden),
        ("value.1", &layout.outcome, OUTCOMES, shape.value_hidden),
        ("policy", &layout.policy, shape.slots, shape.hidden),
    ] {
        let place = |output, input| head.weights.start * LANES + head.window.place(output, input, 0);
        tensors.push(weight(name, [outputs, inputs], &place));
        tensors.push(bias(name, outputs, &head.biases));
    }
    tensors
}

impl PolicyValueNetwork {
    /// The bytes of a file that holds this network and its notes.
    pub fn to_safetensors(&self) -> Vec<u8> {
        let mut words = self.notes.clone();
        words.insert(PLAN.to_owned(), self.shape.to_string());
        let mut file = Writer::new(&words);
        for tensor in tensors(&self.shape) {
            let numbers: Vec<f32> = tensor.places.iter().map(|&place| self.numbers()[place]).collect();
            file.add(tensor.name, &tensor.sizes, &numbers);
        }
        file.finish()
    }

    /// The network that a file holds, with its notes.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (held, mut notes) = open(bytes)?;
        let shape: PolicyValueShape = notes.remove(PLAN).ok_or(NetworkFileError::NoPlan)?.parse()?;
        let tensors = tensors(&shape);
        nothing_else(&held, tensors.iter().map(|tensor| tensor.name.clone()))?;
        let mut parameters = vec![Lanes::ZERO; shape.layout().lanes()];
        let all = bytemuck::cast_slice_mut::<_, f32>(&mut parameters);
        for TensorPlaces { name, sizes, places } in tensors {
            let (found, numbers) = read::<f32>(&held, &name)?;
            if found != sizes {
                return Err(NetworkFileError::NotAsPlanned { name, found, planned: sizes });
            }
            places.into_iter().zip(numbers).for_each(|(place, number)| all[place] = number);
        }
        Ok(Self { shape, parameters, notes })
    }
}
