//! The accept loop and what every answer has in common. The loop is our own because a plain one keeps slow and silent
//! clients for ever: headers must arrive within 10 seconds, each call has its own time (see `policy.rs`), and a stop
//! lets running calls end.

use crate::platform::client_address::Peer;
use crate::platform::error::{ApiError, Reason};
use crate::platform::fairness::connections::{Admission, ConnectionLimit};
use crate::platform::transfer_rate::{Paced, Slow, Taken};
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
#[cfg(target_os = "linux")]
use socket2::SockFilter;
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

const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// The most bytes of a request's head. What has come of one is kept until it is complete.
const HEAD_MAX: usize = 16 * 1024;
/// A client that takes nothing of its answer for so long is cut off.
#[cfg(target_os = "linux")]
const TAKEN_WITHIN: Duration = Duration::from_secs(30);
/// So many bytes of an answer the system keeps at most that it can't send yet, or a client could take next to nothing of
/// megabytes unseen. It tells of room once half of it is gone.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 32 * 1024;
/// How long a call that is just being sent may still arrive once a stop was asked for.
const MOMENT: Duration = Duration::from_millis(200);
/// The same for a connection's first call: a kept connection may be closed at any time, and its client tries anew; one
/// that is closed before it was any use is a call that failed.
const FIRST: Duration = Duration::from_secs(3);
/// How long running calls may still take once a stop was asked for.
const DRAIN: Duration = Duration::from_secs(20);
/// More than this wait to be accepted. Each needs a descriptor, of which a system gives 20,000 or more.
const MOST_CONNECTIONS: usize = 16_000;
/// So many may connect at the same moment, if the system allows it (Linux: `net.core.somaxconn`, 4096). With the 128 that are
/// usual, some of 500 who come back after a restart would be let fall, and try again only a second later.
const WAITING: u32 = 4096;

/// No inline script or style, nothing from elsewhere, never in a frame. A worker obeys the policy of its own script, so
/// every file carries it.
pub const CSP: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Listens at `address`, which the setting named `setting` gives.
pub fn listen(address: SocketAddr, setting: &str) -> Result<TcpListener, String> {
    let open = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A restart doesn't wait until the system has forgotten the connections of the program before.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(WAITING)
    };
    open().map_err(|e: io::Error| format!("can't listen on {address}: {e} ({setting})"))
}

/// Serves until `stop` becomes true, then lets running calls end. `secure` says that people come by https; `limit` caps the
/// connections of each address.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    secure: bool,
    limit: ConnectionLimit,
    stop: watch::Receiver<bool>,
) {
    let common = middleware::from_fn(move |request, next| common(secure, request, next));
    let app = app.layer(ServiceBuilder::new().layer(common).layer(CatchPanicLayer::custom(panicked)));
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    take_in(listener, &app, &places, &limit, stop).await;
    let everyone = u32::try_from(MOST_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = timeout(DRAIN, places.acquire_many(everyone)).await;
}

/// Takes connections in until `stop` becomes true.
async fn take_in(
    listener: TcpListener,
    app: &Router,
    places: &Arc<Semaphore>,
    limit: &ConnectionLimit,
    stop: watch::Receiver<bool>,
) {
    let mut stopped = stop.clone();
    let mut emptied = std::pin::pin!(async {
        asked(&mut stopped).await;
        let_nobody_new_in(&listener);
        sleep(MOMENT).await;
    });
    loop {
        let accepted = tokio::select! {
            // Whoever is connected already is served, also when a stop is asked for.
            biased;
            accepted = accept(&listener, places) => accepted,
            () = &mut emptied => break,
        };
        let (place, stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: give running calls a moment to end.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(admission) = limit.admit(peer) else {
            refuse(stream);
            continue;
        };
        let (app, stop) = (app.clone(), stop.clone());
        tokio::spawn(async move {
            serve_one(stream, peer, app, stop).await;
            drop::<(OwnedSemaphorePermit, Admission)>((place, admission));
        });
    }
}

/// Closes a connection with a reset, after which the system keeps nothing of it.
fn refuse(stream: TcpStream) {
    let _ = socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO));
    drop(stream);
}

