//! Sentences that more than one feature says.

pub const EMAIL_INVALID: &str = "Please enter a valid email address";
pub const FORM_INVALID: &str = "Please fill in all required fields correctly";
pub const NOT_ALLOWED: &str = "You don't have permission to do this. Ask an administrator of your corporation.";
pub const NOT_FOUND: &str = "Not found. It may have been deleted.";
pub const SESSION_OVER: &str = "Your session has ended. Please sign in again.";
pub const TOO_BUSY: &str = "The server is busy. Please try again in a moment.";
pub const UNEXPECTED: &str = "Something went wrong on the server. Please try again.";
pub const NO_CONNECTION: &str = "No connection to the server. Check your network and try again.";
pub const NO_SUCH_CALL: &str = "There is no such call.";
pub const NO_SUCH_METHOD: &str = "This call does not take that method.";
pub const BODY_TOO_LARGE: &str = "The request is too large.";
pub const NOT_JSON: &str = "The body must be JSON (Content-Type: application/json).";
pub const BODY_UNREADABLE: &str = "The body could not be read as the expected JSON.";
pub const TOO_SLOW: &str = "The request took too long to arrive. Please try again.";

pub fn minimum_length(min: u64) -> String {
    format!("Minimum length is {min} characters")
}

pub fn maximum_length(max: u64) -> String {
    format!("Maximum length is {max} characters")
}

pub fn not_a_number(field: &str) -> String {
    format!("'{field}' must be a whole number")
}

/// How many seconds to wait, in words.
pub fn too_many_tries(seconds: u64) -> String {
    match seconds {
        0..=90 => format!("Too many attempts. Please try again in {} seconds.", seconds.max(1)),
        _ => format!("Too many attempts. Please try again in {} minutes.", seconds.div_ceil(60)),
    }
}
