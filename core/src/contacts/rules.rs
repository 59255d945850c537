//! Rules of contacts, whether entered in a form or imported.

use super::{Comment, CommentInput, ContactInput, ContactUpdateInput, text};
use crate::form::{Form, Rules, Texts, normalize_line, normalize_lines};
use crate::text::{EMAIL_INVALID, clean_line};
use std::borrow::Cow;
use std::collections::BTreeMap;
use validator::{ValidateLength, ValidateRange};

/// Maximum length of the name and of the value of an other detail, in characters: that of a spreadsheet cell.
pub const DETAIL_MAX: usize = 32_767;
pub const DETAILS_MAX: usize = 512;
/// Maximum total length of a contact's other details, including their names, in characters.
pub const DETAILS_LENGTH_MAX: usize = 100_000;
/// Maximum length of a comment, in characters.
pub const COMMENT_MAX: u64 = 10_000;
pub const COMMENTS_MAX: u32 = 1_000;
/// Maximum number of comments in a contact's JSON, which has only the newest.
pub const NEWEST_COMMENTS: u32 = 100;
/// Maximum size of the comments in a contact's JSON, in bytes.
pub const NEWEST_COMMENTS_BYTES: usize = 1_000_000;

impl Form for ContactInput {
    fn normalize(&mut self) {
        self.normalize_texts();
        normalize_details(&mut self.other_details);
    }
    fn rules(&self, rules: &mut Rules) {
        let fields = [&self.name, &self.email, &self.phone, &self.website, &self.address].map(String::as_str);
        declare_rules(rules, fields, pairs(&self.other_details));
    }
}

fn pairs(details: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> + Clone {
    details.iter().map(|(key, value)| (key.as_str(), value.as_str()))
}

impl Form for ContactUpdateInput {
    fn normalize(&mut self) {
        self.normalize_texts();
        if let Some(details) = &mut self.other_details {
            normalize_details(details);
        }
    }
    fn rules(&self, rules: &mut Rules) {
        let fields = [&self.name, &self.email, &self.phone, &self.website, &self.address].map(String::as_str);
        declare_rules(rules, fields, self.other_details.iter().flat_map(pairs));
    }
}

/// Normalizes the names and the values. If names become equal, their values become the lines of one.
fn normalize_details(details: &mut BTreeMap<String, String>) {
    details.values_mut().for_each(normalize_lines);
    if details.keys().all(|name| matches!(clean_line(name), Cow::Borrowed(_)) && name.trim() == name) {
        return;
    }
    for (mut name, value) in std::mem::take(details) {
        normalize_line(&mut name);
        let joined = details.entry(name).or_default();
        if !joined.is_empty() && !value.is_empty() {
            joined.push('\n');
        }
        joined.push_str(&value);
    }
}

/// Declares the rules of a contact. The import calls this, too, without building a [`ContactInput`].
pub(crate) fn declare_rules<'a>(
    rules: &mut Rules,
    [name, email, phone, website, address]: [&str; 5],
    details: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) {
    rules.field("name", name).required(text::NAME_REQUIRED).max(200);
    rules.field("email", email).email(EMAIL_INVALID);
    rules.field("phone", phone).max(100);
    rules.field("website", website).max(2_000).website();
    rules.field("address", address).max(1_000);
    declare_detail_rules(rules, details);
}

/// Declares the limits of the contact's other details (name, value): their number, each length and the total length.
fn declare_detail_rules<'a>(rules: &mut Rules, details: impl Iterator<Item = (&'a str, &'a str)> + Clone) {
    // The number of bytes is an upper bound on the number of characters, so short texts need no counting.
    let length = |text: &str| text.chars().count();
    let fits = |text: &str| text.len() <= DETAIL_MAX || text.validate_length(None, Some(DETAIL_MAX as u64), None);
    let (mut count, mut all_fit, mut bytes) = (0, true, 0);
    for (key, value) in details.clone() {
        count += 1;
        all_fit &= fits(key) && fits(value);
        bytes += key.len() + value.len();
    }
    let total_length = || details.map(|(key, value)| length(key) + length(value)).sum::<usize>();
    rules.require("otherDetails", count.validate_range(None, Some(DETAILS_MAX), None, None), text::TOO_MANY_DETAILS);
    rules.require("otherDetails", all_fit, text::DETAIL_TOO_LONG);
    let total_fits =
        bytes <= DETAILS_LENGTH_MAX || total_length().validate_range(None, Some(DETAILS_LENGTH_MAX), None, None);
    rules.require("otherDetails", total_fits, text::DETAILS_TOO_LONG);
}

impl Form for CommentInput {
    fn normalize(&mut self) {
        normalize_lines(&mut self.comment);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("comment", &self.comment).required(text::COMMENT_REQUIRED).max(COMMENT_MAX);
    }
}

/// Returns whether the user may edit the comment. Only its author may.
pub fn may_edit_comment(comment: &Comment, user_id: &str) -> bool {
    !comment.user_id.is_empty() && comment.user_id == user_id
}

