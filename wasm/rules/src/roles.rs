//! Bindings for roles and their permission matrices.

use crate::{Door, all, api, checks, list};
use forecourt_call::{Call, Coming, ComingList, give, read};
use forecourt_core::permissions::Action;
use forecourt_core::reply::Done;
use forecourt_core::roles::{self, Mark, PermissionsInput, Role, RoleInput, RoleResource};
use forecourt_core::text::fold;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkRole = check_role(RoleInput), "Validates a role's name and description.";
}

/// Returns a role's resources in their display order.
#[wasm_bindgen(js_name = roleMatrix)]
pub fn role_matrix(role: Ts<Role>) -> Door<Vec<Ts<RoleResource>>> {
    list(&roles::sorted_resources(&read(&role)?))
}

/// Returns the matrix after a change of one checkbox.
#[wasm_bindgen(js_name = setPermission)]
pub fn set_permission(
    matrix: Vec<Ts<RoleResource>>,
    resource_id: &str,
    action: Ts<Action>,
    on: bool,
) -> Door<Vec<Ts<RoleResource>>> {
    list(&roles::set_permission(all(&matrix)?, resource_id, read(&action)?, on))
}

/// Returns the state of a resource's checkbox.
#[wasm_bindgen(js_name = permissionMark)]
pub fn permission_mark(resource: Ts<RoleResource>, action: Ts<Action>) -> Door<Ts<Mark>> {
    give(&roles::checkbox_state(&read(&resource)?, read(&action)?))
}

/// Returns whether a role's name or description contains the search text.
#[wasm_bindgen(js_name = roleHolds)]
pub fn role_holds(role: Ts<Role>, search: &str) -> Door<bool> {
    let role = read(&role)?;
    let search = fold(search.trim());
    Ok([role.name, role.description].iter().any(|text| fold(text).contains(&search)))
}

/// Returns the roles of the user's own corporation.
#[wasm_bindgen(js_name = listRoles)]
pub fn list_roles() -> ComingList<Role> {
    api::list(Call::get(roles::PATH))
}

/// Creates a role without permissions.
#[wasm_bindgen(js_name = createRole)]
pub fn create_role(form: Ts<RoleInput>) -> Coming<Role> {
    api::data(Call::post(roles::PATH, form))
}

/// Renames a role.
#[wasm_bindgen(js_name = updateRole)]
pub fn update_role(id: String, form: Ts<RoleInput>) -> Coming<Role> {
    let call = Call::put(roles::PATH, form).under(&id);
    api::data(call)
}

/// Deletes a role that no user has.
#[wasm_bindgen(js_name = deleteRole)]
pub fn delete_role(id: String) -> Coming<Done> {
    api::whole(Call::delete(roles::PATH).under(&id))
}

/// Replaces a role's whole matrix.
#[wasm_bindgen(js_name = updatePermissions)]
pub fn update_permissions(id: String, form: Ts<PermissionsInput>) -> Coming<Role> {
    let call = Call::post(roles::PATH, form).under(&id).under("permissions");
    api::data(call)
}
