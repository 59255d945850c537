//! The fields of users.

use super::User;
use crate::lists::{Cell, Field, Kind, Personal, Record};
use crate::permissions::UserType;

impl Record for User {
    const FIELDS: &'static [Field] = &[
        Field::new("user_id", Kind::Id, Personal::No),
        Field::text("first_name", Personal::KeptWithAccount),
        Field::text("last_name", Personal::KeptWithAccount),
        Field::text("email", Personal::KeptWithAccount),
        Field::text("mobile", Personal::KeptWithAccount),
        // The role's name.
        Field::text("role", Personal::No),
        Field::new("permissionsCount", Kind::Number, Personal::No),
        Field::new("user_type", Kind::Choice(UserType::NAMES), Personal::No),
        Field::new("created_at", Kind::Time, Personal::No),
        Field::new("is_active", Kind::Flag, Personal::No),
        Field::new("version", Kind::Number, Personal::No).not_exported(),
    ];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            "user_id" => Cell::Id(&self.user_id),
            "first_name" => Cell::Text(&self.first_name),
            "last_name" => Cell::Text(&self.last_name),
            "email" => Cell::Text(&self.email),
            "mobile" => Cell::Text(&self.mobile),
            "role" => self.role.as_ref().map_or(Cell::Empty, |role| Cell::Text(&role.name)),
            "permissionsCount" => Cell::Number(i64::from(self.permissions_count)),
            "user_type" => Cell::Choice(self.user_type.as_str()),
            "created_at" => Cell::Time(&self.created_at),
            "is_active" => Cell::Flag(self.is_active),
            "version" => Cell::Number(self.version),
            _ => Cell::Empty,
        }
    }
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
            can_update: true,
            can_delete: true,
            version: 1,
        };
        check_record(&user, &["can_update", "can_delete"]);
    }
}
