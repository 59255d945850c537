//! The fields of users.

use super::{User, text};
use crate::lists::{Field, Kind, Personal, Record, fields};
use crate::permissions::UserType;
use crate::roles::text::FIRST_ROLE;

/// The roles that the filter offers: the one that every corporation begins with.
const ROLES: &[&str] = &[FIRST_ROLE.as_str()];

impl Record for User {
    fields!(
        user_id = Field::new(Kind::Id),
        first_name = Field::text(Personal::KeptWithAccount),
        last_name = Field::text(Personal::KeptWithAccount),
        email = Field::email(Personal::KeptWithAccount),
        mobile = Field::text(Personal::KeptWithAccount),
        // The role's name.
        role = Field::text(Personal::Business).offering(ROLES),
        permissions_count["permissionsCount"] = Field::new(Kind::Number),
        user_type = Field::new(Kind::Choice(UserType::NAMES)),
        created_at = Field::new(Kind::Time).labeled(text::JOINED),
        is_active = Field::new(Kind::Flag),
        // Derived, because the history records bans by themselves.
        is_banned = Field::new(Kind::Flag).derived(),
        version = Field::new(Kind::Number).not_exported(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::tests::check_record;
    use crate::users::UserRole;

    #[test]
    fn every_member_of_a_user_is_a_field_except_what_the_viewer_may_do() {
        let user = User {
            user_id: "01900000-0000-7000-8000-000000000000".into(),
            first_name: "Ada".into(),
            last_name: "Lindqvist".into(),
            email: "ada@example.se".into(),
            mobile: "070".into(),
            role: Some(UserRole { role_id: String::new(), name: "Sales".into() }),
            permissions_count: 1,
            user_type: UserType::SuperAdmin,
            created_at: "2026-01-01T00:00:00.000Z".into(),
            is_active: true,
            is_banned: false,
            can_update: true,
            can_delete: true,
            version: 1,
        };
        check_record(&user, &["can_update", "can_delete"]);
    }
}
