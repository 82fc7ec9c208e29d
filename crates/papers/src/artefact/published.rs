//! The document's own numbers.

use outplay_core::{ForeignWords, errors};
use outplay_runtime::WorkError;
use serde::de::DeserializeOwned;

errors! {
    /// Why a document's numbers cannot be compared with.
    pub enum PublishedError {
        Damaged { reason: ForeignWords } =
            "the published numbers cannot be read: {reason}" | "les nombres publiés ne peuvent être lus : {reason}",
        DamagedArtefact { artefact: String, reason: ForeignWords } =
            "the published numbers of {artefact} cannot be read: {reason}"
            | "les nombres publiés de {artefact} ne peuvent être lus : {reason}",
        NoArtefact { artefact: String } =
            "{artefact} is not among the published numbers" | "{artefact} n’est pas parmi les nombres publiés",
        NoNumber { key: &'static str, artefact: &'static str } =
            "{key} of {artefact} is not published" | "{key} de {artefact} n’est pas publié",
        NoPlayer { source: String, player: String } =
            "{source} has no player {player}" | "{source} n’a pas de joueur {player}",
        NoBoard { source: String, board: String } =
            "{source} has no board {board}" | "{source} n’a pas de plateau {board}",
    }
}

/// The numbers of one document: a table of TOML for each artefact that has any.
#[derive(Clone, Debug, PartialEq)]
pub struct Published(toml::Table);

impl Published {
    /// Reads a `published.toml`.
    pub fn read(text: &str) -> Result<Self, WorkError> {
        let damaged = |error: toml::de::Error| PublishedError::Damaged { reason: ForeignWords::of(&error) };
        Ok(text.parse().map(Self).map_err(damaged)?)
    }

    /// What the document says of this artefact; nothing if it has no numbers there.
    pub fn of<T: DeserializeOwned>(&self, artefact: &str) -> Result<Option<T>, WorkError> {
        let Some(numbers) = self.0.get(artefact) else { return Ok(None) };
        numbers.clone().try_into().map(Some).map_err(|error: toml::de::Error| {
            let artefact = artefact.to_owned();
            PublishedError::DamagedArtefact { artefact, reason: ForeignWords::of(&error) }.into()
        })
    }

    /// What the document says of this artefact, which must be there.
    pub fn needed<T: DeserializeOwned>(&self, artefact: &str) -> Result<T, WorkError> {
        let missing = || PublishedError::NoArtefact { artefact: artefact.to_owned() };
        Ok(self.of(artefact)?.ok_or_else(missing)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Numbers {
        shares: Vec<f64>,
    }

    #[test]
    fn numbers_are_found_by_artefact() {
        let published = Published::read("[table-1]\nshares = [1.5, 2.0]").unwrap();
        assert_eq!(published.of::<Numbers>("table-1").unwrap().unwrap().shares, [1.5, 2.0]);
        assert!(published.of::<Numbers>("table-2").unwrap().is_none());
        assert!(published.of::<u64>("table-1").unwrap_err().to_string().contains("table-1"));
        assert!(Published::read("no toml").is_err());
    }
}
