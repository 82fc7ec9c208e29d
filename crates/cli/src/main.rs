//! `outplay`: the one binary.
//!
//! Belongs here: reading the command line, drawing on the terminal. Does not belong here: anything that a
//! studio would need too, which is the lab's.
//!
//! Laws of this room:
//! - with `--json` standard output carries JSON and nothing else; what is meant for people goes to standard error;
//! - bad input is answered by one sentence and exit code 2, and changes nothing.

mod args;
mod console;
mod contests;
mod desk;
mod knockout;
mod listing;
mod play;
mod questions;
mod review;
mod scribe;
mod studio;
mod sweep;
mod tour;
mod work;

use std::process::ExitCode;

use clap::Parser;
use outplay_lab::LabError;

use args::{Cli, Command, StudioArgs};
use desk::Desk;

/// Gives freed memory back to the system after a second (set in `.cargo/config.toml`), from threads of its own. The C library keeps much
/// of what the players of a studio leave (docs/studio.md has the figures).
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What a shell reports of a program that was interrupted.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("outplay: {}", one_sentence(&error.to_string()));
            return ExitCode::from(2);
        }
    };
    let desk = Desk::new(cli.json, cli.data);
    match run(&desk, cli.command, cli.studio) {
        Ok(()) => ExitCode::SUCCESS,
        Err(LabError::Stopped) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            desk.clear();
            eprintln!("outplay: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(desk: &Desk, command: Option<Command>, studio: StudioArgs) -> Result<(), LabError> {
    if let (Some(_), Some(option)) = (&command, studio.given()) {
        return Err(LabError::refused(format!(
            "{option} stands before a command: expected it after the command, or no command"
        )));
    }
    match command {
        None => studio::run(desk, studio),
        Some(Command::Studio(options)) => studio::run(desk, options),
        Some(Command::Tour) => tour::run(desk),
        Some(Command::Games) => {
            listing::games(desk);
            Ok(())
        }
        Some(Command::Players { game }) => listing::players(desk, &game),
        Some(Command::Play(options)) => play::run(desk, &options),
        Some(Command::Match(options)) => contests::run_match(desk, &options),
        Some(Command::Tournament(options)) => match options.knockout {
            Some(places) => knockout::run(desk, &options, places as usize),
            None => contests::run_tournament(desk, &options),
        },
        Some(Command::Ratings(options)) => contests::ratings(desk, &options),
        Some(Command::Replay(options)) => contests::replay(desk, &options),
        Some(Command::Train(options)) => work::train(desk, &options),
        Some(Command::Sweep(options)) => sweep::run(desk, &options),
        Some(Command::Data(options)) => work::data(desk, &options),
        Some(Command::Evaluate(options)) => work::evaluate(desk, &options),
        Some(Command::Analyse(options)) => questions::analyse(desk, &options),
        Some(Command::Perft(options)) => questions::perft(desk, &options),
        Some(Command::Solve(options)) => questions::solve(desk, &options),
        Some(Command::Reproduce(options)) => work::reproduce(desk, &options),
        Some(Command::Bench(options)) => work::bench(desk, &options),
        Some(Command::Console { game }) => console::run(desk, &game),
        Some(Command::Tournoi(options)) => work::tournoi(desk, &options),
        Some(Command::Openings(options)) => work::openings(desk, &options),
        Some(Command::Uci) => work::uci(),
    }
}

/// The gist of a parser's message, which goes on for lines about usage.
fn one_sentence(message: &str) -> String {
    let gist: Vec<&str> = message.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let gist = gist.join(" ");
    format!("{} (see 'outplay --help')", gist.trim_start_matches("error: "))
}
