//! Exporting games as files and importing them.
//!
//! An imported game is replayed by the referee before it is accepted. An exported game can be imported again as the same game; where
//! that would reveal a secret of an unfinished game, only the visible position is exported.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_arena::record::{GameRecord, GameTranscript, RecordHeader};
use outplay_core::{ForeignWords, errors};
use outplay_lab::games;
use outplay_lab::params::ParamKind;
use outplay_lab::registry::BoardInfo;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::bounds::{self, BoundError};
use crate::json_u64::JsonU64;
use crate::refusal::{CodedError, Refusal};
use crate::tables::{GameStart, OpenTable, StudioTables, name_of, replay};

errors! {
    /// Why a game is not written, or a text not read.
    pub(crate) enum ExportError {
        Format { format: String, expected: Vec<&'static str> } =
            "'{format}' is not a form of this game: expected one of {expected}"
            | "« {format} » n’est pas une forme de ce jeu : attendu un de {expected}",
        Unwritable { format: String } =
            "the game cannot be written as {format}" | "la partie ne peut être écrite en {format}",
        /// The reason is the parser's.
        Record { reason: ForeignWords } =
            "the text is not a recorded game: {reason}" | "le texte n’est pas une partie notée : {reason}",
        Unreadable { games: Vec<&'static str> } =
            "the text is neither a game nor a position: expected PGN, FEN, a record in JSON or a position of {games} as it is exported"
            | "le texte n’est ni une partie ni une position : attendu PGN, FEN, une partie notée en JSON ou une position de {games} telle qu’elle est exportée",
    }
}

impl CodedError for ExportError {}

/// What a text holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportInfo {
    game: String,
    #[schema(required = true)]
    position: Option<String>,
    moves: Vec<String>,
    players: Vec<String>,
    /// The seed of its set-up, if the text has it.
    #[schema(required = true)]
    seed: Option<JsonU64>,
}

/// The formats in which games on a board can be exported: those of the game's own or the text of the position, and JSON.
pub(crate) fn formats(board: &BoardInfo) -> Vec<&'static str> {
    let text = board.formats.is_empty().then_some("text");
    board.formats.iter().map(|format| format.name).chain(text).chain(["json"]).collect()
}

/// The game at a table in one of its formats, and its media type.
pub(crate) fn write(live: &OpenTable, format: &str) -> Result<(String, &'static str), Refusal> {
    let board = live.board.info();
    let formats = formats(board);
    if !formats.contains(&format) {
        return Err(ExportError::Format { format: format.to_owned(), expected: formats }.into());
    }
    let own = board.formats.iter().find(|own| own.name == format).map(|own| own.media_type);
    let plain = if format == "json" { "application/json" } else { "text/plain; charset=utf-8" };
    let text = match format {
        "json" => {
            let text = match record(live) {
                Some(record) => serde_json::to_string_pretty(&record),
                None => serde_json::to_string_pretty(&note(live)),
            };
            text.expect("a game is plain data") + "\n"
        }
        "text" => format!("{}\n", live.snapshot().position),
        format => {
            live.write_file(format).ok_or_else(|| ExportError::Unwritable { format: format.to_owned() })?
        }
    };
    Ok((text, own.unwrap_or(plain)))
}

/// The note in an export that has only the visible position.
const SEEN: &str = "the position as it is seen: what is hidden is not told before the end, and is drawn anew where the game goes on";

/// The JSON of a game that did not end on the board.
fn note(live: &OpenTable) -> Value {
    let GameStart { game, start, seed } = &live.saved.game_start;
    let (snapshot, players, moves) = (live.snapshot(), &live.saved.seats, &live.saved.moves);
    if !live.board.info().has_secrets {
        return json!({ "game": game, "position": start, "players": players, "moves": moves });
    }
    if live.outcome().is_some() {
        return json!({ "game": game, "setup": JsonU64(*seed), "position": start, "players": players, "moves": moves });
    }
    json!({
        "game": game,
        "position": snapshot.position,
        "players": players,
        "moves": [],
        "note": SEEN,
    })
}

/// The record of a game that ended on the board.
pub(crate) fn record(live: &OpenTable) -> Option<GameRecord> {
    let players: Vec<&str> = live.saved.seats.iter().map(String::as_str).collect();
    let GameStart { game, start, seed } = &live.saved.game_start;
    let header = RecordHeader { game, players: &players, seed: *seed };
    let end = live.snapshot();
    GameRecord::from_table(&header, start.as_deref(), &end.moves, end.result)
}

