//! Tables that learn: the methods `monte-carlo`, `td0`, `q-table` and `win-rate`, and the player `table`.
//!
//! A file is readable text: first `start` and the position that games begin with, then a line for each after-state that
//! was met, with the seat that moved into it (`first` or `second`), that seat's estimated chance of winning, and the
//! position in the game's notation. A chance is a number, or games won of games such as `5/8` where these were counted.
//!
//! Invariants:
//! - lines are sorted by seat, then by position, so the same table gives the same bytes;
//! - a chance is written with enough digits to be read back exactly.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outplay_core::{PositionNotation, Referee, Seat, Text};
use outplay_players::{
    ActionSelection, Random, StateEstimate, TablePlayer, TabularConfig, TabularLearner, UpdateRule,
    ValueTable,
};

use super::check::{self, Check, CheckParams, Checked, SelfPlayTally, learn_from};
use super::exploration::{ExplorationParams, LearningGameParams, check_exploration, exploration};
use super::opponent::{OpponentParams, SecondSeat};
use super::{LearnersOpponent, LearningError, SelfPlayGame, TableFault};
use crate::params::Tracked;
use crate::registry::{MethodDef, PlayerDef, PlayerFactory, PlayerRequest};
use crate::store::Store;
use crate::{params, words};
use outplay_runtime::files::read_bytes;
use outplay_runtime::{Watch, WorkError};
use outplay_training::{Training, TrainingStep};

params! {
    /// How tables learn.
    struct TableMethod {
        games: u64 = 10_000, in 1..=1_000_000_000, "games to learn from" | "parties dont apprendre";
        alpha: Tracked<f64> = 0.3.into(), in 0.0..=1.0, "learning rate" | "taux d’apprentissage";
        epsilon as "eps": f64 = 0.1, in 0.0..=1.0, "share of random moves" | "part de coups au hasard";
        second: Option<SecondSeat> = None,
            "how the second seat learns, if not as the first does; or who plays it: random, human (at the keyboard) or what \
             was learnt before"
            | "comment le second joueur apprend, si ce n’est comme le premier ; ou qui il est : random, human (au clavier) \
               ou ce qui a été appris avant";
        second_alpha as "second-alpha": Option<f64> = None, in 0.0..=1.0,
            "the second seat's learning rate, if not the first's"
            | "le taux d’apprentissage du second joueur, si ce n’est celui du premier";
        second_epsilon as "second-eps": Option<f64> = None, in 0.0..=1.0,
            "the second seat's share of random moves, if not the first's"
            | "la part de coups au hasard du second joueur, si ce n’est celle du premier";
        from: Option<PathBuf> = None,
            "tables to continue from, instead of empty ones" | "tables à poursuivre, au lieu de tables vides";
        most as "table": u32 = 1024, in 1..=1_000_000,
            "MiB of memory that the tables may take; a training that needs more ends there"
            | "Mio de mémoire que les tables peuvent prendre ; un apprentissage qui en demande plus finit là";
    }
    memory |own| own.most
}

words!(UpdateRule {
    "monte-carlo" => UpdateRule::MonteCarlo,
    "td0" => UpdateRule::TdZero,
    "q-table" => UpdateRule::QLearning,
    "win-rate" => UpdateRule::WinRate,
});

/// The parameters of a method.
type TableMethodParams =
    ((TableMethod, ((LearningGameParams, OpponentParams), CheckParams)), ExplorationParams<()>);

