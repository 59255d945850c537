//! Bindings for signing in and out.

use crate::api;
use crate::{checks, session};
use forecourt_call::{Call, Coming, Failure, give, read};
use forecourt_core::auth::{
    self, CodeInput, Departure, ForgotInput, LoginInput, ResendInput, ResetInput, SignIn, Verified, VerifyEmailInput,
    VerifyTokenInput,
};
use forecourt_core::profile::ConnectInput;
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkLogin = check_login(LoginInput), "Validates the login form.";
    checkCode = check_code(CodeInput), "Validates the code form.";
    checkResend = check_resend(ResendInput), "Validates the request for a new code.";
    checkForgot = check_forgot(ForgotInput), "Validates the request for a reset link.";
    checkConnect = check_connect(ConnectInput), "Validates the password that connects the account with a provider.";
    checkReset = check_reset(ResetInput), "Validates the form that sets a new password with a reset link.";
}

/// Returns the route that a user of this role sees after signing in.
#[wasm_bindgen(js_name = homeForRole)]
pub fn home_for_role(role: &str) -> String {
    auth::home_for_role(role).to_owned()
}

/// Returns the number of seconds until a new code can be requested.
#[wasm_bindgen(js_name = resendAfterSeconds)]
pub fn resend_after_seconds() -> i32 {
    i32::try_from(auth::RESEND_AFTER_SECONDS).unwrap_or(i32::MAX)
}

/// Signs in with a password. The response requests a code or contains the tokens.
#[wasm_bindgen]
pub fn login(form: Ts<LoginInput>) -> Coming<SignIn> {
    api::open(Call::post(auth::LOGIN, form))
}

/// Signs in with the emailed code.
#[wasm_bindgen(js_name = verifyOtp)]
pub fn verify_otp(form: Ts<CodeInput>) -> Coming<SignIn> {
    api::open(Call::post(auth::VERIFY_OTP, form))
}

/// Requests a new code.
#[wasm_bindgen(js_name = resendOtp)]
pub fn resend_otp(form: Ts<ResendInput>) -> Coming<Done> {
    api::open(Call::post(auth::RESEND_OTP, form))
}

/// Ends the session on the server and deletes its tokens. A session that has already ended is not an error.
#[wasm_bindgen]
pub async fn logout() -> Result<(), Failure> {
    let answer = api::call(&Call::post_bare(auth::LOGOUT)).await;
    match answer {
        Err(failure) if failure.status() != Some(401) => Err(failure),
        _ => {
            session::clear();
            Ok(())
        }
    }
}

/// Requests a link to set a new password.
#[wasm_bindgen(js_name = forgotPassword)]
pub fn forgot_password(form: Ts<ForgotInput>) -> Coming<Done> {
    api::open(Call::post(auth::FORGOT_PASSWORD, form))
}

/// Sets a new password with the token of a reset link.
#[wasm_bindgen(js_name = resetPassword)]
pub fn reset_password(form: Ts<ResetInput>) -> Coming<Done> {
    api::open(Call::post(auth::RESET_PASSWORD, form))
}

/// Confirms a sign-up with the token of the emailed link.
#[wasm_bindgen(js_name = verifyEmail)]
pub fn verify_email(form: Ts<VerifyEmailInput>) -> Coming<Done> {
    api::open(Call::post(auth::VERIFY_EMAIL, form))
}

/// Returns the address that starts a sign-in with the configured provider.
#[wasm_bindgen(js_name = federatedPath)]
pub fn federated_path() -> String {
    auth::FEDERATED.to_owned()
}

/// Exchanges the one-time values of a federated sign-in for tokens.
#[wasm_bindgen(js_name = verifyToken)]
pub fn verify_token(form: Ts<VerifyTokenInput>) -> Coming<Verified> {
    let sent = read(&form);
    api::read_open(Call::post(auth::VERIFY_TOKEN, form), |answer| {
        let answer: Verified = answer.read()?;
        Ok(give(&answer.without_echoed_tokens(&sent?))?.into())
    })
}

/// Returns the address that connects the signed-in user's account with the provider.
#[wasm_bindgen(js_name = connectProvider)]
pub fn connect_provider(form: Ts<ConnectInput>) -> Coming<Departure> {
    api::data(Call::post(auth::CONNECT, form))
}

/// Disconnects the signed-in user's account from the provider.
#[wasm_bindgen(js_name = disconnectProvider)]
pub fn disconnect_provider() -> Coming<Done> {
    api::whole(Call::delete(auth::CONNECT))
}
