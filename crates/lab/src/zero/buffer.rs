//! The replay buffer: positions of recent games, packed, from which batches are drawn.
//!
//! The games of a generation are one [`Segment`], written to disk once. A position is: what it was worth in the end and
//! whether its policy is known (a byte), the points that the search expected (two), the inputs that are on, the slots of the
//! legal moves, and the policy's shares that are not zero (two bytes each). Sets of numbers are written as differences,
//! seven bits to a byte.

use std::collections::VecDeque;
use std::ops::Range;

use outplay_core::{Outcome, Rng, Symmetry};
use outplay_nn::PolicyValueSample;
use outplay_players::{ZeroGame, ZeroPosition};
use outplay_training::Segment;

/// More bytes than a position takes on average, in any game.
pub(super) const MOST_BYTES: usize = 512;

/// The share 1 of a policy.
const WHOLE: f32 = 65_535.0;

/// Positions to learn from, generation by generation.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayBuffer {
    generations: VecDeque<PackedGames>,
}

/// The games of a generation.
#[derive(Clone, Debug)]
struct PackedGames {
    segment: Segment,
    /// Where each position begins.
    starts: Vec<u32>,
}

impl ReplayBuffer {
    /// The positions in it.
    pub(super) fn len(&self) -> usize {
        self.generations.iter().map(|generation| generation.starts.len()).sum()
    }

    /// Adds the games of a generation, and drops the oldest generations while `most` positions are left without them.
    pub(super) fn add(&mut self, generation: u64, games: &[ZeroGame], most: usize) {
        let segment = Segment { number: generation, bytes: pack(games).into() };
        self.generations.push_back(PackedGames::open(segment).expect("what is packed can be read"));
        while let Some(oldest) = self.generations.front()
            && self.len() - oldest.starts.len() >= most.max(1)
        {
            self.generations.pop_front();
        }
    }

    pub(super) fn segments(&self) -> Vec<Segment> {
        self.generations.iter().map(|generation| generation.segment.clone()).collect()
    }

    /// The buffer of these generations; `None` if one is missing or damaged.
    pub(super) fn of(segments: &[Segment], generations: Range<u64>) -> Option<Self> {
        let open = |number| {
            let segment = segments.iter().find(|segment| segment.number == number)?;
            PackedGames::open(segment.clone())
        };
        Some(Self { generations: generations.map(open).collect::<Option<_>>()? })
    }

    /// The numbers of the generations in it.
    pub(super) fn generations(&self) -> Range<u64> {
        let number = |generation: &PackedGames| generation.segment.number;
        let first = self.generations.front().map_or(0, number);
        first..first + self.generations.len() as u64
    }

    /// Draws a batch, each position as one of these symmetries shows it, or as it is.
    pub(super) fn draw(
        &self,
        count: usize,
        mix: f32,
        symmetries: &[Symmetry],
        rng: &mut Rng,
        batch: &mut Batch,
    ) {
        batch.clear();
        let positions = self.len();
        for _ in 0..count {
            let mut place = rng.below(positions);
            let generation = self.generations.iter().find(|generation| {
                let is_here = place < generation.starts.len();
                place -= if is_here { 0 } else { generation.starts.len() };
                is_here
            });
            let generation = generation.expect("a place among all positions");
            let bytes = &generation.segment.bytes[generation.starts[place] as usize..];
            let symmetry = rng.below(symmetries.len() + 1).checked_sub(1).map(|which| &symmetries[which]);
            batch.add(bytes, mix, symmetry).expect("the segment was read before");
        }
    }
}

impl PackedGames {
    /// `None` if it is damaged.
    fn open(segment: Segment) -> Option<Self> {
        let (mut starts, mut rest) = (Vec::new(), &*segment.bytes);
        while !rest.is_empty() {
            starts.push((segment.bytes.len() - rest.len()) as u32);
            rest = Packed::read(rest)?.rest;
        }
        Some(Self { segment, starts })
    }
}

/// The positions of games, one after the other.
fn pack(games: &[ZeroGame]) -> Vec<u8> {
    let mut out = Vec::new();
    let positions =
        games.iter().flat_map(|game| game.positions.iter().map(|position| (position, game.outcome)));
    for (position, outcome) in positions {
        pack_position(position, outcome, &mut out);
    }
    out
}

/// The bit of the first byte that says whether the policy is known.
const FULL: u8 = 4;

fn pack_position(position: &ZeroPosition, outcome: Outcome, out: &mut Vec<u8>) {
    let points = (2.0 * outcome.points(position.seat)) as u8;
    out.push(points | if position.is_full { FULL } else { 0 });
    out.extend(((position.points * WHOLE).round() as u16).to_le_bytes());
    let mut on = position.on.clone();
    on.sort_unstable();
    put_set(&on, out);
    let mut moves: Vec<(u32, f32)> =
        position.slots.iter().map(|&slot| u32::from(slot)).zip(position.policy.iter().copied()).collect();
    moves.sort_unstable_by_key(|&(slot, _)| slot);
    put_set(&moves.iter().map(|&(slot, _)| slot).collect::<Vec<_>>(), out);
    if position.is_full {
        let share = |&(_, share): &(u32, f32)| (share * WHOLE).round() as u16;
        let shares: Vec<(u32, u16)> =
            (0..).zip(moves.iter().map(share)).filter(|&(_, share)| share > 0).collect();
        put_set(&shares.iter().map(|&(place, _)| place).collect::<Vec<_>>(), out);
        out.extend(shares.iter().flat_map(|(_, share)| share.to_le_bytes()));
    }
}

