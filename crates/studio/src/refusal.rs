//! Refusals: a code for programs and a sentence for people, in every language.
//!
//! Every request that is not answered gets one, also where axum refused it. Each part of the studio has its own error type; a
//! [`CodedError`] becomes a refusal with `?`. A refusal quotes only the beginning and the end of long input.

use outplay_runtime::WorkError;
use std::borrow::Cow;
use std::{fmt, io};

use axum::Json;
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use outplay_core::{ForeignWords, Language, Localize, Text, errors};
use outplay_lab::spec::SpecError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::bounds;

/// What went wrong; programs may rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The request does not have the expected shape.
    Malformed,
    /// The token is missing or wrong.
    Token,
    /// Too many wrong tokens were tried.
    Throttled,
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
    /// All codes.
    pub(crate) const ALL: [Self; 11] = [
        Self::Malformed,
        Self::Token,
        Self::Throttled,
        Self::Foreign,
        Self::Unknown,
        Self::Method,
        Self::Stale,
        Self::Busy,
        Self::TooLarge,
        Self::Refused,
        Self::Failed,
    ];

    /// What it says, for the description of the API.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Malformed => "The body or a parameter does not have the expected shape.",
            Self::Token => "The token is missing or wrong.",
            Self::Throttled => "Too many wrong tokens were tried.",
            Self::Foreign => "The request comes from another site or host.",
            Self::Unknown => "There is no such table, job, model, paper or route.",
            Self::Method => "The route exists for other methods.",
            Self::Stale => "The table has moved on since the client saw it.",
            Self::Busy => "A bound is reached.",
            Self::TooLarge => "The body is too large.",
            Self::Refused => "Understood, but not possible; the message says why.",
            Self::Failed => "A fault of the server.",
        }
    }

    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Throttled => StatusCode::TOO_MANY_REQUESTS,
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

/// An error that refuses a request.
pub(crate) trait CodedError: Localize {
    /// What it is for programs.
    fn code(&self) -> Code {
        Code::Refused
    }
}

impl CodedError for WorkError {}

impl CodedError for SpecError {}

errors! {
    /// Why a request was not answered, whatever it asked for.
    pub(crate) enum RequestError {
        Unknown { what: Resource, name: String } = "there is no {what} '{name}'" | "il n’y a pas {what} « {name} »",
        Method =
            "the route is not there for this method: expected one that the protocol lists"
            | "l’adresse n’existe pas pour cette méthode : attendu une de celles du protocole",
        Status { status: String } = "the request was refused ({status})" | "la demande a été refusée ({status})",
        /// In axum's own words.
        Axum { reason: ForeignWords } = "{reason}" | "la demande a été refusée : {reason}",
        Query { reason: ForeignWords } = "{reason}" | "les paramètres de l’adresse n’ont pas été compris : {reason}",
        Body { reason: ForeignWords } = "the body was not understood: {reason}" | "la demande n’a pas été comprise : {reason}",
        Array =
            "the body was not understood: expected an object, not an array"
            | "la demande n’a pas été comprise : attendu un objet et non un tableau",
        BrokenBody { reason: ForeignWords } =
            "the body did not arrive: {reason}" | "la demande n’est pas arrivée : {reason}",
        /// An upload could not be put on the disk.
        Unkept { reason: io::Error } =
            "the file could not be kept: {reason}" | "le fichier n’a pu être gardé : {reason}",
        LateBody = "the body did not arrive in time" | "la demande n’est pas arrivée à temps",
        Message { reason: ForeignWords } = "the message was not understood: {reason}" | "le message n’a pas été compris : {reason}",
        Crashed =
            "the work broke off by a fault of the program" | "le travail s’est interrompu par une faute du programme",
        Closing = "the studio is closing" | "le studio se ferme",
        LongAddress =
            "the address of the request is too long" | "l’adresse de la demande est trop longue",
        LargeHead { bytes: usize, fields: usize } =
            "the head of the request is too large: expected at most {bytes} bytes and {fields} fields"
            | "l’en-tête de la demande est trop grand : attendu {bytes} octets et {fields} champs au plus",
        BrokenHead =
            "the head of the request was not understood: expected HTTP/1.1"
            | "l’en-tête de la demande n’a pas été compris : attendu HTTP/1.1",
    }
}

impl RequestError {
    /// Why hyper refused the head of a request with this status.
    pub(crate) fn of_head(status: StatusCode) -> Self {
        match status {
            StatusCode::URI_TOO_LONG => Self::LongAddress,
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
                Self::LargeHead { bytes: bounds::HEAD_BUFFER, fields: bounds::HEAD_FIELDS }
            }
            _ => Self::BrokenHead,
        }
    }
}

