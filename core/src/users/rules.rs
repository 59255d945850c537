//! Rules of users, and who may manage whom. A `check_…` function returns as its error what to
//! show: a message, or validation errors.

use super::{MOBILE_MAX, PasswordInput, UserFields, UserInput, UserUpdateInput, text};
use crate::auth::text::{LAST_ADMIN, LAST_SUPER_ADMIN, PASSWORD_REQUIRED};
use crate::form::{FieldError, Form, Rules, Texts, errors_of};
use crate::message::Message;
use crate::permissions::{Access, CATALOGUE, CatalogueEntry, Grant, Permissions, UserType};
use crate::roles::may_assign;
use crate::secret::Secret;
use crate::text::EMAIL_INVALID;

impl UserFields {
    /// Returns the user type, or `None` if the text is not a type. An empty text counts as User, but the server keeps
    /// the stored type in an update with an empty text.
    pub fn user_type(&self) -> Option<UserType> {
        if self.user_type.is_empty() { Some(UserType::default()) } else { UserType::parse(&self.user_type) }
    }

    pub(crate) fn rules(&self, rules: &mut Rules) {
        rules.field("first_name", &self.first_name).person_name(text::FIELD_REQUIRED);
        rules.field("last_name", &self.last_name).person_name(text::FIELD_REQUIRED);
        rules.field("email", &self.email).required_email(text::FIELD_REQUIRED, EMAIL_INVALID);
        rules.field("mobile", &self.mobile).max(MOBILE_MAX);
        rules.require_choice("user_type", self.user_type().is_some(), UserType::NAMES);
        // A Super Admin's permissions do not depend on a role.
        let is_optional = self.user_type() == Some(UserType::SuperAdmin);
        rules.require("role_id", is_optional || !self.role_id.trim().is_empty(), text::FIELD_REQUIRED);
    }
}

/// Declares the rules of an optional new password. Empty keeps the current one.
pub(crate) fn declare_optional_password(rules: &mut Rules, password: &Secret<String>) {
    let password = password.expose_secret();
    if !password.is_empty() {
        rules.field("password", password).new_password(PASSWORD_REQUIRED);
    }
}

impl Form for UserInput {
    fn normalize(&mut self) {
        self.fields.normalize_texts();
    }
    fn rules(&self, rules: &mut Rules) {
        self.fields.rules(rules);
        rules.field("password", self.password.expose_secret()).new_password(text::FIELD_REQUIRED);
    }
}

impl Form for UserUpdateInput {
    fn normalize(&mut self) {
        self.fields.normalize_texts();
    }
    fn rules(&self, rules: &mut Rules) {
        self.fields.rules(rules);
        declare_optional_password(rules, &self.password);
    }
}

impl Form for PasswordInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("password", self.password.expose_secret()).new_password(PASSWORD_REQUIRED);
    }
}

/// Returns whether `actor`, who has this access, may manage a user of type `target` whose role has these
/// grants. The user's type and permissions must not exceed those of the actor.
pub fn may_manage(actor: UserType, access: &Access, target: UserType, grants: &[Grant]) -> bool {
    target <= actor && may_assign(actor, access, grants)
}

/// Checks that a user may be deleted by someone who may manage them. Users can't delete themselves in Users Management,
/// and Super Admins can't be deleted.
pub fn check_user_deletion(target: UserType, is_self: bool) -> Result<(), &'static Message> {
    match (target, is_self) {
        (_, true) => Err(text::DELETE_SELF),
        (UserType::SuperAdmin, _) => Err(text::DELETE_SUPER_ADMIN),
        _ => Ok(()),
    }
}

/// Checks that users do not deactivate themselves.
pub fn check_user_deactivation(is_self: bool) -> Result<(), &'static Message> {
    if is_self { Err(text::DEACTIVATE_SELF) } else { Ok(()) }
}

/// Checks that a user is not the last active administrator of the corporation or the platform, who can't be deleted,
/// deactivated or demoted. `target` is the user's type; `is_active` says whether they are active and not banned.
/// `active` has the types of all active users of the corporation, or of all its active administrators.
pub fn check_not_last_admin(target: UserType, is_active: bool, active: &[UserType]) -> Result<(), &'static Message> {
    let reason = match target {
        UserType::SuperAdmin => LAST_SUPER_ADMIN,
        UserType::Admin => LAST_ADMIN,
        UserType::User => return Ok(()),
    };
    // A Super Admin can take the place of an Admin, but not the reverse.
    let has_another = active.iter().filter(|other| **other >= target).nth(1).is_some();
    if !is_active || has_another { Ok(()) } else { Err(reason) }
}

