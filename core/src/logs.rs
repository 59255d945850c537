//! Error messages that the browser sends to the server's log.

use crate::form::{Form, Rules, text_or_null};
use crate::message::messages;
use crate::text::one_line;
use serde::{Deserialize, Serialize};

/// POST: writes one log line.
pub const PATH: &str = "/api/logs";

messages! {
    "log.";
    MESSAGE_REQUIRED = "A message is required";
    LOGGED = "The message was logged";
}

/// A message for the server's log. The request body is limited to 4 kB.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LogInput {
    #[serde(deserialize_with = "text_or_null")]
    pub message: String,
}

impl Form for LogInput {
    /// Removes line breaks and other control characters, so that a message cannot forge further log lines.
    fn normalize(&mut self) {
        self.message = one_line(&self.message);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("message", &self.message).required(MESSAGE_REQUIRED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::check;

    #[test]
    fn w5_a_message_becomes_one_line_without_control_characters() {
        let form = check(LogInput { message: " a\r\nb\u{1b}[31m\u{0}c\u{2028}d\t".into() });
        assert_eq!(form.map(|f| f.message.clone()).ok().as_deref(), Some("a b [31m c d"));
        assert!(check(LogInput { message: "\r\n\u{7}".into() }).is_err());
    }
}
