//! Rules and constants of authentication.

use super::{
    BanInput, CodeInput, ForgotInput, LoginInput, RefreshInput, ResendInput, ResetInput, SignupInput, SuperAdminInput,
    VerifyEmailInput, VerifyTokenInput, text,
};
use crate::form::{
    Form, PASSWORD_MAX, Rules, Texts, is_not_empty, normalize_fields, normalize_line, normalize_lines,
    take_first_non_empty,
};
use crate::message::Message;
use crate::organizations;
use crate::permissions::UserType;
use crate::secret::Secret;
use crate::settings::{declare_country, normalize_code};
use crate::text::EMAIL_INVALID;
use validator::{ValidateLength, validate_must_match};

/// Number of digits of a sign-in code.
pub const CODE_LENGTH: usize = 6;
/// Lifetime of a sign-in code.
pub const CODE_MINUTES: i64 = 10;
/// Maximum number of attempts to enter a sign-in code. After that many wrong ones a new code is needed.
pub const CODE_TRIES: i32 = 5;
/// How long a device is trusted after a sign-in with *Remember me*. Also the lifetime of the session of such a sign-in.
pub const REMEMBER_DAYS: i64 = 30;
/// Lifetime of the session of a sign-in without *Remember me*.
pub const SESSION_HOURS: i64 = 12;
/// For how long after its first use a spent refresh token still returns the next one, because two tabs may refresh at
/// the same time.
pub const SPENT_TOKEN_GRACE_SECONDS: i64 = 10;
/// Lifetime of an access token.
pub const ACCESS_TOKEN_SECONDS: i64 = 15 * 60;
/// Lifetime of a password reset link.
pub const RESET_MINUTES: i64 = 30;
/// Lifetime of the link that confirms a sign-up.
pub const VERIFY_EMAIL_HOURS: i64 = 24;
/// Unconfirmed sign-ups are deleted after this many days.
pub const SIGNUP_DAYS: i64 = 7;
/// Lifetime of the one-time values in the callback URL of a federated sign-in.
pub const LOGIN_EXCHANGE_SECONDS: i64 = 60;
/// How long before an access token expires the client refreshes it.
pub const REFRESH_BEFORE_EXPIRY_SECONDS: i64 = 60;
/// How long a user must wait after a sign-in code was sent before they can request a new one.
pub const RESEND_AFTER_SECONDS: i64 = 30;

/// Maximum length of the id and of the name of a device, in characters.
pub const DEVICE_MAX: u64 = 200;
/// Upper bound on the length of any token that the server issues.
const TOKEN_MAX: u64 = 2048;
const BAN_REASON_MAX: u64 = 500;

fn device(rules: &mut Rules, id: &str) {
    rules.field("deviceId", id).required(text::DEVICE_REQUIRED).max(DEVICE_MAX);
}

fn email(rules: &mut Rules, value: &str) {
    rules.field("email", value).required_email(EMAIL_INVALID, EMAIL_INVALID);
}

/// Declares the rules of the repeated new password in a form, which API clients may omit.
pub(crate) fn declare_repetition(
    rules: &mut Rules,
    password: &Secret<String>,
    repeated: Option<&Secret<String>>,
    mismatch: &Message,
) {
    if let Some(repeated) = repeated {
        rules
            .field("confirmPassword", repeated.expose_secret())
            .matches(is_not_empty, text::CONFIRM_REQUIRED)
            .matches(|p| validate_must_match(p, password.expose_secret()), mismatch);
    }
}

impl Form for LoginInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.email, &mut self.device_id, &mut self.device_name]);
    }
    fn rules(&self, rules: &mut Rules) {
        email(rules, &self.email);
        rules
            .field("password", self.password.expose_secret())
            .matches(is_not_empty, text::PASSWORD_REQUIRED)
            .max(PASSWORD_MAX);
        device(rules, &self.device_id);
        rules.field("deviceName", &self.device_name).max(DEVICE_MAX);
    }
}

impl Form for CodeInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.email, &mut self.device_id]);
        self.otp.expose_secret_mut().retain(|c| !c.is_whitespace());
    }
    fn rules(&self, rules: &mut Rules) {
        email(rules, &self.email);
        let six = |code: &str| {
            code.validate_length(None, None, Some(CODE_LENGTH as u64)) && code.bytes().all(|b| b.is_ascii_digit())
        };
        rules.field("otp", self.otp.expose_secret()).matches(six, text::CODE_NOT_SIX);
        device(rules, &self.device_id);
    }
}

impl Form for ResendInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.email, &mut self.device_id]);
    }
    fn rules(&self, rules: &mut Rules) {
        email(rules, &self.email);
        device(rules, &self.device_id);
        rules.field("deviceName", &self.device_name).max(DEVICE_MAX);
    }
}

