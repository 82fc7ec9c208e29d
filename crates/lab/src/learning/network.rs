//! Networks that learn by self-play: the methods `td-lambda`, `q-learning` and `q-lambda`.
//!
//! One step is `every` games and a check; the product is the network as it stands.

use std::path::PathBuf;
use std::sync::Arc;

use outplay_core::{Encoder, Referee, Rng, Text};
use outplay_nn::{Activation, Architecture, Network, NpzNetwork, ShapeError, SparseKernel};
use outplay_players::{ActionSelection, Ends, LearningConfig, Random, Rule, TdLearner, TraceSets};

use super::check::{self, Check, CheckParams, Checked, SelfPlayTally, learn_from};
use super::exploration::{ExplorationParams, LearningGameParams, RateParams, check_exploration, exploration};
use super::opponent::OpponentParams;
use super::training_config::TrainingConfig;
use super::{DEPTH_FIELD, LearnersOpponent, LearningError, LearntNetwork, OpponentChoice, SelfPlayGame};
use crate::params::{Choice, ParamKind, ParamType, Params, Tracked, USUAL_MEMORY};
use crate::registry::{MethodDef, PlayerFactory};
use crate::spec::{Noun, Spec};
use crate::store::Store;
use crate::{params, words};
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Watch, WorkError};
use outplay_training::{Training, TrainingStep};

params! {
    /// What a network is, and how it learns.
    struct NetworkMethod {
        games: u64 = 100_000, in 1..=1_000_000_000_000, "games to learn from" | "parties dont apprendre";
        hidden: Tracked<usize> = 40.into(), in 1..=10_000, "hidden neurons" | "neurones cachés";
        activation: Tracked<Activation> = Activation::Sigmoid.into(),
            "activation of the hidden neurons" | "activation des neurones cachés";
        deviation: Tracked<f64> = 0.0001.into(), in 0.0..=100.0,
            "standard deviation of the initial weights" | "écart-type des poids initiaux";
        alpha: f64 = 0.4, in 0.0..=1.0, "learning rate" | "taux d’apprentissage";
        epsilon as "eps": f64 = 0.3, in 0.0..=1.0, "share of random moves" | "part de coups au hasard";
        from: Option<PathBuf> = None,
            "a network to continue from, instead of a new one" | "un réseau à poursuivre, au lieu d’un nouveau";
        second: Option<OpponentChoice> = None,
            "who plays the second seat instead of the learner: random, human (at the keyboard) or what was learnt before"
            | "qui joue en second à la place de l’élève : random, human (au clavier) ou ce qui a été appris avant";
        depth: Option<u32> = None, in 1..=64,
            "plies that players using the file look ahead (1, or as in from=); no effect on learning and checks"
            | "demi-coups que regarderont les joueurs suivant le fichier (1, ou ce que dit from=) ; \
               l’apprentissage et les contrôles ne le font pas";
        notes: bool = true,
            "whether the file says more than INFO-F-106's (the board, W1, W2): the activation, the encoding, how it was made"
            | "si le fichier dit plus que ceux d’INFO-F-106 (le plateau, W1, W2) : l’activation, le codage, comment il fut fait";
    }
    // Weights, traces, their gradients and a copy, in double precision, for the game with the most inputs.
    memory |own| USUAL_MEMORY + ((*own.hidden * MOST_INPUTS * 8 * 4) >> 20) as u32
}

/// More inputs than the encoder of any game has.
const MOST_INPUTS: usize = 2048;

params! {
    /// What traces of eligibility need.
    struct TraceParams {
        lambda: f64 = 0.9, in 0.0..=1.0,
            "decay of the eligibility trace per move" | "décroissance de la trace d’éligibilité à chaque coup";
        traces: TraceSets = TraceSets::Shared,
            "one set of traces for the moves of both seats, or one for each seat's own"
            | "un jeu de traces pour les coups des deux joueurs, ou un pour ceux de chacun";
    }
}

words!(TraceSets { "shared" => TraceSets::Shared, "own" => TraceSets::PerSeat });

params! {
    /// How a network judges positions. Every game has encodings of its own.
    struct InputParams {
        ends: Ends = Ends::Judged,
            "whether a move that ends the game is judged like any other (as in the document) or worth its result"
            | "si un coup qui finit la partie est jugé comme un autre (comme dans le document) ou vaut son résultat";
        encoding: Tracked<Choice> = Choice::first_of(&["cells"]).into(), "what the network sees" | "ce que voit le réseau";
    }
}

