//! The permissions as the API sends them, and what the browser derives from them for its screens and menus.

use super::{Access, CATALOGUE, CatalogueEntry, PermissionResource, Permissions, ResourceId, find_entry};

impl Access {
    /// Returns the resources with the user's permissions, as the API sends them.
    pub fn resources(&self) -> Vec<PermissionResource> {
        self.list(CATALOGUE)
    }

    fn list(&self, entries: &[CatalogueEntry]) -> Vec<PermissionResource> {
        let resource = |(position, entry): (u32, &CatalogueEntry)| PermissionResource {
            resource_id: entry.resource_id().to_owned(),
            title: entry.title.to_owned(),
            route: entry.route.to_owned(),
            icon: entry.icon.to_owned(),
            position,
            has_subresources: !entry.subresources.is_empty(),
            subresources: self.list(entry.subresources),
            permissions: self.permissions[entry.resource],
            allowed: self.allowed[entry.resource],
        };
        (1..).zip(entries).map(resource).collect()
    }
}

/// Converts the resources that the API sends back to the user's access. An unknown resource is ignored.
impl From<&[PermissionResource]> for Access {
    fn from(resources: &[PermissionResource]) -> Self {
        let mut access = Access::default();
        for resource in with_subresources(resources) {
            if let Some(id) = ResourceId::parse(&resource.resource_id) {
                access.permissions[id] = resource.permissions;
                access.allowed[id] = resource.allowed;
            }
        }
        access
    }
}

/// Returns the title of the resource that a screen belongs to if it is not available to the user because their
/// corporation is not allowed to use it. `None` if it is available, if it is the platform's, or if the screen belongs to
/// no resource.
pub fn module_to_upgrade(resources: &[PermissionResource], screen_path: &str) -> Option<String> {
    let resource = resource_of_screen(resources, screen_path)?;
    let is_platform = find_entry(&resource.resource_id).is_some_and(|e| !e.is_assignable());
    (!resource.allowed && !is_platform).then(|| resource.title.clone())
}

/// Returns the title of the resource that a screen belongs to if the user may read none of its screens, and no upgrade
/// would help: the corporation may already use the resource, or it is a platform resource. Otherwise `None`.
pub fn module_without_access(resources: &[PermissionResource], screen_path: &str) -> Option<String> {
    let resource = resource_of_screen(resources, screen_path)?;
    let shows = |sub: &PermissionResource| sub.permissions.can_read && !sub.route.is_empty();
    let can_read = resource.permissions.can_read || resource.subresources.iter().any(shows);
    (!can_read && module_to_upgrade(resources, screen_path).is_none()).then(|| resource.title.clone())
}

/// Returns the resource to which a screen belongs: its route is the screen's route or a parent path of it.
fn resource_of_screen<'a>(resources: &'a [PermissionResource], route: &str) -> Option<&'a PermissionResource> {
    let is_below = |top: &str| route.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    resources.iter().find(|r| is_below(&r.route))
}

/// Returns the permissions on the resource with exactly this route, or no permissions if there is none. If a resource
/// and its subresource have the same route, the resource counts.
pub fn permissions_for_route(resources: &[PermissionResource], route: &str) -> Permissions {
    with_subresources(resources).find(|r| r.route == route).map_or(Permissions::NONE, |r| r.permissions)
}

