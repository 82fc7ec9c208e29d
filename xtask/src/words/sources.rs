//! The project's Rust sources as text.

use std::fs;
use std::path::Path;

/// A source file, by its path from the project's root with `/` between the parts.
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) text: String,
}

impl SourceFile {
    /// Whether this is a test, a bench or an example, which may name its own types.
    pub(super) fn is_test(&self) -> bool {
        let path = &self.path;
        ["/tests", "/testing", "/benches/", "/examples/"].iter().any(|part| path.contains(part))
            || path.ends_with("tests.rs")
    }

    /// The text before the unit tests at its end.
    pub(super) fn without_unit_tests(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
    }
}

/// All of them, in the order of their paths.
pub(super) fn read_all() -> Result<Vec<SourceFile>, String> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(Path::new(folder), &mut files)?;
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<SourceFile>) -> Result<(), String> {
    let failed = |path: &Path, error| format!("cannot read {}: {error}", path.display());
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
            files.push(SourceFile { path: path.display().to_string().replace('\\', "/"), text });
        }
    }
    Ok(())
}
