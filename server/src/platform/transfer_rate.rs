//! Minimum transfer rates of request bodies and responses, against slow clients. A timeout for the whole transfer would
//! abort a large file on a slow line, and a timeout between two bytes would let a client occupy a connection for hours
//! with one byte a second. So a client must transfer a minimum of bytes in each period of time that the server waits
//! for it.

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

/// Bytes of a request body that a client must send per [`BODY_PERIOD`], unless the body ends: a tenth of the rate of
/// the slowest phone.
const MIN_BODY_BYTES: usize = 4 * 1024;
const BODY_PERIOD: Duration = Duration::from_secs(12);
/// How many bytes of a file to import may arrive at the rate of other bodies, so that a small file gets through on a
/// bad line. After them the minimum is [`MIN_FILE_BYTES`] per [`FILE_PERIOD`]: four kilobytes a second, but over a
/// period that is long enough for interruptions of the network.
const FILE_START_BYTES: usize = 64 * 1024;
const MIN_FILE_BYTES: usize = 120 * 1024;
const FILE_PERIOD: Duration = Duration::from_secs(30);
/// Bytes of a response that a client must accept per [`RESPONSE_PERIOD`]: the same rate as for request bodies. The
/// period is longer because only data that the kernel accepts for sending is visible here. After heavy packet loss, a
/// slow network may do nothing but retransmit for a minute.
const MIN_RESPONSE_BYTES: usize = 10 * MIN_BODY_BYTES;
const RESPONSE_PERIOD: Duration = Duration::from_secs(10 * BODY_PERIOD.as_secs());

/// Checks that at least `min_bytes` are transferred in each `period` of waiting. Only time spent waiting for the client
/// counts, not time that the server needs to process a body or to produce a response.
struct MinRate {
    min_bytes: usize,
    period: Duration,
    /// Bytes transferred in the current period.
    transferred: usize,
    /// How much longer the server waits for the client in the current period.
    time_left: Duration,
    wait: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl MinRate {
    fn new(min_bytes: usize, period: Duration) -> Self {
        MinRate { min_bytes, period, transferred: 0, time_left: period, wait: None }
    }

    /// Changes the minimum rate and starts a new period, unless the rate is the same.
    fn set(&mut self, min_bytes: usize, period: Duration) {
        if (self.min_bytes, self.period) != (min_bytes, period) {
            (self.min_bytes, self.period, self.transferred, self.time_left) = (min_bytes, period, 0, period);
        }
    }

    /// Ends the current wait and counts `bytes` as transferred. Starts a new period once the minimum is reached.
    fn record(&mut self, bytes: usize) {
        if let Some((since, _)) = self.wait.take() {
            self.time_left = self.time_left.saturating_sub(since.elapsed());
        }
        self.transferred += bytes;
        if self.transferred >= self.min_bytes {
            (self.transferred, self.time_left) = (0, self.period);
        }
    }

    /// Continues to wait for the client. Ready once the period's waiting time is used up: the client is too slow.
    fn poll_timeout(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let time_left = self.time_left;
        let wait = self.wait.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + time_left)))
        });
        wait.1.as_mut().poll(context)
    }
}

/// The state of a request body, shared with the middleware: whether the body was read to its end, whether it was
/// aborted because it arrived too slowly, and whether it must arrive at the minimum rate of a file to import.
#[derive(Clone, Default)]
pub struct UploadRate {
    is_read: Arc<AtomicBool>,
    is_too_slow: Arc<AtomicBool>,
    is_file: Arc<AtomicBool>,
}

impl UploadRate {
    /// Returns whether the body was read to its end. True for a request without a body.
    pub fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }

    pub fn is_too_slow(&self) -> bool {
        self.is_too_slow.load(Ordering::Relaxed)
    }

    /// Requires that the body arrives at the minimum rate of a file to import.
    pub fn expect_file(&self) {
        self.is_file.store(true, Ordering::Relaxed);
    }
}

/// A request body that fails once it arrives too slowly.
pub struct MinRateBody<B> {
    body: B,
    rate: UploadRate,
    min_rate: MinRate,
    received: usize,
}

impl<B: Body> MinRateBody<B> {
    pub fn new(body: B, rate: UploadRate) -> Self {
        rate.is_read.store(body.is_end_stream(), Ordering::Relaxed);
        MinRateBody { body, rate, min_rate: MinRate::new(MIN_BODY_BYTES, BODY_PERIOD), received: 0 }
    }
}

impl<B: Body<Data = Bytes, Error: Into<axum::BoxError>> + Unpin> Body for MinRateBody<B> {
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
            if frame.is_none() || this.body.is_end_stream() {
                this.rate.is_read.store(true, Ordering::Relaxed);
            }
            this.min_rate.record(bytes);
            this.received += bytes;
            if this.received >= FILE_START_BYTES && this.rate.is_file.load(Ordering::Relaxed) {
                this.min_rate.set(MIN_FILE_BYTES, FILE_PERIOD);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        ready!(this.min_rate.poll_timeout(context));
        this.rate.is_too_slow.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, "the body arrives too slowly").into())))
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
pub struct MinRateStream<S> {
    stream: S,
    min_rate: MinRate,
}

impl<S> MinRateStream<S> {
    pub fn new(stream: S) -> Self {
        MinRateStream { stream, min_rate: MinRate::new(MIN_RESPONSE_BYTES, RESPONSE_PERIOD) }
    }

