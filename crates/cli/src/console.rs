//! `outplay console`: lines are read, typed or piped, and obeyed one by one.
//!
//! Laws of this room: a bad line gets one sentence and the next line is read; a script in which a line was bad ends with
//! exit code 2 once it has run to its end. The moves of a game that a script plays are lines of the script too. Ctrl-C ends
//! a script; at the keyboard it ends the command that is being obeyed, and the AI stays as it is.

use std::io::{self, BufRead, IsTerminal, Write};

use outplay_core::Seat;
use outplay_lab::LabError;
use outplay_lab::console::{AI, Reply};

use crate::desk::Desk;
use crate::play;

pub(crate) fn run(desk: &Desk, game: &str) -> Result<(), LabError> {
    if let Some((name, parameters)) = game.split_once(':') {
        return Err(LabError::refused(format!(
            "'{parameters}': expected {name} alone, since the console's own commands choose the board"
        )));
    }
    let mut console = desk.house(game)?.console()?;
    let stdin = io::stdin();
    let typed = stdin.is_terminal();
    if typed {
        eprintln!("{}", console.help());
    }
    let mut refused = 0;
    loop {
        if typed {
            eprint!("> ");
            let _ = io::stderr().flush();
        }
        let mut line = Vec::new();
        let read = stdin.lock().read_until(b'\n', &mut line);
        if read.map_err(|error| LabError::refused(format!("cannot read the commands: {error}")))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        match desk.watch(|watch| console.obey(&line, watch)) {
            Ok(Reply::Quit) => break,
            Ok(Reply::Nothing) => {}
            Ok(Reply::Said(text, facts)) => desk.give(&facts, || text),
            Ok(Reply::Game(mut table, human)) => {
                let names =
                    Seat::BOTH.map(|seat| if human.is_none_or(|own| own == seat) { "human" } else { AI });
                refused += play::show(desk, AI, &mut *table, &names)?.refused;
            }
            // Whoever stops a long command at the keyboard wants to go on with what there is by then.
            Err(LabError::Stopped) if typed => {
                desk.go_on();
                eprintln!("stopped; what was learnt until now is kept");
            }
            Err(LabError::Stopped) => return Err(LabError::Stopped),
            Err(error) => {
                refused += 1;
                eprintln!("outplay: {error}");
            }
        }
    }
    if typed || refused == 0 {
        return Ok(());
    }
    let lines = if refused == 1 { "line was" } else { "lines were" };
    Err(LabError::refused(format!(
        "{refused} {lines} refused: expected a script of commands ('help' lists them) and legal moves"
    )))
}