/// The parameters of a method; `T` are those of its traces.
type NetworkMethodParams<T> = (
    (NetworkMethod, T),
    (InputParams, (ExplorationParams<RateParams>, ((LearningGameParams, OpponentParams), CheckParams))),
);

fn defaults<P: SelfPlayGame, T: Params + Default>() -> NetworkMethodParams<T> {
    let input = InputParams { encoding: Choice::first_of(P::ENCODINGS).into(), ..InputParams::default() };
    (Default::default(), (input, Default::default()))
}

/// The activations that make sense in a hidden layer.
impl ParamType for Activation {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Word(Self::NONLINEAR_NAMES)
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        Self::NONLINEAR.into_iter().find(|activation| activation.name() == text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

/// The three methods.
pub(super) fn methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    vec![
        method(
            "td-lambda",
            Text::new(
                "self-play, TD(λ) with eligibility traces",
                "contre soi-même, TD(λ) avec traces d’éligibilité",
            ),
            |params: &TraceParams| (Rule::TdLambda(params.lambda), params.traces),
        ),
        method(
            "q-learning",
            Text::new("self-play, Q-learning", "contre soi-même, Q-learning"),
            // It has no traces.
            |(): &()| (Rule::QLearning, TraceSets::Shared),
        ),
        method(
            "q-lambda",
            Text::new("self-play, Watkins' Q(λ)", "contre soi-même, Q(λ) de Watkins"),
            |params: &TraceParams| (Rule::QLambda(params.lambda), params.traces),
        ),
    ]
}

/// A method that learns by the rule that its traces make.
fn method<P: SelfPlayGame, T: Params + Default>(
    name: &'static str,
    summary: Text,
    rule: fn(&T) -> (Rule, TraceSets),
) -> MethodDef<Referee<P>> {
    MethodDef::new(
        name,
        summary,
        defaults::<P, T>(),
        check::MEASURES,
        move |game: &Referee<P>, params: &NetworkMethodParams<T>, seed, store: &Store, watch: Watch<'_>| {
            begin(game, params, rule(&params.0.1), seed, store, watch)
        },
    )
}

fn config_of<T>(params: &NetworkMethodParams<T>, (rule, traces): (Rule, TraceSets)) -> TrainingConfig {
    let ((own, _), (input, (exploring, _))) = params;
    let (_, (rate, schedule)) = exploring;
    TrainingConfig {
        games: own.games,
        hidden: *own.hidden,
        activation: *own.activation,
        deviation: *own.deviation,
        encoding: input.encoding.word().to_owned(),
        learning: LearningConfig {
            rule,
            rate: schedule.ramp(own.alpha, rate.alpha_end, own.games),
            exploration: exploration(exploring, own.epsilon, own.games),
            ends: input.ends,
            traces,
        },
    }
}

fn begin<P: SelfPlayGame, T>(
    game: &Referee<P>,
    params: &NetworkMethodParams<T>,
    rule: (Rule, TraceSets),
    seed: u64,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, WorkError> {
    let ((own, _), (input, (exploring, ((games, opponents), checks)))) = params;
    let (_, (rate, _)) = exploring;
    check_exploration(exploring, rate.alpha_end)?;
    let mut training = NetworkTraining::new(&games.referee(game), config_of(params, rule), seed);
    if let Some(path) = &own.from {
        check_shape(own, input)?;
        training = training.continued_from(&read_bytes(path)?, &path.display().to_string())?;
    }
    training.depth = own.depth.unwrap_or(training.depth);
    training.has_notes = own.notes;
    training.check_notes()?;
    training.opponent = opponents.opponent(own.second.as_ref(), &game.start, store)?;
    let reference: PlayerFactory<P> = match &checks.against {
        Some(path) => LearntNetwork::open(&game.start, path)?.factory(checks.choice(), input.ends),
        None => Arc::new(|| Box::new(Random)),
    };
    training.check = Some(Check::new(game, checks, seed, reference, store, watch)?);
    Ok(Box::new(training))
}

/// Refuses what would have no effect on a network that exists already.
fn check_shape(own: &NetworkMethod, input: &InputParams) -> Result<(), LearningError> {
    let shape = [
        ("hidden", own.hidden.is_given()),
        ("activation", own.activation.is_given()),
        ("deviation", own.deviation.is_given()),
        ("encoding", input.encoding.is_given()),
    ];
    match shape.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(LearningError::NoEffectWithFrom { name }),
        None => Ok(()),
    }
}

