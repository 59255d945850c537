//! The lowest pace of a body. A time for the whole would cut off a large file on a slow line, and a time between two bytes
//! lets one byte a second keep a connection for hours; so bytes are counted over a stretch of waiting.

use axum::body::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// How many bytes a client must send within [`STRETCH`], unless its body ends: a tenth of what the slowest phone manages.
const LEAST: usize = 4 * 1024;
const STRETCH: Duration = Duration::from_secs(12);

/// Has the body come too slowly, and was given up?
#[derive(Clone, Default)]
pub struct Slow(Arc<AtomicBool>);

impl Slow {
    pub fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A body that ends in an error once it comes too slowly. Only the time that is spent waiting for the client counts, not
/// what the server takes to work up what came.
pub struct Paced<B> {
    body: B,
    slow: Slow,
    /// Bytes that came in this stretch.
    came: usize,
    /// What is left of this stretch.
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<B> Paced<B> {
    pub fn new(body: B, slow: Slow) -> Self {
        Paced { body, slow, came: 0, left: STRETCH, waiting: None }
    }
}

impl<B: Body<Data = Bytes, Error: Into<axum::BoxError>> + Unpin> Body for Paced<B> {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body.frame()).poll(context) {
            if let Some((since, _)) = this.waiting.take() {
                this.left = this.left.saturating_sub(since.elapsed());
            }
            let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
            this.came += bytes.map_or(0, Bytes::len);
            if this.came >= LEAST {
                (this.came, this.left) = (0, STRETCH);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let left = this.left;
        let waiting = this.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        ready!(waiting.1.as_mut().poll(context));
        this.slow.0.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, "the body comes too slowly").into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body;
    use tokio::time::sleep;

    /// Sends so many pieces of so many bytes, each after a pause; how many came through, and whether that was too slow.
    async fn sent(pieces: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        let pieces = futures_util::stream::unfold(0, move |i| async move {
            if i == pieces {
                return None;
            }
            sleep(pause).await;
            Some((Ok::<_, io::Error>(Bytes::from(vec![b'x'; bytes])), i + 1))
        });
        let slow = Slow::default();
        let mut body = Paced::new(body::Body::from_stream(pieces), slow.clone());
        let mut came = 0;
        while let Some(Ok(frame)) = body.frame().await {
            came += frame.into_data().map_or(0, |data| data.len());
        }
        (came, slow.is_so())
    }

    #[tokio::test(start_paused = true)]
    async fn a_byte_a_second_is_given_up_after_a_stretch() {
        let begun = Instant::now();
        let (came, slow) = sent(3600, 1, Duration::from_secs(1)).await;
        assert!(slow && came <= 12, "{came}");
        assert!(begun.elapsed() <= Duration::from_secs(13));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_given_up() {
        assert_eq!(sent(1, 1, Duration::from_secs(60)).await, (0, true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_over_a_slow_phone_comes_whole_however_long_it_takes() {
        let (pieces, second) = (3600, Duration::from_secs(1));
        assert_eq!(sent(pieces, 1024, second).await, (pieces * 1024, false));
        // A network that is away for ten seconds between two bursts.
        assert_eq!(sent(100, 8 * 1024, second * 10).await, (800 * 1024, false));
    }
}
