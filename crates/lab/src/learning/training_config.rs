//! What a network is and how it learns, and the texts in which this is written down: in the history of a file, and in the
//! fingerprint by which earlier runs are found again.

use outplay_nn::Activation;
use outplay_players::{Ends, Exploration, LearningConfig, Ramp, Rule, TraceSets};

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
                traces: TraceSets::Shared,
            },
        }
    }

    /// The text by which the configuration of a run is compared with that of an earlier one. Types that were renamed
    /// keep their first names in it, and what was added later is left out at its default, so that earlier runs are found
    /// again.
    pub fn fingerprint_text(&self) -> String {
        format!("{self:?}")
            .replace("TrainingConfig", "NetworkCourse")
            .replace("learning: LearningConfig", "studies: Studies")
            .replace(", traces: Shared", "")
    }

    /// The method for this many games, as on the command line; the network's shape is given for a new one only.
    pub(super) fn method(&self, games: u64, is_new: bool) -> String {
        let LearningConfig { rule, rate, exploration, ends, traces } = self.learning;
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
        words.extend((traces == TraceSets::PerSeat).then(|| "traces=own".to_owned()));
        if exploration.soft_games > 0 {
            let Exploration { soft_games, temperature, .. } = exploration;
            words.push(format!("softmax={soft_games} temperature={temperature}"));
        }
        words.push(format!("ends={}", if ends == Ends::Known { "known" } else { "judged" }));
        words.join(" ")
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
            "games=90 traces=own lambda=0.5",
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
