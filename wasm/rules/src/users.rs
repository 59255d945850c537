//! Bindings for the users of the user's own corporation.

use crate::{BindingResult, checks, to_ts_list};
use forecourt_call::read;
use forecourt_core::permissions::UserType;
use forecourt_core::users::{self, UserInput, UserUpdateInput};
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkUser = check_user(UserInput);
    checkUserUpdate = check_user_update(UserUpdateInput);
}

/// Returns the user types that a user of type `own` may give to other users. `is_platform` is true in the platform's
/// own corporation.
#[wasm_bindgen(js_name = userTypesToGive)]
pub fn user_types_to_give(own: Ts<UserType>, is_platform: bool) -> BindingResult<Vec<Ts<UserType>>> {
    to_ts_list(&users::assignable_types(read(&own)?, is_platform))
}

/// Returns true if users of this type are administrators, of their corporation or of the platform.
#[wasm_bindgen(js_name = isAdministrator)]
pub fn is_administrator(user_type: Ts<UserType>) -> BindingResult<bool> {
    Ok(read(&user_type)?.is_administrator())
}
