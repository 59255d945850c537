//! Bindings for the user's own account.

use crate::{api, checks, session};
use forecourt_call::{Call, Coming, Failure, read};
use forecourt_core::profile::{self, ChangePasswordInput, DeleteAccountInput, LanguageInput, Profile, ProfileInput};
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkProfile = check_profile(ProfileInput), "Validates the Edit Profile form.";
    checkChangePassword = check_change_password(ChangePasswordInput), "Validates the Change Password form.";
    checkDeleteAccount = check_delete_account(DeleteAccountInput), "Validates the password that deletes the account.";
}

/// Returns the signed-in user's profile.
#[wasm_bindgen(js_name = getProfile)]
pub fn get_profile() -> Coming<Profile> {
    api::data(Call::get(profile::DETAIL))
}

/// Saves the Edit Profile form, and a new picture if there is one.
#[wasm_bindgen(js_name = updateProfile)]
pub fn update_profile(form: Ts<ProfileInput>, picture: Option<Blob>) -> Coming<Profile> {
    api::data(parts(&form, picture).map(|parts| Call::upload(profile::UPDATE, parts)))
}

fn parts(form: &Ts<ProfileInput>, picture: Option<Blob>) -> Result<FormData, Failure> {
    let form = read(form)?;
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
    Ok(parts)
}

/// Sets the language of the signed-in user's screens.
#[wasm_bindgen(js_name = setLanguage)]
pub fn set_language(form: Ts<LanguageInput>) -> Coming<Done> {
    api::whole(Call::put(profile::LANGUAGE, form))
}

/// Changes the password, and ends the sessions on other devices.
#[wasm_bindgen(js_name = changePassword)]
pub fn change_password(form: Ts<ChangePasswordInput>) -> Coming<Done> {
    api::whole(Call::post(profile::CHANGE_PASSWORD, form))
}

/// Deletes the signed-in user's account and the stored tokens.
#[wasm_bindgen(js_name = deleteAccount)]
pub fn delete_account(form: Ts<DeleteAccountInput>) -> Coming<Done> {
    api::read(Call::delete_with(profile::DELETE_ACCOUNT, form), |answer| {
        let answer = answer.whole()?;
        session::clear();
        Ok(answer)
    })
}
