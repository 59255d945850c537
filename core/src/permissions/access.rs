//! A user's permissions by resource. The server computes them for every request, so nothing here allocates.

use super::{Action, CATALOGUE, Grant, Permissions, ResourceId, UserType};
use std::ops::{Index, IndexMut};

/// One value for each resource of the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByResource<T>([T; ResourceId::ALL.len()]);

impl<T> Index<ResourceId> for ByResource<T> {
    type Output = T;
    fn index(&self, resource: ResourceId) -> &T {
        &self.0[resource as usize]
    }
}

impl<T> IndexMut<ResourceId> for ByResource<T> {
    fn index_mut(&mut self, resource: ResourceId) -> &mut T {
        &mut self.0[resource as usize]
    }
}

/// What a user may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub permissions: ByResource<Permissions>,
    /// The resources that are available to the user before the role is considered: those that the corporation may use,
    /// for a Super Admin all.
    pub allowed: ByResource<bool>,
}

/// Returns what a user may do. A Super Admin may do everything. An Admin may do everything on the resources that the
/// corporation may use ([`super::CatalogueEntry::is_allowed`]), a User what the role grants on these.
///
/// `role` is the permission matrix of the user's role, and `allowed` the allowed resources of the corporation. A
/// subresource is allowed with its parent, whose own value alone counts.
pub fn compute_access(user_type: UserType, role: &ByResource<Permissions>, allowed: &ByResource<bool>) -> Access {
    let mut access = Access::default();
    for parent in CATALOGUE {
        let is_allowed = user_type == UserType::SuperAdmin || parent.is_allowed(allowed[parent.resource]);
        for entry in parent.with_subresources() {
            access.allowed[entry.resource] = is_allowed;
            access.permissions[entry.resource] = match user_type {
                _ if !is_allowed => Permissions::NONE,
                UserType::SuperAdmin | UserType::Admin => Permissions::ALL,
                UserType::User => role[entry.resource],
            };
        }
    }
    access
}

/// Returns the permissions on a resource that the grants of a role contain; none without a grant.
pub(crate) fn find_permissions(grants: &[Grant], resource_id: &str) -> Permissions {
    grants.iter().find(|g| g.resource_id == resource_id).map_or(Permissions::NONE, |g| g.permissions)
}

/// Returns what a user may do, as [`compute_access`], but from the grants of a role and the ids of the resources that
/// the corporation is allowed to use.
pub fn effective_permissions(user_type: UserType, grants: &[Grant], allowed: &[String]) -> Access {
    let (mut role, mut is_allowed) = (ByResource::default(), ByResource::default());
    for resource in ResourceId::ALL {
        role[resource] = find_permissions(grants, resource.as_str());
        is_allowed[resource] = allowed.iter().any(|id| id == resource.as_str());
    }
    compute_access(user_type, &role, &is_allowed)
}

/// Returns whether this access includes the action on the resource.
pub fn may(access: &Access, resource: ResourceId, action: Action) -> bool {
    access.permissions[resource].allows(action)
}
