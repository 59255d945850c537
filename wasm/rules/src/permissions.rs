//! Doors to permissions and navigation.

use crate::api;
use crate::{Door, all};
use forecourt_call::{Call, Coming, give, read};
use forecourt_core::permissions::{
    self, Action, Navigation, PermissionResource, Permissions, ResourceId, UserPermissions,
};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The links of the top navigation and of the profile menu.
#[wasm_bindgen]
pub fn navigation(resources: Vec<Ts<PermissionResource>>) -> Door<Ts<Navigation>> {
    give(&permissions::build_navigation(&all(&resources)?))
}

/// What may be done on the screen of this route.
#[wasm_bindgen(js_name = permissionsForRoute)]
pub fn permissions_for_route(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Ts<Permissions>> {
    give(&permissions::permissions_for_route(&all(&resources)?, route))
}

/// The title of the module that a screen needs and that the corporation isn't allowed, if so.
#[wasm_bindgen(js_name = upgradeFor)]
pub fn upgrade_for(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Option<String>> {
    Ok(permissions::module_to_upgrade(&all(&resources)?, route))
}

/// The title of the module that a screen belongs to and that shows this person nothing, though the corporation may use it.
#[wasm_bindgen(js_name = closedTo)]
pub fn closed_to(resources: Vec<Ts<PermissionResource>>, route: &str) -> Door<Option<String>> {
    Ok(permissions::module_without_access(&all(&resources)?, route))
}

/// May this be done with this resource?
#[wasm_bindgen]
pub fn may(resources: Vec<Ts<PermissionResource>>, resource: Ts<ResourceId>, action: Ts<Action>) -> Door<bool> {
    Ok(permissions::may(&all(&resources)?, read(&resource)?, read(&action)?))
}

/// What the signed-in user may do.
#[wasm_bindgen(js_name = getUserPermissions)]
pub fn get_user_permissions() -> Coming<UserPermissions> {
    api::data(Call::get(permissions::PATH))
}
