//! Learning by self-play, or against a given opponent, for every open game that says what a network sees of it.
//!
//! The methods `td-lambda`, `q-learning`, `q-lambda` (networks) and `monte-carlo`, `td0`, `q-table`, `win-rate` (tables),
//! their files, and the players that use them. The learning rules are in `players`; the encoders are in each game's folder.
//!
//! Invariants:
//! - game i of a training draws from `Rng::stream(seed, i)`, so a resumed training continues as if it had never
//!   stopped, and the number of threads changes nothing: one learner learns from one game after the other;
//! - a file says for which board it was made, and is refused by any other.

mod check;
mod error;
mod exploration;
mod network;
mod opponent;
mod table;
#[cfg(test)]
mod tests;
mod training_config;

use std::path::Path;
use std::sync::Arc;

use outplay_core::{Encoder, Oracle, PositionNotation, Referee, SeatEncoder, Text};
use outplay_nn::{NpzNetwork, SparseKernel};
use outplay_players::{ActionSelection, AlphaBeta, Budget, ByNetwork, Ends, EpsilonRandom};

use crate::params::{ModelFile, Tracked};
use crate::registry::{MOST_MOVES, MethodDef, PlayerDef, PlayerFactory, PlayerRequest, exhaustive_solution};
use crate::store::Store;
use crate::{params, words};
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Watch, WorkError};

pub use check::SelfPlayTally;
pub use error::{LearningError, NetworkFault, TableFault};
pub use network::NetworkTraining;
pub use opponent::{LearnersOpponent, OpponentChoice};
pub use table::TableTraining;
pub use training_config::TrainingConfig;

/// A game that a network can learn by self-play.
pub trait SelfPlayGame: PositionNotation {
    /// What it is shown.
    type Encoder: Encoder<Self>;

    /// What a network with a value and a policy is shown.
    type SeatEncoder: SeatEncoder<Self>;

    /// The encodings by name, the default first.
    const ENCODINGS: &'static [&'static str];

    /// The encoding of this name for boards like this one.
    fn encoder(&self, name: &str) -> Self::Encoder;

    /// The encoding for a value and a policy on boards like this one.
    fn seat_encoder(&self) -> Self::SeatEncoder;

    /// What a file says of a board like this one: whole numbers by name.
    fn board(&self) -> Vec<(&'static str, i64)>;

    /// The network for such boards that comes with the program, if there is one.
    fn shipped(&self) -> Option<&'static [u8]> {
        None
    }

    /// The policy–value network for such boards that comes with the program, if there is one.
    fn shipped_zero(&self) -> Option<&'static [u8]> {
        None
    }

    /// The exact values of boards like this one, to measure what was learnt. By default all positions are listed, and a board
    /// that is too large for it is refused.
    fn oracle(&self, store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, WorkError> {
        Ok(exhaustive_solution(self, MOST_MOVES, store, watch)?)
    }
}

/// Shows networks a game of placements as its pieces: the name of this encoding, and the whole numbers that a file says of a
/// board like `start`.
macro_rules! show_pieces {
    ($game:ty, $encoding:literal, |$start:ident| $board:expr) => {
        impl $crate::learning::SelfPlayGame for $game {
            type Encoder = outplay_core::placement::PlacementEncoder;
            type SeatEncoder = outplay_core::placement::PlacementSeatEncoder<Self>;
            const ENCODINGS: &'static [&'static str] = &[$encoding];

            fn encoder(&self, _name: &str) -> Self::Encoder {
                outplay_core::placement::PlacementEncoder
            }

            fn seat_encoder(&self) -> Self::SeatEncoder {
                outplay_core::placement::PlacementSeatEncoder::new(self.clone())
            }

            fn board(&self) -> Vec<(&'static str, i64)> {
                let $start = self;
                $board.to_vec()
            }
        }
    };
}
pub(crate) use show_pieces;

/// All methods of self-play for a game.
pub fn self_play_methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    let mut methods = network::methods::<P>();
    methods.extend(table::methods::<P>());
    methods
}

/// The players that follow what was learnt: one by a network, under this name, and one by a `table`.
pub fn self_play_players<P: SelfPlayGame>(name: &'static str, board: &P) -> Vec<PlayerDef<Referee<P>>> {
    let summary = Text::new(
        "follows a network trained by self-play, looking one ply or more ahead",
        "suit un réseau qui s’est instruit lui-même, en regardant chaque coup ou plus loin",
    );
    let defaults =
        NetworkPlayerParams { file: LearntNetwork::default_file(board), ..NetworkPlayerParams::default() };
    let by_network = PlayerDef::new(
        name,
        summary,
        defaults,
        |request: &PlayerRequest<'_, Referee<P>>, params: &NetworkPlayerParams| {
            network_player(&request.game.start, params)
        },
    );
    vec![by_network, table::player::<P>()]
}

