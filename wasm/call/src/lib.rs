//! What the wasm packages share: how the server is called, and how values and refusals reach JavaScript.

mod call;
mod coming;
mod problem;
mod shape;

pub use call::{Answer, Call};
pub use coming::{Coming, ComingList};
pub use problem::{Failure, is_problem};
pub use shape::{give, read, read_value, sendable};
