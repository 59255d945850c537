//! The sentences of signing in (specification sections 5 and 8).

pub const PASSWORD_REQUIRED: &str = "Password is required";
pub const INVALID_INPUTS: &str = "Invalid Inputs!";
pub const CODE_NOT_SIX: &str = "Please enter a valid 6-digit OTP code";
pub const DEVICE_REQUIRED: &str = "A device id is required";
pub const TOKEN_REQUIRED: &str = "A refresh token is required";

pub const WRONG_CREDENTIALS: &str = "Invalid email or password";
pub const CODE_SENT: &str = "We sent a verification code to your email";
/// True for everybody, also where no code was sent because nobody is signing in there.
pub const CODE_RESENT: &str = "A new code is on its way. If none arrives, please go back and sign in again.";
pub const CODE_WRONG: &str = "Invalid OTP";
pub const CODE_EXPIRED: &str = "This code is no longer valid. Please request a new one.";
pub const BANNED: &str = "This account is banned from accessing the platform";
pub const SWITCHED_OFF: &str = "This account is switched off. Please ask an administrator.";
pub const SIGNED_IN: &str = "Signed in successfully";
pub const SIGNED_OUT: &str = "Signed out successfully";

pub const LOGIN_FAILED: &str = "Something went wrong while logging in";
pub const LOGOUT_FAILED: &str = "Something went wrong while logging out";
pub const RESEND_FAILED: &str = "Failed to resend OTP";
pub const NO_EMAIL: &str = "No email found";
pub const NO_LOGIN_DATA: &str = "No login data found";
