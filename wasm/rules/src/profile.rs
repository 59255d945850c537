//! Bindings for the user's own account.

use crate::{api, checks, session};
use forecourt_call::{ApiRequest, BindingError, read};
use forecourt_core::profile::{self, ChangePasswordInput, DeleteAccountInput, LanguageInput, ProfileInput};
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FormData};

checks! {
    checkProfile = check_profile(ProfileInput);
    checkChangePassword = check_change_password(ChangePasswordInput);
    checkDeleteAccount = check_delete_account(DeleteAccountInput);
}

#[wasm_bindgen(js_name = getProfile, unchecked_return_type = "Promise<Profile>")]
pub fn get_profile() -> Promise {
    api::fetch_data(ApiRequest::get(profile::DETAIL))
}

/// Saves the form "Edit Profile" of the signed-in user, with a new picture if one was chosen.
#[wasm_bindgen(js_name = updateProfile, unchecked_return_type = "Promise<Profile>")]
pub fn update_profile(form: Ts<ProfileInput>, picture: Option<Blob>) -> Promise {
    api::fetch_data(profile_form_data(&form, picture).map(|form_data| ApiRequest::upload(profile::UPDATE, form_data)))
}

fn profile_form_data(form: &Ts<ProfileInput>, picture: Option<Blob>) -> Result<FormData, BindingError> {
    let form = read(form)?;
    let form_data =
        FormData::new().map_err(|_| BindingError::InvalidArgument("The form data can't be created".to_owned()))?;
    let version = form.version.map(|version| version.to_string());
    let fields = [
        ("first_name", &form.first_name),
        ("last_name", &form.last_name),
        ("email", &form.email),
        ("mobile", &form.mobile),
        ("currentPassword", form.current_password.expose_secret()),
    ];
    let appended = fields
        .into_iter()
        .chain(version.as_ref().map(|version| ("version", version)))
        .try_for_each(|(name, value)| form_data.append_with_str(name, value))
        .and_then(|()| picture.map_or(Ok(()), |picture| form_data.append_with_blob(profile::AVATAR_FIELD, &picture)));
    appended.map_err(|_| BindingError::InvalidArgument("The form data can't contain this value".to_owned()))?;
    Ok(form_data)
}

/// Sets the language of the signed-in user's screens.
#[wasm_bindgen(js_name = setLanguage, unchecked_return_type = "Promise<Message>")]
pub fn set_language(form: Ts<LanguageInput>) -> Promise {
    api::fetch_message(ApiRequest::put(profile::LANGUAGE, form))
}

/// Changes the signed-in user's password, and ends their sessions on other devices.
#[wasm_bindgen(js_name = changePassword, unchecked_return_type = "Promise<Message>")]
pub fn change_password(form: Ts<ChangePasswordInput>) -> Promise {
    api::fetch_message(ApiRequest::post(profile::CHANGE_PASSWORD, form))
}

/// Deletes the signed-in user's account, and the tokens in this browser.
#[wasm_bindgen(js_name = deleteAccount, unchecked_return_type = "Promise<Message>")]
pub fn delete_account(form: Ts<DeleteAccountInput>) -> Promise {
    api::fetch_with(ApiRequest::delete_with_body(profile::DELETE_ACCOUNT, form), |response| {
        let message = response.into_message()?;
        session::clear();
        Ok(message)
    })
}
