//! What must hold of a contact, typed or imported (specification section 5).

use super::{ContactInput, text};
use crate::form::{Form, Sheet, trim};
use crate::text::EMAIL_INVALID;

/// The longest a single other detail may be, in characters: what a spreadsheet's cell holds.
pub const DETAIL_MAX: usize = 32_767;
/// The most other details a contact may carry.
pub const DETAILS_MAX: usize = 512;

impl Form for ContactInput {
    fn tidy(&mut self) {
        for text in [&mut self.name, &mut self.email, &mut self.phone, &mut self.website, &mut self.address] {
            trim(text);
        }
        if self.other_details.iter().any(|(key, value)| key.contains('\0') || value.contains('\0')) {
            let whole = |text: String| text.replace('\0', "");
            self.other_details =
                std::mem::take(&mut self.other_details).into_iter().map(|(k, v)| (whole(k), whole(v))).collect();
        }
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("name", &self.name).required(text::NAME_REQUIRED).max(200);
        sheet.field("email", &self.email).email(EMAIL_INVALID);
        sheet.field("phone", &self.phone).max(100);
        sheet.field("website", &self.website).max(2_000);
        sheet.field("address", &self.address).max(1_000);
        sheet.rule("otherDetails", self.other_details.len() <= DETAILS_MAX, text::TOO_MANY_DETAILS);
        let fits = |text: &String| text.len() <= DETAIL_MAX || text.chars().count() <= DETAIL_MAX;
        let details_fit = self.other_details.iter().all(|(key, value)| fits(key) && fits(value));
        sheet.rule("otherDetails", details_fit, text::DETAIL_TOO_LONG);
    }
}

/// The address a website's link leads to: without an http prefix, https is put before it (specification 2.13).
pub fn website_link(website: &str) -> String {
    let lower = website.trim_start().to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        website.trim().to_owned()
    } else {
        format!("https://{}", website.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors};

    #[test]
    fn a_contact_needs_only_a_name() {
        let form = ContactInput { name: " Ada ".into(), ..Default::default() };
        assert_eq!(check(form).map(|f| f.name.clone()).ok().as_deref(), Some("Ada"));
        let messages: Vec<_> = errors(ContactInput::default()).into_iter().map(|e| e.message).collect();
        assert_eq!(messages, ["Name is required"]);
    }

    #[test]
    fn zero_characters_are_dropped() {
        let details = [("Or\0t".to_owned(), "L\0und".to_owned())].into();
        let form = ContactInput { name: "A\0da".into(), other_details: details, ..Default::default() };
        let form = check(form).unwrap().into_inner();
        assert_eq!((form.name.as_str(), form.other_details["Ort"].as_str()), ("Ada", "Lund"));
    }

    #[test]
    fn a_contacts_email_is_valid_if_there_is_one() {
        let form = ContactInput { name: "Ada".into(), email: "ada".into(), ..Default::default() };
        assert_eq!(errors(form)[0].field, "email");
    }

    #[test]
    fn a_website_that_is_no_http_address_cannot_become_another_scheme() {
        assert_eq!(website_link("example.se"), "https://example.se");
        assert_eq!(website_link("HTTP://example.se"), "HTTP://example.se");
        assert_eq!(website_link("javascript:alert(1)"), "https://javascript:alert(1)");
    }

    #[test]
    fn null_and_absent_fields_are_empty() {
        let form: ContactInput = serde_json::from_str(r#"{"name":"Ada","email":null,"user_type":"Admin"}"#).unwrap();
        assert_eq!(form, ContactInput { name: "Ada".into(), ..Default::default() });
    }
}
