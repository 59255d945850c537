//! What must hold of a user, and who may change whom (specification section 5, decisions 1.1 and 1.6).

use super::{MOBILE_MAX, PasswordInput, UserFields, UserInput, UserUpdateInput, text};
use crate::auth::text::PASSWORD_REQUIRED;
use crate::form::{FieldError, Form, Sheet, trim};
use crate::permissions::{Grant, PermissionResource, Permissions, UserType};
use crate::roles::may_assign;
use crate::text::EMAIL_INVALID;

impl UserFields {
    /// The type that is meant; none if it is no type.
    pub fn user_type(&self) -> Option<UserType> {
        if self.user_type.is_empty() { Some(UserType::default()) } else { UserType::parse(&self.user_type) }
    }

    pub(crate) fn tidy(&mut self) {
        for text in [
            &mut self.first_name,
            &mut self.last_name,
            &mut self.email,
            &mut self.mobile,
            &mut self.user_type,
            &mut self.role_id,
        ] {
            trim(text);
        }
    }

    pub(crate) fn rules(&self, sheet: &mut Sheet) {
        sheet.field("first_name", &self.first_name).person_name(text::FIELD_REQUIRED);
        sheet.field("last_name", &self.last_name).person_name(text::FIELD_REQUIRED);
        sheet.field("email", &self.email).mandatory_email(text::FIELD_REQUIRED, EMAIL_INVALID);
        sheet.field("mobile", &self.mobile).max(MOBILE_MAX);
        sheet.rule("user_type", self.user_type().is_some(), text::INPUT_INVALID);
        // A Super Admin may do everything, whatever the role.
        let may_lack_a_role = self.user_type() == Some(UserType::SuperAdmin);
        sheet.rule("role_id", may_lack_a_role || !self.role_id.trim().is_empty(), text::FIELD_REQUIRED);
    }
}

/// A password that may stay as it is: blank, or a new one.
pub(crate) fn password_or_blank(sheet: &mut Sheet, password: &str) {
    if !password.is_empty() {
        sheet.field("password", password).new_password(PASSWORD_REQUIRED);
    }
}

impl Form for UserInput {
    fn tidy(&mut self) {
        self.fields.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        self.fields.rules(sheet);
        sheet.field("password", &self.password).new_password(text::FIELD_REQUIRED);
    }
}

impl Form for UserUpdateInput {
    fn tidy(&mut self) {
        self.fields.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        self.fields.rules(sheet);
        password_or_blank(sheet, &self.password);
    }
}

impl Form for PasswordInput {
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("password", &self.password).new_password(PASSWORD_REQUIRED);
    }
}

/// May somebody change a person of this type, whose role grants this? Nobody changes whoever stands above them.
pub fn may_manage(actor: UserType, resources: &[PermissionResource], target: UserType, grants: &[Grant]) -> bool {
    target <= actor && may_assign(actor, resources, grants)
}

/// May somebody who manages a person also delete them? Nobody deletes a Super Admin on a users screen, nor themselves.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_delete(target: UserType, is_self: bool) -> Result<(), &'static str> {
    match (target, is_self) {
        (_, true) => Err(text::DELETE_SELF),
        (UserType::SuperAdmin, _) => Err(text::SUPER_ADMIN_STAYS),
        _ => Ok(()),
    }
}

/// May somebody who manages a person also deactivate them? Nobody does so to themselves.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_deactivate(is_self: bool) -> Result<(), &'static str> {
    if is_self { Err(text::DEACTIVATE_SELF) } else { Ok(()) }
}

/// May somebody give a role that grants this? Whoever is no administrator gives none that may do more than they do, and
/// themselves no other one.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_give_role(
    actor: UserType,
    resources: &[PermissionResource],
    changes_own: bool,
    grants: &[Grant],
) -> Result<(), &'static str> {
    if changes_own && actor == UserType::User {
        Err(text::OWN_ROLE)
    } else if may_assign(actor, resources, grants) {
        Ok(())
    } else {
        Err(text::ROLE_ABOVE_OWN)
    }
}

