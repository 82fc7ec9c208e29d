//! The packages of the project and of everything it depends on, as cargo resolves them for this platform.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::run::output_of;

/// What `cargo metadata` says.
#[derive(Deserialize)]
pub(crate) struct PackageGraph {
    pub(crate) packages: Vec<CargoPackage>,
    resolve: ResolvedGraph,
}

/// A package.
#[derive(Deserialize)]
pub(crate) struct CargoPackage {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) manifest_path: PathBuf,
    /// Where it comes from; `None` for a folder of the project.
    pub(crate) source: Option<String>,
}

#[derive(Deserialize)]
struct ResolvedGraph {
    nodes: Vec<ResolvedPackage>,
}

#[derive(Deserialize)]
struct ResolvedPackage {
    id: String,
    deps: Vec<ResolvedDependency>,
}

#[derive(Deserialize)]
struct ResolvedDependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for a normal dependency.
    kind: Option<String>,
}

impl PackageGraph {
    /// Asks cargo. Nothing is downloaded: builds and tests have fetched what is needed for this platform.
    pub(crate) fn read() -> Result<Self, String> {
        let host = host()?;
        let arguments = ["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform"];
        let text = output_of(Command::new("cargo").args(arguments).arg(host))?;
        serde_json::from_str(&text).map_err(|error| format!("'cargo metadata' cannot be read: {error}"))
    }

    /// The packages that a program is made of or built with, by identifier, each with those it depends on. What only tests need
    /// is left out.
    pub(crate) fn parts_of(&self, program: &str) -> Result<BTreeMap<&str, BTreeSet<&str>>, String> {
        let root = self.packages.iter().find(|package| package.name == program && package.source.is_none());
        let root = root.ok_or_else(|| format!("there is no package '{program}'"))?;
        let (mut parts, mut open) = (BTreeMap::new(), vec![root.id.as_str()]);
        while let Some(id) = open.pop() {
            if !parts.contains_key(id) {
                let needed = self.needed_by(id);
                open.extend(&needed);
                parts.insert(id, needed);
            }
        }
        Ok(parts)
    }

    /// The normal and build dependencies of a package.
    fn needed_by(&self, id: &str) -> BTreeSet<&str> {
        let node = self.resolve.nodes.iter().find(|node| node.id == id);
        let is_needed = |dependency: &&ResolvedDependency| {
            dependency.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev"))
        };
        let deps = node.into_iter().flat_map(|node| &node.deps);
        deps.filter(is_needed).map(|dependency| dependency.pkg.as_str()).collect()
    }

    /// The package with this identifier.
    pub(crate) fn package(&self, id: &str) -> Result<&CargoPackage, String> {
        let found = self.packages.iter().find(|package| package.id == id);
        found.ok_or_else(|| format!("'cargo metadata' does not describe {id}"))
    }
}

/// The platform that programs are built for here.
pub(crate) fn host() -> Result<String, String> {
    let version = output_of(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "'rustc -vV' names no host".to_owned())
}
