//! How a network was trained, kept in its notes.
//!
//! A network is tested on examples that it has not learnt from: those of its own set that were kept apart, or those of
//! another set.

use outplay_core::errors;
use outplay_games::chess::dataset::GameExamples;
use outplay_nn::Network;
use outplay_runtime::WorkError;

use super::division::{DividedSet, Division, Part, fingerprint};
use super::{LabelParams, SplitParams};
use crate::params::{ParamType, Tracked};

errors! {
    /// Why a network cannot be tested as asked. Values are written as on the command line.
    pub enum TrainingNotesError {
        OtherSet { found: String, data: String } =
            "the set ({found}) is not the one that the network was taught with ({data}): expected that one as data=FILE, or fresh=yes to ask all of this one"
            | "l’ensemble ({found}) n’est pas celui dont le réseau fut instruit ({data}) : attendu celui-là par data=FICHIER, ou fresh=yes pour tout demander de celui-ci",
        NotFresh =
            "fresh=yes: the network was taught with this set, expected another one"
            | "fresh=yes : le réseau fut instruit de cet ensemble, attendu un autre",
        Unreadable { name: &'static str, text: String } =
            "the network says that it was taught with {name}={text}" | "le réseau dit avoir été instruit avec {name}={text}",
        OtherValue { name: &'static str, asked: String, said: String } =
            "{name}={asked}: the network was taught with {name}={said}, expected nothing else"
            | "{name}={asked} : le réseau fut instruit avec {name}={said}, rien d’autre n’est attendu",
    }
}

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
            ("split", split.write()),
            ("test", test.write()),
            ("bounds", bounds.write()),
            ("labels", labels.write()),
        ];
        notes.extend(self.data.clone().map(|data| ("data", data)));
        notes
    }

    /// The notes of a network; where it has none, what the user asked for.
    pub(super) fn of(
        network: &Network,
        (split, labelling): &(SplitParams, LabelParams),
        seed: Option<u64>,
    ) -> Result<Self, TrainingNotesError> {
        let division = Division {
            split: agreed(network, "split", &split.split, &())?,
            test: agreed(network, "test", &split.test, &(0.0..=1.0))?,
            bounds: agreed(network, "bounds", &labelling.bounds, &())?,
            labels: agreed(network, "labels", &labelling.labels, &())?,
        };
        let seed = noted(network, "seed", &seed.unwrap_or_default(), seed.is_some(), &(0..=u64::MAX))?;
        Ok(Self { seed, division, data: network.note("data").map(str::to_owned) })
    }

    /// The part of the set that was kept apart in training.
    pub(super) fn kept_apart(&self, set: &[GameExamples]) -> Result<Part, WorkError> {
        self.division.refuse_no_test()?;
        let found = fingerprint(set);
        if let Some(data) = self.data.clone().filter(|data| *data != found) {
            return Err(TrainingNotesError::OtherSet { found, data }.into());
        }
        Ok(DividedSet::divide(set, &self.division, self.seed)?.test)
    }

    /// All of a set that the network was not trained on.
    pub(super) fn fresh(&self, set: &[GameExamples]) -> Result<Part, WorkError> {
        if self.data.as_ref() == Some(&fingerprint(set)) {
            return Err(TrainingNotesError::NotFresh.into());
        }
        Ok(Part::whole(set, &self.division)?)
    }
}

/// A note of a network, or what the user asked for if it has none; a different value from the user is refused.
fn agreed<T: ParamType + PartialEq>(
    network: &Network,
    name: &'static str,
    asked: &Tracked<T>,
    range: &T::Range,
) -> Result<T, TrainingNotesError> {
    noted(network, name, &**asked, asked.is_given(), range)
}

fn noted<T: ParamType + PartialEq>(
    network: &Network,
    name: &'static str,
    asked: &T,
    is_given: bool,
    range: &T::Range,
) -> Result<T, TrainingNotesError> {
    let Some(text) = network.note(name) else { return Ok(asked.clone()) };
    let said =
        T::read(text, range).ok_or_else(|| TrainingNotesError::Unreadable { name, text: text.to_owned() })?;
    if is_given && *asked != said {
        return Err(TrainingNotesError::OtherValue { name, asked: asked.write(), said: said.write() });
    }
    Ok(said)
}
