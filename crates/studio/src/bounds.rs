//! The limits of everything that clients can ask for. `docs/studio.md` lists them.

use std::time::Duration;

use outplay_core::errors;

use crate::refusal::{Code, CodedError};

errors! {
    /// A limit that a request does not keep.
    pub(crate) enum BoundError {
        Name { length: usize, most: usize } =
            "a name of {length} letters is too long: expected at most {most}"
            | "un nom de {length} lettres est trop long : attendu {most} au plus",
        Moves { given: usize, most: usize } =
            "{given} moves are too many: expected at most {most}" | "{given} coups sont trop : attendu {most} au plus",
        Body { most: usize } =
            "the body is too large: expected at most {most} bytes" | "la demande est trop grande : attendu {most} octets au plus",
        Upload { most: usize } =
            "the file is too large: expected at most {most} bytes"
            | "le fichier est trop grand : attendu {most} octets au plus",
        Tables { most: usize } =
            "there are {most} tables already: remove some" | "il y a déjà {most} parties : supprimez-en",
        Jobs { open: usize } =
            "there are {open} jobs already: wait for some, or remove old ones"
            | "il y a déjà {open} travaux : attendez-en, ou supprimez-en d’anciens",
        Sockets { most: usize } = "there are {most} sockets already" | "il y a déjà {most} connexions",
        Topics { most: usize } = "a socket follows at most {most} topics" | "une connexion suit au plus {most} sujets",
    }
}

impl CodedError for BoundError {
    fn code(&self) -> Code {
        match self {
            Self::Name { .. } | Self::Moves { .. } => Code::Refused,
            Self::Body { .. } | Self::Upload { .. } => Code::TooLarge,
            Self::Tables { .. } | Self::Jobs { .. } | Self::Sockets { .. } | Self::Topics { .. } => {
                Code::Busy
            }
        }
    }
}

/// Bytes of a request's body.
pub(crate) const BODY_BYTES: usize = 256 << 10;
/// Bytes of a game, a player or a method with its parameters.
pub(crate) const SPEC_LENGTH: usize = 500;
/// Tables that are kept.
pub(crate) const TABLES: usize = 100_000;
/// Tables that stay in memory although no page follows them.
pub(crate) const IDLE_TABLES: usize = 64;
/// Moves that a table may be given when it is made.
pub(crate) const MOVES: usize = 10_000;
/// Players that think at a time at tables where a person waits; more wait their turn.
pub(crate) const AWAITED_PLAYERS: usize = 32;
/// Players that think at a time at all other tables; more wait their turn.
pub(crate) const UNATTENDED_PLAYERS: usize = 2;
/// MiB that all players at tables and in analyses may use together, as estimated; more wait. It is a part of the studio's memory.
pub(crate) fn player_memory(total: u32) -> u32 {
    (total / 4).min(2048)
}
/// How long a player stays loaded after its last move.
pub(crate) const PLAYER_STAYS: Duration = Duration::from_mins(1);
/// Analyses that run at a time; more wait their turn.
pub(crate) const ANALYSES: usize = 8;
/// Jobs that wait or run.
pub(crate) const OPEN_JOBS: usize = 32;
/// Jobs that are kept.
pub(crate) const JOBS: usize = 10_000;
/// Crashes of the studio in a row, after which a job that ran is not resumed by itself.
pub(crate) const JOB_CRASHES: u32 = 2;
/// Jobs that run at a time, given as many threads.
pub(crate) const RUNNING_JOBS: usize = 2;
/// Players of a tournament.
pub(crate) const TOURNAMENT_PLAYERS: usize = 32;
/// Games of each pairing.
pub(crate) const PAIRING_GAMES: u64 = 100_000;
/// Connections that are open at a time, WebSockets apart. For the next client, one that waits for a request is closed.
pub(crate) const CONNECTIONS: usize = 512;
/// How long the head of a request may take to arrive, and how long a connection may be silent between requests.
pub(crate) const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes that are read ahead of a connection, the head of the next request included.
pub(crate) const HEAD_BUFFER: usize = 64 << 10;
/// Fields in the head of a request.
pub(crate) const HEAD_FIELDS: usize = 100;
/// How long what is sent may wait until the client reads some of it, on connections and WebSockets.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the body of a request may take to arrive.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// WebSockets that are open at a time.
pub(crate) const SOCKETS: usize = 1024;
/// Bytes of a message from the page.
pub(crate) const MESSAGE_BYTES: usize = 16 << 10;
/// Topics that a WebSocket may follow.
pub(crate) const TOPICS: usize = 64;
/// Records in one message.
pub(crate) const BATCH_RECORDS: usize = 1000;
/// Bytes after which a message takes no further record: a socket keeps a buffer as large as its largest message.
pub(crate) const BATCH_BYTES: usize = 16 << 10;
/// The longest thinking time that a player may be given.
pub(crate) const THINKING_TIME: Duration = Duration::from_mins(1);
/// The longest time control, and the largest increment.
pub(crate) const CLOCK_SECONDS: f64 = 10_800.0;
pub(crate) const INCREMENT_SECONDS: f64 = 180.0;
/// How often a player's opinion is sent while it thinks.
pub(crate) const THOUGHT_INTERVAL: Duration = Duration::from_millis(150);
/// How long a turn of a game in real time takes at least where nobody but programs plays.
pub(crate) const WATCHED_TURN: Duration = Duration::from_millis(160);
/// Playouts for each judgement of a review.
pub(crate) const REVIEW_SAMPLES: u64 = 10_000;
/// Places in the final of a knock-out.
pub(crate) const KNOCKOUT_PLACES: u32 = 32;
/// Bytes of an uploaded network.
pub(crate) const UPLOAD_BYTES: usize = 32 << 20;
/// How long an upload may take.
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_mins(1);
/// Characters of the name of an upload.
pub(crate) const TITLE_LENGTH: usize = 80;

/// Wrong tokens that are answered as such within a second.
pub(crate) const WRONG_TOKENS: u32 = 10;

/// The largest value of a parameter that costs memory or cores, by its name.
pub(crate) fn most(parameter: &str, threads: usize) -> Option<i64> {
    match parameter {
        "table" | "hash" => Some(256),
        "threads" => Some(threads as i64),
        "sims" => Some(10_000_000),
        "nodes" => Some(10_000_000_000),
        _ => None,
    }
}
