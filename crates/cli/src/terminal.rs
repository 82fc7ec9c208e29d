//! The terminal that a command runs in: prints results, draws progress, handles Ctrl-C.

use outplay_runtime::WorkError;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use comfy_table::{ContentArrangement, Table, presets};
use console::Term;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use outplay_core::scene::Scene;
use outplay_core::visible;
use outplay_lab::keyboard::{Keyboard, MoveQuestion};
use outplay_lab::{AnyGame, Store, open_game};
use outplay_runtime::files::{LineRead, MAX_LINE_BYTES, read_line, write_atomically};
use outplay_runtime::{MemoryReservation, Progress, Watch};
use serde::Serialize;

use crate::error::CommandError;

/// What a command shares with the user: output, progress bar, stop flag; and the data directory.
pub(crate) struct Terminal {
    json: bool,
    store: Arc<Store>,
    stop: Arc<AtomicBool>,
    /// Whether there is work that Ctrl-C should stop cleanly.
    working: Arc<AtomicBool>,
    bar: Arc<SharedBar>,
}

/// The progress bar. A question on the screen clears it away first.
type SharedBar = Mutex<Option<(String, ProgressBar)>>;

/// The user at the keyboard, whom a training may ask for moves.
#[derive(Debug)]
struct TerminalKeyboard {
    bar: Arc<SharedBar>,
}

impl Keyboard for TerminalKeyboard {
    fn ask(&self, question: &MoveQuestion) -> Option<String> {
        clear_bar(&self.bar);
        match &question.refusal {
            Some(refusal) => complain(refusal),
            None => complain(&format!("\n{}\n", question.picture)),
        }
        loop {
            if io::stdin().is_terminal() {
                prompt(&format!("{} to move (type a move, or quit) > ", question.to_move.en));
            }
            let line = read_typed_line(|source| CommandError::Keyboard { source });
            match line.ok().flatten()?.trim() {
                "" => {}
                "quit" | "exit" => return None,
                word => return Some(word.to_owned()),
            }
        }
    }
}

fn clear_bar(bar: &SharedBar) {
    if let Some((_, bar)) = bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}

impl Terminal {
    pub(crate) fn new(json: bool, data: Option<PathBuf>, memory: Option<u32>) -> Self {
        let bar = Arc::new(SharedBar::default());
        let store = data.map_or_else(Store::of_this_user, Store::at);
        let store = store.with_keyboard(Arc::new(TerminalKeyboard { bar: Arc::clone(&bar) }));
        let store = Arc::new(match memory {
            Some(mebibytes) => store.with_memory(mebibytes),
            None => store,
        });
        Self { json, store, stop: Arc::default(), working: Arc::default(), bar }
    }

    /// The board that the user named.
    pub(crate) fn open_game(&self, game: &str) -> Result<Box<dyn AnyGame>, WorkError> {
        open_game(game, &self.store)
    }

    /// Reserves the memory of a player that is about to be made.
    pub(crate) fn reserve_player(
        &self,
        board: &dyn AnyGame,
        player: &str,
    ) -> Result<MemoryReservation, WorkError> {
        Ok(self.store.try_reserve(player, board.player_memory(player)?)?)
    }

    pub(crate) fn store(&self) -> &Arc<Store> {
        &self.store
    }

    pub(crate) fn wants_json(&self) -> bool {
        self.json
    }

