//! Names of users, as screens and mails show them.

use super::text::DELETED_USER;
use crate::message::Message;

/// Returns first and last name, of which either may be empty, as one text.
pub fn full_name(first: &str, last: &str) -> String {
    format!("{first} {last}").trim().to_owned()
}

/// Returns the name of an author, or a placeholder if the author was deleted.
pub fn author_name(first: Option<String>, last: Option<String>) -> String {
    first.zip(last).map_or_else(|| DELETED_USER.to_string(), |(first, last)| full_name(&first, &last))
}

/// Returns the message in place of the name of a user; `None` unless the account was deleted.
pub fn author_message(has_account: bool) -> Option<Message> {
    (!has_account).then(|| DELETED_USER.clone())
}
