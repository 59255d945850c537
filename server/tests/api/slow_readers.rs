//! Clients that read their responses slowly, over real connections. Tokio's time is paused: only the tests advance it,
//! also for the server's timeouts.

use axum::Router;
use axum::routing::get;
use forecourt::platform::fairness::connections::ConnectionLimit;
use forecourt::platform::http;
use std::net::SocketAddr;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::advance;

const RESPONSE_BYTES: usize = 4 << 20;
const SECOND: Duration = Duration::from_secs(1);

/// A server whose only response has 4 MB.
struct Server {
    address: SocketAddr,
    _stop: watch::Sender<bool>,
    /// Keeps a blocking task running. Without one, tokio would advance the paused time by itself.
    _work: Sender<()>,
}

impl Server {
    fn start() -> Self {
        let listener = http::listen(SocketAddr::from(([127, 0, 0, 1], 0)), "FORECOURT_LISTEN").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = watch::channel(false);
        let app = Router::new().route("/", get(|| async { "x".repeat(RESPONSE_BYTES) }));
        tokio::spawn(http::serve(listener, app, false, ConnectionLimit::unlimited(), stopped));
        let (work, done) = channel();
        spawn_blocking(move || done.recv());
        Server { address, _stop: stop, _work: work }
    }

    /// Requests the response on a connection with a receive buffer of `room` bytes, and reads its first byte.
    async fn request(&self, room: u32) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(room).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        stream.read_u8().await.unwrap();
        stream
    }
}

/// Pauses and then reads up to `bytes` bytes, `times` times; then reads the rest. Returns the number of bytes read.
async fn read_slowly(stream: &mut TcpStream, bytes: usize, pause: Duration, times: usize) -> usize {
    let (mut received, mut buffer) = (0, vec![0; bytes]);
    for _ in 0..times {
        advance(pause).await;
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => received += read,
            _ => return received,
        }
    }
    let mut rest = Vec::new();
    // Reading may fail, because the server may have closed the connection.
    let _ = stream.read_to_end(&mut rest).await;
    received + rest.len()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_almost_nothing_is_disconnected() {
    let server = Server::start();
    for (bytes, pause, times) in [(1, SECOND, 121), (2048, SECOND * 29, 5), (1, SECOND * 121, 1)] {
        let mut stream = server.request(4096).await;
        let received = read_slowly(&mut stream, bytes, pause, times).await;
        assert!(received < RESPONSE_BYTES / 2, "{bytes} bytes after {pause:?}: {received} bytes");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_two_kilobytes_a_second_gets_the_response() {
    let server = Server::start();
    for room in [4096, 16 << 10] {
        let mut stream = server.request(room).await;
        assert!(read_slowly(&mut stream, 2048, SECOND, usize::MAX).await > RESPONSE_BYTES, "{room}");
    }
}
