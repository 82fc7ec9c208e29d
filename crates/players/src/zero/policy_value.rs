//! What a search asks about positions, and the network that answers.

use std::sync::Arc;

use outplay_core::{Change, Position, Seat, SeatEncoder};
use outplay_nn::{Accumulator, Activations, IntegerNetwork};

/// What a search asks about positions: which moves are probable, and how many points the side to move can expect.
///
/// A search walks from its root move by move. A position is known by the moves that lead to it, so that what answers can keep
/// what it worked out on the way.
pub trait PolicyValue<P: Position>: Send {
    /// Begins walks from this root, at ply 0.
    fn begin(&mut self, root: &P);

    /// Goes on from this position, `ply` plies along the walk, by a legal move.
    fn step(&mut self, ply: usize, position: &P, mv: P::Move);

    /// The points that the side to move can expect in this position, `ply` plies along the walk; from 0 to 1.
    fn points(&mut self, ply: usize, position: &P) -> f64;

    /// Appends a logit for each of these moves, which are the legal ones of this position, `ply` plies along the walk.
    fn logits(&mut self, ply: usize, position: &P, moves: &[P::Move], out: &mut Vec<f32>);
}

/// A network in integers that follows the walks of a search.
///
/// The hidden sums along the present walk are kept for both seats, and worked out when they are asked for: a walk that begins
/// like the one before it costs only where it differs.
#[derive(Clone, Debug)]
pub struct NetworkPolicyValue<P: Position, E> {
    network: Arc<IntegerNetwork>,
    encoder: E,
    walk: Vec<WalkStep<P::Move>>,
    /// How many steps of it are those of the present walk.
    length: usize,
    /// As each seat sees it.
    sums: [WalkSums; 2],
    inputs: Vec<u32>,
    slots: Vec<u16>,
    activations: Activations,
}

/// One move of a walk.
#[derive(Clone, Debug)]
struct WalkStep<M> {
    mv: M,
    /// The inputs that it changes, as each seat sees them.
    changes: [Vec<Change>; 2],
}

/// The hidden sums along a walk, at the root first.
#[derive(Clone, Debug, Default)]
struct WalkSums {
    after: Vec<Accumulator>,
    /// How many of them, from the root on, are those of the present walk.
    known: usize,
}

impl<P: Position, E: SeatEncoder<P>> NetworkPolicyValue<P, E> {
    /// Answers by this network, which sees what the encoder shows.
    pub fn new(network: Arc<IntegerNetwork>, encoder: E) -> Self {
        Self {
            network,
            encoder,
            walk: Vec::new(),
            length: 0,
            sums: Default::default(),
            inputs: Vec::new(),
            slots: Vec::new(),
            activations: Activations::default(),
        }
    }

    /// Works out the activations of a position of the walk.
    fn activate(&mut self, ply: usize, position: &P) {
        let Self { network, encoder, walk, sums, inputs, activations, .. } = self;
        let seat = position.seat();
        let sums = sums[seat.index()].at(ply, seat, walk, network);
        inputs.clear();
        encoder.each_computed(position, |input| inputs.push(input));
        network.activate(sums, inputs, activations);
    }
}

impl WalkSums {
    /// The sums after so many steps of the walk.
    fn at<M>(
        &mut self,
        ply: usize,
        seat: Seat,
        walk: &[WalkStep<M>],
        network: &IntegerNetwork,
    ) -> &Accumulator {
        while self.after.len() <= ply {
            self.after.push(network.accumulator());
        }
        while self.known <= ply {
            let (before, after) = self.after.split_at_mut(self.known);
            let last = self.known - 1;
            network.change(&before[last], &walk[last].changes[seat.index()], &mut after[0]);
            self.known += 1;
        }
        &self.after[ply]
    }
}

impl<P: Position, E: SeatEncoder<P>> PolicyValue<P> for NetworkPolicyValue<P, E> {
    fn begin(&mut self, root: &P) {
        let Self { network, encoder, sums, inputs, length, .. } = self;
        for (seat, sums) in Seat::BOTH.into_iter().zip(sums) {
            inputs.clear();
            encoder.each_on(root, seat, |input| inputs.push(input));
            if sums.after.is_empty() {
                sums.after.push(network.accumulator());
            }
            network.set(inputs, &mut sums.after[0]);
            sums.known = 1;
        }
        *length = 0;
    }

    fn step(&mut self, ply: usize, position: &P, mv: P::Move) {
        if ply < self.length && self.walk[ply].mv == mv {
            return;
        }
        if self.walk.len() == ply {
            self.walk.push(WalkStep { mv, changes: [Vec::new(), Vec::new()] });
        }
        let step = &mut self.walk[ply];
        step.mv = mv;
        for (seat, changes) in Seat::BOTH.into_iter().zip(&mut step.changes) {
            changes.clear();
            self.encoder.each_change(position, mv, seat, |change| changes.push(change));
        }
        self.length = ply + 1;
        self.sums.iter_mut().for_each(|sums| sums.known = sums.known.min(self.length));
    }

    fn points(&mut self, ply: usize, position: &P) -> f64 {
        self.activate(ply, position);
        f64::from(self.network.outcome(&self.activations).points())
    }

    fn logits(&mut self, ply: usize, position: &P, moves: &[P::Move], out: &mut Vec<f32>) {
        self.activate(ply, position);
        self.slots.clear();
        self.slots.extend(moves.iter().map(|&mv| self.encoder.slot(position, mv)));
        self.network.logits(&self.activations, &self.slots, out);
    }
}
