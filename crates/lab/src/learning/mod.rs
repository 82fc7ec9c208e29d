//! Learning by self-play for every open game that says what a network sees of it.
//!
//! The methods `td-lambda`, `q-learning`, `q-lambda` (networks) and `monte-carlo`, `td0`, `q-table` (tables), their
//! files, and the players that use them. The learning rules are in `players`; the encoders are in each game's folder.
//!
//! Invariants:
//! - game i of a training draws from `Rng::stream(seed, i)`, so a resumed training continues as if it had never
//!   stopped, and the number of threads changes nothing: one learner learns from one game after the other;
//! - a file says for which board it was made, and is refused by any other.

mod check;
mod network;
mod table;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use outplay_core::{Encoder, Oracle, PositionNotation, Referee};
use outplay_nn::{NpzNetwork, SparseKernel};
use outplay_players::{
    ActionSelection, AlphaBeta, Budget, ByNetwork, Ends, EpsilonRandom, Exploration, Ramp,
};

use crate::error::LabError;
use crate::registry::{MethodDef, PlayerDef, PlayerFactory, PlayerRequest, exhaustive_solution};
use crate::spec::{Param, ParamKind, Values};
use crate::store::Store;
use outplay_runtime::Watch;
use outplay_runtime::files::read_bytes;

pub use check::SelfPlayTally;
pub use network::{NetworkTraining, TrainingConfig};
pub use table::TableTraining;

/// A game that a network can learn by self-play.
pub trait SelfPlayGame: PositionNotation {
    /// What it is shown.
    type Encoder: Encoder<Self>;

    /// The encodings by name, the default first.
    const ENCODINGS: &'static [&'static str];

    /// The encoding of this name for boards like this one.
    fn encoder(&self, name: &str) -> Self::Encoder;

    /// What a file says of a board like this one: whole numbers by name.
    fn board(&self) -> Vec<(&'static str, i64)>;

    /// The network for such boards that comes with the program, if there is one.
    fn shipped(&self) -> Option<&'static [u8]> {
        None
    }

    /// The exact values of boards like this one, to measure what was learnt. By default all positions are listed, and a board
    /// that is too large for it is refused.
    fn oracle(&self, _store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, LabError> {
        Ok(exhaustive_solution(self, watch)?)
    }
}

/// All methods of self-play for a game.
pub fn self_play_methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    let mut methods = network::methods::<P>();
    methods.extend(table::methods::<P>());
    methods
}

/// The players that follow what was learnt: one by a network, under this name, and one by a `table`.
pub fn self_play_players<P: SelfPlayGame>(name: &'static str, board: &P) -> Vec<PlayerDef<Referee<P>>> {
    let by_network = PlayerDef::new(
        name,
        "follows a network trained by self-play, looking one ply or more ahead",
        network_player_params(board.shipped().is_some()),
        |request: &PlayerRequest<'_, Referee<P>>| network_player(&request.game.start, request.values),
    );
    vec![by_network, table::player::<P>()]
}

const PLAYER_PARAMS: &[Param] = &[
    Param {
        name: "file",
        kind: ParamKind::File,
        default: None,
        help: "what was learnt (what comes with the program, if none is given)",
    },
    Param { name: "eps", kind: ParamKind::Real(0.0, 1.0), default: Some("0"), help: "share of random moves" },
    Param {
        name: "noise",
        kind: ParamKind::Real(0.0, 10.0),
        default: Some("0"),
        help: "standard deviation of the noise added to the value of each move",
    },
];

const ENDS: Param = Param {
    name: "ends",
    kind: ParamKind::Word(&["judged", "known"]),
    default: Some("judged"),
    help: "whether a move that ends the game is judged like any other (as in the document) or worth its result",
};

/// How far a player that follows a network looks ahead, if not as its file says.
const DEPTH: Param = Param {
    name: "depth",
    kind: ParamKind::Whole(1, 64),
    default: None,
    help: "plies to look ahead, with the network as the evaluator (as the file says, or 1)",
};

fn network_player_params(is_shipped: bool) -> Vec<Param> {
    let mut params = [PLAYER_PARAMS, &[ENDS, DEPTH]].concat();
    if !is_shipped {
        params[0] = params[0].needed();
    }
    params
}

