//! Doors to the users of the own corporation.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Failure};
use forecourt_core::permissions::UserType;
use forecourt_core::reply::Done;
use forecourt_core::users::{self, User, UserInput, UserList, UserQuery, UserUpdateInput};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkUser = check_user(UserInput), "Checks a new user.";
    checkUserUpdate = check_user_update(UserUpdateInput), "Checks a user's change; a blank password keeps the one there is.";
}

/// How many users stand on a page of the screen.
#[wasm_bindgen(js_name = usersPageSize)]
pub fn users_page_size() -> u32 {
    users::SCREEN_PAGE_SIZE
}

/// The types that somebody may give, for a select.
#[wasm_bindgen(js_name = userTypesToGive)]
pub fn user_types_to_give(own: Ts<UserType>, is_platform: bool) -> Door<Vec<Ts<UserType>>> {
    list(&users::types_to_give(own.to_rust()?, is_platform))
}

/// A page of users; the signal breaks the question off.
#[wasm_bindgen(js_name = listUsers)]
pub async fn list_users(query: Ts<UserQuery>, signal: Option<AbortSignal>) -> Result<Ts<UserList>, Failure> {
    let query = query.to_rust()?;
    let call = Call::get(users::PATH)
        .query("page", &query.page.to_string())
        .query("limit", &query.limit.to_string())
        .query("search", &query.search);
    Ok(api::call(&call.until(signal)).await?.whole()?)
}

/// One user.
#[wasm_bindgen(js_name = getUser)]
pub async fn get_user(id: String) -> Result<Ts<User>, Failure> {
    Ok(api::call(&Call::get(users::PATH).under(&id)).await?.data()?)
}

/// Makes a user.
#[wasm_bindgen(js_name = createUser)]
pub async fn create_user(form: Ts<UserInput>) -> Result<Ts<User>, Failure> {
    Ok(api::call(&Call::post_as_is(users::PATH, &form)?).await?.data()?)
}

/// Changes a user.
#[wasm_bindgen(js_name = updateUser)]
pub async fn update_user(id: String, form: Ts<UserUpdateInput>) -> Result<Ts<User>, Failure> {
    let call = Call::put_as_is(users::PATH, &form)?.under(&id);
    Ok(api::call(&call).await?.data()?)
}

/// Deletes a user; what they wrote stays.
#[wasm_bindgen(js_name = deleteUser)]
pub async fn delete_user(id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(users::PATH).under(&id)).await?.whole()?)
}
