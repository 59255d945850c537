//! A role's matrix: how it is shown, how its boxes follow each other, and what is kept of it.

use super::{GrantInput, PermissionsInput, Role, RoleResource};
use crate::permissions::{Action, CATALOGUE, CatalogueEntry, Grant, Permissions, in_order};
use serde::{Deserialize, Serialize};

/// How a box of the matrix stands.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    On,
    Off,
    /// Granted on some subresources and not on others.
    Mixed,
}

/// What a role grants on every resource that its corporation may use, in the catalogue's order.
pub fn matrix(grants: &[Grant], allowed: &[String]) -> Vec<RoleResource> {
    let permissions =
        |id: &str| grants.iter().find(|g| g.resource_id == id).map_or(Permissions::NONE, |g| g.permissions);
    fn resource(
        position: usize,
        entry: &CatalogueEntry,
        permissions: &dyn Fn(&str) -> Permissions,
        subresources: Vec<RoleResource>,
    ) -> RoleResource {
        RoleResource {
            resource_id: entry.resource_id.to_owned(),
            title: entry.title.to_owned(),
            route: entry.route.to_owned(),
            icon: entry.icon.to_owned(),
            description: entry.description.to_owned(),
            position: u32::try_from(position + 1).unwrap_or(u32::MAX),
            has_subresources: !entry.subresources.is_empty(),
            permissions: permissions(entry.resource_id),
            subresources,
        }
    }
    let is_allowed = |entry: &CatalogueEntry| entry.is_assignable() && allowed.iter().any(|a| a == entry.resource_id);
    CATALOGUE
        .iter()
        .enumerate()
        .filter(|(_, entry)| is_allowed(entry))
        .map(|(i, entry)| {
            let children = entry.subresources.iter().enumerate();
            let children = children.map(|(i, sub)| resource(i, sub, &permissions, Vec::new())).collect();
            resource(i, entry, &permissions, children)
        })
        .collect()
}

/// A role's resources in their order.
pub fn sorted(role: &Role) -> Vec<RoleResource> {
    in_order(role.permissions.values(), |r| r.position).into_iter().cloned().collect()
}

