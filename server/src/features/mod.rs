//! The features of the product. A feature uses another one only through what that one's `mod.rs` exports.

pub mod auth;
pub mod config;
pub mod contacts;
pub mod corporations;
pub mod customers;
pub mod dashboard;
pub mod images;
pub mod import;
pub mod invoices;
pub mod legacy;
pub mod listing;
pub mod organizations;
pub mod profile;
mod records;
pub mod roles;
pub mod state;
pub mod theme;
pub mod users;
pub mod views;

/// A route whose handler gets the features' state.
pub type Route = crate::access::route::Route<state::App>;
