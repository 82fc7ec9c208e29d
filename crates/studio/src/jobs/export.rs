//! The games of a tournament as files for other programs.
//!
//! Games are read, written and sent one by one, never gathered in memory, and only while the client reads.

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use axum::body::Body as Stream;
use axum::extract::{Path, State};
use axum::response::Response;
use outplay_arena::GameRecord;
use outplay_lab::registry::FormatInfo;
use outplay_lab::{Store, open_game};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::errors::JobError;
use super::job::JobInfo;
use crate::export::download;
use crate::refusal::{Refusal, run_blocking};
use crate::routes::QueryParams;
use crate::schemas::ExportedJobSchema;
use crate::studio::Studio;
use crate::tables::{GameStart, replay};

/// The format of an export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    format: Option<String>,
}

/// How games are written.
enum ExportFormat {
    /// One line per game, for spreadsheets.
    Csv,
    /// The job and all records, for programs.
    Json(Box<JobInfo>),
    /// A format of the game's own. The boards of a final may differ from game to game.
    Own { format: FormatInfo, store: Arc<Store> },
}

impl ExportFormat {
    fn named(name: &str, game: &str, job: JobInfo, studio: &Studio) -> Result<Self, Refusal> {
        let board = studio.tables.open_board(game)?;
        let own = board.info().formats.iter().find(|format| format.holds_many);
        match (name, own) {
            ("csv", _) => Ok(Self::Csv),
            ("json", _) => Ok(Self::Json(Box::new(job))),
            (name, Some(&format)) if format.name == name => {
                Ok(Self::Own { format, store: Arc::clone(&studio.store) })
            }
            (name, Some(own)) => Err(JobError::FormatOrOwn { format: name.to_owned(), own: own.name }.into()),
            (name, None) => Err(JobError::Format { format: name.to_owned() }.into()),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json(_) => "application/json",
            Self::Own { format, .. } => format.media_type,
        }
    }

    fn begin(&self) -> String {
        match self {
            Self::Csv => {
                "number,game,first,second,outcome,plies,random_plies,setup,forfeit,moves\r\n".to_owned()
            }
            Self::Json(job) => {
                let job = serde_json::to_string(job).expect("a job is plain data");
                format!("{{\"job\":{job},\"games\":[")
            }
            Self::Own { .. } => String::new(),
        }
    }

    /// The text of game `number` (from 0), given its record; nothing if it cannot be written.
    fn game(&self, number: usize, line: &str) -> Option<String> {
        if let Self::Json(_) = self {
            return Some(format!("{}{line}", if number == 0 { "\n" } else { ",\n" }));
        }
        let record: GameRecord = serde_json::from_str(line).ok()?;
        match self {
            Self::Own { format, store } => written(&record, format.name, store),
            _ => Some(row(number, &record, line)),
        }
    }

    fn end(&self) -> &'static str {
        match self {
            Self::Json(_) => "\n]}\n",
            Self::Csv | Self::Own { .. } => "",
        }
    }
}

/// A game in the game's own format.
fn written(record: &GameRecord, format: &str, store: &Arc<Store>) -> Option<String> {
    let game_start =
        GameStart { game: record.game.clone(), start: record.position.clone(), seed: record.setup };
    let table = replay(&*open_game(&record.game, store).ok()?, &game_start, &record.moves).ok()?;
    let text = table.write_file(format, &record.players, Some(record.outcome))?;
    Some(format!("{}\n\n", text.trim_end()))
}

/// A CSV line; fields with a comma, a quote or a line break are quoted (RFC 4180).
fn row(number: usize, record: &GameRecord, line: &str) -> String {
    let outcome = serde_json::from_str::<serde_json::Value>(line).ok();
    let outcome = outcome.as_ref().and_then(|fields| fields["outcome"].as_str()).unwrap_or_default();
    let player = |seat: usize| record.players.get(seat).map(String::as_str).unwrap_or_default();
    let fields = [
        (number + 1).to_string(),
        record.game.clone(),
        player(0).to_owned(),
        player(1).to_owned(),
        outcome.to_owned(),
        record.plies.to_string(),
        record.random_plies.to_string(),
        record.setup.to_string(),
        record.forfeit.clone().unwrap_or_default(),
        record.moves.join(" "),
    ];
    fields.map(|field| quoted(&field)).join(",") + "\r\n"
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// The games of a tournament, as a download.
#[utoipa::path(get, operation_id = "export_job", path = "/api/jobs/{id}/export", params(ExportQuery), responses((status = 200, content((ExportedJobSchema = "application/json"), (String = "text/csv"), (String = "application/x-chess-pgn")))))]
pub(crate) async fn export(
    State(studio): State<Arc<Studio>>,
    Path(id): Path<String>,
    QueryParams(form): QueryParams<ExportQuery>,
) -> Result<Response, Refusal> {
    let ending = form.format.unwrap_or_else(|| "json".to_owned());
    let (form, path) = run_blocking({
        let (id, ending) = (id.clone(), ending.clone());
        move || {
            let (game, job, path) = studio.jobs.games(&id)?;
            Ok((ExportFormat::named(&ending, &game, job, &studio)?, path))
        }
    })
    .await?;
    let (name, kind) = (format!("outplay-{id}.{ending}"), form.kind());
    let (parts, sent) = mpsc::channel::<String>(16);
    tokio::task::spawn_blocking(move || {
        let lines = File::open(path).map(|file| BufReader::new(file).lines());
        let games = lines.into_iter().flatten().map_while(Result::ok).enumerate();
        let games = games.filter_map(|(number, line)| form.game(number, &line));
        let all = std::iter::once(form.begin()).chain(games).chain([form.end().to_owned()]);
        for part in all {
            if parts.blocking_send(part).is_err() {
                return;
            }
        }
    });
    let body = ReceiverStream::new(sent).map(Ok::<_, Infallible>);
    Ok(download(&name, kind, Stream::from_stream(body)))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        assert_eq!(quoted("mcts:sims=5"), "mcts:sims=5");
        assert_eq!(quoted("quoridor:size=5,walls=3"), "\"quoridor:size=5,walls=3\"");
        assert_eq!(quoted("say \"no\""), "\"say \"\"no\"\"\"");
    }
}