impl TrainingConfig {
    /// The configuration of `td-lambda` with these parameters, as on the command line.
    pub fn of_td_lambda<P: SelfPlayGame>(parameters: &str) -> Result<Self, WorkError> {
        let spec: Spec = format!("td-lambda:{parameters}").parse()?;
        let params = spec.read(&Noun::Method.named("td-lambda"), &defaults::<P, TraceParams>())?;
        let traces = &params.0.1;
        Ok(config_of(&params, (Rule::TdLambda(traces.lambda), traces.traces)))
    }
}

/// A network that learns by self-play.
pub struct NetworkTraining<P: SelfPlayGame> {
    game: Referee<P>,
    config: TrainingConfig,
    seed: u64,
    learner: TdLearner<P, P::Encoder>,
    check: Option<Check<P>>,
    /// Who plays a seat instead of it.
    opponent: Option<LearnersOpponent<P>>,
    /// How many plies the product's players shall look ahead.
    depth: u32,
    /// Whether the product says more than the board and the weights.
    has_notes: bool,
    /// How the network that it continues was made.
    before: Option<String>,
    /// How many games it had learnt from when it began to learn as it does.
    since: u64,
}

impl<P: SelfPlayGame> NetworkTraining<P> {
    /// A new network, before its first game, without checks.
    pub fn new(game: &Referee<P>, config: TrainingConfig, seed: u64) -> Self {
        let encoder = game.start.encoder(&config.encoding);
        let mut rng = Rng::stream(seed, u64::MAX);
        let net = Architecture::sparse(encoder.inputs(), config.hidden, config.activation)
            .and_then(|architecture| Network::gaussian(architecture, config.deviation, &mut rng))
            .and_then(|net| SparseKernel::new(&net))
            .expect("an encoding has inputs, and a course at least one hidden neuron");
        let learner = TdLearner::new(net, encoder, config.learning, 0);
        Self {
            game: game.clone(),
            config,
            seed,
            learner,
            check: None,
            opponent: None,
            depth: 1,
            has_notes: true,
            before: None,
            since: 0,
        }
    }

    /// Refuses to leave out notes that a reader of the file would need.
    fn check_notes(&self) -> Result<(), LearningError> {
        let TrainingConfig { activation, encoding, .. } = &self.config;
        let needed = [
            ("activation", activation.name().to_owned(), Activation::Sigmoid.name()),
            ("encoding", encoding.clone(), P::ENCODINGS[0]),
            ("depth", self.depth.to_string(), "1"),
        ];
        let lost = needed.into_iter().find(|(_, value, expected)| value != expected);
        match lost {
            Some((name, value, expected)) if !self.has_notes => {
                Err(LearningError::NeedsNotes { name, value, expected })
            }
            _ => Ok(()),
        }
    }

    /// Learns against this opponent from the next game on, or against itself.
    pub fn set_opponent(&mut self, opponent: Option<LearnersOpponent<P>>) {
        self.begin_chapter();
        self.opponent = opponent;
    }

    /// Whether the opponent has left.
    pub fn is_deserted(&self) -> bool {
        self.opponent.as_ref().is_some_and(|opponent| opponent.has_left)
    }

    /// The same with the network of a file instead of a new one.
    pub fn continued_from(mut self, bytes: &[u8], name: &str) -> Result<Self, WorkError> {
        let name = Text::same(name.to_owned());
        let (learnt, file) = LearntNetwork::read_file(&self.game.start, bytes, &name)?;
        self.config.hidden = learnt.network.hidden();
        self.config.activation = learnt.network.activation();
        if let Some(encoding) = file.encoding {
            self.config.encoding = encoding;
        }
        (self.depth, self.before) =
            (learnt.depth, Some(file.history.unwrap_or_else(|| "unknown".to_owned())));
        self.learner = TdLearner::new((*learnt.network).clone(), learnt.encoder, self.config.learning, 0);
        Ok(self)
    }

    /// Learns in another way from the next game on.
    pub fn set_learning(&mut self, learning: LearningConfig) {
        self.begin_chapter();
        self.config.learning = learning;
        self.replace(self.kernel().clone(), self.games());
    }

    /// Writes down how it learnt until now.
    fn begin_chapter(&mut self) {
        if self.games() > self.since {
            (self.before, self.since) = (Some(self.history()), self.games());
        }
    }

