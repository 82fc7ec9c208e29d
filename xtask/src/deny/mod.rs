//! `cargo xtask deny`: licences, banned and doubled packages, and where packages come from, by the rules in `deny.toml`.
//!
//! `cargo deny` itself is used where it is installed. Elsewhere the parts of its configuration that the project uses are checked
//! here, over what cargo has resolved for this platform: building that tool would take longer than most other checks together.
//! Advisories need a data base from outside, which neither run asks for.

mod spdx;

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use crate::metadata::{CargoPackage, PackageGraph};
use crate::run::{cargo, has_cargo_command};

const CONFIG: &str = "deny.toml";

/// The part of `cargo deny`'s configuration that is checked here.
#[derive(Deserialize)]
struct DenyConfig {
    licenses: LicenseRules,
    bans: BanRules,
    sources: SourceRules,
}

#[derive(Deserialize)]
struct LicenseRules {
    allow: Vec<String>,
    /// Licences of single packages. They count only for what is not part of the program that users get.
    exceptions: Vec<LicenseException>,
}

#[derive(Deserialize)]
struct LicenseException {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct BanRules {
    deny: Vec<NamedCrate>,
    skip: Vec<NamedCrate>,
}

/// A package by its name, `name` or `name@version`, and why it is on the list.
#[derive(Deserialize)]
struct NamedCrate {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SourceRules {
    allow_registry: Vec<String>,
}

/// Checks all packages of the project.
pub(crate) fn check() -> Result<(), String> {
    if has_cargo_command("deny") {
        return cargo("deny --offline --locked check licenses bans sources");
    }
    let text = fs::read_to_string(CONFIG).map_err(|error| format!("cannot read {CONFIG}: {error}"))?;
    let config: DenyConfig =
        toml::from_str(&text).map_err(|error| format!("{CONFIG} cannot be read: {error}"))?;
    let graph = PackageGraph::read()?;
    let product = graph.parts_of("outplay")?;
    let refusals = config.refusals(&graph.packages, |package| product.contains_key(package.id.as_str()));
    eprintln!("packages: {}, refused: {}", graph.packages.len(), refusals.len());
    if refusals.is_empty() { Ok(()) } else { Err(refusals.join("\n")) }
}

impl DenyConfig {
    /// What is wrong, one sentence each.
    fn refusals(&self, packages: &[CargoPackage], is_shipped: impl Fn(&CargoPackage) -> bool) -> Vec<String> {
        let of_one = |package: &CargoPackage| self.refusals_of(package, is_shipped(package));
        let mut refusals: Vec<String> = packages.iter().flat_map(of_one).collect();
        refusals.extend(self.doubles(packages));
        refusals
    }

    fn refusals_of(&self, package: &CargoPackage, is_shipped: bool) -> Vec<String> {
        let CargoPackage { name, version, license, source, .. } = package;
        let mut refusals = Vec::new();
        let licence = license.as_deref().unwrap_or_default();
        let exception =
            self.licenses.exceptions.iter().find(|exception| !is_shipped && exception.name == *name);
        let excepted = exception.map_or(&[][..], |exception| &exception.allow);
        if !spdx::is_allowed(licence, |name| {
            self.licenses.allow.iter().chain(excepted).any(|allowed| allowed == name)
        }) {
            refusals
                .push(format!("{name} {version} has the licence '{licence}', which {CONFIG} does not allow"));
        }
        if let Some(banned) = self.bans.deny.iter().find(|banned| banned.names(package)) {
            // A folder of the project may stand in for a package that is not wanted.
            if source.is_some() {
                refusals.push(format!("{name} {version} is banned: {}", banned.reason));
            }
        }
        let is_known = |source: &String| {
            let registry = source.strip_prefix("registry+");
            registry
                .is_some_and(|registry| self.sources.allow_registry.iter().any(|allowed| allowed == registry))
        };
        if let Some(source) = source.as_ref().filter(|source| !is_known(source)) {
            refusals.push(format!("{name} {version} comes from {source}, which {CONFIG} does not allow"));
        }
        refusals
    }

