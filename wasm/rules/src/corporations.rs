//! Bindings for corporations and their users.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Coming, ComingList, read};
use forecourt_core::auth::{self, BanInput};
use forecourt_core::corporations::{
    self, AllowedResources, Corporation, CorporationInput, CorporationList, CorporationQuery, CorporationResource,
    CorporationUpdateInput, CorporationUserInput, CorporationUserList, CorporationUserUpdateInput, FullDetails,
};
use forecourt_core::permissions::UserType;
use forecourt_core::reply::Done;
use forecourt_core::roles::Role;
use forecourt_core::users;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkBan = check_ban(BanInput), "Validates the reason of a ban.";
    checkCorporation = check_corporation(CorporationInput), "Validates the registration of a corporation.";
    checkCorporationUpdate = check_corporation_update(CorporationUpdateInput), "Validates a corporation's change.";
    checkCorporationUser = check_corporation_user(CorporationUserInput), "Validates a new user of a corporation.";
    checkCorporationUserUpdate = check_corporation_user_update(CorporationUserUpdateInput),
        "Validates a change of a corporation's user; a blank password keeps the current one.";
}

/// Returns the user types that the screen of a corporation's users offers.
#[wasm_bindgen(js_name = corporationUserTypes)]
pub fn corporation_user_types() -> Door<Vec<Ts<UserType>>> {
    list(&users::assignable_types(UserType::SuperAdmin, false))
}

/// Returns the number of corporations per page of the screen.
#[wasm_bindgen(js_name = corporationsPageSize)]
pub fn corporations_page_size() -> u32 {
    corporations::SCREEN_PAGE_SIZE
}

/// Returns a page of corporations. `signal` aborts the request.
#[wasm_bindgen(js_name = listCorporations)]
pub fn list_corporations(query: Ts<CorporationQuery>, signal: Option<AbortSignal>) -> Coming<CorporationList> {
    api::whole(read(&query).map(|query| {
        let call = Call::get(corporations::PATH).page(query.page, query.limit);
        call.query("search", &query.search).until(signal)
    }))
}

/// Returns a corporation.
#[wasm_bindgen(js_name = getCorporation)]
pub fn get_corporation(corp_id: String) -> Coming<Corporation> {
    api::data(Call::get(corporations::PATH).under(&corp_id))
}

/// Returns the users of a corporation.
#[wasm_bindgen(js_name = listCorporationUsers)]
pub fn list_corporation_users(corp_id: String) -> Coming<CorporationUserList> {
    api::whole(Call::get(corporations::PATH).under(&corp_id).under("users"))
}

/// Returns whether a user with the permission to ban may ban this user. Users can't ban themselves.
#[wasm_bindgen(js_name = mayBan)]
pub fn may_ban(#[wasm_bindgen(js_name = isSelf)] is_self: bool) -> bool {
    auth::check_ban(is_self).is_ok()
}

/// Returns whether a user who may edit this user may also deactivate it. Users can't deactivate themselves.
#[wasm_bindgen(js_name = mayDeactivate)]
pub fn may_deactivate(#[wasm_bindgen(js_name = isSelf)] is_self: bool) -> bool {
    users::check_user_deactivation(is_self).is_ok()
}

/// Bans a user: ends all their sessions, and prevents signing in.
#[wasm_bindgen(js_name = banUser)]
pub fn ban_user(id: String, form: Ts<BanInput>) -> Coming<Done> {
    let call = Call::post(corporations::USERS, form).under(&id).under("ban");
    api::whole(call)
}

/// Lifts a user's ban.
#[wasm_bindgen(js_name = liftBan)]
pub fn lift_ban(id: String) -> Coming<Done> {
    let call = Call::delete(corporations::USERS).under(&id).under("ban");
    api::whole(call)
}

/// Returns a corporation with its company record, for editing.
#[wasm_bindgen(js_name = getFullDetails)]
pub fn get_full_details(corp_id: String) -> Coming<FullDetails> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("full-details");
    api::data(call)
}

/// Creates a corporation with its company record, its first role and its Admin.
#[wasm_bindgen(js_name = createCorporation)]
pub fn create_corporation(form: Ts<CorporationInput>) -> Coming<Corporation> {
    api::data(Call::post(corporations::REGISTER, form))
}

/// Changes the corporation that the form names.
#[wasm_bindgen(js_name = updateCorporation)]
pub fn update_corporation(form: Ts<CorporationUpdateInput>) -> Coming<Corporation> {
    api::data(Call::put(corporations::UPDATE, form))
}

/// Deletes a corporation with all its data.
#[wasm_bindgen(js_name = deleteCorporation)]
pub fn delete_corporation(corp_id: String) -> Coming<Done> {
    api::whole(Call::delete(corporations::PATH).under(&corp_id))
}

/// Returns the resources that a corporation can be allowed to use.
#[wasm_bindgen(js_name = listCorporationResources)]
pub fn list_corporation_resources() -> ComingList<CorporationResource> {
    api::list(Call::get(corporations::RESOURCES))
}

/// Returns the resources that the user's own corporation may use, and the contact person for more.
#[wasm_bindgen(js_name = getAllowedResources)]
pub fn get_allowed_resources() -> Coming<AllowedResources> {
    api::whole(Call::get(corporations::ALLOWED_RESOURCES))
}

/// Returns the roles of a corporation.
#[wasm_bindgen(js_name = listCorporationRoles)]
pub fn list_corporation_roles(corp_id: String) -> ComingList<Role> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("roles");
    api::list(call)
}

/// Creates a user of a corporation.
#[wasm_bindgen(js_name = createCorporationUser)]
pub fn create_corporation_user(form: Ts<CorporationUserInput>) -> Coming<Done> {
    api::whole(Call::post(corporations::USERS, form))
}

/// Changes a user of a corporation, or only its active flag.
#[wasm_bindgen(js_name = updateCorporationUser)]
pub fn update_corporation_user(id: String, form: Ts<CorporationUserUpdateInput>) -> Coming<Done> {
    let call = Call::put(corporations::USERS, form).under(&id);
    api::whole(call)
}
