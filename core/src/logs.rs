//! What a browser reports of its own trouble.

use crate::form::{Form, Sheet, text_or_null};
use crate::text::one_line;
use serde::{Deserialize, Serialize};

/// POST: one line.
pub const PATH: &str = "/api/logs";

pub const MESSAGE_REQUIRED: &str = "A message is required";
pub const LOGGED: &str = "The message was logged";

/// A line for the server's log. The body around it has at most 4 kB (decisions 4.4).
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LogInput {
    #[serde(deserialize_with = "text_or_null")]
    pub message: String,
}

impl Form for LogInput {
    /// Control characters, line breaks among them, would let a message pass for lines of the log.
    fn tidy(&mut self) {
        self.message = one_line(&self.message);
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("message", &self.message).required(MESSAGE_REQUIRED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::check;

    #[test]
    fn w5_a_message_is_one_line_without_control_characters() {
        let form = check(LogInput { message: " a\r\nb\u{1b}[31m\u{0}c\u{2028}d\t".into() });
        assert_eq!(form.map(|f| f.message.clone()).ok().as_deref(), Some("a b [31m c d"));
        assert!(check(LogInput { message: "\r\n\u{7}".into() }).is_err());
    }
}
