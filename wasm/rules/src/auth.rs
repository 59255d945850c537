//! Bindings for signing in and out.

use crate::api;
use crate::{checks, session};
use forecourt_call::{ApiRequest, BindingError, read, to_js};
use forecourt_core::auth::{
    self, CodeInput, ForgotInput, LoginInput, ResendInput, ResetInput, SignupInput, Verified, VerifyEmailInput,
    VerifyTokenInput,
};
use forecourt_core::profile::ConnectInput;
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Generates the bindings that post a form without a session. Comments in the list start with `//`,
/// because wasm-bindgen can't print a `///` comment that was an argument of a macro: it adds `r"` to the text.
macro_rules! public_posts {
    ($($js_name:ident = $name:ident($form:ty) -> $promise:literal, $fetch:ident $path:expr;)*) => { $(
        #[wasm_bindgen(js_name = $js_name, unchecked_return_type = $promise)]
        pub fn $name(form: Ts<$form>) -> Promise {
            api::$fetch(ApiRequest::post($path, form))
        }
    )* };
}

checks! {
    checkLogin = check_login(LoginInput);
    checkCode = check_code(CodeInput);
    checkResend = check_resend(ResendInput);
    checkForgot = check_forgot(ForgotInput);
    checkConnect = check_connect(ConnectInput);
    checkReset = check_reset(ResetInput);
}

/// Returns the path of the first page after signing in. `role` is the user type in words (`Super Admin`), as the access
/// token has it.
#[wasm_bindgen(js_name = homeForRole)]
pub fn home_for_role(role: &str) -> String {
    auth::home_for_role(role).to_owned()
}

/// Returns how many seconds after a sign-in code was sent a new one can be requested.
#[wasm_bindgen(js_name = resendAfterSeconds)]
pub fn resend_after_seconds() -> i32 {
    i32::try_from(auth::RESEND_AFTER_SECONDS).unwrap_or(i32::MAX)
}

public_posts! {
    // Signs in with a password. The response requests a code or contains the tokens.
    login = login(LoginInput) -> "Promise<SignIn>", fetch_public_body auth::LOGIN;
    // Signs in with the emailed code.
    verifyOtp = verify_otp(CodeInput) -> "Promise<SignIn>", fetch_public_body auth::VERIFY_OTP;
    resendOtp = resend_otp(ResendInput) -> "Promise<Message>", fetch_public_message auth::RESEND_OTP;
    forgotPassword = forgot_password(ForgotInput) -> "Promise<Message>", fetch_public_message auth::FORGOT_PASSWORD;
    // Sets a new password with the token of a reset link.
    resetPassword = reset_password(ResetInput) -> "Promise<Message>", fetch_public_message auth::RESET_PASSWORD;
    // Stores a sign-up, which the emailed link confirms.
    signup = signup(SignupInput) -> "Promise<Message>", fetch_public_message auth::SIGNUP;
    // Confirms a sign-up with the token of the emailed link.
    verifyEmail = verify_email(VerifyEmailInput) -> "Promise<Message>", fetch_public_message auth::VERIFY_EMAIL;
}

/// Ends the session on the server, and deletes its tokens from the browser. Succeeds also if the session has already
/// ended. After an error, such as an unreachable server, the tokens stay.
#[wasm_bindgen]
pub async fn logout() -> Result<(), BindingError> {
    let response = api::send_authorized(&ApiRequest::post_empty(auth::LOGOUT)).await;
    match response {
        Err(failure) if failure.status() != Some(401) => Err(failure),
        _ => {
            session::clear();
            Ok(())
        }
    }
}

/// Returns the path of the API at which a sign-in with the configured OpenID Connect provider starts.
#[wasm_bindgen(js_name = federatedPath)]
pub fn federated_path() -> String {
    auth::FEDERATED.to_owned()
}

/// Exchanges the one-time values that a sign-in with an OpenID Connect provider has put into the address for tokens.
#[wasm_bindgen(js_name = verifyToken, unchecked_return_type = "Promise<Verified>")]
pub fn verify_token(form: Ts<VerifyTokenInput>) -> Promise {
    let sent = read(&form);
    api::fetch_public_with(ApiRequest::post(auth::VERIFY_TOKEN, form), |response| {
        let response: Verified = response.parse()?;
        Ok(to_js(&response.without_echoed_tokens(&sent?))?.into())
    })
}

/// Requests the address that the browser must open to connect the signed-in user's account with the OpenID Connect
/// provider.
#[wasm_bindgen(js_name = connectProvider, unchecked_return_type = "Promise<Departure>")]
pub fn connect_provider(form: Ts<ConnectInput>) -> Promise {
    api::fetch_data(ApiRequest::post(auth::CONNECT, form))
}

#[wasm_bindgen(js_name = disconnectProvider, unchecked_return_type = "Promise<Message>")]
pub fn disconnect_provider() -> Promise {
    api::fetch_message(ApiRequest::delete(auth::CONNECT))
}
