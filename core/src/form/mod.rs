//! Form validation. A [`Form`] declares its rules on a [`Rules`] builder, in the order of the fields on the screen.
//! Each field reports only the first rule that it breaks. Only this module's `check…` functions can create a
//! [`Checked`] form, and functions that store a form's values take one.

mod email;
mod normalize;
mod website;

pub use email::is_email;
pub use normalize::{Texts, normalize_fields, normalize_line, normalize_lines, take_first_non_empty};
pub use website::{is_website, website_link};

use serde::{Deserialize, Deserializer, Serialize};
use std::ops::Deref;
use validator::ValidateLength;

use crate::import::Limits;
use crate::message::Message;
use crate::secret::Secret;
use crate::text::{self, is_blank};

/// Maximum length of a password, in characters.
pub const PASSWORD_MAX: u64 = 256;

/// Installation settings that rules depend on. The server reads them from its configuration and writes them into the
/// page, so that the browser applies the same rules.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FormSettings {
    /// Minimum length of a new password, in characters.
    pub password_min: u32,
    /// Limits on imported files.
    pub import: Limits,
}

impl Default for FormSettings {
    fn default() -> Self {
        FormSettings { password_min: 6, import: Limits::default() }
    }
}

/// A set of values that a user or an API client submits.
pub trait Form {
    /// Trims texts, removes control characters, merges alternative field names, and clears fields that do not apply.
    /// Runs before the rules.
    fn normalize(&mut self) {}
    /// Removes the sent value of a field that the user may not see, so that the stored value stays unchanged. Returns
    /// the name of the value if the form had one that is not empty.
    fn omit(&mut self, _field: &str) -> Option<&'static Message> {
        None
    }
    /// Declares the rules of every field, in the order of the screen.
    fn rules(&self, rules: &mut Rules);
}

/// The form of an update.
pub trait UpdateForm {
    /// Returns the version of the record on which the update is based, and the time of its last change.
    fn base(&self) -> (Option<i64>, Option<&str>);
}

/// Returns whether a field contains a password or a social security number. The browser must not save such a field as a
/// draft. `field` is the name in the JSON body.
pub fn is_secret(field: &str) -> bool {
    let name = field.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    name.contains("password") || matches!(name.as_str(), "socialsecuritynumber" | "personalnumber")
}

/// A validation error: the field's name in the JSON body, and the message to show beside it. The message never contains
/// what a person entered.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    pub field: String,
    pub message: Message,
}

/// A form that has been normalized and has passed its rules.
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

/// Normalizes a form and checks its rules with the default settings.
///
/// # Errors
/// The first validation error of each invalid field, in the order of the screen.
pub fn check<F: Form>(form: F) -> Result<Checked<F>, Vec<FieldError>> {
    check_with(FormSettings::default(), form)
}

/// Normalizes a form and checks its rules with the installation's settings.
///
/// # Errors
/// As [`check`].
pub fn check_with<F: Form>(settings: FormSettings, form: F) -> Result<Checked<F>, Vec<FieldError>> {
    check_update(settings, form, None)
}

/// As [`check_with`], for the update of a record. Accepts the stored website even if it is invalid: it may be older than
/// the rule for websites, and must not block changes to other fields.
///
/// # Errors
/// As [`check`].
pub fn check_update<F: Form>(
    settings: FormSettings,
    mut form: F,
    stored_website: Option<String>,
) -> Result<Checked<F>, Vec<FieldError>> {
    form.normalize();
    let mut rules = Rules { stored_website, ..Rules::new(settings) };
    form.rules(&mut rules);
    if rules.errors.is_empty() { Ok(Checked(form)) } else { Err(rules.errors) }
}

/// Returns the validation errors of a form under the default settings.
pub fn errors<F: Form>(form: F) -> Vec<FieldError> {
    check(form).err().unwrap_or_default()
}

/// Returns only the messages of [`errors`].
#[cfg(test)]
pub(crate) fn messages<F: Form>(form: F) -> Vec<String> {
    errors(form).into_iter().map(|e| e.message.into()).collect()
}

/// Returns [`errors`] as texts of the form `field: message`.
#[cfg(test)]
pub(crate) fn errors_as_texts<F: Form>(form: F) -> Vec<String> {
    errors(form).into_iter().map(|e| format!("{}: {}", e.field, e.message)).collect()
}

/// Returns the errors of rules that do not belong to a [`Form`] and do not depend on settings.
pub(crate) fn errors_of(declare: impl FnOnce(&mut Rules)) -> Vec<FieldError> {
    let mut rules = Rules::new(FormSettings::default());
    declare(&mut rules);
    rules.errors
}

/// A rule of a text field, of a kind that the OpenAPI document can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSpec {
    Required,
    Email,
    Min(u64),
    Max(u64),
}

