//! Why a request was not answered: a code for programs, a sentence for people.

use axum::Json;
use axum::http::StatusCode;
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
            Self::Stale | Self::Busy => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
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
        Self { code, message: message.into() }
    }

    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(Code::Refused, message)
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(Code::Malformed, message)
    }

    /// There is no such table, job, model.
    pub(crate) fn unknown(what: &str, name: &str) -> Self {
        let shown: String = name.chars().take(60).collect();
        Self::new(Code::Unknown, format!("there is no {what} '{shown}'"))
    }
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
