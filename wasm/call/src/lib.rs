//! What the wasm packages share: how the server is called, and how a refusal reaches JavaScript.

mod call;
mod problem;

pub use call::{Answer, Call};
pub use problem::{Failure, is_problem};