/// Players that follow the network of a file.
fn network_player<P: SelfPlayGame>(board: &P, values: &Values) -> Result<PlayerFactory<P>, LabError> {
    let mut learnt = LearntNetwork::given(board, values)?;
    if let Some(depth) = values.optional_whole("depth") {
        learnt.depth = depth as u32;
    }
    if learnt.depth > 1
        && let Some(name) = values.first_given(&["noise", "ends"])
    {
        let depth = learnt.depth;
        let refusal =
            format!("{name}= has no effect on a search of {depth} plies: expected depth=1 beside it");
        return Err(LabError::refused(refusal));
    }
    Ok(learnt.factory(choice_of(values), ends_of(values)))
}

fn choice_of(values: &Values) -> ActionSelection {
    ActionSelection::Greedy { epsilon: values.real("eps"), noise: values.real("noise") }
}

fn ends_of(values: &Values) -> Ends {
    if values.word("ends") == "known" { Ends::Known } else { Ends::Judged }
}

/// The whole number by which a file says how many plies its players look ahead.
const DEPTH_FIELD: &str = "DEPTH";

/// A trained network with its encoder, fit for a board.
pub struct LearntNetwork<P: SelfPlayGame> {
    network: Arc<SparseKernel>,
    encoder: P::Encoder,
    /// How many plies its players look ahead, as the file says.
    depth: u32,
}

impl<P: SelfPlayGame> LearntNetwork<P> {
    /// The network of a file for boards like `board`; `name` is what the file is called in refusals.
    pub fn read(board: &P, bytes: &[u8], name: &str) -> Result<Self, LabError> {
        let refused =
            |reason: String| LabError::refused(format!("{name} is not a network to play with: {reason}"));
        if table::is_table(bytes) {
            return Err(refused(format!("it is a table, expected table:file={name}")));
        }
        let file = NpzNetwork::read(bytes).map_err(|error| refused(error.to_string()))?;
        let encoder = Self::encoder_of(board, &file).map_err(refused)?;
        let depth = match file.number(DEPTH_FIELD) {
            None => 1,
            Some(depth) => {
                u32::try_from(depth).ok().filter(|depth| (1..=64).contains(depth)).ok_or_else(|| {
                    refused(format!("its {DEPTH_FIELD} is {depth}, expected a whole number from 1 to 64"))
                })?
            }
        };
        let network = SparseKernel::new(&file.network).map_err(|error| refused(error.to_string()))?;
        Ok(Self { network: Arc::new(network), encoder, depth })
    }

    /// The same from a file on disk.
    pub fn open(board: &P, path: &Path) -> Result<Self, LabError> {
        Self::read(board, &read_bytes(path)?, &path.display().to_string())
    }

    /// The network of the file that `file=` names, or the one that comes with the program.
    pub fn given(board: &P, values: &Values) -> Result<Self, LabError> {
        match (values.optional_file("file"), board.shipped()) {
            (Some(path), _) => Self::open(board, path),
            (None, Some(bytes)) => Self::read(board, bytes, "the network of the program"),
            (None, None) => {
                Err(LabError::refused("no network for this board comes with the program: give file="))
            }
        }
    }

    /// What the file's network sees, or why it does not fit the board.
    fn encoder_of(board: &P, file: &NpzNetwork) -> Result<P::Encoder, String> {
        for (name, expected) in board.board() {
            match file.number(name) {
                Some(number) if number == expected => {}
                Some(number) => return Err(format!("its {name} is {number}, expected {expected}")),
                None => return Err(format!("it has no whole number {name}, expected {expected}")),
            }
        }
        let name = file.encoding.as_deref().unwrap_or(P::ENCODINGS[0]);
        if !P::ENCODINGS.contains(&name) {
            return Err(format!("its encoding is '{name}', expected one of {}", P::ENCODINGS.join(", ")));
        }
        let encoder = board.encoder(name);
        let (inputs, expected) = (file.network.architecture().inputs, encoder.inputs());
        if inputs != expected {
            return Err(format!("W1 has {inputs} columns, expected {expected} for the encoding {name}"));
        }
        Ok(encoder)
    }

