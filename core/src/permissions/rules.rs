//! What a person may do. The server asks on every call, the browser for every button and menu.

use super::{Action, CATALOGUE, CatalogueEntry, Grant, PermissionResource, Permissions, Place, ResourceId, UserType};

/// A person's permissions on every resource (decisions 1.3). `grants` is the matrix of the person's role, `allowed`
/// the ids of the resources that the corporation may use; a subresource is allowed with its parent.
pub fn effective(user_type: UserType, grants: &[Grant], allowed: &[String]) -> Vec<PermissionResource> {
    let granted = |entry: &CatalogueEntry, parent: &CatalogueEntry| -> Permissions {
        let is_allowed = allowed.iter().any(|id| id == parent.resource_id);
        match (user_type, parent.place) {
            (UserType::SuperAdmin, _) => Permissions::ALL,
            (_, Place::Platform) => Permissions::NONE,
            (UserType::Admin, Place::Profile) => Permissions::ALL,
            (UserType::Admin, Place::Main) if is_allowed => Permissions::ALL,
            (UserType::User, _) if is_allowed => {
                grants.iter().find(|g| g.resource_id == entry.resource_id).map_or(Permissions::NONE, |g| g.permissions)
            }
            _ => Permissions::NONE,
        }
    };
    let resource =
        |position: usize, entry: &CatalogueEntry, parent: &CatalogueEntry, subresources| PermissionResource {
            resource_id: entry.resource_id.to_owned(),
            title: entry.title.to_owned(),
            route: entry.route.to_owned(),
            icon: entry.icon.to_owned(),
            position: u32::try_from(position + 1).unwrap_or(u32::MAX),
            has_subresources: !entry.subresources.is_empty(),
            subresources,
            permissions: granted(entry, parent),
            allowed: match (user_type, parent.place) {
                (UserType::SuperAdmin, _) => true,
                (_, Place::Platform) => false,
                (UserType::Admin, Place::Profile) => true,
                _ => allowed.iter().any(|id| id == parent.resource_id),
            },
        };
    CATALOGUE
        .iter()
        .enumerate()
        .map(|(i, entry)| {
            let subresources =
                entry.subresources.iter().enumerate().map(|(i, sub)| resource(i, sub, entry, Vec::new())).collect();
            resource(i, entry, entry, subresources)
        })
        .collect()
}

/// May a person with these permissions do this?
pub fn may(resources: &[PermissionResource], resource: ResourceId, action: Action) -> bool {
    let of = everything(resources).find(|r| r.resource_id == resource.as_str());
    of.is_some_and(|r| r.permissions.allows(action))
}

/// The title of the module that somebody needs for a screen and that their corporation isn't allowed (decisions 5.2);
/// none where it is, and where the screen belongs to no module.
pub fn upgrade_for(resources: &[PermissionResource], route: &str) -> Option<String> {
    let module = module_of(resources, route)?;
    let is_platform = CATALOGUE.iter().any(|e| e.resource_id == module.resource_id && !e.is_assignable());
    (!module.allowed && !is_platform).then(|| module.title.clone())
}

/// The title of the module that a screen belongs to and that shows the person nothing, though their corporation may use
/// it: an administrator can help, not an upgrade.
pub fn closed_to(resources: &[PermissionResource], route: &str) -> Option<String> {
    let module = module_of(resources, route)?;
    let shows = module.permissions.can_read || module.subresources.iter().any(|sub| sub.permissions.can_read);
    (!shows && upgrade_for(resources, route).is_none()).then(|| module.title.clone())
}

/// The resource that a screen belongs to: a screen below a resource's route is that resource's.
fn module_of<'a>(resources: &'a [PermissionResource], route: &str) -> Option<&'a PermissionResource> {
    let below = |top: &str| route.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    resources.iter().find(|r| below(&r.route))
}

/// The permissions on the resource of a screen's route; none when no resource has it (specification section 6).
/// A route that a resource shares with its subresource means the resource.
pub fn for_route(resources: &[PermissionResource], route: &str) -> Permissions {
    everything(resources).find(|r| r.route == route).map_or(Permissions::NONE, |r| r.permissions)
}

