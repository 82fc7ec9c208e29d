//! `outplay console`: reads lines, typed or piped, and executes them one by one.
//!
//! A bad line gets one sentence and the next line is read; a script with a bad line ends with exit code 2 after its
//! last line. The moves of a game that a script plays are lines of the script too. Ctrl-C ends a script; at the
//! keyboard it ends the current command, and the AI stays as it is.

use outplay_runtime::WorkError;
use std::io::{self, IsTerminal};

use outplay_core::Seat;
use outplay_lab::console::{AI, ConsoleReply};

use crate::error::CommandError;
use crate::play;
use crate::terminal::{Terminal, complain, error_sentence, prompt, read_typed_line};

pub(crate) fn run(terminal: &Terminal, game: &str) -> Result<(), WorkError> {
    if let Some((name, parameters)) = game.split_once(':') {
        let (parameters, game) = (parameters.to_owned(), name.to_owned());
        return Err(CommandError::ConsoleBoard { parameters, game }.into());
    }
    let mut console = terminal.open_game(game)?.console()?;
    let typed = io::stdin().is_terminal();
    if typed {
        complain(&console.help());
    }
    let mut refused = 0;
    loop {
        if typed {
            prompt("> ");
        }
        let Some(line) = read_typed_line(|source| CommandError::Commands { source })? else { break };
        match terminal.watch(|watch| console.execute(&line, watch)) {
            Ok(ConsoleReply::Quit) => break,
            Ok(ConsoleReply::Nothing) => {}
            Ok(ConsoleReply::Said(text, facts)) => terminal.print_result(&facts, || text),
            Ok(ConsoleReply::Game(mut table, human)) => {
                let names =
                    Seat::BOTH.map(|seat| if human.is_none_or(|own| own == seat) { "human" } else { AI });
                refused += play::show(terminal, AI, &mut *table, &names)?.refused;
            }
            // A user who stops a long command at the keyboard wants to continue with what there is by then.
            Err(WorkError::Stopped) if typed => {
                terminal.reset_stop();
                complain("stopped; what was learnt until now is kept");
            }
            Err(WorkError::Stopped) => return Err(WorkError::Stopped),
            Err(error) => {
                refused += 1;
                complain(&error_sentence(&error.to_string()));
            }
        }
    }
    match refused {
        0 => Ok(()),
        _ if typed => Ok(()),
        1 => Err(CommandError::ScriptLine.into()),
        _ => Err(CommandError::ScriptLines { refused }.into()),
    }
}
