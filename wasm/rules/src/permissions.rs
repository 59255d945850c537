//! Bindings for permissions and navigation.

use crate::api;
use crate::{BindingResult, read_list};
use forecourt_call::{ApiRequest, read, to_js};
use forecourt_core::permissions::{self, Access, Action, Navigation, PermissionResource, Permissions, ResourceId};
use forecourt_core::{history, trash};
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the links of the top navigation and of the profile menu.
#[wasm_bindgen]
pub fn navigation(resources: Vec<Ts<PermissionResource>>) -> BindingResult<Ts<Navigation>> {
    to_js(&permissions::build_navigation(&read_list(&resources)?))
}

#[wasm_bindgen(js_name = permissionsForRoute)]
pub fn permissions_for_route(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Ts<Permissions>> {
    to_js(&permissions::permissions_for_route(&read_list(&resources)?, route))
}

/// Returns the title of the resource that a screen needs, if the corporation isn't allowed to use it but could be: not for
/// resources of the platform.
#[wasm_bindgen(js_name = moduleToUpgrade)]
pub fn module_to_upgrade(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Option<String>> {
    Ok(permissions::module_to_upgrade(&read_list(&resources)?, route))
}

/// Returns the title of the resource that a screen belongs to, if the user may read no part of it and no upgrade would
/// help.
#[wasm_bindgen(js_name = moduleWithoutAccess)]
pub fn module_without_access(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Option<String>> {
    Ok(permissions::module_without_access(&read_list(&resources)?, route))
}

/// Returns whether the action is permitted on this resource.
#[wasm_bindgen]
pub fn may(
    resources: Vec<Ts<PermissionResource>>,
    resource: Ts<ResourceId>,
    action: Ts<Action>,
) -> BindingResult<bool> {
    Ok(permissions::may(&Access::from(&read_list(&resources)?[..]), read(&resource)?, read(&action)?))
}

/// Returns the resources whose deleted records the user sees in the trash and may restore.
#[wasm_bindgen(js_name = trashResources)]
pub fn trash_resources(resources: Vec<Ts<PermissionResource>>) -> BindingResult<Vec<Ts<ResourceId>>> {
    trash::visible(&Access::from(&read_list(&resources)?[..])).map(|resource| to_js(&resource)).collect()
}

/// Returns the `resource_id` of each resource whose entries the user sees in the history of their corporation.
#[wasm_bindgen(js_name = historyResources)]
pub fn history_resources(resources: Vec<Ts<PermissionResource>>) -> BindingResult<Vec<String>> {
    let access = Access::from(&read_list(&resources)?[..]);
    Ok(history::visible(&access).map(|resource| resource.as_str().to_owned()).collect())
}

#[wasm_bindgen(js_name = getUserPermissions, unchecked_return_type = "Promise<UserPermissions>")]
pub fn get_user_permissions() -> Promise {
    api::fetch_data(ApiRequest::get(permissions::PATH))
}
