//! Opponents of a learner that learn nothing themselves (§2.6 of INFO-F-106 2019): random moves, what an earlier training
//! learnt, or a person at the keyboard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outplay_core::{Player, Seat, Text};
use outplay_players::{ActionSelection, Ends, Opponent, Random, UpdateRule};

use super::{LearningError, LearntNetwork, SelfPlayGame, table};
use crate::keyboard::TypedPlayer;
use crate::params;
use crate::params::{ParamKind, ParamType, Tracked};
use crate::registry::PlayerFactory;
use crate::store::Store;
use outplay_runtime::WorkError;
use outplay_runtime::files::read_bytes;

/// Who plays a seat instead of the learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentChoice {
    /// Plays legal moves at random.
    Random,
    /// A person at the keyboard.
    Human,
    /// What an earlier training learnt: a network or tables.
    File(PathBuf),
}

impl OpponentChoice {
    /// The opponent of this name.
    pub fn named(text: &str) -> Self {
        match text {
            "random" => Self::Random,
            "human" => Self::Human,
            file => Self::File(PathBuf::from(file)),
        }
    }

    /// The name.
    pub fn name(&self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Human => "human".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    fn player<P: SelfPlayGame>(
        &self,
        board: &P,
        epsilon: f64,
        store: &Store,
    ) -> Result<Box<dyn Player<P>>, WorkError> {
        Ok(match self {
            Self::Random => Box::new(Random),
            Self::Human => {
                let keyboard = store.keyboard().ok_or(LearningError::NobodyAtKeyboard)?;
                Box::new(TypedPlayer(Arc::clone(keyboard)))
            }
            Self::File(path) => learnt_players(board, path, epsilon)?(),
        })
    }
}

/// Players that follow the network or the tables of a file.
fn learnt_players<P: SelfPlayGame>(
    board: &P,
    path: &Path,
    epsilon: f64,
) -> Result<PlayerFactory<P>, WorkError> {
    let choice = ActionSelection::Greedy { epsilon, noise: 0.0 };
    if table::is_table(&read_bytes(path)?) {
        return table::players(board, path, choice);
    }
    Ok(LearntNetwork::open(board, path)?.factory(choice, Ends::Judged))
}

impl ParamType for OpponentChoice {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::WordOrFile(&["random", "human"])
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        (!text.is_empty()).then(|| Self::named(text))
    }

    fn write(&self) -> String {
        self.name()
    }
}

/// Who has the second seat where tables learn: a learner with a rule of its own, or an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SecondSeat {
    Learner(UpdateRule),
    Opponent(OpponentChoice),
}

impl ParamType for SecondSeat {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::WordOrFile(&["monte-carlo", "td0", "q-table", "win-rate", "random", "human"])
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        let rule = UpdateRule::read(text, &()).map(Self::Learner);
        rule.or_else(|| OpponentChoice::read(text, &()).map(Self::Opponent))
    }

    fn write(&self) -> String {
        match self {
            Self::Learner(rule) => rule.write(),
            Self::Opponent(choice) => choice.write(),
        }
    }
}

params! {
    /// Against whom is learnt; the second seat is each method's own.
    pub(super) struct OpponentParams {
        first: Option<OpponentChoice> = None,
            "who plays the first seat instead of the learner: random, human (at the keyboard) or what was learnt before"
            | "qui joue en premier à la place de l’élève : random, human (au clavier) ou ce qui a été appris avant";
        swap: Tracked<bool> = false.into(),
            "whether the learner and its opponent change seats after every game"
            | "si l’élève et son adversaire changent de place après chaque partie";
        epsilon as "opponent-eps": Tracked<f64> = 0.0.into(), in 0.0..=1.0,
            "share of random moves of an opponent from a file" | "part de coups au hasard d’un adversaire lu d’un fichier";
    }
}

impl OpponentParams {
    /// Whether the learner has both seats by turns.
    pub(super) fn swaps(&self) -> bool {
        *self.swap
    }

    /// The opponent, if there is one.
    pub(super) fn opponent<P: SelfPlayGame>(
        &self,
        second: Option<&OpponentChoice>,
        board: &P,
        store: &Store,
    ) -> Result<Option<LearnersOpponent<P>>, WorkError> {
        let (choice, seat) = match (&self.first, second) {
            (Some(_), Some(_)) => return Err(LearningError::NobodyLearns.into()),
            (Some(first), None) => (first, Seat::First),
            (None, Some(second)) => (second, Seat::Second),
            (None, None) => {
                let unused = [("swap", self.swap.is_given()), ("opponent-eps", self.epsilon.is_given())];
                return match unused.into_iter().find(|(_, is_given)| *is_given) {
                    Some((name, _)) => Err(LearningError::NoOpponent { name }.into()),
                    None => Ok(None),
                };
            }
        };
        if self.epsilon.is_given() && !matches!(choice, OpponentChoice::File(_)) {
            let with = Text::same(choice.name());
            return Err(LearningError::NoEffect { name: "opponent-eps", with }.into());
        }
        LearnersOpponent::new(choice, seat, *self.swap, *self.epsilon, board, store).map(Some)
    }
}

/// An opponent with its seat.
pub struct LearnersOpponent<P: SelfPlayGame> {
    player: Box<dyn Player<P>>,
    /// Its name, as on the command line, with its share of random moves if it has one.
    name: String,
    seat: Seat,
    swaps: bool,
    is_human: bool,
    /// Whether it has left: no more games are played.
    pub(super) has_left: bool,
}

impl<P: SelfPlayGame> LearnersOpponent<P> {
    /// An opponent in this seat, or in this one and the other by turns. `epsilon` is the share of random moves of one
    /// from a file.
    pub fn new(
        choice: &OpponentChoice,
        seat: Seat,
        swaps: bool,
        epsilon: f64,
        board: &P,
        store: &Store,
    ) -> Result<Self, WorkError> {
        let player = choice.player(board, epsilon, store)?;
        let slips = if epsilon > 0.0 { format!(" opponent-eps={epsilon}") } else { String::new() };
        let name = choice.name() + &slips;
        Ok(Self { is_human: *choice == OpponentChoice::Human, ..Self::of(player, name, seat, swaps) })
    }

    /// Any player of this name as an opponent.
    pub fn of(player: Box<dyn Player<P>>, name: String, seat: Seat, swaps: bool) -> Self {
        Self { player, name, seat, swaps, is_human: false, has_left: false }
    }

    /// Whether a person plays.
    pub(super) const fn is_human(&self) -> bool {
        self.is_human
    }

    /// The opponent in the game with this number.
    pub(super) fn in_game(&mut self, number: u64) -> Opponent<'_, P> {
        let is_swapped = self.swaps && number % 2 == 1;
        let seat = if is_swapped { !self.seat } else { self.seat };
        Opponent { player: &mut *self.player, seat }
    }

    /// The parameters, as on the command line.
    pub(super) fn words(&self) -> String {
        let seat = if self.seat == Seat::First { "first" } else { "second" };
        let swap = if self.swaps { " swap=yes" } else { "" };
        format!("{seat}={}{swap}", self.name)
    }
}
