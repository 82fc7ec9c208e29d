//! The console of the document's second part (§2.9): an AI is made, trained, compared and played, line by line.
//!
//! Its own commands are the document's, with the meaning of its example script. What the document leaves to the help of
//! a program that we do not have is decided here: `compare FILE GAMES EPS` plays that many games, colours alternating,
//! and both sides play that share of random moves; `play` lets the AI play its best; `play human N W` is a game of two
//! people on a board of their own. `black`, `seed`, `show`, `help`, an opponent for `train` (§2.6), `traces` and `start` are
//! ours.

mod ai;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use outplay_core::{Rng, Seat, Text, errors};
use outplay_games::quoridor::{Cells, MAX_WALLS, Quoridor, SetupError, StartColumns, Walls};
use outplay_nn::{NpzError, NpzNetwork};
use outplay_players::{Exploration, LearningConfig, Ramp, Rule, TraceSets};
use serde_json::{Value, json};

use super::{on_cells, referee};
use crate::console::{Console, ConsoleReply};
use crate::learning::{NetworkTraining, OpponentChoice, SelfPlayGame, TrainingConfig};
use crate::params::ParamType;
use crate::registry::Facts;
use crate::store::Store;
use ai::{Ai, table_on};
use outplay_arena::matches::MatchPlan;
use outplay_runtime::files::{read_bytes, write_atomically};
use outplay_runtime::{Watch, WorkError};

/// A command: its name, its arguments, its help.
struct ConsoleCommand(&'static str, &'static str, Text);

static COMMANDS: [ConsoleCommand; 17] = [
    ConsoleCommand(
        "new",
        "N W H",
        Text::new(
            "makes an AI for a board of N×N with W walls each: a network of H hidden neurons",
            "crée une IA pour un plateau de N×N avec W murs chacun : un réseau de H neurones cachés",
        ),
    ),
    ConsoleCommand("load", "FILE", Text::new("takes the AI of a file", "prend l’IA d’un fichier")),
    ConsoleCommand(
        "save",
        "FILE",
        Text::new("writes the AI to a file that NumPy reads", "écrit l’IA dans un fichier que NumPy lit"),
    ),
    ConsoleCommand(
        "eps",
        "X",
        Text::new("share of random moves in training", "part de coups au hasard à l’entraînement"),
    ),
    ConsoleCommand("alpha", "X", Text::new("learning rate", "taux d’apprentissage")),
    ConsoleCommand(
        "lambda",
        "X",
        Text::new(
            "decay of the eligibility trace per move",
            "décroissance de la trace d’éligibilité à chaque coup",
        ),
    ),
    ConsoleCommand("TD-lambda", "", Text::new("trains by TD(λ) from now on", "entraîne désormais par TD(λ)")),
    ConsoleCommand(
        "Q-learning",
        "",
        Text::new("trains by Q-learning from now on", "entraîne désormais par Q-learning"),
    ),
    ConsoleCommand(
        "Q-lambda",
        "",
        Text::new("trains by Watkins' Q(λ) from now on", "entraîne désormais par Q(λ) de Watkins"),
    ),
    ConsoleCommand(
        "train",
        "GAMES [random | human | FILE]",
        Text::new(
            "trains the AI by this many games against itself, or against another, colours alternating",
            "entraîne l’IA par tant de parties contre elle-même, ou contre un autre, couleurs alternées",
        ),
    ),
    ConsoleCommand(
        "traces",
        "shared | own",
        Text::new(
            "one set of eligibility traces for both colours, or one for each",
            "un jeu de traces d’éligibilité pour les deux couleurs, ou un pour chacune",
        ),
    ),
    ConsoleCommand(
        "start",
        "mirrored | same",
        Text::new(
            "where the pawns of the next AI begin on boards of even size",
            "où commencent les pions de la prochaine IA sur les plateaux de taille paire",
        ),
    ),
    ConsoleCommand(
        "compare",
        "FILE GAMES EPS",
        Text::new(
            "plays the AI against that of a file, colours alternating",
            "oppose l’IA à celle d’un fichier, couleurs alternées",
        ),
    ),
    ConsoleCommand(
        "play",
        "[black | human N W]",
        Text::new(
            "play against the AI as white or black, or against each other",
            "jouer contre l’IA avec les blancs ou les noirs, ou l’un contre l’autre",
        ),
    ),
    ConsoleCommand(
        "seed",
        "S",
        Text::new(
            "the seed of the next AI and of all that follows",
            "la graine de la prochaine IA et de tout ce qui suit",
        ),
    ),
    ConsoleCommand(
        "show",
        "",
        Text::new("the AI and the parameters of its training", "l’IA et les paramètres de son entraînement"),
    ),
    ConsoleCommand("quit", "", Text::new("the end", "la fin")),
];

