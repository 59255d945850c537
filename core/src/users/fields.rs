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
