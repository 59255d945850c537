//! The .xls reader, alone and in comparison with calamine, for correct and for malicious files.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod builder;
mod cells;
mod differential;
mod foreign;
mod hand_over;
mod hostile;
#[path = "../random/mod.rs"]
mod random;
#[path = "../rows/mod.rs"]
mod rows;
