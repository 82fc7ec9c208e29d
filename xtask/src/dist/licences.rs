//! The licences of everything in the program that others wrote, in one text.
//!
//! Equal texts are given once, with all packages that they are for.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::metadata::PackageGraph;
use crate::page_packages::PagePackage;

const HEAD: &str = "Outplay contains the following packages. The licence of each stands before its name, the texts follow.\n\
    Rust's standard library is part of the program too, under MIT OR Apache-2.0 (https://www.rust-lang.org).\n\
    SQLite, in libsqlite3-sys, is in the public domain.\n\n";

/// All licences of the program, with a page of these packages.
pub(super) fn text(page: &[PagePackage]) -> Result<String, String> {
    let graph = PackageGraph::read()?;
    let mut list = String::from(HEAD);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |name: String, licence: &str, found: Vec<String>| {
        let _ = writeln!(list, "{licence:<40} {name}");
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    };
    for &id in graph.parts_of("outplay")?.keys() {
        let package = graph.package(id)?;
        if package.source.is_none() {
            continue;
        }
        let folder = package.manifest_path.parent().unwrap_or(Path::new("."));
        let name = format!("{} {}", package.name, package.version);
        add(name, package.license.as_deref().unwrap_or("?"), texts_below(folder, 1)?);
    }
    for package in page {
        let name = format!("{} {} (in the page)", package.name, package.version);
        add(name, package.license.as_deref().unwrap_or("?"), vec![tidy(&package.license_text)]);
    }
    for (text, mut names) in texts {
        names.dedup();
        let _ = write!(list, "\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", "));
    }
    Ok(list)
}

/// The texts of licences in a folder and in those below it down to a depth.
fn texts_below(folder: &Path, depth: u32) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            if depth > 0 {
                texts.extend(texts_below(&path, depth - 1)?);
            }
        } else if is_licence(&entry.file_name().to_string_lossy()) {
            let bytes = fs::read(&path).map_err(failed)?;
            texts.push(tidy(&String::from_utf8_lossy(&bytes)));
        }
    }
    Ok(texts)
}

/// Whether a file of this name holds a licence or what one asks to be passed on.
fn is_licence(name: &str) -> bool {
    let name = name.to_uppercase();
    let is_text = !["RS", "H", "C", "PY", "HTML"].iter().any(|end| name.ends_with(&format!(".{end}")));
    is_text
        && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// The text without blanks at the ends of lines, so that equal licences are equal.
fn tidy(text: &str) -> String {
    text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognised_by_their_names() {
        for name in ["LICENSE", "license-mit", "LICENSE-APACHE.txt", "COPYING", "NOTICE.md", "UNLICENSE"] {
            assert!(is_licence(name), "{name}");
        }
        for name in ["README.md", "license.rs", "my-license", "copying.c"] {
            assert!(!is_licence(name), "{name}");
        }
    }
}
