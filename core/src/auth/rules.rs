//! What must hold when a person signs in (specification sections 5 and 9, decisions 2).

use super::{CodeInput, LoginInput, RefreshInput, ResendInput, text};
use crate::form::{Form, Sheet, trim};
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
/// The client refreshes this long before the access token ends.
pub const REFRESH_BEFORE_EXPIRY_SECONDS: i64 = 60;
/// A new code can be asked for at the earliest after this.
pub const RESEND_AFTER_SECONDS: i64 = 30;

const EMAIL_MAX: u64 = 254;
/// The longest password.
pub const PASSWORD_MAX: u64 = 256;
const DEVICE_MAX: u64 = 200;

fn device(sheet: &mut Sheet, id: &str) {
    sheet.field("deviceId", id).required(text::DEVICE_REQUIRED).max(DEVICE_MAX);
}

fn email(sheet: &mut Sheet, value: &str) {
    sheet.field("email", value).required(EMAIL_INVALID).max(EMAIL_MAX).email(EMAIL_INVALID);
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
        sheet.field("refreshToken", &self.refresh_token).required(text::TOKEN_REQUIRED).max(PASSWORD_MAX);
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
}

/// Asked at every sign-in, refresh and call.
pub fn standing(is_banned: bool, is_active: bool, corp_active: bool) -> Standing {
    match (is_banned, is_active && corp_active) {
        (true, _) => Standing::Banned,
        (false, false) => Standing::SwitchedOff,
        (false, true) => Standing::Good,
    }
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
    use crate::form::errors;

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
        assert_eq!(standing(false, true, true), Standing::Good);
        assert_eq!(standing(false, false, true), Standing::SwitchedOff);
        assert_eq!(standing(false, true, false), Standing::SwitchedOff);
        assert_eq!(standing(true, false, true), Standing::Banned);
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
