//! What must hold of a role (specification sections 5 and 6).

use super::{DESCRIPTION_MAX, GrantInput, NAME_MAX, PermissionsInput, RoleInput, grants, text};
use crate::form::{Form, Sheet, trim, trim_lines};
use crate::permissions::{CATALOGUE, Grant, PermissionResource, Permissions, UserType, assignable, everything};

impl Form for RoleInput {
    fn tidy(&mut self) {
        trim(&mut self.name);
        trim_lines(&mut self.description);
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("name", &self.name).required(text::FIELDS_REQUIRED).max(NAME_MAX);
        sheet.field("description", &self.description).required(text::FIELDS_REQUIRED).max(DESCRIPTION_MAX);
    }
}

impl Form for PermissionsInput {
    fn rules(&self, sheet: &mut Sheet) {
        let known = |line: &GrantInput| match CATALOGUE.iter().find(|entry| entry.resource_id == line.resource_id) {
            Some(entry) => line
                .subresources
                .iter()
                .all(|sub| entry.subresources.iter().any(|known| known.resource_id == sub.resource_id)),
            None => false,
        };
        sheet.rule("permissions", self.permissions.iter().all(known), text::RESOURCE_UNKNOWN);
    }
}

/// What a matrix grants, if the corporation is allowed all of it. A line that grants nothing may name anything.
///
/// # Errors
/// The sentence to refuse it with.
pub fn granted(input: &PermissionsInput, allowed: &[String]) -> Result<Vec<Grant>, &'static str> {
    let grants = grants(input);
    let is_allowed = |grant: &Grant| {
        let top = grant.resource_id.split('.').next().unwrap_or_default();
        assignable(top).is_some() && allowed.iter().any(|id| id == top)
    };
    if grants.iter().all(is_allowed) { Ok(grants) } else { Err(text::RESOURCE_NOT_ALLOWED) }
}

/// Does somebody with these permissions hold all that is granted?
fn holds(resources: &[PermissionResource], grant: &Grant) -> bool {
    let held = everything(resources).find(|r| r.resource_id == grant.resource_id);
    let held = held.map_or(Permissions::NONE, |r| r.permissions);
    held.covers(grant.permissions)
}

/// May somebody rename or delete a role, or change its grants from `before` to `after`? Administrators may; anybody else
/// only where it grants nothing beyond what they hold themselves, before and after, and never their own role.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_change(
    user_type: UserType,
    resources: &[PermissionResource],
    is_own_role: bool,
    before: &[Grant],
    after: &[Grant],
) -> Result<(), &'static str> {
    if user_type != UserType::User {
        return Ok(());
    }
    if is_own_role {
        return Err(text::OWN_ROLE);
    }
    if !may_assign(user_type, resources, before) {
        return Err(text::ROLE_ABOVE_OWN);
    }
    if may_assign(user_type, resources, after) { Ok(()) } else { Err(text::ABOVE_OWN) }
}