/// Answers a connection's calls until its client or `stop` ends it.
async fn serve_one(stream: TcpStream, peer: SocketAddr, app: Router, mut stop: watch::Receiver<bool>) {
    let called = Arc::new(Notify::new());
    let heard = called.clone();
    let app = app.map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
        called.notify_one();
        let slow = Slow::default();
        request.extensions_mut().insert(Peer(peer));
        request.extensions_mut().insert(slow.clone());
        request.map(|body| Body::new(Paced::new(body, slow)))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_headers(64)
        .max_buf_size(HEAD_MAX)
        .serve_connection(TokioIo::new(Taken::new(stream)), TowerToHyperService::new(app));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A client that breaks off or talks nonsense is no event.
        _ = connection.as_mut() => return,
        () = asked(&mut stop) => {}
    }
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = timeout(FIRST, heard.notified()) => {}
    }
    if timeout(MOMENT, connection.as_mut()).await.is_ok() {
        return;
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(DRAIN, connection).await;
}

/// Whoever has connected is still accepted, whoever begins to is not. A listener that is closed resets whatever waits in
/// its queue; so first the packet that begins a connection (SYN) is let fall, which its sender tries anew a second later.
fn let_nobody_new_in(listener: &TcpListener) {
    #[cfg(target_os = "linux")]
    {
        const FLAGS: u32 = 13;
        const SYN: u32 = 2;
        let refused = socket2::SockRef::from(listener).attach_filter(&[
            // Load the byte of the flags; is this one set? Then take nothing of the packet, else all of it.
            SockFilter::new(0x30, 0, 0, FLAGS),
            SockFilter::new(0x45, 0, 1, SYN),
            SockFilter::new(0x06, 0, 0, 0),
            SockFilter::new(0x06, 0, 0, u32::MAX),
        ]);
        if let Err(error) = refused {
            tracing::debug!(%error, "whoever connects at the last moment may be lost");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = listener;
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(OwnedSemaphorePermit, TcpStream, SocketAddr)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // A client that is gone already refuses them; that is no trouble of the listener's.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        let socket = socket2::SockRef::from(&stream);
        let _ = socket.set_tcp_notsent_lowat(UNSENT);
        let _ = socket.set_tcp_user_timeout(Some(TAKEN_WITHIN));
    }
    Ok((place, stream, peer))
}

/// Waits until a stop is asked for. The value itself is a guard, which could not be held while something else is waited
/// for.
pub(crate) async fn asked(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response<Body> {
    ApiError::internal("a handler panicked").into_response()
}

/// Names the request, logs how it ended, and sets the headers that every answer has.
async fn common(secure: bool, request: Request, next: Next) -> Response<Body> {
    let id = Uuid::now_v7().simple().to_string();
    let span = tracing::info_span!("request", id, user = tracing::field::Empty);
    async move {
        let begun = Instant::now();
        let method = request.method().clone();
        // The pattern, not the address: an address may carry a token or a name.
        let route = request.extensions().get::<MatchedPath>().map_or_else(|| "-".to_owned(), |p| p.as_str().to_owned());
        let is_api = request.uri().path().starts_with("/api/");
        let response = match names_its_host(&request) {
            true => next.run(request).await,
            false => ApiError::invalid(HOST_INVALID).into_response(),
        };
        let mut response = plain_refusals(is_api, response);
        let (status, ms) = (response.status().as_u16(), begun.elapsed().as_millis());
        let reason = response.extensions().get::<Reason>().map(|reason| reason.0);
        if is_api {
            tracing::info!(%method, route, status, reason, ms, "answered");
        } else {
            tracing::debug!(%method, status, ms, "answered");
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
        if secure {
            set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
        }
        if is_api {
            set(header::CACHE_CONTROL, "no-store");
        }
        if let Ok(id) = HeaderValue::from_str(&id) {
            headers.insert("x-request-id", id);
        }
        response
    }
    .instrument(span)
    .await
}

/// Once, and from HTTP/1.1 on always (RFC 9112, 3.2): of two, a program on the way may have taken the other.
fn names_its_host(request: &Request) -> bool {
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

/// Whose call it is, or whom it is about: every later line of it in the log says so, by the id alone.
pub(crate) fn concerns(user: Uuid) {
    tracing::Span::current().record("user", tracing::field::display(user));
}

/// Under /api a refusal is always a problem, also where the framework itself refused with a bare status.
fn plain_refusals(is_api: bool, response: Response<Body>) -> Response<Body> {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| v.starts_with("application/json"));
    if !is_api || is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let refusal = match status {
        StatusCode::NOT_FOUND => ApiError::NoSuchRoute,
        StatusCode::METHOD_NOT_ALLOWED => ApiError::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::PayloadTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::UnsupportedMediaType,
        s if s.is_client_error() => ApiError::invalid(forecourt_core::text::BODY_INVALID),
        _ => ApiError::Internal,
    };
    let mut plain = refusal.into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        plain.headers_mut().insert(header::ALLOW, allow.clone());
    }
    plain
}
