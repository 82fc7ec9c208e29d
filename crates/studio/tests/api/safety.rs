//! Access, limits, and whether the description matches the routes.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use outplay_lab::Store;
use outplay_studio::{Server, ServerConfig, StartError};
use serde_json::json;

use crate::client::Studio;

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let studio = Studio::new();
    let own = studio.address.to_string();
    for headers in [
        &[("Host", "evil.example")][..],
        &[("Host", "evil.example:80")],
        &[("Host", &own), ("Origin", "http://evil.example")],
        &[("Host", &own), ("Origin", "null")],
        &[("Host", &own), ("Sec-Fetch-Site", "cross-site")],
    ] {
        for (method, path) in [("GET", "/api/catalogue"), ("POST", "/api/tables"), ("GET", "/api/live")] {
            let reply = studio.send(method, path, headers, "");
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (403, "foreign"),
                "{method} {path} {headers:?}"
            );
        }
    }
    let origin = format!("http://{own}");
    let same = studio.send("GET", "/api/catalogue", &[("Host", &own), ("Origin", &origin)], "");
    assert_eq!(same.status, 200);
    assert!(
        same.head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{}",
        same.head
    );
    assert!(same.head.contains("x-content-type-options: nosniff"));
}

#[test]
fn a_second_host_or_origin_is_refused() {
    let studio = Studio::new();
    let own = studio.address.to_string();
    let origin = format!("http://{own}");
    let (host, evil) = (("Host", own.as_str()), "evil.example");
    for headers in [
        &[host, ("Host", evil)][..],
        &[host, host],
        &[host, ("Origin", &origin), ("Origin", "http://evil.example")],
    ] {
        let reply = studio.send("GET", "/api/catalogue", headers, "");
        assert_eq!((reply.status, reply.code().as_str()), (400, "malformed"), "{headers:?}");
        assert!(reply.message().contains("more than one header"), "{}", reply.message());
    }
}

#[test]
fn after_many_wrong_tokens_none_is_looked_at_for_a_second() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), Some("a-long-secret"));
    let own = studio.address.to_string();
    let ask = |path: &str, token: &str| {
        let bearer = format!("Bearer {token}");
        studio.send("GET", path, &[("Host", &own), ("Authorization", &bearer)], "")
    };
    let mut throttled = 0;
    for number in 0..40 {
        let in_address = format!("/api/catalogue?token=guess-{number}");
        let reply = if number % 2 == 0 { ask("/api/catalogue", "another") } else { studio.get(&in_address) };
        let refused = (reply.status, reply.code());
        throttled += usize::from(refused == (429, "throttled".to_owned()));
        assert!(refused.0 == 429 || refused == (401, "token".to_owned()), "{reply:?}");
    }
    assert!(throttled >= 10, "{throttled} of 40");
    // Who brings none does not guess.
    assert_eq!(studio.get("/api/catalogue").status, 401);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(ask("/api/catalogue", "a-long-secret").status, 200);
}