impl CodedError for RequestError {
    fn code(&self) -> Code {
        match self {
            Self::Unknown { .. } => Code::Unknown,
            Self::Method => Code::Method,
            Self::Crashed | Self::Unkept { .. } => Code::Failed,
            Self::Closing => Code::Busy,
            _ => Code::Malformed,
        }
    }
}

/// Something that requests ask for by name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resource {
    Table,
    Job,
    Model,
    Paper,
    Artefact,
    /// The records of an artefact.
    Run,
    Route,
    Topic,
}

/// In French with the article that follows "il n’y a pas".
impl Localize for Resource {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Table => Text::new("table", "de partie"),
            Self::Job => Text::new("job", "de travail"),
            Self::Model => Text::new("model", "de réseau"),
            Self::Paper => Text::new("paper", "de document"),
            Self::Artefact => Text::new("artefact", "de résultat"),
            Self::Run => Text::new("run of", "d’exécution de"),
            Self::Route => Text::new("route", "d’adresse"),
            Self::Topic => Text::new("topic", "de sujet"),
        };
        text.localize(language, f)
    }
}

/// A refusal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    /// For programs.
    pub(crate) code: Code,
    /// For people.
    pub(crate) message: Text,
}

/// A refusal as it is sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    pub(crate) error: Refusal,
}

impl Refusal {
    pub(crate) fn new(code: Code, error: &impl Localize) -> Self {
        let Text { en, fr } = Text::of(error);
        Self { code, message: Text { en: in_short(en), fr: in_short(fr) } }
    }

    /// There is no such table, job, model.
    pub(crate) fn unknown(what: Resource, name: &str) -> Self {
        RequestError::Unknown { what, name: name.to_owned() }.into()
    }
}

impl<E: CodedError> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::new(error.code(), &error)
    }
}

/// How many letters of a long word are shown; words up to twice as long are shown whole.
const WORD: usize = 40;
/// Letters from which a sentence is shortened.
const SENTENCE: usize = 600;

/// Shortens a sentence: a long word to its beginning and last letters, a long sentence to its beginning and end.
fn in_short(sentence: Cow<'static, str>) -> Cow<'static, str> {
    let is_long = |word: &str| word.chars().nth(2 * WORD).is_some();
    let sentence = if sentence.split(' ').any(is_long) {
        let shorten = |word: &str| if is_long(word) { cut(word, WORD, 2) } else { word.to_owned() };
        sentence.split(' ').map(shorten).collect::<Vec<_>>().join(" ").into()
    } else {
        sentence
    };
    if sentence.chars().nth(SENTENCE).is_some() {
        cut(&sentence, SENTENCE / 3, SENTENCE / 3).into()
    } else {
        sentence
    }
}

/// The first and the last letters of a text.
fn cut(text: &str, first: usize, last: usize) -> String {
    let end = text.char_indices().rev().nth(last - 1).map_or(0, |(place, _)| place);
    text.chars().take(first).chain(['…']).chain(text[end..].chars()).collect()
}

/// Turns an error response of axum into a refusal in JSON, with the status of its code.
pub(crate) async fn as_json_refusal(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let words = to_bytes(body, SENTENCE).await.unwrap_or_default();
    let refusal = match String::from_utf8_lossy(&words).trim() {
        _ if status == StatusCode::METHOD_NOT_ALLOWED => RequestError::Method.into(),
        "" => Refusal::new(Code::of(status), &RequestError::Status { status: status.to_string() }),
        words => Refusal::new(Code::of(status), &RequestError::Axum { reason: ForeignWords::of(words) }),
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    parts.status = refusal.code.status();
    (parts, Json(ErrorBody { error: refusal })).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.code.status(), Json(ErrorBody { error: self })).into_response()
    }
}

/// Runs work that may block on a blocking thread.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|_| RequestError::Crashed)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_quotes_little_of_what_it_was_given() {
        let said = |en: String| {
            let Text { en, fr } = Refusal::new(Code::Refused, &Text::same(en)).message;
            assert_eq!(en, fr, "every language is shortened");
            en
        };
        let long = said(format!("line 1: '{}', expected a seat", "é".repeat(300_000)));
        assert_eq!(long, format!("line 1: '{}…', expected a seat", "é".repeat(WORD - 1)));
        let many = said(format!("'{}' is not a position: expected FEN", "a b ".repeat(80_000)));
        assert!(many.starts_with("'a b a b") && many.ends_with("is not a position: expected FEN"), "{many}");
        assert!(many.chars().count() < SENTENCE);
        let plain = "the move 'e5' cannot be played: the game is over";
        assert_eq!(said(plain.to_owned()), plain);
    }

    #[test]
    fn what_is_not_there_is_named_in_both_languages() {
        let message = Refusal::unknown(Resource::Run, "table-4.1").message;
        assert_eq!(
            message,
            Text::new("there is no run of 'table-4.1'", "il n’y a pas d’exécution de « table-4.1 »")
        );
    }
}
