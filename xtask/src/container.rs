//! The container file, judged by a linter; what no linter can know of it is tested here.

use std::path::Path;
use std::process::Command;

use crate::run::run_quietly;

const FILE: &str = "Dockerfile";
/// Checks the container file; `python` has the linter beside it (tests/requirements.txt).
pub(crate) fn lint(python: &Path) -> Result<(), String> {
    run_quietly(Command::new(python.with_file_name("hadolint")).arg(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const IGNORED: &str = ".dockerignore";

    /// What the file does not have of what it should: a fixed base, a user without rights, a check of health, files that are there.
    fn faults(text: &str, ignored: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
        let joined = text.replace("\\\n", " ");
        let lines: Vec<Vec<&str>> = joined.lines().map(|line| line.split_whitespace().collect()).collect();
        let of = |name: &'static str| lines.iter().filter(move |words| words.first() == Some(&name));
        let mut faults = Vec::new();
        let stages: Vec<&str> = of("FROM").filter_map(|words| words.get(3).copied()).collect();
        for base in of("FROM").filter_map(|words| words.get(1)) {
            let is_fixed = base.split_once(':').is_some_and(|(_, tag)| tag != "latest");
            if !is_fixed && *base != "scratch" && !stages.contains(base) {
                faults.push(format!("{FILE} begins with {base}: expected a tag other than latest"));
            }
        }
        let last_stage = lines.iter().rposition(|words| words.first() == Some(&"FROM")).unwrap_or_default();
        let mut users = lines[last_stage..].iter().filter(|words| words.first() == Some(&"USER"));
        if users.next_back().is_none_or(|words| {
            words.get(1).is_none_or(|user| user.starts_with("root") || user.starts_with('0'))
        }) {
            faults.push(format!("{FILE} runs as root: expected another USER in its last stage"));
        }
        if !lines[last_stage..]
            .iter()
            .any(|words| words.first() == Some(&"HEALTHCHECK") && words.get(1) != Some(&"NONE"))
        {
            faults.push(format!("{FILE} has no HEALTHCHECK in its last stage"));
        }
        let copied = of("COPY").filter(|words| !words.iter().any(|word| word.starts_with("--from=")));
        for path in copied.flat_map(|words| &words[1..words.len() - 1]) {
            let is_sent = ignored.lines().any(|line| line.strip_prefix('!') == Some(path));
            if !exists(path) || !is_sent {
                faults.push(format!(
                    "{FILE} copies {path}: expected a file of the project that {IGNORED} lets through"
                ));
            }
        }
        faults
    }

    const GOOD: &str = "FROM rust:1.95 AS build\nCOPY a b ./\nRUN x \\\n    && y\nFROM scratch\nCOPY --from=build /x /x\n\
                        USER 10001:10001\nHEALTHCHECK CMD [\"/x\", \"--check\"]\n";

    fn found(text: &str) -> Vec<String> {
        faults(text, "*\n!a\n!b\n", |path| path != "missing")
    }

    #[test]
    fn a_good_file_passes_and_each_fault_is_named() {
        assert_eq!(found(GOOD), [""; 0]);
        for (from, to, part) in [
            ("rust:1.95", "rust", "begins with rust"),
            ("rust:1.95", "rust:latest", "begins with rust:latest"),
            ("USER 10001:10001\n", "", "runs as root"),
            ("USER 10001:10001", "USER 0", "runs as root"),
            ("HEALTHCHECK CMD", "CMD", "has no HEALTHCHECK"),
            ("COPY a b", "COPY missing b", "copies missing"),
            ("COPY a b", "COPY a c", "copies c"),
        ] {
            let faults = found(&GOOD.replace(from, to));
            assert!(faults.len() == 1 && faults[0].contains(part), "{to}: {faults:?}");
        }
    }

    #[test]
    fn the_file_of_the_project_passes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        assert_eq!(faults(&read(FILE), &read(IGNORED), |path| root.join(path).exists()), [""; 0]);
    }
}
