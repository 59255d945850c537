//! What the history records about a role.

use crate::history::{Change, text_change};
use crate::permissions::{Grant, Permissions, ResourceId, all_entries, find_permissions};

/// A role's state before or after a change.
#[derive(PartialEq)]
pub struct RoleState {
    pub name: String,
    pub description: String,
    pub grants: Vec<Grant>,
}

/// Returns the changes of a role: of its name, its description, and for each resource the granted actions (such as
/// `read, create`) in the field `permissions.<resource_id>`. `before` is `None` for a new role, `after` for a deleted
/// one.
pub fn changes(before: Option<&RoleState>, after: Option<&RoleState>) -> Vec<Change> {
    let texts = |state: Option<&RoleState>| state.map(|s| (s.name.clone(), s.description.clone())).unwrap_or_default();
    let ((name_before, description_before), (name, description)) = (texts(before), texts(after));
    let own = [text_change("name", &name_before, &name), text_change("description", &description_before, &description)];
    let granted = |state: Option<&RoleState>, id| {
        actions(state.map_or(Permissions::NONE, |state| find_permissions(&state.grants, id)))
    };
    // These resources are only links: no route requires a permission on them, so their changes are left out.
    let links = [ResourceId::ContactsList, ResourceId::VehiclesList];
    let required = all_entries().filter(|entry| !links.contains(&entry.resource));
    let grants = required.filter_map(|entry| {
        let id = entry.resource_id();
        text_change(&format!("permissions.{id}"), &granted(before, id), &granted(after, id))
    });
    own.into_iter().flatten().chain(grants).collect()
}

fn actions(permissions: Permissions) -> String {
    let Permissions { can_read, can_create, can_update, can_delete } = permissions;
    let names = [(can_read, "read"), (can_create, "create"), (can_update, "update"), (can_delete, "delete")];
    names.into_iter().filter_map(|(is_granted, name)| is_granted.then_some(name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn role(name: &str, grants: &[(&str, Permissions)]) -> RoleState {
        let grants =
            grants.iter().map(|(id, permissions)| Grant { resource_id: (*id).to_owned(), permissions: *permissions });
        RoleState { name: name.to_owned(), description: String::new(), grants: grants.collect() }
    }

    #[test]
    fn a_change_of_permissions_names_the_resource_and_the_actions() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let before = role("Sales", &[("contacts", read), ("invoices", read)]);
        let after = role("Sales", &[("contacts", Permissions::ALL), ("invoices", read)]);
        let expected =
            json!([{"field": "permissions.contacts", "before": "read", "after": "read, create, update, delete"}]);
        assert_eq!(serde_json::to_value(changes(Some(&before), Some(&after))).unwrap(), expected);
        assert!(changes(Some(&before), Some(&before)).is_empty());
    }

    #[test]
    fn a_deleted_role_has_only_values_before_the_change() {
        let expected = json!([
            {"field": "name", "before": "Sales", "after": null},
            {"field": "permissions.contacts.imports", "before": "read, create, update, delete", "after": null},
        ]);
        let role = role("Sales", &[("contacts.imports", Permissions::ALL)]);
        assert_eq!(serde_json::to_value(changes(Some(&role), None)).unwrap(), expected);
    }
}