    /// Runs long work with a progress bar. The first Ctrl-C asks it to stop, a second one ends the program, as
    /// does one that comes after the work is done.
    pub(crate) fn watch<T>(&self, work: impl FnOnce(Watch<'_>) -> T) -> T {
        let (stop, working) = (Arc::clone(&self.stop), Arc::clone(&self.working));
        // If a handler is already set, it does the same.
        let _ = ctrlc::set_handler(move || {
            if stop.swap(true, Ordering::Relaxed) || !working.load(Ordering::Relaxed) {
                process::exit(i32::from(crate::INTERRUPTED));
            }
            complain("stopping; press Ctrl-C again to leave at once");
        });
        self.working.store(true, Ordering::Relaxed);
        let result = work(Watch::new(&self.stop, &|progress| self.draw(progress)));
        self.working.store(false, Ordering::Relaxed);
        self.clear();
        result
    }

    /// Lowers the stop flag, so that work may begin again.
    pub(crate) fn reset_stop(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    fn draw(&self, progress: Progress<'_>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if bar.as_ref().is_none_or(|(task, _)| task != progress.task) {
            if let Some((_, old)) = bar.take() {
                old.finish_and_clear();
            }
            let template = format!(
                "{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {} · {{rate}}/s · {{eta}} left",
                progress.unit
            );
            let style = ProgressStyle::with_template(&template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
                    let _ = out.write_str(&figure(state.per_sec()));
                });
            let new =
                ProgressBar::new(progress.total).with_style(style).with_message(progress.task.to_owned());
            *bar = Some((progress.task.to_owned(), new));
        }
        if let Some((_, bar)) = &*bar {
            // Threads may report out of order; a bar only ever goes forward.
            bar.set_length(progress.total);
            bar.set_position(bar.position().max(progress.done));
        }
    }

    /// Takes the progress bar off the screen.
    pub(crate) fn clear(&self) {
        clear_bar(&self.bar);
    }

    /// Prints the result: as JSON with `--json`, else as `people` draws it.
    pub(crate) fn print_result<T: Serialize>(&self, result: &T, people: impl FnOnce() -> String) {
        if self.json {
            print_json(result);
        } else {
            print(&people());
        }
    }
}

/// Draws a board into an SVG file, if one is named.
pub(crate) fn write_svg(file: Option<&Path>, scene: &Scene) -> Result<(), WorkError> {
    let Some(file) = file else { return Ok(()) };
    Ok(write_atomically(file, |writer| writer.write_all(scene.to_svg().as_bytes()))?)
}

/// Prints lines for people. Control characters, which names in files may contain, are shown and not obeyed.
pub(crate) fn print(text: &str) {
    write_out(&visible(text));
}

/// Prints a value for programs, on one line.
pub(crate) fn print_json(value: &impl Serialize) {
    write_out(&serde_json::to_string(value).expect("results are plain data"));
}

/// A reader that has gone away (`| head`) ends the program quietly.
fn write_out(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            process::exit(0);
        }
        complain(&error_sentence(&format!("cannot write the result: {error}")));
        process::exit(2);
    }
}

/// Prints lines on standard error, in the same way. Nobody can be told if that fails.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

/// Asks at the keyboard, on the line on which the answer is typed.
pub(crate) fn prompt(text: &str) {
    let mut screen = io::stderr().lock();
    let _ = write!(screen, "{}", visible(text)).and_then(|()| screen.flush());
}

/// A refusal as the user reads it.
pub(crate) fn error_sentence(sentence: &str) -> String {
    format!("outplay: {sentence}")
}

/// Reads a line that was typed or piped; none at the end of the input.
pub(crate) fn read_typed_line(
    failed: impl FnOnce(io::Error) -> CommandError,
) -> Result<Option<String>, CommandError> {
    let mut line = Vec::new();
    match read_line(&mut io::stdin().lock(), &mut line, MAX_LINE_BYTES).map_err(failed)? {
        LineRead::End => Ok(None),
        LineRead::TooLong => Err(CommandError::LongLine { most: MAX_LINE_BYTES }),
        // What is no text is no command either, and is answered like any other.
        LineRead::Line => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
    }
}

/// A table with a header.
pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    // Cells wrap at the width of the terminal; a file or a pipe has no width.
    if let Some((_, columns)) = Term::stdout().size_checked() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(header.iter().copied());
    table.add_rows(rows);
    table.trim_fmt()
}

/// A measured number with its significant digits, thousands apart.
pub(crate) fn figure(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.3}");
    }
    let digits = format!("{value:.0}");
    let spaced = digits.bytes().enumerate().flat_map(|(i, digit)| {
        let gap = i > 0 && (digits.len() - i).is_multiple_of(3);
        gap.then_some(b' ').into_iter().chain([digit])
    });
    spaced.map(char::from).collect()
}

/// A share as a percentage with one digit.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
