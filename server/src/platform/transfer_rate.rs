//! Minimum transfer rates of request bodies and responses, against slow clients. A timeout for the whole would abort a
//! large file on a slow line, and a timeout between two bytes would let a client hold a connection for hours with one
//! byte a second. So bytes are counted per period of waiting.

use axum::body::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Bytes that a client must send per [`STRETCH`], unless its body ends: a tenth of the rate of the slowest phone.
const LEAST: usize = 4 * 1024;
const STRETCH: Duration = Duration::from_secs(12);
/// The first bytes of a file may arrive at that rate, so that a small file gets through on a bad line. After
/// [`FILE_BEGINNING`] bytes the minimum is four kilobytes a second, over a period that tolerates network interruptions.
const FILE_BEGINNING: usize = 64 * 1024;
const LEAST_OF_FILE: usize = 120 * 1024;
const STRETCH_OF_FILE: Duration = Duration::from_secs(30);
/// Bytes of a response that a client must accept per [`STRETCH_TAKEN`]: the same rate as for bodies. The period is
/// longer because only data that the kernel accepts for sending is visible here. After heavy packet loss, a slow
/// network may do nothing but retransmit for a minute.
const LEAST_TAKEN: usize = 10 * LEAST;
const STRETCH_TAKEN: Duration = Duration::from_secs(10 * STRETCH.as_secs());

/// Counts bytes per period of waiting. Only time spent waiting for the client counts, not time that the server needs to
/// process a body or to produce a response.
struct Pace {
    least: usize,
    stretch: Duration,
    /// Bytes transferred in the current period.
    passed: usize,
    /// Remaining waiting time in the current period.
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Pace {
    fn new(least: usize, stretch: Duration) -> Self {
        Pace { least, stretch, passed: 0, left: stretch, waiting: None }
    }

    /// Changes the minimum rate.
    fn change(&mut self, least: usize, stretch: Duration) {
        if (self.least, self.stretch) != (least, stretch) {
            (self.least, self.stretch, self.passed, self.left) = (least, stretch, 0, stretch);
        }
    }

    /// Ends the current wait: `bytes` were transferred.
    fn pass(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        self.passed += bytes;
        if self.passed >= self.least {
            (self.passed, self.left) = (0, self.stretch);
        }
    }

    /// Continues to wait; ready once the client is too slow.
    fn poll_slow(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let left = self.left;
        let waiting = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        waiting.1.as_mut().poll(context)
    }
}

/// Shared flags of a request body: whether it was aborted as too slow, and whether it must meet the rate of a file.
#[derive(Clone, Default)]
pub struct Slow {
    is_so: Arc<AtomicBool>,
    is_file: Arc<AtomicBool>,
}

impl Slow {
    pub fn is_so(&self) -> bool {
        self.is_so.load(Ordering::Relaxed)
    }