impl Form for RefreshInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("refreshToken", self.refresh_token.expose_secret()).required(text::TOKEN_REQUIRED).max(TOKEN_MAX);
    }
}

impl Form for ForgotInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.email);
    }
    fn rules(&self, rules: &mut Rules) {
        email(rules, &self.email);
    }
}

impl Form for ResetInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("token", self.token.expose_secret()).required(text::RESET_LINK_INVALID).max(TOKEN_MAX);
        rules.field("password", self.password.expose_secret()).new_password(text::PASSWORD_REQUIRED);
        declare_repetition(rules, &self.password, self.confirm_password.as_ref(), text::PASSWORDS_MUST_MATCH);
    }
}

impl Form for VerifyEmailInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("token", self.token.expose_secret()).required(text::VERIFY_LINK_INVALID).max(TOKEN_MAX);
    }
}

impl Form for VerifyTokenInput {
    fn rules(&self, rules: &mut Rules) {
        rules
            .field("accessToken", self.access_token.expose_secret())
            .required(text::ACCESS_TOKEN_REQUIRED)
            .max(TOKEN_MAX);
        rules.field("refreshToken", self.refresh_token.expose_secret()).required(text::TOKEN_REQUIRED).max(TOKEN_MAX);
    }
}

impl Form for SignupInput {
    fn normalize(&mut self) {
        self.normalize_texts();
        self.mobile = take_first_non_empty(&mut self.mobile, &mut self.phone);
        self.organization.normalize();
        normalize_code(&mut self.country);
    }
    fn rules(&self, rules: &mut Rules) {
        use crate::corporations::text as t;
        self.organization.rules(rules, true);
        declare_country(rules, &self.country);
        rules.field("first_name", &self.first_name).person_name(t::FIRST_NAME_REQUIRED);
        rules.field("last_name", &self.last_name).person_name(t::LAST_NAME_REQUIRED);
        rules.field("email", &self.email).required_email(t::EMAIL_REQUIRED, organizations::text::EMAIL_INVALID);
        rules.field("mobile", &self.mobile).phone(t::PHONE_REQUIRED);
        rules.field("password", self.password.expose_secret()).new_password(text::PASSWORD_REQUIRED);
    }
}

impl Form for SuperAdminInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.email);
        self.email = crate::text::lower_case(&self.email);
    }
    fn rules(&self, rules: &mut Rules) {
        email(rules, &self.email);
        rules.field("password", self.password.expose_secret()).new_password(text::PASSWORD_REQUIRED);
    }
}

impl Form for BanInput {
    fn normalize(&mut self) {
        normalize_lines(&mut self.reason);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("reason", &self.reason).required(text::BAN_REASON_REQUIRED).max(BAN_REASON_MAX);
    }
}

/// Checks that users do not ban themselves.
pub fn check_ban(is_self: bool) -> Result<(), &'static Message> {
    if is_self { Err(text::BAN_SELF) } else { Ok(()) }
}

/// Returns whether a federated sign-in may be linked to the account with the same e-mail address: only an account of
/// type User, and only if both the identity provider and this server have verified the address. Administrators must
/// instead connect their account while signed in.
pub fn may_link_by_email(verified_by_provider: bool, verified_here: bool, user_type: UserType) -> bool {
    verified_by_provider && verified_here && !user_type.is_administrator()
}

/// Returns the first page after signing in: the admin dashboard if `role`, the user type in words as the access token
/// has it, contains "admin" (ignoring case).
pub fn home_for_role(role: &str) -> &'static str {
    if role.to_ascii_lowercase().contains("admin") { "/dashboard/admin" } else { "/dashboard" }
}

