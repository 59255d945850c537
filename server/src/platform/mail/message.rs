//! A mail to one recipient.

use forecourt_core::auth::mail::MailText;
use serde::{Deserialize, Serialize};

/// A mail to one recipient. Not `Debug`, because it may contain a code.
#[derive(Clone, Serialize, Deserialize)]
pub struct MailMessage {
    pub to: String,
    pub to_name: String,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl MailMessage {
    pub fn new(to: &str, to_name: &str, text: MailText) -> Self {
        let MailText { subject, text, html } = text;
        MailMessage { to: to.to_owned(), to_name: to_name.to_owned(), subject, text, html }
    }
}
