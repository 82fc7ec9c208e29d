//! `cargo xtask …`: the project's own chores.
//!
//! What a contributor runs on the project is here; what a user of Outplay runs is the `outplay` binary's. `cargo xtask test`
//! is every check there is. It needs a Rust toolchain and Node, and installs the rest.

mod checks;
mod container;
mod deny;
mod dist;
mod fuzz;
mod install;
mod metadata;
mod ordeal;
mod page_packages;
mod reports;
mod run;
mod sbom;
mod skipped;
mod soak;
mod studio_process;
mod words;

use std::env;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str =
    "usage: cargo xtask test     every check: names and words, format, lints, tests, doctests, the page's own, also in Chromium, smoke of all artefacts
       cargo xtask words    the check of names and words alone
       cargo xtask deny     licences, banned and doubled packages, and where they come from (deny.toml)
       cargo xtask fuzz [--seconds N] [--target T]    coverage-guided fuzzing, 60 s over all targets if not said otherwise
       cargo xtask sbom     writes target/sbom.cdx.json, the program's bill of materials
       cargo xtask dist     writes a release for this platform to target/archive
       cargo xtask bench    the speeds of this build, by criterion and by `outplay bench`
       cargo xtask openapi  writes web/openapi.json, from which the page's types are made, as the studio describes itself
       cargo xtask ordeal [--kills N] [--seed S]  kills, starves and resumes works of the built program, and compares what they leave
       cargo xtask soak --minutes N  uses the built program's studio for so long, and fails if its memory or its open files grow
       cargo xtask reports [PAPER[/ARTEFACT]]  the reports in papers/ from the runs kept there; what is named is run at full scale before

`test` lists at its end what it could not try. With CI=true that is a failure.";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = enter_root().and_then(|()| {
        match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["test"] => checks::test(),
            ["words"] => words::check(),
            ["deny"] => deny::check(),
            ["fuzz", options @ ..] => fuzz::run(&fuzz::FuzzPlan::read(options)?),
            ["sbom"] => sbom::write(),
            ["dist"] => dist::make(),
            ["bench"] => reports::bench(),
            ["openapi"] => checks::write_openapi(),
            ["reports"] => reports::remake(None),
            ["reports", named] => reports::remake(Some(named)),
            ["ordeal", options @ ..] => checks::ordeal(options),
            ["soak", "--minutes", minutes] => soak::run(minutes),
            _ => Err(USAGE.to_owned()),
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// All paths of these chores start at the project's root.
fn enter_root() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    env::set_current_dir(&root).map_err(|error| format!("cannot enter {}: {error}", root.display()))
}
