//! Bodies for the refusals that hyper sends by itself.
//!
//! hyper answers a head that it cannot read with a status and no body, before any route is asked. [`HeadRefusals`] stands between hyper
//! and the connection and gives these answers the body that every other refusal of the studio has. All refusals of the routes have a body
//! already, so an empty one is hyper's.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::refusal::{ErrorBody, RequestError};

/// A connection whose empty refusals get a body.
pub(crate) struct HeadRefusals<S> {
    stream: S,
    /// The answer that is sent in the place of hyper's, as far as it is not sent yet.
    unsent: Vec<u8>,
}

impl<S> HeadRefusals<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, unsent: Vec::new() }
    }
}

impl<S: AsyncWrite + Unpin> HeadRefusals<S> {
    /// Sends what stands in for an answer of hyper's.
    fn poll_unsent(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.unsent.is_empty() {
            let sent = ready!(Pin::new(&mut self.stream).poll_write(context, &self.unsent))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.unsent.drain(..sent);
        }
        Poll::Ready(Ok(()))
    }
}

/// The answer with a body, if these bytes are a refusal without one.
fn with_body(answer: &[u8]) -> Option<Vec<u8>> {
    let head = answer.strip_suffix(b"\r\n\r\n").and_then(|head| std::str::from_utf8(head).ok())?;
    let (first, fields) = head.strip_prefix("HTTP/1.1 ")?.split_once("\r\n")?;
    let status: StatusCode = first.get(..3)?.parse().ok()?;
    let is_empty = |line: &str| line.eq_ignore_ascii_case("content-length: 0");
    if !status.is_client_error() || !fields.split("\r\n").any(is_empty) {
        return None;
    }
    let body = ErrorBody { error: RequestError::of_head(status).into() };
    let body = serde_json::to_string(&body).ok()?;
    let others: Vec<&str> = fields.split("\r\n").filter(|line| !is_empty(line)).collect();
    let length = body.len();
    let fields = format!("content-type: application/json\r\ncontent-length: {length}");
    Some(format!("HTTP/1.1 {first}\r\n{}\r\n{fields}\r\n\r\n{body}", others.join("\r\n")).into_bytes())
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadRefusals<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadRefusals<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_unsent(context))?;
        if let Some(answer) = with_body(bytes) {
            self.unsent = answer;
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = parts {
            return self.poll_write(context, only);
        }
        ready!(self.poll_unsent(context))?;
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_refusals_get_a_body() {
        let empty =
            b"HTTP/1.1 414 URI Too Long\r\nconnection: close\r\ncontent-length: 0\r\ndate: now\r\n\r\n";
        let answer = String::from_utf8(with_body(empty).unwrap()).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("HTTP/1.1 414 URI Too Long\r\nconnection: close\r\ndate: now\r\n"),
            "{head}"
        );
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
        assert!(body.contains(r#""code":"malformed""#) && body.contains("too long"), "{body}");
        for other in [
            "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n",
            "{\"moves\": []}\r\n\r\n",
        ] {
            assert_eq!(with_body(other.as_bytes()), None, "{other}");
        }
    }
}
