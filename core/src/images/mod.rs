//! Pictures that are uploaded: which kinds and sizes are taken, told by the file's first bytes, never by its name.

mod rules;
pub mod text;

pub use rules::*;
