use crate::access::route::{Who, delete, get, handler, post};
use crate::features::Route;
use crate::platform::limits;
use Who::{Public, Session};

pub const ROUTES: &[Route] = &[
    post("/api/auth/login", Public, handler!(super::login, "Signs in with a password or mails a code"))
        .limit(limits::LOGIN_ADDRESS)
        .errors(&[401, 403]),
    post("/api/auth/verify-otp", Public, handler!(super::verify_otp, "Completes a sign-in with the mailed code"))
        .limit(limits::CODE_ADDRESS)
        .errors(&[401, 403]),
    post("/api/auth/resend-otp", Public, handler!(super::resend_otp, "Mails another code")).limit(limits::CODE_ADDRESS),
    post("/api/auth/forgot-password", Public, handler!(super::resets::forgot, "Mails a link to reset the password"))
        .limit(limits::FORGOT_ADDRESS),
    post("/api/auth/reset-password", Public, handler!(super::resets::reset, "Resets the password with a mailed link"))
        .limit(limits::RESET_ADDRESS),
    post("/api/auth/refresh-token", Public, handler!(super::refresh_token, "Exchanges a refresh token for new tokens"))
        .limit(limits::REFRESH_ADDRESS)
        .errors(&[401]),
    post(
        "/api/auth/verify-token",
        Public,
        handler!(super::login_exchange::verify_token, "Exchanges one-time values for tokens"),
    )
    .limit(limits::EXCHANGE_ADDRESS)
    .errors(&[401, 403]),
    get("/api/auth/google", Public, handler!(super::oidc::redirect_to_provider, "Redirects to the identity provider"))
        .limit(limits::OIDC_ADDRESS),
    get(
        "/api/auth/google/callback",
        Public,
        handler!(super::oidc::callback, "Receives the identity provider's redirect"),
    )
    .limit(limits::OIDC_ADDRESS),
    post(
        "/api/auth/google/connect",
        Session,
        handler!(super::oidc::connect, "Starts to connect the identity provider"),
    )
    .errors(&[409, 429]),
    delete("/api/auth/google/connect", Session, handler!(super::oidc::disconnect, "Disconnects the identity provider")),
    post("/api/auth/logout", Session, handler!(super::logout, "Ends the session")),
    get("/api/rbac/user-permissions", Session, handler!(super::user_permissions, "Lists the user's permissions")),
];
