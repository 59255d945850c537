//! Bindings for corporations and their users.

use crate::{BindingResult, api, checks, to_ts_list};
use forecourt_call::ApiRequest;
use forecourt_core::auth::{self, BanInput};
use forecourt_core::corporations::{
    self, CorporationInput, CorporationUpdateInput, CorporationUserInput, CorporationUserUpdateInput, DeclineInput,
};
use forecourt_core::permissions::UserType;
use forecourt_core::users;
use js_sys::{Object, Promise};
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkBan = check_ban(BanInput);
    checkDecline = check_decline(DeclineInput);
}

/// Returns the user types that the screen of a corporation's users offers.
#[wasm_bindgen(js_name = corporationUserTypes)]
pub fn corporation_user_types() -> BindingResult<Vec<Ts<UserType>>> {
    to_ts_list(&users::assignable_types(UserType::SuperAdmin, false))
}

/// Requests a page of a corporation's users. The fields of `sort` and `filter` are those of the list `users`.
#[wasm_bindgen(js_name = listCorporationUsers, unchecked_return_type = "Promise<CorporationUserList>")]
pub fn list_corporation_users(
    corp_id: String,
    #[wasm_bindgen(unchecked_param_type = "ListParameters & { search?: string }")] query: &Object,
) -> Promise {
    api::fetch_body(ApiRequest::get(corporations::PATH).segment(&corp_id).segment("users").parameters(query))
}

/// Returns true if a user with the permission to ban may ban another user; false if that user is themselves
/// (`is_self`).
#[wasm_bindgen(js_name = mayBan)]
pub fn may_ban(#[wasm_bindgen(js_name = isSelf)] is_self: bool) -> bool {
    auth::check_ban(is_self).is_ok()
}

/// Bans a user: ends all their sessions, and prevents signing in.
#[wasm_bindgen(js_name = banUser, unchecked_return_type = "Promise<Message>")]
pub fn ban_user(id: String, form: Ts<BanInput>) -> Promise {
    api::fetch_message(ApiRequest::post(corporations::USERS, form).segment(&id).segment("ban"))
}

#[wasm_bindgen(js_name = liftBan, unchecked_return_type = "Promise<Message>")]
pub fn lift_ban(id: String) -> Promise {
    api::fetch_message(ApiRequest::delete(corporations::USERS).segment(&id).segment("ban"))
}

/// Returns a corporation with its company record, for editing.
#[wasm_bindgen(js_name = getFullDetails, unchecked_return_type = "Promise<FullDetails>")]
pub fn get_full_details(corp_id: String) -> Promise {
    api::fetch_data(ApiRequest::get(corporations::PATH).segment(&corp_id).segment("full-details"))
}

/// Creates a corporation with its company record, its first role and its first Admin.
#[wasm_bindgen(js_name = createCorporation, unchecked_return_type = "Promise<Corporation>")]
pub fn create_corporation(form: Ts<CorporationInput>) -> Promise {
    api::fetch_data(ApiRequest::post(corporations::REGISTER, form))
}

/// Changes the corporation that the form names.
#[wasm_bindgen(js_name = updateCorporation, unchecked_return_type = "Promise<Corporation>")]
pub fn update_corporation(form: Ts<CorporationUpdateInput>) -> Promise {
    api::fetch_data(ApiRequest::put(corporations::UPDATE, form))
}

/// Deletes a corporation that waits for approval, and mails the applicant that the sign-up was declined.
#[wasm_bindgen(js_name = declineCorporation, unchecked_return_type = "Promise<Message>")]
pub fn decline_corporation(id: String, form: Ts<DeclineInput>) -> Promise {
    api::fetch_message(ApiRequest::post(corporations::PATH, form).segment(&id).segment("decline"))
}

/// Returns the resources that a corporation can be allowed to use.
#[wasm_bindgen(js_name = listCorporationResources, unchecked_return_type = "Promise<CorporationResource[]>")]
pub fn list_corporation_resources() -> Promise {
    api::fetch_data(ApiRequest::get(corporations::RESOURCES))
}

/// Returns, of the resources that a corporation can be allowed to use, those that are available to the signed-in user
/// (those of the corporation, for a Super Admin all), the others, and whom to ask for those.
#[wasm_bindgen(js_name = getAllowedResources, unchecked_return_type = "Promise<AllowedResources>")]
pub fn get_allowed_resources() -> Promise {
    api::fetch_body(ApiRequest::get(corporations::ALLOWED_RESOURCES))
}

#[wasm_bindgen(js_name = listCorporationRoles, unchecked_return_type = "Promise<Role[]>")]
pub fn list_corporation_roles(corp_id: String) -> Promise {
    api::fetch_data(ApiRequest::get(corporations::PATH).segment(&corp_id).segment("roles"))
}

#[wasm_bindgen(js_name = createCorporationUser, unchecked_return_type = "Promise<Message>")]
pub fn create_corporation_user(form: Ts<CorporationUserInput>) -> Promise {
    api::fetch_message(ApiRequest::post(corporations::USERS, form))
}

/// Changes a user of a corporation: all fields of the form, or only whether the user is active.
#[wasm_bindgen(js_name = updateCorporationUser, unchecked_return_type = "Promise<Message>")]
pub fn update_corporation_user(id: String, form: Ts<CorporationUserUpdateInput>) -> Promise {
    api::fetch_message(ApiRequest::put(corporations::USERS, form).segment(&id))
}
