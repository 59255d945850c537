//! Converts errors to JavaScript: an `Error` named `Problem` that has the fields of `core`'s `Problem`.

use forecourt_core::{problem::Problem, text};
use js_sys::{JSON, Object, Reflect};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The error of a failed request. `status` is the HTTP status, 0 without a complete response. */
export interface ProblemError extends Error, Omit<Problem, "present"> {
  name: "Problem";
  message: string;
  status: number;
  errors: string[];
  fields: Record<string, string[]>;
  /** The current state of the record, if an update was based on an older one. */
  present?: unknown;
}

/** Returns whether this is the error of a failed request, and not a programming error. */
export function isProblem(error: unknown): error is ProblemError;
"#;

/// The error of a request or of a binding.
pub enum BindingError {
    /// The server returned an error, or no complete response.
    Problem(Problem),
    /// The page passed an argument of the wrong shape.
    InvalidArgument(String),
}

impl From<Problem> for BindingError {
    fn from(problem: Problem) -> Self {
        BindingError::Problem(problem)
    }
}

impl From<BindingError> for Problem {
    fn from(error: BindingError) -> Self {
        match error {
            BindingError::Problem(problem) => problem,
            BindingError::InvalidArgument(_) => Problem::new(text::UNEXPECTED),
        }
    }
}

impl BindingError {
    /// Returns the status of the server's error response; 0 without a complete response.
    pub fn status(&self) -> Option<u16> {
        match self {
            BindingError::Problem(problem) => Some(problem.status),
            BindingError::InvalidArgument(_) => None,
        }
    }
}

impl From<BindingError> for JsValue {
    fn from(error: BindingError) -> Self {
        match error {
            BindingError::Problem(problem) => to_js_error(&problem),
            BindingError::InvalidArgument(reason) => js_sys::Error::new(&reason).into(),
        }
    }
}

fn to_js_error(problem: &Problem) -> JsValue {
    let error = js_sys::Error::new(&problem.message);
    error.set_name("Problem");
    if let Ok(fields) = problem.into_js() {
        Object::assign(&error, fields.unchecked_ref());
    }
    // The serialized problem omits a status of 0, which is significant here. Setting a property of a new object can't
    // fail.
    let _ = Reflect::set(&error, &"status".into(), &problem.status.into());
    if let Some(present) = problem.present.as_deref().and_then(|json| JSON::parse(json).ok()) {
        let _ = Reflect::set(&error, &"present".into(), &present);
    }
    error.into()
}

#[wasm_bindgen(js_name = isProblem, skip_typescript)]
pub fn is_problem(error: &JsValue) -> bool {
    error.dyn_ref::<js_sys::Error>().is_some_and(|e| e.name() == "Problem")
}
