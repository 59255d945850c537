//! Bindings for the users of the user's own corporation.

use crate::{Door, api, checks, list};
use forecourt_call::{Call, Coming, read};
use forecourt_core::permissions::UserType;
use forecourt_core::reply::Done;
use forecourt_core::users::{self, User, UserInput, UserList, UserQuery, UserUpdateInput};
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkUser = check_user(UserInput), "Validates a new user.";
    checkUserUpdate = check_user_update(UserUpdateInput), "Validates a user's change; a blank password keeps the current one.";
}

/// Returns the number of users per page of the screen.
#[wasm_bindgen(js_name = usersPageSize)]
pub fn users_page_size() -> u32 {
    users::SCREEN_PAGE_SIZE
}

/// Returns the user types that a user of type `own` may assign, for a select.
#[wasm_bindgen(js_name = userTypesToGive)]
pub fn user_types_to_give(own: Ts<UserType>, is_platform: bool) -> Door<Vec<Ts<UserType>>> {
    list(&users::assignable_types(read(&own)?, is_platform))
}

/// Returns a page of users. `signal` aborts the request.
#[wasm_bindgen(js_name = listUsers)]
pub fn list_users(query: Ts<UserQuery>, signal: Option<AbortSignal>) -> Coming<UserList> {
    api::whole(read(&query).map(|query| {
        let call = Call::get(users::PATH).page(query.page, query.limit);
        call.query("search", &query.search).until(signal)
    }))
}

/// Creates a user.
#[wasm_bindgen(js_name = createUser)]
pub fn create_user(form: Ts<UserInput>) -> Coming<User> {
    api::data(Call::post(users::PATH, form))
}

/// Changes a user.
#[wasm_bindgen(js_name = updateUser)]
pub fn update_user(id: String, form: Ts<UserUpdateInput>) -> Coming<User> {
    let call = Call::put(users::PATH, form).under(&id);
    api::data(call)
}

/// Deletes a user. The records that the user created stay.
#[wasm_bindgen(js_name = deleteUser)]
pub fn delete_user(id: String) -> Coming<Done> {
    api::whole(Call::delete(users::PATH).under(&id))
}
