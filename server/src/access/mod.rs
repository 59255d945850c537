//! Access control: routes, the guard in front of their handlers, and the proofs of permission that handlers require.

mod actor;
pub(crate) mod cost;
pub mod describe;
pub(crate) mod guard;
pub(crate) mod rights;
pub mod route;
pub mod scope;
pub mod tokens;
pub mod uploads;
