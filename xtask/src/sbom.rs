//! `cargo xtask sbom`: the bill of materials of the program, in the format CycloneDX.
//!
//! It lists what the program `outplay` is made of or built with on this platform, and the npm packages in the page. The same
//! sources give the same bytes: there is no time and no random number in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::metadata::{CargoPackage, PackageGraph};
use crate::page_packages::{self, PagePackage};

const FILE: &str = "target/sbom.cdx.json";
const PROGRAM: &str = "outplay";

/// Writes the bill of materials.
pub(crate) fn write() -> Result<(), String> {
    let text = text(&page_packages::read()?)?;
    check(&text)?;
    fs::write(FILE, text).map_err(|error| format!("cannot write {FILE}: {error}"))?;
    eprintln!("wrote {FILE}");
    Ok(())
}

/// The bill of materials as text, of a page with these packages.
pub(crate) fn text(page: &[PagePackage]) -> Result<String, String> {
    let lock =
        fs::read_to_string("Cargo.lock").map_err(|error| format!("cannot read Cargo.lock: {error}"))?;
    let bom = bill_of_materials(&PackageGraph::read()?, &read_checksums(&lock)?, page)?;
    Ok(format!("{bom:#}\n"))
}

/// The checksums in a lock file, by name and version.
fn read_checksums(lock: &str) -> Result<BTreeMap<(String, String), String>, String> {
    #[derive(Deserialize)]
    struct LockFile {
        package: Vec<LockedPackage>,
    }
    #[derive(Deserialize)]
    struct LockedPackage {
        name: String,
        version: String,
        checksum: Option<String>,
    }
    let lock: LockFile =
        toml::from_str(lock).map_err(|error| format!("Cargo.lock cannot be read: {error}"))?;
    let checksums = lock.package.into_iter();
    Ok(checksums.filter_map(|package| Some(((package.name, package.version), package.checksum?))).collect())
}

fn bill_of_materials(
    graph: &PackageGraph,
    checksums: &BTreeMap<(String, String), String>,
    page: &[PagePackage],
) -> Result<Value, String> {
    let parts = graph.parts_of(PROGRAM)?;
    let (mut program, mut components, mut dependencies) = (Value::Null, Vec::new(), Vec::new());
    for (&id, needed) in &parts {
        let package = graph.package(id)?;
        let mut needs =
            needed.iter().map(|id| graph.package(id).map(cargo_url)).collect::<Result<BTreeSet<_>, _>>()?;
        let checksum = checksums.get(&(package.name.clone(), package.version.clone()));
        let component = cargo_component(package, checksum.filter(|_| package.source.is_some()));
        if package.name == PROGRAM {
            needs.extend(page.iter().map(npm_url));
            program = component;
        } else {
            components.push(component);
        }
        dependencies.push(json!({ "ref": cargo_url(package), "dependsOn": needs }));
    }
    for package in page {
        components.push(npm_component(package));
        dependencies.push(json!({ "ref": npm_url(package), "dependsOn": [] }));
    }
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": program },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn cargo_component(package: &CargoPackage, checksum: Option<&String>) -> Value {
    let kind = if package.name == PROGRAM { "application" } else { "library" };
    let mut component = json!({
        "type": kind,
        "bom-ref": cargo_url(package),
        "name": package.name,
        "version": package.version,
        "licenses": licenses(package.license.as_deref()),
        "purl": cargo_url(package),
    });
    if let Some(description) = &package.description {
        component["description"] = json!(description.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

fn npm_component(package: &PagePackage) -> Value {
    json!({
        "type": "library",
        "bom-ref": npm_url(package),
        "name": package.name,
        "version": package.version,
        "licenses": licenses(package.license.as_deref()),
        "purl": npm_url(package),
    })
}

/// An SPDX expression as the format has it.
fn licenses(expression: Option<&str>) -> Value {
    expression
        .map_or_else(|| json!([]), |expression| json!([{ "expression": expression.replace('/', " OR ") }]))
}

fn cargo_url(package: &CargoPackage) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

fn npm_url(package: &PagePackage) -> String {
    format!("pkg:npm/{}@{}", package.name.replace('@', "%40"), package.version)
}

/// Refuses a text that is not a bill of materials of the program: a shape that the format does not have, a component that is
/// missing, or a reference to none.
fn check(text: &str) -> Result<(), String> {
    let bom: Value =
        serde_json::from_str(text).map_err(|error| format!("the bill of materials is no JSON: {error}"))?;
    let wrong = |what: &str| Err(format!("the bill of materials is wrong: {what}"));
    if bom["bomFormat"] != "CycloneDX"
        || bom["specVersion"] != "1.5"
        || bom["metadata"]["component"]["name"] != PROGRAM
    {
        return wrong("its head is not that of the format and of the program");
    }
    let Some(components) = bom["components"].as_array() else { return wrong("it has no components") };
    let mut known = BTreeSet::new();
    for component in components.iter().chain([&bom["metadata"]["component"]]) {
        for field in ["type", "name", "version", "purl", "bom-ref"] {
            if component[field].as_str().is_none_or(str::is_empty) {
                return wrong(&format!("{} has no {field}", component["name"]));
            }
        }
        if component["licenses"][0]["expression"].as_str().is_none_or(|licence| licence.contains('/')) {
            return wrong(&format!("{} has no licence", component["name"]));
        }
        if !known.insert(component["bom-ref"].as_str()) {
            return wrong(&format!("{} is there twice", component["bom-ref"]));
        }
    }
    let Some(dependencies) = bom["dependencies"].as_array() else { return wrong("it has no dependencies") };
    let needed = dependencies
        .iter()
        .flat_map(|entry| entry["dependsOn"].as_array().into_iter().flatten().chain([&entry["ref"]]));
    match needed.map(Value::as_str).find(|needed| !known.contains(needed)) {
        Some(unknown) => wrong(&format!("{unknown:?} is needed and not listed")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<PagePackage> {
        let package = |name: &str| PagePackage {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            license: Some("MIT".to_owned()),
            license_text: String::new(),
        };
        vec![package("@scope/part"), package("svelte")]
    }

    fn real() -> String {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        std::env::set_current_dir(root).unwrap();
        text(&page()).unwrap()
    }

    /// The bill of materials of these sources has the shape of the format, and is the same each time.
    #[test]
    fn these_sources_have_a_bill_of_materials() {
        let bom = real();
        check(&bom).unwrap();
        assert_eq!(bom, real());
        for part in [
            "pkg:cargo/outplay-games@",
            "pkg:cargo/serde@",
            "pkg:npm/svelte@1.2.3",
            "pkg:npm/%40scope/part@1.2.3",
            "SHA-256",
        ] {
            assert!(bom.contains(part), "{part}");
        }
        for absent in ["pkg:cargo/proptest@", "pkg:cargo/shakmaty@", "pkg:cargo/xtask@"] {
            assert!(!bom.contains(absent), "{absent} is for tests");
        }
    }

    #[test]
    fn what_is_not_of_the_shape_is_refused() {
        let bom: Value = serde_json::from_str(&real()).unwrap();
        let mut without_licence = bom.clone();
        without_licence["components"][0]["licenses"] = json!([]);
        let mut twice = bom.clone();
        twice["components"][0] = twice["components"][1].clone();
        let mut older = bom.clone();
        older["specVersion"] = json!("1.2");
        let mut unknown = bom;
        unknown["dependencies"][0]["dependsOn"] = json!(["pkg:cargo/nothing@1.0.0"]);
        for wrong in [without_licence, twice, older, unknown] {
            assert!(check(&wrong.to_string()).is_err());
        }
    }
}
