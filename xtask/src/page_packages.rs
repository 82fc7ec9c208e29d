//! The npm packages of which some code ends in the page, as the bundler names them when it builds the page.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::run::npm_with;

/// A package in the page.
#[derive(Deserialize)]
pub(crate) struct PagePackage {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    #[serde(rename = "identifier")]
    pub(crate) license: Option<String>,
    /// The text of its licence.
    #[serde(rename = "text", default)]
    pub(crate) license_text: String,
}

/// Builds the page aside and reads what the bundler noted of it. The packages of the page must be installed.
pub(crate) fn read() -> Result<Vec<PagePackage>, String> {
    let folder = std::path::absolute("target/page")
        .map_err(|error| format!("target/page has no absolute path: {error}"))?;
    npm_with("build", &["--outDir", &folder.to_string_lossy(), "--emptyOutDir"], &[])?;
    parse(&folder.join("licences.json"))
}

fn parse(file: &Path) -> Result<Vec<PagePackage>, String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut packages: Vec<PagePackage> =
        serde_json::from_str(&text).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(packages)
}
