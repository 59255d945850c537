//! The reader of .xlsx: what it makes of a workbook, beside calamine and alone; and what it makes of files that were made
//! to harm it.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

#[path = "../busy/mod.rs"]
mod busy;
mod cells;
#[path = "../dice/mod.rs"]
mod dice;
mod differential;
mod hostile;
mod made;
mod parts;
