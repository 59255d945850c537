//! The one engine that checks a form. A [`Form`] states its rules in screen order on a [`Sheet`]; the first broken rule
//! of a field is the one that is shown. [`check`] is the only maker of [`Checked`], which is all that SQL that writes takes.

mod email;
mod website;

pub use email::is_email;
pub(crate) use website::has_http_scheme;
pub use website::is_website;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use validator::ValidateLength;

use crate::import::Limits;
use crate::text;

/// The longest password.
pub const PASSWORD_MAX: u64 = 256;

/// What an installation has set that rules depend on. The server fills it from its settings, and the page that the server
/// sends hands the same to the browser.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HouseRules {
    /// The fewest characters of a new password (decisions 2.8).
    pub password_min: u32,
    /// How much of a file is imported.
    pub import: Limits,
}

impl Default for HouseRules {
    fn default() -> Self {
        HouseRules { password_min: 6, import: Limits::default() }
    }
}

/// Something a person fills in.
pub trait Form {
    /// Trims what a person doesn't mean to type; runs before the rules.
    fn tidy(&mut self) {}
    /// States every rule, field by field, in the order of the screen.
    fn rules(&self, sheet: &mut Sheet);
}

/// A form that changes a record with a website. Who checks it says first which website is stored.
pub trait ChangesWebsite: Form {
    /// Sets the website that is accepted unchanged; `None` if there is no such record.
    fn set_stored_website(&mut self, stored: Option<String>);
}

/// May what is typed into this field, named as on the wire, never be kept anywhere before it is saved? So it is with
/// passwords, and with numbers that tell a person.
pub fn is_secret(field: &str) -> bool {
    let name = field.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    name.contains("password") || matches!(name.as_str(), "socialsecuritynumber" | "personalnumber")
}

/// One field's broken rule: the field by its wire name, and the sentence to show beside it. Never the value.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    pub field: String,
    pub message: String,
}

/// A form that passed its rules. Only [`check`] makes one, so a function that takes it can't be given anything else.
#[derive(Clone, Debug)]
pub struct Checked<F>(F);

impl<F> Checked<F> {
    pub fn into_inner(self) -> F {
        self.0
    }
}

impl<F> Deref for Checked<F> {
    type Target = F;
    fn deref(&self) -> &F {
        &self.0
    }
}

/// Tidies a form and holds it against its rules, where no rule depends on the installation's settings.
///
/// # Errors
/// Every field with a broken rule, in screen order, each with the first rule that it breaks.
pub fn check<F: Form>(form: F) -> Result<Checked<F>, Vec<FieldError>> {
    check_in(HouseRules::default(), form)
}

/// As [`check`], under the installation's settings.
///
/// # Errors
/// As [`check`].
pub fn check_in<F: Form>(house: HouseRules, mut form: F) -> Result<Checked<F>, Vec<FieldError>> {
    form.tidy();
    let mut sheet = Sheet::new(house);
    form.rules(&mut sheet);
    if sheet.errors.is_empty() { Ok(Checked(form)) } else { Err(sheet.errors) }
}

/// What is wrong with a form, for a screen that only shows it.
pub fn errors<F: Form>(form: F) -> Vec<FieldError> {
    check(form).err().unwrap_or_default()
}

/// What is wrong with something that is no form of its own, under rules that no setting changes.
pub(crate) fn errors_of(rules: impl FnOnce(&mut Sheet)) -> Vec<FieldError> {
    let mut sheet = Sheet::new(HouseRules::default());
    rules(&mut sheet);
    sheet.errors
}

/// A rule of a text field that can be told to whoever writes a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Required,
    Email,
    Min(u64),
    Max(u64),
}

/// The rules that an empty form names under this installation's settings, each with its field's wire name.
#[cfg(feature = "schema")]
pub fn told<F: Form + Default>(house: HouseRules) -> Vec<(String, Told)> {
    let mut form = F::default();
    form.tidy();
    let mut sheet = Sheet::new(house);
    form.rules(&mut sheet);
    sheet.told
}

/// Where a form's rules are written down.
pub struct Sheet {
    errors: Vec<FieldError>,
    house: HouseRules,
    #[cfg(feature = "schema")]
    told: Vec<(String, Told)>,
}

