//! Messages about authentication.

pub const PASSWORD_REQUIRED: &str = "Password is required";
pub const INVALID_INPUTS: &str = "Invalid Inputs!";
pub const CODE_NOT_SIX: &str = "Please enter a valid 6-digit OTP code";
pub const DEVICE_REQUIRED: &str = "A device id is required";
pub const TOKEN_REQUIRED: &str = "A refresh token is required";

pub const WRONG_CREDENTIALS: &str = "Invalid email or password";
pub const CODE_SENT: &str = "We sent a verification code to your email";
/// Also sent if there is no pending sign-in, so that the response does not reveal whether an account exists.
pub const CODE_RESENT: &str = "A new code is on its way. If none arrives, please go back and sign in again.";
pub const CODE_WRONG: &str = "Invalid OTP";
pub const CODE_EXPIRED: &str = "This code is no longer valid. Please request a new one.";
pub const LOCKED: &str =
    "This account is locked after too many wrong codes. Reset your password with 'Forgot password?' to sign in again.";
pub const BANNED: &str = "This account is banned from accessing the platform";
pub const ACCOUNT_DISABLED: &str = "This account is deactivated. Contact your administrator.";
pub const SIGNED_IN: &str = "Signed in successfully";
pub const SIGNED_OUT: &str = "Signed out successfully";

pub const LOGIN_FAILED: &str = "Something went wrong while logging in";
pub const LOGOUT_FAILED: &str = "Something went wrong while logging out";
pub const RESEND_FAILED: &str = "Failed to resend OTP";
pub const NO_EMAIL: &str = "No email found";
pub const NO_LOGIN_DATA: &str = "No login data found";

/// Also sent if there is no account, so that the response does not reveal whether an account exists.
pub const RESET_SENT: &str = "If there is an account with this email, we have sent a link to reset the password.";
pub const RESET_DONE: &str = "Your password was changed. Please sign in with the new one.";
pub const RESET_LINK_INVALID: &str = "This link is no longer valid. Please request a new one.";
pub const FORGOT_FAILED: &str = "Failed to send the link. Please try again.";
pub const RESET_FAILED: &str = "Failed to set the new password. Please try again.";
pub const CONFIRM_REQUIRED: &str = "Please repeat the password";
pub const PASSWORDS_MUST_MATCH: &str = "Passwords must match";
pub const PASSWORDS_MATCH: &str = "The passwords match";
pub const ACCESS_TOKEN_REQUIRED: &str = "An access token is required";

pub const FEDERATED_OFF: &str = "Sign-in with an identity provider is not configured.";
pub const FEDERATED_FAILED: &str = "Sign-in with the provider failed. Please try again.";
/// For an e-mail address that has no account, is not verified, or belongs to an administrator who has not connected the
/// provider.
pub const FEDERATED_UNKNOWN: &str = "No matching account found. Sign in with your password. Administrators must first connect the provider in Settings.";
pub const FEDERATED_TAKEN: &str = "This provider account is already connected to another user.";
pub const CONNECTED: &str = "Connected. You can now sign in with it.";
pub const DISCONNECTED: &str = "Disconnected. It can no longer be used to sign in.";
pub const CONNECT_FAILED: &str = "Failed to connect. Please try again.";

pub const SIGNUP_RECEIVED: &str =
    "Thank you. We sent you an email. Open the link in it within 24 hours to confirm your email address.";
pub const EMAIL_CONFIRMED: &str =
    "Your email address is confirmed. A platform administrator will activate your corporation.";
/// For a sign-in with the right password before the sign-up was confirmed.
pub const EMAIL_UNCONFIRMED: &str = "Please confirm your email address first: open the link in the email that we sent you. If the link has expired, register again.";
pub const VERIFY_LINK_INVALID: &str = "This link has expired or has already been used. If your email address is not confirmed yet, please register again.";
pub const VERIFY_EMAIL_TAKEN: &str =
    "An account with this email address already exists. Sign in, or reset your password with 'Forgot password?'.";
pub const VERIFY_NUMBER_TAKEN: &str = "A corporation with this organization number was registered in the meantime. Please ask its administrator for an account.";
pub const VERIFY_FAILED: &str = "Failed to confirm your email address. Please try again.";
pub const SIGNUP_OFF: &str = "Registration is closed. Contact the platform administrator.";

pub const BAN_REASON_REQUIRED: &str = "Reason is required";
pub const BAN_DONE: &str = "User banned. They were signed out everywhere.";
pub const BAN_LIFTED: &str = "The ban was lifted.";
pub const BAN_FAILED: &str = "Failed to ban user";
pub const BAN_LIFT_FAILED: &str = "Failed to lift the ban";
pub const BAN_SELF: &str = "You can't ban yourself.";
pub const LAST_SUPER_ADMIN: &str = "This is the platform's last active Super Admin. Add another one first.";
pub const LAST_ADMIN: &str = "This is the corporation's last active Admin. Add another one first.";