/// Returns the rules of a form under these settings, as far as OpenAPI can express them, each with its field's name in
/// the JSON body.
#[cfg(feature = "schema")]
pub fn rule_specs<F: Form + Default>(settings: FormSettings) -> Vec<(String, RuleSpec)> {
    let mut form = F::default();
    form.normalize();
    let mut rules = Rules::new(settings);
    form.rules(&mut rules);
    rules.specs
}

/// Builder on which a form declares its rules. Collects the validation errors.
pub struct Rules {
    errors: Vec<FieldError>,
    settings: FormSettings,
    stored_website: Option<String>,
    #[cfg(feature = "schema")]
    specs: Vec<(String, RuleSpec)>,
}

impl Rules {
    fn new(settings: FormSettings) -> Self {
        Rules {
            errors: Vec::new(),
            settings,
            stored_website: None,
            #[cfg(feature = "schema")]
            specs: Vec::new(),
        }
    }

    /// Starts the rules of a text field. `name` is its name in the JSON body.
    pub fn field<'a>(&'a mut self, name: &'a str, value: &'a str) -> Field<'a> {
        Field { rules: self, name, value, has_error: false }
    }

    /// Adds an error to the field unless the condition is met or the field already has one.
    pub fn require(&mut self, name: &str, is_met: bool, message: impl Into<Message>) {
        if !is_met && !self.errors.iter().any(|e| e.field == name) {
            self.errors.push(FieldError { field: name.to_owned(), message: message.into() });
        }
    }

    /// As [`Rules::require`], for a field whose value must be one of these.
    pub fn require_choice(&mut self, name: &str, is_met: bool, values: &[&str]) {
        if !is_met {
            self.require(name, false, text::choice_error(values));
        }
    }
}

/// The rules of one text field. After the first rule that is broken, further ones are ignored.
pub struct Field<'a> {
    rules: &'a mut Rules,
    name: &'a str,
    value: &'a str,
    has_error: bool,
}

impl Field<'_> {
    #[cfg(feature = "schema")]
    fn record(self, spec: RuleSpec) -> Self {
        self.rules.specs.push((self.name.to_owned(), spec));
        self
    }

    #[cfg(not(feature = "schema"))]
    fn record(self, _: RuleSpec) -> Self {
        self
    }

    fn require(mut self, is_met: bool, message: impl FnOnce() -> Message) -> Self {
        if !self.has_error && !is_met {
            self.has_error = true;
            self.rules.require(self.name, false, message());
        }
        self
    }

    /// Requires at least one visible character.
    pub fn required(self, message: &Message) -> Self {
        // For most values the first character decides.
        let is_met = !self.value.chars().all(is_blank);
        self.record(RuleSpec::Required).require(is_met, || message.clone())
    }

    /// Requires an e-mail address ([`is_email`]) or an empty value.
    pub fn email(self, message: &Message) -> Self {
        let is_met = self.value.is_empty() || is_email(self.value);
        self.record(RuleSpec::Email).require(is_met, || message.clone())
    }

    /// Requires a website ([`is_website`]), an empty value, or the stored website ([`check_update`]).
    pub fn website(self) -> Self {
        let stored = self.rules.stored_website.as_deref();
        let is_met = self.value.is_empty() || stored == Some(self.value) || is_website(self.value);
        self.require(is_met, || text::WEBSITE_INVALID.clone())
    }

    /// Requires a password whose length is at least the configured minimum and at most [`PASSWORD_MAX`].
    pub fn new_password(self, missing: &Message) -> Self {
        let min = u64::from(self.rules.settings.password_min);
        self.record(RuleSpec::Required).matches(is_not_empty, missing).min(min).max(PASSWORD_MAX)
    }

    /// Requires a first or last name: 2 to 50 letters of any script, combining marks, spaces, hyphens and apostrophes.
    pub fn person_name(self, missing: &Message) -> Self {
        let is_allowed =
            |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '\u{2010}' | '\u{2019}') || text::is_mark(c);
        self.required(missing).min(2).max(50).matches(|name| name.chars().all(is_allowed), text::NAME_LETTERS)
    }

    /// Requires a phone number: any text with at most 50 characters that is not blank.
    pub fn phone(self, missing: &Message) -> Self {
        self.required(missing).max(50)
    }

    /// Requires a non-empty e-mail address.
    pub fn required_email(self, missing: &Message, invalid: &Message) -> Self {
        self.required(missing).email(invalid)
    }

    /// Requires at least `min` characters, or an empty value.
    pub fn min(self, min: u64) -> Self {
        let is_met = self.value.is_empty() || self.value.validate_length(Some(min), None, None);
        self.record(RuleSpec::Min(min)).require(is_met, || text::minimum_length(min))
    }

    /// Requires at most `max` characters.
    #[inline]
    pub fn max(self, max: u64) -> Self {
        // The number of bytes is an upper bound on the number of characters, so short values need no counting.
        let field = self.record(RuleSpec::Max(max));
        if field.value.len() as u64 <= max { field } else { field.max_by_counting(max) }
    }

    #[cold]
    fn max_by_counting(self, max: u64) -> Self {
        let is_met = self.value.validate_length(None, Some(max), None);
        self.require(is_met, || text::maximum_length(max))
    }

    /// Requires one of these texts, or an empty value.
    pub fn one_of(self, values: &[&str]) -> Self {
        let is_met = self.value.is_empty() || values.contains(&self.value);
        self.require(is_met, || text::choice_error(values))
    }

    /// Requires a text that `parse` accepts, or an empty value.
    pub fn parses<T>(self, parse: impl Fn(&str) -> Option<T>, message: &Message) -> Self {
        let is_met = self.value.is_empty() || parse(self.value).is_some();
        self.require(is_met, || message.clone())
    }

    pub fn matches(self, predicate: impl Fn(&str) -> bool, message: &Message) -> Self {
        let is_met = predicate(self.value);
        self.require(is_met, || message.clone())
    }
}

