//! The permission matrix of a role: its checkboxes on the screen, and the grants that are stored.

use super::{GrantInput, PermissionsInput, Role, RoleResource};
use crate::permissions::{
    Action, CATALOGUE, CatalogueEntry, Grant, Permissions, ResourceId, find_permissions, sort_by_position,
};
use serde::{Deserialize, Serialize};

/// The state of a checkbox in the matrix.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    On,
    Off,
    /// Some subresources grant the action, others don't.
    Mixed,
}

/// Builds the matrix of a role: its permissions on every resource that the corporation may use, in the order of the
/// catalogue. `grantable` returns what the requesting user may grant on a resource.
pub fn build_matrix(
    grants: &[Grant],
    allowed: &[String],
    grantable: impl Fn(ResourceId) -> Permissions,
) -> Vec<RoleResource> {
    let resource = |position: usize, entry: &CatalogueEntry, subresources| RoleResource {
        resource_id: entry.resource_id().to_owned(),
        title: entry.title.to_owned(),
        route: entry.route.to_owned(),
        icon: entry.icon.to_owned(),
        description: entry.description.to_owned(),
        position: u32::try_from(position + 1).unwrap_or(u32::MAX),
        has_subresources: !entry.subresources.is_empty(),
        permissions: find_permissions(grants, entry.resource_id()),
        grantable: grantable(entry.resource),
        subresources,
    };
    CATALOGUE
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.is_allowed_by(allowed))
        .map(|(i, entry)| {
            let subresources = entry.subresources.iter().enumerate();
            resource(i, entry, subresources.map(|(i, sub)| resource(i, sub, Vec::new())).collect())
        })
        .collect()
}

pub fn sorted_resources(role: &Role) -> Vec<RoleResource> {
    sort_by_position(role.permissions.values(), |r| r.position).into_iter().cloned().collect()
}