/// How many numbers there are, and each one's distance from the one before.
fn put_set(numbers: &[u32], out: &mut Vec<u8>) {
    put_number(numbers.len() as u32, out);
    let mut last = 0;
    for &number in numbers {
        put_number(number - last, out);
        last = number;
    }
}

/// Seven bits to a byte, the lowest first; the eighth says that more follow.
fn put_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A position as it lies in a segment.
struct Packed<'a> {
    /// The result in half points.
    result: u8,
    points: u16,
    on: &'a [u8],
    slots: &'a [u8],
    /// The places of the shares among the legal moves, and the shares; `None` if the policy is not known.
    policy: Option<(&'a [u8], &'a [u8])>,
    rest: &'a [u8],
}

impl<'a> Packed<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&[flags, low, high], rest) = bytes.split_first_chunk()?;
        let (on, rest) = skip_set(rest)?;
        let (slots, mut rest) = skip_set(rest)?;
        let mut policy = None;
        if flags & FULL != 0 {
            let (places, after) = skip_set(rest)?;
            let count = Numbers(places).next()? as usize;
            let (shares, after) = after.split_at_checked(2 * count)?;
            (policy, rest) = (Some((places, shares)), after);
        }
        Some(Self { result: flags & 3, points: u16::from_le_bytes([low, high]), on, slots, policy, rest })
    }
}

/// The bytes of a set, and what follows.
fn skip_set(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut numbers = Numbers(bytes);
    for _ in 0..numbers.next()? {
        numbers.next()?;
    }
    Some(bytes.split_at(bytes.len() - numbers.0.len()))
}

/// Numbers one after the other.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

/// The numbers of a set, rising.
fn set(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut last = 0;
    Numbers(bytes).skip(1).map(move |distance| {
        last += distance;
        last
    })
}

/// A batch to learn from.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    on: Vec<u32>,
    slots: Vec<u16>,
    policy: Vec<f32>,
    samples: Vec<BatchSample>,
}

/// A position of a batch.
#[derive(Clone, Debug)]
struct BatchSample {
    on: Range<usize>,
    moves: Range<usize>,
    policy_weight: f32,
    outcome: [f32; 3],
}

impl Batch {
    fn clear(&mut self) {
        self.on.clear();
        self.slots.clear();
        self.policy.clear();
        self.samples.clear();
    }

    /// `None` if the bytes are no position.
    fn add(&mut self, bytes: &[u8], mix: f32, symmetry: Option<&Symmetry>) -> Option<()> {
        let packed = Packed::read(bytes)?;
        let (on, moves) = (self.on.len(), self.slots.len());
        self.on.extend(set(packed.on).map(|input| image(symmetry.map(|symmetry| &*symmetry.inputs), input)));
        self.slots.extend(
            set(packed.slots).map(|slot| image(symmetry.map(|symmetry| &*symmetry.slots), slot as u16)),
        );
        self.policy.resize(self.slots.len(), 0.0);
        if let Some((places, shares)) = packed.policy {
            let policy = &mut self.policy[moves..];
            for (place, share) in set(places).zip(shares.as_chunks().0) {
                policy[place as usize] = f32::from(u16::from_le_bytes(*share));
            }
            let sum: f32 = policy.iter().sum();
            for share in policy {
                *share /= sum;
            }
        }
        let expected = f32::from(packed.points) / WHOLE;
        let mut outcome = [0.0; 3];
        outcome[2 - usize::from(packed.result).min(2)] = 1.0 - mix;
        outcome[0] += mix * expected;
        outcome[2] += mix * (1.0 - expected);
        self.samples.push(BatchSample {
            on: on..self.on.len(),
            moves: moves..self.slots.len(),
            policy_weight: if packed.policy.is_some() { 1.0 } else { 0.0 },
            outcome,
        });
        Some(())
    }

    /// The batch as a trainer takes it.
    pub(super) fn samples(&self) -> Vec<PolicyValueSample<'_>> {
        let sample = |BatchSample { on, moves, policy_weight, outcome }: &BatchSample| PolicyValueSample {
            on: &self.on[on.clone()],
            slots: &self.slots[moves.clone()],
            policy: &self.policy[moves.clone()],
            policy_weight: *policy_weight,
            outcome: *outcome,
        };
        self.samples.iter().map(sample).collect()
    }
}

/// Where a symmetry takes a number; the number itself without one.
fn image<T: Copy + Into<u32>>(map: Option<&[T]>, number: T) -> T {
    map.map_or(number, |map| map[number.into() as usize])
}
