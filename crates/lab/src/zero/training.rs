//! The training: games, then batches, generation after generation.

use outplay_core::{Referee, Rng, SeatEncoder, Symmetry, Text};
use outplay_nn::{PolicyValueLoss, PolicyValueNetwork, PolicyValueShape, PolicyValueTrainer};
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Watch, WorkError};
use outplay_training::{Segment, Training, TrainingStep};
use serde_json::{Value, json};

use super::buffer::{Batch, ReplayBuffer};
use super::check::Check;
use super::generation::{play_games, policy_entropy, record};
use super::network::{HISTORY, ZeroNetwork, note_board, read_network, shape_for};
use super::params::ZeroParams;
use crate::learning::{LearningError, SelfPlayGame};
use crate::params::{Param, Params};
use crate::store::Store;

/// Neurons of the value head.
pub(super) const VALUE_HIDDEN: usize = 32;

/// A network that learns policy and value from games against itself.
pub(super) struct ZeroTraining<P: SelfPlayGame> {
    game: Referee<P>,
    params: ZeroParams,
    seed: u64,
    symmetries: Vec<Symmetry>,
    trainer: PolicyValueTrainer,
    /// The network that plays.
    playing: PolicyValueNetwork,
    /// The network of the former check.
    checked: PolicyValueNetwork,
    /// By how many Elo it is stronger than the first network, by the matches of all checks.
    elo: f64,
    buffer: ReplayBuffer,
    /// The segments that the next checkpoint rests on.
    offered: Vec<Segment>,
    check: Check<P>,
    games: u64,
    positions: u64,
    generation: u64,
}

impl<P: SelfPlayGame> ZeroTraining<P> {
    /// The training before its first game.
    pub(super) fn begin(
        game: &Referee<P>,
        params: &ZeroParams,
        seed: u64,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Self, WorkError> {
        let (learning, (buffer, (games, checks))) = params;
        games.check()?;
        let board = &game.start;
        let network = match &learning.from {
            Some(path) => {
                check_shape(params)?;
                read_network(board, &read_bytes(path)?).map_err(|fault| {
                    let name = Text::same(path.display().to_string());
                    LearningError::NotANetwork { name, fault }
                })?
            }
            None => new_network(board, params, seed)?,
        };
        let check = Check::new(game, checks, games.config().puct, seed, store, watch)?;
        Ok(Self {
            game: game.clone(),
            params: params.clone(),
            seed,
            symmetries: if buffer.mirrors { board.seat_encoder().symmetries() } else { Vec::new() },
            trainer: PolicyValueTrainer::new(network.clone(), learning.decay as f32, learning.average as f32),
            playing: network.clone(),
            checked: network,
            elo: 0.0,
            buffer: ReplayBuffer::default(),
            offered: Vec::new(),
            check,
            games: 0,
            positions: 0,
            generation: 0,
        })
    }

    fn in_integers(&self, network: &PolicyValueNetwork) -> Result<ZeroNetwork<P>, WorkError> {
        Ok(ZeroNetwork::new(&self.game.start, network).map_err(|fault| LearningError::NotANetwork {
            name: Text::new("the network", "le réseau"),
            fault,
        })?)
    }

    /// Plays the games of a generation and adds them to the buffer; their record.
    fn play(&mut self, watch: Watch<'_>) -> Result<Value, WorkError> {
        let (learning, (buffer, (games, _))) = &self.params;
        let numbers = self.games..(self.games + learning.generation).min(learning.games);
        let network = self.in_integers(&self.playing)?;
        self.games = numbers.end;
        let played = play_games(&self.game, &network, games.config(), self.seed, numbers, watch)?;
        let new: usize = played.iter().map(|game| game.positions.len()).sum();
        self.positions += new as u64;
        let recent = (self.positions as f64 * buffer.window) as usize;
        self.buffer.add(self.generation, &played, recent.clamp(new, buffer.buffer.max(new)));
        let mut record =
            json!({ "games": self.games, "positions": self.positions, "last_step": record(&played) });
        record["entropy"] = policy_entropy(&played).into();
        Ok(record)
    }

    /// Learns from as many batches as the last games are worth; the mean loss.
    fn learn(&mut self, new: u64, watch: Watch<'_>) -> Result<PolicyValueLoss, WorkError> {
        let (learning, (buffer, _)) = &self.params;
        let batches = (new as f64 * buffer.reuse / learning.batch as f64).ceil() as u64;
        let done = self.games as f64 / learning.games as f64;
        let rate = (learning.alpha + (learning.alpha_end - learning.alpha) * done) as f32;
        // The streams of games have the other numbers.
        let mut rng = Rng::stream(!self.seed, self.generation);
        let (mut batch, mut mean) = (Batch::default(), PolicyValueLoss::default());
        for _ in 0..batches {
            watch.check()?;
            let mix = buffer.mix as f32;
            self.buffer.draw(learning.batch, mix, &self.symmetries, &mut rng, &mut batch);
            let loss = self.trainer.step(rate, &batch.samples());
            mean.policy += loss.policy / batches as f64;
            mean.value += loss.value / batches as f64;
        }
        Ok(mean)
    }

    /// Lets the new network play, if it may, and checks it when it is time.
    fn assess(&mut self, before: u64, record: &mut Value, watch: Watch<'_>) -> Result<(), WorkError> {
        let new = self.trainer.averaged();
        let network = self.in_integers(&new)?;
        let takes_over =
            self.check.takes_over([&network, &self.in_integers(&self.playing)?], self.games, watch)?;
        record["takes_over"] = takes_over.into();
        if takes_over {
            self.playing = new;
        }
        if self.check.is_due(before, self.games) || self.games == self.params.0.games {
            let former = self.in_integers(&self.checked)?;
            let playing = self.in_integers(&self.playing)?;
            self.elo += self.check.record([&playing, &former], self.games, record, watch)?;
            record["elo"] = self.elo.into();
            self.checked = self.playing.clone();
        }
        Ok(())
    }
}

/// A new network for boards like this one.
fn new_network<P: SelfPlayGame>(
    board: &P,
    (learning, _): &ZeroParams,
    seed: u64,
) -> Result<PolicyValueNetwork, WorkError> {
    let shape = PolicyValueShape {
        inputs: 0,
        hidden: *learning.hidden,
        activation: *learning.activation,
        value_hidden: VALUE_HIDDEN,
        slots: 0,
    };
    let shape = shape_for(board, &shape);
    Ok(PolicyValueNetwork::new(shape, &mut Rng::stream(seed, u64::MAX))
        .map_err(|reason| LearningError::Shape { reason })?)
}

/// Refuses what would have no effect on a network that exists already.
fn check_shape((learning, _): &ZeroParams) -> Result<(), LearningError> {
    let shape = [("hidden", learning.hidden.is_given()), ("activation", learning.activation.is_given())];
    match shape.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(LearningError::NoEffectWithFrom { name }),
        None => Ok(()),
    }
}