    /// Requires the minimum rate of a file from the body.
    pub fn expect_file(&self) {
        self.is_file.store(true, Ordering::Relaxed);
    }
}

/// A request body that fails once it arrives too slowly.
pub struct Paced<B> {
    body: B,
    slow: Slow,
    pace: Pace,
    received: usize,
}

impl<B> Paced<B> {
    pub fn new(body: B, slow: Slow) -> Self {
        Paced { body, slow, pace: Pace::new(LEAST, STRETCH), received: 0 }
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
            let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
            let bytes = bytes.map_or(0, Bytes::len);
            this.pace.pass(bytes);
            this.received += bytes;
            if this.received >= FILE_BEGINNING && this.slow.is_file.load(Ordering::Relaxed) {
                this.pace.change(LEAST_OF_FILE, STRETCH_OF_FILE);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        ready!(this.pace.poll_slow(context));
        this.slow.is_so.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, "the body comes too slowly").into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that fails once its responses are read too slowly. Data in the kernel's send buffer counts as read, so
/// that buffer should be small.
pub struct Taken<S> {
    stream: S,
    pace: Pace,
}

impl<S> Taken<S> {
    pub fn new(stream: S) -> Self {
        Taken { stream, pace: Pace::new(LEAST_TAKEN, STRETCH_TAKEN) }
    }

    fn count_written(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            self.pace.pass(*written.as_ref().unwrap_or(&0));
            return Poll::Ready(written);
        }
        ready!(self.pace.poll_slow(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is taken too slowly")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count_written(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count_written(written, context)
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::sleep;

    /// Sends `pieces` chunks of `bytes` bytes, each after a pause. Returns the bytes received, and whether it was too
    /// slow.
    async fn sent(pieces: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        sent_as(Slow::default(), pieces, bytes, pause).await
    }

    /// As [`sent`], with the minimum rate of a file.
    async fn sent_as_file(pieces: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        let slow = Slow::default();
        slow.expect_file();
        sent_as(slow, pieces, bytes, pause).await
    }

    async fn sent_as(slow: Slow, pieces: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        let pieces = futures_util::stream::unfold(0, move |i| async move {
            if i == pieces {
                return None;
            }
            sleep(pause).await;
            Some((Ok::<_, io::Error>(Bytes::from(vec![b'x'; bytes])), i + 1))
        });
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
    async fn v4_a_file_that_comes_slower_than_a_bad_line_is_given_up() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(1024, second), (4 * 1024, second * 12)] {
            let (came, slow) = sent_as_file(3600, bytes, pause).await;
            assert!(slow && came < FILE_BEGINNING + LEAST_OF_FILE, "{bytes}: {came}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn v4_a_small_file_over_a_bad_line_and_a_large_one_over_a_phone_arrive() {
        let second = Duration::from_secs(1);
        assert_eq!(sent_as_file(60, 1024, second).await, (60 * 1024, false));
        assert_eq!(sent_as_file(1000, 5 * 1024, second).await, (5_000 * 1024, false));
        // A network that is interrupted for eleven seconds between two bursts.
        assert_eq!(sent_as_file(50, 64 * 1024, second * 11).await, (3_200 * 1024, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_over_a_slow_phone_comes_whole_however_long_it_takes() {
        let (pieces, second) = (3600, Duration::from_secs(1));
        assert_eq!(sent(pieces, 1024, second).await, (pieces * 1024, false));
        // A network that is interrupted for ten seconds between two bursts.
        assert_eq!(sent(100, 8 * 1024, second * 10).await, (800 * 1024, false));
    }

    /// Sends a megabyte to a client that reads `bytes` bytes after each pause, with a send buffer of that size. Returns
    /// how many bytes the client got, and how long sending took.
    async fn taken(bytes: usize, pause: Duration) -> (usize, Duration) {
        let begun = Instant::now();
        let (ours, mut theirs) = duplex(bytes);
        let answer = async move {
            // The result is not needed: what counts is the bytes received.
            let _ = Taken::new(ours).write_all("x".repeat(1 << 20).as_bytes()).await;
            begun.elapsed()
        };
        let client = async {
            let (mut took, mut buffer) = (0, vec![0; bytes]);
            loop {
                sleep(pause).await;
                match theirs.read(&mut buffer).await.unwrap() {
                    0 => return took,
                    read => took += read,
                }
            }
        };
        let (tried, took) = tokio::join!(answer, client);
        (took, tried)
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_taken_by_the_byte_or_not_at_all_is_given_up_after_a_stretch() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(1, second), (300, second), (1460, second * 29), (1, second * 3600)] {
            let (took, tried) = taken(bytes, pause).await;
            assert!(took < 2 * LEAST_TAKEN, "{bytes}: {took}");
            assert!(tried <= STRETCH_TAKEN + second, "{bytes}: {tried:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_over_a_slow_phone_is_taken_whole_however_long_it_takes() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(2048, second), (400, second), (16 << 10, second * 29), (64 << 10, second * 100)] {
            assert_eq!(taken(bytes, pause).await.0, 1 << 20, "{bytes}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_server_takes_to_make_an_answer_does_not_count() {
        let (ours, mut theirs) = duplex(1024);
        let client = tokio::spawn(async move { theirs.read_to_end(&mut Vec::new()).await.unwrap() });
        let mut stream = Taken::new(ours);
        for _ in 0..20 {
            sleep(Duration::from_secs(60)).await;
            stream.write_all(&[b'x'; 2048]).await.unwrap();
        }
        drop(stream);
        assert_eq!(client.await.unwrap(), 20 * 2048);
    }
}
