//! Messages about authentication.

use crate::message::messages;

messages! {
    "auth.";
    PASSWORD_REQUIRED = "Password is required";
    CODE_NOT_SIX = "Please enter a valid 6-digit OTP code";
    DEVICE_REQUIRED = "A device id is required";
    TOKEN_REQUIRED = "A refresh token is required";

    WRONG_CREDENTIALS = "Invalid email or password";
    CODE_SENT = "We sent a verification code to your email";
    /// Also sent if there is no pending sign-in, so that the response does not reveal whether an account exists.
    CODE_RESENT = "A new code is on its way. If none arrives, please go back and sign in again.";
    CODE_WRONG = "Invalid OTP";
    CODE_EXPIRED = "This code is no longer valid. Please request a new one.";
    LOCKED = "This account is locked after too many wrong codes. Reset your password with 'Forgot password?' to sign in again.";
    BANNED = "This account is banned from accessing the platform";
    ACCOUNT_DISABLED = "This account is deactivated. Contact your administrator.";
    CORPORATION_DISABLED = "Your corporation is deactivated. Contact the platform's administrator.";
    AWAITS_APPROVAL = "Your corporation is waiting for approval. You can sign in once a platform administrator has activated it.";
    SIGNED_IN = "Signed in successfully";
    SIGNED_OUT = "Signed out successfully";

    /// Also sent if there is no account, so that the response does not reveal whether an account exists.
    RESET_SENT = "If there is an account with this email, we have sent a link to reset the password.";
    RESET_DONE = "Your password was changed. Please sign in with the new one.";
    RESET_LINK_INVALID = "This link is no longer valid. Please request a new one.";
    CONFIRM_REQUIRED = "Please repeat the password";
    PASSWORDS_MUST_MATCH = "Passwords must match";
    ACCESS_TOKEN_REQUIRED = "An access token is required";

    FEDERATED_OFF = "Sign-in with an identity provider is not configured.";
    DISCONNECTED = "Disconnected. It can no longer be used to sign in.";
    CONNECT_FAILED = "Failed to connect. Please try again.";

    SIGNUP_RECEIVED = "Thank you. We sent you an email. Open the link in it within 24 hours to confirm your email address.";
    EMAIL_CONFIRMED = "Your email address is confirmed. A platform administrator will activate your corporation. We will email you when you can sign in.";
    /// For a sign-in with the right password before the sign-up was confirmed.
    EMAIL_UNCONFIRMED = "Please confirm your email address first: open the link in the email that we sent you. If the link has expired, register again.";
    VERIFY_LINK_INVALID = "This link has expired or has already been used. If your email address is not confirmed yet, please register again.";
    VERIFY_EMAIL_TAKEN = "An account with this email address already exists. Sign in, or reset your password with 'Forgot password?'.";
    VERIFY_NUMBER_TAKEN = "A corporation with this organization number was registered in the meantime. Please ask its administrator for an account.";
    SIGNUP_OFF = "Registration is closed. Contact the platform administrator.";

    BAN_REASON_REQUIRED = "Reason is required";
    BAN_DONE = "User banned. They were signed out everywhere.";
    BAN_LIFTED = "The ban was lifted.";
    BAN_SELF = "You can't ban yourself.";
    LAST_SUPER_ADMIN = "This is the platform's last active Super Admin. Add another one first.";
    LAST_ADMIN = "This is the corporation's last active Admin. Add another one first.";
}
