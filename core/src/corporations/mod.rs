//! Corporations: the tenants, and their users as the platform's administrators see them.

pub mod text;
mod types;

pub use types::*;