/// Returns the number of top-level resources with a permission on them or on one of their subresources.
pub fn permissions_count(resources: &[RoleResource]) -> u32 {
    let has_any = |r: &RoleResource| r.permissions != Permissions::NONE;
    let count = resources.iter().filter(|r| has_any(r) || r.subresources.iter().any(has_any)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the state of a resource's checkbox. A parent's state follows from its subresources.
pub fn checkbox_state(resource: &RoleResource, action: Action) -> Mark {
    let on = resource.subresources.iter().filter(|r| r.permissions.allows(action)).count();
    match (resource.subresources.len(), on) {
        (0, _) if resource.permissions.allows(action) => Mark::On,
        (0, _) | (_, 0) => Mark::Off,
        (all, on) if on == all => Mark::On,
        _ => Mark::Mixed,
    }
}

/// Returns what a click on a resource's checkbox does: grant the action, if some of what can be granted is not yet, or
/// else revoke it. `None` if the user may grant it neither on the resource nor on one of its subresources.
pub fn next_state(resource: &RoleResource, action: Action) -> Option<bool> {
    let own = std::slice::from_ref(resource);
    let boxes = if resource.subresources.is_empty() { own } else { resource.subresources.as_slice() };
    let mut grantable = boxes.iter().filter(|each| each.grantable.allows(action)).peekable();
    grantable.peek()?;
    Some(!grantable.all(|each| each.permissions.allows(action)))
}

/// Returns the matrix after a checkbox was set. Setting a parent's checkbox sets those of all its subresources on which
/// the user may grant the action, and a parent's permissions follow from its subresources. Granting any action also
/// grants reading, and revoking reading revokes all actions.
pub fn set_permission(
    mut resources: Vec<RoleResource>,
    resource_id: &str,
    action: Action,
    on: bool,
) -> Vec<RoleResource> {
    let updated = |permissions: Permissions| match (action, on) {
        (Action::Read, false) => Permissions::NONE,
        _ => permissions.with(action, on).with_implied_read(),
    };
    for resource in &mut resources {
        let is_parent = resource.resource_id == resource_id;
        if is_parent {
            resource.permissions = updated(resource.permissions);
        }
        for sub in &mut resource.subresources {
            if (is_parent || sub.resource_id == resource_id) && sub.grantable.allows(action) {
                sub.permissions = updated(sub.permissions);
            }
        }
        if let Some(permissions) = permissions_from_subresources(
            &resource.route,
            resource.subresources.iter().map(|sub| (sub.route.as_str(), sub.permissions)).collect(),
        ) {
            resource.permissions = permissions;
        }
    }
    resources
}

/// Returns the grants to store for a matrix. Unknown resources and empty permissions are left out. A parent without
/// subresources in the request also sets the subresource with the same route, because both are the same screen.
pub fn parse_grants(input: &PermissionsInput) -> Vec<Grant> {
    let mut grants = Vec::new();
    for entry in CATALOGUE {
        let Some(line) = input.permissions.iter().find(|line| line.resource_id == entry.resource_id()) else {
            continue;
        };
        let child_permissions = |child: &CatalogueEntry| {
            let sent = line.subresources.iter().find(|sub| sub.resource_id == child.resource_id());
            let inherits = line.subresources.is_empty() && child.route == entry.route;
            let default = if inherits { line.permissions() } else { Permissions::NONE };
            sent.map_or(default, GrantInput::permissions).with_implied_read()
        };
        let children: Vec<_> = entry.subresources.iter().map(|sub| (sub, child_permissions(sub))).collect();
        let own = permissions_from_subresources(entry.route, children.iter().map(|(sub, p)| (sub.route, *p)).collect());
        let mut add = |resource_id: &str, permissions: Permissions| {
            if permissions != Permissions::NONE {
                grants.push(Grant { resource_id: resource_id.to_owned(), permissions });
            }
        };
        add(entry.resource_id(), own.unwrap_or_else(|| line.permissions().with_implied_read()));
        for (sub, permissions) in children {
            add(sub.resource_id(), permissions);
        }
    }
    grants
}

/// Returns grants of all actions on everything that a corporation with these allowed resources may use.
pub fn all_grants(allowed: &[&str]) -> Vec<Grant> {
    let entries = CATALOGUE.iter().filter(|entry| entry.is_allowed_by(allowed));
    let all = entries.flat_map(CatalogueEntry::with_subresources);
    all.map(|entry| Grant { resource_id: entry.resource_id().to_owned(), permissions: Permissions::ALL }).collect()
}

/// Returns the ids of the resources and subresources that a corporation with these allowed resources may not use.
pub fn disallowed_ids(allowed: &[String]) -> Vec<&'static str> {
    let entries = CATALOGUE.iter().filter(|entry| !entry.is_allowed_by(allowed));
    entries.flat_map(CatalogueEntry::with_subresources).map(CatalogueEntry::resource_id).collect()
}

/// Returns a parent's permissions: those of the subresource with the same route, because both protect the same API
/// routes. `None` for a resource without subresources.
fn permissions_from_subresources(route: &str, children: Vec<(&str, Permissions)>) -> Option<Permissions> {
    if children.is_empty() {
        return None;
    }
    Some(children.iter().find(|(other, _)| *other == route).map_or(Permissions::NONE, |(_, permissions)| *permissions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::assignable_entries;

    const READ: Permissions = Permissions { can_read: true, ..Permissions::NONE };

    fn full_matrix() -> Vec<RoleResource> {
        let all: Vec<_> = CATALOGUE.iter().map(|e| e.resource_id().to_owned()).collect();
        build_matrix(&[], &all, |_| Permissions::ALL)
    }
    fn at<'a>(resources: &'a [RoleResource], id: &str) -> &'a RoleResource {
        let Some(found) =
            resources.iter().chain(resources.iter().flat_map(|r| &r.subresources)).find(|r| r.resource_id == id)
        else {
            panic!("{id} is in the matrix")
        };
        found
    }

    #[test]
    fn a_matrix_contains_allowed_resources_and_no_platform_resources() {
        let ids = |resources: &[RoleResource]| resources.iter().map(|r| r.resource_id.clone()).collect::<Vec<_>>();
        let assignable: Vec<_> = assignable_entries().map(CatalogueEntry::resource_id).collect();
        assert_eq!(ids(&full_matrix()), assignable);
        let some = build_matrix(&[], &["contacts".into(), "corporations".into()], |_| READ);
        assert_eq!(ids(&some), ["contacts", "users", "roles", "history"]);
    }

    #[test]
    fn other_actions_imply_reading() {
        let got = set_permission(full_matrix(), "customers", Action::Delete, true);
        assert_eq!(at(&got, "customers").permissions, Permissions { can_delete: true, ..READ });
        let got = set_permission(got, "customers", Action::Read, false);
        assert_eq!(at(&got, "customers").permissions, Permissions::NONE);
    }

    #[test]
    fn a_parents_checkbox_sets_its_subresources_and_follows_them() {
        let got = set_permission(full_matrix(), "contacts", Action::Create, true);
        assert!(["contacts", "contacts.list", "contacts.imports"].iter().all(|id| at(&got, id).permissions.can_create));
        assert_eq!(checkbox_state(at(&got, "contacts"), Action::Create), Mark::On);
        let got = set_permission(got, "contacts.imports", Action::Create, false);
        assert_eq!(checkbox_state(at(&got, "contacts"), Action::Create), Mark::Mixed);
        assert!(at(&got, "contacts").permissions.can_create);
        let got = set_permission(got, "contacts.list", Action::Create, false);
        assert_eq!(checkbox_state(at(&got, "contacts"), Action::Create), Mark::Off);
        assert!(!at(&got, "contacts").permissions.can_create);
    }

    #[test]
    fn a_parents_checkbox_sets_only_what_the_user_may_grant() {
        let imports = |resource| resource == ResourceId::parse("contacts.imports").unwrap();
        let mine = |resource| if imports(resource) { READ } else { Permissions::ALL };
        let matrix = build_matrix(&[], &["contacts".into()], mine);
        assert_eq!(next_state(at(&matrix, "contacts.imports"), Action::Create), None);
        let got = set_permission(matrix, "contacts", Action::Create, true);
        assert_eq!(at(&got, "contacts.imports").permissions, Permissions::NONE);
        assert!(at(&got, "contacts.list").permissions.can_create);
        // Everything that the user may grant is granted, so the next click revokes it.
        assert_eq!(checkbox_state(at(&got, "contacts"), Action::Create), Mark::Mixed);
        assert_eq!(next_state(at(&got, "contacts"), Action::Create), Some(false));
        let got = set_permission(got, "contacts", Action::Create, false);
        assert_eq!(next_state(at(&got, "contacts"), Action::Create), Some(true));
    }

    #[test]
    fn a_resource_without_subresources_has_its_own_checkbox_state() {
        let got = set_permission(full_matrix(), "customers", Action::Update, true);
        assert_eq!(checkbox_state(at(&got, "customers"), Action::Update), Mark::On);
        assert_eq!(checkbox_state(at(&got, "customers"), Action::Delete), Mark::Off);
    }

    #[test]
    fn sorts_resources_by_position_not_by_id() {
        let permissions = full_matrix().into_iter().map(|resource| (resource.resource_id.clone(), resource)).collect();
        let role = Role {
            role_id: String::new(),
            name: String::new(),
            description: String::new(),
            permissions_count: 0,
            permissions,
            users_count: 0,
            version: 0,
            can_update: true,
            can_assign: true,
        };
        assert_eq!(sorted_resources(&role), full_matrix());
    }

    #[test]
    fn reading_imports_does_not_grant_reading_contacts() {
        let got = set_permission(full_matrix(), "contacts.imports", Action::Read, true);
        assert_eq!(at(&got, "contacts").permissions, Permissions::NONE);
        assert_eq!(checkbox_state(at(&got, "contacts"), Action::Read), Mark::Mixed);
    }

    fn line(id: &str, can_read: bool, can_update: bool, subresources: Vec<GrantInput>) -> GrantInput {
        GrantInput { resource_id: id.into(), can_read, can_update, subresources, ..GrantInput::default() }
    }

    #[test]
    fn stored_grants_follow_the_same_rules_as_the_screen() {
        let input = PermissionsInput {
            permissions: vec![
                line("customers", false, true, vec![]),
                line("contacts", false, false, vec![line("contacts.list", true, false, vec![])]),
                line("invoices", false, false, vec![]),
                line("nonsense", true, true, vec![]),
            ],
            version: None,
        };
        let stored: Vec<_> = parse_grants(&input).into_iter().map(|g| (g.resource_id, g.permissions)).collect();
        let edit = Permissions { can_update: true, ..READ };
        assert_eq!(stored, [("customers".into(), edit), ("contacts".into(), READ), ("contacts.list".into(), READ)]);
    }

    #[test]
    fn a_line_without_subresources_also_grants_the_one_with_its_route() {
        for json in [
            r#"[{"resource_id":"contacts","can_read":true}]"#,
            r#"[{"resource_id":"contacts","can_read":true,"subresources":[]}]"#,
        ] {
            let input = PermissionsInput { permissions: serde_json::from_str(json).unwrap(), version: None };
            let stored: Vec<_> = parse_grants(&input).into_iter().map(|g| (g.resource_id, g.permissions)).collect();
            assert_eq!(stored, [("contacts".into(), READ), ("contacts.list".into(), READ)], "{json}");
        }
    }

    #[test]
    fn all_grants_include_the_subresources() {
        let ids: Vec<_> = all_grants(&["contacts", "roles", "nonsense"]).into_iter().map(|g| g.resource_id).collect();
        assert_eq!(ids, ["contacts", "contacts.list", "contacts.imports", "users", "roles", "history"]);
    }

    #[test]
    fn a_resource_is_disallowed_with_its_subresources() {
        let ids: Vec<_> = CATALOGUE.iter().map(|e| e.resource_id().to_owned()).filter(|id| id != "contacts").collect();
        assert_eq!(disallowed_ids(&ids), ["contacts", "contacts.list", "contacts.imports", "corporations"]);
    }

    #[test]
    fn counts_a_resource_once_with_its_subresources() {
        let got = set_permission(full_matrix(), "contacts.imports", Action::Read, true);
        assert_eq!(permissions_count(&set_permission(got, "roles", Action::Read, true)), 2);
    }
}