#[test]
fn a_body_that_says_it_is_too_large_is_refused_unread() {
    let studio = Studio::new();
    for (request, length) in [
        ("POST /api/tables", 300_u64 << 10),
        ("POST /api/models?game=chess&name=x", 64 << 20),
        ("GET /", 1 << 40),
    ] {
        let begun = Instant::now();
        let head =
            format!("{request} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n", studio.address);
        let reply = studio.send_raw(&head);
        assert_eq!((reply.status, reply.code().as_str()), (413, "too_large"), "{request}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{request}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_half_sent_upload_holds_nobody_up() {
    let studio = Studio::new();
    let path = "/api/models?game=pushover&name=mine";
    let head =
        format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\n\r\nhalf", studio.address);
    let half: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(studio.address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    assert_eq!(studio.bring(path, b"no network").status, 422);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(half);
}

/// The code of the close frame that answers these bytes on a socket.
fn close_code(studio: &Studio, frame: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(studio.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = format!(
        "GET /api/live HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        studio.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    stream.write_all(frame).unwrap();
    loop {
        let mut start = [0; 2];
        stream.read_exact(&mut start).expect("a close frame comes before the end");
        assert!(start[1] < 126, "the server sends little here");
        let mut payload = vec![0; start[1].into()];
        stream.read_exact(&mut payload).unwrap();
        if start[0] == 0x88 {
            return u16::from_be_bytes([payload[0], payload[1]]);
        }
    }
}

#[test]
fn a_bad_frame_is_answered_by_a_close_frame() {
    let studio = Studio::new();
    let too_long = [&[0x81, 0xff][..], &(1_u64 << 30).to_be_bytes(), &[0; 4]].concat();
    for (what, frame, code) in [
        ("unmasked", &[0x81, 0x02, b'h', b'i'][..], 1002),
        ("reserved bits", &[0xf1, 0x80, 0, 0, 0, 0], 1002),
        ("no UTF-8", &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007),
        ("too long", &too_long, 1009),
    ] {
        assert_eq!(close_code(&studio, frame), code, "{what}");
    }
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let data = tempfile::tempdir().unwrap();
    let studio = Studio::at(data.path(), Some("a-long-secret"));
    let own = studio.address.to_string();
    let host = ("Host", own.as_str());
    assert_eq!(studio.send("GET", "/", &[host], "").status, 401);
    assert_eq!(studio.send("GET", "/api/catalogue", &[host], "").code(), "token");
    let person = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let page = studio.send("GET", "/play/abc", &[host, person], "");
    assert!(page.status == 401 && page.head.contains("content-type: text/html"), "{page:?}");
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    assert!(page.body.contains("opens with a token") && page.body.contains("lang=\"fr\""), "{}", page.body);
    assert_eq!(studio.send("GET", "/api/catalogue", &[host, person], "").code(), "token");
    let bearer = ("Authorization", "Bearer a-long-secret");
    assert_eq!(studio.send("GET", "/api/catalogue", &[host, bearer], "").status, 200);
    // Behind a proxy with TLS the page's own origin is another one.
    let origin = format!("https://{own}");
    let secure = ("Origin", origin.as_str());
    assert_eq!(studio.send("POST", "/api/look", &[host, bearer, secure], "{\"game\":\"chess\"}").status, 200);
    assert!(studio.url.ends_with("/?token=a-long-secret"));
    let entry = studio.send("GET", "/play?game=chess&token=a-long-secret", &[host], "");
    assert_eq!(entry.status, 303);
    assert!(entry.head.contains("location: /play?game=chess\r\n"), "{}", entry.head);
    assert!(entry.head.contains("httponly; samesite=strict"), "{}", entry.head);
    let cookie = ("Cookie", "outplay_token=a-long-secret");
    assert_eq!(studio.send("GET", "/", &[host, cookie], "").status, 200);
    let away = studio.send("GET", "//evil.example/?token=a-long-secret", &[host], "");
    assert!(away.head.contains("location: /evil.example/\r\n"), "{}", away.head);
}

#[test]
fn other_machines_are_served_only_with_a_token_and_a_folder_once() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let data = tempfile::tempdir().unwrap();
    let start = |host: &str, token: Option<&str>| {
        runtime.block_on(Server::start(ServerConfig {
            host: host.parse().unwrap(),
            port: 0,
            store: Arc::new(Store::at(data.path())),
            threads: 1,
            token: token.map(str::to_owned),
        }))
    };
    assert!(matches!(start("0.0.0.0", None), Err(StartError::NeedsToken { .. })));
    assert!(matches!(start("127.0.0.1", Some("a b")), Err(StartError::InvalidToken)));
    let open = start("127.0.0.1", None).unwrap();
    assert!(matches!(start("127.0.0.1", None), Err(StartError::InUse { .. })));
    drop(open);
}

#[test]
fn bodies_are_bounded() {
    let studio = Studio::new();
    let large = json!({ "game": "chess", "seats": ["human", "human"], "position": "x".repeat(300 << 10) });
    let reply = studio.post("/api/tables", &large);
    assert_eq!((reply.status, reply.code().as_str()), (413, "too_large"));
    let long = json!({ "game": "chess", "seats": ["human", "x".repeat(600)] });
    assert_eq!(studio.post("/api/tables", &long).status, 422);
}

#[test]
fn the_description_is_that_of_the_routes() {
    let studio = Studio::new();
    let description = studio.get("/api/openapi.json").json();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 30);
    for (path, methods) in paths {
        let place = path.replace("{id}", "abcdefgh").replace("{slug}", "nobody");
        for method in methods.as_object().unwrap().keys() {
            let reply =
                studio.send(&method.to_uppercase(), &place, &[("Host", &studio.address.to_string())], "");
            assert_ne!(reply.status, 405, "{method} {path}");
            assert!(
                reply.status != 404 || !reply.message().contains("no route"),
                "{method} {path}: {reply:?}"
            );
            assert_ne!(reply.status, 500, "{method} {path}: {reply:?}");
        }
        let wrong = studio.send("PATCH", &place, &[("Host", &studio.address.to_string())], "");
        assert_eq!((wrong.status, wrong.code().as_str()), (405, "method"), "{path}");
    }
    // docs/protocol.md lists every route.
    let page = include_str!("../../../../docs/protocol.md");
    for path in paths.keys() {
        let tail = path.trim_start_matches("/api/jobs/{id}");
        assert!(
            page.contains(path.as_str()) || (tail != path && page.contains(tail)),
            "{path} is not in the protocol"
        );
    }
}

#[test]
fn whatever_is_no_route_is_the_page_but_not_below_the_api() {
    let studio = Studio::new();
    for path in ["/", "/play/abc", "/analyse?x=1"] {
        let reply = studio.get(path);
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.head.contains("content-type: text/html"), "{}", reply.head);
    }
}

#[test]
fn every_refusal_has_the_same_form() {
    let studio = Studio::new();
    let own = studio.address.to_string();
    for (method, path, expected) in [
        ("GET", "/api/nothing", (404, "unknown")),
        ("GET", "/api", (404, "unknown")),
        ("GET", "/api/tables/%FF", (400, "malformed")),
        ("GET", "/api/tables?limit=many", (400, "malformed")),
        ("GET", "/api/tables?limits=1", (400, "malformed")),
        ("GET", "/api/tables/nothing!/why", (400, "malformed")),
        ("GET", "/api/live", (400, "malformed")),
        ("GET", "/api/jobs?kind=travel", (400, "malformed")),
        ("PUT", "/api/tables", (405, "method")),
        ("POST", "/", (405, "method")),
        ("POST", "/api/tables", (400, "malformed")),
    ] {
        let reply = studio.send(method, path, &[("Host", &own)], "");
        assert_eq!((reply.status, reply.code().as_str()), expected, "{method} {path}");
        assert!((1..300).contains(&reply.message().len()), "{reply:?}");
    }
}

/// serde reads an array as the fields of a struct in their order.
#[test]
fn a_body_is_an_object() {
    let studio = Studio::new();
    let refused = studio.post("/api/look", &json!([null, null, "chess", null, null, null, null, null]));
    assert_eq!((refused.status, refused.code().as_str()), (400, "malformed"));
    assert_eq!(refused.message(), "the body was not understood: expected an object, not an array");
}

/// axum has a status of its own for HTTP/1.0, which knows no upgrade.
#[test]
fn axum_refuses_with_the_statuses_of_the_protocol() {
    let studio = Studio::new();
    let upgrade = "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    let head = format!("GET /api/live HTTP/1.0\r\nHost: {}\r\n{upgrade}\r\n\r\n", studio.address);
    let reply = studio.send_raw(&head);
    assert_eq!((reply.status, reply.code().as_str()), (400, "malformed"), "{reply:?}");
}

/// hyper refuses a head that is not HTTP before there is a route.
#[test]
fn a_broken_head_is_refused_like_any_other_request() {
    let studio = Studio::new();
    for head in ["no HTTP at all\r\n\r\n", "GET / HTTP/1.1\r\nHo st: x\r\n\r\n"] {
        let reply = studio.send_raw(head);
        assert_eq!((reply.status, reply.code().as_str()), (400, "malformed"), "{reply:?}");
    }
}
