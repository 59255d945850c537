//! Users in the database, as managers of users see them.

use crate::access::scope::Scope;
use crate::features::listing::push_page;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Connection, Result, Sql, Tx};
use forecourt_core::corporations::CorporationUser;
use forecourt_core::paging::Page;
use forecourt_core::permissions::UserType;
use forecourt_core::problem::Ban;
use forecourt_core::text::fold;
use forecourt_core::users::{User, UserRole, full_name};
use uuid::Uuid;

const ROWS: &str = "SELECT u.user_id, u.first_name, u.last_name, u.email, u.mobile, u.user_type, u.role_id, \
     r.name AS role, u.is_active, u.banned_at, u.ban_reason, u.created_at, u.version \
     FROM users u LEFT JOIN roles r ON r.corp_id = u.corp_id AND r.role_id = u.role_id WHERE u.corp_id = ";

/// A user with the role's name.
#[derive(sqlx_macros::FromRow)]
pub struct UserRow {
    pub user_id: Uuid,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub mobile: String,
    user_type: String,
    pub role_id: Option<Uuid>,
    role: Option<String>,
    pub is_active: bool,
    banned_at: Option<i64>,
    ban_reason: Option<String>,
    pub created_at: i64,
    pub version: i64,
}

impl UserRow {
    pub fn user_type(&self) -> UserType {
        // The table's CHECK constraint permits only texts that can be parsed.
        UserType::parse(&self.user_type).unwrap_or_default()
    }

    pub fn role(&self) -> Option<UserRole> {
        let (role_id, name) = self.role_id.zip(self.role.clone())?;
        Some(UserRole { role_id: role_id.to_string(), name })
    }

    /// Returns the user without what depends on the viewer and on the role's permissions.
    pub fn into_user(self) -> User {
        User {
            user_type: self.user_type(),
            role: self.role(),
            permissions_count: 0,
            can_update: false,
            can_delete: false,
            is_banned: self.is_banned(),
            user_id: self.user_id.to_string(),
            first_name: self.first_name,
            last_name: self.last_name,
            email: self.email,
            mobile: self.mobile,
            created_at: rfc3339(self.created_at),
            is_active: self.is_active,
            version: self.version,
        }
    }

    pub fn is_banned(&self) -> bool {
        self.banned_at.is_some()
    }

    /// Returns whether the user is active and not banned.
    pub fn is_enabled(&self) -> bool {
        self.is_active && !self.is_banned()
    }

    /// Returns the user in the list of a corporation's users. `can_deactivate` depends on the viewer and on the other
    /// users.
    pub fn into_corporation_user(self, can_deactivate: bool) -> CorporationUser {
        CorporationUser {
            user_type: self.user_type(),
            user_role: self.role(),
            id: self.user_id.to_string(),
            first: self.first_name,
            last: self.last_name,
            email: self.email,
            mobile: self.mobile,
            is_active: self.is_active,
            can_deactivate,
            version: self.version,
            ban: self.banned_at.map(|at| Ban {
                is_banned: true,
                reason: self.ban_reason.unwrap_or_default(),
                banned_at: rfc3339(at),
            }),
        }
    }

    /// Returns whether the name, e-mail or role contains this folded text.
    fn matches(&self, folded: &str) -> bool {
        let name = full_name(&self.first_name, &self.last_name);
        let role = self.role.as_deref().unwrap_or_default();
        [name.as_str(), &self.email, role].iter().any(|text| fold(text).contains(folded))
    }
}

/// Returns a page of users, newest first, and the total number on all pages.
pub async fn list(scope: &Scope, page: Page) -> Result<(Vec<UserRow>, u64)> {
    let count = scope.db().sql("SELECT count(*) FROM users WHERE corp_id = $1").bind(scope.corp());
    let (rows, total) = tokio::try_join!(push_page(select_newest_first(scope), page).all(), count.value::<i64>())?;
    Ok((rows, total.unsigned_abs()))
}

/// Returns all users that contain a text, newest first.
///
/// Reads all users of the corporation (thousands at most) and compares them with core's case folding, which neither
/// database supports.
pub async fn find_all(scope: &Scope, search: Option<&str>) -> Result<Vec<UserRow>> {
    let mut rows: Vec<UserRow> = select_newest_first(scope).all().await?;
    if let Some(folded) = search.map(fold) {
        rows.retain(|row| row.matches(&folded));
    }
    Ok(rows)
}

fn select_newest_first(scope: &Scope) -> Sql<'_> {
    scope.db().sql(ROWS).arg(scope.corp()).push(" ORDER BY u.user_id DESC")
}

/// Returns all users of the corporation, sorted by name.
pub async fn list_all(scope: &Scope) -> Result<Vec<UserRow>> {
    let mut rows: Vec<UserRow> = scope.db().sql(ROWS).arg(scope.corp()).all().await?;
    rows.sort_by_cached_key(|row| (fold(&full_name(&row.first_name, &row.last_name)), row.user_id));
    Ok(rows)
}

/// Returns a user of this tenant.
pub async fn find(db: impl Connection<'_>, scope: &Scope, id: Uuid) -> Result<Option<UserRow>> {
    db.sql(ROWS).arg(scope.corp()).push_arg(" AND u.user_id = ", id).maybe().await
}

/// Returns whether the scope's corporation is the platform's own; `None` if it does not exist.
pub async fn is_platform(db: impl Connection<'_>, scope: &Scope) -> Result<Option<bool>> {
    db.sql("SELECT is_platform FROM corporations WHERE corp_id = $1").bind(scope.corp()).maybe_value().await
}

/// A user's data without e-mail and password, whose change has further effects.
pub struct UserData<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub mobile: &'a str,
    pub user_type: UserType,
    pub role: Option<Uuid>,
}

/// Updates a user's data.
pub async fn update(tx: &mut Tx, scope: &Scope, id: Uuid, data: &UserData<'_>, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE users SET first_name = $1, last_name = $2, mobile = $3, user_type = $4, role_id = $5, \
         version = version + 1, updated_at = $6 WHERE corp_id = $7 AND user_id = $8",
    )
    .bind_all((
        data.first_name.to_owned(),
        data.last_name.to_owned(),
        data.mobile.to_owned(),
        data.user_type.as_str(),
        data.role,
        now,
        scope.corp(),
        id,
    ))
    .exec()
    .await?;
    Ok(())
}

/// Activates or deactivates a user.
pub async fn set_active(tx: &mut Tx, scope: &Scope, id: Uuid, is_active: bool, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE users SET is_active = $1, version = version + 1, updated_at = $2 WHERE corp_id = $3 AND user_id = $4",
    )
    .bind_all((is_active, now, scope.corp(), id))
    .exec()
    .await?;
    Ok(())
}

/// Returns the id of the corporation of any user on the platform; `None` if there is no such user. The caller must
/// check that it may manage this corporation.
pub async fn corporation_of(db: impl Connection<'_>, user: Uuid) -> Result<Option<Uuid>> {
    db.sql("SELECT corp_id FROM users WHERE user_id = $1").bind(user).maybe_value().await
}