    /// Packages in several versions, unless all but one of them are listed with a reason; and listed ones that are gone.
    fn doubles(&self, packages: &[CargoPackage]) -> Vec<String> {
        let mut versions: BTreeMap<&str, Vec<&CargoPackage>> = BTreeMap::new();
        for package in packages {
            versions.entry(&package.name).or_default().push(package);
        }
        let is_listed =
            |package: &&&CargoPackage| self.bans.skip.iter().any(|skipped| skipped.names(package));
        let doubled = versions.iter().filter(|(_, all)| {
            let listed = all.iter().filter(is_listed).count();
            all.len() > listed + 1
        });
        let mut refusals: Vec<String> = doubled
            .map(|(name, all)| {
                let versions: Vec<&str> = all.iter().map(|package| package.version.as_str()).collect();
                format!(
                    "{name} is there in the versions {}: expected one, or a reason in {CONFIG}",
                    versions.join(", ")
                )
            })
            .collect();
        let is_gone = |skipped: &&NamedCrate| {
            versions.values().all(|all| all.len() < 2 || !all.iter().any(|package| skipped.names(package)))
        };
        let gone = self.bans.skip.iter().filter(is_gone);
        refusals
            .extend(gone.map(|skipped| format!("{CONFIG} skips {}, which is not there twice", skipped.name)));
        refusals
    }
}

impl NamedCrate {
    fn names(&self, package: &CargoPackage) -> bool {
        let (name, version) = self.name.split_once('@').unwrap_or((&self.name, ""));
        package.name == name && (version.is_empty() || package.version == version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn package(name: &str, version: &str, license: &str, source: Option<&str>) -> CargoPackage {
        CargoPackage {
            id: format!("{name}@{version}"),
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some(license.to_owned()),
            description: None,
            manifest_path: "Cargo.toml".into(),
            source: source.map(str::to_owned),
        }
    }

    fn refusals(packages: &[CargoPackage]) -> Vec<String> {
        let config = r#"
            [licenses]
            allow = ["MIT", "Apache-2.0"]
            exceptions = [{ crate = "oracle", allow = ["GPL-3.0-only"] }]
            [bans]
            deny = [{ crate = "left-pad", reason = "not needed" }]
            skip = [{ crate = "rand@0.9.0", reason = "of old" }]
            [sources]
            allow-registry = ["https://github.com/rust-lang/crates.io-index"]
        "#;
        toml::from_str::<DenyConfig>(config).unwrap().refusals(packages, |package| package.version == "1.0.0")
    }

    fn rands() -> Vec<CargoPackage> {
        ["0.9.0", "0.10.0"].map(|version| package("rand", version, "MIT", Some(REGISTRY))).into()
    }

    #[test]
    fn what_is_allowed_passes() {
        let mut packages = rands();
        packages.push(package("outplay", "1.0.0", "MIT OR Apache-2.0", None));
        packages.push(package("left-pad", "1.0.0", "MIT", None));
        packages.push(package("oracle", "2.0.0", "GPL-3.0-only", Some(REGISTRY)));
        assert_eq!(refusals(&packages), [""; 0]);
    }

    #[test]
    fn every_rule_can_refuse() {
        for (added, part) in [
            (package("a", "1.0.0", "GPL-3.0-only", Some(REGISTRY)), "has the licence 'GPL-3.0-only'"),
            (package("oracle", "1.0.0", "GPL-3.0-only", Some(REGISTRY)), "oracle 1.0.0 has the licence"),
            (package("left-pad", "1.0.0", "MIT", Some(REGISTRY)), "is banned: not needed"),
            (
                package("a", "1.0.0", "MIT", Some("git+https://example.org/a")),
                "comes from git+https://example.org/a",
            ),
            (
                package("rand", "0.8.0", "MIT", Some(REGISTRY)),
                "rand is there in the versions 0.9.0, 0.10.0, 0.8.0",
            ),
        ] {
            let mut packages = rands();
            packages.push(added);
            let refusals = refusals(&packages);
            assert!(refusals.len() == 1 && refusals[0].contains(part), "{refusals:?}");
        }
        assert_eq!(refusals(&[]), ["deny.toml skips rand@0.9.0, which is not there twice"]);
    }
}
