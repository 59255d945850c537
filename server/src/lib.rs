//! Forecourt's server: the API, its background jobs, and the built web app, in one binary.
//!
//! Four layers, each of which uses only those below it: [`app`], [`features`], [`access`], [`platform`].
//!
//! **Invariant:** every API route is in a `ROUTES` that `app/routes.rs` lists, and a request of a signed-in user changes
//! records only through that user's [`access::scope::Scope`]. Sign-in and jobs name the tenant in their statements.

pub mod access;
pub mod app;
pub mod features;
pub mod platform;
