//! Code shared by the wasm packages: the API client, and the conversion of values and errors to JavaScript.

mod problem;
mod request;
mod shape;

pub use problem::{BindingError, Problem, is_problem, set};
pub use request::{ApiRequest, ApiResponse};
pub use shape::{read, read_value, to_js, to_json_value};
