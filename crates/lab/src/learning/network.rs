//! Networks that learn by self-play: the methods `td-lambda`, `q-learning` and `q-lambda`.
//!
//! One step is `every` games and a check; the product is the network as it stands.

use std::sync::Arc;

use outplay_core::{Encoder, Referee, Rng};
use outplay_nn::{Activation, Architecture, Network, NpzNetwork, ShapeError, SparseKernel};
use outplay_players::{ActionSelection, Ends, Exploration, LearningConfig, Ramp, Random, Rule, TdLearner};

use super::check::{self, Check, Checked, SelfPlayTally, learn_from};
use super::{
    DEPTH_FIELD, ENDS, EXPLORATION, GAMES, LearntNetwork, SelfPlayGame, check_exploration, ends_of,
    exploration, learning_game, ramp,
};
use crate::error::LabError;
use crate::registry::{MethodDef, PlayerFactory};
use crate::spec::{Param, ParamKind, Spec, Values};
use crate::store::Store;
use crate::training::{Training, TrainingStep};
use outplay_runtime::Watch;
use outplay_runtime::files::read_bytes;

const PARAMS: &[Param] = &[
    Param {
        name: "games",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: Some("100000"),
        help: "games to learn from",
    },
    Param { name: "hidden", kind: ParamKind::Whole(1, 10_000), default: Some("40"), help: "hidden neurons" },
    Param {
        name: "activation",
        kind: ParamKind::Word(Activation::NONLINEAR_NAMES),
        default: Some("sigmoid"),
        help: "activation of the hidden neurons",
    },
    Param {
        name: "deviation",
        kind: ParamKind::Real(0.0, 100.0),
        default: Some("0.0001"),
        help: "standard deviation of the initial weights",
    },
    Param { name: "alpha", kind: ParamKind::Real(0.0, 1.0), default: Some("0.4"), help: "learning rate" },
    Param {
        name: "eps",
        kind: ParamKind::Real(0.0, 1.0),
        default: Some("0.3"),
        help: "share of random moves",
    },
    Param {
        name: "from",
        kind: ParamKind::File,
        default: None,
        help: "a network to continue from, instead of a new one",
    },
    Param {
        name: "depth",
        kind: ParamKind::Whole(1, 64),
        default: None,
        help: "plies that players using the file look ahead (1, or as in from=); no effect on learning and checks",
    },
];

const LAMBDA: Param = Param {
    name: "lambda",
    kind: ParamKind::Real(0.0, 1.0),
    default: Some("0.9"),
    help: "decay of the eligibility trace per move",
};

fn params<P: SelfPlayGame>(own: &[Param]) -> Vec<Param> {
    let encoding = Param {
        name: "encoding",
        kind: ParamKind::Word(P::ENCODINGS),
        default: Some(P::ENCODINGS[0]),
        help: "what the network sees",
    };
    [PARAMS, own, &[ENDS, encoding], EXPLORATION, GAMES, check::PARAMS].concat()
}

/// The three methods.
pub(super) fn methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    let method = |name, summary, own: &[Param], rule: fn(&Values) -> Rule| {
        MethodDef::new(
            name,
            summary,
            params::<P>(own),
            check::MEASURES,
            move |game: &Referee<P>, values: &Values, seed, store: &Store, watch: Watch<'_>| {
                begin(game, values, rule(values), seed, store, watch)
            },
        )
    };
    vec![
        method("td-lambda", "self-play, TD(λ) with eligibility traces", &[LAMBDA], |values| {
            Rule::TdLambda(values.real("lambda"))
        }),
        method("q-learning", "self-play, Q-learning", &[], |_| Rule::QLearning),
        method("q-lambda", "self-play, Watkins' Q(λ)", &[LAMBDA], |values| {
            Rule::QLambda(values.real("lambda"))
        }),
    ]
}

fn config_of(values: &Values, rule: Rule, games: u64) -> TrainingConfig {
    TrainingConfig {
        games,
        hidden: values.whole("hidden") as usize,
        activation: values.word("activation").parse().unwrap_or(Activation::Sigmoid),
        deviation: values.real("deviation"),
        encoding: values.word("encoding").to_owned(),
        learning: LearningConfig {
            rule,
            rate: ramp(values, "alpha", "alpha-end", games),
            exploration: exploration(values, "eps", games),
            ends: ends_of(values),
        },
    }
}

