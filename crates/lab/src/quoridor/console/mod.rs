//! The console of the document's second part (§2.9): an AI is made, trained, compared and played, line by line.
//!
//! Its own commands are the document's, with the meaning of its example script. What the document leaves to the help of
//! a program that we do not have is decided here: `compare FILE GAMES EPS` plays that many games, colours alternating,
//! and both sides play that share of random moves; `play` lets the AI play its best; `play human N W` is a game of two
//! people on a board of their own. `black`, `seed`, `show` and `help` are ours.

mod ai;
#[cfg(test)]
mod tests;

use std::path::Path;

use outplay_core::{Rng, Seat};
use outplay_games::quoridor::{Cells, MAX_WALLS, Quoridor, SetupError};
use outplay_nn::NpzNetwork;
use outplay_players::{Exploration, LearningConfig, Ramp, Rule};
use serde_json::{Value, json};

use super::{on_cells, referee};
use crate::console::{Console, ConsoleReply};
use crate::error::LabError;
use crate::learning::{NetworkTraining, SelfPlayGame, TrainingConfig};
use crate::registry::Facts;
use ai::{Ai, table_on};
use outplay_arena::matches::MatchPlan;
use outplay_runtime::Watch;
use outplay_runtime::files::{read_bytes, write_atomically};

