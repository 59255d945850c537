//! The loop that accepts connections, and the headers and log line of every response. A plain loop would keep
//! connections of slow and idle clients forever. Here headers must arrive within 10 seconds, each route has its own
//! timeout (`access/route.rs`), and a shutdown lets running requests finish.

use crate::platform::client_address::Peer;
use crate::platform::error::{ApiError, Reason};
use crate::platform::fairness::connections::{ConnectionLimit, ConnectionPermit};
use crate::platform::fairness::response::is_json;
use crate::platform::transfer_rate::{MinRateBody, MinRateStream, UploadRate};
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::uri::Authority;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::IntoResponse;
use axum::{Router, middleware};
use forecourt_core::text::HOST_INVALID;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::{ServiceBuilder, ServiceExt};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument;
use uuid::Uuid;

const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Size limit of a request's head, in bytes. A partial head is buffered until it is complete.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// A connection is closed if its client acknowledges no data for this long (`TCP_USER_TIMEOUT`).
#[cfg(target_os = "linux")]
const USER_TIMEOUT: Duration = Duration::from_secs(30);
/// Limit on the response bytes that the kernel buffers unsent (`TCP_NOTSENT_LOWAT`), so that a slow reader of a large
/// response is noticed. The socket becomes writable again when half of them are sent.
#[cfg(target_os = "linux")]
const MAX_UNSENT_BYTES: u32 = 32 * 1024;
/// How long a shutdown waits for new connections, and for a request that is still being received.
const RECEIVE_GRACE: Duration = Duration::from_millis(200);
/// How long a shutdown waits for the first request of a connection. Clients retry when a connection that they have used
/// before is closed, but treat a new one that closes without a response as an error.
const FIRST_REQUEST_GRACE: Duration = Duration::from_secs(3);
/// How long running requests may continue after a shutdown was requested.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);
/// Limit on open connections; further ones wait in the accept queue. Each needs a file descriptor, of which a system
/// usually allows 20,000 or more.
const MAX_CONNECTIONS: usize = 16_000;
/// Length of the accept queue, if the system allows it (Linux: `net.core.somaxconn`, 4096). With the usual 128, some of
/// 500 clients that reconnect after a restart would be dropped, and retry only a second later.
const BACKLOG: u32 = 4096;

/// The `Content-Security-Policy` header: no inline scripts or styles, no other origins, no framing. A web worker
/// follows the policy of its own script file, so every response has this header.
pub const CSP: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Opens a listener on `address`. The error message names `setting`, from which the address comes.
pub fn listen(address: SocketAddr, setting: &str) -> Result<TcpListener, String> {
    let open = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Allows a restart while connections of the previous process are still in TIME_WAIT.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    open().map_err(|e: io::Error| format!("can't listen on {address}: {e} ({setting})"))
}

/// Serves `app` until `stop` becomes true, then lets running requests finish. `is_https` means that clients connect by
/// HTTPS (to a proxy); `limit` caps the connections of each address.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    is_https: bool,
    limit: ConnectionLimit,
    stop: watch::Receiver<bool>,
) {
    let outermost = middleware::from_fn(move |request, next| log_and_add_headers(is_https, request, next));
    let app = app.layer(ServiceBuilder::new().layer(outermost).layer(CatchPanicLayer::custom(respond_to_panic)));
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let acceptor = Acceptor { app, slots: slots.clone(), limit, stop: stop.clone() };
    let mut stopped = stop;
    let closing = async {
        wait_for_shutdown(&mut stopped).await;
        sleep(RECEIVE_GRACE).await;
    };
    tokio::select! {
        () = acceptor.accept_from(&listener) => {}
        () = closing => {}
    }
    // Usually returns an error in the end: that no more connections are queued.
    let _ = acceptor.accept_queued(listener);
    let all = u32::try_from(MAX_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = timeout(DRAIN_TIMEOUT, slots.acquire_many(all)).await;
}

/// Accepts connections within the limits, and serves each in a task of its own.
struct Acceptor {
    app: Router,
    slots: Arc<Semaphore>,
    limit: ConnectionLimit,
    stop: watch::Receiver<bool>,
}

impl Acceptor {
    /// Accepts connections forever. While [`MAX_CONNECTIONS`] are open, waits until one is closed.
    async fn accept_from(&self, listener: &TcpListener) {
        while let Ok(slot) = self.slots.clone().acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => self.serve(stream, peer, slot),
                Err(error) => {
                    // Probably out of file descriptors: wait for running requests to finish.
                    tracing::warn!(%error, "could not accept a connection");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    /// Accepts the connections that the kernel has queued, and then closes the listener. Closing it at once would reset
    /// them (docs/decisions/0019-closing-the-listener.md).
    fn accept_queued(&self, listener: TcpListener) -> io::Result<()> {
        let listener = listener.into_std()?;
        for _ in 0..BACKLOG {
            let (stream, peer) = listener.accept()?;
            stream.set_nonblocking(true)?;
            let slot = self.slots.clone().try_acquire_owned().map_err(io::Error::other)?;
            self.serve(TcpStream::from_std(stream)?, peer, slot);
        }
        Ok(())
    }

    fn serve(&self, stream: TcpStream, peer: SocketAddr, slot: OwnedSemaphorePermit) {
        let Some(permit) = self.limit.admit(peer) else { return reset_connection(stream) };
        // Setting an option fails if the client has already disconnected, which is not an error of the listener.
        let _ = stream.set_nodelay(true);
        #[cfg(target_os = "linux")]
        {
            let socket = socket2::SockRef::from(&stream);
            let _ = socket.set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
            let _ = socket.set_tcp_user_timeout(Some(USER_TIMEOUT));
        }
        let (app, stop) = (self.app.clone(), self.stop.clone());
        tokio::spawn(async move {
            serve_connection(stream, peer, app, stop).await;
            drop::<(OwnedSemaphorePermit, ConnectionPermit)>((slot, permit));
        });
    }
}

/// Closes a connection with a reset, so that the kernel keeps no state for it.
fn reset_connection(stream: TcpStream) {
    let _ = socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO));
    drop(stream);
}

/// Serves the requests of one connection until the client closes it or `stop` becomes true.
async fn serve_connection(stream: TcpStream, peer: SocketAddr, app: Router, mut stop: watch::Receiver<bool>) {
    let received = Arc::new(Notify::new());
    let first_request = received.clone();
    let app = app.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        received.notify_one();
        let rate = UploadRate::default();
        request.extensions_mut().insert(Peer(peer));
        request.extensions_mut().insert(rate.clone());
        request.map(|body| Body::new(MinRateBody::new(body, rate)))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(64)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(MinRateStream::new(stream)), TowerToHyperService::new(app));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A client that disconnects or sends invalid HTTP is not logged.
        _ = connection.as_mut() => return,
        () = wait_for_shutdown(&mut stop) => {}
    }
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = timeout(FIRST_REQUEST_GRACE, first_request.notified()) => {}
    }
    if timeout(RECEIVE_GRACE, connection.as_mut()).await.is_ok() {
        return;
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(DRAIN_TIMEOUT, connection).await;
}

