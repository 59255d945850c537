//! What must hold when a person signs in (specification sections 5 and 9, decisions 2).

use super::{
    BanInput, CodeInput, FirstAdminInput, ForgotInput, LoginInput, RefreshInput, ResendInput, ResetInput, SignupInput,
    VerifyEmailInput, VerifyTokenInput, text,
};
use crate::form::{Form, PASSWORD_MAX, Sheet, either, trim, trim_lines};
use crate::organizations;
use crate::permissions::UserType;
use crate::text::EMAIL_INVALID;

/// A code is six digits.
pub const CODE_LENGTH: usize = 6;
/// How long a code can be used.
pub const CODE_MINUTES: i64 = 10;
/// How often a code can be tried; then a new one is needed.
pub const CODE_TRIES: i32 = 5;
/// How long a remembered device is trusted, and how long a session lasts there.
pub const REMEMBER_DAYS: i64 = 30;
/// How long a session lasts on a device that isn't remembered.
pub const SESSION_HOURS: i64 = 12;
/// For so long after its use a refresh token still leads to its successor: two tabs may have raced.
pub const SUCCESSOR_GRACE_SECONDS: i64 = 10;
/// An access token lasts 15 minutes.
pub const ACCESS_TOKEN_SECONDS: i64 = 15 * 60;
/// How long a reset link can be used (decisions 2.6).
pub const RESET_MINUTES: i64 = 30;
/// How long the link that confirms a sign-up can be used.
pub const VERIFY_EMAIL_HOURS: i64 = 24;
/// A sign-up that was not confirmed is deleted after so many days.
pub const SIGNUP_DAYS: i64 = 7;
/// How long the values that a federated sign-in hands over in the address can be used (decisions 2.7).
pub const HANDOFF_SECONDS: i64 = 60;
/// After so many wrong codes in a row, whatever is asked for in between, only a reset link opens the account again: by
/// then somebody who knows the password has guessed with a chance of 1 in 10,000.
pub const WRONG_CODES_MAX: i32 = 100;
/// The client refreshes this long before the access token ends.
pub const REFRESH_BEFORE_EXPIRY_SECONDS: i64 = 60;
/// A new code can be asked for at the earliest after this.
pub const RESEND_AFTER_SECONDS: i64 = 30;

const DEVICE_MAX: u64 = 200;
/// Longer than any token of ours.
const TOKEN_MAX: u64 = 2048;
const BAN_REASON_MAX: u64 = 500;

fn device(sheet: &mut Sheet, id: &str) {
    sheet.field("deviceId", id).required(text::DEVICE_REQUIRED).max(DEVICE_MAX);
}

fn email(sheet: &mut Sheet, value: &str) {
    sheet.field("email", value).mandatory_email(EMAIL_INVALID, EMAIL_INVALID);
}

impl Form for LoginInput {
    fn tidy(&mut self) {
        trim(&mut self.email);
        trim(&mut self.device_id);
        trim(&mut self.device_name);
    }
    fn rules(&self, sheet: &mut Sheet) {
        email(sheet, &self.email);
        sheet.field("password", &self.password).matches(|p| !p.is_empty(), text::PASSWORD_REQUIRED).max(PASSWORD_MAX);
        device(sheet, &self.device_id);
        sheet.field("deviceName", &self.device_name).max(DEVICE_MAX);
    }
}

impl Form for CodeInput {
    fn tidy(&mut self) {
        trim(&mut self.email);
        trim(&mut self.device_id);
        self.otp.retain(|c| !c.is_whitespace());
    }
    fn rules(&self, sheet: &mut Sheet) {
        email(sheet, &self.email);
        let six = |code: &str| code.len() == CODE_LENGTH && code.bytes().all(|b| b.is_ascii_digit());
        sheet.field("otp", &self.otp).matches(six, text::CODE_NOT_SIX);
        device(sheet, &self.device_id);
    }
}

impl Form for ResendInput {
    fn tidy(&mut self) {
        trim(&mut self.email);
        trim(&mut self.device_id);
    }
    fn rules(&self, sheet: &mut Sheet) {
        email(sheet, &self.email);
        device(sheet, &self.device_id);
        sheet.field("deviceName", &self.device_name).max(DEVICE_MAX);
    }
}

impl Form for RefreshInput {
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("refreshToken", &self.refresh_token).required(text::TOKEN_REQUIRED).max(TOKEN_MAX);
    }
}

impl Form for ForgotInput {
    fn tidy(&mut self) {
        trim(&mut self.email);
    }
    fn rules(&self, sheet: &mut Sheet) {
        email(sheet, &self.email);
    }
}

impl Form for ResetInput {
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("token", &self.token).required(text::RESET_LINK_INVALID).max(TOKEN_MAX);
        sheet.field("password", &self.password).new_password(text::PASSWORD_REQUIRED);
        if let Some(again) = &self.confirm_password {
            sheet
                .field("confirmPassword", again)
                .matches(|p| !p.is_empty(), text::CONFIRM_REQUIRED)
                .matches(|p| p == self.password, text::PASSWORDS_MUST_MATCH);
        }
    }
}

