//! Code shared by the wasm packages: the API client, and the conversion of values and errors to JavaScript.

mod call;
mod coming;
mod problem;
mod shape;

pub use call::{Answer, Call};
pub use coming::{Coming, ComingList};
pub use problem::{Failure, is_problem};
pub use shape::{give, read, read_value, sendable};
