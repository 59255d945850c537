//! Doors to corporations and their users.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Failure};
use forecourt_core::auth::BanInput;
use forecourt_core::corporations::{
    self, AllowedResources, Corporation, CorporationInput, CorporationList, CorporationQuery, CorporationResource,
    CorporationUpdateInput, CorporationUser, CorporationUserInput, CorporationUserUpdateInput, FullDetails,
};
use forecourt_core::permissions::UserType;
use forecourt_core::reply::Done;
use forecourt_core::roles::Role;
use forecourt_core::users;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkBan = check_ban(BanInput), "Checks the reason of a ban.";
    checkCorporation = check_corporation(CorporationInput), "Checks the registration of a corporation.";
    checkCorporationUpdate = check_corporation_update(CorporationUpdateInput), "Checks a corporation's change.";
    checkCorporationUser = check_corporation_user(CorporationUserInput), "Checks a new user of a corporation.";
    checkCorporationUserUpdate = check_corporation_user_update(CorporationUserUpdateInput),
        "Checks a change of a corporation's user; a blank password keeps the one there is.";
}

/// The types that the screen of a corporation's users offers.
#[wasm_bindgen(js_name = corporationUserTypes)]
pub fn corporation_user_types() -> Door<Vec<Ts<UserType>>> {
    list(&users::types_to_give(UserType::SuperAdmin, false))
}

/// How many corporations stand on a page of the screen.
#[wasm_bindgen(js_name = corporationsPageSize)]
pub fn corporations_page_size() -> u32 {
    corporations::SCREEN_PAGE_SIZE
}

/// A page of corporations; the signal breaks the question off.
#[wasm_bindgen(js_name = listCorporations)]
pub async fn list_corporations(
    query: Ts<CorporationQuery>,
    signal: Option<AbortSignal>,
) -> Result<Ts<CorporationList>, Failure> {
    let query = query.to_rust()?;
    let call = Call::get(corporations::PATH)
        .query("page", &query.page.to_string())
        .query("limit", &query.limit.to_string())
        .query("search", &query.search);
    Ok(api::call(&call.until(signal)).await?.whole()?)
}

/// One corporation.
#[wasm_bindgen(js_name = getCorporation)]
pub async fn get_corporation(corp_id: String) -> Result<Ts<Corporation>, Failure> {
    Ok(api::call(&Call::get(corporations::PATH).under(&corp_id)).await?.data()?)
}

/// The users of a corporation.
#[wasm_bindgen(js_name = listCorporationUsers)]
pub async fn list_corporation_users(corp_id: String) -> Result<Vec<Ts<CorporationUser>>, Failure> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("users");
    Ok(api::call(&call).await?.list()?)
}

/// Bans a user: they are signed out everywhere, and can't sign in.
#[wasm_bindgen(js_name = banUser)]
pub async fn ban_user(id: String, form: Ts<BanInput>) -> Result<Ts<Done>, Failure> {
    let call = Call::post_as_is(corporations::USERS, &form)?.under(&id).under("ban");
    Ok(api::call(&call).await?.whole()?)
}

/// Lifts a user's ban.
#[wasm_bindgen(js_name = liftBan)]
pub async fn lift_ban(id: String) -> Result<Ts<Done>, Failure> {
    let call = Call::delete(corporations::USERS).under(&id).under("ban");
    Ok(api::call(&call).await?.whole()?)
}

/// A corporation with its company record, for editing.
#[wasm_bindgen(js_name = getFullDetails)]
pub async fn get_full_details(corp_id: String) -> Result<Ts<FullDetails>, Failure> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("full-details");
    Ok(api::call(&call).await?.data()?)
}

/// Makes a corporation with its company record, its first role and its Admin.
#[wasm_bindgen(js_name = createCorporation)]
pub async fn create_corporation(form: Ts<CorporationInput>) -> Result<Ts<Corporation>, Failure> {
    Ok(api::call(&Call::post_as_is(corporations::REGISTER, &form)?).await?.data()?)
}

/// Changes a corporation; the form names it.
#[wasm_bindgen(js_name = updateCorporation)]
pub async fn update_corporation(form: Ts<CorporationUpdateInput>) -> Result<Ts<Corporation>, Failure> {
    Ok(api::call(&Call::put_as_is(corporations::UPDATE, &form)?).await?.data()?)
}

/// Deletes a corporation with all that is its own.
#[wasm_bindgen(js_name = deleteCorporation)]
pub async fn delete_corporation(corp_id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(corporations::PATH).under(&corp_id)).await?.whole()?)
}

/// What a corporation can be allowed.
#[wasm_bindgen(js_name = listCorporationResources)]
pub async fn list_corporation_resources() -> Result<Vec<Ts<CorporationResource>>, Failure> {
    Ok(api::call(&Call::get(corporations::RESOURCES)).await?.list()?)
}

/// What the own corporation may use, and whom to ask for more.
#[wasm_bindgen(js_name = getAllowedResources)]
pub async fn get_allowed_resources() -> Result<Ts<AllowedResources>, Failure> {
    Ok(api::call(&Call::get(corporations::ALLOWED_RESOURCES)).await?.whole()?)
}

/// The roles of a corporation.
#[wasm_bindgen(js_name = listCorporationRoles)]
pub async fn list_corporation_roles(corp_id: String) -> Result<Vec<Ts<Role>>, Failure> {
    let call = Call::get(corporations::PATH).under(&corp_id).under("roles");
    Ok(api::call(&call).await?.list()?)
}

/// Makes a user of a corporation.
#[wasm_bindgen(js_name = createCorporationUser)]
pub async fn create_corporation_user(form: Ts<CorporationUserInput>) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::post_as_is(corporations::USERS, &form)?).await?.whole()?)
}

/// Changes a user of a corporation, or only whether they are active.
#[wasm_bindgen(js_name = updateCorporationUser)]
pub async fn update_corporation_user(id: String, form: Ts<CorporationUserUpdateInput>) -> Result<Ts<Done>, Failure> {
    let call = Call::put_as_is(corporations::USERS, &form)?.under(&id);
    Ok(api::call(&call).await?.whole()?)
}
