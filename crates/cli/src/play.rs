//! Playing in the terminal: `outplay play`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

use outplay_arena::GameRecord;
use outplay_arena::record::RecordHeader;
use outplay_core::Seat;
use outplay_lab::{LabError, Opinion, Table};
use outplay_runtime::Watch;
use serde_json::json;

use crate::args::PlayArgs;
use crate::record_writer::RecordWriter;
use crate::terminal::{Terminal, percent, print};

const HELP: &str = "type a move, or: moves (lists them), hint, undo, help, quit";

/// What the line that the user typed did to the game.
enum PromptOutcome {
    Played,
    Undone,
    Quit,
}

pub(crate) fn run(terminal: &Terminal, options: &PlayArgs) -> Result<(), LabError> {
    let board = terminal.open_game(&options.game)?;
    let second = options.second.as_deref().unwrap_or_else(|| board.info().opponent);
    let mut table = board.table(options.position.as_deref(), options.seed)?;
    let names = [options.first.as_str(), second];
    let names = &names[..board.info().seats];
    for (&name, seat) in names.iter().zip(Seat::BOTH) {
        if name != "human" {
            terminal.watch(|watch| board.check_player(name, watch))?;
            table.seat(seat, name)?;
        }
    }
    let mut writer = RecordWriter::open(options.record.as_deref())?;
    show(terminal, board.info().opponent, &mut *table, names)?;
    let header = RecordHeader { game: &board.info().spec, players: names, seed: options.seed };
    let end = table.snapshot();
    let position = options.position.as_deref();
    if let Some(record) = GameRecord::from_table(&header, position, &end.moves, end.result) {
        writer.write(&record);
    }
    writer.close()
}

/// Plays a game to its end between these players; `adviser` gives the hints. Returns how many typed lines were not moves.
pub(crate) fn show(
    terminal: &Terminal,
    adviser: &str,
    table: &mut dyn Table,
    names: &[&str],
) -> Result<u32, LabError> {
    let mut game = TerminalGame { terminal, adviser, table, names, refused: 0 };
    game.run().map(|()| game.refused)
}

struct TerminalGame<'a> {
    terminal: &'a Terminal,
    adviser: &'a str,
    table: &'a mut dyn Table,
    names: &'a [&'a str],
    refused: u32,
}

impl TerminalGame<'_> {
    fn run(&mut self) -> Result<(), LabError> {
        loop {
            self.show_board();
            let now = self.table.snapshot();
            if let Some(outcome) = now.outcome {
                let moves = if now.moves.len() == 1 { "move" } else { "moves" };
                self.say(&format!("{outcome} after {} {moves}", now.moves.len()));
                return Ok(());
            }
            if self.names[now.to_move.index()] == "human" {
                if let PromptOutcome::Quit = self.ask_human()? {
                    return Ok(());
                }
            } else {
                let opinion = self.table.think(&AtomicBool::new(false), None)?;
                self.say(&format!("{} plays {}{}", now.to_move_name, opinion.best, remark(&opinion)));
                self.table.play(&opinion.best)?;
            }
        }
    }

    fn show_board(&self) {
        let now = self.table.snapshot();
        if self.terminal.wants_json() {
            print(&json!(now).to_string());
        } else {
            print(&format!("\n{}\n", now.picture));
        }
    }

    /// Prints a text that is for people only.
    fn say(&self, text: &str) {
        if self.terminal.wants_json() {
            eprintln!("{text}");
        } else {
            print(text);
        }
    }

    /// Reads lines from the keyboard until one of them changes the game.
    fn ask_human(&mut self) -> Result<PromptOutcome, LabError> {
        let stdin = io::stdin();
        loop {
            if stdin.is_terminal() {
                eprint!("{} to move ({HELP}) > ", self.table.snapshot().to_move_name);
                let _ = io::stderr().flush();
            }
            let mut line = Vec::new();
            let read = stdin.lock().read_until(b'\n', &mut line);
            if read.map_err(|error| LabError::refused(format!("cannot read the keyboard: {error}")))? == 0 {
                return Ok(PromptOutcome::Quit);
            }
            // Input that is not UTF-8 is refused like any other text that is not a move.
            if let Some(outcome) = self.execute(String::from_utf8_lossy(&line).trim()) {
                return Ok(outcome);
            }
        }
    }

    fn execute(&mut self, word: &str) -> Option<PromptOutcome> {
        match word.to_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Some(PromptOutcome::Quit),
            "help" | "?" => self.say(HELP),
            "moves" => self.say(&self.table.legal().join(" ")),
            "hint" => {
                if let Err(refusal) = self.hint() {
                    self.say(&refusal.to_string());
                }
            }
            "undo" => {
                if self.undo() {
                    return Some(PromptOutcome::Undone);
                }
                self.say("there is no move to take back");
            }
            _ => match self.table.play(word) {
                Ok(()) => return Some(PromptOutcome::Played),
                Err(refusal) => {
                    self.refused += 1;
                    self.say(&refusal.to_string());
                }
            },
        }
        None
    }

    fn hint(&mut self) -> Result<(), LabError> {
        let opinion = self.table.advise(self.adviser, Watch::nobody().stop_flag(), None)?;
        self.say(&format!("{} would play {}{}", self.adviser, opinion.best, remark(&opinion)));
        Ok(())
    }

    /// Takes moves back until it is a human's turn again; all or nothing.
    fn undo(&mut self) -> bool {
        let mut taken: Vec<String> = Vec::new();
        loop {
            let last = self.table.snapshot().moves.pop();
            if !self.table.undo() {
                for mv in taken.iter().rev() {
                    let _ = self.table.play(mv);
                }
                return false;
            }
            taken.extend(last);
            if self.names[self.table.snapshot().to_move.index()] == "human" {
                return true;
            }
        }
    }
}

/// What a player thinks of its own move, in brackets.
fn remark(opinion: &Opinion) -> String {
    let chosen = opinion.candidates.iter().find(|candidate| candidate.mv == opinion.best);
    match chosen.map(|candidate| (candidate.certain.as_deref(), candidate.value)) {
        Some((Some(certain), _)) => format!(" ({certain})"),
        Some((None, value)) if opinion.nodes > 0 => format!(" ({} chance, it thinks)", percent(value)),
        _ => String::new(),
    }
}