fn begin<P: SelfPlayGame>(
    game: &Referee<P>,
    values: &Values,
    rule: Rule,
    seed: u64,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, LabError> {
    check_exploration(values)?;
    let config = config_of(values, rule, values.whole("games") as u64);
    let mut training = NetworkTraining::new(&learning_game(game, values), config, seed);
    if let Some(path) = values.optional_file("from") {
        let given = ["hidden", "activation", "deviation", "encoding"];
        if let Some(name) = values.first_given(&given) {
            return Err(LabError::refused(format!("{name}= has no effect with from=: expected one of them")));
        }
        training = training.continued_from(&read_bytes(path)?, &path.display().to_string())?;
    }
    if let Some(depth) = values.optional_whole("depth") {
        training.depth = depth as u32;
    }
    let choice = ActionSelection::Greedy { epsilon: values.real("check-eps"), noise: 0.0 };
    let reference: PlayerFactory<P> = match values.optional_file("against") {
        Some(path) => LearntNetwork::open(&game.start, path)?.factory(choice, training.config.learning.ends),
        None => Arc::new(|| Box::new(Random)),
    };
    training.check = Some(Check::new(game, values, seed, reference, store, watch)?);
    Ok(Box::new(training))
}

/// What a network is, and how and for how long it learns.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingConfig {
    /// Games to learn from.
    pub games: u64,
    /// Hidden neurons.
    pub hidden: usize,
    /// Their activation.
    pub activation: Activation,
    /// The standard deviation of the initial weights.
    pub deviation: f64,
    /// What it sees, one of the game's encodings.
    pub encoding: String,
    /// How it learns.
    pub learning: LearningConfig,
}

impl TrainingConfig {
    /// The configuration of `td-lambda` with these parameters, as on the command line.
    pub fn of_td_lambda<P: SelfPlayGame>(parameters: &str) -> Result<Self, LabError> {
        let spec: Spec = format!("td-lambda:{parameters}").parse()?;
        let values = spec.resolve("method 'td-lambda'", &params::<P>(&[LAMBDA]))?;
        Ok(config_of(&values, Rule::TdLambda(values.real("lambda")), values.whole("games") as u64))
    }

    /// TD(λ) with the parameters of the document's graph (§2.8): H = 40, α = 0.4, ε = 0.3, λ = 0.9.
    pub fn of_document(encoding: &str, games: u64) -> Self {
        Self {
            games,
            hidden: 40,
            activation: Activation::Sigmoid,
            deviation: 1e-4,
            encoding: encoding.to_owned(),
            learning: LearningConfig {
                rule: Rule::TdLambda(0.9),
                rate: Ramp::constant(0.4),
                exploration: Exploration::epsilon(0.3),
                ends: Ends::Judged,
            },
        }
    }
}

impl TrainingConfig {
    /// The text by which the configuration of a run is compared with that of an earlier one. Types that were renamed
    /// keep their first names in it, so that earlier runs are found again.
    pub fn fingerprint_text(&self) -> String {
        format!("{self:?}")
            .replace("TrainingConfig", "NetworkCourse")
            .replace("learning: LearningConfig", "studies: Studies")
    }

    /// The method for this many games, as on the command line; the network's shape is given for a new one only.
    fn method(&self, games: u64, is_new: bool) -> String {
        let LearningConfig { rule, rate, exploration, ends } = self.learning;
        let (name, lambda) = match rule {
            Rule::TdLambda(lambda) => ("td-lambda", Some(lambda)),
            Rule::QLearning => ("q-learning", None),
            Rule::QLambda(lambda) => ("q-lambda", Some(lambda)),
        };
        let mut words = vec![name.to_owned(), format!("games={games}")];
        if is_new {
            words.push(format!("hidden={}", self.hidden));
            words.push(format!("activation={}", self.activation.name()));
            words.push(format!("deviation={}", self.deviation));
            words.push(format!("encoding={}", self.encoding));
        }
        let ramps = [("alpha", rate), ("eps", exploration.epsilon), ("noise", exploration.noise)];
        for (name, Ramp { from, to, .. }) in ramps {
            words.push(format!("{name}={from}"));
            words.extend((from != to).then(|| format!("{name}-end={to}")));
        }
        let over = ramps.iter().map(|(_, ramp)| ramp.games).find(|&over| over != 0 && over != games);
        words.extend(over.map(|over| format!("over={over}")));
        words.extend(lambda.map(|lambda| format!("lambda={lambda}")));
        if exploration.soft_games > 0 {
            let Exploration { soft_games, temperature, .. } = exploration;
            words.push(format!("softmax={soft_games} temperature={temperature}"));
        }
        words.push(format!("ends={}", if ends == Ends::Known { "known" } else { "judged" }));
        words.join(" ")
    }
}

