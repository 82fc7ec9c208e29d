//! The studio is killed while moves are played over HTTP. Every move that it acknowledged must be there after the next start.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::process::{Calls, Death, TestedProgram, beside, random_call, read_calls, traced};
use super::{Dice, Verdict, empty};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);
/// The tables at which the same game is played.
const TABLES: usize = 3;

/// Kills a studio this often, in the midst of games.
pub(super) fn kill(
    program: &TestedProgram,
    place: &Path,
    calls: Calls,
    kills: u64,
    dice: &mut Dice,
) -> Result<Verdict, String> {
    let folder = place.join("studio");
    let moves = moves_of_a_game(program, place)?;
    empty(&folder)?;
    let begun = Instant::now();
    let mut studio = StudioProcess::open(program, &folder, None)?.ok_or("the studio does not start")?;
    let mut tables = PlayedTables::default();
    tables.play_on(&studio, &moves)?;
    let reference = tables.exports(&studio)?;
    let takes = begun.elapsed();
    studio.kill();
    let calls = if calls == Calls::Traced { count_calls(program, &folder, &moves)? } else { BTreeMap::new() };
    let mut verdict = Verdict::default();
    while verdict.kills < kills {
        empty(&folder)?;
        verdict.trials += 1;
        let planned = (1 + dice.below(3)).min(kills - verdict.kills);
        let mut tables = PlayedTables::default();
        for _ in 0..planned {
            let death = if calls.is_empty() || dice.below(2) == 0 {
                let micros = u64::try_from(takes.as_micros()).unwrap_or(u64::MAX);
                Death::After(Duration::from_micros(dice.below(micros)))
            } else {
                random_call(&calls, dice)
            };
            interrupt(program, &folder, &moves, &death, &mut tables)?;
            verdict.kills += 1;
        }
        studio = StudioProcess::open(program, &folder, None)?.ok_or("the studio does not start again")?;
        verdict.resumed += 1;
        verdict.lost += tables.missing(&studio, &moves)?;
        tables.play_on(&studio, &moves)?;
        if tables.exports(&studio)? == reference {
            verdict.equal += 1;
        } else {
            verdict.blame("a game that was interrupted is not the one that was played");
        }
        studio.kill();
        verdict.litter += litter(&folder)?;
    }
    if verdict.lost > 0 {
        verdict.blame("moves that were acknowledged are gone");
    }
    Ok(verdict)
}

/// One life of the studio. Whatever it acknowledges is remembered.
fn interrupt(
    program: &TestedProgram,
    folder: &Path,
    moves: &[String],
    death: &Death,
    tables: &mut PlayedTables,
) -> Result<(), String> {
    let Some(mut studio) = StudioProcess::open(program, folder, Some(death))? else { return Ok(()) };
    if let Death::After(moment) = death {
        let (moment, id) = (*moment, studio.process.id());
        let killer = thread::spawn(move || {
            thread::sleep(moment);
            // The process is not waited for before this thread has ended, so the number is still its own.
            let _ = Command::new("kill").args(["-KILL", &id.to_string()]).stderr(Stdio::null()).status();
        });
        let _ = tables.play_on(&studio, moves);
        let _ = killer.join();
    } else {
        let _ = tables.play_on(&studio, moves);
    }
    studio.kill();
    Ok(())
}

/// How many of each file-system call a studio makes in one life.
fn count_calls(
    program: &TestedProgram,
    folder: &Path,
    moves: &[String],
) -> Result<BTreeMap<String, u64>, String> {
    empty(folder)?;
    let list = beside(folder, "calls");
    let mut command = traced(&list);
    command.arg(program.path()).args(arguments());
    let mut studio =
        StudioProcess::start(command, folder)?.ok_or("the studio does not start under strace")?;
    PlayedTables::default().play_on(&studio, moves)?;
    studio.kill();
    read_calls(&list)
}

fn arguments() -> Vec<String> {
    ["studio", "--json", "--port", "0", "--threads", "1", "--data", "data"].map(str::to_owned).to_vec()
}

/// A finished game of Push-over.
fn moves_of_a_game(program: &TestedProgram, place: &Path) -> Result<Vec<String>, String> {
    let file = place.join("game.jsonl");
    let mut command = Command::new(program.path());
    command
        .args(["match", "pushover", "random", "random", "--games", "2", "--seed", "7", "--record"])
        .arg(&file);
    crate::run::run_quietly(&mut command)?;
    let text =
        fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    list_after(&text, "\"moves\":[").ok_or_else(|| "a record has no moves".to_owned())
}

/// The words of the first list of JSON that follows this text.
fn list_after(text: &str, before: &str) -> Option<Vec<String>> {
    let (_, rest) = text.split_once(before)?;
    let (list, _) = rest.split_once(']')?;
    let words = list.split(',').map(|word| word.trim().trim_matches('"').to_owned());
    Some(words.filter(|word| !word.is_empty()).collect())
}

