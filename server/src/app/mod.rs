//! Assembles the program: its router, startup and shutdown, commands, OpenAPI and the web app's files.

pub mod assets;
pub mod backup;
pub mod check;
pub mod config;
pub mod demo;
pub mod health;
pub mod metrics_server;
pub mod openapi;
pub mod routes;
pub mod start;

use crate::access::guard;
use crate::features::state::App;
use crate::platform::{fairness, metrics};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};

/// Returns the router of the public address: every route but the metrics, and the web app for all other paths.
pub fn router(app: &App) -> Router {
    openapi::set_routes(routes::routes());
    let mut router = guard::router(app, routes::routes());
    if app.mailbox.is_some() {
        router = router.merge(demo::mailbox::router());
    }
    let measured = from_fn_with_state(app.metrics.clone(), metrics::measure_requests);
    let limited = from_fn_with_state((app.fairness.clone(), app.config.clone()), fairness::limit_parallel_requests);
    let router = router.fallback(assets::serve).with_state(app.clone()).layer(limited).layer(measured);
    if app.mailbox.is_some() { router.layer(from_fn(demo::reject_other_hosts)) } else { router }
}
