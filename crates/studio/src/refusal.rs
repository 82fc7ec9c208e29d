//! Why a request was not answered: a code for programs, a sentence for people.
//!
//! Laws of this room:
//! - whatever is not answered is refused in this form, whoever refused it;
//! - a refusal quotes no more of what it was given than shows what that was.

use axum::Json;
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use outplay_lab::LabError;
use serde::Serialize;
use utoipa::ToSchema;

/// What went wrong, in a word that programs may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The request is not of the shape that was expected.
    Malformed,
    /// The token is missing or another one.
    Token,
    /// The request comes from elsewhere.
    Foreign,
    /// There is no such thing.
    Unknown,
    /// There is, but it is asked for in another way.
    Method,
    /// The table is not where the request thinks it is.
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

    /// The word for what was refused by others, who know only the status.
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
    /// In a word.
    pub(crate) code: Code,
    /// In a sentence.
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

    /// The route is there for other methods.
    pub(crate) fn method() -> Self {
        Self::new(
            Code::Method,
            "the route is not there for this method: expected one that the protocol lists",
        )
    }
}

/// Letters of a word that are shown of one that is longer than any of ours.
const WORD: usize = 40;
/// Letters of a sentence, likewise.
const SENTENCE: usize = 600;

/// A sentence without most of what is too long in it: of a long word its beginning and what closes it, of a long sentence its
/// beginning and its end.
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

/// So many letters of the beginning and of the end.
fn cut(text: &str, first: usize, last: usize) -> String {
    let end = text.char_indices().rev().nth(last - 1).map_or(0, |(place, _)| place);
    text.chars().take(first).chain(['…']).chain(text[end..].chars()).collect()
}

/// What others refused, in our form.
pub(crate) async fn in_our_form(response: Response) -> Response {
    let status = response.status();
    let is_ours = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_ours || !(status.is_client_error() || status.is_server_error()) {
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

/// Does what may block, away from the threads that answer requests.
pub(crate) async fn off<T: Send + 'static>(
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
