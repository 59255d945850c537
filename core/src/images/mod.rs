//! Uploaded images: the accepted formats and sizes. The format is detected from the content, never from the file name.

mod rules;
pub mod text;

pub use rules::*;