/// Returns the resources, followed by all their subresources.
fn with_subresources(resources: &[PermissionResource]) -> impl Iterator<Item = &PermissionResource> {
    resources.iter().chain(resources.iter().flat_map(|r| &r.subresources))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::{Action, Grant, Placement, UserType, all_entries, effective_permissions, may};
    use proptest::prelude::*;

    fn allowed(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|s| (*s).to_owned()).collect()
    }
    fn grant(resource_id: &str, permissions: Permissions) -> Grant {
        Grant { resource_id: resource_id.into(), permissions }
    }

    #[test]
    fn a_super_admin_may_do_everything() {
        let all = effective_permissions(UserType::SuperAdmin, &[], &[]);
        assert!(ResourceId::ALL.into_iter().all(|r| all.permissions[r] == Permissions::ALL));
    }

    #[test]
    fn an_admin_has_the_allowed_resources_and_always_those_of_the_profile_menu() {
        let got = effective_permissions(UserType::Admin, &[], &allowed(&["contacts"])).resources();
        let may_read: Vec<_> = got.iter().filter(|r| r.permissions.can_read).map(|r| r.resource_id.as_str()).collect();
        assert_eq!(may_read, ["contacts", "users", "roles", "history"]);
    }

    #[test]
    fn a_user_has_what_the_role_grants_on_allowed_resources() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grants = [grant("contacts", read), grant("invoices", Permissions::ALL), grant("contacts.imports", read)];
        let got = effective_permissions(UserType::User, &grants, &allowed(&["contacts", "customers"]));
        assert!(may(&got, ResourceId::Contacts, Action::Read));
        assert!(!may(&got, ResourceId::Contacts, Action::Create));
        assert!(!may(&got, ResourceId::Invoices, Action::Read));
        assert!(permissions_for_route(&got.resources(), "/dashboard/contacts/imports").can_read);
        assert!(may(&got, ResourceId::ContactsImports, Action::Read));
        assert!(!may(&got, ResourceId::ContactsImports, Action::Create));
    }

    #[test]
    fn a_role_can_grant_users_roles_and_history_in_every_corporation() {
        let ids = ["users", "roles", "history", "corporations"];
        let grants = ids.map(|id| grant(id, Permissions::ALL));
        let got = effective_permissions(UserType::User, &grants, &allowed(&["contacts", "corporations"]));
        let may_use = |id: &str| got.permissions[ResourceId::parse(id).unwrap()] == Permissions::ALL;
        assert_eq!(ids.map(may_use), [true, true, true, false]);
    }

    #[test]
    fn a_screen_of_a_resource_that_is_not_allowed_needs_an_upgrade() {
        let resources = |user_type, ids: &[&str]| effective_permissions(user_type, &[], &allowed(ids)).resources();
        let got = resources(UserType::User, &["contacts"]);
        assert_eq!(module_to_upgrade(&got, "/dashboard/invoices/1").as_deref(), Some("Invoices"));
        for route in ["/dashboard/contacts", "/dashboard/contacts/imports", "/dashboard/invoicesX", "/dashboard"] {
            assert_eq!(module_to_upgrade(&got, route), None, "{route}");
        }
        // A platform resource can't be had by an upgrade.
        assert_eq!(module_to_upgrade(&got, "/dashboard/corporations"), None);
        assert_eq!(module_to_upgrade(&resources(UserType::SuperAdmin, &[]), "/dashboard/invoices"), None);
        // Users, roles and the history belong to every corporation.
        for screen in ["/dashboard/users", "/dashboard/roles", "/dashboard/history"] {
            for &user_type in UserType::ALL {
                assert_eq!(module_to_upgrade(&resources(user_type, &[]), screen), None, "{screen}");
            }
            assert!(module_without_access(&got, screen).is_some(), "{screen}");
        }
    }

    #[test]
    fn a_screen_of_an_allowed_resource_needs_read_permission() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let got = effective_permissions(
            UserType::User,
            &[grant("contacts.imports", read), grant("vehicles.costs", read)],
            &allowed(&["contacts", "customers", "vehicles"]),
        )
        .resources();
        assert_eq!(module_without_access(&got, "/dashboard/customers/1").as_deref(), Some("Customers"));
        // The role only grants `vehicles.costs`, which has no screen.
        assert_eq!(module_without_access(&got, "/dashboard/vehicles").as_deref(), Some("Vehicles"));
        // Read permission on one subresource with a screen, here the imports, is enough.
        assert_eq!(module_without_access(&got, "/dashboard/contacts"), None);
        // This resource needs an upgrade instead.
        assert_eq!(module_without_access(&got, "/dashboard/invoices"), None);
        // Users other than Super Admins have no access to a platform resource.
        assert_eq!(module_without_access(&got, "/dashboard/corporations").as_deref(), Some("Corporations"));
        for open in ["/dashboard", "/dashboard/profile"] {
            assert_eq!(module_without_access(&got, open), None, "{open}");
        }
    }

    #[test]
    fn a_route_without_a_resource_has_no_permissions() {
        let all = effective_permissions(UserType::SuperAdmin, &[], &[]).resources();
        assert_eq!(permissions_for_route(&all, "/dashboard/x"), Permissions::NONE);
    }

    fn any_grants() -> impl Strategy<Value = Vec<Grant>> {
        let ids: Vec<&str> = all_entries().map(CatalogueEntry::resource_id).collect();
        proptest::collection::vec(
            (proptest::sample::select(ids), any::<[bool; 4]>()).prop_map(|(id, [r, c, u, d])| {
                grant(id, Permissions { can_read: r, can_create: c, can_update: u, can_delete: d })
            }),
            0..12,
        )
    }

    /// Returns the ids of the resources whose flag in `picks` is true.
    fn picked_ids(picks: [bool; CATALOGUE.len()]) -> Vec<String> {
        let picked = CATALOGUE.iter().zip(picks).filter(|(_, is_picked)| *is_picked);
        picked.map(|(entry, _)| entry.resource_id().to_owned()).collect()
    }

    proptest! {
        #[test]
        fn beyond_the_allowed_resources_users_have_only_those_of_the_profile_menu(
            grants in any_grants(), admin: bool, picks in any::<[bool; CATALOGUE.len()]>(),
        ) {
            let allowed = picked_ids(picks);
            let user_type = if admin { UserType::Admin } else { UserType::User };
            let resources = effective_permissions(user_type, &grants, &allowed).resources();
            for (r, entry) in resources.iter().zip(CATALOGUE) {
                let any = |p: Permissions| p != Permissions::NONE;
                let has = any(r.permissions) || r.subresources.iter().any(|s| any(s.permissions));
                let is_allowed = allowed.iter().any(|id| id == entry.resource_id());
                prop_assert!(!has || entry.placement != Placement::Platform);
                prop_assert!(!has || is_allowed || entry.placement == Placement::Profile);
            }
        }

        #[test]
        fn the_resources_in_json_describe_the_same_access(
            grants in any_grants(), user_type in proptest::sample::select(UserType::ALL.to_vec()),
            picks in any::<[bool; CATALOGUE.len()]>(),
        ) {
            let access = effective_permissions(user_type, &grants, &picked_ids(picks));
            let json = serde_json::to_string(&access.resources()).unwrap();
            let resources: Vec<PermissionResource> = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(Access::from(&resources[..]), access);
        }
    }
}
