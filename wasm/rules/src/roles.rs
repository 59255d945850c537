//! Bindings for roles and their permission matrices.

use crate::{BindingResult, api, checks, read_list, to_ts_list};
use forecourt_call::{ApiRequest, read, to_js};
use forecourt_core::message::Message;
use forecourt_core::permissions::Action;
use forecourt_core::roles::{self, Mark, PermissionsInput, Role, RoleInput, RoleResource, text};
use forecourt_core::text::fold;
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkRole = check_role(RoleInput);
}

/// Returns a role's permission matrix: its resources, with their permissions, in display order.
#[wasm_bindgen(js_name = roleMatrix)]
pub fn role_matrix(role: Ts<Role>) -> BindingResult<Vec<Ts<RoleResource>>> {
    to_ts_list(&roles::sorted_resources(&read(&role)?))
}

/// Returns the permission matrix after one checkbox was switched to `on`, which can also change other checkboxes.
#[wasm_bindgen(js_name = setPermission)]
pub fn set_permission(
    matrix: Vec<Ts<RoleResource>>,
    resource_id: &str,
    action: Ts<Action>,
    on: bool,
) -> BindingResult<Vec<Ts<RoleResource>>> {
    to_ts_list(&roles::set_permission(read_list(&matrix)?, resource_id, read(&action)?, on))
}

/// Returns the state of the checkbox for this action on a resource.
#[wasm_bindgen(js_name = permissionMark)]
pub fn permission_mark(resource: Ts<RoleResource>, action: Ts<Action>) -> BindingResult<Ts<Mark>> {
    to_js(&roles::checkbox_state(&read(&resource)?, read(&action)?))
}

/// Returns what a click on the checkbox for this action on a resource sets; `undefined` if the user may not grant it.
#[wasm_bindgen(js_name = nextPermission)]
pub fn next_permission(resource: Ts<RoleResource>, action: Ts<Action>) -> BindingResult<Option<bool>> {
    Ok(roles::next_state(&read(&resource)?, read(&action)?))
}

/// Returns true if a role's name or description contains the search text, ignoring case and accents.
#[wasm_bindgen(js_name = roleMatches)]
pub fn role_matches(role: Ts<Role>, search: &str) -> BindingResult<bool> {
    let role = read(&role)?;
    let search = fold(search.trim());
    Ok([role.name, role.description].iter().any(|text| fold(text).contains(&search)))
}

/// Returns the reason why a role with this many users can't be deleted; `undefined` without users.
#[wasm_bindgen(js_name = roleInUse)]
pub fn role_in_use(users: u32) -> BindingResult<Option<Ts<Message>>> {
    text::in_use(users.into()).as_ref().map(to_js).transpose()
}

#[wasm_bindgen(js_name = listRoles, unchecked_return_type = "Promise<Role[]>")]
pub fn list_roles() -> Promise {
    api::fetch_data(ApiRequest::get(roles::PATH))
}

/// Creates a role without permissions.
#[wasm_bindgen(js_name = createRole, unchecked_return_type = "Promise<Role>")]
pub fn create_role(form: Ts<RoleInput>) -> Promise {
    api::fetch_data(ApiRequest::post(roles::PATH, form))
}

/// Changes a role's name and description.
#[wasm_bindgen(js_name = updateRole, unchecked_return_type = "Promise<Role>")]
pub fn update_role(id: String, form: Ts<RoleInput>) -> Promise {
    api::fetch_data(ApiRequest::put(roles::PATH, form).segment(&id))
}

/// Deletes a role that no user has.
#[wasm_bindgen(js_name = deleteRole, unchecked_return_type = "Promise<Message>")]
pub fn delete_role(id: String) -> Promise {
    api::fetch_message(ApiRequest::delete(roles::PATH).segment(&id))
}

/// Replaces a role's whole permission matrix.
#[wasm_bindgen(js_name = updatePermissions, unchecked_return_type = "Promise<Role>")]
pub fn update_permissions(id: String, form: Ts<PermissionsInput>) -> Promise {
    api::fetch_data(ApiRequest::post(roles::PATH, form).segment(&id).segment("permissions"))
}
