//! The page, which is built into the program.
//!
//! A path that is neither a file of the page nor below `/api` is answered with `index.html`, so that every address in the page can be
//! opened directly.

use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::{Refusal, RequestError, Resource};

/// A file of the page.
struct File {
    /// Its path, such as `assets/main.js`.
    path: &'static str,
    /// Its content type.
    kind: &'static str,
    /// Its entity tag, a hash of the content.
    tag: &'static str,
    content: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Served by programs that were built without the page.
const ABSENT: &str = "<!doctype html><title>Outplay</title><p>This build of Outplay has no page: \
     it was built with OUTPLAY_PAGE=none. The API is at /api.</p>";

/// Serves a file of the page, or `index.html`.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Refusal::unknown(Resource::Route, uri.path()).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Refusal::from(RequestError::Method).into_response();
    }
    let find = |path: &str| FILES.iter().find(|file| file.path == path);
    let Some(file) = find(path).or_else(|| find("index.html")) else {
        return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], ABSENT).into_response();
    };
    // The names in `assets` change with the content; the other files have to be revalidated.
    let cache_control =
        if file.path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let caching = [(header::ETAG, file.tag), (header::CACHE_CONTROL, cache_control)];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == file.tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(header::CONTENT_TYPE, file.kind)], file.content).into_response()
}
