//! Doors to signing in and out.

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
    checkLogin = check_login(LoginInput), "Checks the login form.";
    checkCode = check_code(CodeInput), "Checks the code page.";
    checkResend = check_resend(ResendInput), "Checks the request for a new code.";
    checkForgot = check_forgot(ForgotInput), "Checks the request for a reset link.";
    checkConnect = check_connect(ConnectInput), "Checks the password that connects the account with a provider.";
    checkReset = check_reset(ResetInput), "Checks the form that chooses a new password with a reset link.";
}

/// Where a person of this role goes after signing in.
#[wasm_bindgen(js_name = homeForRole)]
pub fn home_for_role(role: &str) -> String {
    auth::home_for_role(role).to_owned()
}

/// In how many seconds a new code can be asked for.
#[wasm_bindgen(js_name = resendAfterSeconds)]
pub fn resend_after_seconds() -> i32 {
    i32::try_from(auth::RESEND_AFTER_SECONDS).unwrap_or(i32::MAX)
}

/// Signs in with a password: either a code is asked for, or the tokens are there.
#[wasm_bindgen]
pub fn login(form: Ts<LoginInput>) -> Coming<SignIn> {
    api::open(Call::post(auth::LOGIN, form))
}

/// Signs in with the mailed code.
#[wasm_bindgen(js_name = verifyOtp)]
pub fn verify_otp(form: Ts<CodeInput>) -> Coming<SignIn> {
    api::open(Call::post(auth::VERIFY_OTP, form))
}

/// Asks for a new code.
#[wasm_bindgen(js_name = resendOtp)]
pub fn resend_otp(form: Ts<ResendInput>) -> Coming<Done> {
    api::open(Call::post(auth::RESEND_OTP, form))
}

/// Ends the session on the server and forgets its tokens. A session that was over already is no failure.
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

/// Asks for a link to choose a new password.
#[wasm_bindgen(js_name = forgotPassword)]
pub fn forgot_password(form: Ts<ForgotInput>) -> Coming<Done> {
    api::open(Call::post(auth::FORGOT_PASSWORD, form))
}

/// Chooses a new password with the link's token.
#[wasm_bindgen(js_name = resetPassword)]
pub fn reset_password(form: Ts<ResetInput>) -> Coming<Done> {
    api::open(Call::post(auth::RESET_PASSWORD, form))
}

/// Confirms a sign-up with the token of its mail's link.
#[wasm_bindgen(js_name = verifyEmail)]
pub fn verify_email(form: Ts<VerifyEmailInput>) -> Coming<Done> {
    api::open(Call::post(auth::VERIFY_EMAIL, form))
}

/// Where a browser goes to sign in with the configured provider.
#[wasm_bindgen(js_name = federatedPath)]
pub fn federated_path() -> String {
    auth::FEDERATED.to_owned()
}

/// Changes the one-time values of a federated sign-in for the tokens.
#[wasm_bindgen(js_name = verifyToken)]
pub fn verify_token(form: Ts<VerifyTokenInput>) -> Coming<Verified> {
    let sent = read(&form);
    api::read_open(Call::post(auth::VERIFY_TOKEN, form), |answer| {
        let answer: Verified = answer.read()?;
        Ok(give(&answer.without_echoed_tokens(&sent?))?.into())
    })
}

/// Where to go to connect the signed-in person with the provider.
#[wasm_bindgen(js_name = connectProvider)]
pub fn connect_provider(form: Ts<ConnectInput>) -> Coming<Departure> {
    api::data(Call::post(auth::CONNECT, form))
}

/// Forgets who the signed-in person is at the provider.
#[wasm_bindgen(js_name = disconnectProvider)]
pub fn disconnect_provider() -> Coming<Done> {
    api::whole(Call::delete(auth::CONNECT))
}
