//! The pulse of a connection: when something last went over it, and an end to it when nothing does.
//!
//! Law: what is written and not taken for as long as a client may be slow is an error, whoever writes: an answer or a socket.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How a connection is getting on.
pub(crate) struct Pulse {
    last: Mutex<Instant>,
    /// Whether it waits for us, and not we for it.
    is_awaiting: AtomicBool,
}

impl Pulse {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { last: Mutex::new(Instant::now()), is_awaiting: AtomicBool::new(false) })
    }

    fn beat(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// An answer is being made, or has been.
    pub(crate) fn set_awaiting(&self, is_awaiting: bool) {
        self.is_awaiting.store(is_awaiting, Ordering::Relaxed);
        self.beat();
    }

    /// Since when nothing has come of the client, unless it is we who keep it waiting.
    pub(crate) fn still_since(&self) -> Option<Instant> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        (!self.is_awaiting.load(Ordering::Relaxed)).then_some(last)
    }
}

/// A stream with its pulse.
pub(crate) struct Pulsing<S> {
    stream: S,
    pulse: Arc<Pulse>,
    /// How long what is written may wait until some of it is taken.
    unread: Duration,
    /// Runs while it waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> Pulsing<S> {
    pub(crate) fn new(stream: S, pulse: Arc<Pulse>, unread: Duration) -> Self {
        Self { stream, pulse, unread, waiting: None }
    }

    /// What came of writing, as far as there is patience for it.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            self.pulse.beat();
            return written;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.unread)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Pulsing<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.pulse.beat();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Pulsing<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