/// The resources and, behind them, all their subresources.
pub(crate) fn everything(resources: &[PermissionResource]) -> impl Iterator<Item = &PermissionResource> {
    resources.iter().chain(resources.iter().flat_map(|r| &r.subresources))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::entries;
    use proptest::prelude::*;

    fn allowed(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|s| (*s).to_owned()).collect()
    }
    fn grant(resource_id: &str, permissions: Permissions) -> Grant {
        Grant { resource_id: resource_id.into(), permissions }
    }

    #[test]
    fn a_super_admin_may_do_everything() {
        let all = effective(UserType::SuperAdmin, &[], &[]);
        assert!(all.iter().all(|r| r.permissions == Permissions::ALL));
    }

    #[test]
    fn an_admin_may_do_everything_that_the_corporation_may_and_keep_users_and_roles() {
        let got = effective(UserType::Admin, &[], &allowed(&["contacts"]));
        let may_read: Vec<_> = got.iter().filter(|r| r.permissions.can_read).map(|r| r.resource_id.as_str()).collect();
        assert_eq!(may_read, ["contacts", "users", "roles"]);
    }

    #[test]
    fn a_user_may_do_what_the_role_grants_and_the_corporation_is_allowed() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grants = [grant("contacts", read), grant("invoices", Permissions::ALL), grant("contacts.imports", read)];
        let got = effective(UserType::User, &grants, &allowed(&["contacts", "customers"]));
        assert!(may(&got, ResourceId::Contacts, Action::Read));
        assert!(!may(&got, ResourceId::Contacts, Action::Create));
        assert!(!may(&got, ResourceId::Invoices, Action::Read));
        assert!(for_route(&got, "/dashboard/contacts/imports").can_read);
        assert!(may(&got, ResourceId::ContactsImports, Action::Read));
        assert!(!may(&got, ResourceId::ContactsImports, Action::Create));
    }

    #[test]
    fn a_module_that_the_corporation_is_not_allowed_needs_an_upgrade_by_any_of_its_addresses() {
        let got = effective(UserType::User, &[], &allowed(&["contacts"]));
        assert_eq!(upgrade_for(&got, "/dashboard/invoices/1").as_deref(), Some("Invoices"));
        for route in ["/dashboard/contacts", "/dashboard/contacts/imports", "/dashboard/invoicesX", "/dashboard"] {
            assert_eq!(upgrade_for(&got, route), None, "{route}");
        }
        // What only the platform has can't be bought.
        assert_eq!(upgrade_for(&got, "/dashboard/corporations"), None);
        assert_eq!(upgrade_for(&effective(UserType::SuperAdmin, &[], &[]), "/dashboard/invoices"), None);
        assert_eq!(upgrade_for(&effective(UserType::Admin, &[], &[]), "/dashboard/users"), None);
    }

    #[test]
    fn a_module_is_closed_to_whoever_may_see_nothing_of_it_though_the_corporation_may_use_it() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let got = effective(UserType::User, &[grant("contacts.imports", read)], &allowed(&["contacts", "customers"]));
        assert_eq!(closed_to(&got, "/dashboard/customers/1").as_deref(), Some("Customers"));
        // One part of it opens the door; which part, the screens behind it say.
        assert_eq!(closed_to(&got, "/dashboard/contacts"), None);
        // An upgrade is the other answer, never both.
        assert_eq!(closed_to(&got, "/dashboard/invoices"), None);
        // What only the platform has is closed to everybody else.
        assert_eq!(closed_to(&got, "/dashboard/corporations").as_deref(), Some("Corporations"));
        for open in ["/dashboard", "/dashboard/profile"] {
            assert_eq!(closed_to(&got, open), None, "{open}");
        }
    }

    #[test]
    fn a_route_without_a_resource_grants_nothing() {
        assert_eq!(for_route(&effective(UserType::SuperAdmin, &[], &[]), "/dashboard/x"), Permissions::NONE);
    }

    fn any_grants() -> impl Strategy<Value = Vec<Grant>> {
        let ids: Vec<&str> = entries().map(|e| e.resource_id).collect();
        proptest::collection::vec(
            (proptest::sample::select(ids), any::<[bool; 4]>()).prop_map(|(id, [r, c, u, d])| {
                grant(id, Permissions { can_read: r, can_create: c, can_update: u, can_delete: d })
            }),
            0..12,
        )
    }

    proptest! {
        #[test]
        fn nobody_but_the_platform_reaches_beyond_the_allowed_resources(
            grants in any_grants(), admin: bool, picks in any::<[bool; 6]>(),
        ) {
            let allowed: Vec<String> =
                CATALOGUE.iter().zip(picks).filter(|(_, p)| *p).map(|(e, _)| e.resource_id.to_owned()).collect();
            let user_type = if admin { UserType::Admin } else { UserType::User };
            for (r, entry) in effective(user_type, &grants, &allowed).iter().zip(CATALOGUE) {
                let any = |p: Permissions| p != Permissions::NONE;
                let has = any(r.permissions) || r.subresources.iter().any(|s| any(s.permissions));
                let is_allowed = allowed.iter().any(|id| id == entry.resource_id);
                prop_assert!(!has || entry.place != Place::Platform);
                prop_assert!(!has || is_allowed || (admin && entry.place == Place::Profile));
            }
        }
    }
}
