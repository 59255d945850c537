//! Doors to one's own account.

use crate::{api, checks, session};
use forecourt_call::{Call, Failure};
use forecourt_core::profile::{self, ChangePasswordInput, Profile, ProfileInput};
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkProfile = check_profile(ProfileInput), "Checks the Edit Profile form.";
    checkChangePassword = check_change_password(ChangePasswordInput), "Checks the Change Password form.";
}

/// The signed-in user.
#[wasm_bindgen(js_name = getProfile)]
pub async fn get_profile() -> Result<Ts<Profile>, Failure> {
    Ok(api::call(&Call::get(profile::DETAIL)).await?.data()?)
}

/// Saves the Edit Profile form, and the picture if there is a new one.
#[wasm_bindgen(js_name = updateProfile)]
pub async fn update_profile(form: Ts<ProfileInput>, picture: Option<Blob>) -> Result<Ts<Profile>, Failure> {
    let form = form.to_rust()?;
    let parts = FormData::new().map_err(|_| Failure::Misused("A form can't be made".to_owned()))?;
    let fields = [
        ("first_name", &form.first_name),
        ("last_name", &form.last_name),
        ("email", &form.email),
        ("mobile", &form.mobile),
        ("currentPassword", &form.current_password),
    ];
    let appended = fields
        .iter()
        .try_for_each(|(name, value)| parts.append_with_str(name, value))
        .and_then(|()| picture.map_or(Ok(()), |picture| parts.append_with_blob(profile::AVATAR_FIELD, &picture)));
    appended.map_err(|_| Failure::Misused("A form can't hold this".to_owned()))?;
    Ok(api::call(&Call::upload(profile::UPDATE, parts)).await?.data()?)
}

/// Changes the password; other devices are signed out.
#[wasm_bindgen(js_name = changePassword)]
pub async fn change_password(form: Ts<ChangePasswordInput>) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::post_as_is(profile::CHANGE_PASSWORD, &form)?).await?.whole()?)
}

/// Deletes the signed-in person's account, and forgets the tokens.
#[wasm_bindgen(js_name = deleteAccount)]
pub async fn delete_account() -> Result<Ts<Done>, Failure> {
    let answer = api::call(&Call::delete(profile::DELETE_ACCOUNT)).await?.whole()?;
    session::clear();
    Ok(answer)
}
