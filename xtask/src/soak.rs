//! `cargo xtask soak`: a studio under steady use, and whether its memory, its open files and its threads stay where they were.
//!
//! Everything runs on loopback and ends by itself. Players stay in memory for a minute after their last move, so the first minutes
//! do not count: the verdict compares the second half of the run with the time before.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::run::built_program;
use crate::studio_process::{StudioProcess, word_after};

/// Tables at which programs play, all at a time.
const TABLES: [(&str, &str); 6] = [
    ("pushover", r#"["random", "alphabeta:depth=3"]"#),
    ("quoridor:size=5,walls=3", r#"["alphabeta:depth=2", "random"]"#),
    ("chess", r#"["engine:nodes=2000,hash=16", "random"]"#),
    ("othello", r#"["mcts:sims=200", "random"]"#),
    ("connectfour", r#"["mcts:sims=200", "alphabeta:depth=3"]"#),
    ("minesweeper", r#"["solver"]"#),
];
const JOBS: [&str; 2] = [
    r#"{"kind": "training", "game": "quoridor:size=5,walls=1", "method": "td-lambda:games=20000,check=0", "seed": "1"}"#,
    r#"{"kind": "tournament", "game": "pushover", "players": ["random", "greedy", "alphabeta:depth=2"], "games": 20, "seed": "1"}"#,
];
/// Pages that follow a table at a time.
const WATCHERS: usize = 20;
/// How long a game or a job may take.
const PATIENCE: Duration = Duration::from_mins(5);
/// How much more memory the second half of a run may take: a share, and what an allocator may hold back.
const GROWTH: f64 = 1.25;
const SLACK: u64 = 32;
/// How many more files may be open at the end: connections that are closing.
const MORE_FILES: u64 = 8;

/// What the process has at a moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    minutes: f64,
    /// Resident memory in MB.
    memory: u64,
    files: u64,
    threads: u64,
    rounds: u64,
}

pub(crate) fn run(minutes: &str) -> Result<(), String> {
    let wrong = || format!("--minutes {minutes}: expected a number from 0.1 to 10000");
    let length =
        minutes.parse().ok().filter(|minutes: &f64| (0.1..=10_000.0).contains(minutes)).ok_or_else(wrong)?;
    let length = Duration::from_secs_f64(60.0 * length);
    let folder = Path::new("target/soak");
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut command = std::process::Command::new(built_program()?);
    command.args(["studio", "--json", "--port", "0", "--data", "data"]);
    let studio = StudioProcess::start(command, folder)?.ok_or("the studio does not start")?;
    let begun = Instant::now();
    let mut samples = vec![sample(&studio, begun, 0)?];
    println!("minutes  memory/MB  files  threads  rounds");
    show(&samples[0]);
    let mut rounds = 0;
    let mut shown = 0.0;
    while begun.elapsed() < length {
        play_round(&studio)?;
        rounds += 1;
        let now = sample(&studio, begun, rounds)?;
        if now.minutes >= shown + 1.0 {
            shown = now.minutes;
            show(&now);
        }
        samples.push(now);
    }
    show(&samples[samples.len() - 1]);
    judge(&samples)
}

/// Games, jobs, followers and analyses, begun together and all ended and removed at the end.
fn play_round(studio: &StudioProcess) -> Result<(), String> {
    let id_of = |answer: String| word_after(&answer, "\"id\":\"").ok_or("no id in an answer".to_owned());
    let mut tables = Vec::new();
    for (game, seats) in TABLES {
        let body = format!(r#"{{"game": "{game}", "seats": {seats}, "seed": "7"}}"#);
        tables.push(id_of(studio.ask("POST", "/api/tables", &body)?)?);
    }
    let watchers = (0..WATCHERS).map(|place| Watcher::open(studio, &tables[place % tables.len()]));
    let watchers = watchers.collect::<Result<Vec<_>, _>>()?;
    let mut jobs = Vec::new();
    for job in JOBS {
        jobs.push(id_of(studio.ask("POST", "/api/jobs", job)?)?);
    }
    let position = r#"{"game": "chess", "moves": ["e4"], "player": "engine:nodes=20000"}"#;
    studio.ask("POST", "/api/thoughts", position)?;
    let begun = Instant::now();
    let mut open: Vec<String> = tables.iter().map(|id| format!("/api/tables/{id}")).collect();
    open.extend(jobs.iter().map(|id| format!("/api/jobs/{id}")));
    while !open.is_empty() {
        let mut still_open = Vec::new();
        for path in open {
            if !has_ended(&studio.ask("GET", &path, "")?) {
                still_open.push(path);
            }
        }
        open = still_open;
        if begun.elapsed() > PATIENCE {
            return Err(format!("these did not end: {}", open.join(", ")));
        }
        thread::sleep(Duration::from_millis(200));
    }
    for id in tables {
        studio.ask("DELETE", &format!("/api/tables/{id}"), "")?;
    }
    for id in jobs {
        studio.ask("DELETE", &format!("/api/jobs/{id}"), "")?;
    }
    watchers.into_iter().try_for_each(Watcher::close)
}

/// Whether this describes a game that is over or a job that has ended.
fn has_ended(document: &str) -> bool {
    let is_table = document.contains("\"thinking\":");
    if is_table {
        !document.contains("\"outcome\":null")
    } else {
        document.contains("\"state\":\"finished\"")
    }
}

/// A page that follows a table over a WebSocket.
struct Watcher(TcpStream);

impl Watcher {
    fn open(studio: &StudioProcess, table: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("a socket: {error}");
        let mut stream = TcpStream::connect(studio.address()).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).map_err(failed)?;
        let head = format!(
            "GET /api/live HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            studio.address()
        );
        stream.write_all(head.as_bytes()).map_err(failed)?;
        let message = format!(r#"{{"subscribe": ["table:{table}"]}}"#);
        let length =
            u8::try_from(message.len()).ok().filter(|&length| length < 126).ok_or("a long message")?;
        // One text frame, masked with zeroes: a client has to mask, but any mask will do.
        let frame = [&[0x81, 0x80 | length, 0, 0, 0, 0], message.as_bytes()].concat();
        stream.write_all(&frame).map_err(failed)?;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).map_err(failed)?;
        if answer.ends_with(b"101") { Ok(Self(stream)) } else { Err("a socket was refused".to_owned()) }
    }

    /// Reads what came and leaves, as a page does that is closed.
    fn close(mut self) -> Result<(), String> {
        let mut heard = vec![0; 1 << 16];
        let count = self.0.read(&mut heard).map_err(|error| format!("a socket: {error}"))?;
        if count == 0 { Err("a socket was closed by the studio".to_owned()) } else { Ok(()) }
    }
}

fn sample(studio: &StudioProcess, begun: Instant, rounds: u64) -> Result<Sample, String> {
    let place = format!("/proc/{}", studio.id());
    let status = fs::read_to_string(format!("{place}/status"))
        .map_err(|error| format!("the studio cannot be measured here: {error}"))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0_u64)
    };
    let files = fs::read_dir(format!("{place}/fd")).map_or(0, |list| list.count() as u64);
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    Ok(Sample { minutes, memory: field("VmRSS:") / 1024, files, threads: field("Threads:"), rounds })
}

fn show(sample: &Sample) {
    let Sample { minutes, memory, files, threads, rounds } = sample;
    println!("{minutes:7.1}  {memory:9}  {files:5}  {threads:7}  {rounds:6}");
}

/// Fails if the second half of the run needed more than the second quarter.
fn judge(samples: &[Sample]) -> Result<(), String> {
    let quarter = samples.len() / 4;
    if quarter == 0 {
        return Ok(());
    }
    let most = |part: &[Sample]| part.iter().map(|sample| sample.memory).max().unwrap_or(0);
    let (before, after) = (most(&samples[quarter..2 * quarter]), most(&samples[2 * quarter..]));
    println!("memory at most: {before} MB in the second quarter, {after} MB in the second half");
    if after as f64 > GROWTH * before as f64 + SLACK as f64 {
        return Err(format!("memory grows: {before} MB, then {after} MB"));
    }
    let [first, last] = [samples[quarter], samples[samples.len() - 1]].map(|sample| sample.files);
    println!("open files: {first} after a quarter, {last} at the end");
    if last > first + MORE_FILES {
        return Err(format!("open files grow: {first}, then {last}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(memory: impl Fn(u64) -> u64, files: impl Fn(u64) -> u64) -> Vec<Sample> {
        let sample =
            |at| Sample { minutes: 0.0, memory: memory(at), files: files(at), threads: 9, rounds: at };
        (0..40).map(sample).collect()
    }

    #[test]
    fn growth_is_told_from_warming_up() {
        judge(&samples(|at| 20 + at.min(5) * 30, |_| 30)).unwrap();
        judge(&samples(|at| 100 + at % 7 * 5, |at| 30 + at % 4)).unwrap();
        judge(&samples(|at| 100 + 5 * at, |_| 30)).unwrap_err();
        judge(&samples(|_| 100, |at| 30 + at)).unwrap_err();
    }
}