    /// Counts what was written. While the write waits for the client, fails once the minimum rate is missed.
    fn limit_wait(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            self.min_rate.record(*written.as_ref().unwrap_or(&0));
            return Poll::Ready(written);
        }
        ready!(self.min_rate.poll_timeout(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the response is read too slowly")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MinRateStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MinRateStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit_wait(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit_wait(written, context)
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

    /// Sends a body of `count` chunks of `bytes` bytes, each after a pause. Returns the bytes received, and whether the
    /// body was aborted as too slow.
    async fn sent(count: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        sent_as(UploadRate::default(), count, bytes, pause).await
    }

    /// As [`sent`], with the minimum rate of a file.
    async fn sent_as_file(count: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        let rate = UploadRate::default();
        rate.expect_file();
        sent_as(rate, count, bytes, pause).await
    }

    async fn sent_as(rate: UploadRate, count: usize, bytes: usize, pause: Duration) -> (usize, bool) {
        let chunks = futures_util::stream::unfold(0, move |i| async move {
            if i == count {
                return None;
            }
            sleep(pause).await;
            Some((Ok::<_, io::Error>(Bytes::from(vec![b'x'; bytes])), i + 1))
        });
        let mut body = MinRateBody::new(body::Body::from_stream(chunks), rate.clone());
        let mut received = 0;
        while let Some(Ok(frame)) = body.frame().await {
            received += frame.into_data().map_or(0, |data| data.len());
        }
        (received, rate.is_too_slow())
    }

    #[tokio::test(start_paused = true)]
    async fn aborts_a_body_of_one_byte_per_second() {
        let started = Instant::now();
        let (received, slow) = sent(3600, 1, Duration::from_secs(1)).await;
        assert!(slow && received <= 12, "{received}");
        assert!(started.elapsed() <= Duration::from_secs(13));
    }

    #[tokio::test(start_paused = true)]
    async fn aborts_a_body_that_stalls() {
        assert_eq!(sent(1, 1, Duration::from_secs(60)).await, (0, true));
    }

    #[tokio::test(start_paused = true)]
    async fn v4_aborts_a_file_below_the_minimum_rate() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(1024, second), (4 * 1024, second * 12)] {
            let (received, slow) = sent_as_file(3600, bytes, pause).await;
            assert!(slow && received < FILE_START_BYTES + MIN_FILE_BYTES, "{bytes}: {received}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn v4_accepts_a_small_slow_file_and_a_large_file_at_the_minimum_rate() {
        let second = Duration::from_secs(1);
        assert_eq!(sent_as_file(60, 1024, second).await, (60 * 1024, false));
        assert_eq!(sent_as_file(1000, 5 * 1024, second).await, (5_000 * 1024, false));
        // A network that is interrupted for eleven seconds between two bursts.
        assert_eq!(sent_as_file(50, 64 * 1024, second * 11).await, (3_200 * 1024, false));
    }

    #[tokio::test(start_paused = true)]
    async fn accepts_a_slow_body_of_any_length() {
        let (count, second) = (3600, Duration::from_secs(1));
        assert_eq!(sent(count, 1024, second).await, (count * 1024, false));
        // A network that is interrupted for ten seconds between two bursts.
        assert_eq!(sent(100, 8 * 1024, second * 10).await, (800 * 1024, false));
    }

    /// Sends a megabyte to a client that reads `bytes` bytes after each pause, with a send buffer of that size. Returns
    /// how many bytes the client got, and how long sending took.
    async fn read_slowly(bytes: usize, pause: Duration) -> (usize, Duration) {
        let started = Instant::now();
        let (server, mut client_stream) = duplex(bytes);
        let response = async move {
            // Whether writing succeeds does not matter: the test checks how many bytes the client has received.
            let _ = MinRateStream::new(server).write_all("x".repeat(1 << 20).as_bytes()).await;
            started.elapsed()
        };
        let client = async {
            let (mut taken, mut buffer) = (0, vec![0; bytes]);
            loop {
                sleep(pause).await;
                match client_stream.read(&mut buffer).await.unwrap() {
                    0 => return taken,
                    read => taken += read,
                }
            }
        };
        let (duration, taken) = tokio::join!(response, client);
        (taken, duration)
    }

    #[tokio::test(start_paused = true)]
    async fn aborts_a_response_that_is_read_too_slowly() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(1, second), (300, second), (1460, second * 29), (1, second * 3600)] {
            let (taken, duration) = read_slowly(bytes, pause).await;
            assert!(taken < 2 * MIN_RESPONSE_BYTES, "{bytes}: {taken}");
            assert!(duration <= RESPONSE_PERIOD + second, "{bytes}: {duration:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sends_a_response_that_is_read_slowly_but_above_the_minimum_rate() {
        let second = Duration::from_secs(1);
        for (bytes, pause) in [(2048, second), (400, second), (16 << 10, second * 29), (64 << 10, second * 100)] {
            assert_eq!(read_slowly(bytes, pause).await.0, 1 << 20, "{bytes}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn does_not_count_the_time_to_produce_a_response() {
        let (server, mut client_stream) = duplex(1024);
        let client = tokio::spawn(async move { client_stream.read_to_end(&mut Vec::new()).await.unwrap() });
        let mut stream = MinRateStream::new(server);
        for _ in 0..20 {
            sleep(Duration::from_secs(60)).await;
            stream.write_all(&[b'x'; 2048]).await.unwrap();
        }
        drop(stream);
        assert_eq!(client.await.unwrap(), 20 * 2048);
    }
}