/// The four methods.
pub(super) fn methods<P: SelfPlayGame>() -> Vec<MethodDef<Referee<P>>> {
    let method = |rule: UpdateRule, name, summary| {
        MethodDef::new(
            name,
            summary,
            TableMethodParams::default(),
            check::MEASURES,
            move |game: &Referee<P>, params: &TableMethodParams, seed, store: &Store, watch: Watch<'_>| {
                begin(game, params, rule, seed, store, watch)
            },
        )
    };
    vec![
        method(
            UpdateRule::MonteCarlo,
            "monte-carlo",
            Text::new(
                "self-play, a table corrected at the end of each game",
                "contre soi-même, une table corrigée à la fin de chaque partie",
            ),
        ),
        method(
            UpdateRule::TdZero,
            "td0",
            Text::new(
                "self-play, a table corrected after each move towards the next (TD(0))",
                "contre soi-même, une table corrigée après chaque coup vers le suivant (TD(0))",
            ),
        ),
        method(
            UpdateRule::QLearning,
            "q-table",
            Text::new(
                "self-play, a table corrected towards the best move (Q-learning)",
                "contre soi-même, une table corrigée vers le meilleur coup (Q-learning)",
            ),
        ),
        method(
            UpdateRule::WinRate,
            "win-rate",
            Text::new(
                "self-play, a table of the share of games won from each position",
                "contre soi-même, une table de la part des parties gagnées depuis chaque position",
            ),
        ),
    ]
}

params! {
    /// A player that follows tables.
    struct TablePlayerParams {
        file: Option<PathBuf> = None,
            "what was learnt (what comes with the program, if none is given)"
            | "ce qui a été appris (ce qui est livré avec le programme, si rien n’est donné)";
        epsilon as "eps": f64 = 0.0, in 0.0..=1.0, "share of random moves" | "part de coups au hasard";
        noise: f64 = 0.0, in 0.0..=10.0,
            "standard deviation of the noise added to the value of each move"
            | "écart-type de ce qui est ajouté à la valeur de chaque coup";
    }
}

/// `table`, which knows nothing until it is given a file.
pub(super) fn player<P: PositionNotation>() -> PlayerDef<Referee<P>> {
    PlayerDef::new(
        "table",
        Text::new(
            "follows a table learnt by self-play (without one, plays at random)",
            "suit une table apprise en jouant contre soi (sans table, joue au hasard)",
        ),
        TablePlayerParams::default(),
        |request: &PlayerRequest<'_, Referee<P>>, params: &TablePlayerParams| {
            let tables = open_or_empty(&request.game.start, params.file.as_deref())?;
            let choice = ActionSelection::Greedy { epsilon: params.epsilon, noise: params.noise };
            Ok(factory(tables, choice))
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
        let mut lines: Vec<(String, StateEstimate)> =
            table.entries().map(|(after, estimate)| (after.write(), estimate)).collect();
        lines.sort_by(|a, b| a.0.cmp(&b.0));
        for (position, estimate) in lines {
            let _ = match estimate {
                StateEstimate::Chance(chance) => writeln!(text, "{seat} {chance} {position}"),
                StateEstimate::Share { won, games } => writeln!(text, "{seat} {won}/{games} {position}"),
            };
        }
    }
    text
}

/// `0.625`, or `5/8`.
fn read_estimate(text: &str) -> Option<StateEstimate> {
    let estimate = match text.split_once('/') {
        Some((won, games)) => StateEstimate::Share { won: won.parse().ok()?, games: games.parse().ok()? },
        None => StateEstimate::Chance(text.parse().ok()?),
    };
    Some(estimate).filter(|estimate| (0.0..=1.0).contains(&estimate.chance()))
}

/// The tables in a text of games that begin on `board`, or what is wrong with the first line that is not one of theirs.
fn read<P: PositionNotation>(board: &P, text: &str) -> Result<[ValueTable<P>; 2], TableFault> {
    let mut tables = [ValueTable::default(), ValueTable::default()];
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let expected = format!("{HEAD}{}", board.write());
    if first != expected {
        return Err(TableFault::Head { line: first.to_owned(), expected });
    }
    for (line, number) in rest.lines().zip(2..) {
        let fields: Vec<&str> = line.splitn(3, ' ').collect();
        let [seat, chance, position] = fields[..] else {
            return Err(TableFault::Fields { number, line: line.to_owned() });
        };
        let seat = SEATS
            .iter()
            .position(|name| *name == seat)
            .ok_or_else(|| TableFault::Seat { number, seat: seat.to_owned() })?;
        let estimate =
            read_estimate(chance).ok_or_else(|| TableFault::Chance { number, chance: chance.to_owned() })?;
        let after = board.read_like(position).map_err(|reason| TableFault::Position { number, reason })?;
        tables[seat].set(after, estimate);
    }
    Ok(tables)
}