impl Form for VerifyEmailInput {
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("token", &self.token).required(text::VERIFY_LINK_INVALID).max(TOKEN_MAX);
    }
}

impl Form for VerifyTokenInput {
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("accessToken", &self.access_token).required(text::ACCESS_TOKEN_REQUIRED).max(TOKEN_MAX);
        sheet.field("refreshToken", &self.refresh_token).required(text::TOKEN_REQUIRED).max(TOKEN_MAX);
    }
}

impl Form for SignupInput {
    fn tidy(&mut self) {
        for text in [&mut self.first_name, &mut self.last_name, &mut self.email, &mut self.mobile, &mut self.phone] {
            trim(text);
        }
        self.mobile = either(&mut self.mobile, &mut self.phone);
        self.organization.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        use crate::corporations::text as t;
        self.organization.rules(sheet);
        sheet.field("first_name", &self.first_name).person_name(t::FIRST_NAME_REQUIRED);
        sheet.field("last_name", &self.last_name).person_name(t::LAST_NAME_REQUIRED);
        sheet.field("email", &self.email).mandatory_email(t::EMAIL_REQUIRED, organizations::text::EMAIL_INVALID);
        sheet.field("mobile", &self.mobile).phone(t::PHONE_REQUIRED);
        sheet.field("password", &self.password).new_password(text::PASSWORD_REQUIRED);
    }
}

impl Form for FirstAdminInput {
    fn tidy(&mut self) {
        trim(&mut self.email);
        self.email = crate::text::lower_case(&self.email);
    }
    fn rules(&self, sheet: &mut Sheet) {
        email(sheet, &self.email);
        sheet.field("password", &self.password).new_password(text::PASSWORD_REQUIRED);
    }
}

impl Form for BanInput {
    fn tidy(&mut self) {
        trim_lines(&mut self.reason);
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("reason", &self.reason).required(text::BAN_REASON_REQUIRED).max(BAN_REASON_MAX);
    }
}

/// Whether an account may be used at all, whichever way in (decisions 1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Good,
    /// The person was banned.
    Banned,
    /// The person or the corporation is switched off.
    SwitchedOff,
    /// Too many wrong codes: nobody signs in until a reset link was used. Sessions that run go on.
    Locked,
}

/// What decides an account's standing.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    pub is_banned: bool,
    pub is_active: bool,
    pub corp_active: bool,
    /// Wrong codes in a row.
    pub wrong_codes: i32,
}

/// May a session go on? Asked at every call and refresh.
pub fn standing(marks: Marks) -> Standing {
    match marks {
        Marks { is_banned: true, .. } => Standing::Banned,
        Marks { is_active: true, corp_active: true, .. } => Standing::Good,
        _ => Standing::SwitchedOff,
    }
}

/// May a session begin? Asked whichever way in.
pub fn standing_to_enter(marks: Marks) -> Standing {
    match standing(marks) {
        Standing::Good if marks.wrong_codes >= WRONG_CODES_MAX => Standing::Locked,
        standing => standing,
    }
}

/// May somebody who bans others ban this person? Nobody bans themselves.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_ban(is_self: bool) -> Result<(), &'static str> {
    if is_self { Err(text::BAN_SELF) } else { Ok(()) }
}

/// May a federated sign-in link a person at the provider to the account of the same e-mail? Only where both have
/// verified it, and never to an administrator's: who administers links the two while signed in.
pub fn may_link_by_email(verified_there: bool, verified_here: bool, user_type: UserType) -> bool {
    verified_there && verified_here && user_type == UserType::User
}

/// Where a person goes after signing in: a role that contains "admin", in whatever case, to the administrators'
/// dashboard (specification 2.1, decisions 2.3).
pub fn home_for_role(role: &str) -> &'static str {
    if role.to_ascii_lowercase().contains("admin") { "/dashboard/admin" } else { "/dashboard" }
}

