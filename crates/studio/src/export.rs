//! Games as files, and files as games.
//!
//! Law: what is read is played through by the referee before anyone hears of it.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_lab::GAMES;
use outplay_lab::record::{GameRecord, RecordHeader, Told};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::dress::{self, Played};
use crate::refusal::Refusal;
use crate::tables::{Given, Hall, Live, replay};
use crate::wide::Wide;

/// What a text holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportInfo {
    game: String,
    position: Option<String>,
    moves: Vec<String>,
    players: Vec<String>,
    /// The seed of its set-up, where the text says it.
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
                None => serde_json::to_string_pretty(&json!({
                    "game": live.saved.given.game,
                    "position": live.saved.given.start,
                    "players": live.saved.seats,
                    "moves": live.saved.moves,
                })),
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
    let wanted = game.map(|game| game.split(':').next().unwrap_or_default());
    for (name, dress) in dress::readers().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name)) {
        if let Some(found) = (dress.import)(text) {
            let found = found?;
            let game = game.unwrap_or(name).to_owned();
            let (position, moves, players) = (found.position, found.moves, found.players);
            return check(hall, ImportInfo { game, position, moves, players, seed: None });
        }
    }
    let position = |game: &str| {
        let (game, position) = (game.to_owned(), Some(text.to_owned()));
        check(hall, ImportInfo { game, position, moves: Vec::new(), players: Vec::new(), seed: None })
    };
    match game {
        Some(game) => position(game),
        None => GAMES.iter().find_map(|entry| position(entry.name).ok()).ok_or_else(|| {
            Refusal::refused(
                "the text is neither a game nor a position: expected PGN, FEN, a record or a position",
            )
        }),
    }
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
