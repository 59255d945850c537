//! Converts errors to JavaScript: an `Error` named `Problem` that has the fields of `core`'s `Problem`.

use forecourt_core::{problem::Problem, text};
use js_sys::{JSON, Object, Reflect};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The error of a failed request. `status` is the HTTP status, 0 if the server was not reached. */
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

/// Why a request or a binding failed.
pub enum Failure {
    /// The server returned an error, or was not reached.
    Refused(Problem),
    /// The page passed an argument of the wrong shape.
    Misused(String),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Refused(problem)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(problem) => problem,
            Failure::Misused(_) => Problem::new(text::UNEXPECTED),
        }
    }
}

impl Failure {
    /// Returns the status of the server's error response; 0 if the server wasn't reached.
    pub fn status(&self) -> Option<u16> {
        match self {
            Failure::Refused(problem) => Some(problem.status),
            Failure::Misused(_) => None,
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(problem) => thrown(&problem),
            Failure::Misused(reason) => js_sys::Error::new(&reason).into(),
        }
    }
}

fn thrown(problem: &Problem) -> JsValue {
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