/// Waits until a shutdown is requested. `wait_for` returns a guard that must not live across an `await`, so this
/// function drops it.
pub(crate) async fn wait_for_shutdown(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

fn respond_to_panic(_: Box<dyn std::any::Any + Send>) -> Response<Body> {
    ApiError::internal("a handler panicked").into_response()
}

/// Middleware for every request: gives it an id, logs its outcome, and sets the headers that all responses have.
async fn log_and_add_headers(is_https: bool, request: Request, next: Next) -> Response<Body> {
    let id = Uuid::now_v7().simple().to_string();
    let span = tracing::info_span!("request", id, user = tracing::field::Empty);
    async move {
        let started = Instant::now();
        let method = request.method().clone();
        // The route's pattern, not the path: a path may contain a token or a name.
        let route = request.extensions().get::<MatchedPath>().map_or_else(|| "-".to_owned(), |p| p.as_str().to_owned());
        let is_api = request.uri().path().starts_with("/api/");
        let upload = request.extensions().get::<UploadRate>().cloned();
        let response = match has_valid_host(&request) {
            true => next.run(request).await,
            false => ApiError::invalid(HOST_INVALID).into_response(),
        };
        let mut response = with_json_errors(is_api, response);
        let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
        let reason = response.extensions().get::<Reason>().map(|reason| reason.0);
        if is_api {
            tracing::info!(%method, route, status, reason, ms, "responded");
        } else {
            tracing::debug!(%method, status, ms, "responded");
        }
        let headers = response.headers_mut();
        let mut set = |name: HeaderName, value: &'static str| {
            headers.entry(name).or_insert(HeaderValue::from_static(value));
        };
        set(header::CONTENT_SECURITY_POLICY, CSP);
        set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        set(header::X_FRAME_OPTIONS, "DENY");
        set(header::REFERRER_POLICY, "no-referrer");
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
        set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()");
        if is_https {
            set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
        }
        if is_api {
            set(header::CACHE_CONTROL, "no-store");
        }
        // The connection closes after such a response. Without this header, the client may use it for another request.
        if upload.is_some_and(|upload| !upload.is_read()) {
            set(header::CONNECTION, "close");
        }
        if let Ok(id) = HeaderValue::from_str(&id) {
            headers.insert("x-request-id", id);
        }
        response
    }
    .instrument(span)
    .await
}

/// Returns true if the request has exactly one valid `Host` header, or none before HTTP/1.1 (RFC 9112, 3.2). With two,
/// a proxy may have used the other one.
fn has_valid_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => {
            let name = Authority::try_from(host.as_bytes());
            host.is_empty() || name.is_ok_and(|name| !name.as_str().contains('@'))
        }
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

/// Adds the id of a user to the request's later log lines: of the user who makes the request, or, at sign-in, of the
/// user whose account the request names.
pub(crate) fn log_user(user: Uuid) {
    tracing::Span::current().record("user", tracing::field::display(user));
}

/// Replaces an error response of the API that is not JSON, such as the web framework's own, with an [`ApiError`]'s
/// JSON.
fn with_json_errors(is_api: bool, response: Response<Body>) -> Response<Body> {
    let status = response.status();
    if !is_api || is_json(&response) || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let error = match status {
        StatusCode::NOT_FOUND => ApiError::NoSuchRoute,
        StatusCode::METHOD_NOT_ALLOWED => ApiError::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::PayloadTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::UnsupportedMediaType,
        s if s.is_client_error() => ApiError::invalid(forecourt_core::text::BODY_INVALID),
        _ => ApiError::Internal,
    };
    let mut json = error.into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        json.headers_mut().insert(header::ALLOW, allow.clone());
    }
    json
}