/// Returns whether a text has at least one character, which may be a space.
pub fn is_not_empty(text: &str) -> bool {
    text.validate_length(Some(1), None, None)
}

/// Deserializes a text, as a `String` or a secret; `null` becomes an empty text.
pub fn text_or_null<'de, D: Deserializer<'de>, T: From<String>>(d: D) -> Result<T, D::Error> {
    Ok(Option::<String>::deserialize(d)?.unwrap_or_default().into())
}

/// Deserializes an optional secret; `null` and an absent field are `None`.
pub fn optional_secret<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Secret<String>>, D::Error> {
    Ok(Option::<String>::deserialize(d)?.map(Into::into))
}

/// Deserializes an optional text; `null` becomes an empty text, and only an absent field is `None`.
pub fn optional_text<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    text_or_null(d).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passwords_and_social_security_numbers_are_kept_out_of_drafts() {
        let secrets = ["password", "newPassword", "currentPassword", "confirm_password", "admin_data.password"];
        for field in secrets.into_iter().chain(["socialSecurityNumber", "social.personalNumber"]) {
            assert!(is_secret(field), "{field}");
        }
        for field in ["name", "email", "organizationNumber", "comment", "reason", ""] {
            assert!(!is_secret(field), "{field}");
        }
    }

    const A_REQUIRED: &Message = &Message::new("a", "A is required");
    const B_REQUIRED: &Message = &Message::new("b", "B is required");

    struct Two {
        a: String,
        b: String,
    }
    impl Form for Two {
        fn normalize(&mut self) {
            normalize_line(&mut self.a);
        }
        fn rules(&self, rules: &mut Rules) {
            rules.field("a", &self.a).required(A_REQUIRED).min(2).max(4);
            rules.field("b", &self.b).required(B_REQUIRED).email(text::EMAIL_INVALID);
        }
    }
    /// Returns the errors of the form with these values.
    fn errors_of_two(a: &str, b: &str) -> Vec<String> {
        errors_as_texts(Two { a: a.into(), b: b.into() })
    }

    #[test]
    fn reports_the_first_error_of_each_field_in_screen_order() {
        assert_eq!(errors_of_two("  ", ""), ["a: A is required", "b: B is required"]);
        assert_eq!(errors_of_two("\u{200b}\u{feff}", ""), ["a: A is required", "b: B is required"]);
        assert_eq!(
            errors_of_two("x", "y"),
            ["a: Minimum length is 2 characters", "b: Please enter a valid email address"]
        );
        assert_eq!(errors_of_two("xxxxx", "y@z.se"), ["a: Maximum length is 4 characters"]);
        assert!(errors_of_two("åäöü", "y@z.se").is_empty());
    }

    #[test]
    fn a_checked_form_is_normalized() {
        let Ok(form) = check(Two { a: " ab ".into(), b: "y@z.se".into() }) else { panic!("the form is valid") };
        assert_eq!(form.a, "ab");
    }

    #[test]
    fn a_new_password_has_the_configured_minimum_length() {
        struct Password(&'static str);
        impl Form for Password {
            fn rules(&self, rules: &mut Rules) {
                rules.field("password", self.0).new_password(A_REQUIRED);
            }
        }
        let found = |min, text| {
            check_with(FormSettings { password_min: min, ..FormSettings::default() }, Password(text))
                .err()
                .map(|e| String::from(e[0].message.clone()))
        };
        assert_eq!(found(6, "åäöåäö"), None);
        assert_eq!(found(6, "").as_deref(), Some("A is required"));
        assert_eq!(found(6, "short").as_deref(), Some("Minimum length is 6 characters"));
        assert_eq!(found(12, "åäöåäö").as_deref(), Some("Minimum length is 12 characters"));
        let long: &'static str = Box::leak("x".repeat(257).into_boxed_str());
        assert_eq!(found(6, long).as_deref(), Some("Maximum length is 256 characters"));
    }
}
