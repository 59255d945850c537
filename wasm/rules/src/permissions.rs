//! Bindings for permissions and navigation.

use crate::api;
use crate::{BindingResult, read_list};
use forecourt_call::{ApiRequest, read, to_js};
use forecourt_core::permissions::{self, Access, Action, Navigation, PermissionResource, Permissions, ResourceId};
use forecourt_core::{history, trash};
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the links of the top navigation, of the profile menu and of a phone's tab bar.
#[wasm_bindgen]
pub fn navigation(resources: Vec<Ts<PermissionResource>>) -> BindingResult<Ts<Navigation>> {
    to_js(&permissions::build_navigation(&read_list(&resources)?))
}

#[wasm_bindgen(js_name = permissionsForRoute)]
pub fn permissions_for_route(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Ts<Permissions>> {
    to_js(&permissions::permissions_for_route(&read_list(&resources)?, route))
}

/// Returns the title of the resource that the screen `route` belongs to, if the corporation is not allowed to use the
/// resource; `undefined` if it is, for a screen of no resource, and for resources of the platform, which no corporation
/// can be allowed to use.
#[wasm_bindgen(js_name = moduleToUpgrade)]
pub fn module_to_upgrade(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Option<String>> {
    Ok(permissions::module_to_upgrade(&read_list(&resources)?, route))
}

/// Returns the title of the resource that the screen `route` belongs to, if the user may read none of its screens
/// and an upgrade would not help: the corporation may use the resource already, or it is a resource of the platform;
/// else `undefined`.
#[wasm_bindgen(js_name = moduleWithoutAccess)]
pub fn module_without_access(resources: Vec<Ts<PermissionResource>>, route: &str) -> BindingResult<Option<String>> {
    Ok(permissions::module_without_access(&read_list(&resources)?, route))
}

/// Returns true if the signed-in user may do this action with this resource.
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
