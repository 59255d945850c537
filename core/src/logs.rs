//! A line that a client writes to the server's log. The web app does not use this legacy route (docs/product.md 4.4).

use crate::form::{Form, Rules};
use crate::message::messages;
use crate::text::one_line;
use serde::{Deserialize, Serialize};

messages! {
    "log.";
    MESSAGE_REQUIRED = "A message is required";
    LOGGED = "The message was logged";
}

forms!(
    /// A message for the server's log. The request body is limited to 4 kB.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct LogInput {
        pub message: String,
    }
);

impl Form for LogInput {
    /// Replaces line breaks and other control characters by spaces, so that a message cannot forge further log lines.
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
