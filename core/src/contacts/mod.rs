//! The address book.

mod rules;
pub mod text;
mod types;

pub use rules::{DETAIL_MAX, DETAILS_MAX, website_link};
pub use types::*;