    /// The referee of its games.
    pub const fn game(&self) -> &Referee<P> {
        &self.game
    }

    /// How it learns.
    pub const fn learning(&self) -> &LearningConfig {
        &self.config.learning
    }

    /// The games learnt from.
    pub const fn games(&self) -> u64 {
        self.learner.games()
    }

    /// Plays this many games and learns from them; it stops if the opponent leaves.
    pub fn learn(&mut self, games: u64, watch: Watch<'_>) -> Result<SelfPlayTally, WorkError> {
        let begun = self.learner.games();
        let games = begun..begun + games;
        learn_from(&self.game, &mut self.learner, self.opponent.as_mut(), self.seed, games, watch)
    }

    /// The network as it stands.
    pub fn network(&self) -> Network {
        self.learner.network()
    }

    /// The same, packed as it learns.
    pub const fn kernel(&self) -> &SparseKernel {
        self.learner.kernel()
    }

    /// Players that follow the network as it stands, looking as far ahead as those of its file.
    pub fn players(&self, choice: ActionSelection) -> PlayerFactory<P> {
        self.players_at(self.depth, choice)
    }

    fn players_at(&self, depth: u32, choice: ActionSelection) -> PlayerFactory<P> {
        let network = Arc::new(self.kernel().clone());
        let encoder = self.game.start.encoder(&self.config.encoding);
        LearntNetwork { network, encoder, depth }.factory(choice, self.config.learning.ends)
    }

    /// How the network was made, in words: the methods as on the command line, one after the other.
    fn history(&self) -> String {
        let games = self.learner.games() - self.since;
        let planned = self.config.games.max(games);
        let is_new = self.before.is_none();
        let seed = self.seed;
        let stop = if games < planned { format!(", after {games} games") } else { String::new() };
        let against = self.opponent.as_ref().map(|opponent| format!(" {}", opponent.words()));
        let method = self.config.method(planned, is_new) + &against.unwrap_or_default();
        let here = format!("{method}, seed {seed}{stop}");
        match &self.before {
            Some(before) if games == 0 => before.clone(),
            Some(before) => format!("{before}; then {here}"),
            None => here,
        }
    }

    fn replace(&mut self, net: SparseKernel, games: u64) {
        let encoder = self.game.start.encoder(&self.config.encoding);
        self.learner = TdLearner::new(net, encoder, self.config.learning, games);
    }
}

impl<P: SelfPlayGame> Training for NetworkTraining<P> {
    fn unit(&self) -> &'static str {
        "games"
    }

    fn size(&self) -> u64 {
        self.config.games
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let (total, usual) = (self.config.games, self.check.as_ref().map_or(1000, Check::every));
        let every = if self.is_attended() { 1 } else { usual };
        let played = self.learn(every.min(total - self.learner.games()), watch)?;
        let done = self.learner.games();
        let checked = match &self.check {
            Some(check) => check.record(|choice| self.players_at(1, choice), done, watch)?,
            None => Checked::default(),
        };
        Ok(TrainingStep { done, total, finished: done == total, record: played.record(done, checked) })
    }

    fn is_attended(&self) -> bool {
        self.opponent.as_ref().is_some_and(LearnersOpponent::is_human)
    }

    /// The games learnt from, then the weights.
    fn checkpoint(&self) -> Vec<u8> {
        let net = self.network();
        let weights = net.parameters().iter().flat_map(|weight| weight.to_le_bytes());
        self.learner.games().to_le_bytes().into_iter().chain(weights).collect()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let (games, weights) = checkpoint.split_first_chunk().ok_or(LearningError::CheckpointOfAnother)?;
        let weights: Vec<f32> =
            weights.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let net = Network::from_parameters(self.network().architecture().clone(), weights)
            .and_then(|net| SparseKernel::new(&net))
            .map_err(|_: ShapeError| LearningError::CheckpointOfAnother)?;
        self.replace(net, u64::from_le_bytes(*games));
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        let depth = (self.depth > 1).then_some((DEPTH_FIELD, i64::from(self.depth)));
        let numbers = self.game.start.board().into_iter().chain(depth);
        let numbers = numbers.map(|(name, number)| (name.to_owned(), number));
        NpzNetwork {
            network: self.network(),
            numbers: numbers.collect(),
            encoding: self.has_notes.then(|| self.config.encoding.clone()),
            history: self.has_notes.then(|| self.history()),
        }
        .write()
        .expect("the network of a learner is a sparse one")
    }
}
