//! Rules of roles, and who may change and assign them. A `check_…` function returns the message to show as its error.

use super::{DESCRIPTION_MAX, GrantInput, NAME_MAX, PermissionsInput, RoleInput, parse_grants, text};
use crate::form::{Form, Rules, normalize_line, normalize_lines};
use crate::lists::text::resource_invalid;
use crate::message::Message;
use crate::permissions::{Access, CatalogueEntry, Grant, Permissions, ResourceId, UserType, all_entries, find_entry};
use crate::text::lower_case;

impl Form for RoleInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.name);
        normalize_lines(&mut self.description);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("name", &self.name).required(text::FIELDS_REQUIRED).max(NAME_MAX);
        rules.field("description", &self.description).required(text::FIELDS_REQUIRED).max(DESCRIPTION_MAX);
    }
}

/// Returns the error message for a resource that a role can't grant, or a subresource in the line of another resource.
pub fn resource_error() -> Message {
    let grantable = all_entries().filter(|entry| entry.is_assignable());
    resource_invalid(&grantable.map(CatalogueEntry::resource_id).collect::<Vec<_>>().join(", "))
}

impl Form for PermissionsInput {
    fn rules(&self, rules: &mut Rules) {
        let is_known = |line: &GrantInput| match find_entry(&line.resource_id) {
            Some(entry) => line
                .subresources
                .iter()
                .all(|sub| entry.subresources.iter().any(|known| known.resource_id() == sub.resource_id)),
            None => false,
        };
        rules.require("permissions", self.permissions.iter().all(is_known), resource_error());
    }
}

/// Checks that a role may get the name `after`: no other role of its corporation has it, also in another case. `before`
/// is the role's name, which it may keep, because the names of older roles can differ only by case.
pub fn check_name<'a>(
    before: Option<&str>,
    after: &str,
    others: impl IntoIterator<Item = &'a str>,
) -> Result<(), &'static Message> {
    let is_kept = before == Some(after);
    ensure!(is_kept || others.into_iter().all(|other| lower_case(other) != lower_case(after)), text::NAME_TAKEN);
    Ok(())
}

/// Returns the grants of a matrix, or an error if the corporation may not use one of their resources. Lines that grant
/// nothing are ignored.
pub fn validate_grants(input: &PermissionsInput, allowed: &[String]) -> Result<Vec<Grant>, &'static Message> {
    let grants = parse_grants(input);
    let is_allowed = |grant: &Grant| {
        let top = grant.resource_id.split('.').next().unwrap_or_default();
        find_entry(top).is_some_and(|entry| entry.is_allowed_by(allowed))
    };
    if grants.iter().all(is_allowed) { Ok(grants) } else { Err(text::RESOURCE_NOT_ALLOWED) }
}

/// Returns what a user with this access may grant on a resource. Administrators may grant everything, a User their own
/// permissions.
pub fn grantable(user_type: UserType, access: &Access, resource: ResourceId) -> Permissions {
    if user_type.is_administrator() { Permissions::ALL } else { access.permissions[resource] }
}

/// Checks that a user with this access may rename or delete a role, or change its grants from `before` to
/// `after`. Administrators may. A User may not change their own role, nor a role that grants more than their own
/// permissions before or after the change.
pub fn check_role_change(
    user_type: UserType,
    access: &Access,
    is_own_role: bool,
    before: &[Grant],
    after: &[Grant],
) -> Result<(), &'static Message> {
    if user_type.is_administrator() {
        return Ok(());
    }
    ensure!(!is_own_role, text::OWN_ROLE);
    ensure!(may_assign(user_type, access, before), text::ROLE_ABOVE_OWN);
    if may_assign(user_type, access, after) { Ok(()) } else { Err(text::ABOVE_OWN) }
}

