//! The page, as it was built into the program.
//!
//! Law: whatever is not a file of the page and not below `/api` is the page itself, so that every address in it can be opened.

use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// A file of the page.
struct File {
    /// Its place, `assets/main.js`.
    path: &'static str,
    /// What kind of file it is.
    kind: &'static str,
    /// A number that changes with its content.
    tag: &'static str,
    content: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Shown where the program was built without the page.
const ABSENT: &str = "<!doctype html><title>Outplay</title><p>This build of Outplay has no page: \
     it was built with OUTPLAY_PAGE=none. The API is at /api.</p>";

/// A file of the page, or the page.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Refusal::unknown("route", uri.path()).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Refusal::method().into_response();
    }
    let find = |path: &str| FILES.iter().find(|file| file.path == path);
    let Some(file) = find(path).or_else(|| find("index.html")) else {
        return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], ABSENT).into_response();
    };
    // The names of built files change with their content; the others are asked for again.
    let lasting =
        if file.path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let dress = [(header::ETAG, file.tag), (header::CACHE_CONTROL, lasting)];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == file.tag) {
        return (StatusCode::NOT_MODIFIED, dress).into_response();
    }
    (dress, [(header::CONTENT_TYPE, file.kind)], file.content).into_response()
}