fn open<P: PositionNotation>(board: &P, path: &Path) -> Result<[ValueTable<P>; 2], WorkError> {
    let text = String::from_utf8(read_bytes(path)?).map_err(|_| TableFault::NotText);
    let tables = text.and_then(|text| read(board, &text));
    Ok(tables.map_err(|fault| LearningError::NotATable { path: path.to_owned(), fault })?)
}

/// Players that follow the tables of a file.
pub(super) fn players<P: PositionNotation>(
    board: &P,
    path: &Path,
    choice: ActionSelection,
) -> Result<PlayerFactory<P>, WorkError> {
    Ok(factory(open(board, path)?, choice))
}

fn open_or_empty<P: PositionNotation>(
    board: &P,
    path: Option<&Path>,
) -> Result<[ValueTable<P>; 2], WorkError> {
    path.map_or_else(|| Ok(Default::default()), |path| open(board, path))
}

impl TableMethod {
    /// Refuses rates that nobody learns by. `is_taken` says whether an opponent has the second seat in every game.
    fn check_effects(
        &self,
        first: UpdateRule,
        second: UpdateRule,
        is_taken: bool,
    ) -> Result<(), LearningError> {
        const COUNTED: Text = Text::new("win-rate", "win-rate");
        const TAKEN: Text = Text::new("an opponent in that seat", "un adversaire à cette place");
        let counts = |rule| rule == UpdateRule::WinRate;
        let unused = [
            ("alpha", self.alpha.is_given() && counts(first) && counts(second), COUNTED),
            ("second-alpha", self.second_alpha.is_some() && counts(second), COUNTED),
            ("second-alpha", self.second_alpha.is_some() && is_taken, TAKEN),
            ("second-eps", self.second_epsilon.is_some() && is_taken, TAKEN),
        ];
        match unused.into_iter().find(|(_, is_unused, _)| *is_unused) {
            Some((name, _, with)) => Err(LearningError::NoEffect { name, with }),
            None => Ok(()),
        }
    }
}