/// In how many seconds the access token should be refreshed: `expires` and `now` in seconds of the Unix epoch.
pub fn refresh_in(expires: i64, now: i64) -> i64 {
    expires.saturating_sub(now).saturating_sub(REFRESH_BEFORE_EXPIRY_SECONDS).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{Tokens, Verified};
    use crate::form::errors;
    use crate::organizations::OrganizationInput;

    fn login(email: &str, password: &str) -> Vec<String> {
        let form =
            LoginInput { email: email.into(), password: password.into(), device_id: "d".into(), ..Default::default() };
        errors(form).into_iter().map(|e| e.message).collect()
    }

    #[test]
    fn a_login_needs_an_email_and_a_password() {
        assert_eq!(login("", ""), ["Please enter a valid email address", "Password is required"]);
        assert_eq!(login("ada@", " "), ["Please enter a valid email address"]);
        assert!(login(" ada@example.se ", " ").is_empty());
    }

    #[test]
    fn a_code_is_six_digits_and_may_be_pasted_with_blanks() {
        let code = |otp: &str| {
            errors(CodeInput { email: "a@b.se".into(), otp: otp.into(), device_id: "d".into() })
                .into_iter()
                .map(|e| e.message)
                .collect::<Vec<_>>()
        };
        assert!(code("123 456").is_empty());
        for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(code(bad), ["Please enter a valid 6-digit OTP code"], "{bad}");
        }
    }

    #[test]
    fn an_account_is_in_good_standing_only_when_nothing_is_switched_off() {
        let marks = |is_banned, is_active, corp_active| Marks { is_banned, is_active, corp_active, wrong_codes: 0 };
        assert_eq!(standing(marks(false, true, true)), Standing::Good);
        assert_eq!(standing(marks(false, false, true)), Standing::SwitchedOff);
        assert_eq!(standing(marks(false, true, false)), Standing::SwitchedOff);
        assert_eq!(standing(marks(true, false, true)), Standing::Banned);
    }

    #[test]
    fn a_hundred_wrong_codes_close_the_door_but_throw_nobody_out() {
        let marks = |wrong_codes| Marks { is_banned: false, is_active: true, corp_active: true, wrong_codes };
        assert_eq!(standing_to_enter(marks(WRONG_CODES_MAX - 1)), Standing::Good);
        assert_eq!(standing_to_enter(marks(WRONG_CODES_MAX)), Standing::Locked);
        assert_eq!(standing(marks(WRONG_CODES_MAX)), Standing::Good);
        let banned = Marks { is_banned: true, ..marks(WRONG_CODES_MAX) };
        assert_eq!(standing_to_enter(banned), Standing::Banned);
    }

    #[test]
    fn f2_only_an_email_that_both_sides_verified_links_and_never_to_an_administrator() {
        assert!(may_link_by_email(true, true, UserType::User));
        for (there, here, user_type) in [
            (false, true, UserType::User),
            (true, false, UserType::User),
            (true, true, UserType::Admin),
            (true, true, UserType::SuperAdmin),
        ] {
            assert!(!may_link_by_email(there, here, user_type), "{there} {here} {user_type:?}");
        }
    }

    #[test]
    fn a_link_that_carries_a_sessions_own_pair_signs_nobody_in() {
        let pair = |name: &str| Tokens { access_token: format!("{name} access"), refresh_token: name.into() };
        let sent = VerifyTokenInput { access_token: "mine access".into(), refresh_token: "mine".into() };
        let answer = |tokens| Verified::new(tokens).handed_over(&sent).data.tokens;
        assert!(answer(Some(pair("new"))) == Some(pair("new")));
        assert!(answer(Some(pair("mine"))).is_none());
        assert!(answer(None).is_none());
    }

    #[test]
    fn a_reset_needs_its_link_and_the_same_password_twice() {
        let found = |token: &str, password: &str, again: Option<&str>| {
            let form = ResetInput {
                token: token.into(),
                password: password.into(),
                confirm_password: again.map(str::to_owned),
            };
            errors(form).into_iter().map(|e| e.message).collect::<Vec<_>>()
        };
        assert!(found("t", "secret", Some("secret")).is_empty());
        assert!(found("t", "secret", None).is_empty());
        assert_eq!(found("t", "secret", Some("Secret")), ["Passwords must match"]);
        assert_eq!(found("t", "short", Some("")), ["Minimum length is 6 characters", text::CONFIRM_REQUIRED]);
        assert_eq!(found("", "", None), [text::RESET_LINK_INVALID, "Password is required"]);
    }

    #[test]
    fn a_sign_up_needs_the_person_and_the_organisation() {
        let person = SignupInput {
            first_name: "Ada".into(),
            last_name: "Lind".into(),
            email: "ada@ny.example".into(),
            mobile: "070 123 45 67".into(),
            password: "secret".into(),
            ..Default::default()
        };
        let first = |form: SignupInput| errors(form).first().map(|e| e.message.clone());
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
        assert_eq!(first(both), None);
    }

    #[test]
    fn a_ban_needs_a_reason() {
        assert_eq!(errors(BanInput { reason: "  ".into() })[0].message, "Reason is required");
        assert!(errors(BanInput { reason: "Spam".into() }).is_empty());
    }

    #[test]
    fn a_role_that_contains_admin_goes_to_the_administrators_dashboard() {
        assert_eq!(home_for_role("Super Admin"), "/dashboard/admin");
        assert_eq!(home_for_role("ADMIN"), "/dashboard/admin");
        assert_eq!(home_for_role("User"), "/dashboard");
    }

    #[test]
    fn a_token_is_refreshed_a_minute_before_it_ends() {
        assert_eq!(refresh_in(1_000, 100), 840);
        assert_eq!(refresh_in(1_000, 990), 0);
        assert_eq!(refresh_in(i64::MIN, 5), 0);
    }
}
