//! Which requests are served, and the security headers of every response.
//!
//! Without a token only this machine is served, and only under its own names: a page of another site is refused by its `Origin`, and a
//! foreign name that points here by its `Host`. With a token every request needs it. Every response carries a policy that lets the page
//! load nothing but what the studio serves.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use outplay_core::errors;

use crate::bounds;
use crate::connections::ConnectionHandle;
use crate::refusal::{Code, CodedError, Refusal};

const COOKIE: &str = "outplay_token";

/// What a browser shows where the token is missing.
const TOKEN_REQUIRED: &str = include_str!("token_required.html");

/// What the page may load.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

errors! {
    /// Why a request is not served.
    pub(crate) enum AccessError {
        Host =
            "the request names a foreign host: expected this machine's own"
            | "la demande nomme un hôte étranger : attendu celui de cette machine",
        Origin =
            "the request comes from a foreign origin: expected this machine's own"
            | "la demande vient d’une origine étrangère : attendu celle de cette machine",
        Site =
            "the request comes from a foreign site: expected this machine's own"
            | "la demande vient d’un site étranger : attendu celui de cette machine",
        Token =
            "the token is missing or another one: expected the studio's own"
            | "le jeton manque ou n’est pas le bon : attendu celui du studio",
        Throttled { most: u32 } =
            "too many wrong tokens were tried: expected at most {most} a second"
            | "trop de faux jetons ont été essayés : attendu {most} par seconde au plus",
        Twice { header: &'static str } =
            "the request has more than one header {header}: expected one"
            | "la demande a plus d’un en-tête {header} : attendu un seul",
    }
}

impl CodedError for AccessError {
    fn code(&self) -> Code {
        match self {
            Self::Host | Self::Origin | Self::Site => Code::Foreign,
            Self::Token => Code::Token,
            Self::Throttled { .. } => Code::Throttled,
            Self::Twice { .. } => Code::Malformed,
        }
    }
}

/// Decides which requests are served.
pub(crate) struct AccessPolicy {
    port: u16,
    token: Option<String>,
    /// By the addresses that they came from, for a second each.
    wrong: Mutex<HashMap<IpAddr, WrongTokens>>,
}

/// How many wrong tokens were tried since when.
struct WrongTokens {
    since: Instant,
    count: u32,
}

impl WrongTokens {
    fn is_recent(&self) -> bool {
        self.since.elapsed() < Duration::from_secs(1)
    }
}

impl AccessPolicy {
    pub(crate) fn new(port: u16, token: Option<String>) -> Self {
        Self { port, token, wrong: Mutex::default() }
    }

    /// Refuses a request without looking at its token, where too many wrong ones came from the same address within the last second.
    fn check_guesses(&self, peer: IpAddr, uri: &Uri, headers: &HeaderMap) -> Result<(), AccessError> {
        let most = bounds::WRONG_TOKENS;
        let wrong = self.wrong();
        let is_throttled = wrong.get(&peer).is_some_and(|wrong| wrong.is_recent() && wrong.count >= most);
        if is_throttled && brings_token(uri, headers) {
            return Err(AccessError::Throttled { most });
        }
        Ok(())
    }

    fn check(
        &self,
        peer: IpAddr,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), AccessError> {
        for (name, header) in [(header::HOST, "Host"), (header::ORIGIN, "Origin")] {
            if headers.get_all(name).iter().nth(1).is_some() {
                return Err(AccessError::Twice { header });
            }
        }
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(header::HOST).or_else(|| uri.authority().map(axum::http::uri::Authority::as_str));
        let host = host.unwrap_or_default();
        if self.token.is_none() && !self.is_local(host) {
            return Err(AccessError::Host);
        }
        if let Some(origin) = text(header::ORIGIN)
            && !self.is_own_origin(origin, host)
        {
            return Err(AccessError::Origin);
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_own_site = matches!(site, None | Some(b"same-origin" | b"none"));
        if !is_own_site && !is_page_request(method, uri) {
            return Err(AccessError::Site);
        }
        match &self.token {
            Some(token) if !tokens(headers).any(|other| is_same(token, other)) => {
                if brings_token(uri, headers) {
                    self.count_wrong(peer);
                }
                Err(AccessError::Token)
            }
            _ => Ok(()),
        }
    }

    fn count_wrong(&self, peer: IpAddr) {
        let mut wrong = self.wrong();
        wrong.retain(|_, wrong| wrong.is_recent());
        wrong.entry(peer).or_insert_with(|| WrongTokens { since: Instant::now(), count: 0 }).count += 1;
    }

    fn wrong(&self) -> MutexGuard<'_, HashMap<IpAddr, WrongTokens>> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the origin is the studio's own page under this host name. `https` is accepted only with a token: such a studio may be
    /// behind a proxy with TLS.
    fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        origin.strip_prefix("http://") == Some(host)
            || (self.token.is_some() && origin.strip_prefix("https://") == Some(host))
    }

    fn is_local(&self, host: &str) -> bool {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{}", self.port));
        own.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    /// Whether the address carries the token.
    fn has_token(&self, uri: &Uri) -> bool {
        self.token.as_ref().zip(token_of(uri)).is_some_and(|(token, brought)| is_same(token, brought))
    }
}

/// Whether a request carries a token, the right one or another.
fn brings_token(uri: &Uri, headers: &HeaderMap) -> bool {
    token_of(uri).is_some() || tokens(headers).next().is_some()
}

/// The token in an address.
fn token_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The tokens that the headers of a request carry.
fn tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer =
        headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = cookies.flat_map(|cookies| cookies.split(';'));
    let own = cookies.filter_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    bearer.into_iter().chain(own)
}

/// Compares in constant time, so that the time does not tell where two tokens differ.
fn is_same(own: &str, other: &str) -> bool {
    own.len() == other.len()
        && own.bytes().zip(other.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

/// Serves or refuses a request, and adds the security headers. A refused client is disconnected, so that clients without access cannot
/// keep connections in use.
pub(crate) async fn check_access(
    State(policy): State<Arc<AccessPolicy>>,
    request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), ConnectionHandle::peer);
    let (uri, headers) = (request.uri(), request.headers());
    let checked = policy.check_guesses(peer, uri, headers).and_then(|()| {
        let signs_in = policy.has_token(uri);
        if signs_in { Ok(true) } else { policy.check(peer, request.method(), uri, headers).map(|()| false) }
    });
    let mut response = match checked {
        Ok(true) => sign_in(&policy, uri),
        Ok(false) => next.run(request).await,
        Err(error) => ([(header::CONNECTION, "close")], refused(&request, error.into())).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", CONTENT_POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The refusal as JSON, or as a page where a browser opens the studio without the token.
fn refused(request: &Request, refusal: Refusal) -> Response {
    let accepted = request.headers().get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    let is_browser = is_page_request(request.method(), request.uri())
        && accepted.is_some_and(|kinds| kinds.contains("text/html"));
    if refusal.code == Code::Token && is_browser {
        return (StatusCode::UNAUTHORIZED, Html(TOKEN_REQUIRED)).into_response();
    }
    refusal.into_response()
}

/// Whether the page is asked for, and not the API.
fn is_page_request(method: &Method, uri: &Uri) -> bool {
    *method == Method::GET && !uri.path().starts_with("/api/")
}

/// Keeps the token of the address in a cookie and redirects to the same address without it.
fn sign_in(policy: &AccessPolicy, uri: &Uri) -> Response {
    let rest: Vec<&str> =
        uri.query().unwrap_or_default().split('&').filter(|pair| !pair.starts_with("token=")).collect();
    let path =
        if rest.is_empty() { uri.path().to_owned() } else { format!("{}?{}", uri.path(), rest.join("&")) };
    // Leading slashes would make it an address of another server.
    let path = format!("/{}", path.trim_start_matches(['/', '\\']));
    let token = policy.token.as_deref().unwrap_or_default();
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    ([(header::SET_COOKIE, cookie)], Redirect::to(&path)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn admits(policy: &AccessPolicy, path: &str, headers: &[(&'static str, &str)]) -> Result<(), Code> {
        let pairs = headers.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let headers: HeaderMap = pairs.collect();
        policy.check(PEER, &Method::GET, &path.parse().unwrap(), &headers).map_err(|error| error.code())
    }

    #[test]
    fn only_own_names_are_served() {
        let policy = AccessPolicy::new(7878, None);
        for host in ["127.0.0.1:7878", "localhost:7878", "[::1]:7878", "LOCALHOST:7878"] {
            assert_eq!(admits(&policy, "/api/catalogue", &[("host", host)]), Ok(()), "{host}");
        }
        for host in ["evil.example:7878", "127.0.0.1:7879", "127.0.0.1", "localhost.evil.example:7878", ""] {
            assert_eq!(admits(&policy, "/", &[("host", host)]), Err(Code::Foreign), "{host}");
        }
    }

    #[test]
    fn other_sites_cannot_ask_but_may_link() {
        let policy = AccessPolicy::new(7878, None);
        let host = ("host", "localhost:7878");
        let admits = |path: &str, name, value| admits(&policy, path, &[host, (name, value)]);
        assert_eq!(admits("/api/tables", "origin", "http://localhost:7878"), Ok(()));
        for origin in ["http://evil.example", "null", "https://localhost:7878", "http://127.0.0.1:7878"] {
            assert_eq!(admits("/api/live", "origin", origin), Err(Code::Foreign), "{origin}");
        }
        assert_eq!(admits("/api/tables", "sec-fetch-site", "cross-site"), Err(Code::Foreign));
        assert_eq!(admits("/api/tables", "sec-fetch-site", "same-site"), Err(Code::Foreign));
        assert_eq!(admits("/", "sec-fetch-site", "cross-site"), Ok(()));
    }

    #[test]
    fn a_token_is_needed_everywhere_once_there_is_one() {
        let policy = AccessPolicy::new(7878, Some("secret".to_owned()));
        let host = ("host", "box.example:7878");
        assert_eq!(admits(&policy, "/", &[host]), Err(Code::Token));
        assert_eq!(admits(&policy, "/", &[host, ("authorization", "Bearer secret")]), Ok(()));
        assert_eq!(admits(&policy, "/", &[host, ("authorization", "Bearer secre")]), Err(Code::Token));
        assert_eq!(admits(&policy, "/", &[host, ("cookie", "a=b; outplay_token=secret")]), Ok(()));
        let known = ("cookie", "outplay_token=secret");
        for origin in ["http://box.example:7878", "https://box.example:7878"] {
            assert_eq!(
                admits(&policy, "/api/tables", &[host, known, ("origin", origin)]),
                Ok(()),
                "{origin}"
            );
        }
        for origin in
            ["https://evil.example", "https://box.example", "ftp://box.example:7878", "box.example:7878"]
        {
            assert_eq!(
                admits(&policy, "/", &[host, known, ("origin", origin)]),
                Err(Code::Foreign),
                "{origin}"
            );
        }
        assert!(policy.has_token(&"/play?x=1&token=secret".parse().unwrap()));
        assert!(!policy.has_token(&"/?token=other".parse().unwrap()));
    }

    #[test]
    fn wrong_tokens_throttle_their_own_address_only() {
        let policy = AccessPolicy::new(7878, Some("secret".to_owned()));
        let (other, uri) = (IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), "/".parse().unwrap());
        let bearer = |token: &str| {
            let value = format!("Bearer {token}").parse().unwrap();
            HeaderMap::from_iter([(header::AUTHORIZATION, value)])
        };
        let tries = |peer, token| {
            let headers = bearer(token);
            let checked = policy.check_guesses(peer, &uri, &headers);
            checked
                .and_then(|()| policy.check(peer, &Method::GET, &uri, &headers))
                .map_err(|error| error.code())
        };
        for _ in 0..bounds::WRONG_TOKENS {
            assert_eq!(tries(PEER, "guess"), Err(Code::Token));
        }
        for token in ["guess", "secret"] {
            assert_eq!(tries(PEER, token), Err(Code::Throttled), "{token} is not looked at");
        }
        assert_eq!(tries(other, "secret"), Ok(()));
        policy.check_guesses(PEER, &uri, &HeaderMap::new()).expect("no token is no guess");
        policy.wrong().values_mut().for_each(|wrong| wrong.since -= Duration::from_secs(1));
        assert_eq!(tries(PEER, "secret"), Ok(()), "a second later");
    }
}