fn begin<P: SelfPlayGame>(
    game: &Referee<P>,
    params: &TableMethodParams,
    rule: UpdateRule,
    seed: u64,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Box<dyn Training>, WorkError> {
    let ((own, ((learning_games, opponents), checks)), exploring) = params;
    check_exploration(exploring, None)?;
    let (second_rule, second_player) = match &own.second {
        Some(SecondSeat::Learner(other)) => (*other, None),
        Some(SecondSeat::Opponent(choice)) => (rule, Some(choice)),
        None => (rule, None),
    };
    own.check_effects(rule, second_rule, second_player.is_some() && !opponents.swaps())?;
    let explore = |epsilon| exploration(exploring, epsilon, own.games);
    let first = TabularConfig { rule, rate: *own.alpha, exploration: explore(own.epsilon) };
    let second = TabularConfig {
        rule: second_rule,
        rate: own.second_alpha.unwrap_or(*own.alpha),
        exploration: explore(own.second_epsilon.unwrap_or(own.epsilon)),
    };
    let tables = open_or_empty(&game.start, own.from.as_deref())?;
    let reference: PlayerFactory<P> = match &checks.against {
        Some(path) => factory(open(&game.start, path)?, checks.choice()),
        None => Arc::new(|| Box::new(Random)),
    };
    let learning_game = learning_games.referee(game);
    let mut training = TableTraining::new(&learning_game, [first, second], tables, own.games, seed);
    training.most_states = most_states(&game.start, own.most);
    training.opponent = opponents.opponent(second_player, &game.start, store)?;
    training.check = Some(Check::new(game, checks, seed, reference, store, watch)?);
    Ok(Box::new(training))
}

/// The states that tables may have in so many MiB. A hash table is up to twice as large as its entries; a checkpoint holds the text
/// of all entries up to three times.
fn most_states<P: PositionNotation>(start: &P, mebibytes: u32) -> usize {
    let entry = 2 * (size_of::<P>() + size_of::<StateEstimate>() + 8);
    let line = start.write().len() + 40;
    ((mebibytes as usize) << 20) / (entry + 3 * line)
}

/// Two tables that learn from games against each other, or one of them against an opponent.
pub struct TableTraining<P: SelfPlayGame> {
    game: Referee<P>,
    courses: [TabularConfig; 2],
    games: u64,
    seed: u64,
    learner: TabularLearner<P>,
    /// How many states both tables may have together.
    most_states: usize,
    check: Option<Check<P>>,
    /// Who plays a seat instead of its table.
    opponent: Option<LearnersOpponent<P>>,
}

impl<P: SelfPlayGame> TableTraining<P> {
    /// Tables before their first game, without checks.
    pub fn new(
        game: &Referee<P>,
        courses: [TabularConfig; 2],
        tables: [ValueTable<P>; 2],
        games: u64,
        seed: u64,
    ) -> Self {
        let learner = TabularLearner::new(courses, tables, 0);
        let (most_states, check, opponent) = (usize::MAX, None, None);
        Self { game: game.clone(), courses, games, seed, learner, most_states, check, opponent }
    }

    /// The same with this opponent instead of one of the tables.
    #[must_use]
    pub fn against(mut self, opponent: LearnersOpponent<P>) -> Self {
        self.opponent = Some(opponent);
        self
    }

    /// Plays this many games and learns from them; it stops if the opponent leaves.
    pub fn learn(&mut self, games: u64, watch: Watch<'_>) -> Result<SelfPlayTally, WorkError> {
        let begun = self.learner.games();
        let games = begun..begun + games;
        learn_from(&self.game, &mut self.learner, self.opponent.as_mut(), self.seed, games, watch)
    }

    /// Players that follow the tables as they stand.
    pub fn players(&self, choice: ActionSelection) -> PlayerFactory<P> {
        factory(Seat::BOTH.map(|seat| self.learner.table(seat).clone()), choice)
    }

    fn text(&self) -> String {
        write(&self.game.start, Seat::BOTH.map(|seat| self.learner.table(seat)))
    }
}

impl<P: SelfPlayGame> Training for TableTraining<P> {
    fn unit(&self) -> &'static str {
        "games"
    }

    fn size(&self) -> u64 {
        self.games
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let (total, usual) = (self.games, self.check.as_ref().map_or(1000, Check::every));
        let every = if self.is_attended() { 1 } else { usual };
        let played = self.learn(every.min(total - self.learner.games()), watch)?;
        let done = self.learner.games();
        let states = Seat::BOTH.map(|seat| self.learner.table(seat).entries().len());
        if states.iter().sum::<usize>() > self.most_states {
            return Err(LearningError::TableFull { states: states.iter().sum(), games: done }.into());
        }
        let checked = match &self.check {
            Some(check) => check.record(|choice| self.players(choice), done, watch)?,
            None => Checked::default(),
        };
        let mut record = played.record(done, checked);
        record["states"] = states.to_vec().into();
        Ok(TrainingStep { done, total, finished: done == total, record })
    }

    fn is_attended(&self) -> bool {
        self.opponent.as_ref().is_some_and(LearnersOpponent::is_human)
    }

    /// The games learnt from, then the tables as in their file.
    fn checkpoint(&self) -> Vec<u8> {
        [&self.learner.games().to_le_bytes()[..], self.text().as_bytes()].concat()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let damaged = |fault| LearningError::CheckpointDamaged { fault };
        let (games, text) = checkpoint.split_first_chunk().ok_or_else(|| damaged(TableFault::TooShort))?;
        let text = std::str::from_utf8(text).map_err(|_| damaged(TableFault::NotText))?;
        let tables = read(&self.game.start, text).map_err(damaged)?;
        self.learner = TabularLearner::new(self.courses, tables, u64::from_le_bytes(*games));
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        self.text().into_bytes()
    }
}
