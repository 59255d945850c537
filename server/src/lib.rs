//! Forecourt's server: the API, the jobs behind it, and the built web app, in one binary.
//!
//! **Invariant:** a route exists only as a line of [`policy::TABLE`], and a tenant's rows are reached only through a
//! [`scope::Scope`].

pub mod answers;
pub mod assets;
pub mod auth;
pub mod backup;
pub mod check;
pub mod child;
pub mod clock;
pub mod config;
pub mod contacts;
pub mod corporations;
pub mod customers;
pub mod dashboard;
pub mod db;
pub mod demo;
pub mod fairness;
pub mod health;
pub mod http;
pub mod images;
pub mod import;
pub mod invoices;
pub mod keys;
pub mod limits;
pub mod listing;
pub mod lock;
pub mod logs;
pub mod mail;
pub mod menu;
pub mod metrics;
pub mod openapi;
pub mod organizations;
pub mod pace;
pub mod parts;
pub mod places;
pub mod policy;
pub mod private;
pub mod problem;
pub mod profile;
mod rights;
pub mod roles;
pub mod scope;
pub mod seal;
pub mod search;
pub mod start;
pub mod state;
pub mod theme;
pub mod users;

use axum::Router;
use axum::middleware::from_fn_with_state;
use state::App;

/// The whole program as a router: the table's calls, and the web app for everything else.
pub fn app(app: &App) -> Router {
    let mut router = policy::router(app);
    if app.mailbox.is_some() {
        router = router.merge(demo::mailbox::router());
    }
    let counted = from_fn_with_state(app.clone(), metrics::count);
    let capped = from_fn_with_state(app.clone(), fairness::cap_clients);
    router.fallback(assets::serve).with_state(app.clone()).layer(capped).layer(counted)
}
