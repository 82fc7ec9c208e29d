//! Writes the manual pages and the completions of shells, from the definition of the command line.
//!
//! `cargo run --package outplay --example manual -- FOLDER`, which `cargo xtask dist` calls.

// The definition is the program's; only its shape is used here.
#[allow(dead_code)]
#[path = "../src/args.rs"]
mod args;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use clap::CommandFactory;
use clap_complete::Shell;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("expected the folder to write to");
        return ExitCode::from(2);
    };
    match write(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write to {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man/man1"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let mut command = args::Cli::command();
    clap_mangen::generate_to(command.clone(), &pages)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command, "outplay", &completions)?;
    }
    Ok(())
}
