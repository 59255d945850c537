//! A mail to one recipient.

use forecourt_core::auth::mail::MailText;
use forecourt_core::secret::{Secret, exposed};
use serde::{Deserialize, Serialize};

/// A mail to one recipient. Its content may contain a code or a link with a token.
#[derive(Clone, Serialize, Deserialize)]
pub struct MailMessage {
    pub to: String,
    pub to_name: String,
    pub subject: String,
    #[serde(serialize_with = "exposed")]
    pub text: Secret<String>,
    #[serde(serialize_with = "exposed")]
    pub html: Secret<String>,
}

impl MailMessage {
    pub fn new(to: &str, to_name: &str, text: MailText) -> Self {
        let MailText { subject, text, html } = text;
        MailMessage { to: to.to_owned(), to_name: to_name.to_owned(), subject, text: text.into(), html: html.into() }
    }
}