errors! {
    /// Why a line is refused.
    pub(super) enum ConsoleError {
        Unknown { word: String, expected: Vec<&'static str> } =
            "'{word}' is not a command: expected one of {expected}, help"
            | "« {word} » n’est pas une commande : attendu un de {expected}, help",
        Form { line: String, expected: String } = "'{line}': expected {expected}" | "« {line} » : attendu {expected}",
        NoAi =
            "there is no AI yet: expected 'new N W H' or 'load FILE' first"
            | "il n’y a pas encore d’IA : attendu d’abord « new N W H » ou « load FILE »",
        NotAnAi { file: String, fault: AiFault } = "{file} is not an AI: {fault}" | "{file} n’est pas une IA : {fault}",
        Share { name: String, text: String } =
            "{name} {text}: expected a number from 0 to 1" | "{name} {text} : attendu un nombre de 0 à 1",
        Whole { name: String, text: String, min: u64, max: u64 } =
            "{name} {text}: expected a whole number from {min} to {max}"
            | "{name} {text} : attendu un nombre entier de {min} à {max}",
    }

    /// Why a file is not an AI of Quoridor.
    pub(super) enum AiFault {
        File { reason: NpzError } = "{reason}" | "{reason}",
        NoNumber { name: &'static str } =
            "it has no whole number {name}" | "il n’a pas de nombre entier {name}",
        Number { name: &'static str, number: i64, least: u8, most: u8 } =
            "{name} is {number}, expected {least} to {most}" | "{name} est {number}, attendu de {least} à {most}",
    }
}

/// The console of Quoridor.
pub(super) struct QuoridorConsole {
    learning: Method,
    alpha: f64,
    epsilon: f64,
    lambda: f64,
    seed: u64,
    /// Comparisons made, each of which has a seed of its own.
    compared: u64,
    traces: TraceSets,
    columns: StartColumns,
    ai: Option<Box<dyn Ai>>,
    store: Arc<Store>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    TdLambda,
    QLearning,
    QLambda,
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::TdLambda => "TD-lambda",
            Self::QLearning => "Q-learning",
            Self::QLambda => "Q-lambda",
        }
    }
}

impl QuoridorConsole {
    /// As the document's graph is drawn (§2.8): TD(λ), α = 0.4, ε = 0.3, λ = 0.9.
    pub(super) fn new(store: &Arc<Store>) -> Self {
        Self {
            learning: Method::TdLambda,
            alpha: 0.4,
            epsilon: 0.3,
            lambda: 0.9,
            seed: 0,
            compared: 0,
            traces: TraceSets::Shared,
            columns: StartColumns::Mirrored,
            ai: None,
            store: Arc::clone(store),
        }
    }
}

impl Console for QuoridorConsole {
    fn help(&self) -> String {
        let line = |ConsoleCommand(name, more, help): &ConsoleCommand| {
            format!("{:<22} {help}", format!("{name} {more}"))
        };
        COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn execute(&mut self, line: &str, watch: Watch<'_>) -> Result<ConsoleReply, WorkError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(ConsoleReply::Nothing) };
        if first.eq_ignore_ascii_case("help") && rest.is_empty() {
            return Ok(said(self.help(), json!({ "help": self.help() })));
        }
        let known = COMMANDS.iter().find(|ConsoleCommand(name, ..)| name.eq_ignore_ascii_case(first));
        let Some(ConsoleCommand(name, more, _)) = known else {
            let expected = COMMANDS.iter().map(|ConsoleCommand(name, ..)| *name).collect();
            return Err(ConsoleError::Unknown { word: first.to_owned(), expected }.into());
        };
        match (*name, rest) {
            ("new", &[size, walls, hidden]) => self.make(size, walls, hidden),
            ("load", &[file]) => self.load(file),
            ("save", &[file]) => self.save(file),
            ("eps", &[value]) => set(&mut self.epsilon, "eps", value),
            ("alpha", &[value]) => set(&mut self.alpha, "alpha", value),
            ("lambda", &[value]) => set(&mut self.lambda, "lambda", value),
            ("TD-lambda", []) => Ok(self.learn_by(Method::TdLambda)),
            ("Q-learning", []) => Ok(self.learn_by(Method::QLearning)),
            ("Q-lambda", []) => Ok(self.learn_by(Method::QLambda)),
            ("train", &[games]) => self.train(games, None, watch),
            ("train", &[games, opponent]) => self.train(games, Some(opponent), watch),
            ("traces", &[word]) => choose(&mut self.traces, name, word, more),
            ("start", &[word]) => choose(&mut self.columns, name, word, more),
            ("compare", &[file, games, epsilon]) => self.compare(file, games, epsilon, watch),
            ("play", []) => self.play(Seat::First),
            ("play", &[word]) if word.eq_ignore_ascii_case("black") => self.play(Seat::Second),
            ("play", &[word, size, walls]) if word.eq_ignore_ascii_case("human") => {
                self.play_two_humans(size, walls)
            }
            ("seed", &[seed]) => {
                self.seed = whole("seed", seed, 0, u64::MAX >> 11)?;
                Ok(said(format!("seed {}", self.seed), json!({ "seed": self.seed })))
            }
            ("show", []) => Ok(self.show()),
            ("quit", []) => Ok(ConsoleReply::Quit),
            _ => {
                let expected = format!("{name} {more}").trim_end().to_owned();
                Err(ConsoleError::Form { line: words.join(" "), expected }.into())
            }
        }
    }
}

impl QuoridorConsole {
    fn learning_config(&self) -> LearningConfig {
        let rule = match self.learning {
            Method::TdLambda => Rule::TdLambda(self.lambda),
            Method::QLearning => Rule::QLearning,
            Method::QLambda => Rule::QLambda(self.lambda),
        };
        LearningConfig {
            rule,
            rate: Ramp::constant(self.alpha),
            exploration: Exploration::epsilon(self.epsilon),
            traces: self.traces,
            ..TrainingConfig::of_document("document", 0).learning
        }
    }

    fn make(&mut self, size: &str, walls: &str, hidden: &str) -> Result<ConsoleReply, WorkError> {
        let (size, walls) = board(size, walls)?;
        let hidden = whole("H", hidden, 1, 10_000)? as usize;
        let config = TrainingConfig { hidden, ..TrainingConfig::of_document("document", 0) };
        self.ai = Some(on_cells!(size, C => Box::new(self.new_training::<C>(size, walls, config)?)));
        Ok(self.show())
    }

    /// A new network for a board. Repetition ends no game of its training: the document's knows no such rule.
    fn new_training<C: Cells>(
        &self,
        size: u8,
        walls: u8,
        config: TrainingConfig,
    ) -> Result<NetworkTraining<Quoridor<C>>, SetupError> {
        let mut game = referee(Quoridor::start_in(self.columns, size, walls, Walls::EMPTY)?, None);
        game.repetitions = None;
        Ok(NetworkTraining::new(&game, config, self.seed))
    }

    fn load(&mut self, file: &str) -> Result<ConsoleReply, WorkError> {
        let bytes = read_bytes(Path::new(file))?;
        let (size, walls) =
            board_of(&bytes).map_err(|fault| ConsoleError::NotAnAi { file: file.to_owned(), fault })?;
        let config = TrainingConfig::of_document(Quoridor::<u64>::ENCODINGS[0], 0);
        self.ai = Some(on_cells!(size, C => {
            Box::new(self.new_training::<C>(size, walls, config)?.continued_from(&bytes, file)?)
        }));
        Ok(self.show())
    }

    fn save(&self, file: &str) -> Result<ConsoleReply, WorkError> {
        let bytes = self.present()?.file();
        write_atomically(Path::new(file), |writer| writer.write_all(&bytes))?;
        Ok(said(format!("written to {file}"), json!({ "out": file })))
    }

    fn learn_by(&mut self, learning: Method) -> ConsoleReply {
        self.learning = learning;
        said(format!("training by {}", learning.name()), json!({ "learning": learning.name() }))
    }

    fn train(
        &mut self,
        games: &str,
        opponent: Option<&str>,
        watch: Watch<'_>,
    ) -> Result<ConsoleReply, WorkError> {
        let games = whole("GAMES", games, 1, 1_000_000_000_000)?;
        let learning = self.learning_config();
        let ai = self.ai.as_mut().ok_or(ConsoleError::NoAi)?;
        ai.meet(opponent.map(OpponentChoice::named).as_ref(), &self.store)?;
        ai.change(learning);
        let played = ai.learn(games, watch)?;
        Ok(said(format!("trained by {played} games: {}", ai.describe()), json!({ "games": played })))
    }

    fn compare(
        &mut self,
        file: &str,
        games: &str,
        epsilon: &str,
        watch: Watch<'_>,
    ) -> Result<ConsoleReply, WorkError> {
        let games = whole("GAMES", games, 1, 1_000_000)?;
        let epsilon = share("EPS", epsilon)?;
        let seed = Rng::stream(!self.seed, self.compared).seed() >> 11;
        let plan = MatchPlan { games, seed, ..MatchPlan::default() };
        let summary = self.present()?.compare(Path::new(file), &plan, epsilon, watch)?;
        self.compared += 1;
        let percent = |share: Option<f64>| format!("{:.1}", 100.0 * share.unwrap_or_default());
        let text = format!(
            "won {}, drew {}, lost {} of {games} games against {file}: {:.1}% won, {}% of the points ({} – {})",
            summary.tally.wins,
            summary.tally.draws,
            summary.tally.losses,
            100.0 * summary.tally.wins as f64 / games as f64,
            percent(summary.score),
            percent(summary.score_low),
            percent(summary.score_high)
        );
        Ok(said(text, json!({ "against": file, "eps": epsilon, "result": summary })))
    }

    fn play(&self, human: Seat) -> Result<ConsoleReply, WorkError> {
        Ok(ConsoleReply::Game(self.present()?.table(self.seed, !human, &self.store)?, Some(human)))
    }

    fn play_two_humans(&self, size: &str, walls: &str) -> Result<ConsoleReply, WorkError> {
        let (size, walls) = board(size, walls)?;
        let table = on_cells!(size, C => {
            let start = Quoridor::<C>::start_in(self.columns, size, walls, Walls::EMPTY)?;
            table_on(start, self.seed, Vec::new(), &self.store)
        });
        Ok(ConsoleReply::Game(table, None))
    }

    fn show(&self) -> ConsoleReply {
        let ai = self.ai.as_ref().map_or_else(|| "no AI yet".to_owned(), |ai| ai.describe());
        let (traces, columns) = (self.traces.write(), self.columns.write());
        let text = format!(
            "{ai}\n{}, alpha {}, eps {}, lambda {}, traces {traces}, start {columns}, seed {}",
            self.learning.name(),
            self.alpha,
            self.epsilon,
            self.lambda,
            self.seed
        );
        let facts = json!({
            "ai": ai, "learning": self.learning.name(), "alpha": self.alpha, "eps": self.epsilon,
            "lambda": self.lambda, "traces": traces, "start": columns, "seed": self.seed,
        });
        said(text, facts)
    }

    fn present(&self) -> Result<&dyn Ai, ConsoleError> {
        self.ai.as_deref().ok_or(ConsoleError::NoAi)
    }
}

/// The size and the walls of the board that the AI of a file is for.
fn board_of(bytes: &[u8]) -> Result<(u8, u8), AiFault> {
    let content = NpzNetwork::read(bytes).map_err(|reason| AiFault::File { reason })?;
    let number = |name: &'static str, least: u8, most: u8| {
        let number = content.number(name).ok_or(AiFault::NoNumber { name })?;
        let fits = u8::try_from(number).ok().filter(|number| (least..=most).contains(number));
        fits.ok_or(AiFault::Number { name, number, least, most })
    };
    Ok((number("N", SIZES.0, SIZES.1)?, number("WALLS", 0, MAX_WALLS)?))
}

fn said(text: String, facts: Value) -> ConsoleReply {
    let facts = match facts {
        Value::Object(facts) => facts,
        alone => Facts::from_iter([("answer".to_owned(), alone)]),
    };
    ConsoleReply::Said(text, facts)
}

fn set(parameter: &mut f64, name: &str, text: &str) -> Result<ConsoleReply, WorkError> {
    *parameter = share(name, text)?;
    Ok(said(format!("{name} {parameter}"), json!({ name: *parameter })))
}

/// Sets a parameter to one of its words.
fn choose<T: ParamType<Range = ()>>(
    parameter: &mut T,
    name: &str,
    word: &str,
    expected: &str,
) -> Result<ConsoleReply, WorkError> {
    let form =
        || ConsoleError::Form { line: format!("{name} {word}"), expected: format!("{name} {expected}") };
    *parameter = T::read(word, &()).ok_or_else(form)?;
    Ok(said(format!("{name} {word}"), json!({ name: word })))
}

fn share(name: &str, text: &str) -> Result<f64, ConsoleError> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| ConsoleError::Share { name: name.to_owned(), text: text.to_owned() })
}

fn whole(name: &str, text: &str, min: u64, max: u64) -> Result<u64, ConsoleError> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| ConsoleError::Whole { name: name.to_owned(), text: text.to_owned(), min, max })
}

/// The smallest and the largest board.
const SIZES: (u8, u8) = (3, 9);

fn board(size: &str, walls: &str) -> Result<(u8, u8), ConsoleError> {
    let (least, most) = SIZES;
    Ok((
        whole("N", size, least.into(), most.into())? as u8,
        whole("W", walls, 0, u64::from(MAX_WALLS))? as u8,
    ))
}