/// Checks that `actor`, who has this access, may assign a role with these grants to a user. An actor of type User may
/// not assign a role with more permissions than their own, and may not change their own role (`changes_own`).
pub fn check_role_assignment(
    actor: UserType,
    access: &Access,
    changes_own: bool,
    grants: &[Grant],
) -> Result<(), &'static Message> {
    if changes_own && !actor.is_administrator() {
        Err(text::OWN_ROLE)
    } else if may_assign(actor, access, grants) {
        Ok(())
    } else {
        Err(text::ROLE_ABOVE_OWN)
    }
}

/// Checks that users do not change their own e-mail address or password in Users Management. They can do so on the
/// Settings screen, which asks for the current password.
///
/// # Errors
/// A validation error for each of the two fields that would change.
pub fn check_own_credentials_unchanged(
    is_self: bool,
    changes_email: bool,
    changes_password: bool,
) -> Result<(), Vec<FieldError>> {
    let errors = errors_of(|rules| {
        rules.require("email", !is_self || !changes_email, text::OWN_EMAIL);
        rules.require("password", !is_self || !changes_password, text::OWN_PASSWORD);
    });
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Returns the number of top-level resources with a permission on them or on one of their subresources.
pub fn permissions_count(access: &Access) -> u32 {
    let has_any = |parent: &&CatalogueEntry| {
        parent.with_subresources().any(|entry| access.permissions[entry.resource] != Permissions::NONE)
    };
    u32::try_from(CATALOGUE.iter().filter(has_any).count()).unwrap_or(u32::MAX)
}

/// Checks that `actor` may give a user this type. It must not be above the actor's own, and only users of the
/// platform's corporation can be Super Admins.
pub fn check_type_assignment(actor: UserType, assigned: UserType, is_platform: bool) -> Result<(), &'static Message> {
    if assigned > actor {
        Err(text::TYPE_ABOVE_OWN)
    } else if assigned == UserType::SuperAdmin && !is_platform {
        Err(text::TYPE_NOT_HERE)
    } else {
        Ok(())
    }
}

