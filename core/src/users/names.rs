//! Names of users, as screens and mails show them.

use crate::contacts::text::DELETED_USER;

/// Returns first and last name, of which either may be empty, as one text.
pub fn full_name(first: &str, last: &str) -> String {
    format!("{first} {last}").trim().to_owned()
}

/// Returns the name of an author, or a placeholder if the author was deleted.
pub fn author_name(first: Option<String>, last: Option<String>) -> String {
    first.zip(last).map_or_else(|| DELETED_USER.to_owned(), |(first, last)| full_name(&first, &last))
}