params! {
    /// A player that follows a network.
    struct NetworkPlayerParams {
        file: ModelFile = ModelFile::Shipped,
            "what was learnt (what comes with the program, if none is given)"
            | "ce qui a été appris (ce qui est livré avec le programme, si rien n’est donné)";
        epsilon as "eps": f64 = 0.0, in 0.0..=1.0, "share of random moves" | "part de coups au hasard";
        noise: Tracked<f64> = 0.0.into(), in 0.0..=10.0,
            "standard deviation of the noise added to the value of each move"
            | "écart-type de ce qui est ajouté à la valeur de chaque coup";
        ends: Tracked<Ends> = Ends::Judged.into(),
            "whether a move that ends the game is judged like any other (as in the document) or worth its result"
            | "si un coup qui finit la partie est jugé comme un autre (comme dans le document) ou vaut son résultat";
        depth: Option<u32> = None, in 1..=64,
            "plies to look ahead, with the network as the evaluator (as the file says, or 1)"
            | "demi-coups à regarder avec le réseau pour juge (ce que dit le fichier, ou 1)";
    }
}

words!(Ends { "judged" => Ends::Judged, "known" => Ends::Known });

/// Players that follow the network of a file.
fn network_player<P: SelfPlayGame>(
    board: &P,
    params: &NetworkPlayerParams,
) -> Result<PlayerFactory<P>, WorkError> {
    let mut learnt = LearntNetwork::given(board, &params.file)?;
    learnt.depth = params.depth.unwrap_or(learnt.depth);
    let unused = [("noise", params.noise.is_given()), ("ends", params.ends.is_given())];
    if learnt.depth > 1
        && let Some((name, _)) = unused.into_iter().find(|(_, is_given)| *is_given)
    {
        return Err(LearningError::NoEffectOnSearch { name, depth: learnt.depth }.into());
    }
    let choice = ActionSelection::Greedy { epsilon: params.epsilon, noise: *params.noise };
    Ok(learnt.factory(choice, *params.ends))
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
    pub fn read(board: &P, bytes: &[u8], name: &str) -> Result<Self, WorkError> {
        let (learnt, _) = Self::read_file(board, bytes, &Text::same(name.to_owned()))?;
        Ok(learnt)
    }

    /// The same with everything else that the file says.
    fn read_file(board: &P, bytes: &[u8], name: &Text) -> Result<(Self, NpzNetwork), LearningError> {
        Self::parse(board, bytes, name)
            .map_err(|fault| LearningError::NotANetwork { name: name.clone(), fault })
    }

    fn parse(board: &P, bytes: &[u8], name: &Text) -> Result<(Self, NpzNetwork), NetworkFault> {
        if table::is_table(bytes) {
            return Err(NetworkFault::IsTable { name: name.clone() });
        }
        let file = NpzNetwork::read(bytes).map_err(|reason| NetworkFault::File { reason })?;
        let encoder = Self::encoder_of(board, &file)?;
        let depth = file.number(DEPTH_FIELD).unwrap_or(1);
        let depth = u32::try_from(depth)
            .ok()
            .filter(|depth| (1..=64).contains(depth))
            .ok_or(NetworkFault::Depth { field: DEPTH_FIELD, depth })?;
        let network = SparseKernel::new(&file.network).map_err(|reason| NetworkFault::Shape { reason })?;
        Ok((Self { network: Arc::new(network), encoder, depth }, file))
    }

    /// The same from a file on disk.
    pub fn open(board: &P, path: &Path) -> Result<Self, WorkError> {
        Self::read(board, &read_bytes(path)?, &path.display().to_string())
    }

    /// The network of the file that a user named, or the one that comes with the program.
    pub fn given(board: &P, file: &ModelFile) -> Result<Self, WorkError> {
        match (file, board.shipped()) {
            (ModelFile::At(path), _) => Self::open(board, path),
            (_, Some(bytes)) => {
                let name = Text::new("the network of the program", "le réseau du programme");
                Ok(Self::read_file(board, bytes, &name)?.0)
            }
            (_, None) => Err(LearningError::NotShipped.into()),
        }
    }

    /// What is used where no file is named: the network that comes with the program, if there is one.
    pub fn default_file(board: &P) -> ModelFile {
        if board.shipped().is_some() { ModelFile::Shipped } else { ModelFile::Needed }
    }

    /// What the file's network sees, or why it does not fit the board.
    fn encoder_of(board: &P, file: &NpzNetwork) -> Result<P::Encoder, NetworkFault> {
        for (name, expected) in board.board() {
            match file.number(name) {
                Some(number) if number == expected => {}
                Some(number) => return Err(NetworkFault::Number { name, number, expected }),
                None => return Err(NetworkFault::NoNumber { name, expected }),
            }
        }
        let name = file.encoding.as_deref().unwrap_or(P::ENCODINGS[0]);
        if !P::ENCODINGS.contains(&name) {
            return Err(NetworkFault::Encoding { name: name.to_owned(), expected: P::ENCODINGS.to_vec() });
        }
        let encoder = board.encoder(name);
        let (inputs, expected) = (file.network.architecture().inputs, encoder.inputs());
        if inputs != expected {
            return Err(NetworkFault::Inputs { inputs, expected, encoding: name.to_owned() });
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
