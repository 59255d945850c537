//! Bindings for permissions and navigation.

use crate::api;
use crate::{Door, all};
use forecourt_call::{Call, Coming, give, read};
use forecourt_core::permissions::{
    self, Action, Navigation, PermissionResource, Permissions, ResourceId, UserPermissions,
};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the links of the top navigation and of the profile menu.
#[wasm_bindgen]
pub fn navigation(resources: Vec<Ts<PermissionResource>>) -> Door<Ts<Navigation>> {
    give(&permissions::build_navigation(&all(&resources)?))
}

/// Returns the permissions for the screen of this route.
#[wasm_bindgen(js_name = permissionsForRoute)]
pub fn permissions_for_route(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Ts<Permissions>> {
    give(&permissions::permissions_for_route(&all(&resources)?, route))
}

/// Returns the title of the resource that a screen needs, if the corporation isn't allowed to use it.
#[wasm_bindgen(js_name = upgradeFor)]
pub fn upgrade_for(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Option<String>> {
    Ok(permissions::module_to_upgrade(&all(&resources)?, route))
}

/// Returns the title of the resource that a screen belongs to, if the corporation may use it but the user may read no
/// part of it.
#[wasm_bindgen(js_name = closedTo)]
pub fn closed_to(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Option<String>> {
    Ok(permissions::module_without_access(&all(&resources)?, route))
}

/// Returns whether the action is permitted on this resource.
#[wasm_bindgen]
pub fn may(resources: Vec<Ts<PermissionResource>>, resource: Ts<ResourceId>, action: Ts<Action>) -> Door<bool> {
    Ok(permissions::may(&all(&resources)?, read(&resource)?, read(&action)?))
}

/// Returns the permissions of the signed-in user.
#[wasm_bindgen(js_name = getUserPermissions)]
pub fn get_user_permissions() -> Coming<UserPermissions> {
    api::data(Call::get(permissions::PATH))
}