impl<P: SelfPlayGame> Training for ZeroTraining<P> {
    fn unit(&self) -> &'static str {
        "games"
    }

    fn size(&self) -> u64 {
        self.params.0.games
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let (games, positions, total) = (self.games, self.positions, self.params.0.games);
        let mut record = self.play(watch)?;
        let loss = self.learn(self.positions - positions, watch)?;
        (record["policy_loss"], record["value_loss"]) = (loss.policy.into(), loss.value.into());
        self.generation += 1;
        self.assess(games, &mut record, watch)?;
        Ok(TrainingStep { done: self.games, total, finished: self.games == total, record })
    }

    /// The games, the positions, the generations and those of the buffer, the rating, then three networks: that plays, that was
    /// checked, and that learns.
    fn checkpoint(&self) -> Vec<u8> {
        let kept = self.buffer.generations();
        let numbers = [self.games, self.positions, self.generation, kept.start, kept.end, self.elo.to_bits()];
        let mut out: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        for part in [self.playing.to_safetensors(), self.checked.to_safetensors(), self.trainer.checkpoint()]
        {
            out.extend((part.len() as u64).to_le_bytes());
            out.extend(part);
        }
        out
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let segments = std::mem::take(&mut self.offered);
        self.restore_from(checkpoint, &segments).ok_or(LearningError::CheckpointOfAnother)?;
        Ok(())
    }

    fn segments(&self) -> Vec<Segment> {
        self.buffer.segments()
    }

    fn take_segments(&mut self, segments: Vec<Segment>) {
        self.offered = segments;
    }

    fn product(&self) -> Vec<u8> {
        let mut network = self.playing.clone();
        note_board(&self.game.start, &mut network);
        network.note(HISTORY, &self.history());
        network.to_safetensors()
    }
}

impl<P: SelfPlayGame> ZeroTraining<P> {
    fn restore_from(&mut self, checkpoint: &[u8], segments: &[Segment]) -> Option<()> {
        let (numbers, mut rest) = checkpoint.split_at_checked(6 * 8)?;
        let mut numbers = numbers.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let mut number = || numbers.next();
        let [games, positions, generation, first, end, elo] =
            [number()?, number()?, number()?, number()?, number()?, number()?];
        let mut part = || {
            let (length, after) = rest.split_first_chunk()?;
            let (part, after) = after.split_at_checked(u64::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(part)
        };
        let shape = *self.trainer.network().shape();
        let mut network = || {
            let network = PolicyValueNetwork::from_safetensors(part()?).ok()?;
            (*network.shape() == shape).then_some(network)
        };
        let (playing, checked) = (network()?, network()?);
        let buffer = ReplayBuffer::of(segments, first..end)?;
        self.trainer.restore(part()?).ok()?;
        (self.playing, self.checked, self.buffer) = (playing, checked, buffer);
        (self.games, self.positions, self.generation) = (games, positions, generation);
        self.elo = f64::from_bits(elo);
        Some(())
    }

    /// How the network was made, in words.
    fn history(&self) -> String {
        let before =
            self.playing.notes().get(HISTORY).map_or(String::new(), |before| format!("{before}; then "));
        let (usual, given) = (ZeroParams::default().list(), self.params.list());
        // The network that it continued from says itself how it was made.
        let differs =
            |(usual, given): &(Param, Param)| usual.default != given.default && given.name != "from";
        let written =
            |(_, given): (Param, Param)| given.default.map(|value| format!(" {}={value}", given.name));
        let parameters: String = usual.into_iter().zip(given).filter(differs).filter_map(written).collect();
        format!("{before}zero{parameters}, seed {}, after {} games", self.seed, self.games)
    }
}