pub fn assignable_types(actor: UserType, is_platform: bool) -> Vec<UserType> {
    let is_assignable = |assigned: &UserType| check_type_assignment(actor, *assigned, is_platform).is_ok();
    UserType::ALL.iter().copied().filter(is_assignable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors;
    use crate::permissions::effective_permissions;
    use crate::text::choice_error;

    fn fields() -> UserFields {
        UserFields {
            first_name: "Åsa-Lena".into(),
            last_name: "O'Hara Öberg".into(),
            email: "asa@nordbil.example".into(),
            role_id: "r1".into(),
            ..UserFields::default()
        }
    }
    fn found(fields: UserFields, password: &str) -> Vec<(String, String)> {
        let errors = errors(UserInput { fields, password: password.into() });
        errors.into_iter().map(|e| (e.field, e.message.into())).collect()
    }
    fn one(field: &str, message: &str) -> Vec<(String, String)> {
        vec![(field.into(), message.into())]
    }

    #[test]
    fn reports_the_errors_of_the_fields_of_a_new_user() {
        assert!(found(fields(), "secret").is_empty());
        let missing: Vec<_> = found(UserFields::default(), "").into_iter().map(|(field, _)| field).collect();
        assert_eq!(missing, ["first_name", "last_name", "email", "role_id", "password"]);
        let short = UserFields { first_name: "A".into(), ..fields() };
        assert_eq!(found(short, "secret"), one("first_name", "Minimum length is 2 characters"));
        let long = UserFields { last_name: "x".repeat(51), ..fields() };
        assert_eq!(found(long, "secret"), one("last_name", "Maximum length is 50 characters"));
        let digits = UserFields { first_name: "R2D2".into(), ..fields() };
        let letters = "Only letters, spaces, hyphens, and apostrophes are allowed";
        assert_eq!(found(digits, "secret"), one("first_name", letters));
        let email = UserFields { email: "asa".into(), ..fields() };
        assert_eq!(found(email, "secret"), one("email", "Please enter a valid email address"));
        let kind = UserFields { user_type: "Boss".into(), ..fields() };
        assert_eq!(found(kind, "secret"), one("user_type", choice_error(UserType::NAMES).as_str()));
        assert_eq!(found(fields(), "short"), one("password", "Minimum length is 6 characters"));
    }

    #[test]
    fn an_empty_password_is_valid_in_an_update() {
        let update =
            |password: &str| errors(UserUpdateInput { fields: fields(), password: password.into(), version: None });
        assert!(update("").is_empty());
        assert_eq!(update("short")[0].message, "Minimum length is 6 characters");
    }

    #[test]
    fn assignable_types_depend_on_ones_own_type_and_the_platform() {
        use UserType::{Admin, SuperAdmin, User};
        assert_eq!(assignable_types(User, false), [User]);
        assert_eq!(assignable_types(Admin, true), [User, Admin]);
        assert_eq!(assignable_types(SuperAdmin, false), [User, Admin]);
        assert_eq!(assignable_types(SuperAdmin, true), [User, Admin, SuperAdmin]);
        assert_eq!(check_type_assignment(Admin, SuperAdmin, true), Err(text::TYPE_ABOVE_OWN));
    }

    #[test]
    fn users_with_more_permissions_cannot_be_managed() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grant = |permissions| [Grant { resource_id: "contacts".into(), permissions }];
        let mine = effective_permissions(UserType::User, &grant(read), &["contacts".to_owned()]);
        assert!(may_manage(UserType::User, &mine, UserType::User, &grant(read)));
        assert!(!may_manage(UserType::User, &mine, UserType::User, &grant(Permissions::ALL)));
        assert!(!may_manage(UserType::User, &mine, UserType::Admin, &[]));
        assert!(may_manage(UserType::Admin, &Access::default(), UserType::Admin, &grant(Permissions::ALL)));
        assert!(!may_manage(UserType::Admin, &Access::default(), UserType::SuperAdmin, &[]));
    }

    #[test]
    fn super_admins_and_oneself_cannot_be_deleted() {
        assert!(check_user_deletion(UserType::Admin, false).is_ok());
        assert_eq!(check_user_deletion(UserType::SuperAdmin, false), Err(text::DELETE_SUPER_ADMIN));
        assert_eq!(check_user_deletion(UserType::User, true), Err(text::DELETE_SELF));
    }
    #[test]
    fn users_cannot_deactivate_themselves() {
        assert!(check_user_deactivation(false).is_ok());
        assert_eq!(check_user_deactivation(true), Err(text::DEACTIVATE_SELF));
    }

    #[test]
    fn the_last_active_administrator_must_stay() {
        use UserType::{Admin, SuperAdmin, User};
        for (target, active, expected) in [
            (User, vec![], Ok(())),
            (Admin, vec![Admin], Err(LAST_ADMIN)),
            (Admin, vec![Admin, Admin], Ok(())),
            (Admin, vec![Admin, SuperAdmin], Ok(())),
            (SuperAdmin, vec![SuperAdmin, Admin, Admin], Err(LAST_SUPER_ADMIN)),
            (SuperAdmin, vec![SuperAdmin, SuperAdmin], Ok(())),
        ] {
            assert_eq!(check_not_last_admin(target, true, &active), expected, "{target:?} of {active:?}");
        }
        assert!(check_not_last_admin(Admin, false, &[]).is_ok());
    }

    #[test]
    fn a_user_assigns_no_role_above_their_own_and_keeps_their_own_role() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grant = |permissions| [Grant { resource_id: "contacts".into(), permissions }];
        let mine = effective_permissions(UserType::User, &grant(read), &["contacts".to_owned()]);
        assert!(check_role_assignment(UserType::User, &mine, false, &grant(read)).is_ok());
        let above = check_role_assignment(UserType::User, &mine, false, &grant(Permissions::ALL));
        assert_eq!(above, Err(text::ROLE_ABOVE_OWN));
        assert_eq!(check_role_assignment(UserType::User, &mine, true, &[]), Err(text::OWN_ROLE));
        assert!(check_role_assignment(UserType::Admin, &Access::default(), true, &grant(Permissions::ALL)).is_ok());
    }

    #[test]
    fn own_email_and_password_cannot_be_changed_here() {
        assert!(check_own_credentials_unchanged(true, false, false).is_ok());
        assert!(check_own_credentials_unchanged(false, true, true).is_ok());
        let fields = |found: Result<(), Vec<FieldError>>| {
            found.err().unwrap_or_default().into_iter().map(|e| e.field).collect::<Vec<_>>()
        };
        assert_eq!(fields(check_own_credentials_unchanged(true, true, true)), ["email", "password"]);
        assert_eq!(fields(check_own_credentials_unchanged(true, false, true)), ["password"]);
    }

    #[test]
    fn counts_effective_permissions_not_those_of_the_role() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grants = ["contacts.imports", "invoices"].map(|id| Grant { resource_id: id.into(), permissions: read });
        let allowed = ["contacts".to_owned(), "customers".to_owned()];
        let count = |user_type| permissions_count(&effective_permissions(user_type, &grants, &allowed));
        assert_eq!(count(UserType::User), 1);
        assert_eq!(count(UserType::Admin), 5);
        assert_eq!(count(UserType::SuperAdmin) as usize, CATALOGUE.len());
    }
}
