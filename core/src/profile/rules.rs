//! Rules of the signed-in user's own account.

use super::{
    ChangePasswordInput, ConnectInput, DeleteAccountInput, Language, LanguageInput, Profile, ProfileInput, text,
};
use crate::auth::declare_repetition;
use crate::form::{Form, PASSWORD_MAX, Rules, is_not_empty, normalize_fields, normalize_line};
use crate::message::Message;
use crate::secret::Secret;
use crate::text::{EMAIL_INVALID, lower_case};
use validator::ValidateRequired;

impl ProfileInput {
    /// Returns whether the update changes the e-mail address. Case is ignored.
    pub fn changes_email(&self) -> bool {
        lower_case(&self.email) != lower_case(&self.known_email)
    }

    /// Returns whether the profile has these values, which must be normalized, already. The case of the e-mail is
    /// ignored.
    pub fn is_stored_in(&self, profile: &Profile) -> bool {
        [&self.first_name, &self.last_name, &self.mobile] == [&profile.first_name, &profile.last_name, &profile.mobile]
            && lower_case(&self.email) == lower_case(&profile.email)
    }
}

impl Form for ProfileInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.first_name, &mut self.last_name, &mut self.email, &mut self.mobile]);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("first_name", &self.first_name).person_name(text::FIRST_NAME_REQUIRED);
        rules.field("last_name", &self.last_name).person_name(text::LAST_NAME_REQUIRED);
        rules.field("email", &self.email).required_email(EMAIL_INVALID, EMAIL_INVALID);
        rules.field("mobile", &self.mobile).phone(text::MOBILE_REQUIRED);
        let has_password = !self.changes_email() || is_not_empty(self.current_password.expose_secret());
        rules.field("currentPassword", self.current_password.expose_secret()).max(PASSWORD_MAX);
        rules.require("currentPassword", has_password, text::PASSWORD_FOR_EMAIL);
    }
}

/// Declares the rules of the current password, which re-authenticates the user. Passwords are never trimmed.
fn require_password(rules: &mut Rules, field: &str, password: &Secret<String>, missing: &Message) {
    rules.field(field, password.expose_secret()).matches(is_not_empty, missing).max(PASSWORD_MAX);
}

impl Form for ConnectInput {
    fn rules(&self, rules: &mut Rules) {
        require_password(rules, "currentPassword", &self.current_password, text::CURRENT_PASSWORD_REQUIRED);
    }
}

impl Form for DeleteAccountInput {
    fn rules(&self, rules: &mut Rules) {
        require_password(rules, "password", &self.password, text::PASSWORD_FOR_DELETION);
    }
}

impl Form for ChangePasswordInput {
    fn rules(&self, rules: &mut Rules) {
        require_password(rules, "currentPassword", &self.current_password, text::CURRENT_PASSWORD_REQUIRED);
        rules.field("newPassword", self.new_password.expose_secret()).new_password(text::NEW_PASSWORD_REQUIRED);
        let repeated = self.confirm_password.as_ref();
        declare_repetition(rules, &self.new_password, repeated, text::PASSWORDS_DO_NOT_MATCH);
    }
}

impl Form for LanguageInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.language);
    }
    fn rules(&self, rules: &mut Rules) {
        let is_known = |tag: &str| Language::parse(tag).validate_required();
        rules.field("language", &self.language).matches(is_known, text::LANGUAGE_UNKNOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors_as_texts;

    fn profile() -> ProfileInput {
        ProfileInput {
            first_name: "Ada".into(),
            last_name: "Lind".into(),
            email: "Ada@nordbil.example".into(),
            mobile: "+46 70 123 45 67".into(),
            known_email: "ada@nordbil.example".into(),
            ..Default::default()
        }
    }
    #[test]
    fn a_profile_needs_names_email_and_mobile() {
        assert!(errors_as_texts(profile()).is_empty());
        let empty = ProfileInput { known_email: String::new(), ..Default::default() };
        assert_eq!(
            errors_as_texts(empty),
            [
                "first_name: First name is required",
                "last_name: Last name is required",
                "email: Please enter a valid email address",
                "mobile: Mobile is required",
            ]
        );
    }

    #[test]
    fn f5_changing_the_email_needs_the_password() {
        let other = ProfileInput { email: "eve@example.com".into(), ..profile() };
        assert_eq!(errors_as_texts(other.clone()), [format!("currentPassword: {}", text::PASSWORD_FOR_EMAIL.as_str())]);
        assert!(errors_as_texts(ProfileInput { current_password: "secret".into(), ..other }).is_empty());
    }

    #[test]
    fn v9_deleting_an_account_needs_the_password() {
        let form = |password: &str| DeleteAccountInput { password: password.into() };
        assert_eq!(errors_as_texts(form("")), ["password: Enter your password to delete your account"]);
        assert_eq!(errors_as_texts(form(&"x".repeat(257))), ["password: Maximum length is 256 characters"]);
        assert!(errors_as_texts(form(" ")).is_empty());
    }

    #[test]
    fn a_new_password_must_be_long_enough_and_equal_its_repetition_if_sent() {
        let form = |new: &str, again: Option<&str>| ChangePasswordInput {
            current_password: "old".into(),
            new_password: new.into(),
            confirm_password: again.map(Secret::from),
        };
        assert!(errors_as_texts(form("secret", Some("secret"))).is_empty());
        assert!(errors_as_texts(form("secret", None)).is_empty());
        assert_eq!(errors_as_texts(form("secret", Some("secreT"))), ["confirmPassword: Passwords do not match"]);
        assert_eq!(errors_as_texts(form("12345", Some("12345"))), ["newPassword: Minimum length is 6 characters"]);
        assert_eq!(errors_as_texts(ChangePasswordInput::default()).len(), 2);
    }

    #[test]
    fn accepts_only_supported_languages() {
        let form = |tag: &str| LanguageInput { language: tag.into() };
        assert!(errors_as_texts(form("en")).is_empty());
        assert!(errors_as_texts(form(" sv ")).is_empty());
        for tag in ["", "de", "SV", "sv-SE", "English", "e"] {
            assert_eq!(
                errors_as_texts(form(tag)),
                ["language: The language must be 'en' (English) or 'sv' (Swedish)"],
                "{tag}"
            );
        }
    }
}