/// A game as far as it was played.
pub(crate) fn told(live: &OpenTable) -> GameTranscript {
    let GameStart { game, start, seed } = live.saved.game_start.clone();
    let (players, moves) = (live.saved.seats.clone(), live.saved.moves.clone());
    GameTranscript { game, players, setup: seed, position: start, random_plies: 0, moves }
}

/// A response that the browser saves as a file.
pub(crate) fn download(name: &str, kind: &'static str, content: Body) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], content)
        .into_response()
}

/// A game as `write` exports it in JSON, or a record of the lab.
#[derive(Deserialize)]
struct JsonGame {
    game: String,
    position: Option<String>,
    setup: Option<JsonU64>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    players: Vec<String>,
}

/// Reads a game or a position, of the named game or else of any.
pub(crate) fn read(tables: &StudioTables, text: &str, game: Option<&str>) -> Result<ImportInfo, Refusal> {
    let text = text.trim();
    if text.starts_with('{') {
        let read: JsonGame = serde_json::from_str(text)
            .map_err(|error| ExportError::Record { reason: ForeignWords::of(&error) })?;
        let JsonGame { game, position, setup, moves, players } = read;
        return check(tables, ImportInfo { game, position, moves, players, seed: setup });
    }
    let mut objection = None;
    for form in forms(tables, text, game) {
        match form.and_then(|info| check(tables, info)) {
            Ok(info) => return Ok(info),
            Err(refusal) => objection = objection.or(Some(refusal)),
        }
    }
    for position in positions(text, game) {
        match check(tables, position) {
            Ok(info) => return Ok(info),
            // Where no game is named, the first one that does not read the text is no reason to give.
            Err(refusal) => objection = objection.or(game.map(|_| refusal)),
        }
    }
    Err(objection.unwrap_or_else(|| {
        ExportError::Unreadable { games: games().iter().map(|entry| entry.name).collect() }.into()
    }))
}

/// The board on which a position of a game occurs, as a request names it.
pub(crate) fn board_of_position(
    tables: &StudioTables,
    position: &str,
    game: &str,
) -> Result<String, Refusal> {
    read(tables, position, Some(game)).map(|info| info.game)
}

/// The text as read by the formats that games have of their own.
fn forms<'a>(
    tables: &'a StudioTables,
    text: &'a str,
    game: Option<&'a str>,
) -> impl Iterator<Item = Result<ImportInfo, Refusal>> + 'a {
    let names = games().iter().map(|entry| entry.name);
    let names = names.filter(move |name| game.is_none_or(|game| name_of(game) == **name));
    names.filter_map(move |name| {
        let told = tables.open_board(name).ok()?.read_text(text)?;
        let game = game.unwrap_or(name).to_owned();
        let info = |GameTranscript { position, moves, players, .. }| ImportInfo {
            game,
            position,
            moves,
            players,
            seed: None,
        };
        Some(told.map(info).map_err(Refusal::from))
    })
}

/// The text as a position, on every board size that it may belong to.
fn positions(text: &str, game: Option<&str>) -> Vec<ImportInfo> {
    let games: Vec<String> = match game {
        Some(game) => boards(game),
        None => games().iter().flat_map(|entry| boards(entry.name)).collect(),
    };
    let position = |game| {
        let position = Some(text.to_owned());
        ImportInfo { game, position, moves: Vec::new(), players: Vec::new(), seed: None }
    };
    games.into_iter().map(position).collect()
}

/// The game as written, then with every board size, if it has sizes and none is given.
fn boards(game: &str) -> Vec<String> {
    let entry = games().iter().find(|entry| entry.name == name_of(game));
    let size = entry.and_then(|entry| entry.params.iter().find(|param| param.name == "size"));
    let sizes = match size.map(|param| &param.kind) {
        Some(&ParamKind::Whole(least, most)) if !game.contains("size=") => Some(least..=most),
        _ => None,
    };
    let joint = if game.contains(':') { ',' } else { ':' };
    let sized = sizes.into_iter().flatten().map(|size| format!("{game}{joint}size={size}"));
    std::iter::once(game.to_owned()).chain(sized).collect()
}

fn check(tables: &StudioTables, info: ImportInfo) -> Result<ImportInfo, Refusal> {
    let game_start = GameStart {
        game: info.game.clone(),
        start: info.position.clone(),
        seed: info.seed.unwrap_or_default().0,
    };
    let board = tables.open_board(&info.game)?;
    if info.moves.len() > bounds::MOVES {
        return Err(BoundError::Moves { given: info.moves.len(), most: bounds::MOVES }.into());
    }
    replay(&*board, &game_start, &info.moves)?;
    Ok(info)
}
