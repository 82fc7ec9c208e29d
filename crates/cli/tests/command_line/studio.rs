//! The studio as a process: where it listens, and what is left when it is killed.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lab::Lab;

/// A studio that is open.
struct Open {
    process: Child,
    address: String,
}

impl Open {
    /// By a bare `outplay`, without the name of a command.
    fn new(lab: &Lab) -> Self {
        Self::by(lab.command(&["--json", "--port", "0", "--threads", "2"]))
    }

    fn by(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let url = said["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        Self { process, address }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}"
        );
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        serde_json::from_str(reply.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    fn begin(&self, job: &Value) -> String {
        self.ask("POST", "/api/jobs", &job.to_string())["id"].as_str().unwrap().to_owned()
    }

    fn wait(&self, id: &str, is_there: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.ask("GET", &format!("/api/jobs/{id}"), "");
            if is_there(&job) {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "the job stays {job}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it at once, as a power failure would.
    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_tournament_that_was_killed_leaves_the_bytes_of_one_that_was_not() {
    let lab = Lab::new();
    let players = ["random", "alphabeta:depth=4", "expert:depth=3"];
    let rounds =
        json!({ "kind": "tournament", "game": "pushover", "players": players, "games": 100, "seed": 1 });
    let players = ["random", "greedy", "alphabeta:depth=3", "minimax:depth=2"];
    let game = "quoridor:size=5,walls=3";
    let knockout =
        json!({ "kind": "tournament", "game": game, "players": players, "knockout": 4, "seed": 1 });
    let is_finished = |job: &Value| job["state"] == "finished";
    for request in [rounds, knockout] {
        let mut studio = Open::new(&lab);
        let calm = studio.begin(&request);
        let whole = studio.wait(&calm, is_finished);
        let killed = studio.begin(&request);
        for more in [3, 4] {
            let now = studio.ask("GET", &format!("/api/jobs/{killed}"), "")["records"].as_u64();
            studio
                .wait(&killed, |job| is_finished(job) || job["records"].as_u64() > now.map(|now| now + more));
            studio.kill();
            studio = Open::new(&lab);
        }
        // After the second crash it waits for a person.
        if studio.ask("GET", &format!("/api/jobs/{killed}"), "")["state"] == "stopped" {
            studio.ask("POST", &format!("/api/jobs/{killed}/resume"), "{}");
        }
        let ended = studio.wait(&killed, is_finished);
        assert_eq!((&ended["result"], &ended["records"]), (&whole["result"], &whole["records"]));
        let games = |id: &str| fs::read(lab.path(&format!("data/studio/jobs/{id}.games.jsonl"))).unwrap();
        assert!(games(&killed) == games(&calm), "other games: {request}");
    }
}

/// Every move that was answered is on a disk that loses all that was not synced, however many games are played at a time.
#[cfg(target_os = "linux")]
#[test]
fn a_power_failure_takes_no_move_that_was_answered() {
    const GAMES: usize = 8;
    let lab = Lab::new();
    let (library, kept, data) = (lab.path("synced.so"), lab.path("kept"), lab.path("data"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command_line/synced.c");
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o", &library, source, "-ldl"]).output();
    match compiled {
        Err(error) => return outplay_testing::skip(format!("there is no C compiler: {error}")),
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
    }
    fs::create_dir_all(format!("{kept}/studio")).unwrap();
    let mut command = lab.command(&["--json", "--port", "0", "--threads", "2"]);
    let watched = format!("{}/studio", fs::canonicalize(lab.path("")).unwrap().join("data").display());
    command.env("LD_PRELOAD", &library).env("WATCHED", watched).env("KEPT", format!("{kept}/studio"));
    let studio = Open::by(command);
    // What was answered: the moves of every game, cut off in the middle of the next ones.
    let answered: Vec<(String, usize)> = std::thread::scope(|scope| {
        let play = |_| {
            scope.spawn(|| {
                let game = json!({ "game": "pushover", "seats": ["human", "human"] });
                let table = studio.ask("POST", "/api/tables", &game.to_string());
                let id = table["id"].as_str().unwrap().to_owned();
                for (ply, mv) in ["A", "P", "B", "O", "C"].into_iter().enumerate() {
                    let body = json!({ "move": mv, "ply": ply }).to_string();
                    let table = studio.ask("POST", &format!("/api/tables/{id}/move"), &body);
                    assert_eq!(table["ply"], ply + 1, "{table}");
                }
                (id, 5)
            })
        };
        let games: Vec<_> = (0..GAMES).map(play).collect();
        games.into_iter().map(|game| game.join().unwrap()).collect()
    });
    studio.kill();
    assert!(
        fs::metadata(format!("{data}/studio/studio.sqlite-wal")).unwrap().len() > 0,
        "all is in the log yet"
    );
    let after = Open::by(lab.command(&["--json", "--port", "0", "--data", &kept]));
    for (id, plies) in answered {
        let table = after.ask("GET", &format!("/api/tables/{id}"), "");
        assert_eq!(table["ply"], plies, "{table}");
    }
}

/// The token stands in a file or in the environment, where other users of the machine do not see it.
#[cfg(unix)]
#[test]
fn a_token_comes_from_a_file_or_the_environment() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let (path, arguments) = (lab.path("token"), ["--json", "--port", "0"]);
    let from_file = ["--json", "--port", "0", "--token-file", &path];
    let secret = |command: Command| {
        let studio = Open::by(command);
        let refused = studio.ask("GET", "/api/catalogue", "");
        assert_eq!(refused["error"]["code"], "token");
        let table = studio.ask("GET", "/api/tables HTTP/1.1\r\nAuthorization: Bearer from-outside\r\nX:", "");
        assert_eq!(table["tables"], json!([]));
    };
    fs::write(&path, "from-outside\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    secret(lab.command(&from_file));
    let mut command = lab.command(&arguments);
    command.env("OUTPLAY_TOKEN", "from-outside");
    secret(command);
    let mut command = lab.command(&arguments);
    command.env("OUTPLAY_TOKEN", "short");
    let refused = command.output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    fs::write(&path, "\n").unwrap();
    assert!(lab.refusal(&from_file).contains("holds no token"));
    assert!(lab.refusal(&["--token-file", "/nonexistent"]).contains("/nonexistent"));
    assert!(lab.refusal(&["--token-file", &path, "--token", "from-outside"]).contains("--token"));
    assert!(lab.refusal(&["--host", "0.0.0.0", "--port", "0"]).contains("OUTPLAY_TOKEN"));
}

/// Threads of the allocator give back what players leave.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_studio_gives_memory_back() {
    let lab = Lab::new();
    let studio = Open::new(&lab);
    let threads = fs::read_dir(format!("/proc/{}/task", studio.process.id())).unwrap();
    let names = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("comm")).unwrap());
    assert!(names.into_iter().any(|name| name.trim() == "jemalloc_bg_thd"));
    studio.kill();
}

/// What a monitor asks: an open studio answers, a closed one does not, and that is no mistake in the command.
#[test]
fn a_studio_can_be_checked() {
    let lab = Lab::new();
    let studio = Open::new(&lab);
    let port = studio.address.rsplit_once(':').unwrap().1.to_owned();
    // Without a port the studio of the data directory is asked.
    let checks = [&["--json", "--check", "--port", &port][..], &["--json", "--check"]];
    for check in checks {
        let answer = lab.command(check).output().unwrap();
        assert_eq!(answer.status.code(), Some(0), "{check:?}");
        let said: Value = serde_json::from_slice(&answer.stdout).unwrap();
        assert_eq!(said, json!({ "address": studio.address, "status": 200 }));
    }
    studio.kill();
    for check in checks {
        let answer = lab.command(check).output().unwrap();
        assert_eq!(answer.status.code(), Some(1), "{check:?}");
        let sentence = String::from_utf8(answer.stderr).unwrap();
        assert!(
            sentence.starts_with(&format!("outplay: no studio answers at 127.0.0.1:{port}")),
            "{sentence}"
        );
    }
}

/// The process that started it is gone, and nobody reads its output.
#[cfg(unix)]
#[test]
fn a_studio_that_nobody_hears_ends_when_asked() {
    let lab = Lab::new();
    let mut command = lab.command(&["studio", "--json", "--port", "0"]);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    drop(process.stderr.take());
    let asked = std::process::Command::new("kill").arg(process.id().to_string()).status().unwrap();
    assert!(asked.success());
    let begun = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(30) {
            process.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
