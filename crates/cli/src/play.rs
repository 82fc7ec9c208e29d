//! Playing in the terminal: `outplay play`.

use outplay_runtime::WorkError;
use std::io::{self, IsTerminal};

use outplay_arena::GameRecord;
use outplay_arena::record::RecordHeader;
use outplay_core::Seat;
use outplay_lab::{Opinion, Snapshot, Table};
use outplay_runtime::Watch;

use crate::args::PlayArgs;
use crate::error::CommandError;
use crate::record_writer::RecordWriter;
use crate::terminal::{Terminal, complain, percent, print, print_json, prompt, read_typed_line, write_svg};

const HELP: &str = "type a move, or: moves (lists them), hint, undo, help, quit";

/// What the line that the user typed did to the game.
enum PromptOutcome {
    Played,
    Undone,
    Quit,
}

pub(crate) fn run(terminal: &Terminal, options: &PlayArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let second = options.second.as_deref().unwrap_or_else(|| board.info().opponent);
    let mut table = board.table(options.position.as_deref(), options.seed)?;
    let names = [options.first.as_str(), second];
    let names = &names[..board.info().seats];
    let mut memory = Vec::new();
    for (&name, seat) in names.iter().zip(Seat::BOTH) {
        if name != "human" {
            memory.push(terminal.reserve_player(&*board, name)?);
            terminal.watch(|watch| table.seat(seat, name, watch))?;
        }
    }
    let mut record_writer = RecordWriter::open(options.record.as_deref())?;
    let ShownGame { end, .. } = show(terminal, board.info().opponent, &mut *table, names)?;
    let header = RecordHeader { game: &board.info().spec, players: names, seed: options.seed };
    if let Some(record) = GameRecord::from_table(&header, options.position.as_deref(), &end.moves, end.result)
    {
        record_writer.write(&record);
    }
    write_svg(options.svg.as_deref(), &end.scene)?;
    record_writer.close()
}

/// A game that was shown.
pub(crate) struct ShownGame {
    /// The last position.
    pub(crate) end: Snapshot,
    /// How many lines were no moves.
    pub(crate) refused: u32,
}

/// Plays a game to its end between these, ply by ply; `adviser` gives the hints.
pub(crate) fn show(
    terminal: &Terminal,
    adviser: &str,
    table: &mut dyn Table,
    names: &[&str],
) -> Result<ShownGame, WorkError> {
    let mut sitting = TerminalGame { terminal, adviser, table, names, refused: 0 };
    let end = sitting.run()?;
    Ok(ShownGame { end, refused: sitting.refused })
}

struct TerminalGame<'a> {
    terminal: &'a Terminal,
    adviser: &'a str,
    table: &'a mut dyn Table,
    names: &'a [&'a str],
    refused: u32,
}

impl TerminalGame<'_> {
    /// Plays on until the game is over or given up, and gives back the last position.
    fn run(&mut self) -> Result<Snapshot, WorkError> {
        loop {
            let now = self.table.snapshot();
            self.show_board(&now);
            if let Some(outcome) = &now.outcome {
                let moves = if now.moves.len() == 1 { "move" } else { "moves" };
                self.say(&format!("{outcome} after {} {moves}", now.moves.len()));
                return Ok(now);
            }
            if self.names[now.to_move.index()] == "human" {
                if let PromptOutcome::Quit = self.ask_human(&now)? {
                    return Ok(now);
                }
            } else {
                let opinion = self.table.think(Watch::nobody(), None)?;
                self.say(&format!("{} plays {}{}", now.to_move_name, opinion.best, remark(&opinion)));
                self.table.play(&opinion.best)?;
            }
        }
    }

    fn show_board(&self, now: &Snapshot) {
        if self.terminal.wants_json() {
            print_json(now);
        } else {
            print(&format!("\n{}\n", now.scene.to_text()));
        }
    }

    /// Prints a text that is for people only.
    fn say(&self, text: &str) {
        if self.terminal.wants_json() {
            complain(text);
        } else {
            print(text);
        }
    }

    /// Reads words from the keyboard until one of them changes the game.
    fn ask_human(&mut self, now: &Snapshot) -> Result<PromptOutcome, WorkError> {
        loop {
            if io::stdin().is_terminal() {
                prompt(&format!("{} to move ({HELP}) > ", now.to_move_name));
            }
            let Some(line) = read_typed_line(|source| CommandError::Keyboard { source })? else {
                return Ok(PromptOutcome::Quit);
            };
            if let Some(wish) = self.execute(line.trim(), now) {
                return Ok(wish);
            }
        }
    }

    fn execute(&mut self, word: &str, now: &Snapshot) -> Option<PromptOutcome> {
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
                if self.undo(now) {
                    return Some(PromptOutcome::Undone);
                }
                self.say("there is no move to take back");
            }
            _ => match self.table.play(word) {
                Ok(_) => return Some(PromptOutcome::Played),
                Err(refusal) => {
                    self.refused += 1;
                    self.say(&refusal.to_string());
                }
            },
        }
        None
    }

    fn hint(&mut self) -> Result<(), WorkError> {
        let opinion = self.table.advise(self.adviser, Watch::nobody(), None)?;
        self.say(&format!("{} would play {}{}", self.adviser, opinion.best, remark(&opinion)));
        Ok(())
    }

    /// Takes moves back until it is a human's turn again; all or nothing.
    fn undo(&mut self, now: &Snapshot) -> bool {
        for left in (0..now.moves.len()).rev() {
            self.table.undo();
            if self.names[self.table.to_move().index()] == "human" {
                return true;
            }
            if left == 0 {
                for mv in &now.moves {
                    let _ = self.table.play(mv);
                }
            }
        }
        false
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
