//! The rules of Forecourt, once: what a form may hold, who may do what, how a list is paged, how a file becomes
//! contacts. The server compiles this crate, and the browser runs the same code as wasm.
//!
//! **Invariant:** pure. No clock, randomness, network, file system or SQL; bytes and values in, values out.
#![forbid(unsafe_code)]

pub mod auth;
pub mod contacts;
pub mod corporations;
pub mod customers;
pub mod dashboard;
pub mod date;
pub mod form;
pub mod images;
pub mod import;
pub mod invoices;
pub mod logs;
pub mod money;
pub mod organizations;
pub mod paging;
pub mod permissions;
pub mod problem;
pub mod profile;
pub mod reply;
pub mod roles;
pub mod text;
pub mod theme;
pub mod users;
