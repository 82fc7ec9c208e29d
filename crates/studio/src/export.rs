//! Games as files, and files as games.
//!
//! Laws of this room:
//! - what is read is played through by the referee before anyone hears of it;
//! - what is written comes back as the same game; where that would tell a secret before its time, it is the position as it is seen.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_lab::GAMES;
use outplay_lab::record::{GameRecord, RecordHeader, Told};
use outplay_lab::spec::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::dress::{self, Imported, Played};
use crate::refusal::Refusal;
use crate::tables::{Given, Hall, Live, name_of, replay};
use crate::wide::Wide;

/// What a text holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportInfo {
    game: String,
    #[schema(required = true)]
    position: Option<String>,
    moves: Vec<String>,
    players: Vec<String>,
    /// The seed of its set-up, where the text says it.
    #[schema(required = true)]
    seed: Option<Wide>,
}

/// The game at a table in one of its forms.
pub(crate) fn write(live: &Live, format: &str) -> Result<String, Refusal> {
    let snapshot = live.snapshot();
    let formats = live.dress().formats;
    if !formats.contains(&format) {
        let refusal =
            format!("'{format}' is not a form of this game: expected one of {}", formats.join(", "));
        return Err(Refusal::refused(refusal));
    }
    Ok(match format {
        "json" => {
            let text = match record(live) {
                Some(record) => serde_json::to_string_pretty(&record),
                None => serde_json::to_string_pretty(&note(live)),
            };
            text.expect("a game is plain data") + "\n"
        }
        "text" => snapshot.position + "\n",
        format => {
            let played = Played {
                scene: live.scene(&snapshot),
                moves: &live.saved.moves,
                result: live.outcome(&snapshot).map(|outcome| outcome.as_result()),
            };
            let written = (live.dress().export)(&played, format);
            written.ok_or_else(|| Refusal::refused(format!("the game cannot be written as {format}")))?
        }
    })
}

/// What is said with a position that is only what is seen of a game.
const SEEN: &str = "the position as it is seen: what is hidden is not told before the end, and is drawn anew where the game goes on";

/// A game that did not end on the board.
fn note(live: &Live) -> Value {
    let Given { game, start, seed } = &live.saved.given;
    let (snapshot, players, moves) = (live.snapshot(), &live.saved.seats, &live.saved.moves);
    if !live.dress().has_secrets {
        return json!({ "game": game, "position": start, "players": players, "moves": moves });
    }
    if live.outcome(&snapshot).is_some() {
        return json!({ "game": game, "setup": Wide(*seed), "position": start, "players": players, "moves": moves });
    }
    json!({
        "game": game,
        "position": snapshot.position,
        "players": players,
        "moves": [],
        "note": SEEN,
    })
}

/// The record of a game that was played to its end.
pub(crate) fn record(live: &Live) -> Option<GameRecord> {
    let players: Vec<&str> = live.saved.seats.iter().map(String::as_str).collect();
    let Given { game, start, seed } = &live.saved.given;
    let header = RecordHeader { game, players: &players, seed: *seed };
    GameRecord::from_table(&header, start.as_deref(), &live.snapshot())
}

/// A game as far as it was played.
pub(crate) fn told(live: &Live) -> Told {
    let Given { game, start, seed } = live.saved.given.clone();
    let (players, moves) = (live.saved.seats.clone(), live.snapshot().moves);
    Told { game, players, setup: seed, position: start, random_plies: 0, moves }
}

/// A file to be saved by the browser.
pub(crate) fn download(name: &str, kind: &'static str, content: Body) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], content)
        .into_response()
}

/// A game in the form that `write` gives as `json`, or a record of the lab.
#[derive(Deserialize)]
struct Noted {
    game: String,
    position: Option<String>,
    setup: Option<Wide>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    players: Vec<String>,
}

/// What a text holds: a game or a position of the game that is named, or else of any.
pub(crate) fn read(hall: &Hall, text: &str, game: Option<&str>) -> Result<ImportInfo, Refusal> {
    let text = text.trim();
    if text.starts_with('{') {
        let noted: Noted = serde_json::from_str(text)
            .map_err(|error| Refusal::refused(format!("the text is not a recorded game: {error}")))?;
        let Noted { game, position, setup, moves, players } = noted;
        return check(hall, ImportInfo { game, position, moves, players, seed: setup });
    }
    let mut objection = None;
    for form in forms(text, game) {
        match form.and_then(|info| check(hall, info)) {
            Ok(info) => return Ok(info),
            Err(refusal) => objection = objection.or(Some(refusal)),
        }
    }
    for position in positions(text, game) {
        match check(hall, position) {
            Ok(info) => return Ok(info),
            // Where no game is named, that a text is no position of one says nothing.
            Err(refusal) => objection = objection.or(game.map(|_| refusal)),
        }
    }
    Err(objection.unwrap_or_else(|| {
        let games: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        Refusal::refused(format!(
            "the text is neither a game nor a position: expected PGN, FEN, a record in JSON or a position of {} as it is exported",
            games.join(", ")
        ))
    }))
}

/// What the text is in the forms of their own that games have.
fn forms(text: &str, game: Option<&str>) -> impl Iterator<Item = Result<ImportInfo, Refusal>> {
    let readers = dress::readers().filter(move |(name, _)| game.is_none_or(|game| name_of(game) == *name));
    readers.filter_map(move |(name, dress)| {
        let game = game.unwrap_or(name).to_owned();
        let info =
            |Imported { position, moves, players }| ImportInfo { game, position, moves, players, seed: None };
        Some((dress.import)(text)?.map(info))
    })
}

/// The text as a position, on every board that it may be of.
fn positions(text: &str, game: Option<&str>) -> Vec<ImportInfo> {
    let games: Vec<String> = match game {
        Some(game) => boards(game),
        None => GAMES.iter().flat_map(|entry| boards(entry.name)).collect(),
    };
    let position = |game| {
        let position = Some(text.to_owned());
        ImportInfo { game, position, moves: Vec::new(), players: Vec::new(), seed: None }
    };
    games.into_iter().map(position).collect()
}

/// The game as it is written, then on boards of all sizes, where it has sizes and the text names none.
fn boards(game: &str) -> Vec<String> {
    let entry = GAMES.iter().find(|entry| entry.name == name_of(game));
    let size = entry.and_then(|entry| entry.params.iter().find(|param| param.name == "size"));
    let sizes = match size.map(|param| param.kind) {
        Some(Kind::Whole(least, most)) if !game.contains("size=") => Some(least..=most),
        _ => None,
    };
    let joint = if game.contains(':') { ',' } else { ':' };
    let sized = sizes.into_iter().flatten().map(|size| format!("{game}{joint}size={size}"));
    std::iter::once(game.to_owned()).chain(sized).collect()
}

fn check(hall: &Hall, info: ImportInfo) -> Result<ImportInfo, Refusal> {
    let given = Given {
        game: info.game.clone(),
        start: info.position.clone(),
        seed: info.seed.unwrap_or_default().0,
    };
    let house = hall.house(&info.game)?;
    if info.moves.len() > crate::bounds::MOVES {
        return Err(Refusal::refused("the game has too many moves"));
    }
    replay(&*house, &given, &info.moves)?;
    Ok(info)
}
