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
    if is_ambiguous(name) { format!("{PREFIX}{name}").into() } else { name.into() }
}

/// Returns the name of the other detail in the column with this header. Reverts [`detail_header`]. A header that no
/// export writes stays as it is, because a file of another program may also have a column with the rest of it.
pub(super) fn detail_name(header: &str) -> &str {
    header.strip_prefix(PREFIX).filter(|name| is_ambiguous(name)).unwrap_or(header)
}

/// Returns whether a header that is this name alone would not mean the other detail of this name.
fn is_ambiguous(name: &str) -> bool {
    let is_field = || ContactSummary::FIELDS.iter().any(|field| field.name == name);
    name.is_empty() || name.starts_with(PREFIX) || is_field()
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

    #[test]
    fn a_prefix_that_no_export_writes_is_a_part_of_the_name() {
        for header in ["otherDetails.Ort", "otherDetails.E-post"] {
            assert_eq!(detail_name(header), header);
        }
    }
}
