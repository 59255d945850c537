//! Doors to signing in and out.

use crate::api;
use crate::{checks, session};
use forecourt_call::{Call, Failure};
use forecourt_core::auth::{self, CodeInput, LoginInput, Profile, ResendInput, SignIn};
use forecourt_core::reply::{Done, Reply};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

checks! {
    checkLogin = check_login(LoginInput), "Checks the login form.";
    checkCode = check_code(CodeInput), "Checks the code page.";
    checkResend = check_resend(ResendInput), "Checks the request for a new code.";
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
pub async fn login(form: Ts<LoginInput>) -> Result<Ts<SignIn>, Failure> {
    let answer: SignIn = api::open_call(&Call::post(auth::LOGIN, &form.to_rust()?)?).await?.read()?;
    Ok(answer.into_ts()?)
}

/// Signs in with the mailed code.
#[wasm_bindgen(js_name = verifyOtp)]
pub async fn verify_otp(form: Ts<CodeInput>) -> Result<Ts<SignIn>, Failure> {
    let answer: SignIn = api::open_call(&Call::post(auth::VERIFY_OTP, &form.to_rust()?)?).await?.read()?;
    Ok(answer.into_ts()?)
}

/// Asks for a new code.
#[wasm_bindgen(js_name = resendOtp)]
pub async fn resend_otp(form: Ts<ResendInput>) -> Result<Ts<Done>, Failure> {
    let answer: Done = api::open_call(&Call::post(auth::RESEND_OTP, &form.to_rust()?)?).await?.read()?;
    Ok(answer.into_ts()?)
}

/// Ends the session on the server and forgets its tokens. A session that was over already is no failure.
#[wasm_bindgen]
pub async fn logout() -> Result<(), Failure> {
    let answer = api::call(&Call::post_bare(auth::LOGOUT)).await;
    match answer {
        Err(problem) if problem.status != 401 => Err(problem.into()),
        _ => {
            session::clear();
            Ok(())
        }
    }
}

/// The signed-in user.
#[wasm_bindgen(js_name = getProfile)]
pub async fn get_profile() -> Result<Ts<Profile>, Failure> {
    let reply: Reply<Profile> = api::call(&Call::get(auth::PROFILE)).await?.read()?;
    Ok(reply.data.into_ts()?)
}
