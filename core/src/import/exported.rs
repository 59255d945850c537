//! The columns of lists of contacts that Forecourt exported.

use crate::contacts::ContactSummary;
use crate::lists::Record;
use std::borrow::Cow;

/// What precedes the name of an other detail in its header if the name alone would mean a field.
const PREFIX: &str = "otherDetails.";

/// Returns whether these are the headers of an exported list: only files that Forecourt exported have the column of ids.
pub(super) fn is_exported<'a>(mut headers: impl Iterator<Item = &'a str>) -> bool {
    headers.any(|header| header == ContactSummary::FIELDS[0].name)
}

/// Returns the header under which an other detail is exported, so that an import gives it the same name.
pub fn detail_header(name: &str) -> Cow<'_, str> {
    let is_field = || ContactSummary::FIELDS.iter().any(|field| field.name == name);
    if name.is_empty() || name.starts_with(PREFIX) || is_field() {
        format!("{PREFIX}{name}").into()
    } else {
        name.into()
    }
}

/// Returns the name of the other detail in the column with this header. Reverts [`detail_header`].
pub(super) fn detail_name(header: &str) -> &str {
    header.strip_prefix(PREFIX).unwrap_or(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_details_that_could_be_taken_for_a_field_have_a_prefix() {
        for (name, header) in [
            ("Ort", "Ort"),
            ("E-post", "E-post"),
            ("Email", "Email"),
            ("email", "otherDetails.email"),
            ("version", "otherDetails.version"),
            ("otherDetails", "otherDetails"),
            ("otherDetails.Ort", "otherDetails.otherDetails.Ort"),
            ("", "otherDetails."),
        ] {
            assert_eq!((&*detail_header(name), detail_name(header)), (header, name));
        }
    }
}
