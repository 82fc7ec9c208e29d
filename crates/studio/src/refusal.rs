//! Refusals: a code for programs and a sentence for people.
//!
//! Every request that is not answered gets one, also where axum refused it. A refusal quotes only the beginning and the end of long
//! input.

use axum::Json;
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use outplay_lab::LabError;
use serde::Serialize;
use utoipa::ToSchema;

/// What went wrong; programs may rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The request does not have the expected shape.
    Malformed,
    /// The token is missing or wrong.
    Token,
    /// The request comes from another site or host.
    Foreign,
    /// No such table, job, model, paper or route.
    Unknown,
    /// The route exists for other methods.
    Method,
    /// The table has moved on since the client saw it.
    Stale,
    /// A bound is reached.
    Busy,
    /// The body is too large.
    TooLarge,
    /// Understood, but not possible.
    Refused,
    /// A fault of the server.
    Failed,
}

impl Code {
    const fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Foreign => StatusCode::FORBIDDEN,
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Stale | Self::Busy => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The code for a status that axum chose.
    fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::Unknown,
            StatusCode::METHOD_NOT_ALLOWED => Self::Method,
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            status if status.is_server_error() => Self::Failed,
            _ => Self::Malformed,
        }
    }
}

/// A refusal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    /// For programs.
    pub(crate) code: Code,
    /// For people.
    pub(crate) message: String,
}

/// A refusal as it is sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    pub(crate) error: Refusal,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: in_short(message.into()) }
    }

    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(Code::Refused, message)
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(Code::Malformed, message)
    }

    /// There is no such table, job, model.
    pub(crate) fn unknown(what: &str, name: &str) -> Self {
        Self::new(Code::Unknown, format!("there is no {what} '{name}'"))
    }

    /// The route exists for other methods.
    pub(crate) fn method() -> Self {
        Self::new(
            Code::Method,
            "the route is not there for this method: expected one that the protocol lists",
        )
    }
}

/// How many letters of a long word are shown; words up to twice as long are shown whole.
const WORD: usize = 40;
/// Letters from which a sentence is shortened.
const SENTENCE: usize = 600;

/// Shortens a sentence: a long word to its beginning and last letters, a long sentence to its beginning and end.
fn in_short(sentence: String) -> String {
    let is_long = |word: &str| word.chars().nth(2 * WORD).is_some();
    let sentence = if sentence.split(' ').any(is_long) {
        let shorten = |word: &str| if is_long(word) { cut(word, WORD, 2) } else { word.to_owned() };
        sentence.split(' ').map(shorten).collect::<Vec<_>>().join(" ")
    } else {
        sentence
    };
    if sentence.chars().nth(SENTENCE).is_some() {
        cut(&sentence, SENTENCE / 3, SENTENCE / 3)
    } else {
        sentence
    }
}

/// The first and the last letters of a text.
fn cut(text: &str, first: usize, last: usize) -> String {
    let end = text.char_indices().rev().nth(last - 1).map_or(0, |(place, _)| place);
    text.chars().take(first).chain(['…']).chain(text[end..].chars()).collect()
}

/// Turns an error response of axum into a refusal in JSON.
pub(crate) async fn as_json_refusal(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let words = to_bytes(body, SENTENCE).await.unwrap_or_default();
    let refusal = match String::from_utf8_lossy(&words).trim() {
        _ if status == StatusCode::METHOD_NOT_ALLOWED => Refusal::method(),
        "" => Refusal::new(Code::of(status), format!("the request was refused ({status})")),
        words => Refusal::new(Code::of(status), words),
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    (parts, Json(ErrorBody { error: refusal })).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.code.status(), Json(ErrorBody { error: self })).into_response()
    }
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        Self::new(Code::Refused, error.to_string())
    }
}

impl From<outplay_lab::spec::SpecError> for Refusal {
    fn from(error: outplay_lab::spec::SpecError) -> Self {
        LabError::from(error).into()
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(Code::Failed, format!("the studio's data could not be read or written: {error}"))
    }
}

/// Runs work that may block on a blocking thread.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(Code::Failed, "the work broke off by a fault of the program");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_quotes_little_of_what_it_was_given() {
        let told = |words: String| Refusal::refused(words).message;
        let long = told(format!("line 1: '{}', expected a seat", "é".repeat(300_000)));
        assert_eq!(long, format!("line 1: '{}…', expected a seat", "é".repeat(WORD - 1)));
        let many = told(format!("'{}' is not a position: expected FEN", "a b ".repeat(80_000)));
        assert!(many.starts_with("'a b a b") && many.ends_with("is not a position: expected FEN"), "{many}");
        assert!(many.chars().count() < SENTENCE);
        let plain = "the move 'e5' cannot be played: the game is over";
        assert_eq!(told(plain.to_owned()), plain);
    }
}