/// On how many resources anything is granted.
pub fn permissions_count(resources: &[RoleResource]) -> u32 {
    let grants = |r: &RoleResource| r.permissions != Permissions::NONE;
    let count = resources.iter().filter(|r| grants(r) || r.subresources.iter().any(grants)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How a resource's box stands: a parent's by its subresources.
pub fn mark(resource: &RoleResource, action: Action) -> Mark {
    let on = resource.subresources.iter().filter(|r| r.permissions.allows(action)).count();
    match (resource.subresources.len(), on) {
        (0, _) if resource.permissions.allows(action) => Mark::On,
        (0, _) | (_, 0) => Mark::Off,
        (all, on) if on == all => Mark::On,
        _ => Mark::Mixed,
    }
}

/// The matrix after a box was set. A parent's box sets those of its subresources, and follows them. Adding, editing and
/// deleting imply viewing: granting one of them grants it, and taking viewing away takes all.
pub fn set(mut resources: Vec<RoleResource>, resource_id: &str, action: Action, on: bool) -> Vec<RoleResource> {
    let turned = |permissions: Permissions| match (action, on) {
        (Action::Read, false) => Permissions::NONE,
        _ => permissions.with(action, on).with_view(),
    };
    for resource in &mut resources {
        let whole = resource.resource_id == resource_id;
        if whole {
            resource.permissions = turned(resource.permissions);
        }
        for sub in &mut resource.subresources {
            if whole || sub.resource_id == resource_id {
                sub.permissions = turned(sub.permissions);
            }
        }
        if let Some(permissions) = of_children(
            &resource.route,
            resource.subresources.iter().map(|sub| (sub.route.as_str(), sub.permissions)).collect(),
        ) {
            resource.permissions = permissions;
        }
    }
    resources
}

/// What a matrix grants, as it is kept: one grant for each resource and subresource that the catalogue has, and none for
/// what it doesn't. A parent that is sent without its subresources, or with none, also sets the one that has the parent's
/// own route, because the two are the same screen; it grants no other.
pub fn grants(input: &PermissionsInput) -> Vec<Grant> {
    let mut grants = Vec::new();
    for entry in CATALOGUE {
        let Some(line) = input.permissions.iter().find(|line| line.resource_id == entry.resource_id) else { continue };
        let of_child = |child: &CatalogueEntry| {
            let sent = line.subresources.iter().find(|sub| sub.resource_id == child.resource_id);
            let follows = line.subresources.is_empty() && child.route == entry.route;
            let unsent = if follows { line.permissions() } else { Permissions::NONE };
            sent.map_or(unsent, GrantInput::permissions).with_view()
        };
        let children: Vec<_> = entry.subresources.iter().map(|sub| (sub, of_child(sub))).collect();
        let own = of_children(entry.route, children.iter().map(|(sub, p)| (sub.route, *p)).collect());
        let mut keep = |resource_id: &str, permissions: Permissions| {
            if permissions != Permissions::NONE {
                grants.push(Grant { resource_id: resource_id.to_owned(), permissions });
            }
        };
        keep(entry.resource_id, own.unwrap_or_else(|| line.permissions().with_view()));
        for (sub, permissions) in children {
            keep(sub.resource_id, permissions);
        }
    }
    grants
}

/// Returns the grants of everything on these resources and on their subresources.
pub fn all_grants(resource_ids: &[&str]) -> Vec<Grant> {
    let entries = CATALOGUE.iter().filter(|entry| resource_ids.contains(&entry.resource_id));
    let all = entries.flat_map(|entry| std::iter::once(entry).chain(entry.subresources));
    all.map(|entry| Grant { resource_id: entry.resource_id.to_owned(), permissions: Permissions::ALL }).collect()
}

/// What a parent's subresources make of its own permissions: those of the one that stands at the same route, because
/// that is what the parent's calls are about. None for a resource without subresources.
fn of_children(route: &str, children: Vec<(&str, Permissions)>) -> Option<Permissions> {
    if children.is_empty() {
        return None;
    }
    Some(children.iter().find(|(at, _)| *at == route).map_or(Permissions::NONE, |(_, permissions)| *permissions))
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Permissions = Permissions { can_read: true, ..Permissions::NONE };

    fn everything() -> Vec<RoleResource> {
        matrix(&[], &CATALOGUE.iter().map(|e| e.resource_id.to_owned()).collect::<Vec<_>>())
    }
    fn at<'a>(resources: &'a [RoleResource], id: &str) -> &'a RoleResource {
        let Some(found) =
            resources.iter().chain(resources.iter().flat_map(|r| &r.subresources)).find(|r| r.resource_id == id)
        else {
            panic!("{id} stands in the matrix")
        };
        found
    }

    #[test]
    fn a_matrix_holds_what_the_corporation_may_use_and_never_the_platforms_own() {
        let ids = |resources: &[RoleResource]| resources.iter().map(|r| r.resource_id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&everything()), ["customers", "invoices", "contacts", "users", "roles"]);
        assert_eq!(ids(&matrix(&[], &["contacts".into(), "corporations".into()])), ["contacts"]);
    }

    #[test]
    fn adding_editing_and_deleting_imply_viewing() {
        let got = set(everything(), "customers", Action::Delete, true);
        assert_eq!(at(&got, "customers").permissions, Permissions { can_delete: true, ..READ });
        let got = set(got, "customers", Action::Read, false);
        assert_eq!(at(&got, "customers").permissions, Permissions::NONE);
    }

    #[test]
    fn a_parents_box_sets_its_subresources_and_follows_them() {
        let got = set(everything(), "contacts", Action::Create, true);
        assert!(["contacts", "contacts.list", "contacts.imports"].iter().all(|id| at(&got, id).permissions.can_create));
        assert_eq!(mark(at(&got, "contacts"), Action::Create), Mark::On);
        let got = set(got, "contacts.imports", Action::Create, false);
        assert_eq!(mark(at(&got, "contacts"), Action::Create), Mark::Mixed);
        assert!(at(&got, "contacts").permissions.can_create);
        let got = set(got, "contacts.list", Action::Create, false);
        assert_eq!(mark(at(&got, "contacts"), Action::Create), Mark::Off);
        assert!(!at(&got, "contacts").permissions.can_create);
    }

    #[test]
    fn a_box_without_subresources_stands_for_itself() {
        let got = set(everything(), "customers", Action::Update, true);
        assert_eq!(mark(at(&got, "customers"), Action::Update), Mark::On);
        assert_eq!(mark(at(&got, "customers"), Action::Delete), Mark::Off);
    }

    #[test]
    fn a_roles_resources_are_shown_by_their_positions_not_by_their_ids() {
        let permissions = everything().into_iter().map(|resource| (resource.resource_id.clone(), resource)).collect();
        let role = Role {
            role_id: String::new(),
            name: String::new(),
            description: String::new(),
            permissions_count: 0,
            permissions,
            users_count: 0,
            version: 0,
        };
        assert_eq!(sorted(&role), everything());
    }

    #[test]
    fn imports_alone_open_no_contacts() {
        let got = set(everything(), "contacts.imports", Action::Read, true);
        assert_eq!(at(&got, "contacts").permissions, Permissions::NONE);
        assert_eq!(mark(at(&got, "contacts"), Action::Read), Mark::Mixed);
    }

    fn line(id: &str, can_read: bool, can_update: bool, subresources: Vec<GrantInput>) -> GrantInput {
        GrantInput { resource_id: id.into(), can_read, can_update, subresources, ..GrantInput::default() }
    }

    #[test]
    fn what_is_kept_follows_the_same_rules_as_the_screen() {
        let input = PermissionsInput {
            permissions: vec![
                line("customers", false, true, vec![]),
                line("contacts", false, false, vec![line("contacts.list", true, false, vec![])]),
                line("invoices", false, false, vec![]),
                line("nonsense", true, true, vec![]),
            ],
            version: None,
        };
        let kept: Vec<_> = grants(&input).into_iter().map(|g| (g.resource_id, g.permissions)).collect();
        let edit = Permissions { can_update: true, ..READ };
        assert_eq!(kept, [("customers".into(), edit), ("contacts".into(), READ), ("contacts.list".into(), READ)]);
    }

    #[test]
    fn a_parent_without_subresources_grants_only_the_one_with_its_own_route() {
        for json in [
            r#"[{"resource_id":"contacts","can_read":true}]"#,
            r#"[{"resource_id":"contacts","can_read":true,"subresources":[]}]"#,
        ] {
            let input = PermissionsInput { permissions: serde_json::from_str(json).unwrap(), version: None };
            let kept: Vec<_> = grants(&input).into_iter().map(|g| (g.resource_id, g.permissions)).collect();
            assert_eq!(kept, [("contacts".into(), READ), ("contacts.list".into(), READ)], "{json}");
        }
    }

    #[test]
    fn all_grants_cover_the_subresources() {
        let ids: Vec<_> = all_grants(&["contacts", "roles", "nonsense"]).into_iter().map(|g| g.resource_id).collect();
        assert_eq!(ids, ["contacts", "contacts.list", "contacts.imports", "roles"]);
    }

    #[test]
    fn resources_are_counted_once_each_with_their_subresources() {
        let got = set(everything(), "contacts.imports", Action::Read, true);
        assert_eq!(permissions_count(&set(got, "roles", Action::Read, true)), 2);
    }
}