    /// Players that follow it: by each move's own value, or, if the file says so, by a search that asks the network
    /// further ahead and plays as many random moves.
    pub fn factory(self, choice: ActionSelection, ends: Ends) -> PlayerFactory<P> {
        let depth = self.depth;
        if depth == 1 {
            return Arc::new(move || {
                Box::new(ByNetwork::new(Arc::clone(&self.network), self.encoder.clone(), choice, ends))
            });
        }
        let judge = self.evaluator();
        let slips = if let ActionSelection::Greedy { epsilon, .. } = choice { epsilon } else { 0.0 };
        Arc::new(move || {
            Box::new(EpsilonRandom::new(AlphaBeta::new(judge.clone(), Budget::depth(depth)), slips))
        })
    }

    /// The network as a judge of positions, for searches.
    pub fn evaluator(self) -> ByNetwork<P, P::Encoder> {
        ByNetwork::new(self.network, self.encoder, ActionSelection::BEST, Ends::Judged)
    }
}

/// How moves are chosen while learning; `eps` and `alpha` are each method's own, for their defaults differ.
const EXPLORATION: &[Param] = &[
    Param {
        name: "eps-end",
        kind: ParamKind::Real(0.0, 1.0),
        default: None,
        help: "final value of eps (constant if not given)",
    },
    Param {
        name: "noise",
        kind: ParamKind::Real(0.0, 10.0),
        default: Some("0"),
        help: "standard deviation of the noise added to the value of each move",
    },
    Param {
        name: "noise-end",
        kind: ParamKind::Real(0.0, 10.0),
        default: None,
        help: "final value of noise (constant if not given)",
    },
    Param {
        name: "alpha-end",
        kind: ParamKind::Real(0.0, 1.0),
        default: None,
        help: "final value of alpha (constant if not given)",
    },
    Param {
        name: "over",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "games after which eps-end, noise-end and alpha-end are reached (all if not given)",
    },
    Param {
        name: "softmax",
        kind: ParamKind::Whole(0, 1_000_000_000_000),
        default: Some("0"),
        help: "number of first games whose moves are chosen by soft-max instead",
    },
    Param {
        name: "temperature",
        kind: ParamKind::Real(0.0001, 1000.0),
        default: Some("1"),
        help: "temperature of soft-max",
    },
];

/// Which games are learnt from.
const GAMES: &[Param] = &[
    Param {
        name: "repetition",
        kind: ParamKind::Word(&["ignored", "counted"]),
        default: Some("ignored"),
        help: "whether a repeated position ends a learning game as the referee says; no document's does",
    },
    Param {
        name: "plies",
        kind: ParamKind::Whole(1, 1_000_000),
        default: None,
        help: "a learning game of this many moves is a draw (the referee's number, if not given)",
    },
];

/// The referee of learning games. A learner that may always go back and forth to a draw learns little else.
fn learning_game<P: PositionNotation>(game: &Referee<P>, values: &Values) -> Referee<P> {
    let mut learning = game.clone();
    if values.word("repetition") == "ignored" {
        learning.repetitions = None;
    }
    if let Some(plies) = values.optional_whole("plies") {
        learning.max_plies = Some(plies as u32);
    }
    learning
}

/// A number that changes over the training, as `name` and `name-end` say.
fn ramp(values: &Values, name: &str, end: &str, games: u64) -> Ramp {
    let from = values.real(name);
    let over = values.optional_whole("over").map_or(games, |over| over as u64);
    match values.optional_real(end) {
        Some(to) => Ramp { from, to, games: over },
        None => Ramp::constant(from),
    }
}

/// Refuses what would have no effect: a schedule without an end, a temperature that nothing is drawn by.
fn check_exploration(values: &Values) -> Result<(), LabError> {
    let refused = |name, needed| {
        Err(LabError::refused(format!("{name}= has no effect alone: expected {needed} beside it")))
    };
    let ends = ["eps-end", "noise-end", "alpha-end"];
    if values.first_given(&["over"]).is_some() && values.first_given(&ends).is_none() {
        return refused("over", "eps-end=, noise-end= or alpha-end=");
    }
    if values.first_given(&["temperature"]).is_some() && values.first_given(&["softmax"]).is_none() {
        return refused("temperature", "softmax=");
    }
    Ok(())
}

fn exploration(values: &Values, epsilon: &str, games: u64) -> Exploration {
    Exploration {
        epsilon: ramp(values, epsilon, "eps-end", games),
        noise: ramp(values, "noise", "noise-end", games),
        soft_games: values.whole("softmax") as u64,
        temperature: values.real("temperature"),
    }
}
