//! Tables that learn: the methods `monte-carlo`, `td0` and `q-table`, and the player `table`.
//!
//! A file is readable text: first `start` and the position that games begin with, then a line for each after-state that
//! was met, with the seat that moved into it (`first` or `second`), that seat's estimated chance of winning, and the
//! position in the game's notation.
//!
//! Invariants:
//! - lines are sorted by seat, then by position, so the same table gives the same bytes;
//! - a chance is written with enough digits to be read back exactly.

use std::fmt::Write as _;
use std::sync::Arc;

use outplay_core::{PositionNotation, Referee, Seat};
use outplay_players::{
    ActionSelection, Random, TablePlayer, TabularConfig, TabularLearner, UpdateRule, ValueTable,
};

use super::check::{self, Check, Checked, SelfPlayTally, learn_from};
use super::{
    EXPLORATION, GAMES, PLAYER_PARAMS, SelfPlayGame, check_exploration, choice_of, exploration, learning_game,
};
use crate::error::LabError;
use crate::registry::{MethodDef, PlayerDef, PlayerFactory, PlayerRequest};
use crate::spec::{Param, ParamKind, Values};
use crate::store::Store;
use crate::training::{Training, TrainingStep};
use outplay_runtime::Watch;
use outplay_runtime::files::read_bytes;

const STRATEGIES: &[(&str, UpdateRule)] = &[
    ("monte-carlo", UpdateRule::MonteCarlo),
    ("td0", UpdateRule::TdZero),
    ("q-table", UpdateRule::QLearning),
];

const PARAMS: &[Param] = &[
    Param {
        name: "games",
        kind: ParamKind::Whole(1, 1_000_000_000),
        default: Some("10000"),
        help: "games to learn from",
    },
    Param { name: "alpha", kind: ParamKind::Real(0.0, 1.0), default: Some("0.3"), help: "learning rate" },
    Param {
        name: "eps",
        kind: ParamKind::Real(0.0, 1.0),
        default: Some("0.1"),
        help: "share of random moves",
    },
    Param {
        name: "second",
        kind: ParamKind::Word(&["monte-carlo", "td0", "q-table"]),
        default: None,
        help: "how the second seat learns, if not as the first does",
    },
    Param {
        name: "second-alpha",
        kind: ParamKind::Real(0.0, 1.0),
        default: None,
        help: "the second seat's learning rate, if not the first's",
    },
    Param {
        name: "second-eps",
        kind: ParamKind::Real(0.0, 1.0),
        default: None,
        help: "the second seat's share of random moves, if not the first's",
    },
    Param {
        name: "from",
        kind: ParamKind::File,
        default: None,
        help: "tables to continue from, instead of empty ones",
    },
];

/// The three methods.
pub(super) fn methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    let exploring = EXPLORATION.iter().filter(|param| param.name != "alpha-end").copied();
    let params: Vec<Param> = [PARAMS, GAMES, check::PARAMS].concat().into_iter().chain(exploring).collect();
    let method = |name, summary, strategy| {
        MethodDef::new(
            name,
            summary,
            params.clone(),
            check::MEASURES,
            move |game: &Referee<P>, values: &Values, seed, store: &Store, watch: Watch<'_>| {
                begin(game, values, strategy, seed, store, watch)
            },
        )
    };
    vec![
        method("monte-carlo", "self-play, a table corrected at the end of each game", UpdateRule::MonteCarlo),
        method(
            "td0",
            "self-play, a table corrected after each move towards the next (TD(0))",
            UpdateRule::TdZero,
        ),
        method(
            "q-table",
            "self-play, a table corrected towards the best move (Q-learning)",
            UpdateRule::QLearning,
        ),
    ]
}

/// `table`, which knows nothing until it is given a file.
pub(super) fn player<P: PositionNotation>() -> PlayerDef<Referee<P>> {
    PlayerDef::new(
        "table",
        "follows a table learnt by self-play (without one, plays at random)",
        PLAYER_PARAMS.to_vec(),
        |request: &PlayerRequest<'_, Referee<P>>| {
            let tables = match request.values.optional_file("file") {
                Some(path) => open(&request.game.start, path)?,
                None => [ValueTable::default(), ValueTable::default()],
            };
            Ok(factory(tables, choice_of(request.values)))
        },
    )
}

fn factory<P: PositionNotation>(tables: [ValueTable<P>; 2], choice: ActionSelection) -> PlayerFactory<P> {
    let tables = Arc::new(tables);
    Arc::new(move || Box::new(TablePlayer::new(Arc::clone(&tables), choice)))
}

const SEATS: [&str; 2] = ["first", "second"];

/// What every file begins with.
const HEAD: &str = "start ";

/// Whether the bytes may be such a file.
pub(super) fn is_table(bytes: &[u8]) -> bool {
    bytes.starts_with(HEAD.as_bytes())
}

/// The tables as a text.
fn write<P: PositionNotation>(board: &P, tables: [&ValueTable<P>; 2]) -> String {
    let mut text = format!("{HEAD}{}\n", board.write());
    for (seat, table) in SEATS.iter().zip(tables) {
        let mut lines: Vec<(String, f64)> =
            table.entries().map(|(after, chance)| (after.write(), chance)).collect();
        lines.sort_by(|a, b| a.0.cmp(&b.0));
        for (position, chance) in lines {
            let _ = writeln!(text, "{seat} {chance} {position}");
        }
    }
    text
}