/// May somebody give a user this role, or change a user who has it? Administrators may; anybody else only where the role
/// grants nothing that they don't hold themselves.
pub fn may_assign(user_type: UserType, resources: &[PermissionResource], grants: &[Grant]) -> bool {
    user_type != UserType::User || grants.iter().all(|grant| holds(resources, grant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors;
    use crate::permissions::effective;
    use crate::roles::ROLES_MAX;
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
    fn the_sentence_names_how_many_roles_there_may_be() {
        let number = text::TOO_MANY.replace(|c: char| !c.is_ascii_digit(), "");
        assert_eq!(number.parse(), Ok(ROLES_MAX));
    }

    #[test]
    fn a_role_needs_a_name_and_a_description() {
        let found = errors(RoleInput { name: "  ".into(), ..RoleInput::default() });
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|e| e.message == "Please fill in all required fields"));
        assert!(errors(RoleInput { name: "Sales".into(), description: "Sells".into(), version: None }).is_empty());
    }

    #[test]
    fn a_matrix_names_only_resources_that_there_are() {
        assert!(errors(input(vec![line("contacts", [true; 4])])).is_empty());
        assert!(!errors(input(vec![line("cars", [true; 4])])).is_empty());
        let sub = GrantInput { subresources: vec![line("contacts.list", [true; 4])], ..line("customers", [true; 4]) };
        assert!(!errors(input(vec![sub])).is_empty());
    }

    #[test]
    fn a_role_grants_nothing_that_the_corporation_is_not_allowed() {
        let allowed = ["contacts".to_owned(), "corporations".to_owned()];
        assert!(granted(&input(vec![line("contacts", [true; 4])]), &allowed).is_ok());
        assert!(granted(&input(vec![line("invoices", [false; 4])]), &allowed).is_ok());
        for id in ["invoices", "corporations"] {
            let found = granted(&input(vec![line(id, [true, false, false, false])]), &allowed);
            assert_eq!(found, Err(text::RESOURCE_NOT_ALLOWED));
        }
    }

    #[test]
    fn a_user_grants_only_what_they_hold_and_never_to_their_own_role() {
        let allowed = ["contacts".to_owned(), "roles".to_owned()];
        let mine = effective(UserType::User, &[grant("contacts", READ), grant("roles", Permissions::ALL)], &allowed);
        let more = [grant("contacts", Permissions::ALL)];
        assert!(may_change(UserType::User, &mine, false, &[], &[grant("contacts", READ)]).is_ok());
        assert_eq!(may_change(UserType::User, &mine, false, &[], &more), Err(text::ABOVE_OWN));
        // A role that may do more is nobody's to weaken either.
        assert_eq!(may_change(UserType::User, &mine, false, &more, &[]), Err(text::ROLE_ABOVE_OWN));
        assert_eq!(may_change(UserType::User, &mine, true, &more, &[]), Err(text::OWN_ROLE));
        assert!(may_change(UserType::Admin, &mine, true, &[], &more).is_ok());
        assert!(may_assign(UserType::User, &mine, &[grant("contacts", READ)]));
        assert!(!may_assign(UserType::User, &mine, &more));
    }

    fn ids() -> impl Strategy<Value = Vec<String>> {
        let all: Vec<&str> = CATALOGUE.iter().map(|e| e.resource_id).collect();
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
                    .filter_map(|(i, bits)| Some(line(entry.subresources.get(i)?.resource_id, bits)))
                    .collect();
                GrantInput { subresources, ..line(entry.resource_id, bits) }
            }),
            0..8,
        )
    }

    proptest! {
        #[test]
        fn what_a_role_gives_lies_within_the_allowed_and_that_within_the_assignable(tree in trees(), allowed in ids()) {
            let input = input(tree);
            if let Ok(grants) = granted(&input, &allowed) {
                let got = effective(UserType::User, &grants, &allowed);
                for r in got.iter().flat_map(|r| std::iter::once(r).chain(&r.subresources)) {
                    let top = r.resource_id.split('.').next().unwrap_or_default();
                    let any = r.permissions != Permissions::NONE;
                    prop_assert!(!any || allowed.iter().any(|id| id == top));
                    prop_assert!(!any || assignable(top).is_some());
                    prop_assert!(!any || r.permissions.can_read, "viewing is implied");
                }
            }
        }

        #[test]
        fn nobody_makes_a_role_stronger_than_themselves(own in trees(), tree in trees(), allowed in ids()) {
            let mine = effective(UserType::User, &grants(&input(own)), &allowed);
            let after = grants(&input(tree));
            if may_change(UserType::User, &mine, false, &[], &after).is_ok() {
                let theirs = effective(UserType::User, &after, &allowed);
                let flat = |all: &[PermissionResource]| -> Vec<PermissionResource> {
                    all.iter().flat_map(|r| std::iter::once(r.clone()).chain(r.subresources.clone())).collect()
                };
                for (mine, theirs) in flat(&mine).iter().zip(flat(&theirs)) {
                    prop_assert!(mine.permissions.covers(theirs.permissions));
                }
            }
        }
    }
}
