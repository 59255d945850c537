//! Forecourt's server: the API, its background jobs, and the built web app, in one binary.
//!
//! Four layers, each of which uses only those below it: [`app`], [`features`], [`access`], [`platform`].
//!
//! **Invariant:** a route exists only in a feature's `ROUTES`, and a tenant's rows are reached only through a
//! [`access::scope::Scope`].

pub mod access;
pub mod app;
pub mod features;
pub mod platform;
