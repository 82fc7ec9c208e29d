//! `cargo xtask fuzz`: coverage-guided fuzzing of what reads texts and files, by libFuzzer.
//!
//! The targets are the programs of the crate `fuzz`, a workspace of its own. The compiler adds counters to every branch by its own
//! stable options, so neither a nightly toolchain nor another tool is needed; libFuzzer itself is C++.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::metadata::host;
use crate::run::cargo_with;

const FOLDER: &str = "fuzz";
const WORK: &str = "target/fuzz";
/// The longest input, in bytes.
const MAX_LENGTH: u32 = 4096;
/// The longest time for one input, in seconds. A busy machine must not make findings.
const TIMEOUT: u32 = 25;
/// The most memory of a target, in MB.
const MEMORY: u32 = 2048;

/// What the compiler adds to the code: a counter for each edge of the control flow, a table of where they are, and the operands of
/// comparisons.
const COUNTERS: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// What the user asked for.
pub(crate) struct FuzzPlan {
    /// Seconds for all targets together.
    pub(crate) seconds: u32,
    /// One target only.
    pub(crate) target: Option<String>,
    /// The seed of the mutations; a new one each time, if not given.
    pub(crate) seed: Option<u32>,
}

impl FuzzPlan {
    /// What `cargo xtask test` does: the same mutations each time, so that a change is judged and not luck.
    pub(crate) const CHECK: Self = Self { seconds: 60, target: None, seed: Some(1) };

    /// Reads `--seconds N` and `--target T`.
    pub(crate) fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut plan = Self { seconds: 60, target: None, seed: None };
        for pair in arguments.chunks(2) {
            match *pair {
                ["--seconds", seconds] => {
                    let number = seconds.parse().ok().filter(|&number| number > 0);
                    plan.seconds = number
                        .ok_or_else(|| format!("--seconds {seconds}: expected a whole number above 0"))?;
                }
                ["--target", target] => plan.target = Some(target.to_owned()),
                _ => return Err(format!("'{}': expected --seconds N or --target T", pair.join(" "))),
            }
        }
        Ok(plan)
    }
}

/// Builds the targets and runs each for its share of the time.
pub(crate) fn run(plan: &FuzzPlan) -> Result<(), String> {
    let all = targets()?;
    let chosen = match &plan.target {
        None => all,
        Some(name) if all.contains(name) => vec![name.clone()],
        Some(name) => return Err(format!("unknown target '{name}': expected one of {}", all.join(", "))),
    };
    let programs = build()?;
    let seconds = (plan.seconds / chosen.len() as u32).max(1);
    for target in &chosen {
        eprintln!("fuzz {target}: {}", fuzz(&programs.join(target), target, seconds, plan.seed)?);
    }
    Ok(())
}

/// The names of the targets: those of the programs in the crate.
fn targets() -> Result<Vec<String>, String> {
    let folder = Path::new(FOLDER).join("src/bin");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    Ok(names)
}

/// Builds all targets and returns the folder of their programs. Naming the host as target keeps the counters out of macros and
/// build scripts.
fn build() -> Result<PathBuf, String> {
    let host = host()?;
    let flags: Vec<&str> = COUNTERS.into_iter().chain(["-Ctarget-cpu=native"]).collect();
    let target =
        std::path::absolute(WORK).map_err(|error| format!("{WORK} has no absolute path: {error}"))?;
    let arguments =
        format!("build --manifest-path {FOLDER}/Cargo.toml --release --locked --bins --target {host}");
    let environment = [
        ("RUSTFLAGS", flags.join(" ").into()),
        ("CARGO_TARGET_DIR", target.clone().into_os_string()),
        // The studio is asked for no page.
        ("OUTPLAY_PAGE", "none".into()),
    ];
    let environment = environment.each_ref().map(|(name, value)| (*name, value.as_os_str()));
    cargo_with(&arguments, &environment)?;
    Ok(target.join(host).join("release"))
}

