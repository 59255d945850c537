//! Errors as the web app sees them: a JavaScript `Error` whose name is `Problem`, with the fields of the error
//! response.

use forecourt_core::message::Message;
use forecourt_core::{form::FieldError, text};
use js_sys::{Array, Error, Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A message, and the form field that it belongs to, if any. */
export type FieldMessage = Message & { field?: string };

/** The error of a failed request, or of a file or mapping that the engine rejects. Its `message` is in English, not for users. */
export interface ProblemError extends Omit<Error, "message"> {
  name: "Problem";
  /**
   * The HTTP status; 400 for a file or mapping that the import engine rejected; 401 also if the browser ended the session; 0 without a
   * complete response, and for other errors that occurred in the browser, such as tokens that can't be stored.
   */
  status: number;
  /** The messages, in the order of the form's fields. Missing if an older version of the server sent the response. */
  messages?: FieldMessage[];
  /** The English texts of the response. */
  message?: unknown;
  errors?: unknown;
  fields?: unknown;
  /** The response's `data`: the details of the ban, if the account is banned. Of a 400 or 409, use `present`. */
  data?: Ban;
  /**
   * Of a 409: the current state of the record or import job that has changed meanwhile; if undoing a bulk action, a
   * merge or an import was refused, what undoing would do. Of a 400: what an earlier request with the same key and
   * another body has created.
   */
  present?: unknown;
}

/** Returns whether this is the error of a failed request or a rejected file, and not a programming error. */
export function isProblem(error: unknown): error is ProblemError;
"#;

const BAD_REQUEST: u16 = 400;
const CONFLICT: u16 = 409;

/// Why a call of a binding failed. Bindings that send no request return it too.
pub enum BindingError {
    /// A request failed, or input was rejected before any request was sent.
    Problem(Problem),
    /// The page passed an argument of the wrong shape.
    InvalidArgument(String),
}

/// The error of a request, or of rejected input. Kept as a JavaScript error, because only the page reads its messages.
pub struct Problem {
    status: u16,
    error: Error,
}

impl Problem {
    pub fn new(message: &Message) -> Problem {
        Problem::with_field(message, None)
    }

    /// Creates the error of an invalid form, with the first of its validation errors.
    pub fn from_field_errors(errors: &[FieldError]) -> Problem {
        let first = errors.first();
        Problem::with_field(first.map_or(text::FORM_INVALID, |error| &error.message), first.map(|error| &*error.field))
    }

    fn with_field(message: &Message, field: Option<&str>) -> Problem {
        let error = Error::new(message.as_str());
        // The parameters of a message are a map, which would otherwise become a JavaScript `Map`.
        if let Ok(message) = message.serialize(&Serializer::new().serialize_maps_as_objects(true)) {
            set(&message, "field", &field.into());
            set(&error, "messages", &Array::of1(&message));
        }
        Problem::from_error(error, 0)
    }

    /// Creates the error of an unsuccessful response with this body.
    pub fn from_response(status: u16, body: &JsValue) -> Problem {
        let get = |name: &str| Reflect::get(body, &name.into()).unwrap_or_default();
        if get("success") != JsValue::FALSE {
            return Problem::new(text::UNEXPECTED).with_status(status);
        }
        let error = Error::new("");
        Object::assign(&error, body.unchecked_ref());
        if matches!(status, BAD_REQUEST | CONFLICT) && get("data").is_object() {
            set(&error, "present", &get("data"));
        }
        Problem::from_error(error, status)
    }

    /// Makes a JavaScript error a problem: sets its name and status.
    fn from_error(error: Error, status: u16) -> Problem {
        error.set_name("Problem");
        Problem { status: 0, error }.with_status(status)
    }

    /// Converts a value that JavaScript code has thrown. Anything but a `Problem` becomes one that says "unexpected
    /// error".
    pub fn from_thrown(thrown: JsValue) -> Problem {
        if !is_problem(&thrown) {
            return Problem::new(text::UNEXPECTED);
        }
        let status = Reflect::get(&thrown, &"status".into()).ok().and_then(|status| status.as_f64());
        Problem { status: status.unwrap_or_default() as u16, error: thrown.unchecked_into() }
    }

    pub fn with_status(self, status: u16) -> Problem {
        set(&self.error, "status", &status.into());
        Problem { status, ..self }
    }

    /// Returns the HTTP status; 400 for a file or mapping that the import engine rejected; 401 also if the browser ended
    /// the session; 0 without a complete response, and for other errors that occurred in the browser, such as tokens
    /// that can't be stored.
    pub fn status(&self) -> u16 {
        self.status
    }
}

/// Sets a property of a new object, which can't fail.
pub fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
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
    /// Returns the status of the problem ([`Problem::status`]); `None` for an invalid argument.
    pub fn status(&self) -> Option<u16> {
        match self {
            BindingError::Problem(problem) => Some(problem.status),
            BindingError::InvalidArgument(_) => None,
        }
    }
}

impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        problem.error.into()
    }
}

impl From<BindingError> for JsValue {
    fn from(error: BindingError) -> Self {
        match error {
            BindingError::Problem(problem) => problem.into(),
            BindingError::InvalidArgument(reason) => Error::new(&reason).into(),
        }
    }
}

#[wasm_bindgen(js_name = isProblem, skip_typescript)]
pub fn is_problem(error: &JsValue) -> bool {
    error.dyn_ref::<Error>().is_some_and(|e| e.name() == "Problem")
}