/// Returns whether the user may delete the comment. Its author may, and users who may delete contacts.
pub fn may_delete_comment(comment: &Comment, user_id: &str, may_delete_contacts: bool) -> bool {
    may_delete_contacts || may_edit_comment(comment, user_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{FormSettings, check, check_update, errors, messages};
    use crate::text::read_number;

    #[test]
    fn a_contact_needs_only_a_name() {
        let form = ContactInput { name: " Ada ".into(), ..Default::default() };
        assert_eq!(check(form).map(|f| f.name.clone()).ok().as_deref(), Some("Ada"));
        assert_eq!(messages(ContactInput::default()), ["Name is required"]);
    }

    #[test]
    fn removes_nul_characters() {
        let details = [("Or\0t".to_owned(), "L\0und".to_owned())].into();
        let form = ContactInput { name: "A\0da".into(), other_details: details, ..Default::default() };
        let form = check(form).unwrap().into_inner();
        assert_eq!((form.name.as_str(), form.other_details["Ort"].as_str()), ("Ada", "Lund"));
    }

    #[test]
    fn other_details_are_trimmed_and_those_whose_names_become_equal_are_joined() {
        let details = [("A\tB", "1"), ("A B", " 2 "), (" A B ", ""), ("Town ", " Lund\n")];
        let details = details.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let form = check(ContactInput { name: "Ada".into(), other_details: details, ..Default::default() }).unwrap();
        let found: Vec<_> = pairs(&form.other_details).collect();
        assert_eq!(found, [("A B", "1\n2"), ("Town", "Lund")]);
    }

    #[test]
    fn rejects_an_invalid_email() {
        let form = ContactInput { name: "Ada".into(), email: "ada".into(), ..Default::default() };
        assert_eq!(errors(form)[0].field, "email");
    }

    #[test]
    fn a_stored_invalid_website_does_not_block_an_update() {
        let website = "javascript:alert(1)";
        let change = |stored: Option<&str>| {
            let form =
                ContactUpdateInput { name: "Ada".into(), website: website.into(), ..ContactUpdateInput::default() };
            check_update(FormSettings::default(), form, stored.map(str::to_owned))
        };
        assert!(change(Some(website)).is_ok());
        for stored in [None, Some(""), Some("nordbil.se"), Some("javascript:alert(2)")] {
            assert_eq!(change(stored).unwrap_err()[0].message, crate::text::WEBSITE_INVALID.as_str(), "{stored:?}");
        }
        let new = ContactInput { name: "Ada".into(), website: website.into(), ..Default::default() };
        assert_eq!(errors(new)[0].field, "website");
    }

    #[test]
    fn an_update_has_the_same_rules_and_may_omit_the_other_details() {
        assert_eq!(messages(ContactUpdateInput::default()), ["Name is required"]);
        let form: ContactUpdateInput = serde_json::from_str(r#"{"name":" Ada ","version":3}"#).unwrap();
        let form = check(form).unwrap();
        assert_eq!((form.name.as_str(), &form.other_details, form.version), ("Ada", &None, Some(3)));
        let details = (0..=DETAILS_MAX).map(|i| (i.to_string(), String::new())).collect();
        let form = ContactUpdateInput { name: "Ada".into(), other_details: Some(details), ..Default::default() };
        assert_eq!(errors(form)[0].message, text::TOO_MANY_DETAILS.as_str());
    }

    #[test]
    fn limits_other_details_in_characters_each_and_in_total() {
        // The texts consist of characters of two bytes, because lengths are counted in characters.
        let contact = |lengths: [usize; 3]| {
            let details =
                ["å", "ä", "ö"].into_iter().zip(lengths).map(|(key, length)| (key.into(), "ß".repeat(length)));
            ContactInput { name: "Ada".into(), other_details: details.collect(), ..Default::default() }
        };
        let error = |lengths| messages(contact(lengths)).into_iter().next();
        assert_eq!(error([DETAIL_MAX; 3]), None);
        assert_eq!(error([DETAIL_MAX + 1, 1, 1]).as_deref(), Some(text::DETAIL_TOO_LONG.as_str()));
        let many = |last: usize| {
            let mut form = contact([DETAIL_MAX; 3]);
            form.other_details.insert("é".into(), "x".repeat(last));
            messages(form).into_iter().next()
        };
        let room = DETAILS_LENGTH_MAX - 3 * (DETAIL_MAX + 1) - 1;
        assert_eq!(many(room), None);
        assert_eq!(many(room + 1).as_deref(), Some(text::DETAILS_TOO_LONG.as_str()));
        assert_eq!(read_number(text::DETAILS_TOO_LONG.as_str()), Ok(DETAILS_LENGTH_MAX));
    }

    #[test]
    fn rejects_an_empty_or_too_long_comment() {
        assert_eq!(errors(CommentInput { comment: " \n ".into() })[0].message, text::COMMENT_REQUIRED.as_str());
        assert_eq!(check(CommentInput { comment: " Called. ".into() }).unwrap().comment, "Called.");
        assert!(!errors(CommentInput { comment: "x".repeat(10_001) }).is_empty());
    }

    #[test]
    fn the_message_contains_the_maximum_number_of_comments() {
        assert_eq!(read_number(text::TOO_MANY_COMMENTS.as_str()), Ok(COMMENTS_MAX));
    }

    #[test]
    fn authors_edit_comments_and_users_who_delete_contacts_delete_them() {
        let comment = |user_id: &str| Comment { user_id: user_id.into(), ..Comment::default() };
        assert!(may_edit_comment(&comment("ada"), "ada") && may_delete_comment(&comment("ada"), "ada", false));
        assert!(!may_edit_comment(&comment("ada"), "bo") && !may_delete_comment(&comment("ada"), "bo", false));
        assert!(may_delete_comment(&comment("ada"), "bo", true));
        // An empty user id means that the author's account was deleted.
        assert!(!may_edit_comment(&comment(""), "") && may_delete_comment(&comment(""), "bo", true));
    }

    #[test]
    fn null_and_absent_fields_are_empty() {
        let form: ContactInput = serde_json::from_str(r#"{"name":"Ada","email":null,"user_type":"Admin"}"#).unwrap();
        assert_eq!(form, ContactInput { name: "Ada".into(), ..Default::default() });
    }
}
