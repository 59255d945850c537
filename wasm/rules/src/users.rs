//! Bindings for the users of the user's own corporation.

use crate::{BindingResult, api, checks, to_ts_list};
use forecourt_call::{ApiRequest, read};
use forecourt_core::permissions::UserType;
use forecourt_core::users::{self, UserInput, UserQuery, UserUpdateInput};
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkUser = check_user(UserInput);
    checkUserUpdate = check_user_update(UserUpdateInput);
}

#[wasm_bindgen(js_name = usersPageSize)]
pub fn users_page_size() -> u32 {
    users::SCREEN_PAGE_SIZE
}

/// Returns the user types that a user of type `own` may assign, for a select.
#[wasm_bindgen(js_name = userTypesToGive)]
pub fn user_types_to_give(own: Ts<UserType>, is_platform: bool) -> BindingResult<Vec<Ts<UserType>>> {
    to_ts_list(&users::assignable_types(read(&own)?, is_platform))
}

/// Returns a page of users. `signal` aborts the request.
#[wasm_bindgen(js_name = listUsers, unchecked_return_type = "Promise<UserList>")]
pub fn list_users(query: Ts<UserQuery>, signal: Option<AbortSignal>) -> Promise {
    api::fetch_body(read(&query).map(|query| {
        let request = ApiRequest::get(users::PATH).page(query.page, query.limit);
        request.query("search", &query.search).abort_on(signal)
    }))
}

#[wasm_bindgen(js_name = createUser, unchecked_return_type = "Promise<User>")]
pub fn create_user(form: Ts<UserInput>) -> Promise {
    api::fetch_data(ApiRequest::post(users::PATH, form))
}

#[wasm_bindgen(js_name = updateUser, unchecked_return_type = "Promise<User>")]
pub fn update_user(id: String, form: Ts<UserUpdateInput>) -> Promise {
    api::fetch_data(ApiRequest::put(users::PATH, form).segment(&id))
}

/// Deletes a user. The records that the user created stay.
#[wasm_bindgen(js_name = deleteUser, unchecked_return_type = "Promise<Done>")]
pub fn delete_user(id: String) -> Promise {
    api::fetch_body(ApiRequest::delete(users::PATH).segment(&id))
}