impl Sheet {
    fn new(house: HouseRules) -> Self {
        Sheet {
            errors: Vec::new(),
            house,
            #[cfg(feature = "schema")]
            told: Vec::new(),
        }
    }

    /// Starts the rules of one text field, under its wire name.
    pub fn field<'a>(&'a mut self, name: &'a str, value: &'a str) -> Field<'a> {
        Field { sheet: self, name, value, broken: false }
    }

    /// A rule that isn't about one text, under the field where its sentence is shown.
    pub fn rule(&mut self, name: &str, holds: bool, message: impl Into<String>) {
        if !holds && !self.errors.iter().any(|e| e.field == name) {
            self.errors.push(FieldError { field: name.to_owned(), message: message.into() });
        }
    }
}

/// The rules of one text field; after the first broken one the others are passed over.
pub struct Field<'a> {
    sheet: &'a mut Sheet,
    name: &'a str,
    value: &'a str,
    broken: bool,
}

impl Field<'_> {
    #[cfg(feature = "schema")]
    fn tell(self, rule: Told) -> Self {
        self.sheet.told.push((self.name.to_owned(), rule));
        self
    }

    #[cfg(not(feature = "schema"))]
    fn tell(self, _: Told) -> Self {
        self
    }

    fn hold(mut self, holds: bool, message: impl FnOnce() -> String) -> Self {
        if !self.broken && !holds {
            self.broken = true;
            self.sheet.rule(self.name, false, message());
        }
        self
    }

    /// Something other than blanks must be there.
    pub fn required(self, message: &str) -> Self {
        // Seen by the first character of most texts.
        let holds = !self.value.chars().all(char::is_whitespace);
        self.tell(Told::Required).hold(holds, || message.to_owned())
    }

    /// Empty, or an address by [`is_email`].
    pub fn email(self, message: &str) -> Self {
        let holds = self.value.is_empty() || is_email(self.value);
        self.tell(Told::Email).hold(holds, || message.to_owned())
    }

    /// Empty, a website by [`is_website`], or the text that is stored already: a value from before the rule does not
    /// block a change of something else.
    pub fn website(self, stored: Option<&str>) -> Self {
        let holds = self.value.is_empty() || stored == Some(self.value) || is_website(self.value);
        self.hold(holds, || text::WEBSITE_INVALID.to_owned())
    }

    /// A new password: there, as long as the installation wants it, and at most 256 characters (decisions 2.8).
    pub fn new_password(self, missing: &str) -> Self {
        let min = u64::from(self.sheet.house.password_min);
        self.tell(Told::Required).matches(|p| !p.is_empty(), missing).min(min).max(PASSWORD_MAX)
    }

    /// A person's first or last name: 2 to 50 characters (specification section 9), letters of any script with their
    /// accents, spaces, hyphens and apostrophes (section 5, user form).
    pub fn person_name(self, missing: &str) -> Self {
        let letters =
            |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '\u{2010}' | '\u{2019}') || text::is_mark(c);
        self.required(missing).min(2).max(50).matches(|name| name.chars().all(letters), text::NAME_LETTERS)
    }

    /// A telephone number, in whatever way it is written.
    pub fn phone(self, missing: &str) -> Self {
        self.required(missing).max(50)
    }

    /// The e-mail that somebody signs in with or is written to.
    pub fn mandatory_email(self, missing: &str, invalid: &str) -> Self {
        self.required(missing).email(invalid)
    }

    /// At least `min` characters; an empty text is left to [`Field::required`].
    pub fn min(self, min: u64) -> Self {
        let holds = self.value.is_empty() || self.value.validate_length(Some(min), None, None);
        self.tell(Told::Min(min)).hold(holds, || text::minimum_length(min))
    }

    /// At most `max` characters.
    #[inline]
    pub fn max(self, max: u64) -> Self {
        // A text has at most as many characters as bytes, so that most texts needn't be counted.
        let told = self.tell(Told::Max(max));
        if told.value.len() as u64 <= max { told } else { told.counted(max) }
    }

    #[cold]
    fn counted(self, max: u64) -> Self {
        let holds = self.value.validate_length(None, Some(max), None);
        self.hold(holds, || text::maximum_length(max))
    }

    /// Any other rule of this text.
    pub fn matches(self, rule: impl Fn(&str) -> bool, message: &str) -> Self {
        let holds = rule(self.value);
        self.hold(holds, || message.to_owned())
    }
}

