//! Code shared by the wasm packages: the API client, the conversion of values to JavaScript and back, and
//! errors as JavaScript sees them.

mod problem;
mod request;
mod shape;

pub use problem::{BindingError, Problem, is_problem, set};
pub use request::{ApiRequest, ApiResponse, time_zone};
pub use shape::{read, read_value, to_js, to_json_value};
