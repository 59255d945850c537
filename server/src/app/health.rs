//! Health checks, all public. `/api/health` gives no details (docs/product.md 3.6); `/api/health/ready` says why it
//! fails.

use crate::access::route::{self, Who, handler};
use crate::features::Route;
use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::config::PlatformConfig;
use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use axum::extract::State;
use forecourt_core::reply::Done;
use forecourt_core::text::{self, one_line};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::atomic::Ordering;
use std::time::Duration;

pub const ROUTES: &[Route] = &[
    route::get("/api/health", Who::Public, handler!(get, "Checks whether the database responds")),
    route::get("/api/health/live", Who::Public, handler!(live, "Checks whether this process responds")),
    route::get("/api/health/ready", Who::Public, handler!(ready, "Checks whether this node accepts requests")),
];

/// `GET /api/health`: 200 if the database responds.
pub async fn get(State(app): State<App>) -> ApiResult<Json<Done>> {
    app.db.sql("SELECT 1").exec().await?;
    Ok(Json(Done::new(text::READY)))
}

/// `GET /api/health/live`: 200 while the process runs. It ignores the database, since a restart would not help there.
pub async fn live() -> Json<Done> {
    Json(Done::new(text::LIVE))
}

/// `GET /api/health/ready`: 200 if requests may be sent to this node. Fails after a shutdown was requested, and while
/// the database doesn't respond or has the schema of another version of the program.
pub async fn ready(State(app): State<App>) -> ApiResult<Json<Done>> {
    if app.stopping.load(Ordering::SeqCst) {
        return Err(ApiError::UpstreamUnavailable(text::SHUTTING_DOWN));
    }
    match app.db.is_current().await? {
        true => Ok(Json(Done::new(text::READY))),
        false => Err(ApiError::UpstreamUnavailable(text::SCHEMA_MISMATCH)),
    }
}

/// Requests `/api/health/ready` from the server on this machine, for `forecourt health`. Fails unless it responds with
/// 200.
pub async fn check_readiness(config: &PlatformConfig) -> Result<(), Failure> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut address = config.listen;
    // A server that listens on all addresses also listens on the loopback address.
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    let failed = |e: reqwest::Error| format!("no server responds on {address}: {}", one_line(&e.to_string()));
    let client = reqwest::Client::builder().timeout(Duration::from_secs(4)).no_proxy().build().map_err(failed)?;
    match client.get(format!("http://{address}/api/health/ready")).send().await.map_err(failed)?.status() {
        reqwest::StatusCode::OK => Ok(()),
        status => Err(format!("the server on {address} is not ready: it responds with {status}")),
    }
}