/// Tidies a text of one line in place: trims it, and drops control characters ([`text::clean_line`]).
pub fn trim(text: &mut String) {
    tidy(text, text::clean_line);
}

/// As [`trim`], for a text that may have line breaks.
pub fn trim_lines(text: &mut String) {
    tidy(text, text::clean_lines);
}

fn tidy(text: &mut String, clean: impl Fn(&str) -> Cow<'_, str>) {
    // Blanks around it first: a line break at its end isn't one in it.
    if let Cow::Owned(cleaned) = clean(text.trim()) {
        *text = cleaned;
    }
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        *text = trimmed.to_owned();
    }
}

/// What stands under one of two spellings of a field (decisions 4.3); the first goes before.
pub fn either(first: &mut String, second: &mut String) -> String {
    let (first, second) = (std::mem::take(first), std::mem::take(second));
    if first.is_empty() { second } else { first }
}

/// Reads a text field as clients send it: absent and `null` are the empty text (with `#[serde(default)]` beside it).
pub fn text_or_null<'de, D: serde::Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(d)?.unwrap_or_default())
}

/// The same of a field that stays as it is where it is left out: `null` is the empty text, and only absent is none.
pub fn given_text<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    text_or_null(d).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_personal_numbers_are_secrets_and_nothing_else_that_is_typed() {
        let secrets = ["password", "newPassword", "currentPassword", "confirm_password", "admin_data.password"];
        for field in secrets.into_iter().chain(["socialSecurityNumber", "social.personalNumber"]) {
            assert!(is_secret(field), "{field}");
        }
        for field in ["name", "email", "organizationNumber", "comment", "reason", ""] {
            assert!(!is_secret(field), "{field}");
        }
    }

    struct Two {
        a: String,
        b: String,
    }
    impl Form for Two {
        fn tidy(&mut self) {
            trim(&mut self.a);
        }
        fn rules(&self, sheet: &mut Sheet) {
            sheet.field("a", &self.a).required("A is required").min(2).max(4);
            sheet.field("b", &self.b).required("B is required").email(text::EMAIL_INVALID);
        }
    }
    fn two(a: &str, b: &str) -> Vec<String> {
        errors(Two { a: a.into(), b: b.into() }).into_iter().map(|e| format!("{}: {}", e.field, e.message)).collect()
    }

    #[test]
    fn the_first_broken_rule_of_each_field_is_shown_in_screen_order() {
        assert_eq!(two("  ", ""), ["a: A is required", "b: B is required"]);
        assert_eq!(two("x", "y"), ["a: Minimum length is 2 characters", "b: Please enter a valid email address"]);
        assert_eq!(two("xxxxx", "y@z.se"), ["a: Maximum length is 4 characters"]);
        assert!(two("åäöü", "y@z.se").is_empty());
    }

    #[test]
    fn a_checked_form_is_tidied() {
        let Ok(form) = check(Two { a: " ab ".into(), b: "y@z.se".into() }) else { panic!("the form holds") };
        assert_eq!(form.a, "ab");
    }

    #[test]
    fn a_new_password_is_as_long_as_the_installation_wants_it() {
        struct Password(&'static str);
        impl Form for Password {
            fn rules(&self, sheet: &mut Sheet) {
                sheet.field("password", self.0).new_password("A password is required");
            }
        }
        let found = |min, text| {
            check_in(HouseRules { password_min: min, ..HouseRules::default() }, Password(text))
                .err()
                .map(|e| e[0].message.clone())
        };
        assert_eq!(found(6, "åäöåäö"), None);
        assert_eq!(found(6, "").as_deref(), Some("A password is required"));
        assert_eq!(found(6, "short").as_deref(), Some("Minimum length is 6 characters"));
        assert_eq!(found(12, "åäöåäö").as_deref(), Some("Minimum length is 12 characters"));
        let long: &'static str = Box::leak("x".repeat(257).into_boxed_str());
        assert_eq!(found(6, long).as_deref(), Some("Maximum length is 256 characters"));
    }
}
