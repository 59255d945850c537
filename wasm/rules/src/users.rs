//! Bindings for the users of the user's own corporation.

use crate::{BindingResult, api, checks, record_bindings, to_ts_list};
use forecourt_call::{ApiRequest, read};
use forecourt_core::permissions::UserType;
use forecourt_core::users::{self, UserInput, UserUpdateInput};
use js_sys::{Object, Promise};
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

/// Returns the user types that a user of type `own` may assign, for a select. `is_platform`: in the platform's own
/// corporation.
#[wasm_bindgen(js_name = userTypesToGive)]
pub fn user_types_to_give(own: Ts<UserType>, is_platform: bool) -> BindingResult<Vec<Ts<UserType>>> {
    to_ts_list(&users::assignable_types(read(&own)?, is_platform))
}

/// Returns a page of users. `signal` aborts the request.
#[wasm_bindgen(js_name = listUsers, unchecked_return_type = "Promise<UserList>")]
pub fn list_users(
    #[wasm_bindgen(unchecked_param_type = "ListParameters & { search?: string }")] query: &Object,
    signal: Option<AbortSignal>,
) -> Promise {
    api::fetch_body(ApiRequest::get(users::PATH).parameters(query).abort_on(signal))
}

record_bindings! {
    users::PATH;
    create createUser = create_user(UserInput) -> "Promise<User>";
    update updateUser = update_user(UserUpdateInput) -> "Promise<User>";
    // Deletes a user. The records that the user created stay.
    delete deleteUser = delete_user;
}
