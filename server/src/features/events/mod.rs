//! Server-sent events: what changes in the corporation of a signed-in user (docs/product.md 4.24).

mod presence;
mod routes;
mod stream;
mod streams;
mod watch;

pub use routes::ROUTES;
pub use streams::Streams;
pub use watch::watch_sessions;
