//! How a network was trained, kept in its notes.
//!
//! A network is tested on examples that it has not learnt from: those of its own set that were kept apart, or those of
//! another set.

use std::fmt::Display;
use std::str::FromStr;

use outplay_games::chess::dataset::GameExamples;
use outplay_nn::Network;

use super::division::{DividedSet, Division, Part, fingerprint};
use crate::error::LabError;
use crate::spec::Values;

/// How a network was trained.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TrainingNotes {
    pub(super) seed: u64,
    pub(super) division: Division,
    /// The fingerprint of its set; files of earlier versions do not have it.
    pub(super) data: Option<String>,
}

impl TrainingNotes {
    /// As a network keeps it.
    pub(super) fn notes(&self) -> Vec<(&'static str, String)> {
        let Division { split, test, bounds, labels } = &self.division;
        let mut notes = vec![
            ("seed", self.seed.to_string()),
            ("split", split.to_string()),
            ("test", test.to_string()),
            ("bounds", bounds.to_string()),
            ("labels", labels.to_string()),
        ];
        notes.extend(self.data.clone().map(|data| ("data", data)));
        notes
    }

    /// The notes of a network; where it has none, what the user asked for.
    pub(super) fn of(network: &Network, values: &Values, seed: Option<u64>) -> Result<Self, LabError> {
        let asked = Division::of(values)?;
        let given = |name| values.first_given(&[name]).is_some();
        let division = Division {
            split: agreed(network, "split", asked.split, given("split"))?,
            test: agreed(network, "test", asked.test, given("test"))?,
            bounds: agreed(network, "bounds", asked.bounds, given("bounds"))?,
            labels: agreed(network, "labels", asked.labels, given("labels"))?,
        };
        let seed = agreed(network, "seed", seed.unwrap_or_default(), seed.is_some())?;
        Ok(Self { seed, division, data: network.note("data").map(str::to_owned) })
    }

    /// The part of the set that was kept apart in training.
    pub(super) fn kept_apart(&self, set: &[GameExamples]) -> Result<Part, LabError> {
        self.division.refuse_no_test()?;
        let found = fingerprint(set);
        if let Some(data) = self.data.as_ref().filter(|data| **data != found) {
            return Err(LabError::refused(format!(
                "the set ({found}) is not the one that the network was taught with ({data}): expected that one as data=FILE, \
                 or fresh=yes to ask all of this one"
            )));
        }
        Ok(DividedSet::divide(set, &self.division, self.seed)?.test)
    }

    /// All of a set that the network was not trained on.
    pub(super) fn fresh(&self, set: &[GameExamples]) -> Result<Part, LabError> {
        if self.data.as_ref() == Some(&fingerprint(set)) {
            return Err(LabError::refused(
                "fresh=yes: the network was taught with this set, expected another one",
            ));
        }
        Part::whole(set, &self.division)
    }
}

/// A note of a network, or what the user asked for if it has none; a different value from the user is refused.
fn agreed<T: FromStr + PartialEq + Display>(
    network: &Network,
    name: &str,
    asked: T,
    is_given: bool,
) -> Result<T, LabError> {
    let Some(text) = network.note(name) else { return Ok(asked) };
    let said = text
        .parse()
        .map_err(|_| LabError::refused(format!("the network says that it was taught with {name}={text}")))?;
    if is_given && asked != said {
        return Err(LabError::refused(format!(
            "{name}={asked}: the network was taught with {name}={said}, expected nothing else"
        )));
    }
    Ok(said)
}