/// A command: its name, its arguments, its help.
struct ConsoleCommand(&'static str, &'static str, &'static str);

const COMMANDS: [ConsoleCommand; 15] = [
    ConsoleCommand(
        "new",
        "N W H",
        "makes an AI for a board of N×N with W walls each: a network of H hidden neurons",
    ),
    ConsoleCommand("load", "FILE", "takes the AI of a file"),
    ConsoleCommand("save", "FILE", "writes the AI to a file that NumPy reads"),
    ConsoleCommand("eps", "X", "share of random moves in training"),
    ConsoleCommand("alpha", "X", "learning rate"),
    ConsoleCommand("lambda", "X", "decay of the eligibility trace per move"),
    ConsoleCommand("TD-lambda", "", "trains by TD(λ) from now on"),
    ConsoleCommand("Q-learning", "", "trains by Q-learning from now on"),
    ConsoleCommand("Q-lambda", "", "trains by Watkins' Q(λ) from now on"),
    ConsoleCommand("train", "GAMES", "trains the AI by this many games of self-play"),
    ConsoleCommand("compare", "FILE GAMES EPS", "plays the AI against that of a file, colours alternating"),
    ConsoleCommand(
        "play",
        "[black | human N W]",
        "play against the AI as white or black, or against each other",
    ),
    ConsoleCommand("seed", "S", "the seed of the next AI and of all that follows"),
    ConsoleCommand("show", "", "the AI and the parameters of its training"),
    ConsoleCommand("quit", "", "the end"),
];

/// The console of Quoridor.
pub(super) struct QuoridorConsole {
    learning: Method,
    alpha: f64,
    epsilon: f64,
    lambda: f64,
    seed: u64,
    /// Comparisons made, each of which has a seed of its own.
    compared: u64,
    ai: Option<Box<dyn Ai>>,
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

impl Default for QuoridorConsole {
    /// As the document's graph is drawn (§2.8): TD(λ), α = 0.4, ε = 0.3, λ = 0.9.
    fn default() -> Self {
        Self {
            learning: Method::TdLambda,
            alpha: 0.4,
            epsilon: 0.3,
            lambda: 0.9,
            seed: 0,
            compared: 0,
            ai: None,
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

    fn execute(&mut self, line: &str, watch: Watch<'_>) -> Result<ConsoleReply, LabError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(ConsoleReply::Nothing) };
        if first.eq_ignore_ascii_case("help") && rest.is_empty() {
            return Ok(said(self.help(), json!({ "help": self.help() })));
        }
        let known = COMMANDS.iter().find(|ConsoleCommand(name, ..)| name.eq_ignore_ascii_case(first));
        let Some(ConsoleCommand(name, more, _)) = known else {
            let names = COMMANDS.map(|ConsoleCommand(name, ..)| name).join(", ");
            return Err(LabError::refused(format!(
                "'{first}' is not a command: expected one of {names}, help"
            )));
        };
        let form = || LabError::refused(format!("'{}': expected {name} {more}", words.join(" ")).trim_end());
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
            ("train", &[games]) => self.train(games, watch),
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
            _ => Err(form()),
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
            ..TrainingConfig::of_document("document", 0).learning
        }
    }

    fn make(&mut self, size: &str, walls: &str, hidden: &str) -> Result<ConsoleReply, LabError> {
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
    ) -> Result<NetworkTraining<Quoridor<C>>, LabError> {
        let start = Quoridor::start(size, walls).map_err(|fault| LabError::refused(fault.to_string()))?;
        let mut game = referee(start, None);
        game.repetitions = None;
        Ok(NetworkTraining::new(&game, config, self.seed))
    }

    fn load(&mut self, file: &str) -> Result<ConsoleReply, LabError> {
        let bytes = read_bytes(Path::new(file))?;
        let refused = |why: String| LabError::refused(format!("{file} is not an AI: {why}"));
        let content = NpzNetwork::read(&bytes).map_err(|error| refused(error.to_string()))?;
        let number = |name: &str, least: u8, most: u8| {
            let number = content.number(name);
            let number = number.ok_or_else(|| refused(format!("it has no whole number {name}")))?;
            let fits = u8::try_from(number).ok().filter(|number| (least..=most).contains(number));
            fits.ok_or_else(|| refused(format!("{name} is {number}, expected {least} to {most}")))
        };
        let (size, walls) = (number("N", SIZES.0, SIZES.1)?, number("WALLS", 0, MAX_WALLS)?);
        let config = TrainingConfig::of_document(Quoridor::<u64>::ENCODINGS[0], 0);
        self.ai = Some(on_cells!(size, C => {
            Box::new(self.new_training::<C>(size, walls, config)?.continued_from(&bytes, file)?)
        }));
        Ok(self.show())
    }

    fn save(&self, file: &str) -> Result<ConsoleReply, LabError> {
        let bytes = self.present()?.file();
        write_atomically(Path::new(file), |writer| writer.write_all(&bytes))?;
        Ok(said(format!("written to {file}"), json!({ "out": file })))
    }

    fn learn_by(&mut self, learning: Method) -> ConsoleReply {
        self.learning = learning;
        said(format!("training by {}", learning.name()), json!({ "learning": learning.name() }))
    }

    fn train(&mut self, games: &str, watch: Watch<'_>) -> Result<ConsoleReply, LabError> {
        let games = whole("GAMES", games, 1, 1_000_000_000_000)?;
        let learning = self.learning_config();
        let ai = self.ai.as_mut().ok_or_else(nobody)?;
        ai.change(learning);
        ai.learn(games, watch)?;
        Ok(said(format!("trained by {games} games: {}", ai.describe()), json!({ "games": games })))
    }

    fn compare(
        &mut self,
        file: &str,
        games: &str,
        epsilon: &str,
        watch: Watch<'_>,
    ) -> Result<ConsoleReply, LabError> {
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

    fn play(&self, human: Seat) -> Result<ConsoleReply, LabError> {
        Ok(ConsoleReply::Game(self.present()?.table(self.seed, !human)?, Some(human)))
    }

    fn play_two_humans(&self, size: &str, walls: &str) -> Result<ConsoleReply, LabError> {
        let (size, walls) = board(size, walls)?;
        let refused = |fault: SetupError| LabError::refused(fault.to_string());
        let table = on_cells!(size, C => {
            let start = Quoridor::<C>::start(size, walls).map_err(refused)?;
            table_on(start, self.seed, Vec::new())
        });
        Ok(ConsoleReply::Game(table, None))
    }

    fn show(&self) -> ConsoleReply {
        let ai = self.ai.as_ref().map_or_else(|| "no AI yet".to_owned(), |ai| ai.describe());
        let text = format!(
            "{ai}\n{}, alpha {}, eps {}, lambda {}, seed {}",
            self.learning.name(),
            self.alpha,
            self.epsilon,
            self.lambda,
            self.seed
        );
        let facts = json!({
            "ai": ai, "learning": self.learning.name(), "alpha": self.alpha, "eps": self.epsilon,
            "lambda": self.lambda, "seed": self.seed,
        });
        said(text, facts)
    }

    fn present(&self) -> Result<&dyn Ai, LabError> {
        self.ai.as_deref().ok_or_else(nobody)
    }
}

fn nobody() -> LabError {
    LabError::refused("there is no AI yet: expected 'new N W H' or 'load FILE' first")
}

fn said(text: String, facts: Value) -> ConsoleReply {
    let facts = match facts {
        Value::Object(facts) => facts,
        alone => Facts::from_iter([("answer".to_owned(), alone)]),
    };
    ConsoleReply::Said(text, facts)
}

fn set(parameter: &mut f64, name: &str, text: &str) -> Result<ConsoleReply, LabError> {
    *parameter = share(name, text)?;
    Ok(said(format!("{name} {parameter}"), json!({ name: *parameter })))
}

fn share(name: &str, text: &str) -> Result<f64, LabError> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| LabError::refused(format!("{name} {text}: expected a number from 0 to 1")))
}

fn whole(name: &str, text: &str, min: u64, max: u64) -> Result<u64, LabError> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        LabError::refused(format!("{name} {text}: expected a whole number from {min} to {max}"))
    })
}

/// The smallest and the largest board.
const SIZES: (u8, u8) = (3, 9);

fn board(size: &str, walls: &str) -> Result<(u8, u8), LabError> {
    let (least, most) = SIZES;
    Ok((
        whole("N", size, least.into(), most.into())? as u8,
        whole("W", walls, 0, u64::from(MAX_WALLS))? as u8,
    ))
}
