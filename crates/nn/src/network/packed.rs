//! A network as the convolution kernels read it.
//!
//! Channels are filled up to whole lanes: the weights, biases, outputs and slopes of a channel that only fills
//! lanes are zero and stay zero. All parameters are in one vector of lanes, layer after layer, biases before
//! weights, so that an optimiser can walk over them without knowing what they are.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Network;
use super::architecture::Architecture;
use super::boards::ConvWindow;
use super::kernel::{LANES, Lanes};
use super::layout::{AffineLayer, affine_layers};

/// An affine layer, and where its packed parameters are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackedLayer {
    pub(crate) affine: AffineLayer,
    pub(crate) window: ConvWindow,
    /// How many inputs are side by side, and how far apart such groups begin: one group, unless boards were
    /// flattened.
    group: (usize, usize),
    /// Where its parameters begin, in lanes: biases, then weights.
    start: usize,
}

impl PackedLayer {
    fn new(affine: AffineLayer, before: Option<&Self>) -> Self {
        let (in_width, group, start) = match before {
            None => (affine.inputs, (affine.inputs, affine.inputs), 0),
            Some(before) => {
                let width = before.window.out_lanes * LANES;
                let cells = before.affine.flattened_cells();
                (width * cells, (before.affine.outputs, width), before.weights().end)
            }
        };
        let window = ConvWindow { side: affine.side, in_width, out_lanes: affine.outputs.div_ceil(LANES) };
        Self { affine, window, group, start }
    }

    /// Where the biases are, in lanes. They are there, and zero, even if the layer has none.
    pub(crate) fn biases(&self) -> Range<usize> {
        self.start..self.start + self.window.out_lanes
    }

    /// Where the weights are, in lanes.
    pub(crate) fn weights(&self) -> Range<usize> {
        let start = self.biases().end;
        start..start + self.window.out_lanes * self.window.rows()
    }

    /// Where every parameter is, counted in numbers: weights in the order of the tensor, then biases.
    fn places(&self) -> impl Iterator<Item = usize> {
        let first = self.weights().start * LANES;
        let weights = (0..self.affine.outputs).flat_map(move |output| {
            (0..self.affine.inputs).flat_map(move |input| {
                let (together, apart) = self.group;
                let place = input / together * apart + input % together;
                (0..self.affine.taps()).map(move |tap| first + self.window.place(output, place, tap))
            })
        });
        let first = self.biases().start * LANES;
        weights.chain(first..first + self.affine.biases.len())
    }
}

/// The packed form of a single-precision network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PackedNetwork {
    pub(crate) architecture: Architecture,
    pub(crate) layers: Vec<PackedLayer>,
    pub(crate) parameters: Vec<Lanes>,
}

impl PackedNetwork {
    pub(crate) fn new(network: &Network) -> Self {
        let mut layers: Vec<PackedLayer> = Vec::new();
        for affine in affine_layers(network.architecture()) {
            layers.push(PackedLayer::new(affine, layers.last()));
        }
        let lanes = layers.last().expect("an architecture has a layer").weights().end;
        let architecture = network.architecture().clone();
        let mut packed = Self { architecture, layers, parameters: vec![Lanes::ZERO; lanes] };
        packed.set_numbers(network.parameters());
        packed
    }

    /// The network, with these notes.
    pub(crate) fn unpack(&self, notes: &BTreeMap<String, String>) -> Network {
        let numbers = bytemuck::cast_slice::<_, f32>(&self.parameters);
        let parameters = self.places().map(|place| numbers[place]).collect();
        Network::trained(self.architecture.clone(), parameters, notes.clone())
    }

    /// Sets every parameter, in the network's order.
    pub(crate) fn set_numbers(&mut self, numbers: &[f32]) {
        let places = self.layers.iter().flat_map(PackedLayer::places);
        let parameters = bytemuck::cast_slice_mut::<_, f32>(&mut self.parameters);
        places.zip(numbers).for_each(|(place, number)| parameters[place] = *number);
    }

    /// Where every parameter is, counted in numbers, in the network's order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.layers.iter().flat_map(PackedLayer::places)
    }
}