/// Returns in how many seconds the access token should be refreshed, 0 for at once. `expires` and `now` are Unix
/// timestamps in seconds.
pub fn refresh_in(expires: i64, now: i64) -> i64 {
    expires.saturating_sub(now).saturating_sub(REFRESH_BEFORE_EXPIRY_SECONDS).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{Tokens, Verified};
    use crate::form::{errors, messages};
    use crate::organizations::OrganizationInput;
    use crate::settings::text::COUNTRY_INVALID;

    fn login(email: &str, password: &str) -> Vec<String> {
        let form =
            LoginInput { email: email.into(), password: password.into(), device_id: "d".into(), ..Default::default() };
        messages(form)
    }

    #[test]
    fn a_login_needs_an_email_and_a_password() {
        assert_eq!(login("", ""), ["Please enter a valid email address", "Password is required"]);
        assert_eq!(login("ada@", " "), ["Please enter a valid email address"]);
        assert!(login(" ada@example.se ", " ").is_empty());
    }

    #[test]
    fn a_code_is_six_digits_and_may_contain_spaces() {
        let code = |otp: &str| messages(CodeInput { email: "a@b.se".into(), otp: otp.into(), device_id: "d".into() });
        assert!(code("123 456").is_empty());
        for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(code(bad), ["Please enter a valid 6-digit OTP code"], "{bad}");
        }
    }

    #[test]
    fn f2_links_only_an_email_that_both_sides_verified_and_no_administrator() {
        assert!(may_link_by_email(true, true, UserType::User));
        for (by_provider, here, user_type) in [
            (false, true, UserType::User),
            (true, false, UserType::User),
            (true, true, UserType::Admin),
            (true, true, UserType::SuperAdmin),
        ] {
            assert!(!may_link_by_email(by_provider, here, user_type), "{by_provider} {here} {user_type:?}");
        }
    }

    #[test]
    fn a_callback_with_a_sessions_own_tokens_returns_no_tokens() {
        let pair = |name: &str| Tokens { access_token: format!("{name} access").into(), refresh_token: name.into() };
        let sent = VerifyTokenInput { access_token: "mine access".into(), refresh_token: "mine".into() };
        let returned = |tokens| Verified::new(tokens).without_echoed_tokens(&sent).data.tokens;
        assert_eq!(returned(Some(pair("new"))).unwrap().access_token.expose_secret(), "new access");
        assert!(returned(Some(pair("mine"))).is_none());
        assert!(returned(None).is_none());
    }

    #[test]
    fn a_reset_needs_a_token_and_a_password_and_any_repetition_must_match() {
        let found = |token: &str, password: &str, again: Option<&str>| {
            messages(ResetInput {
                token: token.into(),
                password: password.into(),
                confirm_password: again.map(Secret::from),
            })
        };
        assert!(found("t", "secret", Some("secret")).is_empty());
        assert!(found("t", "secret", None).is_empty());
        assert_eq!(found("t", "secret", Some("Secret")), ["Passwords must match"]);
        assert_eq!(found("t", "short", Some("")), ["Minimum length is 6 characters", text::CONFIRM_REQUIRED.as_str()]);
        assert_eq!(found("", "", None), [text::RESET_LINK_INVALID.as_str(), "Password is required"]);
    }

    #[test]
    fn a_sign_up_needs_a_person_and_an_organization() {
        let person = SignupInput {
            first_name: "Ada".into(),
            last_name: "Lind".into(),
            email: "ada@ny.example".into(),
            mobile: "070 123 45 67".into(),
            password: "secret".into(),
            ..Default::default()
        };
        let first = |form: SignupInput| errors(form).first().map(|e| String::from(e.message.clone()));
        assert_eq!(first(person.clone()).as_deref(), Some("Organization Number is required"));
        let organisation = SignupInput {
            organization: OrganizationInput {
                organization_number: "559360-9844".into(),
                legal_id: String::new(),
                corp_name: "Ny Bil AB".into(),
                street_address: "Storgatan 1".into(),
                registered_city: "Umeå".into(),
                postal_code: "903 26".into(),
                city: "Umeå".into(),
                company_email: "info@ny.example".into(),
                company_phone: "090 12 34 56".into(),
            },
            ..Default::default()
        };
        assert_eq!(first(organisation.clone()).as_deref(), Some("First Name is required"));
        let both = SignupInput {
            first_name: person.first_name,
            last_name: person.last_name,
            email: person.email,
            mobile: person.mobile,
            password: person.password,
            ..organisation
        };
        assert_eq!(first(both.clone()), None);
        let mut numberless = both.clone();
        numberless.organization.organization_number = "-".into();
        assert_eq!(first(numberless).as_deref(), Some("Organization Number is required"));
        let with_country = |country: &str| SignupInput { country: country.into(), ..both.clone() };
        assert_eq!(first(with_country(" se ")), None);
        assert_eq!(first(with_country("XX")).as_deref(), Some(COUNTRY_INVALID.as_str()));
    }

    #[test]
    fn a_ban_needs_a_reason() {
        assert_eq!(errors(BanInput { reason: "  ".into() })[0].message, "Reason is required");
        assert!(errors(BanInput { reason: "Spam".into() }).is_empty());
    }

    #[test]
    fn a_user_type_that_contains_admin_starts_on_the_admin_dashboard() {
        assert_eq!(home_for_role("Super Admin"), "/dashboard/admin");
        assert_eq!(home_for_role("ADMIN"), "/dashboard/admin");
        assert_eq!(home_for_role("User"), "/dashboard");
    }

    #[test]
    fn a_token_is_refreshed_a_minute_before_it_expires() {
        assert_eq!(refresh_in(1_000, 100), 840);
        assert_eq!(refresh_in(1_000, 990), 0);
        assert_eq!(refresh_in(i64::MIN, 5), 0);
    }
}