/// The tables in a text of games that begin on `board`, or the line that is not one of theirs.
fn read<P: PositionNotation>(board: &P, text: &str) -> Result<[ValueTable<P>; 2], String> {
    let mut tables = [ValueTable::default(), ValueTable::default()];
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let expected = format!("{HEAD}{}", board.write());
    if first != expected {
        return Err(format!("line 1: '{first}', expected '{expected}'"));
    }
    for (number, line) in rest.lines().enumerate() {
        let refused = |reason: String| format!("line {}: {reason}", number + 2);
        let fields: Vec<&str> = line.splitn(3, ' ').collect();
        let [seat, chance, position] = fields[..] else {
            return Err(refused(format!("'{line}', expected a seat, a chance and a position")));
        };
        let seat = SEATS
            .iter()
            .position(|name| *name == seat)
            .ok_or_else(|| refused(format!("'{seat}', expected first or second")))?;
        let chance = chance
            .parse()
            .ok()
            .filter(|chance| (0.0..=1.0).contains(chance))
            .ok_or_else(|| refused(format!("'{chance}', expected a chance from 0 to 1")))?;
        let after = board.read_like(position).map_err(|error| refused(error.to_string()))?;
        tables[seat].set(after, chance);
    }
    Ok(tables)
}

fn open<P: PositionNotation>(board: &P, path: &std::path::Path) -> Result<[ValueTable<P>; 2], LabError> {
    let refused = |reason: String| {
        LabError::refused(format!("{} is not a table of this game: {reason}", path.display()))
    };
    let text = String::from_utf8(read_bytes(path)?).map_err(|_| refused("it is not a text".to_owned()))?;
    read(board, &text).map_err(refused)
}

fn begin<P: SelfPlayGame>(
    game: &Referee<P>,
    values: &Values,
    strategy: UpdateRule,
    seed: u64,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, LabError> {
    check_exploration(values)?;
    let games = values.whole("games") as u64;
    let explore = |epsilon| exploration(values, epsilon, games);
    let first = TabularConfig { rule: strategy, rate: values.real("alpha"), exploration: explore("eps") };
    let named =
        |name: &str| STRATEGIES.iter().find(|(known, _)| *known == name).map(|(_, strategy)| *strategy);
    let second = TabularConfig {
        rule: values.optional_word("second").and_then(named).unwrap_or(strategy),
        rate: values.optional_real("second-alpha").unwrap_or(first.rate),
        exploration: match values.optional_real("second-eps") {
            Some(_) => explore("second-eps"),
            None => first.exploration,
        },
    };
    let tables = match values.optional_file("from") {
        Some(path) => open(&game.start, path)?,
        None => [ValueTable::default(), ValueTable::default()],
    };
    let choice = ActionSelection::Greedy { epsilon: values.real("check-eps"), noise: 0.0 };
    let reference: PlayerFactory<P> = match values.optional_file("against") {
        Some(path) => factory(open(&game.start, path)?, choice),
        None => Arc::new(|| Box::new(Random)),
    };
    let mut training = TableTraining::new(&learning_game(game, values), [first, second], tables, games, seed);
    training.check = Some(Check::new(game, values, seed, reference, store, watch)?);
    Ok(Box::new(training))
}

/// Two tables that learn from games against each other.
pub struct TableTraining<P: PositionNotation> {
    game: Referee<P>,
    courses: [TabularConfig; 2],
    games: u64,
    seed: u64,
    learner: TabularLearner<P>,
    check: Option<Check<P>>,
}

impl<P: PositionNotation> TableTraining<P> {
    /// Tables before their first game, without checks.
    pub fn new(
        game: &Referee<P>,
        courses: [TabularConfig; 2],
        tables: [ValueTable<P>; 2],
        games: u64,
        seed: u64,
    ) -> Self {
        let learner = TabularLearner::new(courses, tables, 0);
        Self { game: game.clone(), courses, games, seed, learner, check: None }
    }

    /// Plays this many games and learns from them.
    pub fn learn(&mut self, games: u64) -> SelfPlayTally {
        let begun = self.learner.games();
        learn_from(&self.game, &mut self.learner, self.seed, begun, games)
    }

    /// Players that follow the tables as they stand.
    pub fn players(&self, choice: ActionSelection) -> PlayerFactory<P> {
        factory(Seat::BOTH.map(|seat| self.learner.table(seat).clone()), choice)
    }

    fn text(&self) -> String {
        write(&self.game.start, Seat::BOTH.map(|seat| self.learner.table(seat)))
    }
}

impl<P: PositionNotation> Training for TableTraining<P> {
    fn unit(&self) -> &'static str {
        "games"
    }

    fn size(&self) -> u64 {
        self.games
    }

    fn step(&mut self) -> Result<TrainingStep, LabError> {
        let (total, every) = (self.games, self.check.as_ref().map_or(1000, |check| check.every));
        let played = self.learn(every.min(total - self.learner.games()));
        let done = self.learner.games();
        let checked = match &self.check {
            Some(check) => check.record(|choice| self.players(choice), done)?,
            None => Checked::default(),
        };
        let mut record = played.record(done, checked);
        record["states"] = Seat::BOTH.map(|seat| self.learner.table(seat).entries().len()).to_vec().into();
        Ok(TrainingStep { done, total, finished: done == total, record })
    }

    /// The games learnt from, then the tables as in their file.
    fn checkpoint(&self) -> Vec<u8> {
        [&self.learner.games().to_le_bytes()[..], self.text().as_bytes()].concat()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        let damaged = |reason: &str| LabError::refused(format!("the checkpoint cannot be used: {reason}"));
        let (games, text) = checkpoint.split_first_chunk().ok_or_else(|| damaged("it is too short"))?;
        let text = std::str::from_utf8(text).map_err(|_| damaged("it is not a text"))?;
        let tables = read(&self.game.start, text).map_err(|reason| damaged(&reason))?;
        self.learner = TabularLearner::new(self.courses, tables, u64::from_le_bytes(*games));
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        self.text().into_bytes()
    }
}
