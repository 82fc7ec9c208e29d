//! Receiving the bodies of requests.
//!
//! A body is received before the request takes part in anything that is limited: one that does not arrive holds nothing but its
//! connection, which is closed in time, or for the next client where all are in use. A body that says that it is too large is refused
//! unread.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use outplay_core::ForeignWords;
use tokio::time::{Instant, timeout_at};
use tokio_stream::StreamExt;

use crate::bounds::{self, BoundError};
use crate::connections::{ConnectionHandle, WorkGuard};
use crate::refusal::{Refusal, RequestError, run_blocking};
use crate::studio::Studio;

/// A body as it arrives, within its limits.
struct ArrivingBody {
    parts: BodyDataStream,
    most: usize,
    received: usize,
    until: Instant,
    is_upload: bool,
}

impl ArrivingBody {
    fn new(body: Body, is_upload: bool) -> Self {
        let (most, time) = if is_upload {
            (bounds::UPLOAD_BYTES, bounds::UPLOAD_TIMEOUT)
        } else {
            (bounds::BODY_BYTES, bounds::BODY_TIMEOUT)
        };
        Self { parts: body.into_data_stream(), most, received: 0, until: Instant::now() + time, is_upload }
    }

    /// Refuses more bytes than there may be.
    fn check(&self, bytes: u64) -> Result<(), BoundError> {
        let most = self.most;
        match (bytes > most as u64, self.is_upload) {
            (false, _) => Ok(()),
            (true, false) => Err(BoundError::Body { most }),
            (true, true) => Err(BoundError::Upload { most }),
        }
    }

    /// The next part; `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, Refusal> {
        let part = timeout_at(self.until, self.parts.next()).await.map_err(|_| RequestError::LateBody)?;
        let part = part
            .transpose()
            .map_err(|error| RequestError::BrokenBody { reason: ForeignWords::of(&error) })?;
        self.received += part.as_ref().map_or(0, Bytes::len);
        self.check(self.received as u64)?;
        Ok(part)
    }
}

/// Whether the body is a file, which [`UploadedFile`] receives.
fn is_upload(request: &Request) -> bool {
    *request.method() == Method::POST && request.uri().path() == "/api/models"
}

/// Receives the body of a request, unless it is an upload, and then lets the request be answered.
pub(crate) async fn receive(request: Request, next: Next) -> Response {
    match received(request).await {
        Ok((request, guard)) => {
            next.run(request).await.map(|body| Body::new(GuardedBody { body, _guard: guard }))
        }
        // What has not arrived yet is not read.
        Err(refusal) => ([(header::CONNECTION, "close")], refusal).into_response(),
    }
}

/// The request with its body in memory, and the guard of its connection.
async fn received(request: Request) -> Result<(Request, Option<WorkGuard>), Refusal> {
    let (announced, is_upload) = (request.body().size_hint().lower(), is_upload(&request));
    let (parts, body) = request.into_parts();
    let mut arriving = ArrivingBody::new(body, is_upload);
    arriving.check(announced)?;
    if is_upload {
        return Ok((Request::from_parts(parts, Body::from_stream(arriving.parts)), None));
    }
    let mut bytes = Vec::new();
    while let Some(part) = arriving.next().await? {
        bytes.extend_from_slice(&part);
    }
    let guard = parts.extensions.get().map(ConnectionHandle::begin_work);
    Ok((Request::from_parts(parts, Body::from(bytes)), guard))
}

/// An uploaded file, on disk: many may arrive at a time, and memory is taken only by the one that is looked at.
pub(crate) struct UploadedFile {
    file: Arc<File>,
    _guard: Option<WorkGuard>,
}

impl FromRequest<Arc<Studio>> for UploadedFile {
    type Rejection = Refusal;

    async fn from_request(request: Request, studio: &Arc<Studio>) -> Result<Self, Refusal> {
        let unkept = |reason: io::Error| RequestError::Unkept { reason };
        // It has no name, so nothing is left of it when the process ends.
        let file = Arc::new(tempfile::tempfile_in(studio.store.path("studio")).map_err(unkept)?);
        let (parts, body) = request.into_parts();
        let mut arriving = ArrivingBody::new(body, true);
        while let Some(part) = arriving.next().await? {
            let file = Arc::clone(&file);
            run_blocking(move || Ok((&*file).write_all(&part).map_err(unkept)?)).await?;
        }
        let guard = parts.extensions.get().map(ConnectionHandle::begin_work);
        Ok(Self { file, _guard: guard })
    }
}

impl UploadedFile {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Refusal> {
        let (mut file, mut bytes) = (&*self.file, Vec::new());
        let read = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
        read.map_err(|reason| RequestError::Unkept { reason })?;
        Ok(bytes)
    }
}

/// The body of an answer; the connection is at work until it is sent.
struct GuardedBody {
    body: Body,
    _guard: Option<WorkGuard>,
}

impl HttpBody for GuardedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
