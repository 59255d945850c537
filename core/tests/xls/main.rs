//! The reader of .xls: what it makes of a workbook, beside calamine and alone; and what it makes of files that were made
//! to harm it.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod cells;
#[path = "../dice/mod.rs"]
mod dice;
mod differential;
mod foreign;
mod hostile;
mod made;