/// Runs one target and returns what libFuzzer says of the run in one line.
fn fuzz(program: &Path, target: &str, seconds: u32, seed: Option<u32>) -> Result<String, String> {
    let work = Path::new(WORK);
    let (corpus, findings) = (work.join("corpus").join(target), work.join("findings").join(target));
    for folder in [&corpus, &findings, &work.join("logs")] {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let log = work.join("logs").join(format!("{target}.txt"));
    let file = File::create(&log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let mut command = Command::new(program);
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-max_len={MAX_LENGTH}"),
        format!("-timeout={TIMEOUT}"),
        format!("-rss_limit_mb={MEMORY}"),
        format!("-seed={}", seed.unwrap_or_default()),
        format!("-artifact_prefix={}/", findings.display()),
        "-print_final_stats=1".to_owned(),
    ]);
    let words = Path::new(FOLDER).join("words").join(format!("{target}.txt"));
    if words.exists() {
        command.arg(format!("-dict={}", words.display()));
    }
    command.arg(&corpus).arg(Path::new(FOLDER).join("seeds").join(target));
    let status = command.stdout(Stdio::null()).stderr(file).status();
    let status = status.map_err(|error| format!("{} could not be started: {error}", program.display()))?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    if status.success() {
        Ok(summary(&said))
    } else {
        Err(format!(
            "the target {target} failed ({status}); {} has the input and {} the reason:\n{}",
            findings.display(),
            log.display(),
            reason(&said)
        ))
    }
}

/// Executions and coverage, from the end of a log.
fn summary(said: &str) -> String {
    let executions = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let last = said.lines().rfind(|line| line.contains(" cov: ")).unwrap_or_default();
    let number = |name: &str| {
        let mut words = last.split_whitespace().skip_while(|word| *word != name);
        words.nth(1).unwrap_or("?").to_owned()
    };
    let executions = executions.map_or("?", str::trim);
    format!("{executions} executions, {} edges covered, {} inputs kept", number("cov:"), number("corp:"))
}

/// The lines of a log that say why a target failed.
fn reason(said: &str) -> String {
    let is_telling = |line: &&str| {
        line.contains("panicked at")
            || line.contains("ERROR: libFuzzer")
            || line.contains("Test unit written")
    };
    let mut lines: Vec<&str> = Vec::new();
    let mut all = said.lines();
    while let Some(line) = all.next() {
        if is_telling(&line) {
            lines.push(line);
            if line.contains("panicked at") {
                lines.extend(all.next());
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_summed_up() {
        let said = "#2\tINITED cov: 10 ft: 11 corp: 2/5b exec/s: 0 rss: 30Mb\n#99\tDONE   cov: 120 ft: 300 corp: 17/2Kb lim: 60\n\
                    Done 99 runs in 2 second(s)\nstat::number_of_executed_units: 99\n";
        assert_eq!(summary(said), "99 executions, 120 edges covered, 17/2Kb inputs kept");
    }

    #[test]
    fn a_panic_is_quoted() {
        let said = "noise\nthread 'main' panicked at src/lib.rs:1:2:\nindex out of bounds\nstack\n==1== ERROR: libFuzzer: deadly signal\n";
        let quoted = "thread 'main' panicked at src/lib.rs:1:2:\nindex out of bounds\n==1== ERROR: libFuzzer: deadly signal";
        assert_eq!(reason(said), quoted);
    }

    #[test]
    fn options_are_read_or_refused() {
        let plan = FuzzPlan::read(&["--target", "fen", "--seconds", "5"]).unwrap();
        assert_eq!((plan.target.as_deref(), plan.seconds), (Some("fen"), 5));
        for bad in [&["--seconds", "0"][..], &["--seconds"], &["fen"]] {
            assert!(FuzzPlan::read(bad).is_err(), "{bad:?}");
        }
    }
}
