//! The document's own numbers.

use serde::de::DeserializeOwned;

use outplay_lab::LabError;

/// The numbers of one document: a table of TOML for each artefact that has any.
#[derive(Clone, Debug, PartialEq)]
pub struct Published(toml::Table);

impl Published {
    /// Reads a `published.toml`.
    pub fn read(text: &str) -> Result<Self, LabError> {
        text.parse()
            .map(Self)
            .map_err(|error| LabError::refused(format!("the published numbers cannot be read: {error}")))
    }

    /// What the document says of this artefact; nothing if it has no numbers there.
    pub fn of<T: DeserializeOwned>(&self, artefact: &str) -> Result<Option<T>, LabError> {
        let Some(numbers) = self.0.get(artefact) else { return Ok(None) };
        numbers.clone().try_into().map(Some).map_err(|error| {
            LabError::refused(format!("the published numbers of {artefact} cannot be read: {error}"))
        })
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
