//! Which hosts a request to the demo may name.

use crate::platform::error::ApiError;
use axum::extract::Request;
use axum::http::header;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forecourt_core::text::DEMO_HOST_INVALID;
use std::net::IpAddr;

/// Middleware for every request of the demo: rejects it unless its `Host` is this machine. Otherwise any website could
/// let its own domain name resolve to the loopback address, and read the mailbox and its codes (DNS rebinding).
pub async fn reject_other_hosts(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| Authority::try_from(host.as_bytes()).ok());
    match host.is_some_and(|host| is_this_machine(host.host())) {
        true => next.run(request).await,
        false => ApiError::invalid(DEMO_HOST_INVALID).into_response(),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
