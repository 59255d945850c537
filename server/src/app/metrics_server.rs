//! The metrics endpoint for Prometheus, on its own address.

use crate::features::state::App;
use crate::platform::error::ApiError;
use crate::platform::fairness::connections::ConnectionLimit;
use crate::platform::http;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The path that Prometheus scrapes.
pub const PATH: &str = "/metrics";
/// The media type of the OpenMetrics format.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Serves `GET /metrics`, and nothing else, until `stop` becomes true.
pub async fn serve(app: App, listener: TcpListener, stop: watch::Receiver<bool>) {
    let router = Router::new().route(PATH, get(text)).with_state(app);
    http::serve(listener, router, false, ConnectionLimit::unlimited(), stop).await;
}

async fn text(State(app): State<App>) -> Response {
    match app.metrics.render(&app.db, app.fairness.bytes_in_flight(), app.hasher.load()).await {
        Ok(text) => ([(header::CONTENT_TYPE, FORMAT)], text).into_response(),
        Err(error) => ApiError::internal(error).into_response(),
    }
}