/// One's own email and password need the present password, which only Settings asks for.
///
/// # Errors
/// The fields that would change without it.
pub fn keep_own_secrets(is_self: bool, changes_email: bool, changes_password: bool) -> Result<(), Vec<FieldError>> {
    let broken: Vec<_> =
        [(changes_email, "email", text::OWN_EMAIL), (changes_password, "password", text::OWN_PASSWORD)]
            .into_iter()
            .filter(|(changes, ..)| is_self && *changes)
            .map(|(_, field, message)| FieldError { field: field.into(), message: message.into() })
            .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// On how many resources a person may do anything; subresources count with their parent.
pub fn permissions_count(resources: &[PermissionResource]) -> u32 {
    let grants = |r: &PermissionResource| r.permissions != Permissions::NONE;
    let count = resources.iter().filter(|r| grants(r) || r.subresources.iter().any(grants)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// May somebody give this type? Nobody gives one above their own, and only the platform's corporation has Super Admins.
///
/// # Errors
/// The sentence to refuse it with.
pub fn may_give(actor: UserType, given: UserType, is_platform: bool) -> Result<(), &'static str> {
    if given > actor {
        Err(text::TYPE_ABOVE_OWN)
    } else if given == UserType::SuperAdmin && !is_platform {
        Err(text::TYPE_NOT_HERE)
    } else {
        Ok(())
    }
}

/// The types that somebody may give, for a select.
pub fn types_to_give(actor: UserType, is_platform: bool) -> Vec<UserType> {
    UserType::ALL.into_iter().filter(|given| may_give(actor, *given, is_platform).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors;
    use crate::permissions::effective;

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
        errors.into_iter().map(|e| (e.field, e.message)).collect()
    }
    fn one(field: &str, message: &str) -> Vec<(String, String)> {
        vec![(field.into(), message.into())]
    }

    #[test]
    fn every_field_of_a_new_user_says_what_it_lacks() {
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
        assert_eq!(found(kind, "secret"), one("user_type", "Invalid input"));
        assert_eq!(found(fields(), "short"), one("password", "Minimum length is 6 characters"));
    }

    #[test]
    fn a_blank_password_keeps_the_one_there_is() {
        let update =
            |password: &str| errors(UserUpdateInput { fields: fields(), password: password.into(), version: None });
        assert!(update("").is_empty());
        assert_eq!(update("short")[0].message, "Minimum length is 6 characters");
    }

    #[test]
    fn nobody_gives_a_type_above_their_own_and_only_the_platform_has_super_admins() {
        use UserType::{Admin, SuperAdmin, User};
        assert_eq!(types_to_give(User, false), [User]);
        assert_eq!(types_to_give(Admin, true), [User, Admin]);
        assert_eq!(types_to_give(SuperAdmin, false), [User, Admin]);
        assert_eq!(types_to_give(SuperAdmin, true), [User, Admin, SuperAdmin]);
        assert_eq!(may_give(Admin, SuperAdmin, true), Err(text::TYPE_ABOVE_OWN));
    }

    #[test]
    fn nobody_changes_whoever_may_do_more() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grant = |permissions| [Grant { resource_id: "contacts".into(), permissions }];
        let mine = effective(UserType::User, &grant(read), &["contacts".to_owned()]);
        assert!(may_manage(UserType::User, &mine, UserType::User, &grant(read)));
        assert!(!may_manage(UserType::User, &mine, UserType::User, &grant(Permissions::ALL)));
        assert!(!may_manage(UserType::User, &mine, UserType::Admin, &[]));
        assert!(may_manage(UserType::Admin, &[], UserType::Admin, &grant(Permissions::ALL)));
        assert!(!may_manage(UserType::Admin, &[], UserType::SuperAdmin, &[]));
    }

    #[test]
    fn a_users_screen_deletes_neither_a_super_admin_nor_oneself() {
        assert!(may_delete(UserType::Admin, false).is_ok());
        assert_eq!(may_delete(UserType::SuperAdmin, false), Err(text::SUPER_ADMIN_STAYS));
        assert_eq!(may_delete(UserType::User, true), Err(text::DELETE_SELF));
    }
    #[test]
    fn nobody_deactivates_themselves() {
        assert!(may_deactivate(false).is_ok());
        assert_eq!(may_deactivate(true), Err(text::DEACTIVATE_SELF));
    }

    #[test]
    fn a_user_gives_no_role_above_their_own_and_themselves_no_other_one() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grant = |permissions| [Grant { resource_id: "contacts".into(), permissions }];
        let mine = effective(UserType::User, &grant(read), &["contacts".to_owned()]);
        assert!(may_give_role(UserType::User, &mine, false, &grant(read)).is_ok());
        let above = may_give_role(UserType::User, &mine, false, &grant(Permissions::ALL));
        assert_eq!(above, Err(text::ROLE_ABOVE_OWN));
        assert_eq!(may_give_role(UserType::User, &mine, true, &[]), Err(text::OWN_ROLE));
        assert!(may_give_role(UserType::Admin, &[], true, &grant(Permissions::ALL)).is_ok());
    }

    #[test]
    fn ones_own_email_and_password_are_changed_in_settings_alone() {
        assert!(keep_own_secrets(true, false, false).is_ok());
        assert!(keep_own_secrets(false, true, true).is_ok());
        let fields = |found: Result<(), Vec<FieldError>>| {
            found.err().unwrap_or_default().into_iter().map(|e| e.field).collect::<Vec<_>>()
        };
        assert_eq!(fields(keep_own_secrets(true, true, true)), ["email", "password"]);
        assert_eq!(fields(keep_own_secrets(true, false, true)), ["password"]);
    }

    #[test]
    fn a_person_is_counted_what_they_may_do_and_not_what_a_role_says() {
        let read = Permissions { can_read: true, ..Permissions::NONE };
        let grants = ["contacts.imports", "invoices"].map(|id| Grant { resource_id: id.into(), permissions: read });
        let allowed = ["contacts".to_owned(), "customers".to_owned()];
        let count = |user_type| permissions_count(&effective(user_type, &grants, &allowed));
        assert_eq!(count(UserType::User), 1);
        assert_eq!(count(UserType::Admin), 4);
        assert_eq!(count(UserType::SuperAdmin), 6);
    }
}