/// A network that learns by self-play.
pub struct NetworkTraining<P: SelfPlayGame> {
    game: Referee<P>,
    config: TrainingConfig,
    seed: u64,
    learner: TdLearner<P, P::Encoder>,
    check: Option<Check<P>>,
    /// How many plies the product's players shall look ahead.
    depth: u32,
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
        Self { game: game.clone(), config, seed, learner, check: None, depth: 1, before: None, since: 0 }
    }

    /// The same with the network of a file instead of a new one.
    pub fn continued_from(mut self, bytes: &[u8], name: &str) -> Result<Self, LabError> {
        let learnt = LearntNetwork::read(&self.game.start, bytes, name)?;
        let file = NpzNetwork::read(bytes).map_err(|error| LabError::refused(error.to_string()))?;
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
        if self.games() > self.since {
            (self.before, self.since) = (Some(self.history()), self.games());
        }
        self.config.learning = learning;
        self.replace(self.kernel().clone(), self.games());
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

    /// Plays this many games and learns from them.
    pub fn learn(&mut self, games: u64) -> SelfPlayTally {
        let begun = self.learner.games();
        learn_from(&self.game, &mut self.learner, self.seed, begun, games)
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
        let here = format!("{}, seed {seed}{stop}", self.config.method(planned, is_new));
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

    fn step(&mut self) -> Result<TrainingStep, LabError> {
        let (total, every) = (self.config.games, self.check.as_ref().map_or(1000, |check| check.every));
        let played = self.learn(every.min(total - self.learner.games()));
        let done = self.learner.games();
        let checked = match &self.check {
            Some(check) => check.record(|choice| self.players_at(1, choice), done)?,
            None => Checked::default(),
        };
        Ok(TrainingStep { done, total, finished: done == total, record: played.record(done, checked) })
    }

    /// The games learnt from, then the weights.
    fn checkpoint(&self) -> Vec<u8> {
        let net = self.network();
        let weights = net.parameters().iter().flat_map(|weight| weight.to_le_bytes());
        self.learner.games().to_le_bytes().into_iter().chain(weights).collect()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        let damaged = || LabError::refused("the checkpoint cannot be used: expected one of this network");
        let (games, weights) = checkpoint.split_first_chunk().ok_or_else(damaged)?;
        let weights: Vec<f32> =
            weights.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let net = Network::from_parameters(self.network().architecture().clone(), weights)
            .and_then(|net| SparseKernel::new(&net))
            .map_err(|_: ShapeError| damaged())?;
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
            encoding: Some(self.config.encoding.clone()),
            history: Some(self.history()),
        }
        .write()
        .expect("the network of a learner is a sparse one")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_games::pushover::Pushover;

    /// The method written in a file makes the same network again.
    #[test]
    fn a_method_is_written_as_it_is_read() {
        for parameters in [
            "games=100000",
            "games=500 hidden=7 activation=swish alpha=0.1 alpha-end=0.01 over=300 eps=0.3 eps-end=0.05 lambda=0.7 ends=known",
            "games=90 deviation=0.1 noise=0.1 noise-end=0 softmax=40 temperature=0.1",
        ] {
            let read =
                |words: &str| TrainingConfig::of_td_lambda::<Pushover<4>>(&words.replace(' ', ",")).unwrap();
            let config = read(parameters);
            let written = config.method(config.games, true);
            assert_eq!(read(written.strip_prefix("td-lambda ").unwrap()), config, "{written}");
        }
    }

    /// Earlier runs were recorded with this text.
    #[test]
    fn the_fingerprint_keeps_its_first_words() {
        let text = TrainingConfig::of_document("colours", 20).fingerprint_text();
        assert_eq!(
            text,
            "NetworkCourse { games: 20, hidden: 40, activation: Sigmoid, deviation: 0.0001, encoding: \"colours\", studies: \
             Studies { rule: TdLambda(0.9), rate: Ramp { from: 0.4, to: 0.4, games: 0 }, exploration: Exploration { epsilon: \
             Ramp { from: 0.3, to: 0.3, games: 0 }, noise: Ramp { from: 0.0, to: 0.0, games: 0 }, soft_games: 0, \
             temperature: 1.0 }, ends: Judged } }"
        );
    }

    /// The defaults that a user is shown are the document's.
    #[test]
    fn defaults_are_written_once_in_effect() {
        let shown = TrainingConfig::of_td_lambda::<Pushover<4>>("games=100000").unwrap();
        assert_eq!(shown, TrainingConfig::of_document("colours", 100_000));
    }
}