/// Returns whether a user with this access may assign a role with these grants, or manage users who have
/// it. Administrators may. A User may if their own permissions include the grants.
pub fn may_assign(user_type: UserType, access: &Access, grants: &[Grant]) -> bool {
    let covers = |grant: &Grant| {
        let resource = ResourceId::parse(&grant.resource_id);
        resource.is_some_and(|resource| grantable(user_type, access, resource).covers(grant.permissions))
    };
    user_type.is_administrator() || grants.iter().all(covers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{errors, errors_as_texts};
    use crate::permissions::{CATALOGUE, Placement, effective_permissions, find_assignable};
    use crate::roles::ROLES_MAX;
    use crate::text::read_number;
    use proptest::prelude::*;

    const READ: Permissions = Permissions { can_read: true, ..Permissions::NONE };

    fn grant(id: &str, permissions: Permissions) -> Grant {
        Grant { resource_id: id.into(), permissions }
    }
    fn line(id: &str, [can_read, can_create, can_update, can_delete]: [bool; 4]) -> GrantInput {
        GrantInput { resource_id: id.into(), can_read, can_create, can_update, can_delete, ..GrantInput::default() }
    }
    fn input(permissions: Vec<GrantInput>) -> PermissionsInput {
        PermissionsInput { permissions, version: None }
    }

    #[test]
    fn the_message_contains_the_maximum_number_of_roles() {
        assert_eq!(read_number(text::TOO_MANY.as_str()), Ok(ROLES_MAX));
    }

    #[test]
    fn a_role_needs_a_name_and_a_description() {
        let found = errors(RoleInput { name: "  ".into(), ..RoleInput::default() });
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|e| e.message == "Please fill in all required fields"));
        assert!(errors(RoleInput { name: "Sales".into(), description: "Sells".into(), version: None }).is_empty());
    }

    #[test]
    fn a_role_may_not_get_the_name_of_another_role_in_any_case() {
        let others = ["Sales", "Säljare"];
        for taken in ["Sales", "sales", "SALES", "sÄLJARE"] {
            assert_eq!(check_name(None, taken, others), Err(text::NAME_TAKEN), "{taken}");
            assert_eq!(check_name(Some("Service"), taken, others), Err(text::NAME_TAKEN), "{taken}");
        }
        for free in ["Sale", "Saljare"] {
            assert_eq!(check_name(None, free, others), Ok(()), "{free}");
        }
        assert_eq!(check_name(Some("sales"), "sales", others), Ok(()), "the role's own name");
        assert_eq!(check_name(Some("sales"), "SALES", others), Err(text::NAME_TAKEN));
    }

    #[test]
    fn a_matrix_with_an_unknown_resource_is_invalid() {
        assert!(errors(input(vec![line("contacts", [true; 4])])).is_empty());
        let unknown = [format!("permissions: {}", resource_error())];
        assert_eq!(errors_as_texts(input(vec![line("cars", [true; 4])])), unknown);
        let sub = GrantInput { subresources: vec![line("contacts.list", [true; 4])], ..line("customers", [true; 4]) };
        assert_eq!(errors_as_texts(input(vec![sub])), unknown);
    }

    #[test]
    fn a_role_grants_only_allowed_resources() {
        let allowed = ["contacts".to_owned(), "corporations".to_owned()];
        assert!(validate_grants(&input(vec![line("contacts", [true; 4])]), &allowed).is_ok());
        assert!(validate_grants(&input(vec![line("invoices", [false; 4])]), &allowed).is_ok());
        for id in ["users", "roles", "history"] {
            assert!(validate_grants(&input(vec![line(id, [true; 4])]), &allowed).is_ok(), "{id}");
        }
        for id in ["invoices", "corporations"] {
            let found = validate_grants(&input(vec![line(id, [true, false, false, false])]), &allowed);
            assert_eq!(found, Err(text::RESOURCE_NOT_ALLOWED));
        }
    }

    #[test]
    fn a_user_grants_only_their_own_permissions_and_never_to_their_own_role() {
        let allowed = ["contacts".to_owned(), "roles".to_owned()];
        let mine = effective_permissions(
            UserType::User,
            &[grant("contacts", READ), grant("roles", Permissions::ALL)],
            &allowed,
        );
        let more = [grant("contacts", Permissions::ALL)];
        assert!(check_role_change(UserType::User, &mine, false, &[], &[grant("contacts", READ)]).is_ok());
        assert_eq!(check_role_change(UserType::User, &mine, false, &[], &more), Err(text::ABOVE_OWN));
        // Users may not take permissions from a role that grants more than their own permissions either.
        assert_eq!(check_role_change(UserType::User, &mine, false, &more, &[]), Err(text::ROLE_ABOVE_OWN));
        assert_eq!(check_role_change(UserType::User, &mine, true, &more, &[]), Err(text::OWN_ROLE));
        assert!(check_role_change(UserType::Admin, &mine, true, &[], &more).is_ok());
        assert!(may_assign(UserType::User, &mine, &[grant("contacts", READ)]));
        assert!(!may_assign(UserType::User, &mine, &more));
    }

    fn ids() -> impl Strategy<Value = Vec<String>> {
        let all: Vec<&str> = CATALOGUE.iter().map(|e| e.resource_id()).collect();
        proptest::collection::vec(proptest::sample::select(all).prop_map(str::to_owned), 0..6)
    }

    fn trees() -> impl Strategy<Value = Vec<GrantInput>> {
        let one =
            (0..CATALOGUE.len(), any::<[bool; 4]>(), proptest::collection::vec((0usize..3, any::<[bool; 4]>()), 0..3));
        proptest::collection::vec(
            one.prop_map(|(i, bits, subs)| {
                let entry = &CATALOGUE[i];
                let subresources = subs
                    .into_iter()
                    .filter_map(|(i, bits)| Some(line(entry.subresources.get(i)?.resource_id(), bits)))
                    .collect();
                GrantInput { subresources, ..line(entry.resource_id(), bits) }
            }),
            0..8,
        )
    }

    proptest! {
        #[test]
        fn role_permissions_are_limited_to_allowed_and_assignable_resources(tree in trees(), allowed in ids()) {
            let input = input(tree);
            if let Ok(grants) = validate_grants(&input, &allowed) {
                let got = effective_permissions(UserType::User, &grants, &allowed).resources();
                for r in got.iter().flat_map(|r| std::iter::once(r).chain(&r.subresources)) {
                    let top = r.resource_id.split('.').next().unwrap_or_default();
                    let any = r.permissions != Permissions::NONE;
                    let entry = find_assignable(top);
                    prop_assert!(!any || entry.is_some());
                    let is_listed = allowed.iter().any(|id| id == top);
                    prop_assert!(!any || is_listed || entry.is_some_and(|e| e.placement == Placement::Profile));
                    prop_assert!(!any || r.permissions.can_read, "reading is implied");
                }
            }
        }

        #[test]
        fn a_user_creates_no_role_with_more_permissions_than_their_own(own in trees(), tree in trees(), allowed in ids()) {
            let mine = effective_permissions(UserType::User, &parse_grants(&input(own)), &allowed);
            let after = parse_grants(&input(tree));
            if check_role_change(UserType::User, &mine, false, &[], &after).is_ok() {
                let theirs = effective_permissions(UserType::User, &after, &allowed);
                for resource in ResourceId::ALL {
                    prop_assert!(mine.permissions[resource].covers(theirs.permissions[resource]));
                }
            }
        }
    }
}
