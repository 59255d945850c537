//! The routes of auth.

use crate::access::route::{Who, delete, get, handler, post};
use crate::features::Route;
use crate::platform::limits;
use Who::{Public, Session};

pub const ROUTES: &[Route] = &[
    post("/api/auth/login", Public, handler!(super::login, "Signs in with a password; a new device is mailed a code"))
        .limit(limits::LOGIN_ADDRESS)
        .errors(&[401, 403]),
    post("/api/auth/verify-otp", Public, handler!(super::verify_otp, "Ends a sign-in with the mailed code"))
        .limit(limits::CODE_ADDRESS)
        .errors(&[401, 403]),
    post("/api/auth/resend-otp", Public, handler!(super::resend_otp, "Mails another code")).limit(limits::CODE_ADDRESS),
    post("/api/auth/forgot-password", Public, handler!(super::resets::forgot, "Mails a link to set a new password"))
        .limit(limits::FORGOT_ADDRESS),
    post("/api/auth/reset-password", Public, handler!(super::resets::reset, "Sets a new password with a mailed link"))
        .limit(limits::RESET_ADDRESS),
    post("/api/auth/refresh-token", Public, handler!(super::refresh_token, "Changes a refresh token for new tokens"))
        .limit(limits::REFRESH_ADDRESS)
        .errors(&[401]),
    post(
        "/api/auth/verify-token",
        Public,
        handler!(super::handoffs::verify_token, "Changes a callback's one-time values for tokens"),
    )
    .limit(limits::EXCHANGE_ADDRESS)
    .errors(&[401, 403]),
    get("/api/auth/google", Public, handler!(super::oidc::leave, "Sends the browser to the provider"))
        .limit(limits::OIDC_ADDRESS),
    get(
        "/api/auth/google/callback",
        Public,
        handler!(super::oidc::callback, "Takes the browser back from the provider"),
    )
    .limit(limits::OIDC_ADDRESS),
    post(
        "/api/auth/google/connect",
        Session,
        handler!(super::oidc::connect, "Begins to connect one's account with the provider"),
    )
    .errors(&[409, 429]),
    delete("/api/auth/google/connect", Session, handler!(super::oidc::disconnect, "Ends that connection")),
    post("/api/auth/logout", Session, handler!(super::logout, "Ends one's session")),
    get("/api/rbac/user-permissions", Session, handler!(super::user_permissions, "Lists what one may do")),
];