/// Files that neither the studio nor SQLite owns.
fn litter(folder: &Path) -> Result<u64, String> {
    let files = super::trial::read_all(folder)?;
    let unfinished = |path: &&PathBuf| path.display().to_string().contains(".unfinished-");
    Ok(files.keys().filter(unfinished).count() as u64)
}

/// A studio that listens.
struct StudioProcess {
    process: Child,
    address: String,
}

impl StudioProcess {
    /// None if it was killed before it listened.
    fn open(program: &TestedProgram, folder: &Path, death: Option<&Death>) -> Result<Option<Self>, String> {
        Self::start(program.command(&arguments(), death), folder)
    }

    fn start(mut command: Command, folder: &Path) -> Result<Option<Self>, String> {
        let said = File::create(beside(folder, "said")).map_err(|error| format!("cannot write: {error}"))?;
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(said);
        let mut process = command.spawn().map_err(|error| format!("the studio does not start: {error}"))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            let _ = BufReader::new(output).read_line(&mut line);
        }
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once(['/', '"']));
        if let Some((address, _)) = address {
            let address = address.to_owned();
            return Ok(Some(Self { process, address }));
        }
        let status = process.wait().map_err(|error| format!("the studio cannot be waited for: {error}"))?;
        let said = fs::read_to_string(beside(folder, "said")).unwrap_or_default();
        if status.code().is_none() {
            Ok(None)
        } else {
            Err(format!("the studio does not open: {}", said.trim()))
        }
    }

    /// The body of the answer, if all of it came and it is no refusal.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<String, String> {
        let failed = |error: std::io::Error| format!("{method} {path}: {error}");
        let mut stream = TcpStream::connect(&self.address).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        let (host, length) = (&self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).map_err(failed)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(failed)?;
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 2") => Ok(body.to_owned()),
            _ => Err(format!("{method} {path}: {answer}")),
        }
    }

    /// Kills it. A tracer that stands before it ends with it: one that is killed would let it go on.
    fn kill(&mut self) {
        let children = format!("/proc/{0}/task/{0}/children", self.process.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        for child in children.split_whitespace() {
            let _ = Command::new("kill").args(["-KILL", child]).stderr(Stdio::null()).status();
        }
        if children.is_empty() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

impl Drop for StudioProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The tables of one trial, and how many moves each has acknowledged.
#[derive(Default)]
struct PlayedTables(Vec<(String, usize)>);

impl PlayedTables {
    /// Opens tables that are missing and plays every game to its end, in turns.
    fn play_on(&mut self, studio: &StudioProcess, moves: &[String]) -> Result<(), String> {
        while self.0.len() < TABLES {
            let body = r#"{"game": "pushover", "seats": ["human", "human"], "seed": "7"}"#;
            let table = studio.ask("POST", "/api/tables", body)?;
            self.0.push((word_after(&table, "\"id\":\"").ok_or("a table has no id")?, 0));
        }
        for (id, acknowledged) in &mut self.0 {
            // A move may have reached the disk and its acknowledgement not the client.
            let mut played = moves_at(studio, id)?.len();
            while let Some(mv) = moves.get(played) {
                let body = format!(r#"{{"move": "{mv}", "ply": {played}}}"#);
                studio.ask("POST", &format!("/api/tables/{id}/move"), &body)?;
                played += 1;
                *acknowledged = played;
            }
        }
        Ok(())
    }

    /// How many moves, or tables, were acknowledged and are not there.
    fn missing(&self, studio: &StudioProcess, moves: &[String]) -> Result<u64, String> {
        let mut missing = 0;
        for (id, acknowledged) in &self.0 {
            let there = moves_at(studio, id)?;
            let kept = there.iter().zip(moves).take_while(|(there, played)| there == played).count();
            missing += acknowledged.saturating_sub(kept) + there.len().saturating_sub(kept);
        }
        Ok(missing as u64)
    }

    fn exports(&self, studio: &StudioProcess) -> Result<Vec<String>, String> {
        self.0.iter().map(|(id, _)| export(studio, id)).collect()
    }
}

fn export(studio: &StudioProcess, id: &str) -> Result<String, String> {
    studio.ask("GET", &format!("/api/tables/{id}/export?format=json"), "")
}

/// The moves that were played at a table.
fn moves_at(studio: &StudioProcess, id: &str) -> Result<Vec<String>, String> {
    list_after(&export(studio, id)?, "\"moves\": [").ok_or_else(|| format!("the table {id} has no moves"))
}

/// The word between this text and the next quotation mark.
fn word_after(text: &str, before: &str) -> Option<String> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once('"').map(|(word, _)| word.to_owned())
}
