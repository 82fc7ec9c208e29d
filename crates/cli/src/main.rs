//! `outplay`: the one binary.
//!
//! It reads the command line and draws on the terminal; everything that the studio needs too is in the lab.
//!
//! Invariants:
//! - with `--json` standard output carries JSON and nothing else; messages for people go to standard error;
//! - bad input is answered by one sentence and exit code 2, and changes nothing.

mod args;
mod console;
mod contests;
mod error;
mod knockout;
mod listing;
mod play;
mod questions;
mod record_writer;
mod review;
mod studio;
mod sweep;
mod terminal;
mod tour;
mod work;

use outplay_runtime::WorkError;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ContextValue;
use outplay_core::Text;

use args::{Cli, CliCommand, StudioArgs};
use error::CommandError;
use terminal::{Terminal, complain, error_sentence};

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
            complain(&error_sentence(&one_sentence(&error)));
            return ExitCode::from(2);
        }
    };
    let terminal = Terminal::new(cli.json, cli.data, cli.memory);
    match run(&terminal, cli.command, cli.studio) {
        Ok(()) => ExitCode::SUCCESS,
        Err(WorkError::Stopped) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            terminal.clear();
            complain(&error_sentence(&error.to_string()));
            ExitCode::from(2)
        }
    }
}

fn run(terminal: &Terminal, command: Option<CliCommand>, studio: StudioArgs) -> Result<(), WorkError> {
    if let (Some(_), Some(option)) = (&command, studio.given()) {
        return Err(CommandError::Misplaced { option: option.to_owned() }.into());
    }
    match command {
        None => studio::run(terminal, studio),
        Some(CliCommand::Studio(options)) => studio::run(terminal, options),
        Some(CliCommand::Tour) => tour::run(terminal),
        Some(CliCommand::Games) => {
            listing::games(terminal);
            Ok(())
        }
        Some(CliCommand::Players { game }) => listing::players(terminal, &game),
        Some(CliCommand::Play(options)) => play::run(terminal, &options),
        Some(CliCommand::Match(options)) => contests::run_match(terminal, &options),
        Some(CliCommand::Tournament(options)) => match options.knockout {
            Some(places) => knockout::run(terminal, &options, places as usize),
            None => contests::run_tournament(terminal, &options),
        },
        Some(CliCommand::Ratings(options)) => contests::ratings(terminal, &options),
        Some(CliCommand::Replay(options)) => contests::replay(terminal, &options),
        Some(CliCommand::Train(options)) => work::train(terminal, &options),
        Some(CliCommand::Sweep(options)) => sweep::run(terminal, &options),
        Some(CliCommand::Data(options)) => work::data(terminal, &options),
        Some(CliCommand::Evaluate(options)) => work::evaluate(terminal, &options),
        Some(CliCommand::Analyse(options)) => questions::analyse(terminal, &options),
        Some(CliCommand::Perft(options)) => questions::perft(terminal, &options),
        Some(CliCommand::Solve(options)) => questions::solve(terminal, &options),
        Some(CliCommand::Reproduce(options)) => work::reproduce(terminal, &options),
        Some(CliCommand::Bench(options)) => work::bench(terminal, &options),
        Some(CliCommand::Console { game }) => console::run(terminal, &game),
        Some(CliCommand::Tournoi(options)) => work::tournoi(terminal, &options),
        Some(CliCommand::Openings(options)) => work::openings(terminal, &options),
        Some(CliCommand::Uci) => work::uci(),
    }
}

/// The gist of a parser's message, which goes on for lines about usage. What it quotes is cut and escaped as in other
/// refusals.
fn one_sentence(error: &clap::Error) -> String {
    let mut message = error.to_string();
    for (_, value) in error.context() {
        if let ContextValue::String(text) = value {
            message = message.replace(text.as_str(), &Text::of(text).en);
        }
    }
    let gist: Vec<&str> = message.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let gist = gist.join(" ");
    format!("{} (see 'outplay --help')", gist.trim_start_matches("error: "))
}
