//! Assembles the program: its router, startup and shutdown, commands, OpenAPI and the web app's files.

pub mod assets;
pub mod backup;
pub mod check;
pub mod demo;
pub mod health;
pub mod metrics;
pub mod openapi;
pub mod routes;
pub mod start;

use crate::access::guard;
use crate::features::state::App;
use crate::platform::{fairness, metrics as requests};
use axum::Router;
use axum::middleware::from_fn_with_state;

/// Returns the router of the whole program: every route, and the web app for all other paths.
pub fn router(app: &App) -> Router {
    openapi::describe(routes::routes());
    let mut router = guard::router(app, routes::routes());
    if app.mailbox.is_some() {
        router = router.merge(demo::mailbox::router());
    }
    let counted = from_fn_with_state(app.metrics.clone(), requests::count);
    let capped = from_fn_with_state((app.fairness.clone(), app.config.clone()), fairness::cap_clients);
    router.fallback(assets::serve).with_state(app.clone()).layer(capped).layer(counted)
}
