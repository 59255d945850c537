//! Doors to roles and their matrices.

use crate::{Door, all, api, checks, list};
use forecourt_call::{Call, Failure};
use forecourt_core::permissions::Action;
use forecourt_core::reply::Done;
use forecourt_core::roles::{self, Mark, PermissionsInput, Role, RoleInput, RoleResource};
use forecourt_core::text::fold;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

checks! {
    checkRole = check_role(RoleInput), "Checks a role's name and description.";
}

/// A role's resources in their order.
#[wasm_bindgen(js_name = roleMatrix)]
pub fn role_matrix(role: Ts<Role>) -> Door<Vec<Ts<RoleResource>>> {
    list(&roles::sorted(&role.to_rust()?))
}

/// The matrix after a box of it was set.
#[wasm_bindgen(js_name = setPermission)]
pub fn set_permission(
    matrix: Vec<Ts<RoleResource>>,
    resource_id: &str,
    action: Ts<Action>,
    on: bool,
) -> Door<Vec<Ts<RoleResource>>> {
    list(&roles::set(all(&matrix)?, resource_id, action.to_rust()?, on))
}

/// How a resource's box stands.
#[wasm_bindgen(js_name = permissionMark)]
pub fn permission_mark(resource: Ts<RoleResource>, action: Ts<Action>) -> Door<Ts<Mark>> {
    Ok(roles::mark(&resource.to_rust()?, action.to_rust()?).into_ts()?)
}

/// Does a role's name or description hold what is searched for?
#[wasm_bindgen(js_name = roleHolds)]
pub fn role_holds(role: Ts<Role>, search: &str) -> Door<bool> {
    let role = role.to_rust()?;
    let search = fold(search.trim());
    Ok([role.name, role.description].iter().any(|text| fold(text).contains(&search)))
}

/// The roles of the own corporation.
#[wasm_bindgen(js_name = listRoles)]
pub async fn list_roles() -> Result<Vec<Ts<Role>>, Failure> {
    Ok(api::call(&Call::get(roles::PATH)).await?.list()?)
}

/// Makes a role that grants nothing yet.
#[wasm_bindgen(js_name = createRole)]
pub async fn create_role(form: Ts<RoleInput>) -> Result<Ts<Role>, Failure> {
    Ok(api::call(&Call::post_as_is(roles::PATH, &form)?).await?.data()?)
}

/// Renames a role.
#[wasm_bindgen(js_name = updateRole)]
pub async fn update_role(id: String, form: Ts<RoleInput>) -> Result<Ts<Role>, Failure> {
    let call = Call::put_as_is(roles::PATH, &form)?.under(&id);
    Ok(api::call(&call).await?.data()?)
}

/// Deletes a role that nobody holds.
#[wasm_bindgen(js_name = deleteRole)]
pub async fn delete_role(id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(roles::PATH).under(&id)).await?.whole()?)
}

/// Sets a role's whole matrix.
#[wasm_bindgen(js_name = updatePermissions)]
pub async fn update_permissions(id: String, form: Ts<PermissionsInput>) -> Result<Ts<Role>, Failure> {
    let call = Call::post_as_is(roles::PATH, &form)?.under(&id).under("permissions");
    Ok(api::call(&call).await?.data()?)
}
